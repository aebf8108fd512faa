"""Contributions to a roll: their sources, switched and added by the GM."""

from __future__ import annotations

import json
from typing import Any

import pytest
from in_memory_table import PlayedTable, sheet, usual_table

import handful
from handful import table as tables
from handful.errors import Refused
from handful.sheet import draft
from handful.table.lines import rebuild_draft
from table.test_characters import sound, unchanged

MIRA, SENTRY = "ann/Mira Quill", "gm/Sentry"
CLIMB = {"attribute": "Grace", "skill": "Acrobatics", "target": 2}


@pytest.fixture
def play() -> PlayedTable:
    play = usual_table()
    play.do("ann", "bring", sheet=sheet("uwr", "mira"))
    play.do("gm", "bring", sheet=sheet("uwr", "sentry"))
    return play


def climb(play: PlayedTable, actor: str = "ann", **data: Any) -> str:
    return play.declare(actor, as_=MIRA, parameters=CLIMB, **data)


def said(play: PlayedTable, seat: str, roll: str) -> list[tuple[str, Any, str, bool]]:
    """The lines of a roll as a seat reads them."""
    return [
        (one["says"] or one["parameter"], one["value"], one["by"], one["on"])
        for one in play.roll(seat, roll).get("lines", [])
    ]


# -- lines of a roll


def test_a_check_from_a_sheet_shows_where_everything_comes_from(play: PlayedTable) -> None:
    roll = climb(play)
    assert said(play, "ann", roll) == [
        ("Grace", 3.5, "sheet", True),
        ("Acrobatics, from Burglar", 2, "sheet", True),
        ("target", 2, "ann", True),
    ]
    sources = [(one["source"], one["amount"]) for one in play.roll("ann", roll)["sources"]]
    assert ("Half a die becomes a reroll", 1) in sources
    assert play.roll("ann", roll)["asked"]["parameters"]["attribute"] == 3.5
    assert play.roll("ann", roll)["as"] == [MIRA]
    sound(play)


def test_seats_without_the_sheet_see_only_the_parameters(play: PlayedTable) -> None:
    roll = climb(play)
    own = play.roll("bob", roll)
    assert own["asked"] == play.roll("ann", roll)["asked"]
    assert own["as"] == [MIRA]
    assert "lines" not in own
    assert "sources" not in own
    assert "Burglar" not in json.dumps([play.log_of("bob"), tables.view(play.table, "bob")])
    play.do("ann", "show", character=MIRA, shown="open")
    assert "lines" not in play.roll("bob", roll)  # what was told before stays as it was told
    other = climb(play)
    assert said(play, "bob", other) == said(play, "ann", other)


@pytest.mark.parametrize("game", ["agga", "uwr", "fons", "tuurna", "me-d6"])
def test_contributions_read_back_give_the_same_check(game: str) -> None:
    """Binding a logged roll gives the declared check, for every character and check."""
    rules = handful.ruleset(game)
    assert rules.rules.sheet is not None
    picks = rules.rules.sheet.picks
    tried = 0
    for name in rules.characters():
        play = PlayedTable(game)
        play.do("gm", "bring", sheet=sheet(game, name))
        (figure,) = play.table.characters.values()
        assert figure.sheet is not None
        assert play.rules.sheet is not None
        things = {"attributes": [*figure.sheet.attributes], "skills": [*play.rules.sheet.skills]}
        for check in rules.rules.checks.values():
            for at in range(8):
                parameters = {}
                for one in picks.values():
                    kinds = [kind for kind in things if getattr(one, kind)]
                    names = things[kinds[at % len(kinds)]]
                    if one.parameter in check.params:
                        parameters[one.parameter] = names[at % len(names)]
                sides = [{}] * check.sides.least if check.sides else []
                try:
                    roll = play.declare(
                        "gm",
                        check.name,
                        parameters=parameters,
                        sides=sides,
                        as_=figure.id,
                        key=f"{check.name}{at}",
                    )
                except Refused:
                    continue
                own = play.table.rolls[roll]
                assert rebuild_draft(play.rules, own).bound() == own.bound
                own_draft = draft(play.rules, check.name, sides, parameters, [figure.sheet], by="gm")
                if not any(line.source == "table" for _, line in own.lines):
                    assert own_draft.bound() == own.bound
                tried += 1
        sound(play)
    assert tried > 5


