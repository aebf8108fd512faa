"""The rules of Tu'urna (R-1 to R-29), each played through the terminal."""

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

PLAYERS = ["seat ann player", "bring zejhe for ann"]
FACES = "1,2,3,4,5,6"


@pytest.fixture
def table(tmp_path: Path) -> TerminalTable:
    """A table with the Narrator kim and with ann, who plays Zejhe."""
    return TerminalTable(tmp_path, "tuurna", *PLAYERS)


# -- a Roll


@pytest.mark.rule("R-1")
def test_the_narrator_decides_on_the_roll_and_the_skill_that_a_player_suggests(
    table: TerminalTable,
) -> None:
    out = table.screen_after(
        "request ann check difficulty=easy title='bash the door'",
        "seat ann",
        "propose level=Memory",
        "seat kim",
        "refuse ann nobody remembers a door open",
        "seat ann",
        "propose level=Craft",
        "seat kim",
        "accept ann",
    )
    assert 'kim turns down ann "nobody remembers a door open"' in out
    assert 'ann as Zejhe rolls "bash the door" check level=2' in out


@pytest.mark.rule("R-2")
def test_a_roll_has_as_many_dice_as_the_level() -> None:
    for name, dice in (("Instinct", "1,1,1,1"), ("Communication", "1,1,1")):
        assert roll_of(f"tuurna check level={name} --as zejhe", dice)["result"] == 0
    assert len(roll_of("tuurna check level=12", ",".join("1" * 12))["dice"]) == 12
    assert "-1" in refusal_of("tuurna check level=-1")


@pytest.mark.rule("R-3")
def test_1_and_2_lose_3_and_4_win_5_and_6_win_and_bring_another_die() -> None:
    roll = roll_of("tuurna check level=6", f"{FACES},5,2,6,1")
    assert roll["result"] == 6
    assert roles(roll)[6:] == [(5, "extra"), (2, "extra"), (6, "extra"), (1, "extra")]
    assert distribution("tuurna check level=1")[3] == Fraction(4, 81)  # two more dice, and then no third


@pytest.mark.rule("R-4")
def test_all_winning_dice_count_and_losses_take_nothing_away() -> None:
    roll = roll_of("tuurna check level=3", "5,2,3,6,1")
    assert (roll["tally"]["winning_dice"], len(roll["dice"])) == (3, 5)
    assert roll_of("tuurna check level=4", "3,1,1,1")["result"] == 1


@pytest.mark.rule("R-5")
def test_the_score_is_9_at_most() -> None:
    roll = roll_of("tuurna check level=11", ",".join("3" * 11))
    assert (roll["tally"]["winning_dice"], roll["tally"]["score"]) == (11, 9)
    assert max(distribution("tuurna check level=11")) == 9


@pytest.mark.rule("R-6")
def test_supernatural_potential_lifts_the_limit_to_12_for_its_skill() -> None:
    assert roll_of("tuurna check level=13 supernatural=yes", ",".join("3" * 13))["result"] == 12
    assert max(distribution("tuurna check level=Memory --as oruun")) == 12
    assert max(distribution("tuurna check level=Communication --as oruun")) == 9


@pytest.mark.rule("R-7")
def test_one_die_is_enough_for_any_number_of_wins() -> None:
    roll = roll_of("tuurna check level=1", "6,6,6,6,6,6,6,6,6,6,6,1")
    assert (roll["tally"]["winning_dice"], roll["tally"]["score"]) == (11, 9)
    assert chance_of("tuurna check level=1 difficulty=9") == Fraction(2, 3) * Fraction(1, 3) ** 8
    assert roll_of("tuurna check level=0")["events"] == ["cannot_attempt"]


# -- modifiers


@pytest.mark.rule("R-8")
def test_leverage_is_added_to_the_score_and_labor_changes_the_dice() -> None:
    levered = roll_of("tuurna check level=2 leverage=-1", "3,3")
    assert (len(levered["dice"]), levered["tally"]["score"], levered["result"]) == (2, 2, 1)
    labored = roll_of("tuurna check level=2 labor=1", "3,3,3")
    assert (len(labored["dice"]), labored["tally"]["score"], labored["result"]) == (3, 3, 3)


@pytest.mark.rule("R-9")
def test_a_modifier_tells_where_it_comes_from_and_that_changes_nothing(table: TerminalTable) -> None:
    out = table.screen_after("declare check level=Craft as zejhe", "line labor=+2 a lever", "look")
    assert "labor=-2 Injured wrist" in out  # by a rule
    assert "labor=+2 a lever" in out  # by the Narrator
    assert "check level=2; kim throws 2d6" in out  # and both count alike


@pytest.mark.rule("R-10")
def test_modifiers_are_settled_before_the_first_die(table: TerminalTable) -> None:
    out = table.screen_after(
        "declare check level=4", "line labor=+1", "line labor=+2", "line labor=-1", "look"
    )
    assert "check level=4 labor=2" in out
    assert "throws 6d6" in out
    table.play_ok("throw 1 1 1 1 1 1")
    assert "line is not possible here now" in table.refused("line kim/1 labor=+1")


