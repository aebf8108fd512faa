"""Sets up demo tables: adds the sample characters of the game, one for each player.

Everything is done by ordinary commands of the GM, so that a demo's log verifies like any other.
"""

from __future__ import annotations

from handful.table import Command
from handful.web.rooms import Room


async def set_up(room: Room, gm: str, players: list[str], language: str = "en") -> None:
    """Give each player a sample character, and the rest to the GM.

    Everybody sees that the GM's characters are present, so that they can be talked to and fought;
    their sheets are visible to the GM only.
    """
    waiting = list(players)
    sheets = await room.ask("sample_characters", language=language)
    for at, sheet in enumerate(sheets, 1):
        owner = waiting.pop(0) if waiting and sheet["kind"] == "pc" else gm
        data = {"sheet": sheet, "for": owner} | ({"shown": "own"} if owner == gm else {})
        await room.submit(gm, Command("bring", f"demo {at}", data))
