"""Whole rolls in one go are the rolls that step by step would have made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random, SystemRandom
from typing import Any

import pages
import pytest
from casebook import GAMES, all_cases, started
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_writer import write_game
from samples import IDS, SAMPLES

import handful
from handful.errors import HandfulError
from handful.library.chance import faces_from
from handful.roll import Throw, bind
from handful.roll.whole import ENOUGH, Ending
from handful.rules.load import Source, load
from handful.rules.written.page import BUILTINS
from toys import toml, toy

POLICIES = ("usual", "never")


def one_by_one(roll: handful.Roll, rng: Random, policy: str = "usual") -> handful.Roll:
    while roll.ask is not None:
        roll = roll.throw(rng) if isinstance(roll.ask, Throw) else roll.usual(policy)
    return roll


def everything(roll: handful.Roll) -> tuple[Any, ...]:
    node = roll.node
    kinds = [type(one) for part in node.trace[:3] for one in part]
    return roll, roll.policies, node, kinds, type(node.outcome), roll.to_dict(), roll.to_json()


def written(roll: handful.Roll, policy: str = "usual") -> bool:
    """Whether rolls like this are written out by now, and nothing is left to the machine."""
    ending, faces = Ending(roll.bound, roll.node, policy), faces_from(Random(5))
    for _ in range(ENOUGH + 1):
        ending.whole(faces)
    before = ending.stages
    ending._step_by_step = None  # type: ignore[assignment,method-assign]
    for _ in range(30):
        ending.whole(faces)
    return before is not None


def pauses(roll: handful.Roll, rng: Random) -> Iterator[handful.Roll]:
    yield roll
    while roll.ask is not None:
        if isinstance(ask := roll.ask, Throw):
            roll = roll.reply(tuple(rng.randrange(ask.sides) + 1 for _ in range(ask.count)))
        else:
            roll = roll.usual()
        yield roll


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("game", GAMES)
def test_all_cases_come_to_the_same_rolls(game: str, policy: str) -> None:
    for seed, case in enumerate(all_cases()):
        if case.game != game or case.refused:
            continue
        start, one, other = started(case), Random(seed), Random(seed)
        for end in start.endings(one, ENOUGH + 3, policy):
            assert everything(end) == everything(one_by_one(start, other, policy)), case.id
        assert one.getstate() == other.getstate()


@pytest.mark.parametrize("place", range(len(SAMPLES)), ids=IDS)
def test_from_every_pause_on(place: int) -> None:
    for seed in range(6):
        for roll in pauses(SAMPLES[place].start(), Random(seed)):
            one, other = Random(seed), Random(seed)
            for end in roll.endings(one, ENOUGH + 2):
                assert everything(end) == everything(one_by_one(roll, other))
            assert roll.finish(Random(seed)) == one_by_one(roll, Random(seed))


@pytest.mark.parametrize("place", range(len(SAMPLES)), ids=IDS)
def test_shipped_games_are_written_out(place: int) -> None:
    assert written(SAMPLES[place].start())


@settings(max_examples=150)
@given(st.integers(0, 2**32 - 1), st.booleans(), st.sampled_from(POLICIES))
def test_random_rules_come_to_the_same_rolls(seed: int, endless: bool, policy: str) -> None:
    try:
        start = handful.Roll.begin(toy(*write_game(Random(seed), endless=endless)))
    except HandfulError:
        return
    one, other = Random(seed), Random(seed)
    for _ in range(ENOUGH + 3):
        quick = outcome(lambda: start.finish(one, policy))
        assert quick == outcome(lambda: one_by_one(start, other, policy))
        assert one.getstate() == other.getstate()


def outcome(make: Callable[[], handful.Roll]) -> Any:
    """A roll with everything about it, or what went wrong, and where."""
    try:
        return everything(make())
    except HandfulError as error:
        return type(error), str(error)


# -- options that were looked at


OPTION = "[options.n]\nmin = 1\nmax = 3\ndefault = 2\nlabel = { en = 'N' }\n"


def test_an_option_that_a_throw_or_the_result_looks_at_is_named() -> None:
    for text in (
        "p = roll(options.n, d6)\nresult(total = sum(p))",
        "p = roll(2, d6)\nresult(total = sum(p) + options.n)",
        'p = roll(2, d6)\nr = choose("pick", p, options.n)\nresult(total = sum(r))',
    ):
        check = bind(load([Source("toy.toml", toml(text) + OPTION)]), "c")
        start = handful.Roll.begin(check)
        ends = [one_by_one(start, Random(1)), *start.endings(Random(1), ENOUGH + 2)]
        assert {end.node.trace.options for end in ends} == {frozenset("n")}


# -- what goes wrong


def test_mistakes_are_told_with_their_place() -> None:
    check = toy("x = sum(roll(1, d2))\ny = 6 / (x - 1)\nresult(total = y)")
    messages = set()
    for _ in range(ENOUGH + 3):
        with pytest.raises(HandfulError, match="division by zero") as error:
            list(handful.Roll.begin(check).endings(Random(2), 50))
        messages.add(str(error.value))
    assert len(messages) == 1


def test_loops_without_end_are_stopped() -> None:
    check = toy("x = 0\nwhile x < 1:\n    x = sum(roll(1, d6)) - 10\nresult(total = x)")
    for _ in range(ENOUGH + 2):
        with pytest.raises(handful.TooBig, match="repetitions"):
            handful.Roll.begin(check).finish(Random(1))


def test_a_policy_that_nobody_has_is_refused() -> None:
    start = SAMPLES[0].start()
    with pytest.raises(handful.Refused, match="best"):
        start.endings(Random(1), 3, "best")
    with pytest.raises(handful.BadReply, match="throws"):
        start.endings(3, 3)  # type: ignore[arg-type]


def test_a_finished_roll_stays_as_it_is() -> None:
    end = SAMPLES[0].start().finish(Random(1))
    assert [everything(again) for again in end.endings(Random(2), 5)] == [everything(end)] * 5


# -- faces


class Counting(Random):
    """Somebody's own dice: every face in turn."""

    at = 0

    def randrange(self, start: int, *_: Any, **__: Any) -> int:
        self.at += 1
        return self.at % start


