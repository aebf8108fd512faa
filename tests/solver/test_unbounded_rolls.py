"""Unbounded rolls against closed forms and sums computed here.

Each check is a toy rule text; what is expected comes from arithmetic that shares nothing with the
solver: geometric series, recursions over tallies, and double sums whose rest is bounded.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from toy_rulesets import Rules, toy

from handful.odds import Odds, odds
from oracles.exploding import convolved, exploding


def solved(text: str, rules: Rules | None = None, budget: int = 300_000) -> Odds:
    return odds(toy(text, rules), budget=budget)


def same(one: Odds, other: Odds) -> bool:
    return (one.distribution, one.tail, one.mean, one.success, one.events) == (
        other.distribution,
        other.tail,
        other.mean,
        other.success,
        other.events,
    )


# --- explosions ------------------------------------------------------------------------------


BY_HAND = """
total = 0
last = 6
while last == 6:
    last = sum(roll(1, d6))
    total += last
result(total = total, success = total >= 11)
"""


@pytest.mark.parametrize("word", ["more", "again"])
def test_an_explosion_written_as_a_loop_is_the_same(word: str) -> None:
    short = f"total = sum(roll(1, d6, {word} = 6))\nresult(total = total, success = total >= 11)"
    assert same(solved(BY_HAND), solved(short))


def test_two_exploding_dice_are_the_sum_of_two_loops() -> None:
    twice = "a = one()\nb = one()\nresult(total = a.total + b.total, success = None)"
    loop = BY_HAND.replace(", success = total >= 11", "")
    short = "result(total = sum(roll(2, d6, more = 6)), success = None)"
    assert same(solved(twice, {"one": ([], loop)}), solved(short))


@pytest.mark.parametrize("sides", [2, 4, 6])
@pytest.mark.parametrize("dice", [1, 2, 3])
def test_an_exploding_total_has_its_series_and_mean(sides: int, dice: int) -> None:
    made = solved(f"result(total = sum(roll({dice}, d{sides}, more = {sides})), success = None)")
    chances = [Fraction(1), *[Fraction(0)] * 39]
    for _ in range(dice):
        chances = convolved(chances, exploding(sides, 40))
    assert {n: p for n, p in made.distribution.items() if n < 40} == {
        n: p for n, p in enumerate(chances) if p and n in made.distribution
    }
    # one die: (sides + 1) / 2 for each of the sides / (sides - 1) throws
    assert made.mean == dice * Fraction(sides * (sides + 1), 2 * (sides - 1))
    assert made.tail is not None
    assert sum(made.distribution.values()) + made.tail.probability == 1


def test_a_capped_unbounded_total_ends() -> None:
    made = solved("result(total = min(sum(roll(1, d6, more = 6)), 10), success = None)")
    below = exploding(6, 10)
    assert made.tail is None
    assert made.distribution == {
        **{n: p for n, p in enumerate(below) if p},
        10: 1 - sum(below),
    }


def test_dice_that_read_otherwise_explode_too() -> None:
    # reads 0 0 1 1 2 2, from 2 on it goes on: the series of (1 + x) / (3 - x**2)
    made = solved("result(total = sum(roll(1, read(d6, [0, 0, 1, 1, 2, 2]), more = 2)))")
    assert made.distribution[0] == made.distribution[1] == Fraction(1, 3)
    assert made.distribution[6] == made.distribution[7] == Fraction(1, 81)
    assert made.mean == Fraction(3, 2)


# --- loops -----------------------------------------------------------------------------------


def test_craps_pass_line() -> None:
    text = """
first = sum(roll(2, d6))
point = first
won = first == 7 or first == 11
if not won and first != 2 and first != 3 and first != 12:
    last = 0
    while last != point and last != 7:
        last = sum(roll(2, d6))
    won = last == point
