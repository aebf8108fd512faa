"""Open values: numbers and pools that depend on dice nobody has looked at.

A *source* is n independent dice over classes of faces.  A `Number` is a linear form over the number of
dice in each class; a `Truth` is a number of one draw that is 0 or 1; a pool (`Dice`) says for each class
which readings a die of it has there.  So filters, sizes, sums, `+` and `-` draw nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from handful.dice import COMPARISONS, AbstractPool, Die, ValueRow, row_value
from handful.errors import Message, TooBig
from handful.rules.operators import Value, normalize_number
from handful.rules.program import Record

Column = tuple[Any, ...]  # a coefficient for each class of a source
Readings = tuple[int, ...]  # of one die: none if it is not in the pool, several if it was thrown again


class Number:
    """constant + sum over sources and classes of coefficient * number of dice in the class."""

    __slots__ = ("const", "terms")

    def __init__(self, const: Any, terms: dict[int, Column]) -> None:
        self.const, self.terms = const, terms

    def with_terms(self, const: Any, terms: dict[int, Column]) -> Value:
        """Return such a value with other terms; a constant if nothing is left open."""
        terms = {source: column for source, column in terms.items() if any(column)}
        return Number(const, terms) if terms else normalize_number(const)

    def closed(self, value: Any) -> Value:
        """Return what it stands for if its number is `value`."""
        return normalize_number(value)


class Truth(Number):
    """A truth that is open: 1 if it holds, else 0."""

    __slots__ = ()

    def with_terms(self, const: Any, terms: dict[int, Column]) -> Value:
        terms = {source: column for source, column in terms.items() if any(column)}
        return Truth(const, terms) if terms else bool(const)

    def closed(self, value: Any) -> Value:
        return bool(value)


PLAIN = Number(0, {})
number_of = PLAIN.with_terms


def linear(a: Value, b: Value, factor: Any) -> Value:
    """Return a + factor * b."""
    const, terms = (a.const, a.terms) if isinstance(a, Number) else (a, {})
    if not isinstance(b, Number):
        return number_of(const + factor * b, terms)
    terms = dict(terms)
    for source, column in b.terms.items():
        own = terms.get(source)
        if own is None:
            terms[source] = tuple([factor * y for y in column])
        else:
            terms[source] = tuple([x + factor * y for x, y in zip(own, column, strict=True)])
    return number_of(const + factor * b.const, terms)


def ratio(own: Column, column: Column) -> Fraction | None:
    """Return the factor between two columns; None if there is none."""
    factor = next((Fraction(x) / y for x, y in zip(own, column, strict=True) if y), Fraction(0))
    return factor if tuple([factor * y for y in column]) == own else None


def factor_between(one: Number, number: Number) -> Fraction | None:
    """Return the factor if a number is a multiple of another, plus a constant."""
    if one.terms.keys() != number.terms.keys():
        return None
    ratios = {ratio(one.terms[source], column) for source, column in number.terms.items()}
    return ratios.pop() if len(ratios) == 1 else None


class Extra(int):
    """A reading that stands for one point of what dice that add on have gained; filters see its number.

    So many points are in the pool beside the dice themselves: they count in a sum, and are no dice.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return type(other) is Extra and int(self) == int(other)

    def __hash__(self) -> int:
        return hash(("extra", int(self)))


def _worth(reading: int) -> int:
    return 1 if type(reading) is Extra else reading


