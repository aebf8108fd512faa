"""The bench's toys say what they should, so that the bench does not rot.

What is expected comes from sums over single dice that share nothing with the solver, and from the
peers that the bench measures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path

import pytest

import by_dyce
import by_icepool
import ours
from cases import COLUMNS, FAMILIES, TOY, Case
from commands import say
from compare import compare

TOYS = sorted((Path(__file__).parents[1] / "bench" / "toys").glob("*.toml"))
Chances = dict[int, Fraction]


def weighed(values: Iterable[tuple[int, Fraction]]) -> Chances:
    found: Counter[int] = Counter()
    for value, chance in values:
        found[value] += chance  # type: ignore[assignment]
    return {value: Fraction(chance) for value, chance in found.items() if chance}


def joined(join: Callable[[int, int], int], one: Chances, other: Chances) -> Chances:
    pairs = product(one.items(), other.items())
    return weighed((join(x, y), p * q) for (x, p), (y, q) in pairs)


def rerolls(sides: int, threshold: int, dice: int, again: int) -> Chances:
    p = Fraction(sides - threshold + 1, sides)

    def hits(count: int) -> Chances:
        return {k: comb(count, k) * p**k * (1 - p) ** (count - k) for k in range(count + 1)}

    return weighed(
        (first + late, chance * late_chance)
        for first, chance in hits(dice).items()
        for late, late_chance in hits(min(again, dice - first)).items()
    )


def opposed(sides: int, threshold: int, a: int, a_again: int, b: int, b_again: int) -> Chances:
    acting, reacting = rerolls(sides, threshold, a, a_again), rerolls(sides, threshold, b, b_again)
    return joined(lambda x, y: max(x - y, 0), acting, reacting)


def explosions(faces: tuple[int, ...], level: int, cap: int) -> Chances:
    one: Chances = {0: Fraction(1)}
    for _ in range(cap):
        later = [(wins + 1, chance * faces.count(2)) for wins, chance in one.items()]
        now = [(face, Fraction(faces.count(face))) for face in (0, 1)]
        one = {v: p / len(faces) for v, p in weighed([*now, *later]).items()}
    total: Chances = {0: Fraction(1)}
    for _ in range(level):
        total = joined(lambda x, y: min(x + y, cap), total, one)
    return total


def wild(sides: int, dice: int, removed: str, depth: int) -> Chances:
    def totals() -> Iterable[tuple[int, Fraction]]:
        each = Fraction(1, sides ** (dice - 1))
        for others in product(range(1, sides + 1), repeat=dice - 1):
            lost = {"highest": max(others), "pair": max(others) + 1, "nothing": 0}[removed]
            yield 1 + sum(others) - lost, each / sides
            for extra in range(depth + 1):
                for face in range(1 if extra else 2, sides):
                    yield sum(others) + sides * extra + face, each / sides ** (extra + 1)

    return weighed(totals())


def group(faces: tuple[int, ...], cap: int, judge: str, levels: tuple[int, ...]) -> Chances:
    join = {"max": max, "min": min, "average": int.__add__}[judge]
    first, *others = (explosions(faces, level, cap) for level in levels)
    for other in others:
        first = joined(join, first, other)
    return first


def keep(sides: int, dice: int, kept: int) -> Chances:
    each = Fraction(1, sides**dice)
    pools = product(range(1, sides + 1), repeat=dice)
    return weighed((sum(sorted(pool)[-kept:]), each) for pool in pools)


ORACLES: dict[str, Callable[..., Chances]] = {
    "rerolls": rerolls,
    "opposed": opposed,
    "explosions": explosions,
    "wild die": wild,
    "group": group,
    "keep": keep,
}
FEW: dict[str, list[Case]] = {
    "rerolls": [(10, 8, 4, 0), (10, 6, 7, 2), (10, 7, 3, 5)],
    "opposed": [(10, 8, 5, 2, 4, 1), (10, 8, 4, 0, 6, 3)],
    "explosions": [FAMILIES["explosions"].toy[level] for level in (0, 3, 17)],
    "wild die": [(10, 3, removed, 12) for removed in ("highest", "pair", "nothing")],
    "group": [FAMILIES["group"].toy[place] for place in (0, 13, 26)],
    "keep": [(4, 4, 3), (7, 4, 2), (12, 3, 1), (16, 3, 2)],
}


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.stem)
def test_toys_have_no_mistakes(toy: Path) -> None:
    assert say(["lint", str(toy)]).status == 0


@pytest.mark.parametrize("family", FAMILIES)
def test_toys_agree_with_sums_over_single_dice(family: str) -> None:
    for case in FEW[family]:
        answer = ours.answer(family, TOY, case)
        found = {value: Fraction(*chance) for value, *chance in answer["chances"]}
        expected = ORACLES[family](*case)
        if answer["left"]:
            expected = {v: p for v, p in expected.items() if v < answer["left"][0]}
        assert found == expected


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("family", FAMILIES)
def test_all_libraries_are_asked_the_same(family: str, column: str) -> None:
    cases = [FAMILIES[family].warm[column], FAMILIES[family].cases(column)[4]]
    libraries = {"handful": ours, "icepool": by_icepool, "dyce": by_dyce}
    compare(
        family,
        cases,
        {
            name: [library.answer(family, column, case) for case in cases]
            for name, library in libraries.items()
        },
    )


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_no_case_is_asked_twice(family: object) -> None:
    for column in COLUMNS:
        cases = [FAMILIES[family.name].warm[column], *family.cases(column)]  # type: ignore[attr-defined]
        assert len(set(cases)) == len(cases)
