"""Pictures of seats and characters: for those who know of them, and told with a character."""

from __future__ import annotations

import json

import pytest
from in_memory_table import PlayedTable, sheet, usual_table

from handful import table as tables
from handful.errors import Refused

ONE, OTHER = "a" * 64, "b" * 64


@pytest.fixture
def play() -> PlayedTable:
    return usual_table()


def seat_picture(play: PlayedTable, name: str) -> str | None:
    (found,) = (one for one in tables.view(play.table, "eve")["seats"] if one["name"] == name)
    picture: str | None = found.get("picture")
    return picture


def portrait(play: PlayedTable, seat: str, character: str) -> str | None:
    found = {one["character"]: one.get("picture") for one in tables.view(play.table, seat)["characters"]}
    return found[character]


def test_a_seat_has_a_picture_until_it_is_removed(play: PlayedTable) -> None:
    play.do("ann", "picture", picture=ONE)
    assert seat_picture(play, "ann") == ONE
    with pytest.raises(Refused, match="already"):
        play.do("ann", "picture", picture=ONE)
    play.do("ann", "picture", picture="")
    assert seat_picture(play, "ann") is None
    for wrong in ("x", "A" * 64, 3, None):
        with pytest.raises(Refused, match="hash of a picture"):
            play.do("ann", "picture", picture=wrong)
    with pytest.raises(Refused):
        play.do("eve", "picture", picture=ONE)


def test_whoever_knows_of_a_character_sees_its_picture(play: PlayedTable) -> None:
    play.do("ann", "bring", sheet=sheet("uwr", "mira"))
    play.do("ann", "portrait", character="ann/Mira Quill", picture=ONE)
    assert {portrait(play, seat, "ann/Mira Quill") for seat in ("gm", "ann", "bob", "eve")} == {ONE}
    with pytest.raises(Refused):
        play.do("bob", "portrait", character="ann/Mira Quill", picture=OTHER)
    play.do("gm", "portrait", character="ann/Mira Quill", picture=OTHER)
    assert portrait(play, "bob", "ann/Mira Quill") == OTHER


def test_a_hidden_characters_picture_is_told_with_the_character(play: PlayedTable) -> None:
    quiet = {seat: json.dumps([tables.view(play.table, seat), play.log_of(seat)]) for seat in ("ann", "eve")}
    play.do("gm", "bring", sheet=sheet("uwr", "sentry"))
    play.do("gm", "portrait", character="gm/Sentry", picture=ONE)
    for seat, before in quiet.items():
        assert json.dumps([tables.view(play.table, seat), play.log_of(seat)]) == before
    play.do("gm", "show", character="gm/Sentry", shown="own")
    assert portrait(play, "eve", "gm/Sentry") == ONE
    play.do("gm", "show", character="gm/Sentry", shown="hidden")
    play.do("gm", "portrait", character="gm/Sentry", picture=OTHER)
    play.do("gm", "show", character="gm/Sentry", shown="open")
    assert portrait(play, "ann", "gm/Sentry") == OTHER
