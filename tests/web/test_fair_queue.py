"""The fair queue: light questions never wait for heavy ones, and more seats give nobody more."""

from __future__ import annotations

import asyncio

from handful.web.fair_queue import HALF_LIFE, LIGHT, LONG, MAX_PARTIES, FairQueue, Ticket, Usage


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def test_use_counts_less_with_time() -> None:
    clock = Clock()
    usage = Usage(clock)
    usage.add(("ann", "table"), 8.0)
    assert usage.of(("ann", "nobody")) == usage.of(("table",)) == 8.0
    assert usage.total(("ann", "table", "nobody")) == 16.0
    clock.time = 2 * HALF_LIFE
    assert usage.of(("ann",)) == 2.0
    usage.add(("ann",), 1.0)
    assert usage.of(("ann",)) == 3.0
    for number in range(MAX_PARTIES):
        usage.add((number,), 1.0)
    assert usage.of(("ann",)) == 0.0  # forgotten: others came later


async def enter(queue: FairQueue, *parties: str, is_long: bool = False) -> asyncio.Task[Ticket]:
    task = asyncio.ensure_future(queue.enter(parties, is_long=is_long))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return task


def test_a_heavy_party_leaves_the_light_worker_to_others() -> None:
    async def scene() -> None:
        queue = FairQueue(2, Clock())
        queue.usage.add(("greedy",), 60.0)
        first = await enter(queue, "a", "greedy")
        second = await enter(queue, "b", "greedy")
        assert first.result().lane == LONG
        assert not second.done()
        light = await enter(queue, "ann", "friday")
        assert light.result().lane == LIGHT
        queue.leave(light.result(), 0.01)
        assert not second.done()  # the light worker is idle, and stays so
        queue.leave(first.result(), 5.0)
        assert (await second).lane == LONG
        assert len(queue) == 0

    asyncio.run(scene())


def test_who_has_used_least_goes_first() -> None:
    async def scene() -> None:
        queue = FairQueue(2, Clock())
        queue.usage.add(("busy",), 0.5)
        running = [await enter(queue, f"r{at}") for at in range(2)]
        greedy = [await enter(queue, f"seat{at}", "busy") for at in range(5)]
        ann = await enter(queue, "ann", "friday")
        queue.leave(running[0].result(), 0.1)
        await asyncio.sleep(0)
        assert ann.done()
        assert not any(one.done() for one in greedy)
        for one in greedy:
            one.cancel()
        await asyncio.gather(*greedy, return_exceptions=True)
        assert len(queue) == 0

    asyncio.run(scene())


def test_a_question_that_turns_out_heavy_makes_room() -> None:
    async def scene() -> None:
        queue = FairQueue(2, Clock())
        heavy = (await enter(queue, "x")).result()
        assert heavy.lane == LIGHT
        assert queue.may_go_on(heavy, 0.6)  # nobody waits
        other = (await enter(queue, "y")).result()
        assert other.lane == LONG
        ann = await enter(queue, "ann")
        assert not queue.may_go_on(heavy, 0.6)  # both workers are busy, so it has to begin again
        assert queue.may_go_on(other, 0.6)
        queue.leave(other, 9.0)
        assert (await ann).lane == LONG
        bob = await enter(queue, "bob")
        queue.leave(ann.result(), 0.1)
        assert (await bob).lane == LONG
        queue.leave(bob.result(), 0.1)
        cid, dan = await enter(queue, "cid"), await enter(queue, "dan")
        assert not dan.done()
        queue.leave(cid.result(), 0.1)
        assert (await dan).lane == LONG
        eve = await enter(queue, "eve")
        queue.leave(dan.result(), 0.1)
        assert (await eve).lane == LONG

    asyncio.run(scene())


def test_a_heavy_question_moves_beside_the_light_ones() -> None:
    async def scene() -> None:
        queue = FairQueue(2, Clock())
        long = (await enter(queue, "l", is_long=True)).result()
        heavy = (await enter(queue, "x")).result()
        ann = await enter(queue, "ann")
        assert (heavy.lane, long.lane) == (LIGHT, LONG)
        blocked = await enter(queue, "m", is_long=True)
        blocked.cancel()
        await asyncio.gather(blocked, return_exceptions=True)
        assert not queue.may_go_on(heavy, 0.6)
        queue._free[LONG] += 1  # a long one ends, and nobody was told yet
        assert queue.may_go_on(heavy, 0.6)
        assert heavy.lane == LONG
        assert (await ann).lane == LIGHT

    asyncio.run(scene())


def test_a_running_question_counts_for_those_that_wait() -> None:
    async def scene() -> None:
        queue = FairQueue(2, Clock())
        first, second = [(await enter(queue, f"s{at}", "greedy")).result() for at in range(2)]
        others = [await enter(queue, f"s{at}", "greedy") for at in range(2, 9)]
        assert queue.may_go_on(first, 0.4)
        assert queue.may_go_on(second, 0.7)
        assert queue.may_go_on(first, 0.9)  # by now the others count as heavy, too: none of them is light
        ann = await enter(queue, "ann", "friday")
        assert not queue.may_go_on(first, 1.1)
        queue.leave(first, 1.1)
        assert (await ann).lane == LIGHT
        assert round(queue.usage.of(("greedy",)), 6) == 1.8
        for one in others:
            one.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    asyncio.run(scene())


def test_a_caller_who_leaves_keeps_nothing() -> None:
    async def scene() -> None:
        queue = FairQueue(2, Clock())
        running = [(await enter(queue, f"r{at}")).result() for at in range(2)]
        gone = await enter(queue, "ann")
        queue.leave(running[0], 0.0)  # granted …
        gone.cancel()  # … and cancelled before it ran
        await asyncio.gather(gone, return_exceptions=True)
        assert (await enter(queue, "bob")).done()

    asyncio.run(scene())
