"""What is measured: the families, their cases, and the sizes along which each one grows.

A case is a tuple of plain numbers that says what happens at the table, in no library's words.
Every process of the bench reads this file, also those that know nothing of Handful, so it imports
nothing but the standard library.

The invariant: no two cases of a family are equal, and no side of an opposed check appears twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

# Peers are asked in two styles, see README.md; Handful has its rule texts and no style.
IDIOM, TUNED = "idiom", "tuned"
STYLES = (IDIOM, TUNED)

Case = tuple[Any, ...]
Faces = tuple[int, ...]

SHIPPED, TOY = "shipped", "toy"
COLUMNS = (SHIPPED, TOY)

NEUTRAL, LUCKY = (0, 0, 1, 1, 2, 2), (0, 1, 1, 1, 2, 2)  # the faces of a Fate in tuurna
DRY, DAMP = (0, 0, 0, 1, 1, 1, 2, 2), (0, 0, 0, 0, 0, 1, 1, 2)  # of an ember in toys/embers.toml
SMALLEST_LEFT_OVER = 1e-12  # where a library that cannot go on for ever may stop


@dataclass(frozen=True)
class Family:
    """One mechanic: its cases, cases to warm up with, and one case per size for growth."""

    name: str
    about: str
    shipped: Sequence[Case]
    toy: Sequence[Case]
    warm: dict[str, Sequence[Case]]  # one of each kind, of a size that no case has
    grown: dict[int, Case]

    def cases(self, column: str) -> Sequence[Case]:
        return self.shipped if column == SHIPPED else self.toy


SIZES = (10, 20, 30, 40, 60, 80, 100)


def rerolls() -> Family:
    def cases(sides: int, thresholds: Sequence[int]) -> list[Case]:
        return [(sides, *case) for case in product(thresholds, range(1, 31), range(6))]

    return Family(
        "rerolls",
        "1-30 dice, 0-5 rerolls, favor 0-2",
        cases(6, (5, 4, 3)),
        cases(10, (8, 7, 6)),
        {
            SHIPPED: [(6, threshold, 31, again) for threshold in (5, 4, 3) for again in (0, 2)],
            TOY: [(10, threshold, 31, again) for threshold in (8, 7, 6) for again in (0, 2)],
        },
        {size: (6, 5, size, 5) for size in SIZES},
    )


def opposed() -> Family:
    def cases(sides: int, threshold: int) -> list[Case]:
        efforts = list(product(range(4, 23), range(6)))
        # a stride that shares no factor with their number visits each of them once
        mixed = [efforts[(place * 37) % len(efforts)] for place in range(len(efforts))]
        return [
            (sides, threshold, *acting, *reacting)
            for acting, reacting in zip(mixed[::2], mixed[1::2], strict=True)
        ]

    return Family(
        "opposed",
        "4-22 dice a side, 0-5 rerolls",
        cases(6, 5),
        cases(10, 8),
        {
            SHIPPED: [(6, 5, 23, 0, 24, 1), (6, 5, 23, 2, 24, 0)],
            TOY: [(10, 8, 23, 0, 24, 1), (10, 8, 23, 2, 24, 0)],
        },
        {size: (6, 5, size // 2, 3, size // 2, 2) for size in SIZES},
    )


def explosions() -> Family:
    return Family(
        "explosions",
        "levels 1-40, endless dice, capped",
        [(NEUTRAL, level, 9) for level in range(1, 41)],
        [(DRY, embers, 12) for embers in range(1, 41)],
        {SHIPPED: [(NEUTRAL, 41, 9)], TOY: [(DRY, 41, 12)]},
        {size: (NEUTRAL, size, 9) for size in SIZES},
    )


def depth_of(sides: int) -> int:
    """How often a wild die must be thrown again until what is left over is small enough."""
    depth = 0
    while sides ** -(depth + 1) >= SMALLEST_LEFT_OVER:
        depth += 1
    return depth


def wild() -> Family:
    readings = ("highest", "pair", "nothing")

    def cases(sides: int) -> list[Case]:
        depth = depth_of(sides)
        return [(sides, dice, removed, depth) for removed in readings for dice in range(3, 21)]

    return Family(
        "wild die",
        "3D-20D, endless wild die, both rulings",
        cases(6),
        cases(10),
        {
            SHIPPED: [(6, 21, removed, depth_of(6)) for removed in readings],
            TOY: [(10, 21, removed, depth_of(10)) for removed in readings],
        },
        {size: (6, size, "highest", depth_of(6)) for size in SIZES},
    )


def group() -> Family:
    def cases(faces: Faces, cap: int) -> list[Case]:
        levels = [
            tuple(first + step * place for place in range(members))
            for members in range(3, 7)
            for first, step in ((1, 1), (3, 2), (8, 1))
        ]
        return [(faces, cap, *case) for case in product(("max", "min", "average"), levels)]

    def unlike(faces: Faces, cap: int) -> list[Case]:
        groups = [tuple(range(30, 30 + members)) for members in range(3, 7)]
        return [(faces, cap, *case) for case in product(("max", "min", "average"), groups)]

    return Family(
        "group",
        "3-6 members, highest, lowest, average",
        cases(NEUTRAL, 9),
        cases(DRY, 12),
        {SHIPPED: unlike(NEUTRAL, 9), TOY: unlike(DRY, 12)},
        {size: (NEUTRAL, 9, "max", (size // 5,) * 5) for size in SIZES},
    )


def keep() -> Family:
    pools = [(4, 3), (6, 2), (10, 5), (20, 3), (20, 10), (30, 1), (40, 5), (40, 10)]

    def cases(sizes: Sequence[int]) -> list[Case]:
        return [(sides, *pool) for sides in sizes for pool in pools]

    return Family(
        "keep",
        "highest 1-10 of 4-40 dice",
        cases((6, 8, 10, 20)),
        cases((4, 7, 12, 16)),
        {
            SHIPPED: [(sides, 3, 2) for sides in (6, 8, 10, 20)],
            TOY: [(sides, 3, 2) for sides in (4, 7, 12, 16)],
        },
        {size: (10, size, 5) for size in SIZES},
    )


FAMILIES = {family.name: family for family in (rerolls(), opposed(), explosions(), wild(), group(), keep())}


# -- how a peer is asked

Solve = Callable[..., Any]


def by_family(*solve: Solve) -> dict[str, Solve]:
    """Functions by the family that they solve; they come in the order of `FAMILIES`."""
    return dict(zip(FAMILIES, solve, strict=True))


def peer(*solve: Solve) -> tuple[Solve, Solve, Solve]:
    """`solver`, `read` and `told` of a library whose distributions are integer weights."""
    families = by_family(*solve)

    def solver(family: str, _column: str) -> Solve:
        return families[family]

    def read(found: Any) -> Any:
        """The whole distribution."""
        return tuple(found.items())

    def told(found: Any, _family: str, _column: str, _case: Case) -> dict[str, Any]:
        weights = read(found)
        total = sum(weight for _, weight in weights)
        return {"chances": [[value, weight, total] for value, weight in weights], "left": []}

    return solver, read, told
