"""Scope of the emitted code: locals and facts that hold at the current position.

Invariant: a fact is only used where every path of the emitted code establishes it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from handful.records import field, record
from handful.solver.compiled.staged import Number, StagedNumber, Terms
from handful.solver.symbolic_pool import Statistic


class PackedSeries(NamedTuple):
    """A finite distribution: expressions for its packed weights, its lowest value and its scale."""

    packed: str
    low: str
    scale: str


class OpenSeries(NamedTuple):
    """A distribution that may be endless: the local that holds its series."""

    series: str


class ExplodingSeries(NamedTuple):
    """Exploding dice, computed lazily: often only the part below a cap is used."""

    die: str  # constant of an `ExplodingDie`
    dice: str


class UpperPart(NamedTuple):
    """The part of an open series from `at` on, computed lazily: often only its mass is used."""

    series: OpenSeries | ExplodingSeries
    at: str
    lower: PackedSeries
    is_total: bool  # the series has mass 1


Series = PackedSeries | OpenSeries | ExplodingSeries | UpperPart


class Interval(NamedTuple):
    """Interval that contains a sum of locals; None is unbounded, `includes_…` if a bound belongs to it."""

    least: Number | None = None
    includes_least: bool = True
    most: Number | None = None
    includes_most: bool = True


@record(eq=False, frozen=False)
class Scope:
    """Locals of the emitted code and facts that hold at the current position."""

    series: dict[int, Series] = field(default_factory=dict)  # by random variable
    partial: frozenset[int] = frozenset()  # variables whose mass may be less than 1
    enumerated: dict[int, str] = field(default_factory=dict)  # enumerated variable -> local with its value
    thresholds: dict[int, tuple[tuple[StagedNumber, bool], ...]] = field(default_factory=dict)
    intervals: dict[Terms, Interval] = field(default_factory=dict)
    factors: tuple[tuple[str, str], ...] = ()  # probabilities so far: numerators, denominators
    event_locals: tuple[str, ...] = ()  # locals that hold events
    computed: dict[str, str] = field(default_factory=dict)  # expression -> the local that holds its value
    pending: dict[int, tuple[str, StagedNumber, StagedNumber]] = field(
        default_factory=dict
    )  # maxima, minima not yet emitted
    observed: frozenset[int] = frozenset()  # throws of which a statistic was read
    statistics: dict[Statistic, StagedNumber] = field(default_factory=dict)  # and their values
    loops: int = 0
    questions: int = 0

    def copy(self) -> Scope:
        return Scope(
            dict(self.series),
            self.partial,
            dict(self.enumerated),
            dict(self.thresholds),
            dict(self.intervals),
            self.factors,
            self.event_locals,
            dict(self.computed),
            dict(self.pending),
            self.observed,
            self.statistics,
            self.loops,
            self.questions,
        )

    def for_called_rule(self) -> Scope:
        """Return the scope of a called rule: the same locals, but its own dice and probabilities."""
        scope = Scope(
            enumerated=self.enumerated, intervals=dict(self.intervals), computed=dict(self.computed)
        )
        scope.loops, scope.questions = self.loops, self.questions
        return scope

    # -- sums of locals

    def at_least_0(self, number: StagedNumber) -> bool | None:
        """Return whether a sum of locals is at least 0, or None if the facts do not say."""
        if not number.locals:
            return number.const >= 0
        _, first, (least, includes_least, most, includes_most) = self._interval(number)
        bound = _quotient(-number.const, first)
        above = least is not None and (least > bound or (least == bound and includes_least == (first > 0)))
        below = most is not None and (most < bound or (most == bound and includes_most == (first < 0)))
        if above or below:
            return above == (first > 0)
        return None

    def learn(self, number: StagedNumber, reaches: bool, is_integer: bool) -> None:
        """Record that a sum of locals reaches 0, or that it is below; `is_integer` if all its terms are."""
        terms, first, (least, includes_least, most, includes_most) = self._interval(number)
        bound, is_included = _quotient(-number.const, first), reaches
        lower = (first > 0) == reaches
        if is_integer and not is_included and type(bound) is int:
            bound, is_included = bound + (1 if lower else -1), True
        if lower:
            self.intervals[terms] = Interval(bound, is_included, most, includes_most)
        else:
            self.intervals[terms] = Interval(least, includes_least, bound, is_included)

    def fix(self, number: StagedNumber, value: Number) -> None:
        """Record that a sum of locals and its constant has this value."""
        terms, first, _ = self._interval(number)
        amount = _quotient(value - number.const, first)
        self.intervals[terms] = Interval(amount, True, amount, True)

    def _interval(self, number: StagedNumber) -> tuple[Terms, Number, Interval]:
        first = number.locals[0][1]
        terms = tuple((name, _quotient(n, first)) for name, n in number.locals)
        return terms, first, self.intervals.get(terms, Interval())


def _quotient(a: Number, b: Number) -> Number:
    if type(a) is int and type(b) is int and not a % b:
        return a // b
    exact = Fraction(a) / b
    return exact.numerator if exact.denominator == 1 else exact
