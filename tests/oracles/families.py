"""The great families, counted in plain Python: every way that dice can land, one by one.

Nothing is shared with the package.  A function gives the chances of what it is asked for: keys are
tuples of the numbers named in its docstring.  Dice without end are cut after `DEEP` further
tosses by icepool; what lies below the cut is exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import factorial, prod
from typing import Any

import icepool

Chances = dict[Any, Fraction]
DEEP = 6


def landings(dice: int, groups: Sequence[int]) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Yield how many dice fall into each group of faces; a group is its number of faces."""
    sides = sum(groups)

    def counts(left: int, places: int) -> Iterator[tuple[int, ...]]:
        if places == 1:
            yield (left,)
            return
        for n in range(left + 1):
            for rest in counts(left - n, places - 1):
                yield (n, *rest)

    for found in counts(dice, len(groups)):
        ways = factorial(dice) // prod(map(factorial, found))
        yield (
            found,
            Fraction(ways * prod(g**n for g, n in zip(groups, found, strict=True)), sides**dice),
        )


def gathered(pairs: Iterator[tuple[Any, Fraction]]) -> Chances:
    chances: Chances = {}
    for key, chance in pairs:
        chances[key] = chances.get(key, Fraction(0)) + chance
    return chances


def throws(*sides: int) -> Iterator[tuple[int, ...]]:
    return product(*(range(1, n + 1) for n in sides))


def counted(ways: Iterator[Any]) -> Chances:
    """Chances of results that are equally likely one by one."""
    found = Counter(ways)
    return {key: Fraction(n, found.total()) for key, n in found.items()}


@cache
def ten_again(dice: int, successes: int, again: int = 10) -> Fraction:
    """The chance of just so many successes: one die after the other."""
    if successes < 0:
        return Fraction(0)
    if dice == 0:
        return Fraction(successes == 0)
    on = max(11 - again, 0)
    return (
        Fraction(7, 10) * ten_again(dice - 1, successes, again)
        + Fraction(3 - on, 10) * ten_again(dice - 1, successes - 1, again)
        + Fraction(on, 10) * ten_again(dice, successes - 1, again)
    )


def glitch(dice: int) -> Chances:
    """(hits, ones)"""
    return gathered(((hits, ones), p) for (ones, _, hits), p in landings(dice, (1, 3, 2)))


def push(attribute: int, skill: int, gear: int, target: int) -> Chances:
    """(successes, harm, wear), for who pushes while successes are missing"""

    def found() -> Iterator[tuple[Any, Fraction]]:
        for (a1, a, a6), p in landings(attribute, (1, 4, 1)):
            for (s, s6), q in landings(skill, (5, 1)):
                for (g1, g, g6), r in landings(gear, (1, 4, 1)):
                    hits, chance = a6 + s6 + g6, p * q * r
                    if hits >= target or a + s + g == 0:
                        yield (hits, 0, 0), chance
                        continue
                    for (b1, _, b6), x in landings(a, (1, 4, 1)):
                        for (_, t6), y in landings(s, (5, 1)):
                            for (h1, _, h6), z in landings(g, (1, 4, 1)):
                                key = hits + b6 + t6 + h6, a1 + b1, g1 + h1
                                yield key, chance * x * y * z

    return gathered(found())


def highest(dice: int) -> Chances:
    """(the die that counts, whether it is brilliant)"""
    if dice == 0:
        return counted((min(faces), False) for faces in throws(6, 6))
    return counted((max(faces), faces.count(6) > 1) for faces in throws(*[6] * dice))


def roll_and_keep(dice: int, keep: int) -> Chances:
    """Totals; exact below 10 * (DEEP + 1)"""
    die = icepool.d10.explode(depth=DEEP).highest(dice, keep)
    return {int(total): Fraction(n, die.denominator()) for total, n in die.items()}


def step(sides: int, wild: bool) -> Chances:
    """Totals; exact below 4 * (DEEP + 1)"""
    die = icepool.Die(range(1, sides + 1)).explode(depth=DEEP)
    if wild:
        die = icepool.highest(die, icepool.d6.explode(depth=DEEP))
    return {int(total): Fraction(n, die.denominator()) for total, n in die.items()}


