"""Free dice: expressions, their canonical texts, and exact odds by the rule language."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import handful
from handful.errors import Refused
from handful.rules.free_dice import (
    MAX_DICE,
    DiceTerm,
    FreeDice,
    _ruleset_text,
    free_check,
    looks_free,
    parse_dice,
)
from handful.rules.load import load
from handful.rules.source import Source


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("3d6+2", "3d6+2"),
        (" 3 D 6 + 2 ", "3d6+2"),
        ("3W6-1", "3d6-1"),
        ("d20", "1d20"),
        ("d%", "1d100"),
        ("4d6k3", "4d6 keep 3"),
        ("4d6 keep highest 3", "4d6 keep 3"),
        ("2d20kl1", "2d20 keep lowest 1"),
        ("4d6 keep 4", "4d6"),
        ("2d6+1d8−1+3", "2d6 + 1d8 + 2"),
        ("10-1d4", "-1d4+10"),
        ("8d10>=7", "8d10 >= 7"),
        ("8d10 ≥ 7", "8d10 >= 7"),
        ("1d20+5=15", "1d20+5 == 15"),
        ("3d6!", "3d6!"),
    ],
)
def test_an_expression_has_one_canonical_text(typed: str, canonical: str) -> None:
    read = parse_dice(typed)
    assert str(read) == canonical
    assert parse_dice(canonical) == read
    assert free_check(typed) == f"dice:{canonical}"
    assert looks_free(typed) or typed.startswith("10-")


@pytest.mark.parametrize(
    "typed",
    [
        *[
            "",
            "5",
            "d",
            "3d",
            "d1",
            "3d6+",
            "+3d6",
            "3d6 4",
            "3d6 keep 4",
            "3d6 keep 0",
            "101d6",
            "60d6+60d6",
        ],
        *["2d1001", "1d6+10001", "+".join(["1d6"] * 7), "1d6 >= ", "1d6 >= 3 >= 2", "3d6; 1", "dice", "3e6"],
    ],
)
def test_what_is_no_expression_is_refused(typed: str) -> None:
    with pytest.raises(Refused):
        parse_dice(typed)


def test_words_of_games_do_not_look_like_dice() -> None:
    assert not any(map(looks_free, ["direct", "4D+2", "3D", "d", "w", "uwr", "dodge", "2 dice", "d6x", ""]))


terms = st.builds(
    lambda count, sides, keep, lowest, bursts, negative: DiceTerm(
        count, sides, keep if 0 < keep < count else 0, lowest and 0 < keep < count, bursts, negative
    ),
    st.integers(1, 4),
    st.integers(2, 8),
    st.integers(0, 3),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
expressions = st.builds(
    lambda dice, number, test, goal: FreeDice(tuple(dice), number, test, goal if test else 0),
    st.lists(terms, min_size=1, max_size=3),
    st.integers(-20, 20),
    st.sampled_from(["", ">=", "<=", ">", "<", "=="]),
    st.integers(-5, 30),
)


@given(expressions)
def test_every_expression_is_a_ruleset_without_mistakes(dice: FreeDice) -> None:
    assert parse_dice(str(dice)) == dice
    rules = load([Source("free dice", _ruleset_text(dice))])  # analysed like a stranger's
    assert [*rules.checks] == ["dice"]


def _enumerated(dice: FreeDice) -> Counter[int]:
    """Count the results of an expression without extra dice, die by die."""
    found: Counter[int] = Counter()
    sides = [one.sides for one in dice.dice for _ in range(one.count)]
    for faces in product(*(range(1, side + 1) for side in sides)):
        total, at = dice.number, 0
        for one in dice.dice:
            own = sorted(faces[at : at + one.count], reverse=not one.lowest)[: one.keep or one.count]
            total += -sum(own) if one.negative else sum(own)
            at += one.count
        if dice.counts:
            reach = {">=": int.__ge__, "<=": int.__le__, ">": int.__gt__, "<": int.__lt__, "==": int.__eq__}
            total = sum(reach[dice.test](face, dice.goal) for face in faces)
        found[total] += 1
    return found


@pytest.mark.parametrize(
    "typed",
    [
        *["3d6+2", "4d6 keep 3", "2d20 keep lowest 1", "5d10 >= 7", "3d4 == 2", "2d6 >= 9", "1d8 + 2d4 - 3"],
        *["2d6 - 1d4", "1d20+5 >= 15", "6d4 < 3", "2d6 + 3d4 keep 2 - 1"],
    ],
)
def test_odds_equal_those_of_counting(typed: str) -> None:
    dice, counted = parse_dice(typed), _enumerated(parse_dice(typed))
    odds = handful.ruleset(typed).odds("dice")
    whole = counted.total()
    assert dict(odds.distribution) == {value: Fraction(count, whole) for value, count in counted.items()}
    if dice.test and not dice.counts:
        reached = {">=": int.__ge__}[dice.test]
        assert odds.success == Fraction(sum(n for v, n in counted.items() if reached(v, dice.goal)), whole)


def test_bursting_dice_are_exact() -> None:
    assert handful.ruleset("3d6!").odds("dice").mean == Fraction(63, 5)


def test_the_largest_expression_is_solved() -> None:
    assert handful.ruleset(f"{MAX_DICE}d10 >= 7").odds("dice").mean == 40
    assert handful.ruleset("50d6 + 50d8").odds("dice").mean == 400
