"""The rules of FoNS (F-1 to F-12), each played through the terminal."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from cli_play import TerminalTable, chance_of, distribution, output_of, refusal_of, roles, roll_of

PLAYERS = ["seat ann player", "bring pell for ann", "bring warden shown=own"]


@pytest.fixture
def table(tmp_path: Path) -> TerminalTable:
    """A table with ann, who plays Pell, and the GM's Warden."""
    return TerminalTable(tmp_path, "fons", *PLAYERS)


@pytest.mark.rule("F-1")
def test_every_face_of_5_or_6_is_one_success() -> None:
    assert roll_of("fons direct attribute=6", "1,2,3,4,5,6")["result"] == 2
    assert distribution("fons direct attribute=1") == {0: Fraction(2, 3), 1: Fraction(1, 3)}


@pytest.mark.rule("F-2")
def test_creatures_roll_against_each_other_and_others_against_a_target() -> None:
    assert roll_of("fons opposed attribute=2 vs attribute=2", "5,6,6,1")["success"] is True
    assert roll_of("fons direct attribute=2 target=2", "5,6")["success"] is True
    assert roll_of("fons direct attribute=2 target=2", "5,4")["success"] is False


@pytest.mark.rule("F-3")
def test_any_die_may_be_rerolled_before_the_end_and_the_better_face_stays(table: TerminalTable) -> None:
    roll = roll_of("fons direct attribute=2 rerolls=1", "5,4,1", "1")
    assert (roll["result"], roles(roll)[-1]) == (1, (1, "reroll"))
    assert roll_of("fons direct attribute=2 rerolls=1", "5,4,6", "2")["result"] == 2
    table.play_ok("roll direct attribute=2 rerolls=1 faces=5,4 as nobody", "none", "finalise")
    assert "decision to take back" in table.refused("undo")


@pytest.mark.rule("F-4")
def test_half_a_die_is_a_reroll_and_not_also_a_die() -> None:
    roll = roll_of("fons direct attribute=2.5", "5,1,6", "2")
    assert (roll["tally"]["dice"], roll["tally"]["rerolls"], roll["result"]) == (2, 1, 2)
    assert max(distribution("fons direct attribute=2.5")) == 2


@pytest.mark.rule("F-5")
def test_favor_lets_a_4_succeed() -> None:
    assert roll_of("fons direct attribute=3 favor=1", "4,3,5")["result"] == 2
    assert chance_of("fons direct attribute=3 target=2 favor=1") == Fraction(1, 2)


@pytest.mark.rule("F-6")
def test_a_risk_of_failure_calls_for_a_direct_or_an_opposed_check(table: TerminalTable) -> None:
    out = table.screen_after(
        "request ann direct target=1 title='Style check'",
        "seat ann",
        "propose attribute=Style",
        "seat kim",
        "accept ann",
        "seat ann",
        "throw 5 1 1 1",
    )
    assert 'kim asks ann for "Style check" direct target=1' in out
    assert "1 success against 1: success" in out
    out = table.screen_after("seat kim", "roll opposed attribute=2 vs attribute=2 faces=5,5,6,1", "look")
    assert "1 net success: success by 1" in out


@pytest.mark.rule("F-7")
def test_the_gm_names_any_attribute_and_one_skill_adds_its_ranks(
    table: TerminalTable, tmp_path: Path
) -> None:
    for name, dice in (("Charm", 3), ("Style", 4), ("Fright", 1), ("Grace", 4)):
        assert roll_of(f"fons direct attribute={name} --as pell --seed 1")["tally"]["dice"] == dice
    own = json.loads(output_of("handful sheet pell --export"))
    own["attributes"]["Wits"] = 5
    file = tmp_path / "wits.json"
    file.write_text(json.dumps(own), encoding="utf-8")
    roll = roll_of(f"fons direct attribute=Wits --as {file} --seed 1")
    assert roll["tally"]["dice"] == 5  # an attribute that only this character has
    out = table.screen_after(
        "request ann direct attribute=Charm target=1 as pell",
        "seat ann",
        "propose skill=Acrobatics",
        "seat kim",
        "accept ann",
    )
    assert "rolls direct attribute=3.5 skill=3 target=1" in out  # Burglar 3