def sets(dice: int, least: int = 1) -> Chances:
    """(width, height) of the widest set from some height on, of several the highest"""

    def best(faces: tuple[int, ...]) -> tuple[int, int]:
        found = Counter(face for face in faces if face >= least)
        width, height = max(((n, face) for face, n in found.items()), default=(0, 0))
        return (width, height) if width > 1 else (0, 0)

    return counted(best(faces) for faces in throws(*[10] * dice))


def best_two(*sides: int) -> Chances:
    """(total, effect die, ones)"""

    def best(faces: tuple[int, ...]) -> tuple[int, int, int]:
        dice = sorted(((f, -s) for f, s in zip(faces, sides, strict=True) if f > 1), reverse=True)
        effect = max((-size for _, size in dice[2:]), default=4)
        return sum(f for f, _ in dice[:2]), effect, faces.count(1)

    return counted(best(faces) for faces in throws(*sides))


# The faces of each kind of symbol die, a letter for each symbol: success, boon, crown.
GOOD = {
    "small_good": ["", "", "s", "sb", "bb", "b"],
    "good": ["", "s", "s", "ss", "b", "b", "sb", "bb"],
    "great": ["", "s", "s", "ss", "ss", "b", "sb", "sb", "sb", "bb", "bb", "sc"],
}
BAD = {
    "small_bad": ["", "", "s", "s", "b", "b"],
    "bad": ["", "s", "ss", "b", "b", "b", "bb", "sb"],
    "dire": ["", "s", "s", "ss", "ss", "b", "b", "sb", "sb", "bb", "bb", "sc"],
}


def symbols(**dice: int) -> Chances:
    """(net successes, net boons, crowns, skulls)"""
    chances: Chances = {(0, 0, 0, 0): Fraction(1)}
    for kind, count in dice.items():
        faces, sign = (GOOD[kind], 1) if kind in GOOD else (BAD[kind], -1)
        for _ in range(count):
            chances = gathered(
                (
                    (
                        s + sign * face.count("s"),
                        b + sign * face.count("b"),
                        crowns + face.count("c") * (sign > 0),
                        skulls + face.count("c") * (sign < 0),
                    ),
                    chance / len(faces),
                )
                for (s, b, crowns, skulls), chance in chances.items()
                for face in faces
            )
    return chances


def double_tens(dice: int, difficulty: int, speciality: bool) -> Chances:
    """(dice that reach it, successes before ones, ones)"""

    def found() -> Iterator[tuple[Any, Fraction]]:
        for counts, p in landings(dice, (1,) * 10):
            reached = sum(counts[difficulty - 1 :])
            yield (reached, reached + counts[9] * speciality, counts[0]), p

    return gathered(found())


def bands(modifier: int, edge: str) -> Chances:
    """totals"""
    ways = throws(6, 6) if edge == "none" else throws(6, 6, 6)
    if edge == "disadvantage":
        return counted(sum(sorted(faces)[:2]) + modifier for faces in ways)
    return counted(sum(sorted(faces)[-2:]) + modifier for faces in ways)


def percentile(bonus: int) -> Chances:
    """numbers from 1 to 100"""

    def number(faces: tuple[int, ...]) -> int:
        units, *tens = (face % 10 for face in faces)
        each = [10 * ten + units or 100 for ten in tens]
        return min(each) if bonus >= 0 else max(each)

    return counted(number(faces) for faces in throws(*[10] * (2 + abs(bonus))))


def doubles(bonus: int, target: int) -> Chances:
    """(total, stunt points)"""

    def found(faces: tuple[int, ...]) -> tuple[int, int]:
        total = sum(faces) + bonus
        return total, faces[2] if total >= target and len(set(faces)) < 3 else 0

    return counted(found(faces) for faces in throws(6, 6, 6))


def step_successes(*sides: int) -> Chances:
    """(successes, ones)"""
    return counted(
        (sum((face > 5) + (face > 9) for face in faces), faces.count(1)) for faces in throws(*sides)
    )