class OpenDice(AbstractPool):
    """A pool: for each source the readings of a die by class, and the known dice by reading."""

    __slots__ = ("known", "parts")

    def __init__(self, parts: Mapping[int, tuple[Readings, ...]], known: Mapping[int, int]) -> None:
        self.parts = {source: part for source, part in parts.items() if any(part)} if parts else {}
        self.known = {reading: known[reading] for reading in sorted(known) if known[reading]} if known else {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenDice) and self.parts == other.parts and self.known == other.known

    def __hash__(self) -> int:
        return hash((tuple(self.parts.items()), tuple(self.known.items())))

    def __repr__(self) -> str:
        return f"Dice({self.parts}, {self.known})"

    def only(self, test: Callable[[int], bool]) -> OpenDice:
        """Return the dice whose reading passes a test."""
        readings_of = (r for part in self.parts.values() for readings in part for r in readings)
        if all(map(test, self.known)) and all(map(test, readings_of)):
            return self
        parts = {
            source: tuple([tuple([r for r in readings if test(r)]) for readings in part])
            for source, part in self.parts.items()
        }
        return OpenDice(parts, {r: n for r, n in self.known.items() if test(r)})

    def passing(self, comparison: str, number: int) -> OpenDice:
        passes = COMPARISONS[comparison]
        return self.only(lambda reading: passes(reading, number))

    def plus(self, other: OpenDice) -> OpenDice:
        parts, known = dict(self.parts), dict(self.known)
        for source, part in other.parts.items():
            own = parts.get(source)
            parts[source] = (
                part if own is None else tuple([tuple(sorted(a + b)) for a, b in zip(own, part, strict=True)])
            )
        for reading, n in other.known.items():
            known[reading] = known.get(reading, 0) + n
        return OpenDice(parts, known)

    def minus(self, other: OpenDice) -> OpenDice:
        parts, known = dict(self.parts), dict(self.known)
        for source, part in other.parts.items():
            if source in parts:
                parts[source] = tuple([_without(a, b) for a, b in zip(parts[source], part, strict=True)])
        for reading, n in other.known.items():
            known[reading] = max(known.get(reading, 0) - n, 0)
        return OpenDice(parts, known)

    def total(self, row: ValueRow | None = None) -> Value:
        if row is None:
            return self._counted(_worth)
        if any(type(r) is Extra for part in self.parts.values() for readings in part for r in readings):
            raise TooBig(Message("solver.one_exploding_sum"))
        return self._counted(lambda reading: row_value(row, reading))

    def size(self) -> Value:
        return self._counted(lambda reading: 0 if type(reading) is Extra else 1)

    def _counted(self, value: Callable[[int], int]) -> Value:
        terms = {
            source: tuple([sum([value(r) for r in readings]) for readings in part])
            for source, part in self.parts.items()
        }
        return number_of(sum([value(r) * n for r, n in self.known.items()]), terms)

    def highest(self, count: int) -> OpenDice:
        return self._extreme(count, sorted(self.known, reverse=True))

    def lowest(self, count: int) -> OpenDice:
        return self._extreme(count, sorted(self.known))

    def _extreme(self, count: int, order: Sequence[int]) -> OpenDice:
        """Return so many dice of a pool that is known."""
        taken, left = {}, max(count, 0)
        for reading in order:
            taken[reading] = min(self.known[reading], left)
            left -= taken[reading]
        return OpenDice({}, taken)

    def widest(self) -> OpenDice:
        if not self.known:
            return EMPTY
        count, reading = max((n, r) for r, n in self.known.items())
        return OpenDice({}, {reading: count})


def _without(readings: Readings, removed: Readings) -> Readings:
    left = list(readings)
    for reading in removed:
        if reading in left:
            left.remove(reading)
    return tuple(left)


EMPTY = OpenDice({}, {})


def opened(value: Value) -> Iterator[Number | OpenDice]:
    """Yield the open numbers and pools inside a value."""
    kind = type(value)
    if kind is Number or kind is Truth:
        yield value
    elif kind is OpenDice:
        if value.parts:
            yield value
    elif kind is tuple:
        for part in value:
            yield from opened(part)
    elif kind is Record:
        for part in value.values():
            yield from opened(part)


def sources_of(one: Number | OpenDice) -> Mapping[int, Column]:
    """Return the sources that an open number or pool depends on."""
    return one.terms if isinstance(one, Number) else one.parts


def is_open(value: Value) -> bool:
    kind = type(value)
    if kind is int or kind is str or kind is bool or kind is Die:
        return False
    return any(True for _ in opened(value))


def rewritten(value: Value, change: Callable[[Any], Value]) -> Value:
    """Return a value with its open numbers and pools replaced."""
    kind = type(value)
    if kind is Number or kind is Truth or kind is OpenDice:
        return change(value)
    if kind is tuple and is_open(value):
        return tuple([rewritten(part, change) for part in value])
    if kind is Record and is_open(value):
        return Record((name, rewritten(part, change)) for name, part in value.items())
    return value