@pytest.mark.rule("F-8")
@pytest.mark.parametrize(
    ("name", "same", "exact"),
    [
        ("trivial", "target=1 favor=1", "7/8"),
        ("average", "target=1", "19/27"),
        ("difficult", "target=2", "7/27"),
        ("extreme", "target=3", "1/27"),
    ],
)
def test_the_target_must_be_reached_and_four_are_named(name: str, same: str, exact: str) -> None:
    assert chance_of(f"fons direct attribute=3 difficulty={name}") == Fraction(exact)
    assert chance_of(f"fons direct attribute=3 {same}") == Fraction(exact)
    assert "easy" in refusal_of("fons direct attribute=3 difficulty=easy")


@pytest.mark.rule("F-9")
@pytest.mark.parametrize(("skill", "rerolls"), [("Acrobatics", 0), ("Balance", 1), ("Tightroping", 2)])
def test_a_specific_skill_gives_rerolls(skill: str, rerolls: int) -> None:
    roll = roll_of(f"fons direct attribute=Style skill={skill} --as pell --seed 1")
    assert (roll["tally"]["dice"], roll["tally"]["rerolls"]) == (7, rerolls)


@pytest.mark.rule("F-10")
def test_either_side_may_be_asked_for_the_opposed_check(table: TerminalTable) -> None:
    asked = [
        "request ann direct title=pell attribute=Charm as pell",
        "seat ann",
        "propose",
        "seat kim",
        "accept ann",
        "seat ann",
        "throw 5 5 1",
        "none",
        "finalise",
        "seat kim",
        "roll direct title=warden attribute=Insight as warden faces=5,6,1",
        "none",
        "finalise",
    ]
    level = "0 net successes: failure, a tie is not enough"  # two against two
    assert level in table.screen_after(*asked, "contest opposed pell warden")
    assert level in table.screen_after("contest opposed warden pell")  # whoever resists has the tie
    sides = [part["roll"] for one in table.events_of("ann", "roll_declared") for part in one["parts"]]
    assert sides == ["kim/1", "kim/2", "kim/2", "kim/1"]
    assert "Both sides roll: the first imposes something" in output_of("handful checks fons")


@pytest.mark.rule("F-11")
def test_successes_cancel_nothing_left_fails_and_uncontested_succeeds(table: TerminalTable) -> None:
    asked = "fons opposed attribute=2 vs attribute=2"
    assert [roll_of(asked, faces)["result"] for faces in ("5,5,5,1", "5,5,5,5", "5,1,6,6")] == [
        1,
        0,
        0,
    ]
    assert roll_of(asked, "5,5,5,5")["success"] is False
    assert roll_of("fons opposed attribute=2 uncontested=yes", "1,1")["success"] is True
    before = table.log("ann")
    table.play_ok("roll direct attribute=3 mode=secret title=lie faces=5,1,1")
    assert table.log("ann")[: len(before)] == before
    assert {one["kind"] for one in table.log("ann")[len(before) :]} == {"epoch_begun"}
    out = table.screen_after(
        "seat ann",
        "call direct attribute=Insight title=doubt",
        "seat kim",
        "accept ann",
        "seat ann",
        "throw 6 1 1",
        "seat kim",
        "settle against lie opposed",
    )
    assert "ann catches the lie" in out
    assert table.events_of("ann", "roll_revealed")


@pytest.mark.rule("F-12")
def test_an_attack_a_dodge_and_a_parry_are_not_opposed_checks(table: TerminalTable) -> None:
    for check in ("attack", "dodge", "parry"):
        assert "not an opposed check" in refusal_of(f"fons {check}")
        assert "not an opposed check" in table.refused(f"roll {check}")
