"""Per-client send queues keep the order of messages, also when some must wait."""

from __future__ import annotations

import asyncio

from handful.web.connections import BEHIND, Connection
from handful.web.settings import ServerLimits


def test_messages_keep_their_order() -> None:
    async def scenario() -> list[str]:
        heard: list[str] = []
        free = True

        def try_send(text: str) -> bool:
            if free:
                heard.append(text)
            return free

        here = Connection("ann", ServerLimits(), try_send=try_send)
        here.send("1")
        free = False
        here.send("2")
        here.send("3")
        sending = await here.next_message()
        free = True
        here.send("4")  # there is room again, but 2 is on its way
        heard.append(sending)
        here.mark_sent()
        here.send("5")
        for _ in range(3):
            heard.append(await here.next_message())
            here.mark_sent()
        here.send("6")
        return heard

    assert asyncio.run(scenario()) == ["1", "2", "3", "4", "5", "6"]


def test_a_client_that_falls_behind_is_dropped() -> None:
    async def scenario() -> tuple[Connection, list[str]]:
        heard: list[str] = []
        here = Connection("ann", ServerLimits(queued_messages=2), try_send=lambda text: False)
        for text in ("1", "2", "3"):
            here.send(text)
        here._try_send = lambda text: bool(heard.append(text)) or True
        here.send("4")
        here.mark_sent()  # what was on its way when it was let go
        return here, heard

    here, heard = asyncio.run(scenario())
    assert (here.close_code, heard) == (BEHIND, [])
