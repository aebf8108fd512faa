"""Pools whose dice nobody has looked at yet.

A `Heap` is a pool as the solver keeps it: numbers of dice by reading, which may be unknown, plus
selections of throws that have not been looked at.  Sums and sizes of a selection are `View`s; the
solver learns which views a rule wants by running it (`Wanted` is raised), and then only needs
their joint chances instead of every way the dice can land.  A throw that nobody has looked at yet
is carried from state to state as it is: an unseen die may as well not have been thrown.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from handful.dice import COMPARISONS, Die, Gathered, Pool, Row, entry
from handful.records import record, replace
from handful.rules.functions import FUNCTIONS
from handful.rules.operators import (
    Open,
    Unanswered,
    Value,
    add,
    compare,
    multiply,
    negate,
    subtract,
    whole,
)
from handful.rules.program import Record

least_of = FUNCTIONS["min"]
WIDEST = ("widest", 0)  # the dice of the largest set


@record()
class Cast:
    """A throw of equal dice; from reading `endless` on each brings another die."""

    token: int
    count: int
    die: Die
    endless: int | None = None
    adds: bool = False  # it is the same die, and what it reads adds up
    base: int = 0  # what each die has already


class View(NamedTuple):
    """What a rule wants to know of a cast: the sum or the number of some of its dice."""

    token: int
    weigh: str | Row  # "sum", "size", or what each reading counts
    readings: frozenset[int]  # only dice that read one of these
    keep: tuple[str, Any] | None = None  # ("highest" or "lowest", how many), or WIDEST


class Wanted(Unanswered):
    """A view of a throw is needed; WHOLE means the dice themselves."""

    def __init__(self, token: int, view: View | None) -> None:
        super().__init__()
        self.token, self.view = token, view


class Selection(NamedTuple):
    """Some dice of a cast, counted once or (after a subtraction) minus once."""

    sign: int
    cast: Cast
    readings: frozenset[int]
    keep: tuple[str, Any] | None = None


class Heap(Gathered):
    """A pool of the solver."""

    __slots__ = ("casts", "counts", "views")

    def __init__(
        self,
        counts: tuple[tuple[int, Value], ...],
        casts: tuple[Selection, ...] = (),
        views: dict[View, Value] | None = None,
    ) -> None:
        self.counts = tuple([pair for pair in counts if not _is_zero(pair[1])])
        self.casts = casts
        self.views: dict[View, Value] = views if views is not None else {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Heap) and self.counts == other.counts and self.casts == other.casts

    def __hash__(self) -> int:
        return hash((self.counts, self.casts))

    def __repr__(self) -> str:
        return f"Heap({dict(self.counts)}, {self.casts})"

    # -- choosing dice

    def passing(self, comparison: str, number: int) -> Heap:
        passes = COMPARISONS[comparison]
        casts = []
        for selection in self.casts:
            if selection.keep is not None or selection.cast.adds:
                self._whole(selection)
            readings = frozenset(r for r in selection.readings if passes(r, number))
            if readings:
                casts.append(selection._replace(readings=readings))
        counts = tuple((r, n) for r, n in self.counts if passes(r, number))
        return Heap(counts, tuple(casts), self.views)

    def plus(self, other: Any) -> Heap:
        counts = dict(self.counts)
        for reading, n in other.counts:
            counts[reading] = add(counts.get(reading, 0), n)
        return Heap(tuple(sorted(counts.items())), self.casts + other.casts, {**self.views, **other.views})

    def minus(self, other: Any) -> Heap:
        counts = dict(self.counts)
        for reading, n in other.counts:
            counts[reading] = left = subtract(counts.get(reading, 0), n)
            if isinstance(left, int) and left < 0 and not self.casts:
                raise ValueError("these dice are not all in the pool they are taken from")
        gone = tuple(s._replace(sign=-s.sign) for s in other.casts)
        return Heap(tuple(sorted(counts.items())), _cancelled(self.casts + gone), self.views)

    def highest(self, count: Value) -> Heap:
        return self._kept("highest", count)

    def lowest(self, count: Value) -> Heap:
        return self._kept("lowest", count)

    def _kept(self, which: str, count: Value) -> Heap:
        if self.casts:
            (selection, *more) = self.casts
            if selection.cast.adds and self.counts and not more and selection.keep is None:
                return self._kept_beside(selection, which, max(whole(count), 0))
            if more or self.counts or selection.keep is not None or selection.sign < 0:
                self._whole(selection)
            most = count.count() if isinstance(count, Open) else max(whole(count), 0)
            kept = selection._replace(keep=(which, most))
            return Heap((), (kept,), self.views)
        left, taken = count, []
        if not positive(left):
            return Heap(())
        for reading, n in sorted(self.counts, reverse=which == "highest"):
            take = least_of(n, left)
            taken.append((reading, take))
            left = subtract(left, take)
            if _is_zero(left):
                break
        return Heap(tuple(sorted(taken)))

    def _kept_beside(self, selection: Selection, which: str, count: int) -> Heap:
        """Dice that go on adding are above all that have stopped."""
        dice, stopped = selection.cast.count, Heap(self.counts)
        on = Heap((), (selection,), self.views)
        if which == "highest":
            own = on._kept(which, count) if count < dice else on
            return own.plus(stopped.highest(max(count - dice, 0)))
        left = count - whole(stopped.size())
        return stopped.lowest(count) if left <= 0 else stopped.plus(on._kept(which, left))

    def widest(self) -> Heap:
        if self.casts:
            (selection, *more) = self.casts
            if more or self.counts or selection.keep is not None or selection.sign < 0:
                self._whole(selection)
            return Heap((), (selection._replace(keep=WIDEST),), self.views)
        found: tuple[tuple[int, Value], ...] = ()
        for reading, n in self.counts:  # ascending
            if positive(n) and (not found or compare(">=", n, found[0][1])):
                found = ((reading, n),)
        return Heap(found)

    # -- numbers

    def total(self, row: Row | None = None) -> Value:
        total: Value = 0
        for reading, n in self.counts:
            total = add(total, multiply(n, reading if row is None else entry(row, reading)))
        for selection in self.casts:
            part = self._view(selection, "sum" if row is None else row)
            total = add(total, part if selection.sign > 0 else negate(part))
        return total

    def size(self) -> Value:
        total: Value = 0
        for _, n in self.counts:
            total = add(total, n)
        for selection in self.casts:
            part = self._view(selection, "size")
            total = add(total, part if selection.sign > 0 else negate(part))
        return total

    def _view(self, selection: Selection, weigh: str | Row) -> Value:
        cast, readings, keep = selection.cast, selection.readings, selection.keep
        if keep is not None and keep != WIDEST and weigh == "size":
            return least_of(self._view(selection._replace(keep=None), "size"), keep[1])
        if weigh != "size" and len(readings) == 1:
            (reading,) = readings
            counts = reading if isinstance(weigh, str) else entry(weigh, reading)
            return multiply(self._view(selection, "size"), counts)
        if isinstance(weigh, tuple):
            for reading in readings:
                entry(weigh, reading)  # a row that is too short is noticed here
            if keep is not None or cast.adds:
                self._whole(selection)
        everything = readings == frozenset(cast.die)
        finite = cast.endless is None or cast.adds
        if weigh == "size" and finite and everything and keep is None:
            return cast.count
        view = View(cast.token, weigh, readings, keep)
        if view not in self.views:
            raise Wanted(cast.token, view)
        return self.views[view]

    def _whole(self, selection: Selection) -> None:
        raise Wanted(selection.cast.token, None)

    def spread(self) -> tuple[tuple[int, Value], ...]:
        """Dice by reading, when they must be known: for throwing them again."""
        for selection in self.casts:
            self._whole(selection)
        return self.counts


def _cancelled(casts: tuple[Selection, ...]) -> tuple[Selection, ...]:
    left: list[Selection] = []
    for selection in casts:
        opposite = selection._replace(sign=-selection.sign)
        if opposite in left:
            left.remove(opposite)
        else:
            left.append(selection)
    return tuple(left)


def _is_zero(n: Value) -> bool:
    return type(n) is int and n == 0


def positive(n: Value) -> bool:
    """Whether a number is at least 1; may first have to find out."""
    return bool(n > 0) if isinstance(n, int) else n.reaches(1)


def casts_in(value: Value) -> dict[int, Cast]:
    """The throws that a value holds without anybody having looked at them."""
    found: dict[int, Cast] = {}
    _collect(value, found)
    return found


def _collect(value: Value, found: dict[int, Cast]) -> None:
    kind = type(value)
    if kind is Heap:
        for selection in value.casts:
            found[selection.cast.token] = selection.cast
    elif kind is tuple:
        for part in value:
            _collect(part, found)
    elif kind is Record:
        for part in value.values():
            _collect(part, found)


def looked_at(
    value: Value, views: dict[View, Value], landed: dict[int, tuple[tuple[int, int], ...]]
) -> Value:
    """A value whose throws can be looked at: by views, or die by die where they have landed."""
    if isinstance(value, Heap):
        unseen = tuple(s for s in value.casts if s.cast.token not in landed)
        heap = Heap(value.counts, unseen, views)
        for selection in value.casts:
            if selection.cast.token in landed:
                part = _selected(selection, landed[selection.cast.token])
                heap = heap.plus(part) if selection.sign > 0 else heap.minus(part)
        return heap
    if type(value) is tuple:
        return tuple(looked_at(part, views, landed) for part in value)
    if isinstance(value, Record):
        return Record((name, looked_at(part, views, landed)) for name, part in value.items())
    return value


def _selected(selection: Selection, counts: tuple[tuple[int, int], ...]) -> Heap:
    heap = Heap(tuple((r, n) for r, n in counts if r in selection.readings))
    if selection.keep is None:
        return heap
    which, count = selection.keep
    if selection.keep == WIDEST:
        return heap.widest()
    return heap.highest(count) if which == "highest" else heap.lowest(count)


def renamed(value: Value, tokens: dict[int, int]) -> Value:
    """A value whose throws have other tokens."""
    if isinstance(value, Heap):
        casts = tuple(s._replace(cast=replace(s.cast, token=tokens[s.cast.token])) for s in value.casts)
        return Heap(value.counts, casts)
    if type(value) is tuple:
        return tuple(renamed(part, tokens) for part in value)
    if isinstance(value, Record):
        return Record((name, renamed(part, tokens)) for name, part in value.items())
    return value


def as_heap(pool: Pool) -> Heap:
    """Landed dice as the solver keeps them: counts by reading."""
    counts: dict[int, int] = {}
    for landed in pool:
        counts[landed.reading] = counts.get(landed.reading, 0) + 1
    return Heap(tuple(sorted(counts.items())))
