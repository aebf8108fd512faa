"""Vectorized values: one entry per roll, with the operations of single values.

`Numbers`, `Booleans` and `Pools` take the place of a rule's numbers, booleans and pools; the rule's own
expressions compute with them.  Where a rule needs one answer for all rolls and they differ, `Diverged` is
raised with the rolls that agree, and each part continues by itself (`lanes`).
Invariant: all arithmetic is exact; a fraction is an integer numerator per roll over one denominator.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from handful.dice import COMPARISONS, AbstractPool, ValueRow, row_value
from handful.errors import Message, TooBig
from handful.rules.operators import MAX_NUMBER, SymbolicBool, SymbolicNumber, Unresolved, normalize_number

Array = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
MAX_DENOMINATOR = 10**9  # times MAX_NUMBER it still fits into 64 bits


class Diverged(Unresolved):
    """Rolls answer a question differently; `parts` are the indices of rolls that agree."""

    def __init__(self, parts: list[NDArray[np.intp]]) -> None:
        super().__init__()
        self.parts = parts


def _unanimous(flags: BoolArray) -> bool:
    """Return the answer that all rolls agree on; raise Diverged if they do not."""
    true_count = int(np.count_nonzero(flags))
    if 0 < true_count < len(flags):
        raise Diverged([np.flatnonzero(flags), np.flatnonzero(~flags)])
    return true_count > 0


class Booleans(SymbolicBool):
    """One boolean per roll."""

    __slots__ = ("flags",)

    def __init__(self, flags: BoolArray) -> None:
        self.flags = flags

    def holds(self) -> bool:
        return _unanimous(self.flags)

    __bool__ = holds


class Numbers(SymbolicNumber):
    """One number per roll: `numerators / denominator`."""

    __slots__ = ("denominator", "numerators")

    def __init__(self, numerators: Array, denominator: int = 1) -> None:
        self.numerators, self.denominator = numerators, denominator

    def add(self, other: Any) -> Numbers:
        if type(other) is int and self.denominator == 1:
            return _checked(self.numerators + other, 1)
        if isinstance(other, Numbers):
            own, other_numerators, denominator = self._over_common_denominator(other)
            return _checked(own + other_numerators, denominator)
        other = Fraction(other)
        denominator = check_denominator(lcm(self.denominator, other.denominator))
        own = self.numerators * (denominator // self.denominator)
        return _checked(own + other.numerator * (denominator // other.denominator), denominator)

    def _over_common_denominator(self, other: Numbers) -> tuple[Array, Array, int]:
        """Return both numerators over a common denominator."""
        if self.denominator == other.denominator:
            return self.numerators, other.numerators, self.denominator
        denominator = check_denominator(lcm(self.denominator, other.denominator))
        return (
            self.numerators * (denominator // self.denominator),
            other.numerators * (denominator // other.denominator),
            denominator,
        )

    def larger(self, other: Any) -> Numbers:
        own, other_numerators, denominator = self._over_common_denominator(other)
        return Numbers(np.maximum(own, other_numerators), denominator)

    def smaller(self, other: Any) -> Numbers:
        own, other_numerators, denominator = self._over_common_denominator(other)
        return Numbers(np.minimum(own, other_numerators), denominator)

    def times(self, other: Any) -> Any:
        if self.denominator != 1 or other.denominator != 1:
            return super().times(other)
        # The product of two numbers of the rule language fits into 64 bits.
        return _checked(self.numerators * other.numerators, 1)

    def scaled(self, factor: int | Fraction) -> Numbers:
        up, down = factor.numerator, factor.denominator
        denominator = self.denominator * down
        if abs(up) * _largest_magnitude(self.numerators) > MAX_NUMBER * denominator:
            raise _too_large()
        if denominator == 1:
            return Numbers(self.numerators * up)
        numerators = self.numerators
        shared = gcd(int(np.gcd.reduce(numerators)) * up, denominator)
        # Divide before multiplying, so that nothing overflows.
        part = gcd(up, shared)
        numerators = numerators // (shared // part) * (up // part)
        return Numbers(numerators, check_denominator(denominator // shared))

    def reaches(self, number: int | Fraction) -> bool:
        least = number * self.denominator
        return _unanimous(self.numerators >= -(-least.numerator // least.denominator))

    def resolve(self) -> int | Fraction:
        first = self.numerators[0]
        if not (self.numerators == first).all():
            order = np.argsort(self.numerators, kind="stable")
            raise Diverged(np.split(order, np.flatnonzero(np.diff(self.numerators[order])) + 1))
        return (
            normalize_number(Fraction(int(first), self.denominator)) if self.denominator > 1 else int(first)
        )

    def as_integers(self) -> Array:
        """Return the numbers as an array; raise TypeError if one is not an integer."""
        if self.denominator == 1:
            return self.numerators
        if (self.numerators % self.denominator).any():
            raise TypeError("a whole number is needed here, not a fraction")
        return self.numerators // self.denominator


def _largest_magnitude(numerators: Array) -> int:
    return max(int(numerators.max()), -int(numerators.min()))


def _checked(numerators: Array, denominator: int) -> Numbers:
    if _largest_magnitude(numerators) > MAX_NUMBER * denominator:
        raise _too_large()
    return Numbers(numerators, denominator)


def _too_large() -> TooBig:
    return TooBig(Message("rule.number_too_large", most=MAX_NUMBER))


def check_denominator(denominator: int) -> int:
    """Return a denominator; raise TooBig if products with it could overflow."""
    if denominator > MAX_DENOMINATOR:
        raise TooBig(Message("simulation.denominator_too_large", most=MAX_DENOMINATOR))
    return denominator


def per_roll(number: Any, rolls: int) -> Array:
    """Return an integer of the rule as one entry per roll."""
    if isinstance(number, Numbers):
        return number.as_integers()
    if type(number) is not int:
        raise TypeError(f"a whole number is needed here, not {number}")
    return np.full(rolls, number, np.int64)


class Pools(AbstractPool):
    """One pool per roll, as counts by reading; dice with equal readings are interchangeable."""

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
        return self._keep(count, reversed(self.counts))

    def lowest(self, count: Any) -> Pools:
        return self._keep(count, iter(self.counts))

    def _keep(self, count: Any, readings: Iterable[int]) -> Pools:
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
        # The highest reading comes first, and `argmax` returns the first of equal ones.
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
        return _checked(total, 1)

    def size(self) -> Numbers:
        return Numbers(sum(self.counts.values(), np.zeros(self.rolls, np.int64)))
