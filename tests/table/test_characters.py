"""Characters at the table: adding, importing, showing, and points that change exactly once."""

from __future__ import annotations

import json
from typing import Any

import pytest
from in_memory_table import PlayedTable, sheet
from ruleset_cases import ruleset

from handful import table as tables
from handful.errors import Refused
from handful.records import replace
from handful.verifier import verify

SANNA, CORVIN, RAIDER = "ann/Sanna Vey", "bob/Corvin Ade", "gm/Raider"
HARD = {"dice": "repair", "difficulty": "difficult"}


@pytest.fixture
def play() -> PlayedTable:
    """Sanna is Ann's, Corvin is Bob's, a raider is the GM's."""
    play = PlayedTable("me-d6", ann="player", bob="player", eve="watcher")
    play.do("ann", "bring", sheet=sheet("me-d6", "sanna"))
    play.do("bob", "bring", sheet=sheet("me-d6", "corvin"))
    play.do("gm", "bring", sheet=sheet("me-d6", "raider"))
    return play


def seen(play: PlayedTable, seat: str) -> dict[str, dict[str, Any]]:
    return {one["character"]: one for one in tables.view(play.table, seat)["characters"]}


def points(play: PlayedTable, character: str = SANNA) -> dict[str, int]:
    found: dict[str, int] = seen(play, "gm")[character]["sheet"]["resources"]
    return found


def unchanged(play: PlayedTable, message: str, actor: str, do: str, **data: Any) -> Refused:
    """Refused with these words, and nothing happened."""
    before = play.table
    with pytest.raises(Refused, match=message) as refusal:
        play.do(actor, do, **data)
    assert play.table is before
    return refusal.value


def sound(play: PlayedTable) -> None:
    """Logs verify, and the log read back gives the same table."""
    again = tables.fold(play.empty, (tables.read_event(entry) for entry in play.entries))
    for seat in play.table.seats:
        assert verify(tables.export_log(play.empty, play.entries, seat))[0] == []
        assert json.dumps(tables.view(again, seat)) == json.dumps(tables.view(play.table, seat))
    assert again.characters == play.table.characters
    assert again.rolls == play.table.rolls


# -- who brings and sees whom


def test_a_pc_belongs_to_its_owner_and_is_visible_to_others(play: PlayedTable) -> None:
    assert "sheet" in seen(play, "ann")[SANNA]
    assert "sheet" in seen(play, "gm")[SANNA]
    somebody = {"character": SANNA, "owner": "ann", "name": "Sanna Vey", "kind": "pc"}
    assert seen(play, "bob")[SANNA] == seen(play, "eve")[SANNA] == somebody


def test_an_npc_is_hidden_until_it_is_shown(play: PlayedTable) -> None:
    assert RAIDER not in seen(play, "ann")
    assert "Raider" not in json.dumps([play.log_of("ann"), tables.view(play.table, "ann")])
    play.do("gm", "show", character=RAIDER, shown="own")
    assert seen(play, "ann")[RAIDER]["name"] == "Raider"
    assert "sheet" not in play.log_of("ann")[-1]["data"]
    play.do("gm", "show", character=RAIDER, shown="open")
    assert seen(play, "eve")[RAIDER]["sheet"] == sheet("me-d6", "raider")
    assert play.log_of("eve")[-1]["data"]["sheet"] == sheet("me-d6", "raider")
    play.do("gm", "show", character=RAIDER, shown="hidden")
    assert RAIDER not in seen(play, "eve")
    assert play.log_of("eve")[-1]["data"] == {"character": RAIDER, "level": 0, "shown": "hidden"}
    sound(play)


def test_the_view_has_derived_values_of_a_sheet(play: PlayedTable) -> None:
    own = seen(play, "ann")[SANNA]
    assert own["conditions"] == [{"condition": "wounded", "says": "Wounded", "cannot": ""}]
    assert own["ranges"]["hit_points"] == [-1000, 29]
    assert own["derived"]["hit_points_most"] == 29
    assert own["skills"]["repair"] == 6


def test_players_add_their_own_pcs_and_the_gm_any_character(play: PlayedTable) -> None:
    zoe = sheet("me-d6", "sanna", name="Zoe")
    unchanged(play, "only the GM can bring", "ann", "bring", sheet=zoe, for_="bob")
    raider = sheet("me-d6", "raider")
    unchanged(play, "non-player", "ann", "bring", sheet=raider)
    unchanged(play, "does not play here", "gm", "bring", sheet=zoe, for_="eve")
    unchanged(play, "not possible for eve", "eve", "bring", sheet=zoe)
    play.do("gm", "bring", sheet=zoe, for_="bob")
    assert "sheet" in seen(play, "bob")["bob/Zoe"]


