"""Families of checks that are measured, their cases, and the sizes for the growth curves.

A case is a tuple of numbers that describes a check in no library's terms.  Every process of the benchmark
imports this file, also those without Handful, so it uses only the standard library.

Invariant: no two cases of a family are equal, and no side of an opposed check appears twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

# Peers are measured in two styles, see README.md; Handful runs its rule texts and has no style.
IDIOM, TUNED = "idiom", "tuned"
STYLES = (IDIOM, TUNED)

Case = tuple[Any, ...]
Faces = tuple[int, ...]

SHIPPED, TOY = "shipped", "toy"
COLUMNS = (SHIPPED, TOY)

NEUTRAL, LUCKY = (0, 0, 1, 1, 2, 2), (0, 1, 1, 1, 2, 2)  # the faces of a Fate in tuurna
DRY, DAMP = (0, 0, 0, 1, 1, 1, 2, 2), (0, 0, 0, 0, 0, 1, 1, 2)  # of an ember in toys/embers.toml
MAX_TAIL = 1e-12  # probability that a library may cut off if it cannot solve unbounded dice


@dataclass(frozen=True)
class Family:
    """One mechanic: its cases, warm-up cases, and one case per size for the growth curve."""

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
        # A stride coprime to their number visits each of them once.
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
    """Return the number of rerolls of a wild die after which the tail is below MAX_TAIL."""
    depth = 0
    while sides ** -(depth + 1) >= MAX_TAIL:
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

    def warm_up_cases(faces: Faces, cap: int) -> list[Case]:
        groups = [tuple(range(30, 30 + members)) for members in range(3, 7)]
        return [(faces, cap, *case) for case in product(("max", "min", "average"), groups)]

    return Family(
        "group",
        "3-6 members, highest, lowest, average",
        cases(NEUTRAL, 9),
        cases(DRY, 12),
        {SHIPPED: warm_up_cases(NEUTRAL, 9), TOY: warm_up_cases(DRY, 12)},
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


# -- interface of a peer

Solve = Callable[..., Any]


def by_family(*solve: Solve) -> dict[str, Solve]:
    """Return the functions by family; they are given in the order of `FAMILIES`."""
    return dict(zip(FAMILIES, solve, strict=True))


def peer(*solve: Solve) -> tuple[Solve, Solve, Solve]:
    """Return `solver`, `read` and `to_answer` of a library whose distributions are integer weights."""
    families = by_family(*solve)

    def solver(family: str, _column: str) -> Solve:
        return families[family]

    def read(found: Any) -> Any:
        """Read the entire distribution."""
        return tuple(found.items())

    def to_answer(found: Any, _family: str, _column: str, _case: Case) -> dict[str, Any]:
        weights = read(found)
        total = sum(weight for _, weight in weights)
        return {"chances": [[value, weight, total] for value, weight in weights], "left": []}

    return solver, read, to_answer
