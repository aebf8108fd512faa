"""What is known on the way to a place in a rule that is being written out."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from handful.records import field, record
from handful.solver.compiled.staged import Form, Number, Terms
from handful.solver.symbolic_pool import Statistic


class Upper(NamedTuple):
    """The part of a series from `at` on; often only its chance is wanted, and `lower` gives it."""

    series: str
    at: str
    lower: str
    is_total: bool  # the series has mass 1


class Limits(NamedTuple):
    """Between which numbers a sum of locals lies; None is no limit, `…_in` if it is reached."""

    least: Number | None = None
    least_in: bool = True
    most: Number | None = None
    most_in: bool = True


@record(eq=False, frozen=False)
class Path:
    """Locals of the written code and facts that hold where the writer is."""

    series: dict[int, str | Upper] = field(default_factory=dict)  # by axis
    partial: frozenset[int] = frozenset()  # axes whose series need not add up to one
    spelt: dict[int, str] = field(default_factory=dict)  # axes taken value by value
    marks: dict[int, tuple[tuple[Form, bool], ...]] = field(default_factory=dict)
    limits: dict[Terms, Limits] = field(default_factory=dict)
    factors: tuple[tuple[str, str], ...] = ()  # chances so far: numerators, denominators
    told: tuple[str, ...] = ()  # locals that hold events
    made: dict[str, str] = field(default_factory=dict)  # text -> the local that holds its value
    pending: dict[int, tuple[str, Form, Form]] = field(default_factory=dict)  # largest, smallest
    observed: frozenset[int] = frozenset()  # throws somebody has looked at
    statistics: dict[Statistic, Form] = field(default_factory=dict)  # and what they show
    loops: int = 0
    questions: int = 0

    def copy(self) -> Path:
        return Path(
            dict(self.series),
            self.partial,
            dict(self.spelt),
            dict(self.marks),
            dict(self.limits),
            self.factors,
            self.told,
            dict(self.made),
            dict(self.pending),
            self.observed,
            self.statistics,
            self.loops,
            self.questions,
        )

    def apart(self) -> Path:
        """For a called rule: the same locals, but dice and chances of its own."""
        own = Path(spelt=self.spelt, limits=dict(self.limits), made=dict(self.made))
        own.loops, own.questions = self.loops, self.questions
        return own

    # -- sums of locals

    def at_least_0(self, form: Form) -> bool | None:
        """Whether a sum of locals is at least 0, if that is known."""
        if not form.locals:
            return form.const >= 0
        _, first, (least, least_in, most, most_in) = self._limits(form)
        bound = _quotient(-form.const, first)
        above = least is not None and (least > bound or (least == bound and least_in == (first > 0)))
        below = most is not None and (most < bound or (most == bound and most_in == (first < 0)))
        if above or below:
            return above == (first > 0)
        return None

    def learn(self, form: Form, reaches: bool, is_integer: bool) -> None:
        """A sum of locals is at least 0, or is not; `whole` if it is a sum of whole numbers."""
        terms, first, (least, least_in, most, most_in) = self._limits(form)
        bound, inside = _quotient(-form.const, first), reaches
        lower = (first > 0) == reaches
        if is_integer and not inside and type(bound) is int:
            bound, inside = bound + (1 if lower else -1), True
        if lower:
            self.limits[terms] = Limits(bound, inside, most, most_in)
        else:
            self.limits[terms] = Limits(least, least_in, bound, inside)

    def fix(self, form: Form, value: Number) -> None:
        """A sum of locals (and its constant) has this value."""
        terms, first, _ = self._limits(form)
        amount = _quotient(value - form.const, first)
        self.limits[terms] = Limits(amount, True, amount, True)

    def _limits(self, form: Form) -> tuple[Terms, Number, Limits]:
        first = form.locals[0][1]
        terms = tuple((name, _quotient(n, first)) for name, n in form.locals)
        return terms, first, self.limits.get(terms, Limits())


def _quotient(a: Number, b: Number) -> Number:
    exact = Fraction(a) / b
    return exact.numerator if exact.denominator == 1 else exact
