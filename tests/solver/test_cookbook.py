"""The recipes of docs/cookbook.md against enumeration of their dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import reference

from handful import library

TOP = Path(__file__).parents[2]
GAME = library.reviewed(TOP / "docs" / "cookbook" / "ruleset.toml")
Chances = dict[Any, Fraction]


def counted(result: Callable[..., Any], *sides: int) -> Chances:
    """The chances of a result of every face of every die."""
    ways = Counter(result(faces) for faces in product(*(range(1, n + 1) for n in sides)))
    return {value: Fraction(n, ways.total()) for value, n in ways.items()}


def spread(check: str, **params: Any) -> Chances:
    return dict(GAME.odds(check, **params).distribution)


def test_the_recipes_are_one_game() -> None:
    kept = (TOP / "docs" / "cookbook" / "ruleset.toml").read_text(encoding="utf-8")
    assert kept == reference.cookbook(), "run tools/reference.py"


def test_every_recipe_of_the_issue_is_there() -> None:
    assert list(GAME.rules.checks) == [
        "explode_once",
        "explode_keep",
        "sixes_twice",
        "ones_cancel",
        "push_once",
        "advantage",
        "step_dice",
        "sets",
        "doom",
        "luck",
    ]


def test_explode_once() -> None:
    def total(faces: tuple[int, ...]) -> int:
        a, b, more_a, more_b = faces
        return a + b + (a == 6) * more_a + (b == 6) * more_b

    assert spread("explode_once", dice=2) == counted(total, 6, 6, 6, 6)


@pytest.mark.parametrize("keep", [1, 2])
def test_explode_then_keep(keep: int) -> None:
    """A die reads 6k + r with chance 1/6^(k+1); below 18 two tosses beyond the first decide."""
    one = {6 * k + r: Fraction(1, 6 ** (k + 1)) for k in range(3) for r in range(1, 6)}
    below: Chances = {}
    for dice in product(one, repeat=3):
        total = sum(sorted(dice)[-keep:])
        chance = one[dice[0]] * one[dice[1]] * one[dice[2]]
        below[total] = below.get(total, Fraction(0)) + chance
    odds = GAME.odds("explode_keep", dice=3, keep=keep)
    for total in range(1, 18):
        assert odds.distribution.get(total, 0) == below.get(total, 0), total


def test_sixes_count_twice() -> None:
    expected = counted(lambda f: sum((x >= 5) + (x == 6) for x in f), 6, 6, 6)
    assert spread("sixes_twice", dice=3) == expected


def test_ones_cancel() -> None:
    expected = counted(lambda f: max(sum((x >= 5) - (x == 1) for x in f), 0), 6, 6, 6, 6)
    assert spread("ones_cancel", dice=4) == expected


@pytest.mark.parametrize("policy", ["usual", "never"])
def test_push_once_at_a_cost(policy: str) -> None:
    def pushed(faces: tuple[int, ...]) -> tuple[int, bool]:
        first, second = faces[:3], faces[3:]
        if 6 in first or policy == "never":
            return first.count(6), False
        after = [x if x == 1 else y for x, y in zip(first, second, strict=True)]
        return after.count(6), 1 in after

    expected = counted(pushed, 6, 6, 6, 6, 6, 6)
    odds = GAME.odds("push_once", dice=3, policy=policy)
    assert odds.success == sum(p for (sixes, _), p in expected.items() if sixes)
    assert odds.events.get("price", 0) == sum(p for (_, price), p in expected.items() if price)


@pytest.mark.parametrize(("edge", "of"), [("advantage", max), ("disadvantage", min)])
def test_advantage(edge: str, of: Callable[..., int]) -> None:
    assert spread("advantage", edge=edge, bonus=3) == counted(lambda f: of(f) + 3, 20, 20)
    assert spread("advantage") == counted(lambda f: f[0], 20)


@pytest.mark.parametrize("step", [4, 8, 12])
def test_step_dice(step: int) -> None:
    assert spread("step_dice", step=step) == counted(max, step, 6)


def test_pairs_and_sets() -> None:
    def width(faces: tuple[int, ...]) -> int:
        return max(Counter(faces).values())

    expected = counted(width, 10, 10, 10, 10)
    odds = GAME.odds("sets", dice=4)
    assert dict(odds.distribution) == expected
    assert odds.events["triple"] == expected[3] + expected[4]


@pytest.mark.parametrize("doom", [0, 1, 2])
def test_doom_pool(doom: int) -> None:
    def won(faces: tuple[int, ...]) -> bool:
        own, theirs = faces[:3], faces[3:]
        return sum(sorted(own)[-2:]) >= 7 + max(theirs, default=0)

    expected = counted(won, 6, 6, 6, *(6,) * doom)
    assert GAME.odds("doom", dice=3, doom_dice=doom).success == expected.get(True, 0)


def test_luck_points_after_the_roll() -> None:
    def successes(faces: tuple[int, ...]) -> int:
        first, luck = faces[:3], list(faces[3:])
        n = sum(x >= 5 for x in first)
        return n + sum(luck.pop() >= 5 for _ in range(min(2, 3 - n)))

    assert spread("luck", dice=3, points=2) == counted(successes, 6, 6, 6, 6, 6)
