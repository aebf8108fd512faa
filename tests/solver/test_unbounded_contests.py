"""Contests of unbounded rolls, and checks that cannot be solved.

What is expected comes from closed forms, and from double sums whose rest is bounded.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from toy_rulesets import toy

from handful.errors import TooBig
from handful.odds import Odds, odds
from oracles.exploding import convolved, exploding, left_over


def solved(text: str, budget: int = 300_000) -> Odds:
    return odds(toy(text), budget=budget)


# --- endless against endless -----------------------------------------------------------------


@pytest.mark.parametrize(("mine", "theirs"), [((1, 6), (1, 6)), ((2, 4), (1, 6)), ((2, 3), (2, 2))])
def test_opposed_endless_numbers_lie_within_a_double_sum(
    mine: tuple[int, int], theirs: tuple[int, int]
) -> None:
    reach = 120
    sides = []
    for dice, faces in (mine, theirs):
        chances = [Fraction(1), *[Fraction(0)] * (reach - 1)]
        for _ in range(dice):
            chances = convolved(chances, exploding(faces, reach))
        sides.append(chances)
    least = sum(p * sum(sides[1][: n + 1]) for n, p in enumerate(sides[0]))
    text = "\n".join(
        f"{name} = sum(roll({dice}, d{faces}, more = {faces}))"
        for name, (dice, faces) in zip("ab", (mine, theirs), strict=True)
    )
    won = solved(f"{text}\nresult(total = min(a, 1), success = a >= b)").success
    assert isinstance(won, Fraction)
    assert least <= won <= least + left_over(sides[0]) + left_over(sides[1])
    assert left_over(sides[0]) < Fraction(1, 10**8)


def test_two_equal_exploding_dice_tie_as_the_closed_form_says() -> None:
    made = solved(
        "a = sum(roll(1, d6, more = 6))\nb = sum(roll(1, d6, more = 6))\nresult(total = 0, success = a > b)"
    )
    tie = 5 * Fraction(1, 36) / (1 - Fraction(1, 36))
    assert made.success == (1 - tie) / 2


def test_the_largest_of_three_endless_numbers() -> None:
    names = "abc"
    text = "\n".join(f"{name} = sum(roll(1, d6, more = 6))" for name in names)
    made = solved(f"{text}\nresult(total = max(a, b, c), success = a > b and a > c)")
    below = Fraction(0)
    for n, p in enumerate(exploding(6, 40)):
        if p:
            assert made.distribution[n] == (below + p) ** 3 - below**3
        below += p
    ties = [p for p in exploding(6, 600) if p]
    least, before = Fraction(0), Fraction(0)
    for p in ties:
        least += p * before**2
        before += p
    assert isinstance(made.success, Fraction)
    assert least <= made.success <= least + (1 - before)


def test_the_difference_of_endless_numbers_against_a_finite_bound() -> None:
    text = "a = sum(roll(1, d4, more = 4))\nb = sum(roll(1, d6, more = 6))\n"
    made = solved(text + "result(total = clamp(a - b, -2, 2), success = abs(a - b) <= 1)")
    a, b = exploding(4, 200), exploding(6, 200)
    near = sum(a[n] * b[m] for n in range(200) for m in (n - 1, n, n + 1) if 0 <= m < 200)
    assert isinstance(made.success, Fraction)
    assert near <= made.success <= near + left_over(a) + left_over(b)
    assert sum(made.distribution.values()) == 1


def test_means_of_unbounded_results_are_exact() -> None:
    text = "a = sum(roll(2, d6, again = 6))\nb = size(roll(3, d4, more = 4))\n"
    made = solved(text + "result(total = 2 * a + b / 2 - 3, success = None)")
    assert made.mean == 2 * 2 * Fraction(21, 5) + 3 * Fraction(4, 3) / 2 - 3


def test_the_highest_of_endless_dice_is_one_of_their_faces() -> None:
    made = solved("result(total = sum(highest(roll(2, d6, more = 6), 1)), success = None)")
    assert dict(made.distribution) == {face: Fraction(2 * face - 1, 36) for face in range(1, 7)}


# --- what cannot be solved -------------------------------------------------------------------


HOPELESS = {
    "a die that always goes on": "x = sum(roll(1, read(d2, [1, 1]), more = 1))",
    "a loop that never ends": "x = 1\nwhile x > 0:\n    x = sum(roll(1, d6))",
    "a loop that may never end": """
x = 1
while x != 7 and x != 0:
    y = sum(roll(1, d6))
    if x == 2 or y == 2:
        x = 2
    elif y == 1:
        x = 0""",
    "a tally that may fall": "x = 1\nwhile x > 0 and x < 9999:\n    x += 2 * sum(roll(1, d2)) - 3",
    "an endless number as a count": "x = sum(roll(sum(roll(1, d6, more = 6)), d6))",
    "an endless number for each place": "x = sum(roll(1, d6, more = 6)) % 7",
    "an endless list": "x = len(range(sum(roll(1, d6, more = 6))))",
    "no lower end": "x = 0 - sum(roll(1, d6, more = 6))",
    "no end on either side": "x = sum(roll(1, d4, more = 4)) - sum(roll(1, d6, more = 6))",
}


@pytest.mark.parametrize("text", HOPELESS.values(), ids=HOPELESS)
def test_unsolvable_checks_are_refused(text: str) -> None:
    with pytest.raises(TooBig):
        solved(f"{text}\nresult(total = x, success = None)", budget=50_000)