@pytest.mark.rule("R-11")
def test_a_modifier_updates_the_value_or_bounds_it() -> None:
    updated = output_of("handful roll tuurna check level=Armaments --as zejhe --seed 1")
    assert "-2 dice: Injured wrist" in updated
    bounded = roll_of("tuurna check level=Scholarship --as oruun --seed 1")
    assert len([1 for _, role in roles(bounded) if role == "regular"]) == 12  # 10, Labor at least 2
    capped = roll_of("tuurna check level=Tactics leverage=5 --as ylir", "1,1,1")
    assert capped["result"] == 3


@pytest.mark.rule("R-12")
def test_updates_are_added_up() -> None:
    roll = roll_of("tuurna check level=3 labor=1+3-2", "1,1,1,1,1")
    assert modifiers(roll)["labor", "dice"] == 2
    assert roll_of("tuurna check level=1 leverage=2-1+4", "1")["result"] == 5


@pytest.mark.rule("R-13")
def test_the_largest_minimum_and_the_smallest_maximum_hold() -> None:
    assert roll_of("tuurna check level=1 leverage_min=3+1", "1")["result"] == 3
    assert roll_of("tuurna check level=1 leverage=9 leverage_max=5+7", "1")["result"] == 5


@pytest.mark.rule("R-14")
def test_a_minimum_above_the_maximum_is_dropped() -> None:
    assert roll_of("tuurna check level=1 leverage_min=3 leverage_max=1", "1")["result"] == 0
    assert roll_of("tuurna check level=1 leverage=2 leverage_min=3 leverage_max=1", "1")["result"] == 1


@pytest.mark.rule("R-15")
def test_bounds_hold_after_the_sum_and_without_any_update() -> None:
    assert len(roll_of("tuurna check level=1 labor_min=2", "1,1,1")["dice"]) == 3
    assert len(roll_of("tuurna check level=1 labor=1+3-2 labor_min=3", "1,1,1,1")["dice"]) == 4
    assert roll_of("tuurna check level=1 leverage=4-2 leverage_max=3", "1")["result"] == 2


@pytest.mark.rule("R-16")
def test_labor_and_leverage_have_bounds_of_their_own() -> None:
    roll = roll_of("tuurna check level=1 labor=2 leverage=2 labor_max=1 leverage_min=5", "3,3")
    assert (len(roll["dice"]), roll["result"]) == (2, 7)


@pytest.mark.rule("R-17")
def test_labor_adds_and_takes_dice_but_leaves_one() -> None:
    assert len(roll_of("tuurna check level=2 labor=2", "1,1,1,1")["dice"]) == 4
    least = roll_of("tuurna check level=2 labor=-4", "3")
    assert (len(least["dice"]), least["result"]) == (1, 1)
    letter = roll_of("tuurna check level=0 labor=-1", "3", options=("level0=labor_floor",))
    assert letter["result"] == 1  # the page to the letter, by house rule


@pytest.mark.rule("R-18")
def test_leverage_is_added_to_the_score_once() -> None:
    roll = roll_of("tuurna check level=11 leverage=2", ",".join("3" * 11))
    assert (roll["tally"]["score"], roll["result"]) == (9, 11)
    contest = roll_of("tuurna contest level=1 leverage=2 vs level=1", "3,3")
    assert contest["tally"]["sums"] == [[1, 3], [2, 1]]


# -- Checks


@pytest.mark.rule("R-19")
def test_the_difficulty_must_be_reached() -> None:
    for difficulty, won in ((2, True), (3, True), (4, False)):
        assert roll_of(f"tuurna check level=3 difficulty={difficulty}", "3,3,3")["success"] is won


@pytest.mark.rule("R-20")
def test_the_margin_is_shown_and_the_narrator_may_grade_it(table: TerminalTable) -> None:
    out = table.screen_after(
        "roll check level=4 difficulty=2 faces=3,3,3,3", "judge grade=more you know his brother too"
    )
    assert "result 4 against 2: success by 2" in out
    assert 'kim says: more "you know his brother too"' in out


@pytest.mark.rule("R-21")
def test_ten_difficulties_are_named_and_higher_ones_are_numbers() -> None:
    names = [
        "trivial",
        "very_easy",
        "easy",
        "mundane",
        "moderate",
        "challenging",
        "difficult",
        "very_difficult",
        "nearly_impossible",
        "impossible",
    ]
    for value, name in enumerate(names, 1):
        asked = f"tuurna check level=6 leverage=2 difficulty={name}"
        assert roll_of(f"{asked} --seed 1")["tally"]["needed"] == value
        assert chance_of(asked) == chance_of(f"tuurna check level=6 leverage=2 difficulty={value}")
    assert roll_of("tuurna check level=1 leverage=11 difficulty=11", "1")["success"] is True


