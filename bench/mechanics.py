"""Typical cases of the families of common mechanics, to compare with icepool.

Only icepool's idiom is measured: it is the one peer that can express nearly all of them.
It truncates exploding dice where the tail is below 1e-12.  Every process imports this file, so it uses
only the standard library.
"""

from __future__ import annotations

from typing import Any

TOLERANCE = 1e-9  # for the probability of one result; what icepool truncates is far below

Case = tuple[Any, ...]

# Checks of toys/published.toml.
PUBLISHED: dict[str, list[Case]] = {
    "hunger": [(4, 1, 1), (5, 2, 3), (6, 2, 3), (7, 2, 3), (8, 3, 4), (10, 3, 4), (15, 4, 5)],
    "push": [(2, 1, 1), (3, 2, 1), (4, 3, 2), (5, 4, 3), (6, 6, 2), (10, 10, 10)],
    "straight": [(3,), (4,), (5,), (6,), (8,), (10,)],
    "width": [(4,), (3,), (5,), (6,), (8,), (10,)],
    "attacks": [(7,), (5,), (10,), (20,), (40,), (60,)],
    "limit": [(4, 2), (6, 3), (8, 4), (10, 4), (12, 5), (16, 6)],
    "pairs": [(3,), (4,), (5,), (6,), (8,), (10,)],
    "cancel": [(3,), (4,), (5,), (6,), (8,), (10,)],
    "explode_once": [(3,), (4,), (6,), (8,), (12,), (20,)],
}

# The first case of each family warms up and is not measured.
MECHANICS: dict[str, list[Case]] = {
    "ten-again": [(31,), *((dice,) for dice in range(1, 21))],
    "glitch-d6": [(31,), *((dice,) for dice in range(1, 21))],
    "push-d6": [(2, 0, 1), (3, 2, 0), (3, 2, 1), (4, 2, 2), (4, 3, 2), (5, 3, 3)],
    "highest-d6": [(9,), *((dice,) for dice in range(2, 9))],
    "roll-and-keep": [(6, 4), *((n, k) for n in range(2, 11) for k in (1, 2, 3, 5) if k < n)],
    "step-dice": [(4, 0), *((sides, m) for sides in (6, 8, 10, 12) for m in range(3))],
    "step-successes": [(6, 6), *((a, b) for a in (8, 10, 12) for b in (6, 8, 10, 12))],
    "sets-d10": [(11,), *((dice,) for dice in range(2, 11))],
    "best-two": [(4, 4, 4), (6, 8, 10), (6, 6, 8), (8, 10, 12), (6, 8, 8, 10), (4, 6, 8, 10, 12)],
    "symbols": [(1, 0, 1, 0), (2, 0, 2, 0), (2, 1, 2, 0), (1, 2, 2, 1), (3, 1, 3, 0), (2, 2, 2, 2)],
    "double-tens": [(11, 6), *((dice, face) for dice in range(2, 11) for face in (5, 6, 8))],
    "bands-2d6": [(9,), *((modifier,) for modifier in range(-3, 5))],
    "percentile": [
        (99, 0),
        *((skill, bonus) for skill in range(20, 90, 10) for bonus in (-1, 0, 1)),
    ],
    "doubles-3d6": [(0, 9), *((bonus, target) for bonus in range(1, 6) for target in (11, 13, 15))],
    **PUBLISHED,
}


def check_mechanics(family: str, ours: list[Any], theirs: list[Any]) -> None:
    """Raise ValueError if the answers differ: only equal answers are timed."""
    for case, own, other in zip(MECHANICS[family][1:], ours, theirs, strict=True):
        chances = dict(other)
        for value, chance in own:
            if abs(chance - chances.get(value, 0.0)) > TOLERANCE:
                raise ValueError(f"{family} {case}: {value} has {chance}, not {chances.get(value)}")
