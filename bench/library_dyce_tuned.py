"""Solves the cases with dyce, tuned by hand for speed.

Sums by doubling with `apply`, case distinctions up front, mixtures weighted by hand, the rest of a pool
added once and shifted: an expert puts into each formula what Handful's solver finds by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from math import comb
from operator import add
from typing import Any

from dyce import H, P
from dyce.h import aggregate_weighted

from cases import Faces, peer
from library_dyce import NONE, forget, keep

__all__ = ["forget", "read", "solver", "to_answer"]

MAX_ENUMERATED = 100_000  # `P.at` enumerates the dice that it keeps; beyond this a survey is faster


def times(h: Any, count: int, plus: Callable[[int, int], int] = add) -> Any:
    """Return the sum of some dice, by doubling as `@` does, but with `apply`, which is faster."""
    if count == 0:
        return NONE
    total = None
    while count:
        if count & 1:
            total = h if total is None else total.apply(plus, h)
        count >>= 1
        if count:
            h = h.apply(plus, h)
    return total


def rerolls(sides: int, threshold: int, dice: int, again: int) -> Any:
    hit = H({0: threshold - 1, 1: sides - threshold + 1})
    first = times(hit, dice)
    if again == 0:
        return first
    parts = []
    if again <= dice:  # enough dice have failed: all rerolls are used
        enough = H({hits: count for hits, count in first.items() if dice - hits >= again})
        parts.append((enough.apply(add, times(hit, again)), enough.total))
    for hits in range(max(dice - again + 1, 0), dice + 1):
        parts.append((times(hit, dice - hits).apply(add, hits), first[hits]))
    return aggregate_weighted(parts)


def opposed(sides: int, threshold: int, a: int, a_again: int, b: int, b_again: int) -> Any:
    acting = rerolls(sides, threshold, a, a_again)
    reacting = rerolls(sides, threshold, b, b_again)
    return acting.apply(lambda x, y: x - y if x > y else 0, reacting)


def explosions(faces: Faces, level: int, cap: int) -> Any:
    ended = H([face for face in faces if face < 2])
    more, sides = len(faces) - ended.total, len(faces)
    parts: list[Any] = [
        (ended.apply(add, wins), ended.total * more**wins * sides ** (cap - 1 - wins)) for wins in range(cap)
    ]
    parts.append((cap, more**cap))  # later throws lie beyond the cap, so this is exact
    one = aggregate_weighted(parts)
    one = one.apply(min, cap)
    return times(one, level, lambda x, y: x + y if x + y < cap else cap)


def without_highest(sides: int, dice: int) -> Any:
    """Return the sum of all dice but the highest, by the number of dice that show the highest face."""
    if dice == 1:
        return NONE
    parts = []
    for top in range(1, sides + 1):
        upto, below = H(top), H(top - 1)
        for tops in range(1 if top > 1 else dice, dice + 1):
            lower = times(below, dice - tops).apply(add, top * (tops - 1))
            parts.append((lower, upto.exactly_k_times_in_n(top, dice, tops)))
    return aggregate_weighted(parts)


def wild(sides: int, dice: int, removed: str, depth: int) -> Any:
    die = H(sides)
    rest = times(die, dice - 1)
    if removed == "nothing":
        spoiled = rest.apply(add, 1)
    else:
        spoiled = without_highest(sides, dice - 1).apply(add, 0 if removed == "pair" else 1)
    first = rest.apply(add, H(range(2, sides)))
    ended = rest.apply(add, H(range(1, sides)))
    parts = [(spoiled, sides**depth), (first, (sides - 2) * sides**depth)]
    for extra in range(1, depth):
        parts.append((ended.apply(add, sides * extra), (sides - 1) * sides ** (depth - extra)))
    parts.append((rest.apply(add, die).apply(add, sides * depth), sides))
    return aggregate_weighted(parts)


def group(faces: Faces, cap: int, judge: str, levels: tuple[int, ...]) -> Any:
    members = [explosions(faces, level, cap) for level in levels]
    join = {"max": max, "min": min, "average": add}[judge]
    return reduce(lambda one, other: one.apply(join, other), members)


def keep_or_list(sides: int, dice: int, kept: int) -> Any:
    if comb(sides + kept - 1, kept) > MAX_ENUMERATED:
        return keep(sides, dice, kept)
    return (dice @ P(sides)).at(slice(-kept, None))


solver, read, to_answer = peer(rerolls, opposed, explosions, wild, group, keep_or_list)
