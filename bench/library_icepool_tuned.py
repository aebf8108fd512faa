"""Solves the cases with icepool, tuned by hand for speed.

Sums by doubling, case distinctions up front, mixtures weighted by hand, the rest of a pool added once and
shifted: an expert puts into each formula what Handful's solver finds by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import icepool
from icepool import Die

from cases import Faces, peer
from library_icepool import forget, fresh_die, keep

__all__ = ["forget", "read", "solver", "to_answer"]


def times(die: Any, count: int, add: Callable[[Any, Any], Any] = lambda a, b: a + b) -> Any:
    """Return the sum of some dice, by doubling: faster than `count @ die` without its cache."""
    if count == 0:
        return Die([0])
    total = None
    while count:
        if count & 1:
            total = die if total is None else add(total, die)
        count >>= 1
        if count:
            die = add(die, die)
    return total


def rerolls(sides: int, threshold: int, dice: int, again: int) -> Any:
    hit = Die({0: threshold - 1, 1: sides - threshold + 1})
    first = times(hit, dice)
    if again == 0:
        return first
    parts, weights = [], []
    if again <= dice:  # enough dice have failed: all rerolls are used
        enough = first.truncate(max_outcome=dice - again)
        parts.append(enough + again @ hit)
        weights.append(enough.denominator())
    for hits in range(max(dice - again + 1, 0), dice + 1):
        parts.append((dice - hits) @ hit + hits)
        weights.append(first.quantity(hits))
    return Die(parts, weights)


def opposed(sides: int, threshold: int, a: int, a_again: int, b: int, b_again: int) -> Any:
    acting = rerolls(sides, threshold, a, a_again)
    reacting = rerolls(sides, threshold, b, b_again)
    return acting.binary_operator(reacting, lambda x, y: x - y if x > y else 0)


def explosions(faces: Faces, level: int, cap: int) -> Any:
    ended = Die([face for face in faces if face < 2])
    more, sides = faces.count(2), len(faces)
    parts = [*(ended + wins for wins in range(cap)), cap]
    weights = [(sides - more) * more**wins * sides ** (cap - 1 - wins) for wins in range(cap)]
    weights.append(more**cap)  # later throws lie beyond the cap, so this is exact
    one = Die(parts, weights).clip(max_outcome=cap)
    return times(one, level, lambda a, b: a.binary_operator(b, lambda x, y: min(x + y, cap)))


def wild(sides: int, dice: int, removed: str, depth: int) -> Any:
    die = fresh_die(sides)
    rest = times(die, dice - 1)
    spoiled = rest + 1
    if removed != "nothing":
        spoiled = die.lowest(dice - 1, dice - 2) + (0 if removed == "pair" else 1)
    parts = [spoiled, rest + Die(range(2, sides))]
    weights = [sides**depth, (sides - 2) * sides**depth]
    ended = rest + Die(range(1, sides))
    for extra in range(1, depth):
        parts.append(ended + sides * extra)
        weights.append((sides - 1) * sides ** (depth - extra))
    parts.append(rest + die + sides * depth)
    weights.append(sides)
    return Die(parts, weights)


def group(faces: Faces, cap: int, judge: str, levels: tuple[int, ...]) -> Any:
    members = [explosions(faces, level, cap) for level in levels]
    if judge == "max":
        return icepool.highest(members)
    if judge == "min":
        return icepool.lowest(members)
    return sum(members[1:], members[0])


solver, read, to_answer = peer(rerolls, opposed, explosions, wild, group, keep)
