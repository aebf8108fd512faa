"""Dice and pools as values; no randomness here.

A `Die` maps faces to readings; a `Pool` holds dice that have landed.
Invariant: both are immutable, and dice keep their identity in a pool: die 3 stays die 3.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

MAX_SIDES = 1000

COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Die(tuple[int, ...]):
    """The reading of each face, in the order of the faces; all faces are equally likely.

    >>> die(6).compare(">=", 5)
    Die(0, 0, 0, 0, 1, 1)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Die({', '.join(map(str, self))})"

    def compare(self, comparison: str, number: int) -> Die:
        """Return the die that reads 1 on faces where the comparison holds, else 0."""
        return _compare_faces(self, comparison, number)

    def relabel(self, row: Iterable[int]) -> Die:
        """Return the die whose faces read the numbers of `row`."""
        numbers = tuple(row)
        if len(numbers) != len(self):
            raise ValueError(f"a d{len(self)} needs a row of {len(self)} numbers, not {len(numbers)}")
        return Die(numbers)

    def at_least(self, reading: int) -> Die:
        """Return the die whose readings are raised to at least `reading`."""
        return Die(max(own, reading) for own in self)

    def at_most(self, reading: int) -> Die:
        """Return the die whose readings are lowered to at most `reading`."""
        return Die(min(own, reading) for own in self)


@lru_cache(maxsize=1024)
def _compare_faces(shape: Die, comparison: str, number: int) -> Die:
    passes = COMPARISONS[comparison]
    return Die([int(passes(reading, number)) for reading in shape])


@lru_cache(maxsize=256)
def die(sides: int) -> Die:
    """Return an ordinary die: d6 reads 1 to 6."""
    if not 2 <= sides <= MAX_SIDES:
        raise ValueError(f"a die has 2 to {MAX_SIDES} sides, not {sides}")
    return Die(range(1, sides + 1))


def check_adds_up(shape: Die, reading: int) -> None:
    """Raise ValueError for a die that cannot explode (throw again and add) from `reading` on.

    Only the highest reading may explode, and none may be negative: then exploding dice rank above
    all others, and need not be tracked one by one.
    """
    if len({own for own in shape if own >= reading}) > 1:
        raise ValueError(f"only the highest reading of a die can add on: add = {max(shape)}")
    if min(shape) < 0:
        raise ValueError("a die that adds on must not read less than 0")


ValueRow = tuple[int, ...]  # a number for each reading, starting at 1


class LandedDie(NamedTuple):
    """A thrown die: its number among its side's dice, its reading and its face."""

    number: int
    reading: int
    face: int


class AbstractPool:
    """Interface of all pools: concrete, symbolic and simulated ones."""

    __slots__ = ()

    def passing(self, comparison: str, number: int) -> Any:
        """Return the dice whose reading passes the comparison."""
        raise NotImplementedError

    def plus(self, other: Any) -> Any:
        raise NotImplementedError

    def minus(self, other: Any) -> Any:
        raise NotImplementedError

    def highest(self, count: Any) -> Any:
        raise NotImplementedError

    def lowest(self, count: Any) -> Any:
        raise NotImplementedError

    def widest(self) -> Any:
        """Return the largest set of equal readings; among equals the highest reading."""
        raise NotImplementedError

    def total(self, row: ValueRow | None = None) -> Any:
        """Return the sum of the readings, or of their values in a row."""
        raise NotImplementedError

    def size(self) -> Any:
        """Return the number of dice."""
        raise NotImplementedError


def row_value(row: ValueRow, reading: int) -> int:
    """Return the value of a reading in a row; the first is for a reading of 1, as in `read`."""
    if not 1 <= reading <= len(row):
        raise ValueError(f"a row of {len(row)} numbers has none for a reading of {reading}")
    return row[reading - 1]


def _by_width(one: tuple[int, list[LandedDie]]) -> tuple[int, int]:
    reading, landed = one
    return len(landed), reading


_by_reading = operator.itemgetter(1, 2)
_worst_first = operator.itemgetter(1, 2, 0)


class Pool(tuple[LandedDie, ...], AbstractPool):
    """Thrown dice, in the order in which they were named or thrown."""

    __slots__ = ()

    def passing(self, comparison: str, number: int) -> Pool:
        passes = COMPARISONS[comparison]
        return Pool([landed for landed in self if passes(landed[1], number)])

    def plus(self, other: Pool) -> Pool:
        return Pool((*self, *other))

    def minus(self, other: Pool) -> Pool:
        removed = Counter(other)
        left = []
        for landed in self:
            if removed.get(landed):
                removed[landed] -= 1
            else:
                left.append(landed)
        if any(removed.values()):
            raise ValueError("these dice are not all in the pool they are taken from")
        return Pool(left)

    def highest(self, count: int) -> Pool:
        by_number = sorted(self)  # sorting is stable: equal dice stay in this order
        return Pool(sorted(by_number, key=_by_reading, reverse=True)[: max(count, 0)])

    def lowest(self, count: int) -> Pool:
        """Return the dice with the lowest readings; among equals the lowest faces."""
        return Pool(sorted(self, key=_worst_first)[: count if count > 0 else 0])

    def widest(self) -> Pool:
        sets: dict[int, list[LandedDie]] = {}
        for landed in self:
            sets.setdefault(landed[1], []).append(landed)
        return Pool(max(sets.items(), key=_by_width)[1] if sets else ())

    def total(self, row: ValueRow | None = None) -> int:
        if row is not None:
            return sum([row_value(row, landed[1]) for landed in self])
        return sum([landed[1] for landed in self])

    def size(self) -> int:
        return len(self)