class Loaded:
    def randrange(self, stop: int, /) -> int:
        return stop


@pytest.mark.parametrize("sides", [2, 3, 4, 6, 7, 8, 10, 12, 20, 100, 1000])
def test_seeds_keep_their_faces(sides: int) -> None:
    one, other = Random(sides), Random(sides)
    assert faces_from(one)(200, sides) == tuple(other.randrange(sides) + 1 for _ in range(200))
    assert one.getstate() == other.getstate()


def test_other_dice_are_thrown_by_their_own_method() -> None:
    assert faces_from(Counting())(4, 3) == (2, 3, 1, 2)
    assert set(faces_from(SystemRandom())(500, 6)) == set(range(1, 7))
    for _ in range(ENOUGH + 2):
        with pytest.raises(handful.BadReply, match="shows 1 to 6, not 7"):
            SAMPLES[0].start().finish(Loaded())


# -- what stands on a page

HOSTILE = "__class__ = sum(roll(2, d6))\nx = '\"); import os; (\"' if __class__ > 1 else 'a'"


def test_pages_hold_only_what_the_writer_made(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = pages.watched(monkeypatch)
    starts = [sample.start() for sample in SAMPLES]
    starts.append(handful.Roll.begin(toy(f"{HOSTILE}\nresult(total = __class__)")))
    for start in starts:
        start.bound.ruleset.derived.clear()
        assert written(start)
    known = {*BUILTINS, "Record", "Pool", "Modifier", "Unwritten", "NO_DICE", "compare", "is_true"}
    known |= {"same", "made", "bool", "solve", "t", "side", "at", "inner", "_"}
    methods = {"roll", "endless", "reroll", "chosen", "picked", "options", "modifiers", "events"}
    methods |= {"add", "append", "lowest", "plus", "minus", "total", "__class__"}
    pages.hold_only(seen, known, methods)
    assert len(seen) > 20