def test_two_seats_may_have_characters_of_the_same_name(play: PlayedTable) -> None:
    """Also where one of them is hidden: the name alone must not be refused."""
    play.do("ann", "bring", sheet=sheet("me-d6", "sanna", name="Raider"))
    assert {"ann/Raider", RAIDER} <= {*seen(play, "gm")}


# -- bad input


def test_a_sheet_that_does_not_fit_is_refused_with_all_its_mistakes(play: PlayedTable) -> None:
    bad = sheet("me-d6", "sanna", name="Zoe", colour="red")
    bad["attributes"] = {**bad["attributes"], "strength": "3D+7"}
    bad["resources"] = {"hit_points": 999}
    refusal = unchanged(play, "does not fit", "ann", "bring", sheet=bad)
    said = f"{refusal.message}\n{refusal.hint}"
    assert "colour" in said
    assert "attributes.strength" in said
    far = sheet("me-d6", "sanna", name="Zoe", resources={"hit_points": 999})
    unchanged(play, "999 is out of range", "ann", "bring", sheet=far)


def test_a_sheet_of_another_game_is_refused(play: PlayedTable) -> None:
    unchanged(play, "'uwr' is another game", "ann", "bring", sheet=sheet("uwr", "mira"))


def test_a_sheet_that_is_too_large_is_refused(play: PlayedTable) -> None:
    huge = sheet("me-d6", "sanna", name="Zoe", notes="x" * 70_000)
    unchanged(play, "at most 60000 characters", "ann", "bring", sheet=huge)
    play.do("ann", "bring", sheet=sheet("me-d6", "sanna", name="Zoe", notes="x" * 19_000))


def test_an_unknown_character_is_refused_just_like_a_hidden_one(play: PlayedTable) -> None:
    for do, data in (
        ("show", {"shown": "open"}),
        ("use", {"resource": "medals", "use": "heal"}),
        ("dismiss", {}),
        ("adjust", {"resources": {"paragon": 1}}),
    ):
        hidden = unchanged(play, "there is no character", "ann", do, character=RAIDER, **data)
        missing = unchanged(play, "there is no character", "ann", do, character="gm/No", **data)
        assert hidden.message == missing.message.replace("gm/No", RAIDER)
        assert hidden.hint == missing.hint
    heard = [
        unchanged(play, "no character", "ann", "declare", check="check", as_=name, parameters=HARD)
        for name in (RAIDER, "gm/No")
    ]
    assert heard[0].message == heard[1].message.replace("gm/No", RAIDER)


def test_another_seats_character_cannot_be_used(play: PlayedTable) -> None:
    asked = {"check": "check", "parameters": {"dice": "con"}}
    unchanged(play, "belongs to bob", "ann", "declare", as_=CORVIN, **asked)
    unchanged(play, "not possible", "ann", "use", character=CORVIN, resource="medals", use="heal")
    unchanged(play, "not possible", "ann", "show", character=CORVIN, shown="open")
    roll = play.declare("gm", as_=CORVIN, for_="bob", **asked)
    assert play.roll("bob", roll)["roller"] == "bob"


def test_a_seat_cannot_roll_with_a_sheet_it_does_not_see(play: PlayedTable) -> None:
    asked = {"check": "check", "parameters": {"dice": "ranged"}, "for_": "ann", "as_": RAIDER}
    unchanged(play, "does not see the sheet", "gm", "declare", **asked)
    play.do("gm", "show", character=RAIDER, shown="open")
    roll = play.declare("gm", **asked)
    unchanged(play, "wait until the roll is over", "gm", "show", character=RAIDER, shown="hidden")
    play.do("ann", "throw", roll=roll, faces=[5, 4, 3])
    play.do("gm", "show", character=RAIDER, shown="hidden")


def test_a_game_without_sheets_has_no_characters() -> None:
    rules = replace(ruleset("me-d6").rules, load_sheet=lambda: None)
    play = PlayedTable(rules, ann="player")
    assert "bring" not in {one["do"] for one in tables.legal_actions(play.table, "ann")}
    unchanged(play, "not possible for ann", "ann", "bring", sheet=sheet("uwr", "mira"))


# -- imports


