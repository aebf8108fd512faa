"""The walk (delayed sampling over sources of undrawn dice): every technique, against other methods."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import pytest
from toy_rulesets import Rules, toy

from handful.errors import HandfulError, RuleError, TooBig
from handful.odds import Odds, odds, solve_odds
from handful.solver.solver import BUDGET, SolvedRules, Solver
from handful.solver.walk.changes import occupancies
from handful.solver.walk.values import EMPTY, OpenDice


def answer(text: str, method: str, rules: Rules | None = None, budget: int = BUDGET, **numbers: int) -> Odds:
    check = toy(text, rules, **numbers)
    solver = Solver(SolvedRules(check.ruleset), check.options, "usual", budget, method=method)
    return solve_odds(solver, check, None, "usual")


PUSH = """pool = roll(4, d6)
wild = roll(2, d6, "wild")
hits = size(pool == 6) + size(wild == 6)
if hits < 2:
    again = pool - (pool == 6) - (pool == 1)
    pool = (pool == 6) + (pool == 1) + reroll(again, d6, keep = "new")
    hits = size(pool == 6) + size(wild == 6)
    if size(pool == 1) > 0:
        event("boom")
result(total = hits, success = hits >= 2)"""
HUNGER = """pool = roll(3, d10)
beast = roll(1, d10, "wild")
tens = size(pool == 10) + size(beast == 10)
n = size(pool >= 6) + size(beast >= 6) + tens // 2 * 2
if n < 3:
    redo = choose("pick", pool, 2, usual = lowest(pool < 6, 2))
    pool = pool - redo + reroll(redo, d10, keep = "new")
    tens = size(pool == 10) + size(beast == 10)
    n = size(pool >= 6) + size(beast >= 6) + tens // 2 * 2
if n >= 3 and tens >= 2 and size(beast == 10) > 0:
    event("boom")
