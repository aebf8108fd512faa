"""Values of many rolls at once: one entry per roll, behind the same operations as single values.

`Numbers`, `Truths` and `Pools` stand where a rule has a number, a truth or a pool; the rule's own
expressions compute with them.  Where a rule needs one answer for all rolls and they differ,
`Parted` is raised with the rolls that agree, and each lot goes on by itself (`groups`).
All arithmetic is in whole numbers: a fraction is a numerator per roll over one denominator.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from handful.dice import COMPARISONS, AbstractPool, ValueRow, row_value
from handful.errors import TooBig
from handful.rules.operators import MAX_NUMBER, SymbolicBool, SymbolicNumber, Unresolved, normalize_number

Array = NDArray[np.int64]
Truth = NDArray[np.bool_]
LARGEST_DENOMINATOR = 10**9  # times LARGEST it still fits an entry of an array


class Parted(Unresolved):
    """Rolls that answer a question differently; `parts` are the places of those that agree."""

    def __init__(self, parts: list[NDArray[np.intp]]) -> None:
        super().__init__()
        self.parts = parts


def _agreed(truths: Truth) -> bool:
    """The answer of all rolls, if it is one."""
    yes = int(np.count_nonzero(truths))
    if 0 < yes < len(truths):
        raise Parted([np.flatnonzero(truths), np.flatnonzero(~truths)])
    return yes > 0


class Truths(SymbolicBool):
    """One truth per roll."""

    __slots__ = ("each",)

    def __init__(self, each: Truth) -> None:
        self.each = each

    def holds(self) -> bool:
        return _agreed(self.each)

    __bool__ = holds


class Numbers(SymbolicNumber):
    """One number per roll: `top / bottom`."""

    __slots__ = ("bottom", "top")

    def __init__(self, top: Array, bottom: int = 1) -> None:
        self.top, self.bottom = top, bottom

    def add(self, other: Any) -> Numbers:
        if type(other) is int and self.bottom == 1:
            return _within(self.top + other, 1)
        if isinstance(other, Numbers):
            own, added, bottom = self._beside(other)
            return _within(own + added, bottom)
        other = Fraction(other)
        bottom = denominator(lcm(self.bottom, other.denominator))
        own = self.top * (bottom // self.bottom)
        return _within(own + other.numerator * (bottom // other.denominator), bottom)

    def _beside(self, other: Numbers) -> tuple[Array, Array, int]:
        """Both over one denominator."""
        if self.bottom == other.bottom:
            return self.top, other.top, self.bottom
        bottom = denominator(lcm(self.bottom, other.bottom))
        return self.top * (bottom // self.bottom), other.top * (bottom // other.bottom), bottom

    def larger(self, other: Any) -> Numbers:
        own, others, bottom = self._beside(other)
        return Numbers(np.maximum(own, others), bottom)

    def smaller(self, other: Any) -> Numbers:
        own, others, bottom = self._beside(other)
        return Numbers(np.minimum(own, others), bottom)

    def times(self, other: Any) -> Any:
        if self.bottom != 1 or other.bottom != 1:
            return super().times(other)
        # the product of two numbers of the language fits an entry
        return _within(self.top * other.top, 1)

    def scaled(self, factor: int | Fraction) -> Numbers:
        up, down = factor.numerator, factor.denominator
        bottom = self.bottom * down
        if abs(up) * _furthest(self.top) > MAX_NUMBER * bottom:
            raise _too_large()
        if bottom == 1:
            return Numbers(self.top * up)
        top = self.top
        shared = gcd(int(np.gcd.reduce(top)) * up, bottom)
        # divided before it is multiplied, so that nothing grows beyond an entry
        part = gcd(up, shared)
        top = top // (shared // part) * (up // part)
        return Numbers(top, denominator(bottom // shared))

    def reaches(self, number: int | Fraction) -> bool:
        least = number * self.bottom
        return _agreed(self.top >= -(-least.numerator // least.denominator))

    def resolve(self) -> int | Fraction:
        first = self.top[0]
        if not (self.top == first).all():
            order = np.argsort(self.top, kind="stable")
            raise Parted(np.split(order, np.flatnonzero(np.diff(self.top[order])) + 1))
        return normalize_number(Fraction(int(first), self.bottom)) if self.bottom > 1 else int(first)

    def whole(self) -> Array:
        """The numbers as an array; they must be whole."""
        if self.bottom == 1:
            return self.top
        if (self.top % self.bottom).any():
            raise TypeError("a whole number is needed here, not a fraction")
        return self.top // self.bottom


def _furthest(top: Array) -> int:
    return max(int(top.max()), -int(top.min()))


def _within(top: Array, bottom: int) -> Numbers:
    if _furthest(top) > MAX_NUMBER * bottom:
        raise _too_large()
    return Numbers(top, bottom)


def _too_large() -> TooBig:
    return TooBig(f"a rule may not count beyond {MAX_NUMBER:,}")


def denominator(bottom: int) -> int:
    """A denominator that arrays can bear."""
    if bottom > LARGEST_DENOMINATOR:
        raise TooBig(f"denominators beyond {LARGEST_DENOMINATOR:,} cannot be simulated")
    return bottom


def per_roll(number: Any, rolls: int) -> Array:
    """A whole number of the rule as one entry per roll."""
    if isinstance(number, Numbers):
        return number.whole()
    if type(number) is not int:
        raise TypeError(f"a whole number is needed here, not {number}")
    return np.full(rolls, number, np.int64)


class Pools(AbstractPool):
    """One pool per roll: how many of its dice show each reading.

    Dice that read alike stand for each other, so nobody needs to know which is which.
    """

    __slots__ = ("counts", "rolls")

    def __init__(self, rolls: int, counts: Iterable[tuple[int, Array]] = ()) -> None:
        self.rolls = rolls
        self.counts: dict[int, Array] = dict(counts)  # ascending by reading

    def passing(self, comparison: str, number: int) -> Pools:
        passes = COMPARISONS[comparison]
        return Pools(self.rolls, ((r, n) for r, n in self.counts.items() if passes(r, number)))

    def plus(self, other: Pools) -> Pools:
        return self._with(other, np.add)

    def minus(self, other: Pools) -> Pools:
        left = self._with(other, np.subtract)
        if any(left.counts[reading].min() < 0 for reading in other.counts):
            raise ValueError("these dice are not all in the pool they are taken from")
        return left

    def _with(self, other: Pools, change: Any) -> Pools:
        counts = dict(self.counts)
        for reading, n in other.counts.items():
            counts[reading] = change(counts.get(reading, 0), n)
        if len(counts) > len(self.counts):
            counts = {reading: counts[reading] for reading in sorted(counts)}
        return Pools(self.rolls, counts.items())

    def highest(self, count: Any) -> Pools:
        return self._kept(count, reversed(self.counts))

    def lowest(self, count: Any) -> Pools:
        return self._kept(count, iter(self.counts))

    def _kept(self, count: Any, readings: Iterable[int]) -> Pools:
        left = np.maximum(per_roll(count, self.rolls), 0)
        taken = {}
        for reading in readings:
            if not left.any():
                break
            taken[reading] = np.minimum(self.counts[reading], left)
            left = left - taken[reading]
        return Pools(self.rolls, ((r, taken[r]) for r in sorted(taken)))

    def widest(self) -> Pools:
        if not self.counts:
            return self
        readings = list(self.counts)
        # the highest one comes first, and `argmax` gives the first of equal ones
        widths = np.stack([self.counts[reading] for reading in reversed(readings)])
        best = len(readings) - 1 - widths.argmax(axis=0)
        return Pools(
            self.rolls,
            ((r, np.where(best == place, self.counts[r], 0)) for place, r in enumerate(readings)),
        )

    def total(self, row: ValueRow | None = None) -> Numbers:
        total = np.zeros(self.rolls, np.int64)
        for reading, n in self.counts.items():
            if row is not None and not n.any():
                continue
            counts = reading if row is None else row_value(row, reading)
            if counts:
                total += n * counts
        return _within(total, 1)

    def size(self) -> Numbers:
        return Numbers(sum(self.counts.values(), np.zeros(self.rolls, np.int64)))
