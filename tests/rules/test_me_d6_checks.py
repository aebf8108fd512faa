"""Dice and skill checks of Mass Effect D6, each rule played through the terminal."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from cli_play import TerminalTable, distribution, me_d6_table, odds_of, refusal_of, roles, roll_of


@pytest.fixture
def table(tmp_path: Path) -> TerminalTable:
    return me_d6_table(tmp_path)


# -- die codes


@pytest.mark.rule("D-1")
def test_a_die_code_is_a_number_of_d6_and_pips() -> None:
    assert roll_of("me-d6 check dice=4D+2", "3,4,5,2")["result"] == 16
    assert roll_of("me-d6 total dice=2D", "3,4")["result"] == 7
    assert "a die code such as 4D+2" in refusal_of("me-d6 check dice=three")


@pytest.mark.rule("D-2")
def test_a_bonus_in_dice_adds_regular_dice_and_a_number_adds_to_the_total() -> None:
    dice = roll_of("me-d6 check dice=2D bonus=+1D", "3,4,2")
    assert roles(dice) == [(3, "wild"), (4, "regular"), (2, "regular")]
    assert roll_of("me-d6 check dice=2D bonus=+2", "3,4")["result"] == 9
    assert roll_of("me-d6 check dice=2D bonus=-1D", "3")["result"] == 3
    assert roll_of("me-d6 check dice=2D bonus=-2", "3,4")["result"] == 5


# -- the wild die


@pytest.mark.rule("D-3")
@pytest.mark.parametrize(
    ("asked", "wild"),
    [
        ("check dice=3D", 1),
        ("total dice=3D", 1),
        ("check dice=1D", 1),
        ("attack dice=3D defense=9", 1),
        ("opposed dice=3D vs dice=2D", 2),
    ],
)
def test_one_of_the_dice_of_every_roll_is_the_wild_die(asked: str, wild: int) -> None:
    dice = [int(one[0]) for one in asked.replace("=", " ").split() if one[0].isdigit() and "D" in one]
    roll = roll_of(f"me-d6 {asked}", ",".join("3" * sum(dice)))
    assert [role for _, role in roles(roll)].count("wild") == wild
    assert len(roll["dice"]) == sum(dice)  # it is one of them, not one more


@pytest.mark.rule("D-4")
def test_a_wild_6_is_added_and_thrown_again_until_it_is_something_else() -> None:
    roll = roll_of("me-d6 check dice=3D", "6,2,4,6,1")
    assert (roll["result"], roll["events"]) == (19, ["critical_success"])
    assert odds_of("me-d6 check dice=1D")["events"]["critical_success"] == "1/6"
    assert distribution("me-d6 check dice=1D ruling=complication")[6 + 6 + 3] == Fraction(1, 216)


@pytest.mark.rule("D-5")
def test_on_a_wild_1_the_gm_cancels_the_highest_die_or_adds_a_complication(table: TerminalTable) -> None:
    canceled = roll_of("me-d6 check dice=3D difficulty=5", "1,5,3", "cancel")
    assert (canceled["result"], canceled["events"]) == (4, ["critical_failure"])
    complicated = roll_of("me-d6 check dice=3D difficulty=5", "1,5,3", "complication")
    assert (complicated["result"], complicated["success"]) == (9, True)
    assert sorted(complicated["events"]) == ["complication", "critical_failure"]
    hers = table.refused(
        "seat ann", "roll check dice=3D difficulty=5 as nobody faces=1,5,3", "answer complication"
    )
    assert "there is no roll to answer for ann now" in hers
    out = table.screen_after("seat kim", "answer ann/1 complication")
    assert "total 9 against 5: success by 4" in out
    assert "A complication: the lower the total, the more serious" in out


@pytest.mark.rule("D-6")
def test_a_1_on_a_later_toss_is_just_a_1() -> None:
    roll = roll_of("me-d6 check dice=2D", "6,2,1")
    assert (roll["result"], roll["events"], roll["decisions"]) == (9, ["critical_success"], [])


@pytest.mark.rule("D-7")
def test_a_critical_failure_with_a_ranged_weapon_overheats_it() -> None:
    shot = roll_of("me-d6 check dice=3D ranged=yes", "1,5,3", "complication")
    assert "weapon_overheats" in shot["events"]
    assert (
        "weapon_overheats"
        in roll_of("me-d6 attack kind=ranged defense=9 dice=3D", "1,5,3", "cancel")["events"]
    )
    for other in ("check dice=3D", "attack kind=melee defense=9 dice=3D"):
        assert "weapon_overheats" not in roll_of(f"me-d6 {other}", "1,5,3", "cancel")["events"]


@pytest.mark.rule("D-8")
def test_a_1_or_a_6_on_a_regular_die_is_only_a_number() -> None:
    roll = roll_of("me-d6 check dice=4D", "3,1,1,6")
    assert (roll["result"], roll["events"], len(roll["dice"])) == (11, [], 4)


# -- skill checks


@pytest.mark.rule("D-9")
def test_the_player_names_a_skill_and_must_meet_the_number_of_the_gm(table: TerminalTable) -> None:
    out = table.screen_after(
        "request bob check difficulty=16 title='past the guard'",
        "seat bob",
        "propose dice=con",
        "seat kim",
        "accept bob",
        "seat bob",
        "throw 3 3 3 4",
    )
    assert 'kim asks bob for "past the guard" check difficulty=16' in out
    assert "total 16 against 16: success, just enough" in out  # 4D and 3 points in con
    assert roll_of("me-d6 check dice=2D difficulty=8", "3,4")["success"] is False


@pytest.mark.rule("D-10")
def test_without_luck_the_higher_score_wins_and_only_equal_ones_roll(table: TerminalTable) -> None:
    arms = roll_of("me-d6 compare dice=3D+1 vs dice=3D")
    assert (arms["dice"], arms["wins"], arms["events"]) == ([], [True, False], ["compared"])
    level = roll_of("me-d6 compare dice=3D vs dice=3D", "2,3,4,5,3,2")
    assert (len(level["dice"]), level["wins"]) == (6, [False, True])
    assert roll_of("me-d6 compare dice=1D vs dice=1D", "3,3")["wins"] == [True, False]  # initiator
    out = table.screen_after("roll compare dice=Strength as corvin vs dice=Strength as sanna")
    assert "side 1 wins" in out


@pytest.mark.rule("D-11")
def test_who_has_time_and_3d_may_take_10_and_the_skill_points() -> None:
    roll = roll_of("me-d6 take10 attribute=3D+1 skill_points=5 difficulty=15")
    assert (roll["result"], roll["success"], roll["dice"]) == (15, True, [])
    assert roll_of("me-d6 take10 attribute=ranged wound=none --as sanna")["result"] == 15
    assert "3D" in refusal_of("me-d6 take10 attribute=2D+2 skill_points=5")


@pytest.mark.rule("D-12")
def test_who_has_no_points_uses_the_attribute_and_the_gm_may_make_it_harder(table: TerminalTable) -> None:
    out = table.screen_after("declare check dice=survival difficulty=10 as sanna", "look")
    assert "dice=2D+2 Knowledge" in out
    assert "untrained=yes Untrained (off)" in out
    out = table.screen_after("switch 5 on", "throw 3 4")
    assert "total 9 against 15: failure by 6" in out
    assert roll_of("me-d6 check dice=2D untrained=1 difficulty=6", "3,4")["tally"]["difficulty"] == 7
    asked = ["request ann check title='brain surgery'", "seat ann", "propose dice=medicine"]
    assert 'kim turns down ann "not without training"' in table.screen_after(
        *asked, "seat kim", "refuse ann not without training"
    )


@pytest.mark.rule("D-23")
def test_a_skill_reduced_to_no_dice_cannot_be_used(table: TerminalTable) -> None:
    for code in ("5D+2 wound=wounded actions=3", "3D actions=4", "2D bonus=-2D"):
        roll = roll_of(f"me-d6 check dice={code}")
        assert (roll["dice"], roll["result"], roll["events"]) == ([], None, ["cannot_attempt"])
    assert len(roll_of("me-d6 check dice=5D wound=wounded actions=3 spend=medal", "3,3,3")["dice"]) == 3
    table.play_ok("fight sanna corvin raider", "seat bob", "fix 9")
    said = table.refused("seat bob", "roll check dice=command difficulty=10")
    assert "Multi-action penalty: -8 dice. No dice left" in said
    assert "Corvin Ade 9 of 9" in table.screen_after("fight")  # and nothing was spent
