"""Views have a bounded size: the oldest rolls leave them, and can be asked for by name."""

from __future__ import annotations

from importlib import import_module

import pytest
from in_memory_table import PlayedTable

from handful import table as tables
from handful.table.view import named_rolls

views = import_module("handful.table.view")  # the package has a function of that name
HUNDRED = "dice:100d6"


def shown(played: PlayedTable, seat: str = "ann") -> list[str]:
    return [one["roll"] for one in tables.view(played.table, seat)["rolls"]]


def test_the_oldest_rolls_leave_a_view_with_too_many_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "MAX_DICE", 450)
    played = PlayedTable(ann="player")
    rolls = [played.declare("ann", HUNDRED, throw={}) for _ in range(6)]
    assert shown(played) == rolls[-4:]
    (first,) = named_rolls(played.table, "ann", rolls[:1])
    assert len(first["dice"]) == 100
    small = [played.declare("ann", "dice:1d6", throw={}) for _ in range(10)]
    assert shown(played) == rolls[-4:] + small


def test_the_latest_roll_is_shown_whatever_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "MAX_DICE", 50)
    played = PlayedTable(ann="player")
    first, second = (played.declare("ann", HUNDRED, throw={}) for _ in range(2))
    assert shown(played) == [second]
    assert named_rolls(played.table, "ann", [first])[0]["phase"] == "finalised"


def test_old_open_rolls_leave_a_view_and_can_still_be_thrown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "RECENT", 5)
    monkeypatch.setattr(views, "MAX_ROLLS", 8)
    played = PlayedTable(ann="player")
    rolls = [played.declare("ann", parameters={"attribute": 3}) for _ in range(12)]
    assert shown(played) == rolls[-8:]
    played.do("ann", "throw", roll=rolls[0])
    assert named_rolls(played.table, "ann", rolls[:1])[0]["phase"] == "finalised"


def test_dice_that_a_seat_does_not_see_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "MAX_DICE", 150)
    played = PlayedTable(ann="player", bob="player")
    own = played.declare("bob", HUNDRED, throw={})
    for _ in range(5):
        played.declare("gm", HUNDRED, throw={}, mode="secret")
    assert own in shown(played, "bob")
    assert own not in shown(played, "gm")
