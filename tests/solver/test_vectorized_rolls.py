"""Vectorized simulation: values of many rolls at once, and unusual rules."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import goodness_of_fit
import numpy as np
import pytest
from effort import sample
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rule_generator import write_game
from ruleset_cases import ruleset
from toy_rulesets import toy

from handful.dice import LandedDie, Pool
from handful.errors import HandfulError, Refused, RuleError, TooBig
from handful.odds import odds
from handful.roll import BoundCheck, Throw, resume, start
from handful.rules import operators
from handful.rules.expression_tree import Expr
from handful.rules.functions import FUNCTIONS
from handful.rules.operators import OPERATORS
from handful.simulate import simulate, simulate_dice
from handful.simulate.lanes import concatenate, evaluate
from handful.simulate.values import Booleans, Diverged, Numbers, Pools
from oracles.rolling import rolled_one_by_one

PROGRAMS = 40
ENDLESS = "a = sum(roll(2, d6, more = 6))\nb = sum(roll(3, d4, again = 4))\n"
TOO_BIG = ENDLESS + 'if a > b:\n    event("boom")\nresult(total = a - b, success = a > b)'


# -- values


whole = st.lists(st.integers(-9, 9), min_size=3, max_size=3)
parts = st.lists(st.fractions(-5, 5, max_denominator=6), min_size=3, max_size=3)


def numbers(values: list[Fraction]) -> Any:
    """Numbers, or just one where all are the same."""
    return concatenate([operators.normalize_number(Fraction(value)) for value in values], [1] * len(values))


def singly(values: object) -> list[object]:
    """The value of each roll."""
    if isinstance(values, Numbers):
        return [Fraction(int(numerators), values.denominator) for numerators in values.numerators]
    if isinstance(values, Booleans):
        return values.flags.tolist()
    return [values] * 3


@pytest.mark.parametrize("name", ["+", "-", "*", "/", "//", "%", "min", "max", ">=", "<", "=="])
@settings(max_examples=30)
@given(a=whole | parts, b=whole | parts)
def test_numbers_of_many_rolls_compute_like_single_ones(
    name: str, a: list[Fraction], b: list[Fraction]
) -> None:
    assume(name not in ("/", "//", "%") or all(b))
    function = (OPERATORS | FUNCTIONS).get(name, lambda one, other: operators.compare(name, one, other))
    expr = Expr(("call", function, (("name", "a"), ("name", "b"))))
    found = evaluate(expr, {"a": numbers(a), "b": numbers(b)})
    assert singly(found) == [
        function(operators.normalize_number(Fraction(one)), operators.normalize_number(Fraction(other)))
        for one, other in zip(a, b, strict=True)
    ]


def test_numbers_stay_within_the_range_of_an_array() -> None:
    large = Numbers(np.array([10**9, 1]))
    for grow in (lambda: large.add(1), lambda: large.scaled(2), lambda: large.add(large)):
        with pytest.raises(TooBig):
            grow()
    with pytest.raises(TooBig):
        Numbers(np.array([1, 2])).scaled(Fraction(1, 10**9 + 7))
    assert large.scaled(Fraction(1, 3)).scaled(3).numerators.tolist() == [10**9, 1]
    # each roll by itself stays small, though the largest of all would not
    assert large.times(Numbers(np.array([1, 10**9]))).numerators.tolist() == [10**9, 10**9]
    with pytest.raises(TooBig):
        large.times(Numbers(np.array([2, 1])))


def test_different_rolls_are_distinguished() -> None:
    with pytest.raises(Diverged) as parted:
        Numbers(np.array([3, 1, 3, 2])).resolve()
    assert [sorted(part.tolist()) for part in parted.value.parts] == [[1], [3], [0, 2]]
    with pytest.raises(Diverged):
        bool(Booleans(np.array([True, False])))
    assert Booleans(np.array([True, True])).holds()


pools = st.lists(st.lists(st.integers(1, 4), max_size=5), min_size=2, max_size=2)


def together_on_the_table(rolls: list[list[int]]) -> Pools:
    counts = [(r, np.array([one.count(r) for one in rolls])) for r in range(1, 5)]
    return Pools(len(rolls), counts)


@pytest.mark.sampled
@settings(max_examples=sample(12, 60))
@given(pools, st.integers(-1, 4), st.integers(0, 5))
def test_pools_of_many_rolls_are_like_single_ones(rolls: list[list[int]], k: int, number: int) -> None:
    many = together_on_the_table(rolls)
    looks = [
        lambda pool: pool.highest(k),
        lambda pool: pool.lowest(k),
        lambda pool: pool.passing(">=", number),
        lambda pool: pool.minus(pool.lowest(k)),
        lambda pool: pool.plus(pool.highest(k)).passing("!=", number),
    ]
    for look in looks:
        seen = look(many)
        for place, readings in enumerate(rolls):
            own = look(Pool(LandedDie(n, r, r) for n, r in enumerate(readings)))
            assert seen.total().numerators[place] == own.total()
            assert seen.size().numerators[place] == own.size()
    with pytest.raises(ValueError, match="not all in the pool"):
        many.minus(many.plus(Pools(2, [(3, np.array([1, 1]))])))


# -- rules


def written(seed: int, *, endless: bool) -> BoundCheck | None:
    try:
        return toy(*write_game(Random(seed), endless=endless))
    except HandfulError:
        return None  # a writer may make what is refused, for example as unreachable


@pytest.mark.parametrize("endless", [False, True])
def test_lockstep_odds_and_play_agree_on_random_rules(endless: bool) -> None:
    lockstep, played, tried = [], [], 0
    for seed in range(400):
        check = written(seed, endless=endless)
        if check is None:
            continue
        try:
            exact = odds(check)
            one_by_one = rolled_one_by_one(check, 150, seed)
            made = simulate_dice(check, count=3000, seed=seed)
        except HandfulError:
            continue  # such as a division by zero, which some ways to play do not reach
        assert not goodness_of_fit.contradictions(made.kinds, exact)
        assert not goodness_of_fit.contradictions(one_by_one, exact)
        lockstep.append(goodness_of_fit.chi_square(made.kinds, exact))
        played.append(goodness_of_fit.chi_square(one_by_one, exact))
        tried += 1
        if tried == PROGRAMS:
            break
    assert tried == PROGRAMS
    for statistics in (lockstep, played):
        assert goodness_of_fit.count_outliers(statistics) == 0
        assert abs(goodness_of_fit.pooled_deviation(statistics)) < goodness_of_fit.FAR


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1))
def test_unplayable_rules_cannot_be_simulated(seed: int) -> None:
    """A rule that fails in play, for some faces, fails in lockstep as well."""
    check = written(seed, endless=False)
    assume(check is not None)
    try:
        rolled_one_by_one(check, 60, seed)
    except RuleError:
        with pytest.raises(RuleError):
            simulate_dice(check, count=3000, seed=seed)


@pytest.mark.parametrize(
    "text",
    [
        "y = [0, 0]\nfor i in range(4):\n    z = sum(roll(1, d6))\n"
        "    y = [max(y), z]\nresult(total = sum(y), success = y[0] > y[1])",
        "t = sum(roll(1, d4)) > 2\nu = sum(roll(1, d4)) > 2\n"
        "result(total = 1 if t == u else 0, success = t and not u)",
        "n = sum(roll(1, d3))\nx = 0\nfor i in range(n):\n    x += sum(roll(i + 1, d4)) * n\n"
        "result(total = x / 3, success = x // 2 > 4)",
        "x = 0\nwhile x < 9 and x % 3 != 2:\n    x += sum(roll(1, d6))\nresult(total = x)",
        "p = roll(3, d6)\nq = reroll(p <= 3, d6, keep = 'worse')\n"
        "result(total = sum(highest(p - (p <= 3) + q, 2)))",
        "r = part(n = sum(roll(1, d6)))\nresult(total = r.v, success = r.w)",
    ],
)
def test_shapes_of_rules(text: str) -> None:
    rules = {"part": (("n",), "x = roll(n, d4 >= 3)\nresult(v = sum(x), w = size(x) > sum(x))")}
    check = toy(text, rules if "part(" in text else {})
    made, exact = simulate_dice(check, count=20_000, seed=3), odds(check)
    assert not goodness_of_fit.contradictions(made.kinds, exact)
    assert (
        abs(goodness_of_fit.pooled_deviation([goodness_of_fit.chi_square(made.kinds, exact)]))
        < goodness_of_fit.FAR
    )


def test_a_rule_that_is_too_big_is_rolled_die_by_die() -> None:
    check = toy(TOO_BIG)
    with pytest.raises(TooBig):
        odds(check)
    made = simulate(check, count=40_000, seed=1)
    assert (made.method, made.exact) == ("dice", None)
    played = rolled_one_by_one(check, 4000, 1)
    won = sum(n for (_, success, _, _), n in played.items() if success)
    assert made.success.chance == pytest.approx(won / 4000, abs=0.04)
    assert made.events["boom"] == made.success
    mean = sum(result * n for (result, _, _, _), n in played.items()) / 4000
    assert made.mean.value == pytest.approx(mean, abs=0.5)
    assert sum(one.count for one in made.distribution.values()) == 40_000


def test_rules_without_end_are_refused() -> None:
    for text in (
        "x = 1\nwhile x > 0:\n    x = sum(roll(1, d6))\nresult(total = x)",
        "x = 1\nwhile x > 0:\n    x = 3 - x\nresult(total = x)",
        "x = sum(roll(1, d6))\nwhile x > 0:\n    x = x * x + 1\nresult(total = x)",
        "result(total = sum(roll(1001, d6)))",
    ):
        with pytest.raises(TooBig):
            simulate_dice(toy(text), count=10, seed=1)


def test_many_dice_of_many_sides_fit_into_memory() -> None:
    made = simulate_dice(toy("result(total = sum(roll(1000, d1000)))"), count=2000, seed=1)
    assert made.mean.value == pytest.approx(500_500, abs=4 * made.mean.error)


# -- from the middle of a roll


def test_from_a_pause() -> None:
    check = ruleset("uwr").bind("direct", attribute=4, rerolls=2, target=3)
    node = resume(check, start(check), (1, 5, 3, 6))
    made, exact = simulate_dice(check, node, count=20_000, seed=5), odds(check, node)
    assert made.success.chance == pytest.approx(float(exact.success), abs=2 * made.success.error)
    assert not goodness_of_fit.contradictions(made.kinds, exact)
    never = simulate_dice(check, node, count=100, seed=5, policy="never")
    assert never.success.count == 0


def test_from_the_middle_of_an_endless_throw_and_of_a_called_rule() -> None:
    check = ruleset("tuurna").bind("check", level=4, difficulty=5)
    node = resume(check, start(check), (5, 6, 1, 2))
    assert isinstance(node.ask, Throw)
    assert len(node.frames) > 1
    made, exact = simulate_dice(check, node, count=20_000, seed=5), odds(check, node)
    assert not goodness_of_fit.contradictions(made.kinds, exact)
    assert made.success.chance == pytest.approx(float(exact.success), abs=2 * made.success.error)


def test_the_best_policy_needs_exact_odds() -> None:
    check = ruleset("uwr").bind("direct", attribute=3, rerolls=1, target=2)
    assert simulate(check, count=100, seed=1, policy="best").method == "table"
    with pytest.raises(TooBig, match="best"):
        simulate_dice(check, count=100, seed=1, policy="best")


@pytest.mark.parametrize(
    "wrong",
    [
        {"count": 0},
        {"count": -5},
        {"count": 10**12},
        {"count": 1.5},
        {"count": True},
        {"seed": -1},
        {"seed": "x"},
        {"workers": 0},
        {"workers": 10**6},
        {"policy": "hope"},
    ],
)
def test_refusals(wrong: dict[str, Any]) -> None:
    check = ruleset("uwr").bind("direct", attribute=3)
    with pytest.raises(Refused) as refusal:
        simulate_dice(check, **({"count": 10, "seed": 1} | wrong))
    assert str(next(iter(wrong.values()))) in refusal.value.message