def test_an_import_shows_what_will_change_and_never_overwrites_silently(play: PlayedTable) -> None:
    newer = sheet("me-d6", "sanna", notes="Promoted.")
    newer["skills"] = {**newer["skills"], "repair": 9}
    unchanged(play, "is already here", "ann", "bring", sheet=newer)
    shown = tables.preview_sheet(play.table, "ann", newer)
    assert not shown["new"]
    assert {(one["section"], one["name"]) for one in shown["changes"]} == {
        ("skills", "repair"),
        ("notes", None),
    }
    assert "Repair: 6 -> 9" in {one["says"] for one in shown["changes"]}
    play.do("gm", "adjust", character=SANNA, resources={"paragon": -1})
    replaces = shown["replaces"]
    unchanged(play, "has changed since", "ann", "bring", sheet=newer, replaces=replaces)
    shown = tables.preview_sheet(play.table, "ann", newer)
    assert "Paragon: 2 -> 3" in {one["says"] for one in shown["changes"]}
    play.do("ann", "bring", sheet=newer, replaces=shown["replaces"])
    assert seen(play, "gm")[SANNA]["sheet"] == newer
    assert SANNA not in json.dumps([one["kind"] for one in play.log_of("bob")][-1:])
    assert play.log_of("bob")[-1]["kind"] == "character_brought"
    sound(play)


def test_a_preview_is_refused_where_the_import_would_be(play: PlayedTable) -> None:
    with pytest.raises(Refused, match="does not fit"):
        tables.preview_sheet(play.table, "ann", {})
    with pytest.raises(Refused, match="only the GM"):
        tables.preview_sheet(play.table, "ann", sheet("me-d6", "corvin"), "bob")
    assert tables.preview_sheet(play.table, "gm", sheet("me-d6", "corvin"), "bob")["changes"] == []
    assert tables.preview_sheet(play.table, "ann", sheet("me-d6", "corvin"))["new"]


def test_an_import_that_changes_nothing_is_refused(play: PlayedTable) -> None:
    same = sheet("me-d6", "sanna")
    replaces = tables.preview_sheet(play.table, "ann", same)["replaces"]
    unchanged(play, "nothing would change", "ann", "bring", sheet=same, replaces=replaces)
    other = sheet("me-d6", "sanna", kind="npc", resources={})
    unchanged(play, "of the kind pc", "gm", "bring", sheet=other, for_="ann", replaces=replaces)
    play.do("ann", "bring", sheet=same, replaces=replaces, shown="open")
    assert "sheet" in seen(play, "eve")[SANNA]


# -- points


def test_the_gm_moves_points_and_the_next_check_has_the_wound(play: PlayedTable) -> None:
    """Conditions follow from the sheet and feed later checks (D-44)."""
    play.do("gm", "adjust", character=CORVIN, resources={"Hit points": -20}, words="a fall")
    assert points(play, CORVIN)["hit_points"] == 10
    roll = play.declare("bob", "check", as_=CORVIN, parameters={"dice": "con"})
    assert play.roll("bob", roll)["asked"]["parameters"]["wound"] == "wounded"
    assert ("Wounded", -3) in {(one["source"], one["amount"]) for one in play.roll("bob", roll)["sources"]}
    assert play.log_of("bob")[-2]["data"] == {
        "character": CORVIN,
        "changes": {"hit_points": -20},
        "now": {"hit_points": 10},
        "use": "",
        "words": "a fall",
    }
    unchanged(play, "goes from", "gm", "adjust", character=CORVIN, resources={"hit_points": 99})
    unchanged(play, "no resource", "gm", "adjust", character=CORVIN, resources={"mana": 1})
    unchanged(play, "would change", "gm", "adjust", character=CORVIN, resources={"paragon": 0})
    unchanged(play, "not possible", "bob", "adjust", character=CORVIN, resources={"paragon": 9})
    sound(play)


def test_d47_a_medal_heals_once(play: PlayedTable) -> None:
    for _ in range(2):
        play.do("ann", "use", key="heal", character=SANNA, resource="medals", use="heal")
    assert points(play) == {"hit_points": 27, "paragon": 3, "renegade": 1, "medals": 2}
    play.do("gm", "adjust", character=SANNA, resources={"medals": -2})
    unchanged(play, "has 0 Medals", "ann", "use", character=SANNA, resource="medals", use="heal")
    assert "points_changed" not in {one["kind"] for one in play.log_of("bob")}