result(total = n, success = n >= 3)"""
TECHNIQUES = {
    "push": PUSH,
    "hunger": HUNGER,
    "spawning": "p = roll(3, d6)\nq = roll(p >= 5, d6)\nresult(total = size(q >= 3) + size(p == 6))",
    "spawning twice": (
        "p = roll(3, d4)\nq = roll(p >= 3, d4)\nr = roll(q == 4, d4)\nresult(total = sum(r) - size(p == 4))"
    ),
    "better stays": "p = roll(3, d6)\nq = reroll(p < 4, d6)\nresult(total = size(q + (p >= 4) >= 5))",
    "worse stays": (
        'p = roll(3, d6)\nq = reroll(p, d6, keep = "worse")\nresult(total = sum(q) - size(p == 6))'
    ),
    "ranked together": (
        "p = roll(2, d6)\nq = roll(2, d4)\nb = highest(p + q, 2)\nresult(total = sum(b) + size(p == 6))"
    ),
    "the rest of the best": (
        "p = roll(4, d6)\nb = highest(p, 2)\nresult(total = sum(b) * 10 + size(p - b < 3))"
    ),
    "face by face": (
        "p = roll(4, d6)\nn = 0\nfor i in range(6):\n    n = max(n, size(p == i + 1))\nresult(total = n)"
    ),
    "runs": (
        "p = roll(4, d6)\nrun = 0\nbest = 0\nfor i in range(6):\n"
        "    run = run + 1 if size(p == i + 1) > 0 else 0\n"
        "    best = max(best, run)\nresult(total = best, success = best >= 3)"
    ),
    "a function of two throws": (
        "a = sum(roll(2, d6))\nb = sum(roll(2, d6))\nresult(total = max(a, b) % 4 + min(a, b) // 3)"
    ),
    "fractions": "a = sum(roll(3, d6)) / 2\nb = sum(roll(2, d4)) / 3\nresult(total = a - b, success = a > b)",
    "a look-up": "a = sum(roll(2, d4))\nx = [0, 1, 1, 2, 3, 5, 8, 13, 21][a]\nresult(total = x + a)",
    "a text by dice": (
        'a = sum(roll(1, d6))\nw = ["low", "high"][a // 4]\nresult(total = 1 if w == "high" else 0)'
    ),
    "widest": "p = roll(4, d6)\nw = widest(p)\nresult(total = 10 * size(w) + sum(w) + size(p == 1))",
    "nothing is left": "p = roll(3, d6)\np = p - p\nresult(total = size(p) + sum(highest(p, 2)))",
    "two truths": (
        "p = roll(3, d6)\na = size(p == 6) > 0\nb = size(p == 1) > 0\n"
        "result(total = size(p > 3), success = a and not b)"
    ),
}


@pytest.mark.parametrize("text", TECHNIQUES.values(), ids=TECHNIQUES)
def test_the_walk_agrees_with_states_in_layers(text: str) -> None:
    walked = answer(text, "walk")
    assert walked == answer(text, "layers")
    assert sum(walked.distribution.values()) == 1


CALLS = {
    "open arguments": ("a = sum(roll(2, d6))\ny = f(n = a)\nresult(total = y.v, success = y.w)", "n"),
    "an open pool": ("a = roll(2, d6)\ny = f(n = size(a >= 4))\nresult(total = y.v + size(a == 6))", "n"),
    "known arguments": ("a = f(n = 3)\nb = f(n = 3)\nresult(total = a.v - b.v, success = a.w and b.w)", "n"),
}


@pytest.mark.parametrize(("text", "name"), CALLS.values(), ids=CALLS)
def test_called_rules_become_part_of_the_walk(text: str, name: str) -> None:
    dice = {"f": ((name,), "x = size(roll(n, d4) >= 3)\nresult(v = x, w = x > 1)")}
    pure = {"f": ((name,), "result(v = n // 2, w = n > 1)")}
    for rules in (dice, pure):
        assert answer(text, "walk", rules) == answer(text, "layers", rules)


def test_a_straight_in_eight_dice() -> None:
    """Refused before: the number of throws whose longest run of faces is at least five."""
    made = answer(TECHNIQUES["runs"].replace("4, d6", "6, d6").replace(">= 3", ">= 5"), "")
    hit = 0
    for dice in product(range(6), repeat=6):
        faces = {*dice}
        hit += any(faces >= {*range(low, low + 5)} for low in range(2))
    assert made.success == Fraction(hit, 6**6)


def test_hits_of_many_dice_that_are_thrown_again() -> None:
    """A die succeeds with 1/2, or with the second throw if it was one of the ones."""
    made = answer(
        'p = roll(12, d6)\np = p - (p == 1) + reroll(p == 1, d6, keep = "new")\nresult(total = size(p >= 4))',
        "",
    )
    chance = Fraction(1, 2) + Fraction(1, 6) * Fraction(1, 2)
    for hits in range(13):
        expected = comb(12, hits) * chance**hits * (1 - chance) ** (12 - hits)
        assert made.distribution[hits] == expected


@pytest.mark.parametrize("dice", [1, 2, 5])
@pytest.mark.parametrize("groups", [1, 2, 4])
def test_occupancies_are_the_multinomial_theorem(dice: int, groups: int) -> None:
    found = [*occupancies(dice, groups)]
    assert len(found) == comb(dice + groups - 1, groups - 1)
    assert sum(ways for _, ways in found) == groups**dice


def test_pools_are_multisets() -> None:
    pool = OpenDice({1: ((1,), (2, 5), ())}, {3: 2, 4: 0})
    assert pool.known == {3: 2}
    assert pool.minus(OpenDice({1: ((1,), (5,), ())}, {3: 1})) == OpenDice({1: ((), (2,), ())}, {3: 1})
    assert pool.plus(EMPTY) == pool
    assert pool.passing(">=", 3) == OpenDice({1: ((), (5,), ())}, {3: 2})
    assert hash(pool) == hash(OpenDice(pool.parts, pool.known))


# --- refusals and mistakes -----------------------------------------------------------------------


@pytest.mark.proof  # a minute: layers, which go on after the walk, charge for kept dice too late
def test_work_is_charged_before_it_is_done() -> None:
    text = (
        "p = roll(30, d20)\nq = p - highest(p, 9)\nresult(total = sum(q) * size(p == 1) + size(p > 3) // 2)"
    )
    with pytest.raises(TooBig):
        answer(text, "walk", budget=20_000)


def test_the_budget_does_not_depend_on_earlier_questions() -> None:
    check = toy(HUNGER)
    solved = SolvedRules(check.ruleset)

    def work() -> int:
        solver = Solver(solved, check.options)
        before = solver.remaining
        solver.solve_rule("c", check.args, frozenset(("total", "success")))
        return before - solver.remaining

    assert work() == work() > 0


@pytest.mark.parametrize(
    "text",
    [
        "p = roll(2, d6)\nx = 1 // (size(p == 1) - 1)\nresult(total = x + size(p == 2))",
        "p = roll(2, d6)\nx = [1, 2][size(p == 1)]\nresult(total = x + size(p == 2))",
        "p = roll(2, d6)\nx = sum(p, [1, 2, 3])\nresult(total = x + size(p == 2))",
    ],
)
def test_mistakes_are_reported_with_their_line(text: str) -> None:
    errors: list[Any] = []
    for method in ("walk", "layers"):
        with pytest.raises(RuleError) as caught:
            answer(text, method)
        errors.append((caught.value.line, str(caught.value)))
    assert errors[0] == errors[1]


def test_a_mistake_where_nobody_comes_is_none() -> None:
    text = "x = size(roll(2, d6) == 7)\nif x > 0:\n    x = 1 // n\nresult(total = x)"
    made = answer(text, "walk", n=0)
    assert made.distribution == {0: 1}


# --- endless dice --------------------------------------------------------------------------------


def test_exploding_dice_may_be_looked_at_twice() -> None:
    """Refused before: how many hits, and how many sixes, of dice that bring others."""
    made = answer("p = roll(3, d6, more = 6)\nresult(total = size(p >= 4), success = size(p == 6) >= 2)", "")
    sixes = [comb(k + 2, k) * Fraction(1, 6) ** k * Fraction(5, 6) ** 3 for k in range(12)]
    assert made.success == 1 - sixes[0] - sixes[1]
    others = [comb(3, k) * Fraction(2, 5) ** k * Fraction(3, 5) ** (3 - k) for k in range(4)]
    for hits in range(8):
        assert made.distribution[hits] == sum(sixes[hits - k] * others[k] for k in range(min(hits, 3) + 1))
    assert made.mean == 3 * Fraction(1, 2) / Fraction(5, 6)


def test_dice_that_add_on_may_be_counted() -> None:
    """A d6 that adds on reaches 8 with 1/6 * 5/6."""
    made = answer("p = roll(5, d6, add = 6)\nresult(total = size(p >= 8))", "")
    chance = Fraction(5, 36)
    assert made.distribution == {
        hits: comb(5, hits) * chance**hits * (1 - chance) ** (5 - hits) for hits in range(6)
    }


def test_the_best_of_exploding_dice() -> None:
    """Two dice, each of which brings another on a six: the sum of the best two."""
    made = answer("p = roll(1, d6, more = 6)\nresult(total = sum(highest(p, 2)))", "")
    assert made.distribution == {
        **{n: Fraction(1, 6) for n in range(1, 6)},
        **{6 + n: Fraction(1, 36) for n in range(1, 6)},
        12: Fraction(1, 36),
    }


ENDLESS = {
    "a sum": "p = roll(2, d6, more = 6)\nresult(total = sum(p), success = sum(p) >= 9)",
    "with other dice": "p = roll(2, d6, again = 6)\nq = roll(3, d6)\nx = size(p >= 5) + size(q == 6)\n"
    "result(total = min(x, 4), success = x > size(q > 3))",
    "two of them": "x = sum(roll(2, d4, more = 4)) + 2 * size(roll(1, d6, more = 6) >= 5)\nresult(total = x)",
    "no reading explodes": "p = roll(2, d4, more = 5)\nresult(total = sum(p), success = sum(p) > 5)",
}


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_endless_dice_agree_with_states_in_layers(text: str) -> None:
    assert answer(text, "walk") == answer(text, "layers")


def test_unbounded_rules_are_left_to_the_other_method() -> None:
    text = "x = 0\nlast = 0\nwhile last != 3:\n    last = sum(roll(1, d3))\n    x += last\nresult(total = x)"
    assert answer(text, "walk") == answer(text, "layers") == odds(toy(text))


def test_loops_by_dice_are_left_to_the_other_method() -> None:
    text = "x = 0\nfor i in range(size(roll(3, d6) > 3)):\n    x += i\nresult(total = x)"
    assert answer(text, "walk") == answer(text, "layers")


def test_both_methods_are_methods_of_one_error() -> None:
    with pytest.raises(HandfulError):
        answer("result(total = sum(roll(1001, d6)))", "walk")
