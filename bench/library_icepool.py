"""Solves the cases with icepool in its own idiom: the check expressed with its documented API.

Of several formulations the fastest exact one is used.
Slower alternatives that were tried, in microseconds per case on one machine (the ones used in brackets):

- rerolls: `reroll_to_pool` 6,400, a map to pairs 2,570, `pool(n).sum()` for the first throw 2,130
  (`map` 1,950)
- opposed: `map` over both sides 3,670, `reduce` 3,710, `clip` 3,550 (3,310)
- explosions: capped only at the end 13,800, each die and the end capped 12,400, `reduce` 6,430,
  `pool(n).sum()` 94,000, `explode_to_pool` 4,200,000 (`map` with `repeat` 2,730)
- wild die: `map` over the exploded die 15,900, over its first face 8,570 (`if_else` 8,300)
- group: `map` with `repeat` 5,740, the members as a `Pool` 19,700 (4,450)
- keep: `keep` and `pool(n).highest(k).sum()` are the same thing

A die caches its sums and an evaluator its pools, so each case creates its dice anew and `forget` clears the
evaluators.
"""

from __future__ import annotations

from typing import Any

import icepool
from icepool import Again, Die
from icepool.evaluator import basic
from icepool.evaluator import keep as keeping

from cases import Faces, peer


def forget() -> None:
    for evaluator in (basic.sum_evaluator, keeping.keep_evaluator):
        vars(evaluator).pop("_cache", None)


def fresh_die(sides: int) -> Any:
    """Return a fresh die; `icepool.d` caches its dice."""
    return Die(range(1, sides + 1))


def rerolls(sides: int, threshold: int, dice: int, again: int) -> Any:
    hit = icepool.coin(sides - threshold + 1, sides)
    return (dice @ hit).map(lambda hits: hits + min(again, dice - hits) @ hit)


def opposed(sides: int, threshold: int, a: int, a_again: int, b: int, b_again: int) -> Any:
    acting = rerolls(sides, threshold, a, a_again)
    reacting = rerolls(sides, threshold, b, b_again)
    return (acting - reacting).map(lambda net: max(net, 0))


def exploding(faces: Faces, cap: int) -> Any:
    """Return one exploding die: a 2 counts 1 and is thrown again, until the cap is certain."""
    return Die(faces).map({2: 1 + Again}, again_depth=cap)


def explosions(faces: Faces, level: int, cap: int) -> Any:
    """Add dice one by one to a total that stops at the cap."""
    die = exploding(faces, cap)
    return icepool.map(lambda total, one: min(total + one, cap), 0, die, repeat=level)


def wild(sides: int, dice: int, removed: str, depth: int) -> Any:
    die = fresh_die(sides)
    rest = (dice - 1) @ die
    exploded = die.explode(depth=depth)
    if removed == "nothing":
        return rest + exploded
    spoiled = die.lowest(dice - 1, dice - 2) + (0 if removed == "pair" else 1)
    return (die == 1).if_else(spoiled, rest + exploded.truncate(min_outcome=2))


def group(faces: Faces, cap: int, judge: str, levels: tuple[int, ...]) -> Any:
    die = exploding(faces, cap)
    members = [(level @ die).clip(max_outcome=cap) for level in levels]
    if judge == "max":
        return icepool.highest(members)
    if judge == "min":
        return icepool.lowest(members)
    return sum(members[1:], members[0])


def keep(sides: int, dice: int, kept: int) -> Any:
    return fresh_die(sides).highest(dice, kept)


solver, read, to_answer = peer(rerolls, opposed, explosions, wild, group, keep)
