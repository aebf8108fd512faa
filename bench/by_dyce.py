"""dyce answers the cases, in the fastest exact way found with its own operations.

Tried and slower: `n @ h` and `exactly_k_times_in_n` for sums, `expand` and `explode_n` (both exact
only with `min_path_probability=0`), `P.at` for a pool without its highest die, `P.at(-1)` for the
highest of different members, capping only at the end.
Histograms are made afresh in each case, so nothing is remembered.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import reduce
from math import comb
from operator import add
from typing import Any

from dyce import H, P
from dyce.h import aggregate_weighted
from dyce.p import DescendingSurveyorBase

from cases import Case, Faces

warnings.simplefilter("ignore")  # that a part is experimental
NONE = H({0: 1})
MOST_LISTED = 100_000  # `P.at` lists the dice that it keeps; beyond this a survey is faster


def forget() -> None:
    """Nothing outlives a case."""


def times(h: Any, count: int, plus: Callable[[int, int], int] = add) -> Any:
    """The sum of some dice, by doubling as `@` does, but with `apply`, which is faster."""
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
        (ended.apply(add, wins), ended.total * more**wins * sides ** (cap - 1 - wins))
        for wins in range(cap)
    ]
    parts.append((cap, more**cap))  # what comes later lies beyond the cap, so this is exact
    one = aggregate_weighted(parts)
    one = one.apply(min, cap)
    return times(one, level, lambda x, y: x + y if x + y < cap else cap)


def without_highest(sides: int, dice: int) -> Any:
    """The sum of all dice but the highest, by how many show the highest face."""
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


class Highest(DescendingSurveyorBase):  # type: ignore[type-arg]
    """Sums the highest dice of a pool, face by face."""

    def __init__(self, kept: int) -> None:
        self.kept = kept

    @property
    def initial(self) -> tuple[int, int]:
        return (0, 0)

    def accumulate(self, state: Any, outcome: int, count: int) -> tuple[int, int]:
        total, have = state
        take = min(count, self.kept - have)
        return (total + take * outcome, have + take)

    def settle(self, state: tuple[int, int]) -> int:
        return state[0]


def keep(sides: int, dice: int, kept: int) -> Any:
    if comb(sides + kept - 1, kept) > MOST_LISTED:
        return (dice @ P(sides)).survey(Highest(kept))
    return (dice @ P(sides)).at(slice(-kept, None))


SOLVE: dict[str, Callable[..., Any]] = {
    "rerolls": rerolls,
    "opposed": opposed,
    "explosions": explosions,
    "wild die": wild,
    "group": group,
    "keep": keep,
}


def solver(family: str, _column: str) -> Callable[..., Any]:
    return SOLVE[family]


def read(h: Any) -> Any:
    """The whole distribution as integer counts."""
    return tuple(h.items())


def answer(family: str, column: str, case: Case) -> dict[str, Any]:
    h = solver(family, column)(*case)
    return {"chances": [[value, count, h.total] for value, count in h.items()], "left": []}