# -- the GM changes them


def test_a_contribution_switched_by_the_gm_names_the_gm(play: PlayedTable) -> None:
    roll = climb(play)
    promised = play.roll("ann", roll)["commitment"]
    assert "switch" in play.allowed("gm", roll)
    play.do("gm", "switch", roll=roll, line=2, on=False)
    line = play.roll("ann", roll)["lines"][1]
    assert (line["says"], line["on"], line["switched_by"]) == (
        "Acrobatics, from Burglar",
        False,
        "gm",
    )
    assert play.roll("bob", roll)["asked"]["parameters"]["skill"] == 0
    told = [play.log_of(seat)[-1]["data"] for seat in ("gm", "ann", "bob")]
    assert [one.get("line", {}).get("switched_by") for one in told] == ["gm", "gm", None]
    assert [one.get("number") for one in told] == [2, 2, None]
    play.do("gm", "switch", roll=roll, line=2, on=True)
    key = play.dice.key(play.table.keys.places[roll])
    play.do("ann", "throw", roll=roll)
    seen = play.roll("ann", roll)
    assert seen["commitment"] == promised
    faces = tables.derive_faces(key, 0, 5, 6, "")
    assert tuple(die["face"] for die in seen["dice"]) == faces
    sound(play)


def test_the_gm_adds_a_line_with_a_note(play: PlayedTable) -> None:
    roll = climb(play)
    play.do("gm", "add_line", roll=roll, parameter="favor", value=1, note="a low branch")
    assert ("a low branch", 1, "gm", True) in said(play, "ann", roll)
    assert play.roll("bob", roll)["asked"]["parameters"]["favor"] == 1
    assert "branch" not in json.dumps([play.log_of("bob"), tables.view(play.table, "bob")])
    play.do("gm", "add_line", roll=roll, parameter="favor", value=1)
    assert play.roll("bob", roll)["asked"]["parameters"]["favor"] == 2
    sound(play)


def test_lines_change_only_before_the_throw_and_only_by_the_gm(play: PlayedTable) -> None:
    roll = climb(play)
    assert not {"switch", "add_line"} & play.allowed("ann", roll)
    unchanged(play, "not possible", "ann", "switch", roll=roll, line=2, on=False)
    unchanged(play, "lines 1 to 3", "gm", "switch", roll=roll, line=9, on=False)
    unchanged(play, "already on", "gm", "switch", roll=roll, line=2, on=True)
    unchanged(play, "no parameter", "gm", "add_line", roll=roll, parameter="charm", value=1)
    unchanged(play, "favor", "gm", "add_line", roll=roll, parameter="favor", value="much")
    unchanged(play, "no side 2", "gm", "add_line", roll=roll, parameter="favor", value=1, side=2)
    play.do("ann", "throw", roll=roll)
    unchanged(play, "not possible", "gm", "switch", roll=roll, line=2, on=False)
    unchanged(play, "not possible", "gm", "add_line", roll=roll, parameter="favor", value=1)


def test_lines_of_plain_numbers_can_be_changed_as_well(play: PlayedTable) -> None:
    roll = play.declare("ann", parameters={"attribute": 3, "bonus": 1, "target": 2})
    assert said(play, "gm", roll) == [
        ("attribute", 3, "ann", True),
        ("bonus", 1, "ann", True),
        ("target", 2, "ann", True),
    ]
    assert said(play, "ann", roll) == []
    play.do("gm", "switch", roll=roll, line=2, on=False)
    assert play.roll("ann", roll)["asked"]["parameters"]["bonus"] == 0
    sound(play)


