"""The family rulesets against an independent count of their dice."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from effort import rest_in_proof
from ruleset_cases import FAMILIES, ruleset

import handful
from handful.library import families, shipped
from oracles import families as oracle


def marginal(chances: oracle.Chances, of: Callable[[Any], Any]) -> oracle.Chances:
    return {k: p for k, p in oracle.gathered((of(k), p) for k, p in chances.items()).items() if p}


def chance(chances: oracle.Chances, holds: Callable[[Any], bool]) -> Fraction:
    return sum((p for key, p in chances.items() if holds(key)), Fraction(0))


def same(odds: handful.Odds, expected: oracle.Chances) -> None:
    assert odds.tail is None
    assert dict(odds.distribution) == expected


def same_below(odds: handful.Odds, expected: oracle.Chances, limit: int) -> None:
    """Endless totals agree as far as the count goes."""
    compared = 0
    for value, p in expected.items():
        if value < limit and (odds.tail is None or value < odds.tail.start):
            assert odds.distribution.get(value, 0) == p, value
            compared += 1
    assert compared > 10


def test_games_and_families_have_their_own_lists() -> None:
    assert shipped() == ["agga", "fons", "me-d6", "tuurna", "uwr"]
    assert tuple(families()) == FAMILIES
    assert len(FAMILIES) >= 12
    assert not set(shipped()) & set(families())


@pytest.mark.parametrize("again", [8, 9, 10, 11])
@pytest.mark.parametrize("dice", [1, 4, 12])
def test_ten_again(dice: int, again: int) -> None:
    odds = ruleset("ten-again").odds("pool", dice=dice, again=again if again < 11 else "never")
    for successes, p in list(odds.distribution.items())[:12]:
        assert p == oracle.ten_again(dice, int(successes), again)
    few = sum(oracle.ten_again(dice, n, again) for n in range(5))
    assert odds.events.get("exceptional", 0) == 1 - few
    assert odds.success == 1 - oracle.ten_again(dice, 0, again)


@pytest.mark.parametrize(("a", "b"), [((4, 10), (3, 10)), ((6, 9), (7, 8))])
def test_contest_of_unbounded_pools(a: tuple[int, int], b: tuple[int, int]) -> None:
    (ours, again), (theirs, against) = a, b
    odds = ruleset("ten-again").odds(
        "contest", {"dice": ours, "again": again}, {"dice": theirs, "again": against}
    )
    most = 150  # the chance of more is far below what a float can tell
    own = [float(oracle.ten_again(ours, n, again)) for n in range(most)]
    other = [float(oracle.ten_again(theirs, n, against)) for n in range(most)]
    wins = sum(p * sum(other[:n]) for n, p in enumerate(own))
    tie = sum(p * q for p, q in zip(own, other, strict=True))
    assert odds.wins is not None
    assert float(odds.wins[0]) == pytest.approx(wins, abs=1e-12)
    assert float(odds.tie or 0) == pytest.approx(tie, abs=1e-12)


@pytest.mark.parametrize("dice", [1, 2, 5, 12, 20])
def test_glitches(dice: int) -> None:
    counted = oracle.glitch(dice)
    odds = ruleset("glitch-d6").odds("test", dice=dice, target=2)
    same(odds, marginal(counted, lambda key: key[0]))
    assert odds.success == chance(counted, lambda key: key[0] >= 2)
    critical = chance(counted, lambda key: 2 * key[1] >= dice and key[0] == 0)
    assert odds.events.get("critical_glitch", 0) == critical
    either = chance(counted, lambda key: 2 * key[1] >= dice)
    assert odds.events.get("glitch", 0) == either - critical
    stricter = ruleset("glitch-d6").odds("test", dice=dice, options={"glitch": "more_than_half"})
    more = chance(counted, lambda key: 2 * key[1] > dice and key[0] > 0)
    assert stricter.events.get("glitch", 0) == more


@pytest.mark.parametrize("pool", [(3, 0, 0, 1), (2, 2, 1, 2), (4, 3, 2, 1), (0, 3, 2, 3)])
def test_pushing(pool: tuple[int, int, int, int]) -> None:
    attribute, skill, gear, target = pool
    counted = oracle.push(*pool)
    odds = ruleset("push-d6").odds("test", attribute=attribute, skill=skill, gear=gear, target=target)
    same(odds, marginal(counted, lambda key: key[0]))
    assert odds.success == chance(counted, lambda key: key[0] >= target)
    assert odds.events.get("harm", 0) == chance(counted, lambda key: key[1] > 0)
    assert odds.events.get("wear", 0) == chance(counted, lambda key: key[2] > 0)


@pytest.mark.parametrize("dice", range(6))
def test_highest_die(dice: int) -> None:
    counted = oracle.highest(dice)
    odds = ruleset("highest-d6").odds("action", dice=dice)
    grades = marginal(counted, lambda key: 3 if key[1] else (key[0] > 3) + (key[0] > 5))
    same(odds, grades)
    assert odds.success == chance(counted, lambda key: key[0] > 3)
    assert odds.events["at_a_cost"] == chance(counted, lambda key: key[0] in (4, 5))
    costs = marginal(counted, lambda key: -1 if key[1] else 6 - key[0])
    same(ruleset("highest-d6").odds("resist", dice=dice), costs)


@pytest.mark.parametrize(("dice", "keep"), [(1, 1), (3, 1), (3, 2), (4, 4), (5, 3), (7, 4)])
def test_roll_and_keep(dice: int, keep: int) -> None:
    odds = ruleset("roll-and-keep").odds("roll", dice=dice, keep=keep, target=25)
    counted = oracle.roll_and_keep(dice, keep)
    same_below(odds, counted, 10 * (oracle.DEEP + 1))
    assert odds.success == 1 - chance(counted, lambda total: total < 25)
    assert sum(odds.distribution.values()) + (odds.tail.probability if odds.tail else 0) == 1
    if dice == keep:  # each die has 55/9 on average
        assert odds.mean == Fraction(55 * dice, 9)


@pytest.mark.parametrize("sides", [4, 6, 8, 10, 12])
@pytest.mark.parametrize("wild", [True, False])
def test_step_dice(sides: int, wild: bool) -> None:
    odds = ruleset("step-dice").odds("trait", die=f"d{sides}", wild=wild, target=5)
    counted = oracle.step(sides, wild)
    same_below(odds, counted, 4 * (oracle.DEEP + 1))
    assert odds.success == 1 - chance(counted, lambda total: total < 5)
    assert odds.events["raise"] == 1 - chance(counted, lambda total: total < 9)
    assert odds.events.get("both_ones", 0) == (Fraction(1, 6 * sides) if wild else 0)


SETS = [pytest.param(*one) for one in ((3, 4), (5, 1), (1, 1), (2, 1), (5, 8), (6, 2))]


@pytest.mark.parametrize(("dice", "least"), rest_in_proof(SETS, 2))
def test_sets(dice: int, least: int) -> None:
    counted = oracle.sets(dice, least)
    odds = ruleset("sets-d10").odds("set", dice=dice, height=least)
    same(odds, marginal(counted, lambda key: key[0]))
    assert odds.success == chance(counted, lambda key: key[0] >= 2)
    assert odds.events.get("wide", 0) == chance(counted, lambda key: key[0] >= 3)
    heights = ruleset("sets-d10").odds("height", dice=dice, height=least)
    same(heights, marginal(counted, lambda key: key[1]))


@pytest.mark.parametrize("sides", [(8,), (6, 6), (4, 8, 10), (6, 8, 8, 12), (12, 6, 4, 4, 10)])
def test_best_two(sides: tuple[int, ...]) -> None:
    counted = oracle.best_two(*sides)
    dice = ",".join(f"d{n}" for n in sides)
    odds = ruleset("best-two").odds("total", dice=dice, target=9)
    same(odds, marginal(counted, lambda key: key[0]))
    assert odds.success == chance(counted, lambda key: key[0] >= 9)
    assert odds.events["disaster"] == chance(counted, lambda key: key[2] == len(sides))
    some = chance(counted, lambda key: 0 < key[2] < len(sides))
    assert odds.events.get("trouble", 0) == some
    effects = ruleset("best-two").odds("effect", dice=dice)
    same(effects, marginal(counted, lambda key: key[1]))


SYMBOLS = [
    {"good": 2},
    {"great": 1, "dire": 1},
    {"good": 1, "great": 1, "bad": 2},
    {"good": 2, "great": 1, "small_good": 1, "bad": 1, "dire": 1, "small_bad": 1},
]


@pytest.mark.parametrize("dice", SYMBOLS)
def test_symbols(dice: dict[str, int]) -> None:
    counted = oracle.symbols(**dice)
    odds = ruleset("symbols").odds("test", **dice)
    same(odds, marginal(counted, lambda key: key[0]))
    assert odds.success == chance(counted, lambda key: key[0] > 0)
    for event, holds in {
        "boons": lambda key: key[1] > 0,
        "banes": lambda key: key[1] < 0,
        "crown": lambda key: key[2] > 0,
        "skull": lambda key: key[3] > 0,
    }.items():
        assert odds.events.get(event, 0) == chance(counted, holds)
    same(ruleset("symbols").odds("boons", **dice), marginal(counted, lambda key: key[1]))


@pytest.mark.parametrize("speciality", [True, False])
@pytest.mark.parametrize(("dice", "difficulty"), [(1, 6), (4, 6), (5, 9), (6, 2), (7, 10)])
def test_double_tens(dice: int, difficulty: int, speciality: bool) -> None:
    counted = oracle.double_tens(dice, difficulty, speciality)
    given = {"dice": dice, "difficulty": difficulty, "speciality": speciality}
    odds = ruleset("double-tens").odds("pool", target=2, **given)
    same(odds, marginal(counted, lambda key: max(key[1] - key[2], 0)))
    assert odds.success == chance(counted, lambda key: key[1] - key[2] >= 2)
    assert odds.events["botch"] == chance(counted, lambda key: key[0] == 0 < key[2])
    milder = ruleset("double-tens").odds("pool", options={"botch": "below_zero"}, **given)
    assert milder.events["botch"] == chance(counted, lambda key: key[1] < key[2])


@pytest.mark.parametrize("edge", ["none", "advantage", "disadvantage"])
@pytest.mark.parametrize("modifier", [-2, 0, 3])
def test_bands(modifier: int, edge: str) -> None:
    counted = oracle.bands(modifier, edge)
    odds = ruleset("bands-2d6").odds("move", modifier=modifier, edge=edge)
    same(odds, counted)
    assert odds.success == chance(counted, lambda total: total >= 7)
    assert odds.events.get("at_a_cost", 0) == chance(counted, lambda total: 7 <= total <= 9)
    assert odds.events.get("full", 0) == chance(counted, lambda total: total >= 10)


@pytest.mark.parametrize("bonus", [-2, -1, 0, 1, 2])
@pytest.mark.parametrize("skill", [0, 35, 50, 99])
def test_percentile(skill: int, bonus: int) -> None:
    counted = oracle.percentile(bonus)
    odds = ruleset("percentile").odds("skill", skill=skill, bonus=bonus)

    def level(n: int) -> int:
        if n == 1:
            return 4
        if n == 100 or (n >= 96 and skill < 50):
            return -1
        return sum(n <= skill // part for part in (1, 2, 5))

    same(odds, marginal(counted, level))
    assert odds.success == chance(counted, lambda n: level(n) > 0)


@pytest.mark.parametrize(("bonus", "target"), [(0, 11), (3, 14), (-2, 5)])
def test_doubles(bonus: int, target: int) -> None:
    counted = oracle.doubles(bonus, target)
    odds = ruleset("doubles-3d6").odds("test", bonus=bonus, target=target)
    same(odds, marginal(counted, lambda key: key[0]))
    assert odds.events["stunt"] == chance(counted, lambda key: key[1] > 0)
    points = ruleset("doubles-3d6").odds("stunt", bonus=bonus, target=target)
    same(points, marginal(counted, lambda key: key[1]))


@pytest.mark.parametrize("sides", [(6,), (12,), (8, 10), (12, 12)])
def test_steps_that_count(sides: tuple[int, ...]) -> None:
    counted = oracle.step_successes(*sides)
    names = zip(("attribute", "skill"), (f"d{n}" for n in sides), strict=False)
    odds = ruleset("step-successes").odds("test", target=2, **dict(names))
    same(odds, marginal(counted, lambda key: key[0]))
    assert odds.success == chance(counted, lambda key: key[0] >= 2)
    assert odds.events["warning"] == chance(counted, lambda key: key[1] > 0)
