"""Evenings: a table that goes on is summed up from each seat's own log; copies of a character."""

from __future__ import annotations

from typing import Any

import pytest
from in_memory_table import PlayedTable, sheet, usual_table

from handful import table as tables
from handful.errors import Refused
from handful.library.evenings import evening_summaries, split_evenings

ASKED = {"attribute": 3, "target": 2}


def summed(play: PlayedTable, seat: str) -> list[dict[str, Any]]:
    lines = [{**line, "time": f"2026-11-18T20:00:{line['n']:02}+00:00"} for line in play.log_of(seat)]
    return evening_summaries(tables.known_to(play.table, seat), lines)


def roll(play: PlayedTable, seat: str, faces: list[int], **more: Any) -> str:
    name = play.declare(seat, parameters=ASKED, **more)
    play.do(seat, "throw", roll=name, faces=faces)
    if play.roll(seat, name)["phase"] != "finalised":
        play.do(seat, "finalise", roll=name)
    return name


def test_an_evening_ends_with_a_long_break() -> None:
    times = ["18T19:00", "18T23:30", "19T01:10", "19T07:10", "25T20:00"]
    lines = [{"n": at, "time": f"2026-11-{time}:00.000+00:00"} for at, time in enumerate(times, 1)]
    assert [[one["n"] for one in evening] for evening in split_evenings(lines)] == [[1, 2, 3], [4], [5]]
    assert split_evenings([]) == []


def test_rolls_and_results_are_counted_for_each_seat() -> None:
    play = usual_table()
    roll(play, "ann", [6, 5, 1])
    roll(play, "ann", [1, 2, 1])
    roll(play, "bob", [6, 6, 6])
    (evening,) = summed(play, "eve")
    assert evening["rolls"] == 3
    ann = evening["seats"]["ann"]
    assert (ann["rolls"], ann["dice"], ann["successes"], ann["failures"]) == (2, 6, 1, 1)
    assert evening["seats"]["bob"]["successes"] == 1


def test_what_is_hidden_is_not_counted() -> None:
    plays = [usual_table(), usual_table()]
    for play, hidden in zip(plays, (0, 3), strict=True):
        roll(play, "ann", [6, 5, 1])
        for _ in range(hidden):
            roll(play, "gm", [6, 6, 6], mode="gm")
        roll(play, "bob", [6, 5, 1], mode="private")
    for seat in ("ann", "eve"):
        assert summed(plays[0], seat) == summed(plays[1], seat)
        assert summed(plays[0], seat)[0]["rolls"] == 1
    assert [summed(play, "gm")[0]["rolls"] for play in plays] == [2, 5]
    play = plays[1]
    play.do("gm", "reveal", roll=[*play.table.rolls][1], to=["ann"])
    assert summed(play, "ann")[0]["seats"]["gm"]["rolls"] == 1


def test_points_are_summed_up_for_those_who_see_the_sheet() -> None:
    play = usual_table()
    play.do("ann", "bring", sheet=sheet("uwr", "mira"))
    play.do("gm", "adjust", character="ann/Mira Quill", resources={"vitality": -2})
    play.do("gm", "adjust", character="ann/Mira Quill", resources={"vitality": 1})
    assert summed(play, "ann")[0]["points"] == {"ann/Mira Quill": {"vitality": -1}}
    assert summed(play, "bob")[0]["points"] == {}


# -- copies


def names(play: PlayedTable) -> list[str]:
    return [one.name for one in play.table.characters.values()]


def test_the_gm_brings_three_raiders_with_one_command() -> None:
    play = PlayedTable("me-d6", ann="player")
    raider = sheet("me-d6", "raider")
    events = play.do("gm", "bring", sheet=raider, copies=3, shown="own")
    assert [one.kind for one in events] == ["character_brought"] * 3
    assert names(play) == ["Raider 1", "Raider 2", "Raider 3"]
    play.do("gm", "dismiss", character="gm/Raider 2")
    play.do("gm", "bring", sheet=raider | {"name": "Raider 3"}, copies=2, shown="own")
    assert names(play) == ["Raider 1", "Raider 3", "Raider 4", "Raider 5"], "no name is used again"
    play.do("gm", "adjust", character="gm/Raider 1", resources={"hit_points": -3})
    points = [one.sheet.resources["hit_points"] for one in play.table.characters.values() if one.sheet]
    assert points[0] == points[1] - 3, "each has points of its own"


def test_wrong_copies_are_refused() -> None:
    play = PlayedTable("me-d6", ann="player", eve="watcher")
    raider, sanna = sheet("me-d6", "raider"), sheet("me-d6", "sanna")
    for copies in (0, 21, "three", True):
        with pytest.raises(Refused, match="from 1 to 20"):
            play.do("gm", "bring", sheet=raider, copies=copies)
    with pytest.raises(Refused, match="only the GM brings several"):
        play.do("ann", "bring", sheet=sanna, copies=2)
    with pytest.raises(Refused):
        play.do("gm", "bring", sheet=raider, copies=2, for_="eve")
    with pytest.raises(Refused):
        play.do("gm", "bring", sheet=raider, copies=2, replaces="0" * 16)
    assert not play.table.characters