def test_a_hidden_parameters_line_is_not_spoken_of(play: PlayedTable) -> None:
    roll = climb(play, "gm", for_="ann", hidden=["target"])
    assert "target" not in {one[0] for one in said(play, "ann", roll)}
    heard = [play.log_of(seat) for seat in ("ann", "bob")]
    play.do("gm", "add_line", roll=roll, parameter="target", value=1, note="slippery")
    assert [play.log_of(seat) for seat in ("ann", "bob")] == heard
    assert play.roll("gm", roll)["asked"]["parameters"]["target"] == 3
    play.do("gm", "reveal_target", roll=roll)
    assert ("slippery", 1, "gm", True) in said(play, "ann", roll)
    assert "slippery" in json.dumps(play.log_of("ann")[-1]["data"]["lines"])
    assert "lines" not in play.log_of("bob")[-1]["data"]
    sound(play)


def test_parameters_visible_in_the_dice_stay_visible_when_contributions_change(play: PlayedTable) -> None:
    roll = play.declare("gm", parameters={"attribute": 3, "difficulty": "extreme"}, hidden=["difficulty"])
    unchanged(play, "dice would show", "gm", "add_line", roll=roll, parameter="difficulty", value="easy")


def test_each_side_has_its_lines_and_its_watchers(play: PlayedTable) -> None:
    sides = [{"attribute": "Grace", "skill": "Stealth"}, {"attribute": "Insight"}]
    roll = play.declare("gm", "opposed", sides=sides, as_=[MIRA, SENTRY], key="s")
    assert [one[0] for one in said(play, "gm", roll)] == [
        "Grace",
        "Stealth, from Burglar",
        "Insight",
    ]
    assert [one[0] for one in said(play, "ann", roll)] == ["Grace", "Stealth, from Burglar"]
    assert play.roll("ann", roll)["as"] == [MIRA, ""]
    play.do("gm", "add_line", roll=roll, parameter="bonus", value=1, note="alert", side=2)
    play.do("gm", "add_line", roll=roll, parameter="bonus", value=1, note="dark", side=1)
    assert [one[0] for one in said(play, "gm", roll)] == [
        "Grace",
        "Stealth, from Burglar",
        "dark",
        "Insight",
        "alert",
    ]
    assert [side["bonus"] for side in play.roll("bob", roll)["asked"]["sides"]] == [1, 1]
    assert "alert" not in json.dumps([play.log_of("ann"), tables.view(play.table, "ann")])
    sound(play)


def test_a_revealed_roll_shows_its_contributions_to_seats_that_see_the_sheet(play: PlayedTable) -> None:
    roll = climb(play, mode="private")
    play.do("ann", "throw", roll=roll)
    play.do("ann", "reveal", roll=roll, to=["bob"])
    assert play.log_of("bob")[-1]["data"]["story"]["as"] == [MIRA]
    assert "lines" not in play.log_of("bob")[-1]["data"]["story"]
    play.do("ann", "show", character=MIRA, shown="open")
    play.do("ann", "reveal", roll=roll, to=["eve"])
    assert len(play.log_of("eve")[-1]["data"]["story"]["lines"]) == 3
    sound(play)


# -- before the declaration


@pytest.fixture
def dying() -> PlayedTable:
    """Sanna at 0 hit points: a line of her sheet forbids everything."""
    play = PlayedTable("me-d6", ann="player")
    play.do("ann", "bring", sheet=sheet("me-d6", "sanna"))
    play.do("gm", "adjust", character="ann/Sanna Vey", resources={"hit_points": -17})
    return play


REPAIR = {"check": "check", "as": "ann/Sanna Vey", "parameters": {"dice": "repair"}}