@pytest.mark.rule("R-22")
@pytest.mark.parametrize(
    ("judge", "value", "won"), [("max", 3, True), ("min", 1, False), ("average", 2, True)]
)
def test_a_group_is_judged_by_its_best_its_worst_or_its_average(judge: str, value: int, won: bool) -> None:
    group = "level=3 with level=3 with level=3"
    roll = roll_of(f"tuurna group judge={judge} difficulty=2 {group}", "3,3,3,3,1,1,3,3,1")
    assert (roll["result"], roll["success"]) == (value, won)
    assert "judge" in refusal_of(f"tuurna group difficulty=2 {group}")  # the Narrator must say


# -- Contests


@pytest.mark.rule("R-23")
def test_a_contest_has_a_skill_and_leverage_for_each(table: TerminalTable) -> None:
    roll = roll_of("tuurna contest level=2 leverage=5 vs level=3 leverage=-1 vs level=1", "1,1,3,3,3,3")
    assert roll["tally"]["sums"] == [[1, 5], [2, 2], [3, 1]]
    out = table.screen_after(
        "bring ylir",
        "declare contest level=Armaments leverage=5 as ylir vs level=Instinct as zejhe",
    )
    assert "contest level=5 leverage=5 vs level=4" in out


@pytest.mark.rule("R-24")
def test_the_highest_sum_wins_and_ranking_and_gaps_are_told(table: TerminalTable) -> None:
    roll = roll_of("tuurna contest level=1 vs level=3 vs level=2", "3,3,3,3,3,3")
    assert roll["wins"] == [False, True, False]
    assert (roll["tally"]["ranking"], roll["tally"]["gaps"]) == ([2, 3, 1], [0, 1, 2])
    out = table.screen_after(
        "roll contest level=1 vs level=3 faces=1,3,3,3", "judge the shield bursts into flames"
    )
    assert "side 2 wins" in out
    assert '"the shield bursts into flames"' in out


@pytest.mark.rule("R-25")
def test_a_tie_that_cannot_be_is_rolled_again_and_another_one_stands() -> None:
    again = roll_of("tuurna contest level=1 vs level=1", "3,3,3,1")
    assert (again["wins"], len(again["dice"])) == ([True, False], 4)
    stands = roll_of("tuurna contest ties=stand level=1 vs level=1", "3,3")
    assert stands["wins"] == [False, False]
    assert odds_of("tuurna contest level=3 vs level=3")["wins"] == ["1/2", "1/2"]
    assert Fraction(odds_of("tuurna contest ties=stand level=1 vs level=1")["tie"]) > 0


# -- Fate

FATES = {  # wins of the faces 1 to 6, and how many of them bring another die
    "cursed": ([0, 0, 1, 1, 1, 1], 0),
    "unlucky": ([0, 0, 1, 1, 1, 1], 1),
    "neutral": ([0, 0, 1, 1, 1, 1], 2),
    "lucky": ([0, 1, 1, 1, 1, 1], 2),
    "blessed": ([1, 1, 1, 1, 1, 1], 2),
}


@pytest.mark.rule("R-26")
@pytest.mark.parametrize("fate", FATES)
def test_fate_changes_the_faces_of_all_dice_of_one_roll(fate: str) -> None:
    counts, extra = FATES[fate]
    roll = roll_of(f"tuurna check level=6 fate={fate}", ",".join([FACES, *("2" * extra)]))
    assert len(roll["dice"]) == 6 + extra
    assert roll["result"] == sum(counts) + extra * counts[1]  # extra dice by the same faces
    both = roll_of(f"tuurna contest ties=stand level=1 fate={fate} vs level=1", "2,2")
    assert both["tally"]["sums"] == [[1, counts[1]], [2, 0]]  # the other side rolls as always


# -- several Skills


@pytest.mark.rule("R-27")
def test_two_skills_are_two_rolls_whose_scores_are_added() -> None:
    roll = roll_of("tuurna check level=4,3 difficulty=3", "3,3,3,3,3,3,1")
    assert (len(roll["dice"]), roll["tally"]["score"]) == (7, 6)
    art = roll_of("tuurna check level=Craft,Communication --as zejhe", "3,3,3,3")
    assert art["result"] == 4  # Craft 2 with Labor -2 leaves a die, Communication 3


@pytest.mark.rule("R-28")
def test_the_difficulty_of_two_skills_is_doubled() -> None:
    met = roll_of("tuurna check level=4,3 difficulty=3", "3,3,3,3,3,3,1")
    assert (met["tally"]["needed"], met["success"]) == (6, True)
    missed = roll_of("tuurna check level=4,3 difficulty=3", "3,3,3,3,3,1,1")
    assert missed["success"] is False


@pytest.mark.rule("R-29")
def test_in_a_contest_a_single_skill_is_rolled_twice() -> None:
    roll = roll_of("tuurna contest level=2,3 vs level=4", "3,3,3,3,3,3,3,3,3,1,1,1,1")
    assert [die["side"] for die in roll["dice"]] == [1] * 5 + [2] * 8
    assert roll["tally"]["sums"] == [[1, 5], [2, 4]]
    assert "as many Skills as the side with the most" in output_of("handful checks tuurna")