def test_d45_a_point_is_spent_once_when_the_roll_is_declared(play: PlayedTable) -> None:
    asked = {**HARD, "spend": "paragon-bonus"}
    for _ in range(3):
        play.do("ann", "declare", key="d", check="check", as_=SANNA, parameters=asked)
    assert points(play)["paragon"] == 2
    play.do("ann", "throw", key="t", roll="ann/d", faces=[4])
    play.do("ann", "throw", key="t", roll="ann/d", faces=[4])
    assert points(play)["paragon"] == 2
    sound(play)


def test_a_spend_without_points_is_refused(play: PlayedTable) -> None:
    asked = {**HARD, "spend": "renegade-bonus"}
    play.declare("ann", "check", as_=SANNA, parameters=asked)
    refusal = unchanged(
        play, "has 0 Renegade, and this costs 1", "ann", "declare", check="check", as_=SANNA, parameters=asked
    )
    assert "spend less" in refusal.message


def asking(play: PlayedTable, **data: Any) -> str:
    """A roll that stands at the question whether to spend a point."""
    roll = play.declare("ann", "check", as_=SANNA, parameters={**HARD, "spend": "ask"}, **data)
    play.do("gm", "throw", roll=roll, faces=[4])
    return roll


def test_an_answer_that_costs_is_paid_and_undo_gives_it_back(play: PlayedTable) -> None:
    roll = asking(play)
    assert points(play)["paragon"] == 3
    play.do("ann", "answer", key="a", roll=roll, answer="paragon-bonus")
    play.do("ann", "answer", key="a", roll=roll, answer="paragon-bonus")
    assert points(play)["paragon"] == 2
    play.do("ann", "undo", roll=roll)
    assert points(play)["paragon"] == 3
    play.do("ann", "answer", roll=roll, answer="renegade-bonus")
    assert (points(play)["paragon"], points(play)["renegade"]) == (3, 0)
    play.do("ann", "undo", roll=roll)
    play.do("gm", "adjust", character=SANNA, resources={"renegade": -1})
    unchanged(play, "has 0 Renegade", "ann", "answer", roll=roll, answer="renegade-bonus")
    play.do("ann", "answer", roll=roll, answer="none")
    assert points(play)["paragon"] == 3
    sound(play)


def test_a_point_that_comes_back_stays_inside_its_range(play: PlayedTable) -> None:
    roll = asking(play)
    play.do("ann", "answer", roll=roll, answer="paragon-bonus")
    play.do("gm", "adjust", character=SANNA, resources={"paragon": 98})
    play.do("ann", "undo", roll=roll)
    assert points(play)["paragon"] == 100


def test_a_correction_pays_the_difference(play: PlayedTable) -> None:
    asked = {**HARD, "spend": "paragon-bonus"}
    roll = play.declare("ann", "check", as_=SANNA, parameters=asked)
    play.do("ann", "throw", roll=roll, faces=[4])
    play.do("gm", "correct", roll=roll, parameters={"spend": "renegade-bonus"}, words="the other")
    assert (points(play)["paragon"], points(play)["renegade"]) == (3, 0)
    lines = {str(one["value"]): one for one in play.roll("ann", roll)["lines"] if one["source"] == ""}
    assert not lines["paragon-bonus"]["on"]
    assert lines["paragon-bonus"]["switched_by"] == "gm"
    sound(play)


def test_both_sides_pay_for_themselves(play: PlayedTable) -> None:
    sides = [
        {"dice": "con", "spend": "paragon-bonus"},
        {"dice": "ranged", "spend": "renegade-bonus"},
    ]
    unchanged(
        play, "Raider has 0 Renegade", "gm", "declare", check="opposed", sides=sides, as_=[CORVIN, RAIDER]
    )
    play.do("gm", "adjust", character=RAIDER, resources={"renegade": 1})
    play.do("gm", "declare", check="opposed", sides=sides, as_=[CORVIN, RAIDER])
    assert points(play, CORVIN)["paragon"] == 1
    assert points(play, RAIDER)["renegade"] == 0