def test_a_line_that_forbids_the_check_is_switched_off_by_the_gm(dying: PlayedTable) -> None:
    unchanged(dying, "almost dead", "ann", "declare", **REPAIR)
    unchanged(dying, "almost dead", "gm", "declare", for_="ann", **REPAIR)
    lines = tables.preview_lines(dying.table, "gm", REPAIR)
    (number,) = (one["number"] for one in lines if one["cannot"])
    unchanged(dying, "only the GM can switch", "ann", "declare", off=[number], **REPAIR)
    unchanged(
        dying, "only the GM can switch", "ann", "declare", **REPAIR, add=[{"parameter": "bonus", "value": 1}]
    )
    more = [{"parameter": "bonus", "value": "+1D", "note": "the last effort"}]
    roll = dying.declare("gm", for_="ann", off=[number], add=more, **REPAIR)
    lines = dying.roll("ann", roll)["lines"]
    assert [one["switched_by"] for one in lines if not one["on"]] == ["gm"]
    assert (lines[-1]["says"], lines[-1]["by"]) == ("the last effort", "gm")
    sound(dying)


def test_a_preview_reveals_no_more_than_a_declaration(play: PlayedTable) -> None:
    heard = []
    for name in (SENTRY, "gm/Nobody"):
        with pytest.raises(Refused) as refusal:
            tables.preview_lines(play.table, "ann", {"check": "direct", "as": name})
        heard.append(refusal.value.message.replace(name, "?"))
    assert heard[0] == heard[1]


def test_a_point_of_a_line_that_is_switched_off_comes_back() -> None:
    play = PlayedTable("me-d6", ann="player")
    play.do("ann", "bring", sheet=sheet("me-d6", "sanna"))
    asked = {**REPAIR, "parameters": {"dice": "repair", "spend": "paragon-bonus"}}
    roll = play.declare("ann", **asked)
    (number,) = (n for n, one in enumerate(play.roll("ann", roll)["lines"], 1) if one["parameter"] == "spend")
    for on, left in ((False, 3), (True, 2)):
        play.do("gm", "switch", roll=roll, line=number, on=on)
        (own,) = tables.view(play.table, "ann")["characters"]
        assert own["sheet"]["resources"]["paragon"] == left
    sound(play)


# -- requests


def test_u14_a_proposal_names_the_character_and_its_skill(play: PlayedTable) -> None:
    (made,) = play.do("gm", "request", to=["ann"], check="direct", parameters={"target": 2})
    request = made.data["request"]
    for name in (SENTRY, "ann/Nobody"):
        unchanged(play, "has no character", "ann", "propose", request=request, as_=name, parameters={})
    wanted = {"attribute": "Grace", "skill": "Acrobatics"}
    play.do("ann", "propose", request=request, as_=MIRA, parameters=wanted)
    assert tables.view(play.table, "gm")["requests"][0]["as"] == {"ann": MIRA}
    more = [{"parameter": "favor", "value": 1, "note": "a rope"}]
    play.do("gm", "accept", key="a", request=request, name="ann", off=[2], add=more)
    assert said(play, "ann", "gm/a") == [
        ("Grace", 3.5, "sheet", True),
        ("Acrobatics, from Burglar", 2, "sheet", False),
        ("target", 2, "gm", True),
        ("a rope", 1, "gm", True),
    ]
    play.do("ann", "throw", roll="gm/a")
    sound(play)


def test_a_request_may_name_the_character_of_the_asked_seat(play: PlayedTable) -> None:
    asked = {"check": "direct", "parameters": {"attribute": "Grace"}, "as_": MIRA}
    unchanged(play, "must be a character of", "gm", "request", to=["bob"], **asked)
    unchanged(play, "must be a character of", "gm", "request", to=["ann", "bob"], **asked)
    (made,) = play.do("gm", "request", to=["ann"], **asked)
    play.do("gm", "accept", key="a", request=made.data["request"], name="ann", parameters={})
    assert play.roll("ann", "gm/a")["as"] == [MIRA]


def test_u23_a_call_is_made_with_a_character(play: PlayedTable) -> None:
    play.do("ann", "call", key="c", check="direct", as_=MIRA, parameters={"attribute": "Insight"})
    play.do("gm", "accept", key="a", request="ann/c", name="ann")
    assert said(play, "ann", "gm/a") == [("Insight", 2.5, "sheet", True)]
    play.do("ann", "throw", roll="gm/a", faces=[6, 2])
    sound(play)
