"""The rules of UWR (U-1 to U-23), each played through the terminal."""

from __future__ import annotations

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
    roles,
    roll_of,
)

PLAYERS = ["seat ann player", "seat bob player", "bring mira for ann"]
LIE = "roll direct attribute=3 mode=secret title=lie faces=5,5,1"


@pytest.fixture
def table(tmp_path: Path) -> TerminalTable:
    """A table with ann, who plays Mira, and bob."""
    return TerminalTable(tmp_path, "uwr", *PLAYERS)


# -- dice


@pytest.mark.rule("U-1")
def test_a_check_throws_d6_and_counts_successes_without_adding_faces() -> None:
    assert roll_of("uwr direct attribute=3", "5,6,6")["result"] == 3
    assert "7" in refusal_of("uwr direct attribute=1", "7")
    assert distribution("uwr direct attribute=1") == {0: Fraction(2, 3), 1: Fraction(1, 3)}


@pytest.mark.rule("U-2")
def test_each_5_and_each_6_is_one_success() -> None:
    assert roll_of("uwr direct attribute=6", "1,2,3,4,5,6")["result"] == 2
    for face in range(1, 7):
        assert roll_of("uwr direct attribute=1", str(face))["result"] == (face >= 5)


@pytest.mark.rule("U-3")
def test_dice_below_the_threshold_take_nothing_away() -> None:
    assert roll_of("uwr direct attribute=4", "5,1,1,1")["result"] == 1
    assert roll_of("uwr direct attribute=3", "1,1,1")["result"] == 0
    assert roll_of("uwr direct attribute=3", "1,1,1")["events"] == []


@pytest.mark.rule("U-4")
def test_each_type_of_check_has_its_own_dice_and_its_own_condition() -> None:
    direct = roll_of("uwr direct attribute=2 skill=2 target=2", "5,6,1,1")
    opposed = roll_of("uwr opposed attribute=2 skill=2 vs attribute=2", "5,6,1,1,5,5")
    assert (direct["tally"]["dice"], direct["success"]) == (4, True)
    assert (len(opposed["dice"]), opposed["success"]) == (6, False)


@pytest.mark.rule("U-5")
def test_pools_of_more_than_eight_dice_are_thrown_shown_and_reckoned(table: TerminalTable) -> None:
    out = table.screen_after("roll direct attribute=7 skill=3 bonus=4 faces=" + ",".join("16" * 7))
    assert "14: 6" in out
    assert "7 successes" in out
    assert chance_of("uwr direct attribute=7 skill=3 bonus=4 target=1") == 1 - Fraction(2, 3) ** 14


# -- rerolls


@pytest.mark.rule("U-6")
def test_one_die_for_each_reroll_is_picked_after_the_throw_and_before_the_end(table: TerminalTable) -> None:
    out = table.screen_after("roll direct attribute=3 rerolls=2 target=2 faces=5,1,2", "2,3", "throw 6 3")
    assert "at most 2" in out
    assert "1: 5 2: 1→6 3: 2→3" in out
    assert "2 successes against 2: success" in out
    assert "1" in refusal_of("uwr direct attribute=3 rerolls=1", "5,1,2", "2,3")


@pytest.mark.rule("U-7")
def test_the_better_face_of_a_rerolled_die_stays() -> None:
    worse = roll_of("uwr direct attribute=2 rerolls=1", "4,6,2", "1")
    assert worse["result"] == 1
    spoilt = roll_of("uwr direct attribute=2 rerolls=1", "5,1,1", "1")
    assert spoilt["result"] == 1
    better = roll_of("uwr direct attribute=2 rerolls=1", "4,6,5", "1")
    assert better["result"] == 2


@pytest.mark.rule("U-8")
def test_rerolls_need_not_be_used_and_are_gone_once_the_roll_is_final(table: TerminalTable) -> None:
    assert roll_of("uwr direct attribute=2 rerolls=1", "5,1", "none")["result"] == 1
    out = table.screen_after("roll direct attribute=2 rerolls=1 target=2 faces=5,1", "none", "finalise")
    assert "1 success against 2: failure by 1" in out
    assert "decision to take back" in table.refused("undo")


@pytest.mark.rule("U-9")
def test_a_reroll_is_judged_by_the_same_threshold_and_counted_with_the_rest() -> None:
    favored = roll_of("uwr direct attribute=2 favor=1 rerolls=1", "5,1,4", "2")
    plain = roll_of("uwr direct attribute=2 rerolls=1", "5,1,4", "2")
    assert (favored["result"], plain["result"]) == (2, 1)
    assert roles(plain)[-1] == (4, "reroll")


