"""Dice and pools: the values of chance, with no chance in them.

A `Die` is what its faces read; a `Pool` is dice that have landed.
Both are immutable, and dice in a pool keep their identity: who picks die 3 picks die 3.
"""

from __future__ import annotations

import operator
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
        """The die that reads 1 where the comparison holds, and 0 elsewhere."""
        return _compare_faces(self, comparison, number)

    def relabel(self, row: Iterable[int]) -> Die:
        """The die whose faces read the numbers of a row."""
        numbers = tuple(row)
        if len(numbers) != len(self):
            raise ValueError(f"a d{len(self)} needs a row of {len(self)} numbers, not {len(numbers)}")
        return Die(numbers)

    def at_least(self, reading: int) -> Die:
        """The die of somebody who may keep `reading` instead."""
        return Die(max(own, reading) for own in self)

    def at_most(self, reading: int) -> Die:
        """The die of somebody who must keep `reading` when it is worse."""
        return Die(min(own, reading) for own in self)


@lru_cache(maxsize=1024)
def _compare_faces(shape: Die, comparison: str, number: int) -> Die:
    passes = COMPARISONS[comparison]
    return Die([int(passes(reading, number)) for reading in shape])


@lru_cache(maxsize=256)
def die(sides: int) -> Die:
    """A plain die: d6 reads 1 to 6."""
    if not 2 <= sides <= MAX_SIDES:
        raise ValueError(f"a die has 2 to {MAX_SIDES} sides, not {sides}")
    return Die(range(1, sides + 1))


def check_adds_up(shape: Die, reading: int) -> None:
    """Refuses a die that cannot add to itself from a reading on.

    Only the highest reading may go on, and none may be negative: then dice that go on are above
    all that have stopped, and nobody needs to know them one by one.
    """
    if len({own for own in shape if own >= reading}) > 1:
        raise ValueError(f"only the highest reading of a die can add on: add = {max(shape)}")
    if min(shape) < 0:
        raise ValueError("a die that adds on must not read less than 0")


ValueRow = tuple[int, ...]  # a number for each reading, from 1 on


class LandedDie(NamedTuple):
    """One die on the table: its number on its side, its reading and its face."""

    number: int
    reading: int
    face: int


class AbstractPool:
    """Dice that have landed, however they are kept; every kind of pool is one."""

    __slots__ = ()

    def passing(self, comparison: str, number: int) -> Any:
        """The dice whose reading passes."""
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
        """The largest set of equal readings; of several the highest."""
        raise NotImplementedError

    def total(self, row: ValueRow | None = None) -> Any:
        """The sum of the readings, or of what a row has for each of them."""
        raise NotImplementedError

    def size(self) -> Any:
        """The number of dice."""
        raise NotImplementedError


def row_value(row: ValueRow, reading: int) -> int:
    """What a row has for a reading; the first number is for a 1, as in `read`."""
    if not 1 <= reading <= len(row):
        raise ValueError(f"a row of {len(row)} numbers has none for a reading of {reading}")
    return row[reading - 1]


def _by_width(one: tuple[int, list[LandedDie]]) -> tuple[int, int]:
    reading, landed = one
    return len(landed), reading


_by_reading = operator.itemgetter(1, 2)
_worst_first = operator.itemgetter(1, 2, 0)


class Pool(tuple[LandedDie, ...], AbstractPool):
    """Dice that have landed, in the order in which they were named or thrown."""

    __slots__ = ()

    def passing(self, comparison: str, number: int) -> Pool:
        passes = COMPARISONS[comparison]
        return Pool([landed for landed in self if passes(landed[1], number)])

    def plus(self, other: Pool) -> Pool:
        return Pool((*self, *other))

    def minus(self, other: Pool) -> Pool:
        gone = list(other)
        left = []
        for landed in self:
            if landed in gone:
                gone.remove(landed)
            else:
                left.append(landed)
        if gone:
            raise ValueError("these dice are not all in the pool they are taken from")
        return Pool(left)

    def highest(self, count: int) -> Pool:
        by_number = sorted(self)  # equal dice stay in that order
        return Pool(sorted(by_number, key=_by_reading, reverse=True)[: max(count, 0)])

    def lowest(self, count: int) -> Pool:
        """The lowest readings; among equal ones the lowest faces."""
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
