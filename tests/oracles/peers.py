"""Mechanics of the games in icepool and dyce, as independent engines to compare with.

Neither knows dice without end, so explosions are cut off after `depth` further tosses; values
that need no more than that are exact, and only those are to be compared.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import dyce
import icepool
from icepool import Again, d6

Distribution = dict[int, Fraction]


def of_die(die: Any) -> Distribution:
    """An icepool die as plain fractions."""
    return {int(value): Fraction(n, die.denominator()) for value, n in die.items() if n}


def of_h(h: Any) -> Distribution:
    """A dyce histogram as plain fractions."""
    return {int(value): Fraction(n, h.total) for value, n in h.items() if n}


# -- UWR family


def successes(dice: int, threshold: int = 5) -> Any:
    """icepool: how many dice show the threshold or more."""
    return dice @ (d6 >= threshold) if dice else icepool.Die([0])


def rerolled(dice: int, rerolls: int, threshold: int = 5) -> Any:
    """icepool: each failing die once more, as far as the rerolls go."""
    return icepool.map(
        lambda first: first + successes(min(rerolls, dice - first), threshold),
        successes(dice, threshold),
    )


def stacked(dice: int, rerolls: int, threshold: int = 5) -> Any:
    """icepool: a failing die again and again."""
    counts = successes(dice, threshold)
    for _ in range(rerolls):
        counts = icepool.map(lambda now: now if now == dice else now + successes(1, threshold), counts)
    return counts


def successes_dyce(dice: int, threshold: int = 5) -> Any:
    hit = dyce.H({1: 7 - threshold, 0: threshold - 1})
    return dice @ hit


# -- Tu'urna


LOSING = {"cursed": 2, "unlucky": 2, "neutral": 2, "lucky": 1, "blessed": 0}
GROWING = {"cursed": 7, "unlucky": 6, "neutral": 5, "lucky": 5, "blessed": 5}


def wins(dice: int, fate: str = "neutral", depth: int = 12) -> Any:
    """icepool: winning dice, extra ones included; exact up to `depth` wins."""
    losing, growing = LOSING[fate], GROWING[fate]

    def read(face: int) -> Any:
        return 0 if face <= losing else 1 + Again if face >= growing else 1

    return dice @ d6.map(read, again_depth=depth)


def wins_dyce(dice: int, fate: str = "neutral", depth: int = 12) -> Any:
    """dyce: one chain of dice, grown from its end, so many times; exact up to `depth` wins."""
    losing, growing = LOSING[fate], GROWING[fate]
    extra = 7 - growing
    chain = dyce.H({0: losing, 1: 6 - losing})
    for _ in range(depth):
        grown: dict[int, int] = {0: losing * chain.total, 1: (6 - losing - extra) * chain.total}
        for value, n in chain.items():
            grown[value + 1] = grown.get(value + 1, 0) + extra * n
        chain = dyce.H(grown)
    return dice @ chain


# -- Mass Effect D6


def total(dice: int, ruling: str = "cancel", removes: str = "highest", depth: int = 5) -> Any:
    """icepool: the sum of the dice, one of them wild; exact below `6 * depth + dice`."""
    others = dice - 1

    def with_wild(wild: int) -> Any:
        if wild == 6:
            return 6 + d6.explode(depth=depth) + regular(others)
        if wild == 1 and ruling == "cancel":
            if others == 0:
                return 0
            kept = d6.lowest(others, others - 1) if others > 1 else 0
            return kept + (0 if removes == "pair" else 1)
        return wild + regular(others)

    return d6.map(with_wild)


def regular(dice: int) -> Any:
    return dice @ d6 if dice else icepool.Die([0])


def total_dyce(dice: int, depth: int = 5) -> Any:
    """dyce: as `total`, everything added up (the other ruling)."""
    wild = dyce.H(6)
    for _ in range(depth):
        grown = dict.fromkeys(range(1, 6), wild.total)
        wild = dyce.H(grown | {6 + value: n for value, n in wild.items()})
    return wild + (dice - 1) @ dyce.H(6) if dice > 1 else wild
