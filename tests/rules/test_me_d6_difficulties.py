"""Time, difficulties, wounds and points of Mass Effect D6, played through the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_play import TerminalTable, chance_of, me_d6_table, output_of, refusal_of, roles, roll_of


@pytest.fixture
def table(tmp_path: Path) -> TerminalTable:
    return me_d6_table(tmp_path)


def sheet(folder: Path, **changes: object) -> Path:
    """Write a character with 7D in Technical; return its file."""
    names = ("dexterity", "knowledge", "mechanical", "perception", "strength")
    own = {
        "format": 1,
        "ruleset": "me-d6",
        "name": "Tinker",
        "kind": "pc",
        "attributes": {**dict.fromkeys(names, "3D"), "technical": "7D"},
        "skills": {},
        "resources": {"hit_points": 29},
    }
    file = folder / "tinker.json"
    file.write_text(json.dumps({**own, **changes}), encoding="utf-8")
    return file


# -- time


@pytest.mark.rule("D-29")
@pytest.mark.parametrize(("times", "dice"), [(1, 0), (2, 1), (3, 1), (4, 2), (8, 3), (200, 3)])
def test_each_doubling_of_the_time_gives_a_die_and_three_at_most(times: int, dice: int) -> None:
    roll = roll_of(f"me-d6 check dice=2D prepare={times} --seed 3")
    assert len([1 for _, role in roles(roll) if role in ("wild", "regular")]) == 2 + dice


@pytest.mark.rule("D-30")
@pytest.mark.parametrize(("share", "harder"), [("25%", 5), ("33%", 10), ("50%", 10), ("75%", 20)])
def test_time_saved_makes_a_task_harder(share: str, harder: int) -> None:
    roll = roll_of(f"me-d6 check dice=4D difficulty=10 base_time=3600 rush={share}", "3,3,3,3")
    assert roll["tally"]["difficulty"] == 10 + harder
    assert "75%" in refusal_of("me-d6 check dice=4D difficulty=10 base_time=3600 rush=76%")
    assert "10" in refusal_of("me-d6 check dice=4D difficulty=10 base_time=5 rush=25%")


@pytest.mark.rule("D-31")
def test_the_gm_rolls_once_for_a_whole_group(table: TerminalTable) -> None:
    out = table.screen_after(
        "roll check dice=sneak as raider title=raiders faces=3,3",
        "roll check dice=search as sanna title=sanna faces=3,3,1",
        "roll check dice=search as corvin title=corvin faces=3,2,2,2",
        "contest opposed raiders sanna",
        "contest opposed raiders corvin",
    )
    assert "total 7: failure by 1" in out  # the same 7 of all raiders
    assert out.count("wild die 1: 3 regular die 2: 3") >= 3


# -- difficulties


@pytest.mark.rule("D-32")
def test_a_difficulty_is_a_number_or_another_roll() -> None:
    assert roll_of("me-d6 check dice=2D difficulty=7", "3,4")["success"] is True
    assert roll_of("me-d6 check dice=2D difficulty=moderate", "3,4")["success"] is False
    assert roll_of("me-d6 opposed dice=2D vs dice=2D", "3,4,2,4")["success"] is True


@pytest.mark.rule("D-33")
@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("automatic", 0, 0),
        ("very_easy", 1, 5),
        ("easy", 6, 10),
        ("moderate", 11, 15),
        ("difficult", 16, 20),
        ("very_difficult", 21, 30),
        ("heroic", 31, 40),
        ("legendary", 41, 1000),
    ],
)
def test_the_ladder_names_eight_bands(name: str, least: int, most: int) -> None:
    title = name.replace("_", " ").title()
    assert f"| `{name}` {title} | {most} | {least} |" in output_of("handful docs me-d6")
    asked = "me-d6 check dice=4D ruling=complication difficulty="
    assert chance_of(f"{asked}{name}") == chance_of(f"{asked}{least}")
    automatic = roll_of("me-d6 check dice=4D difficulty=automatic")
    assert (automatic["dice"], automatic["success"]) == ([], True)


@pytest.mark.rule("D-34")
def test_the_higher_total_wins_an_opposed_roll_and_a_tie_goes_to_the_initiator() -> None:
    asked = "me-d6 opposed dice=2D vs dice=2D"
    assert roll_of(asked, "3,4,2,4")["wins"] == [True, False]
    assert roll_of(asked, "3,4,2,5")["wins"] == [True, False]
    assert roll_of(asked, "3,4,3,5")["wins"] == [False, True]


@pytest.mark.rule("D-36")
@pytest.mark.parametrize(
    ("words", "least", "most"),
    [("slight", 1, 5), ("significant", 6, 10), ("decisive", 11, 15), ("overwhelming", 16, 1000)],
)
def test_advantages_and_disadvantages_move_the_difficulty(words: str, least: int, most: int) -> None:
    bounds = f"{words} {least} and up" if most == 1000 else f"{words} {least} to {most}"
    assert bounds in output_of("handful checks me-d6")
    for value in (least, -least):
        roll = roll_of(f"me-d6 check dice=2D difficulty=20 modifier={value}", "3,4")
        assert roll["tally"]["difficulty"] == 20 + value
    for kind, sign in (("disadvantage", 1), ("advantage", -1)):
        named = roll_of(f"me-d6 check dice=2D difficulty=20 modifier='{words} {kind}'", "3,4")
        assert named["tally"]["difficulty"] == 20 + sign * least
    opposed = roll_of(f"me-d6 opposed dice=2D modifier={least} vs dice=2D", "3,4,3,4")
    assert (opposed["success"], opposed["margin"]) == (False, -least)


@pytest.mark.rule("D-37")
def test_a_total_that_equals_the_difficulty_is_enough() -> None:
    for faces, won in (("3,5", True), ("3,4", True), ("3,3", False)):
        assert roll_of("me-d6 check dice=2D difficulty=7", faces)["success"] is won


@pytest.mark.rule("D-38")
def test_a_failed_task_is_harder_by_what_was_missing(table: TerminalTable) -> None:
    assert roll_of("me-d6 check dice=2D difficulty=16 failed=10", "3,4")["tally"]["difficulty"] == 22
    again = "roll check dice=repair difficulty=25 task=lock as sanna faces=3,3,3,3"
    out = table.screen_after(again, again)
    assert "total 19 against 25: failure by 6" in out
    assert "total 19 against 31: failure by 12" in out
    third = again.replace("roll", "declare").partition(" faces")[0]
    out = table.screen_after(third, "switch 6 off", "throw 3 3 3 3")  # the GM waives it
    assert "total 19 against 25: failure by 6" in out
    waived = roll_of("me-d6 check dice=2D difficulty=16 failed=10", "3,4", options=("retry_raise=none",))
    assert waived["tally"]["difficulty"] == 16


# -- hit points

WOUNDS = {29: 0, 28: 1, 20: 1, 19: 3, 10: 3, 9: 5, 1: 5}  # of 29: dice lost


@pytest.mark.rule("D-44")
@pytest.mark.parametrize("left", WOUNDS)
def test_wounds_cost_dice(left: int, tmp_path: Path) -> None:
    file = sheet(tmp_path, resources={"hit_points": left})
    roll = roll_of(f"me-d6 check dice=Technical --as {file} --seed 3")
    assert len([1 for _, role in roles(roll) if role in ("wild", "regular")]) == 7 - WOUNDS[left]


@pytest.mark.rule("D-44")
def test_at_0_hit_points_and_below_nothing_can_be_done(tmp_path: Path) -> None:
    for left, level in ((0, "almost dead"), (-1, "dead")):
        file = sheet(tmp_path, resources={"hit_points": left})
        assert level in refusal_of(f"me-d6 check dice=Technical --as {file}")


# -- points


@pytest.mark.rule("D-46")
def test_one_paragon_or_renegade_point_for_each_roll() -> None:
    for both in ("paragon-bonus,renegade-bonus", "paragon-dice,paragon-bonus"):
        assert "one" in refusal_of(f"me-d6 check dice=4D skill_name=command spend={both}").lower()
    roll = roll_of("me-d6 check dice=2D spend=paragon-bonus,medal", "3,3,3,3,3")
    assert roll["result"] == 18  # a medal is no such point
