"""Free dice at a table: keys, secrecy and odds are those of every roll; games do not mix with them."""

from __future__ import annotations

import json

import pytest
from in_memory_table import PlayedTable, usual_table
from me_d6_fights import fight_table

from handful import table as tables
from handful.errors import Refused
from handful.table.keys import derive_faces


@pytest.fixture
def play() -> PlayedTable:
    return usual_table()


def test_free_dice_are_rolled_with_one_command(play: PlayedTable) -> None:
    events = play.do("ann", "declare", check="dice:3D6 + 2", title="weather", throw={"entropy": "e"})
    assert [one.kind for one in events] == ["roll_declared", "dice_thrown", "roll_finalised"]
    roll = play.roll("eve", play.new_id)
    faces = [die["face"] for die in roll["dice"]]
    assert roll["asked"]["check"] == "dice:3d6+2"
    assert roll["outcome"] == {"total": sum(faces) + 2}
    assert tuple(faces) == derive_faces(roll["key"], 0, 3, 6, "e")


def test_secret_free_dice_are_secret(play: PlayedTable) -> None:
    quiet = {seat: json.dumps([tables.view(play.table, seat), play.log_of(seat)]) for seat in ("ann", "eve")}
    roll = play.declare("gm", check="dice:2d20 keep 1", mode="gm")
    play.do("gm", "throw", roll=roll)
    for seat, before in quiet.items():
        assert json.dumps([tables.view(play.table, seat), play.log_of(seat)]) == before
    play.do("gm", "reveal", roll=roll)
    assert play.roll("eve", roll)["outcome"] == play.roll("gm", roll)["outcome"]


def test_odds_before_and_after_the_declaration(play: PlayedTable) -> None:
    assert tables.preview_odds(play.table, "ann", {"check": "dice:2d6 >= 9"})["odds"]["success"] == "5/18"
    roll = play.declare("ann", check="dice:2d6 >= 9")
    assert tables.odds(play.table, "bob", roll)["success"] == "5/18"


@pytest.mark.parametrize(
    ("data", "match"),
    [
        ({"check": "dice:3d"}, "not understood as dice"),
        ({"check": "dice:"}, "not understood as dice"),
        ({"check": "dice:3d6", "parameters": {"attribute": 3}}, "no character and no action"),
        ({"check": "dice:3d6", "as": "ann/Mira Quill"}, "no character and no action"),
        ({"check": "dice:3d6", "hidden": ["target"]}, "no character and no action"),
        ({"check": "dice:3d6", "sides": [{}]}, "no character and no action"),
        ({"check": "3d6"}, "no check"),
    ],
)
def test_only_dice_are_taken(play: PlayedTable, data: dict[str, object], match: str) -> None:
    with pytest.raises(Refused, match=match):
        play.do("ann", "declare", **data)


def test_no_check_compares_them_and_luck_leaves_them_out(play: PlayedTable) -> None:
    free = play.declare("ann", check="dice:3d6")
    play.do("ann", "throw", roll=free)
    own = play.declare("bob", parameters={"attribute": 3})
    play.do("bob", "throw", roll=own)
    with pytest.raises(Refused, match="no check compares them"):
        play.do("gm", "contest", check="opposed", rolls=[free, own])
    assert tables.luck(play.table, "gm")["table"]["count"] == 1


def test_in_a_fight_they_cost_nothing() -> None:
    play = fight_table()
    before = tables.view(play.table, "gm")["fight"]
    play.do("gm", "declare", check="dice:1d6", throw={})
    assert tables.view(play.table, "gm")["fight"] == before
    assert play.roll("gm", play.new_id)["phase"] == "finalised"


def test_mistyped_faces_are_corrected(play: PlayedTable) -> None:
    roll = play.declare("ann", check="dice:2d6")
    play.do("ann", "throw", roll=roll, faces=[6, 5])
    play.do("gm", "correct", roll=roll, throw=0, faces=[6, 4])
    assert play.roll("ann", roll)["outcome"] == {"total": 10}
    with pytest.raises(Refused):
        play.do("gm", "correct", roll=roll, parameters={"attribute": 3})
