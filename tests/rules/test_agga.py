"""The rules of AGGA (A-1 to A-14), each played through the terminal."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from cli_play import (
    TerminalTable,
    chance_of,
    distribution,
    modifiers,
    odds_of,
    output_of,
    refusal_of,
    roll_of,
)

PLAYERS = ["seat ann player", "bring ina for ann", "seat bob player", "bring dorn for bob"]


@pytest.fixture
def table(tmp_path: Path) -> TerminalTable:
    """A table with ann, who plays Ina, and bob, who plays Dorn."""
    return TerminalTable(tmp_path, "agga", *PLAYERS)


@pytest.mark.rule("A-1")
def test_a_die_of_5_or_more_succeeds_and_a_lower_one_is_not_counted() -> None:
    assert roll_of("agga direct attribute=6", "1,2,3,4,5,6")["result"] == 2
    assert roll_of("agga direct attribute=3", "1,1,5")["result"] == 1
    assert distribution("agga direct attribute=1") == {0: Fraction(2, 3), 1: Fraction(1, 3)}


@pytest.mark.rule("A-2")
def test_a_check_faces_another_roll_or_a_target() -> None:
    assert roll_of("agga direct attribute=2 target=2", "5,6")["success"] is True
    assert roll_of("agga direct attribute=2 target=3", "5,6")["success"] is False
    assert roll_of("agga opposed attribute=2 vs attribute=1", "5,6,6")["success"] is True
    assert roll_of("agga opposed attribute=2 vs attribute=2", "5,6,6,6")["success"] is False


@pytest.mark.rule("A-3")
def test_only_a_failed_die_is_rerolled_and_the_better_outcome_stays(table: TerminalTable) -> None:
    assert roll_of("agga direct attribute=2 rerolls=1", "5,4,2", "2")["result"] == 1
    assert roll_of("agga direct attribute=2 rerolls=1", "5,4,5", "2")["result"] == 2
    assert "failed" in refusal_of("agga direct attribute=2 rerolls=1", "5,4", "1")
    said = table.refused("roll direct attribute=2 rerolls=1 faces=5,4", "1")
    assert "a die that has failed" in said
    assert "a die that has failed" not in refusal_of("uwr direct attribute=2 rerolls=3", "5,4", "1,2,3")


@pytest.mark.rule("A-4")
def test_with_favor_a_4_succeeds() -> None:
    assert roll_of("agga direct attribute=3 favor=1", "4,3,5")["result"] == 2
    assert roll_of("agga direct attribute=3", "4,3,5")["result"] == 1
    assert chance_of("agga direct attribute=1 target=1 favor=1") == Fraction(1, 2)


@pytest.mark.rule("A-5")
def test_the_gm_may_ask_for_an_attribute_check(table: TerminalTable) -> None:
    out = table.screen_after(
        "request ann direct target=1 title='Grace check'",
        "seat ann",
        "propose attribute=Grace",
        "seat kim",
        "accept ann",
        "seat ann",
        "throw 5 1 1",
        "none",
        "finalise",
    )
    assert 'kim asks ann for "Grace check" direct target=1' in out
    assert "1 success against 1: success" in out


@pytest.mark.rule("A-6")
def test_the_attribute_is_rounded_down_and_its_half_gives_a_reroll() -> None:
    roll = roll_of("agga direct attribute=2.5 bonus=0.5", "1,1", "none")
    assert (roll["tally"]["dice"], roll["tally"]["rerolls"]) == (2, 2)  # halves never make a die
    roll = roll_of("agga direct attribute=Brawn target=1 --as dorn", "1,2,3,4,5", "4")
    assert (roll["tally"]["dice"], roll["success"]) == (4, True)
    assert modifiers(roll)["half_die", "rerolls"] == 1


@pytest.mark.rule("A-7")
def test_the_attributes_are_brawn_grace_mettle_and_savvy() -> None:
    for name, dice in (("Brawn", 4), ("Grace", 2), ("Mettle", 3), ("Savvy", 1)):
        assert roll_of(f"agga direct attribute={name} --as dorn --seed 1")["tally"]["dice"] == dice
    for name in ("Might", "Insight"):
        assert name in refusal_of(f"agga direct attribute={name} --as dorn")


@pytest.mark.rule("A-8")
def test_the_ranks_of_all_proficiencies_that_grant_a_skill_are_added() -> None:
    roll = roll_of("agga direct attribute=Grace skill=Athletics --as dorn --seed 1")
    assert modifiers(roll)["skill", "dice"] == 4  # Mariner 2 and Quarry Hand 2
    assert roll["tally"]["dice"] == 6
    roll = roll_of("agga direct attribute=Grace skill=Stonework --as dorn --seed 1")
    assert modifiers(roll)["skill", "dice"] == 2


@pytest.mark.rule("A-9")
@pytest.mark.parametrize(
    ("name", "same", "exact"),
    [
        ("easy", "target=1 favor=1", "7/8"),
        ("normal", "target=1", "19/27"),
        ("difficult", "target=2", "7/27"),
        ("extreme", "target=3", "1/27"),
    ],
)
def test_the_target_must_be_reached_and_four_are_named(name: str, same: str, exact: str) -> None:
    assert chance_of(f"agga direct attribute=3 difficulty={name}") == Fraction(exact)
    assert chance_of(f"agga direct attribute=3 {same}") == Fraction(exact)


@pytest.mark.rule("A-10")
@pytest.mark.parametrize(("skill", "rerolls"), [("athletics", 0), ("swimming", 1), ("diving", 2)])
def test_a_specific_skill_adds_rerolls_and_only_its_own(skill: str, rerolls: int, tmp_path: Path) -> None:
    laurenz = {
        "format": 1,
        "ruleset": "agga",
        "name": "Laurenz",
        "kind": "pc",
        "attributes": {"brawn": 3, "grace": 2, "mettle": 2, "savvy": 2},
        "proficiencies": {"mariner": 2},
    }
    sheet = tmp_path / "laurenz.json"
    sheet.write_text(json.dumps(laurenz), encoding="utf-8")
    roll = roll_of(f"agga direct attribute=Brawn skill={skill} --as {sheet} --seed 1")
    assert (roll["tally"]["dice"], roll["tally"]["rerolls"]) == (5, rerolls)


@pytest.mark.rule("A-11")
@pytest.mark.parametrize(("faces", "net"), [("5,5,6,1", 1), ("5,5,6,6", 0), ("5,1,6,6", 0)])
def test_each_success_negates_one_of_the_other_side(faces: str, net: int) -> None:
    assert roll_of("agga opposed attribute=2 vs attribute=2", faces)["result"] == net


@pytest.mark.rule("A-12")
def test_who_reacts_wins_an_even_check_unless_the_gm_rules_otherwise() -> None:
    asked = "agga opposed attribute=2 vs attribute=2"
    assert roll_of(asked, "5,1,6,1")["wins"] == [False, True]
    kind = roll_of(asked, "5,1,6,1", options=("tie_winner=initiator",))
    assert kind["wins"] == [True, False]
    assert odds_of("agga opposed attribute=1 vs attribute=1")["wins"] == ["2/9", "7/9"]


@pytest.mark.rule("A-13")
def test_a_lie_is_found_with_savvy_and_kenning_if_the_gm_permits_it(table: TerminalTable) -> None:
    out = table.screen_after(
        "roll direct attribute=3 mode=secret title=lie faces=5,5,1",
        "seat ann",
        "call direct attribute=Savvy skill=Kenning title=doubt",
        "seat kim",
        "refuse ann not with Kenning",
        "seat ann",
        "propose attribute=Savvy skill=Kenning",
        "seat kim",
        "accept ann",
        "seat ann",
        "throw 6 5 1 1 1",
        "none",
        "finalise",
        "seat kim",
        "settle against lie opposed",
    )
    assert 'kim turns down ann "not with Kenning"' in out
    assert 'rolls "doubt" direct attribute=3.5 skill=2' in out  # Diviner 2: all of her Kenning
    assert "ann catches the lie" in out  # two against two


@pytest.mark.rule("A-14")
def test_where_agga_is_silent_the_rule_of_uwr_is_taken_and_named(table: TerminalTable) -> None:
    silent = "AGGA is silent on this: the rule is UWR's"
    uncontested = "handful roll agga opposed attribute=2 uncontested=yes --faces 1,1"
    assert silent in output_of(uncontested)
    assert roll_of("agga opposed attribute=2 uncontested=yes", "1,1")["success"] is True
    for check in ("attack", "parry", "dodge"):
        assert silent in refusal_of(f"agga {check}")
    before = table.log("ann")
    table.play_ok("roll direct attribute=3 mode=secret title=lie")
    assert table.log("ann")[: len(before)] == before
    assert {one["kind"] for one in table.log("ann")[len(before) :]} == {"epoch_begun"}