@pytest.mark.rule("U-10")
def test_half_a_die_becomes_a_reroll() -> None:
    half = roll_of("uwr direct attribute=3.5", "1,2,3", "none")
    assert (half["tally"]["dice"], half["tally"]["rerolls"]) == (3, 1)
    two_halves = roll_of("uwr direct attribute=2.5 bonus=0.5", "1,2,3")
    assert (two_halves["tally"]["dice"], two_halves["tally"]["rerolls"]) == (3, 0)
    assert distribution("uwr direct attribute=3.5") == distribution("uwr direct attribute=3 rerolls=1")


# -- favor


@pytest.mark.rule("U-11")
def test_favor_lowers_the_threshold_of_the_whole_check() -> None:
    assert roll_of("uwr direct attribute=3 target=1", "4,3,2")["success"] is False
    assert roll_of("uwr direct attribute=3 target=1 favor=1", "4,3,2")["success"] is True
    assert roll_of("uwr direct attribute=3 favor=1", "4,5,6")["result"] == 3
    assert chance_of("uwr direct attribute=3 target=1 favor=1") == Fraction(7, 8)


# -- attribute checks


@pytest.mark.rule("U-12")
def test_the_gm_asks_for_an_attribute_check_direct_or_opposed_by_its_name(table: TerminalTable) -> None:
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
        "seat kim",
        "request ann,bob direct title='Insight roll'",
        "challenge opposed ann bob",
        "seat ann",
        "propose attribute=Insight",
        "seat bob",
        "propose attribute=2",
        "seat kim",
        "accept ann",
        "accept bob",
        "seat bob",
        "throw 5 1",
        "seat ann",
        "throw 5 6",
        "none",
        "finalise",
    )
    assert 'kim asks ann for "Grace check" direct target=1' in out
    assert "1 success against 1: success" in out
    assert 'kim asks ann and bob for "Insight roll"' in out
    assert "1 net success: success by 1" in out


@pytest.mark.rule("U-13")
def test_the_gm_names_one_of_four_attributes_for_a_direct_check(table: TerminalTable) -> None:
    dice = {"Might": 2, "Grace": 3, "Mettle": 3, "Insight": 2}  # and two halves
    for name, count in dice.items():
        roll = roll_of(f"uwr direct attribute={name} --as mira --seed 1")
        assert roll["tally"]["dice"] == count
    assert "Charm" in refusal_of("uwr direct attribute=Charm --as mira")
    out = table.screen_after(
        "request ann direct attribute=Grace target=1 as mira",
        "seat ann",
        "propose",
        "seat kim",
        "accept ann",
        "seat ann",
        "throw 5 1 1",
        "none",
        "finalise",
    )
    assert "1 success against 1: success" in out


@pytest.mark.rule("U-14")
def test_the_player_proposes_a_skill_for_its_ranks_and_the_gm_has_the_last_word(
    table: TerminalTable,
) -> None:
    out = table.screen_after(
        "request ann direct target=2",
        "seat ann",
        "propose attribute=Grace skill=Acrobatics",
        "seat kim",
        "refuse ann not on ice",
        "seat ann",
        "propose attribute=Grace skill=Balance",
        "seat kim",
        "accept ann",
    )
    assert 'kim turns down ann "not on ice"' in out
    assert "rolls direct attribute=3.5 skill=2 specific=1 target=2" in out  # Burglar 2


@pytest.mark.rule("U-14")
@pytest.mark.parametrize(("skill", "rerolls"), [("Acrobatics", 1), ("Balance", 2), ("Tightroping", 3)])
def test_a_narrower_skill_gives_rerolls_beside_its_dice(skill: str, rerolls: int) -> None:
    roll = roll_of(f"uwr direct attribute=Grace skill={skill} --as mira", "1,1,1,1,1", "none")
    assert (roll["tally"]["dice"], roll["tally"]["rerolls"]) == (5, rerolls)
    assert modifiers(roll)["skill", "dice"] == 2


@pytest.mark.rule("U-15")
def test_as_many_successes_as_the_target_win_the_check() -> None:
    for target, won in ((1, True), (2, True), (3, False)):
        roll = roll_of(f"uwr direct attribute=4 target={target}", "5,6,1,2")
        assert (roll["success"], roll["margin"]) == (won, 2 - target)


@pytest.mark.rule("U-16")
@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("easy", "target=1 favor=1"),
        ("normal", "target=1"),
        ("difficult", "target=2"),
        ("extreme", "target=3"),
    ],
)
def test_four_difficulties_are_named(name: str, same: str) -> None:
    named = chance_of(f"uwr direct attribute=4 difficulty={name}")
    assert named == chance_of(f"uwr direct attribute=4 {same}")
    exact = {"easy": "15/16", "normal": "65/81", "difficult": "11/27", "extreme": "1/9"}
    assert named == Fraction(exact[name])


# -- opposed checks