result(total = first, success = won)
"""
    assert solved(text).success == Fraction(244, 495)


def test_reroll_until_is_a_smaller_die() -> None:
    text = "x = 6\nwhile x > 4:\n    x = sum(roll(1, d6))\nresult(total = x, success = x == 4)"
    assert solved(text).distribution == dict.fromkeys((1, 2, 3, 4), Fraction(1, 4))


@pytest.mark.parametrize("goal", [1, 7, 20, 60])
def test_a_tally_with_a_threshold(goal: int) -> None:
    total = f"total = 0\nwhile total < {goal}:\n    total += sum(roll(1, d6))\n"
    made = solved(total + "result(total = total, success = None)")
    at = [Fraction(0)] * (goal + 6)
    at[0] = Fraction(1)
    for n in range(goal):
        for face in range(1, 7):
            at[n + face] += at[n] / 6
    assert made.distribution == {n: p for n, p in enumerate(at) if n >= goal and p}


def test_the_number_of_throws_until_a_six_is_geometric() -> None:
    made = solved(
        "n = 0\nx = 0\nwhile x != 6:\n    x = sum(roll(1, d6))\n    n += 1\n"
        "result(total = n, success = n <= 3)"
    )
    assert made.mean == 6
    assert made.success == 1 - Fraction(5, 6) ** 3
    assert made.distribution[40] == Fraction(1, 6) * Fraction(5, 6) ** 39


def test_the_number_of_throws_that_a_tally_needs() -> None:
    text = """
total = 0
n = 0
while total < 6:
    total += sum(roll(1, d6))
    n += 1
result(total = n, success = None)
"""
    assert solved(text).mean == Fraction(7, 6) ** 5  # each value below 6 is met with (7/6)**k / 6


def test_two_states_that_lead_to_each_other() -> None:
    # 1 turns left into right, 2 stays, the rest ends; from right 1 goes back, 2 and 3 stay
    text = """
side = 0
last = 1
while last <= 2 or (side == 1 and last == 3):
    last = sum(roll(1, d6))
    if last == 1:
        side = 1 - side
result(total = side, success = None)
"""
    ends_left, ends_right = Fraction(4, 6), Fraction(3, 6)
    visits_left = 1 / (1 - Fraction(1, 6) - Fraction(1, 6) * Fraction(1, 6) / (1 - Fraction(2, 6)))
    visits_right = visits_left * Fraction(1, 6) / (1 - Fraction(2, 6))
    made = solved(text).distribution
    assert made == {0: visits_left * ends_left, 1: visits_right * ends_right}


def test_a_tally_that_is_lost_on_a_one() -> None:
    text = """
total = 0
last = 0
while last != 6:
    last = sum(roll(1, d6))
    if last == 1:
        total = 0
    elif last != 6:
        total += last
result(total = total, success = None)
"""
    made = solved(text)
    # visits V(x) = 1 + V(1)/6 + V(x) (x**2 + x**3 + x**4 + x**5)/6, and a sixth of them end
    assert made.mean == 7
    assert [made.distribution[n] for n in (0, 2, 4)] == [Fraction(1, 3), Fraction(1, 18), Fraction(7, 108)]


def test_nested_loops() -> None:
    text = """
rounds = 0
inner = 0
while inner != 1:
    inner = 0
    while inner == 0:
        inner = sum(roll(1, read(d4, [0, 0, 1, 2])))
    rounds += 1
result(total = rounds, success = rounds == 1)
"""
    made = solved(text)
    assert (made.success, made.mean) == (Fraction(1, 2), 2)


FLIPS = "n = 0\nx = 0\nwhile x != 2:\n    x = sum(roll(1, d2))\n    n += 1\nresult(n = n)"


def test_loops_one_after_the_other_in_rules_of_their_own() -> None:
    text = "a = flips()\nb = flips()\nresult(total = min(a.n, b.n), success = a.n > b.n)"
    made = solved(text, {"flips": ([], FLIPS)})
    assert made.success == Fraction(1, 3)
    assert made.distribution[3] == Fraction(3, 64)


def test_decisions_after_a_loop_do_not_matter_inside_it() -> None:
    text = FLIPS.replace(
        "result(n = n)",
        """
if n >= 3:
    event("boom")
    n = 3
y = sum(roll(1, d6))
while y > 2:
    y = sum(roll(1, d6))
result(total = n, success = y * n > 3)""",
    )
    made = solved(text)
    assert made.distribution == {1: Fraction(1, 2), 2: Fraction(1, 4), 3: Fraction(1, 4)}
    assert made.events == {"boom": Fraction(1, 4)}
    assert made.success == Fraction(1, 4)


def test_a_tie_that_is_rolled_again() -> None:
    text = """
a = 0
b = 0
while a == b:
    a = sum(roll(2, d6))
    b = sum(roll(1, d6)) + 3
result(total = a, success = a > b)
"""
    wins = ties = 0
    for one, two, three in product(range(1, 7), repeat=3):
        wins += one + two > three + 3
        ties += one + two == three + 3
    assert solved(text).success == Fraction(wins, 216 - ties)
