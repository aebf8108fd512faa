"""Those who listen: what is told comes in order, also where some of it has to wait."""

from __future__ import annotations

import asyncio

from handful.web.connections import BEHIND, Connection
from handful.web.settings import Limits


def test_nothing_overtakes_what_waits() -> None:
    async def evening() -> list[str]:
        heard: list[str] = []
        free = True

        def at_once(text: str) -> bool:
            if free:
                heard.append(text)
            return free

        here = Connection("ann", Limits(), at_once=at_once)
        here.tell("1")
        free = False
        here.tell("2")
        here.tell("3")
        sending = await here.next()
        free = True
        here.tell("4")  # there is room again, but 2 is on its way
        heard.append(sending)
        here.sent()
        here.tell("5")
        for _ in range(3):
            heard.append(await here.next())
            here.sent()
        here.tell("6")
        return heard

    assert asyncio.run(evening()) == ["1", "2", "3", "4", "5", "6"]


def test_whoever_is_behind_is_let_go_and_told_nothing_more() -> None:
    async def evening() -> tuple[Connection, list[str]]:
        heard: list[str] = []
        here = Connection("ann", Limits(waiting=2), at_once=lambda text: False)
        for text in ("1", "2", "3"):
            here.tell(text)
        here._at_once = lambda text: bool(heard.append(text)) or True
        here.tell("4")
        here.sent()  # what was on its way when it was let go
        return here, heard

    here, heard = asyncio.run(evening())
    assert (here.code, heard) == (BEHIND, [])
