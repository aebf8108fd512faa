"""A table to try: the game's sample characters have come already."""

from __future__ import annotations

from handful.table import Command
from handful.web import games
from handful.web.rooms import Room


async def set_up(room: Room, gm: str, players: list[str], language: str = "en") -> None:
    """Everybody gets a sample character, one after the other; the rest is the GM's.

    All know of them, so that they can be spoken to and fought; their sheets stay the GM's.
    """
    waiting = list(players)
    sheets = await room.query(lambda now: games.sample_characters(now.rules, language))
    for at, sheet in enumerate(sheets, 1):
        owner = waiting.pop(0) if waiting and sheet["kind"] == "pc" else gm
        data = {"sheet": sheet, "for": owner} | ({"shown": "own"} if owner == gm else {})
        await room.submit(gm, Command("bring", f"demo {at}", data))
