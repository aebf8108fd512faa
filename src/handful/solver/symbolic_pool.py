"""Symbolic pools: delayed sampling of dice.

A `SymbolicPool` holds dice by reading (the counts may be symbolic) and subsets of throws that have not
been sampled.  Sums and sizes of a subset are `Statistic`s.  The solver finds out which ones a rule reads by
running it (`StatisticNeeded` is raised), and then computes only their joint distribution, not every
outcome of the dice.  Invariant: a throw of which no statistic was read is carried from state to state
unsampled; it is independent of everything else, so it may as well be thrown later.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from handful.dice import COMPARISONS, AbstractPool, Die, Pool, ValueRow, row_value
from handful.records import record, replace
from handful.rules.functions import FUNCTIONS
from handful.rules.operators import (
    SymbolicNumber,
    Unresolved,
    Value,
    add,
    compare,
    multiply,
    negate,
    resolve_int,
    subtract,
)
from handful.rules.program import Record

least_of = FUNCTIONS["min"]
WIDEST = ("widest", 0)  # `keep` value: the dice of the largest set


@record()
class SymbolicThrow:
    """A throw of equal dice; a reading of at least `explodes_from` adds another die."""

    token: int
    count: int
    die: Die
    explodes_from: int | None = None
    adds: bool = False  # an exploding die adds to its own reading instead of adding a die
    base_value: int = 0  # reading that each die starts from


class Statistic(NamedTuple):
    """A number that a rule reads from a throw: the sum or the count of some of its dice."""

    token: int
    measure: str | ValueRow  # "sum", "size", or the value of each reading
    readings: frozenset[int]  # only dice with one of these readings
    keep: tuple[str, Any] | None = None  # ("highest" or "lowest", how many), or WIDEST


class StatisticNeeded(Unresolved):
    """The rule reads a statistic of a throw; None means that it needs every die."""

    def __init__(self, token: int, statistic: Statistic | None) -> None:
        super().__init__()
        self.token, self.statistic = token, statistic


class Subset(NamedTuple):
    """Some dice of a throw; `sign` is -1 for dice that were subtracted."""

    sign: int
    throw: SymbolicThrow
    readings: frozenset[int]
    keep: tuple[str, Any] | None = None


class SymbolicPool(AbstractPool):
    """Pool with symbolic counts and unsampled throws; `statistics` holds those already sampled."""

    __slots__ = ("counts", "statistics", "throws")

    def __init__(
        self,
        counts: tuple[tuple[int, Value], ...],
        throws: tuple[Subset, ...] = (),
        statistics: dict[Statistic, Value] | None = None,
    ) -> None:
        self.counts = tuple([pair for pair in counts if not _is_zero(pair[1])])
        self.throws = throws
        self.statistics: dict[Statistic, Value] = statistics if statistics is not None else {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SymbolicPool) and self.counts == other.counts and self.throws == other.throws

    def __hash__(self) -> int:
        return hash((self.counts, self.throws))

    def __repr__(self) -> str:
        return f"SymbolicPool({dict(self.counts)}, {self.throws})"

    # -- choosing dice

    def passing(self, comparison: str, number: int) -> SymbolicPool:
        passes = COMPARISONS[comparison]
        throws = []
        for subset in self.throws:
            if subset.keep is not None or subset.throw.adds:
                self._need_dice(subset)
            readings = frozenset(r for r in subset.readings if passes(r, number))
            if readings:
                throws.append(subset._replace(readings=readings))
        counts = tuple((r, n) for r, n in self.counts if passes(r, number))
        return SymbolicPool(counts, tuple(throws), self.statistics)

    def plus(self, other: Any) -> SymbolicPool:
        counts = dict(self.counts)
        for reading, n in other.counts:
            counts[reading] = add(counts.get(reading, 0), n)
        return SymbolicPool(
            tuple(sorted(counts.items())), self.throws + other.throws, {**self.statistics, **other.statistics}
        )

    def minus(self, other: Any) -> SymbolicPool:
        counts = dict(self.counts)
        for reading, n in other.counts:
            counts[reading] = left = subtract(counts.get(reading, 0), n)
            if isinstance(left, int) and left < 0 and not self.throws:
                raise ValueError("these dice are not all in the pool they are taken from")
        subtracted = tuple(s._replace(sign=-s.sign) for s in other.throws)
        return SymbolicPool(tuple(sorted(counts.items())), _cancel(self.throws + subtracted), self.statistics)

    def highest(self, count: Value) -> SymbolicPool:
        return self._keep("highest", count)

    def lowest(self, count: Value) -> SymbolicPool:
        return self._keep("lowest", count)

    def _keep(self, which: str, count: Value) -> SymbolicPool:
        if self.throws:
            (subset, *more) = self.throws
            if subset.throw.adds and self.counts and not more and subset.keep is None:
                return self._keep_with_stopped(subset, which, max(resolve_int(count), 0))
            if more or self.counts or subset.keep is not None or subset.sign < 0:
                self._need_dice(subset)
            most = count.count() if isinstance(count, SymbolicNumber) else max(resolve_int(count), 0)
            subset_kept = subset._replace(keep=(which, most))
            return SymbolicPool((), (subset_kept,), self.statistics)
        left, taken = count, []
        if not is_positive(left):
            return SymbolicPool(())
        for reading, n in sorted(self.counts, reverse=which == "highest"):
            take = least_of(n, left)
            taken.append((reading, take))
            left = subtract(left, take)
            if _is_zero(left):
                break
        return SymbolicPool(tuple(sorted(taken)))

    def _keep_with_stopped(self, subset: Subset, which: str, count: int) -> SymbolicPool:
        """Keep dice of a throw in which exploding dice rank above all dice that have stopped."""
        dice, stopped = subset.throw.count, SymbolicPool(self.counts)
        exploding = SymbolicPool((), (subset,), self.statistics)
        if which == "highest":
            kept_exploding = exploding._keep(which, count) if count < dice else exploding
            return kept_exploding.plus(stopped.highest(max(count - dice, 0)))
        left = count - resolve_int(stopped.size())
        return stopped.lowest(count) if left <= 0 else stopped.plus(exploding._keep(which, left))

    def widest(self) -> SymbolicPool:
        if self.throws:
            (subset, *more) = self.throws
            if more or self.counts or subset.keep is not None or subset.sign < 0:
                self._need_dice(subset)
            return SymbolicPool((), (subset._replace(keep=WIDEST),), self.statistics)
        found: tuple[tuple[int, Value], ...] = ()
        for reading, n in self.counts:  # ascending
            if is_positive(n) and (not found or compare(">=", n, found[0][1])):
                found = ((reading, n),)
        return SymbolicPool(found)

    # -- numbers

    def total(self, row: ValueRow | None = None) -> Value:
        total: Value = 0
        for reading, n in self.counts:
            total = add(total, multiply(n, reading if row is None else row_value(row, reading)))
        for subset in self.throws:
            part = self._statistic(subset, "sum" if row is None else row)
            total = add(total, part if subset.sign > 0 else negate(part))
        return total

    def size(self) -> Value:
        total: Value = 0
        for _, n in self.counts:
            total = add(total, n)
        for subset in self.throws:
            part = self._statistic(subset, "size")
            total = add(total, part if subset.sign > 0 else negate(part))
        return total

    def _statistic(self, subset: Subset, measure: str | ValueRow) -> Value:
        throw, readings, keep = subset.throw, subset.readings, subset.keep
        if keep is not None and keep != WIDEST and measure == "size":
            return least_of(self._statistic(subset._replace(keep=None), "size"), keep[1])
        if measure != "size" and len(readings) == 1:
            (reading,) = readings
            counts = reading if isinstance(measure, str) else row_value(measure, reading)
            return multiply(self._statistic(subset, "size"), counts)
        if isinstance(measure, tuple):
            for reading in readings:
                row_value(measure, reading)  # raises if the row is too short
            if keep is not None or throw.adds:
                self._need_dice(subset)
        everything = readings == frozenset(throw.die)
        finite = throw.explodes_from is None or throw.adds
        if measure == "size" and finite and everything and keep is None:
            return throw.count
        statistic = Statistic(throw.token, measure, readings, keep)
        if statistic not in self.statistics:
            raise StatisticNeeded(throw.token, statistic)
        return self.statistics[statistic]

    def _need_dice(self, subset: Subset) -> None:
        raise StatisticNeeded(subset.throw.token, None)

    def counts_by_reading(self) -> tuple[tuple[int, Value], ...]:
        """Return the counts by reading, which requires sampled dice: for rerolling them."""
        for subset in self.throws:
            self._need_dice(subset)
        return self.counts


def _cancel(throws: tuple[Subset, ...]) -> tuple[Subset, ...]:
    left: list[Subset] = []
    for subset in throws:
        opposite = subset._replace(sign=-subset.sign)
        if opposite in left:
            left.remove(opposite)
        else:
            left.append(subset)
    return tuple(left)


def _is_zero(n: Value) -> bool:
    return type(n) is int and n == 0


def is_positive(n: Value) -> bool:
    """Return True if a number is at least 1; a symbolic one may raise `Split`."""
    return bool(n > 0) if isinstance(n, int) else n.reaches(1)


def throws_in(value: Value) -> dict[int, SymbolicThrow]:
    """Return the unsampled throws inside a value, by token."""
    found: dict[int, SymbolicThrow] = {}
    _collect(value, found)
    return found


def _collect(value: Value, found: dict[int, SymbolicThrow]) -> None:
    kind = type(value)
    if kind is SymbolicPool:
        for subset in value.throws:
            found[subset.throw.token] = subset.throw
    elif kind is tuple:
        for part in value:
            _collect(part, found)
    elif kind is Record:
        for part in value.values():
            _collect(part, found)


def observe(
    value: Value, statistics: dict[Statistic, Value], landed: dict[int, tuple[tuple[int, int], ...]]
) -> Value:
    """Return a value with its throws sampled: by statistics, or die by die where they have `landed`."""
    if isinstance(value, SymbolicPool):
        unsampled = tuple(s for s in value.throws if s.throw.token not in landed)
        pool = SymbolicPool(value.counts, unsampled, statistics)
        for subset in value.throws:
            if subset.throw.token in landed:
                part = _apply_subset(subset, landed[subset.throw.token])
                pool = pool.plus(part) if subset.sign > 0 else pool.minus(part)
        return pool
    if type(value) is tuple:
        return tuple(observe(part, statistics, landed) for part in value)
    if isinstance(value, Record):
        return Record((name, observe(part, statistics, landed)) for name, part in value.items())
    return value


def _apply_subset(subset: Subset, counts: tuple[tuple[int, int], ...]) -> SymbolicPool:
    pool = SymbolicPool(tuple((r, n) for r, n in counts if r in subset.readings))
    if subset.keep is None:
        return pool
    which, count = subset.keep
    if subset.keep == WIDEST:
        return pool.widest()
    return pool.highest(count) if which == "highest" else pool.lowest(count)


def renumber_throws(value: Value, tokens: dict[int, int]) -> Value:
    """Return a value with the tokens of its throws replaced."""
    if isinstance(value, SymbolicPool):
        throws = tuple(s._replace(throw=replace(s.throw, token=tokens[s.throw.token])) for s in value.throws)
        return SymbolicPool(value.counts, throws)
    if type(value) is tuple:
        return tuple(renumber_throws(part, tokens) for part in value)
    if isinstance(value, Record):
        return Record((name, renumber_throws(part, tokens)) for name, part in value.items())
    return value


def to_symbolic_pool(pool: Pool) -> SymbolicPool:
    """Convert thrown dice to counts by reading."""
    counts: dict[int, int] = {}
    for landed in pool:
        counts[landed.reading] = counts.get(landed.reading, 0) + 1
    return SymbolicPool(tuple(sorted(counts.items())))