@pytest.mark.rule("U-17")
def test_an_opposed_check_is_built_like_a_direct_one() -> None:
    asked = "uwr opposed attribute=2 vs attribute=1.5 skill=1 specific=1 favor=1"
    roll = roll_of(asked, "5,5,4,1,4", "2")
    assert roles(roll)[2:] == [(4, "regular"), (1, "regular"), (4, "reroll")]
    assert roll["tally"]["resistance"] == 2  # a 4 is enough by favor


@pytest.mark.rule("U-18")
@pytest.mark.parametrize(("faces", "net"), [("5,5,5,6,6,1", 1), ("5,5,1,6,6,6", 0), ("5,5,5,1,1,1", 3)])
def test_each_success_against_it_removes_one(faces: str, net: int) -> None:
    roll = roll_of("uwr opposed attribute=3 vs attribute=3", faces)
    assert (roll["result"], roll["success"]) == (net, net > 0)


@pytest.mark.rule("U-19")
def test_equal_successes_are_a_win_for_who_resists() -> None:
    for faces in ("5,5,5,5", "1,1,1,1"):
        roll = roll_of("uwr opposed attribute=2 vs attribute=2", faces)
        assert (roll["success"], roll["wins"]) == (False, [False, True])
    assert odds_of("uwr opposed attribute=1 vs attribute=1")["wins"] == ["2/9", "7/9"]


@pytest.mark.rule("U-20")
def test_an_opposed_check_is_announced_or_the_player_doubts_and_names_a_check(table: TerminalTable) -> None:
    out = table.screen_after(
        "roll direct attribute=2 title=spell faces=5,1",
        "request ann direct title=resist",
        "seat ann",
        "propose attribute=Insight",
        "seat kim",
        "accept ann",
        "seat ann",
        "throw 6 1",
        "none",
        "finalise",
        "seat kim",
        "contest opposed spell resist",
    )
    assert 'kim rolls "spell"' in out
    assert "0 net successes: failure, a tie is not enough" in out
    out = table.screen_after(
        LIE,
        "seat ann",
        "call direct attribute=Insight skill=Acrobatics title=doubt",
        "seat kim",
        "refuse ann that finds no lies",
        "seat ann",
        "propose attribute=Insight",
        "seat kim",
        "accept ann",
        "seat ann",
        "throw 5 6",
        "none",
        "finalise",
        "seat kim",
        "settle against lie opposed",
    )
    assert 'kim turns down ann "that finds no lies"' in out
    assert 'rolls "doubt" direct attribute=2.5' in out
    assert "ann catches the lie" in out


@pytest.mark.rule("U-21")
def test_what_nobody_contests_succeeds_by_itself() -> None:
    roll = roll_of("uwr opposed attribute=2 uncontested=yes", "1,1")
    assert (roll["success"], roll["events"]) == (True, ["uncontested"])
    assert chance_of("uwr opposed attribute=0 uncontested=yes") == 1
    assert "resists" in refusal_of("uwr opposed attribute=2", "1,1")


@pytest.mark.rule("U-22")
def test_an_attack_and_its_parry_are_not_opposed_checks(table: TerminalTable) -> None:
    for check in ("attack", "parry"):
        assert "not an opposed check" in refusal_of(f"uwr {check}")
        assert "not an opposed check" in table.refused(f"roll {check}")
    assert "parry: Parry (not available)" in output_of("handful checks uwr")
    assert roll_of("uwr direct attribute=3", "5,5,5")["success"] is None  # each is only counted


@pytest.mark.rule("U-23")
def test_a_hidden_check_stays_hidden_until_it_is_beaten(table: TerminalTable) -> None:
    doubt = ["seat ann", "call direct attribute=Insight title=doubt", "seat kim", "accept ann"]
    before = table.log("ann")
    table.screen_after(LIE)
    assert table.log("ann")[: len(before)] == before  # neither the roll nor that there was one
    assert {one["kind"] for one in table.log("ann")[len(before) :]} == {"epoch_begun"}
    out = table.screen_after(
        *doubt,
        "seat ann",
        "throw 5 1",
        "none",
        "finalise",
        "seat kim",
        "settle against lie opposed",
        "seat ann",
        "log",
    )
    assert "ann finds nothing" in out
    assert not table.events_of("ann", "roll_revealed")
    assert "lie" not in str(table.log("ann"))
    out = table.screen_after(
        "seat kim",
        *doubt,
        "seat ann",
        "throw 5 6",
        "none",
        "finalise",
        "seat kim",
        "settle against lie opposed",
        "seat ann",
        "look lie",
    )
    assert "ann catches the lie" in out
    assert "1: 5 2: 5 3: 1" in out  # now the dice are there for all to see
    told = table.events_of("ann", "roll_revealed")
    table.play_ok("seat kim", "roll direct attribute=2 mode=secret title=trap", "reveal trap")
    assert len(table.events_of("ann", "roll_revealed")) == len(told) + 1  # or the GM tells
