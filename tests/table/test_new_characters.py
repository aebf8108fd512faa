"""New characters at a table: points, duplicates, and other names for the same character."""

from __future__ import annotations

from typing import Any

import pytest
from in_memory_table import PlayedTable, sheet
from ruleset_cases import ruleset
from toy_rulesets import HEAD

from handful import table as tables
from handful.errors import Refused
from handful.rules.load import Source, load
from handful.sheet import blank_data, canonical_data, new_character
from handful.verifier import verify

MIRA = "ann/Mira Quill"
STRICT = """[checks.c]
title.en = "C"
help.en = "C"
main = "total"
does = "result(total = sum(roll(1, d6)))"
[sheet.attribute]
min = 1
max = 6
[sheet.attributes]
wit = { title.en = "Wit" }
[sheet.creation]
strict = true
[sheet.creation.budgets.points]
title.en = "Points"
points = 3
"""


@pytest.fixture
def play() -> PlayedTable:
    play = PlayedTable("uwr", ann="player", bob="player", eve="watcher")
    play.do("ann", "bring", sheet=sheet("uwr", "mira"))
    return play


def names(play: PlayedTable, seat: str) -> dict[str, str]:
    return {one["character"]: one["name"] for one in tables.view(play.table, seat)["characters"]}


def history(play: PlayedTable, seat: str, character: str) -> list[dict[str, Any]]:
    lines = [{"n": n, "time": "", **one} for n, one in enumerate(play.log_of(seat), 1)]
    return tables.character_history(play.table.rules, lines, character)


# -- names


def test_a_renamed_character_stays_the_same(play: PlayedTable) -> None:
    roll = play.declare("ann", "direct", **{"as": MIRA}, parameters={"attribute": "Grace", "target": 2})
    play.do("ann", "rename", character=MIRA, name=" Nell ")
    assert names(play, "ann") == names(play, "bob") == names(play, "eve") == {MIRA: "Nell"}
    own = tables.view(play.table, "ann")["characters"][0]
    assert own["sheet"]["name"] == "Nell"
    assert play.roll("ann", roll)["as"] == [MIRA]
    kinds = [one["kind"] for one in history(play, "ann", MIRA)]
    assert kinds == ["character_brought", "character_renamed"]
    assert history(play, "ann", MIRA)[1]["changes"] == [
        {"section": "name", "name": None, "before": "Mira Quill", "after": "Nell"}
    ]
    assert verify(tables.export_log(play.empty, play.entries, "bob"))[0] == []


def test_a_newer_sheet_finds_the_character_by_its_name_now(play: PlayedTable) -> None:
    play.do("ann", "rename", character=MIRA, name="Nell")
    found = tables.preview_sheet(play.table, "ann", sheet("uwr", "mira", name="Nell", notes="Hums."))
    assert (found["character"], found["new"]) == (MIRA, False)
    play.do("ann", "bring", sheet=found["sheet"], replaces=found["replaces"])
    assert [*names(play, "ann")] == [MIRA]


def test_the_old_name_is_free_again(play: PlayedTable) -> None:
    play.do("ann", "rename", character=MIRA, name="Nell")
    play.do("ann", "bring", sheet=sheet("uwr", "mira"))
    assert names(play, "bob") == {MIRA: "Nell", "ann/Mira Quill (2)": "Mira Quill"}
    with pytest.raises(Refused, match="ann has a Nell already"):
        play.do("ann", "rename", character="ann/Mira Quill (2)", name="Nell")
    with pytest.raises(Refused, match="Nell is its name already"):
        play.do("ann", "rename", character=MIRA, name="Nell")


@pytest.mark.parametrize("name", ["", "  ", "x" * 81, "two\nlines", 7])
def test_a_name_is_one_short_line(play: PlayedTable, name: Any) -> None:
    with pytest.raises(Refused, match="1 to 80 printable characters"):
        play.do("ann", "rename", character=MIRA, name=name)


def test_others_cannot_rename_and_a_hidden_one_is_not_told_of(play: PlayedTable) -> None:
    for seat in ("bob", "eve"):
        with pytest.raises(Refused):
            play.do(seat, "rename", character=MIRA, name="Nell")
    play.do("gm", "bring", sheet=sheet("uwr", "sentry"))
    before = len(play.log_of("ann"))
    play.do("gm", "rename", character="gm/Sentry", name="Sergeant")
    assert len(play.log_of("ann")) == before
    play.do("gm", "show", character="gm/Sentry", shown="own")
    assert names(play, "ann")["gm/Sentry"] == "Sergeant"
    play.do("gm", "rename", character=MIRA, name="Nell")
    assert names(play, "ann")[MIRA] == "Nell"


def test_a_copy_under_another_name_is_a_character_of_its_own(play: PlayedTable) -> None:
    play.do("ann", "bring", sheet=sheet("uwr", "mira", name="Mira Quill 2"))
    play.do("gm", "adjust", character=MIRA, resources={"vitality": -2})
    first, second = tables.view(play.table, "ann")["characters"]
    assert (first["sheet"]["resources"], second["sheet"]["resources"]) == ({"vitality": 3}, {"vitality": 5})


# -- points


def test_a_preview_says_what_is_left_of_the_points() -> None:
    play = PlayedTable("me-d6", ann="player")
    rules = ruleset("me-d6").rules
    data = blank_data(rules) | {"name": "Nell", "skills": {"dodge": 7}}
    found = tables.preview_sheet(play.table, "ann", data)
    skills = found["budgets"][1]
    assert (skills["budget"], skills["left"], skills["spent"]) == ("skill_points", "14", "7")
    assert (skills["too_high"], skills["keeps"]) == ([["skills", "dodge"]], False)
    play.do("ann", "bring", sheet=data)  # advice: nothing is refused
    assert names(play, "gm") == {"ann/Nell": "Nell"}


def test_a_strict_game_refuses_players_and_leaves_it_to_the_gm() -> None:
    rules = load([Source("toy.toml", HEAD.replace("language = 1", "language = 2") + STRICT)])
    assert rules.sheet is not None
    play = PlayedTable(rules, ann="player")
    rich = canonical_data(rules.sheet, new_character(rules, "Nell", values={"attributes": {"wit": 5}}))
    with pytest.raises(Refused, match="2 too many") as refusal:
        play.do("ann", "bring", sheet=rich)
    assert "GM" in refusal.value.hint
    poor = canonical_data(rules.sheet, new_character(rules, "Jo", values={"attributes": {"wit": 3}}))
    play.do("ann", "bring", sheet=poor)
    mark = tables.view(play.table, "ann")["characters"][0]["mark"]
    play.do("ann", "bring", sheet={**poor, "attributes": {"wit": 6}}, replaces=mark)  # it has advanced
    play.do("gm", "bring", sheet=rich, **{"for": "ann"})
    assert [*names(play, "ann").values()] == ["Jo", "Nell"]
