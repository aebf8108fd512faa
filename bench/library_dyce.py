"""Solves the cases with dyce in its own idiom: the check expressed with its documented API.

Of several formulations the fastest exact one is used.
Slower alternatives that were tried, in microseconds per case on one machine (the ones used in brackets):

- rerolls: a survey of pairs was never faster than `expand` (400)
- opposed: `expand` over both sides 1,540, the difference, then `apply(max, 0)` (750)
- explosions: capped only at the end 6,880, each die and the end capped 5,770,
  `survey` 17,700 (1,230)
- wild die: `expand` over the exploded die 9,740, over its first face 6,890, `P.at` for the pool
  without its highest die 7,140 (4,800)
- group: `P.at` of the members' scores 9,080, `sum_h` for the average 1,690 (1,560)
- keep: `P.at` with a slice 3,700,000, because it lists what it keeps (a `survey` 58,000)

Histograms are created anew for each case, so nothing is cached.
"""

from __future__ import annotations

import warnings
from fractions import Fraction
from functools import reduce
from itertools import repeat
from operator import add
from typing import Any

from dyce import H, P, expand, explode_n
from dyce.p import survey_outcome_order_descending

from cases import Faces, peer

warnings.simplefilter("ignore")  # parts of dyce warn that they are experimental
NONE = H({0: 1})  # `0 @ h` is empty, which would drop the case instead of adding 0
EXACT = Fraction(0)  # by default, `expand` leaves out unlikely branches


def forget() -> None:
    """Clear caches: there are none."""


def rerolls(sides: int, threshold: int, dice: int, again: int) -> Any:
    hit = H({0: threshold - 1, 1: sides - threshold + 1})

    def thrown_again(first: Any) -> Any:
        late = min(again, dice - first.outcome)
        return (late @ hit) + first.outcome if late else first.outcome

    return expand(thrown_again, dice @ hit, min_path_probability=EXACT)


def opposed(sides: int, threshold: int, a: int, a_again: int, b: int, b_again: int) -> Any:
    acting = rerolls(sides, threshold, a, a_again)
    reacting = rerolls(sides, threshold, b, b_again)
    return acting.apply(lambda x, y: max(x - y, 0), reacting)


def exploding(faces: Faces, cap: int) -> Any:
    """Return one exploding die: a 2 counts 1 and is thrown again, until the cap is certain."""

    def thrown(result: Any, left: int) -> Any:
        if result.outcome < 2:
            return result.outcome
        return expand(thrown, result.h, left=left - 1) + 1 if left else 1

    return expand(thrown, H(faces), left=cap, min_path_probability=EXACT)


def score(die: Any, level: int, cap: int) -> Any:
    """Add dice one by one to a total that stops at the cap."""
    return reduce(
        lambda total, one: total.apply(lambda x, y: min(x + y, cap), one),
        repeat(die, level),
        NONE,
    )


def explosions(faces: Faces, level: int, cap: int) -> Any:
    return score(exploding(faces, cap), level, cap)


def without_highest(sides: int, dice: int) -> Any:
    """Return the sum of a pool without its highest die, face by face from the top."""

    def seen(total: int | None, face: int, count: int) -> int:
        return face * (count - 1) if total is None else total + face * count

    return (dice @ P(sides)).survey(accumulate=seen, order=survey_outcome_order_descending)


def wild(sides: int, dice: int, removed: str, depth: int) -> Any:
    die = H(sides)
    rest = (dice - 1) @ die
    if removed == "nothing":
        return explode_n(die, n=depth) + rest
    spoiled = without_highest(sides, dice - 1) + (0 if removed == "pair" else 1)
    exploded = explode_n(die, n=depth - 1) + rest + sides

    def by_first_face(first: Any) -> Any:
        if first.outcome == 1:
            return spoiled
        return exploded if first.outcome == sides else rest + first.outcome

    return expand(by_first_face, die, min_path_probability=EXACT)


def group(faces: Faces, cap: int, judge: str, levels: tuple[int, ...]) -> Any:
    die = exploding(faces, cap)
    join = {"max": max, "min": min, "average": add}[judge]
    return reduce(lambda one, other: one.apply(join, other), (score(die, level, cap) for level in levels))


def keep(sides: int, dice: int, kept: int) -> Any:
    def seen(state: tuple[int, int] | None, face: int, count: int) -> tuple[int, int]:
        have, total = state or (0, 0)
        take = min(count, kept - have)
        return have + take, total + face * take

    return (dice @ P(sides)).survey(
        accumulate=seen, order=survey_outcome_order_descending, settle=lambda state: state[1]
    )


solver, read, to_answer = peer(rerolls, opposed, explosions, wild, group, keep)
