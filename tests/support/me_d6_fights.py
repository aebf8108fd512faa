"""A fight of Mass Effect D6 at a table in memory: Sanna, Corvin and a raider."""

from __future__ import annotations

from typing import Any

import pytest
from in_memory_table import PlayedTable, sheet

from handful import table as tables
from handful.errors import Refused

SANNA, CORVIN, RAIDER = "ann/Sanna Vey", "bob/Corvin Ade", "gm/Raider"
EASY = {"dice": "command", "difficulty": 10}


def fight_table(*, shown: str = "own", options: dict[str, Any] | None = None, points: int = 0) -> PlayedTable:
    """Return a table with Ann's Sanna, Bob's Corvin and a raider of the GM's.

    A character with points is asked after each roll whether to spend one, so they have none at first.
    """
    play = PlayedTable("me-d6", ann="player", bob="player", eve="watcher")
    if options:
        play.do("gm", "house_rules", options=options)
    for seat, name in (("ann", "sanna"), ("bob", "corvin")):
        data = sheet("me-d6", name)
        own = {**data["resources"], "paragon": points, "renegade": points}
        play.do(seat, "bring", sheet={**data, "resources": own}, shown="open")
    play.do("gm", "bring", sheet=sheet("me-d6", "raider"), shown=shown)
    return play


def begin_fight(play: PlayedTable, *more: dict[str, Any]) -> PlayedTable:
    """Begin a fight of the three, and of more combatants."""
    there = [{"character": name} for name in (SANNA, CORVIN, RAIDER)]
    play.do("gm", "fight", combatants=[*there, *more])
    return play


def fight_view(play: PlayedTable, seat: str = "eve") -> dict[str, Any]:
    """Return the fight as a seat sees it."""
    found: dict[str, Any] = tables.view(play.table, seat)["fight"]
    return found


def order_names(play: PlayedTable, seat: str = "eve") -> list[str]:
    """Return the names in the turn order, as a seat sees it."""
    return [one["name"] for one in fight_view(play, seat)["order"]]


def legal_moves(play: PlayedTable, seat: str, who: str) -> set[str]:
    """Return the commands that a seat may give for a combatant."""
    actions = tables.legal_actions(play.table, seat)
    return {one["do"] for one in actions if one.get("combatant") == who}


def assert_refused(play: PlayedTable, message: str, actor: str, do: str, **data: Any) -> Refused:
    """Assert that a command is refused with this message and changes nothing."""
    before = play.table
    with pytest.raises(Refused, match=message) as refusal:
        play.do(actor, do, **data)
    assert play.table == before
    return refusal.value


def place_of(play: PlayedTable, who: str) -> dict[str, Any]:
    """Return the place of a combatant in the turn order."""
    (own,) = (one for one in fight_view(play, "gm")["order"] if one["combatant"] == who)
    return own


def sheet_of(play: PlayedTable, who: str, seat: str = "gm") -> dict[str, Any]:
    """Return a character as a seat sees it."""
    there = tables.view(play.table, seat)["characters"]
    (own,) = (one for one in there if one["character"] == who)
    return own


def hit_points(play: PlayedTable, who: str) -> int:
    found: int = sheet_of(play, who)["sheet"]["resources"]["hit_points"]
    return found


def roll_with(play: PlayedTable, actor: str, who: str, check: str, faces: list[int], **data: Any) -> str:
    """Declare a check of a character and throw these faces; return the name of the roll."""
    roll = play.declare(actor, check, as_=[who], **data)
    play.do(actor, "throw", roll=roll, faces=faces)
    return roll
