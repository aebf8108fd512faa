"""A table to try: the game's sample characters have come already."""

from __future__ import annotations

import json

from handful.table import Command
from handful.web import games
from handful.web.rooms import Room


async def set_up(room: Room, gm: str, players: list[str]) -> None:
    """Everybody gets a sample character, one after the other; the rest is the GM's."""
    own = games.game(room.kept.opened.game)
    waiting = list(players)
    for at, name in enumerate(own.characters(), 1):
        sheet = json.loads(own.export(own.character(name)))
        owner = waiting.pop(0) if waiting and sheet["kind"] == "pc" else gm
        await room.do(gm, Command("bring", f"demo {at}", {"sheet": sheet, "for": owner}))