def test_a_contest_does_not_pay_again_for_its_parts(play: PlayedTable) -> None:
    asked = {"dice": "con", "spend": "paragon-bonus"}
    rolls = [
        play.declare("bob", "check", as_=CORVIN, parameters=asked),
        play.declare("ann", "check", as_=SANNA, parameters={"dice": "3D", "wound": "none"}),
    ]
    play.do("bob", "throw", roll=rolls[0], faces=[3, 3, 3, 3])
    play.do("ann", "throw", roll=rolls[1], faces=[3, 3, 3])
    play.do("ann", "answer", roll=rolls[1], answer="none")
    play.do("ann", "finalise", roll=rolls[1])
    play.do("gm", "contest", key="c", check="opposed", rolls=rolls)
    assert play.roll("ann", "gm/c")["as"] == [CORVIN, SANNA]
    assert points(play, CORVIN)["paragon"] == 1
    sound(play)


@pytest.mark.parametrize(
    ("mode", "shown", "refused"),
    [
        ("public", "open", False),
        ("private", "own", False),
        ("private", "open", True),
        ("blind", "own", False),
        ("secret", "own", True),
    ],
)
def test_a_hidden_roll_spends_no_points_that_others_see(
    play: PlayedTable, mode: str, shown: str, refused: bool
) -> None:
    """A point that disappears would tell of the roll."""
    if shown != "own":
        play.do("ann", "show", character=SANNA, shown=shown)
    asked = {"check": "check", "as_": SANNA, "mode": mode}
    spends = {**HARD, "spend": "paragon-bonus"}
    if refused:
        unchanged(play, "shows that something was rolled", "ann", "declare", parameters=spends, **asked)
        play.do("ann", "declare", parameters=HARD, **asked)
    else:
        play.do("ann", "declare", parameters=spends, **asked)
        assert points(play)["paragon"] == 2


def test_an_answer_on_a_blind_roll_costs_nothing(play: PlayedTable) -> None:
    """Ann sees her points, not her dice: a point would tell when and how it went on."""
    roll = asking(play, mode="blind")
    unchanged(play, "shows that", "gm", "answer", roll=roll, answer="paragon-bonus")
    play.do("gm", "answer", roll=roll, answer="none")


# -- leaving


def test_a_character_leaves_when_its_rolls_are_over(play: PlayedTable) -> None:
    roll = play.declare("ann", "check", as_=SANNA, parameters=HARD)
    unchanged(play, f"part of {roll}", "ann", "dismiss", character=SANNA)
    play.do("ann", "throw", roll=roll, faces=[4])
    play.do("ann", "answer", roll=roll, answer="none")
    play.do("ann", "finalise", roll=roll)
    lines = play.roll("ann", roll)["lines"]
    play.do("ann", "dismiss", character=SANNA)
    assert SANNA not in seen(play, "gm")
    assert play.roll("ann", roll)["lines"] == lines
    unchanged(play, "no character", "ann", "declare", check="check", as_=SANNA, parameters=HARD)
    play.do("ann", "bring", sheet=sheet("me-d6", "sanna"))
    assert points(play)["paragon"] == 3
    sound(play)


def test_dismissing_does_not_ask_about_rolls_in_secret(play: PlayedTable) -> None:
    play.declare("ann", "check", as_=SANNA, parameters=HARD, mode="secret")
    play.do("gm", "dismiss", character=SANNA)
    assert SANNA not in seen(play, "ann")


def test_whether_a_character_can_go_does_not_tell_of_a_roll(play: PlayedTable) -> None:
    """Bob knows of Sanna and not how her private roll goes on: it must not keep her here."""
    roll = asking(play, mode="private")
    play.do("ann", "dismiss", character=SANNA)
    unchanged(play, "cannot spend its points", "ann", "answer", roll=roll, answer="paragon-bonus")
    play.do("ann", "answer", roll=roll, answer="none")
    sound(play)


def test_points_of_a_character_that_is_gone_do_not_come_back(play: PlayedTable) -> None:
    roll = asking(play, mode="private")
    play.do("ann", "answer", roll=roll, answer="paragon-bonus")
    play.do("ann", "dismiss", character=SANNA)
    play.do("ann", "undo", roll=roll)
    assert "points_spent" not in {one["kind"] for one in play.entries[-1:]}
    sound(play)


def test_every_command_about_a_character_is_among_the_legal_actions(play: PlayedTable) -> None:
    def may(seat: str, character: str) -> set[str]:
        actions = tables.legal_actions(play.table, seat)
        return {one["do"] for one in actions if one.get("character") == character}

    own = {"bring", "use", "show", "rename", "portrait", "dismiss"}
    assert may("gm", SANNA) == own | {"adjust", "equip", "harm"}
    assert may("ann", SANNA) == own
    assert may("bob", SANNA) == may("eve", SANNA) == may("ann", RAIDER) == set()
