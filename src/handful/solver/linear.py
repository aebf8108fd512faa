"""Symbolic numbers: linear expressions over independent random variables.

Adding a `Linear` or multiplying it by a constant needs no value.  A comparison does: it is answered from
the branch's `PathCondition`, or it raises `Split`, and the solver runs the step once per answer with the
answer added to the path condition.  Where a value itself is needed, `Enumerate` is raised and the step
runs once per value.

Invariant: the rule's code runs the same whether its numbers are constants or symbolic.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil

from handful.errors import Message, TooBig
from handful.rules.operators import SymbolicNumber, Unresolved, Value, normalize_number
from handful.solver.generating_function import GeneratingFunction

Range = tuple[int | None, int | None]  # inclusive bounds, None for unbounded
Slopes = tuple[tuple[int, int | Fraction], ...]
Pair = tuple[int, int, int]  # variables a < b and a sign: the number K_a + sign * K_b


class Split(Unresolved):
    """A comparison has two possible answers; `PathCondition.split` gives the path of each."""

    def __init__(self, variable: int | Pair, at: int) -> None:
        super().__init__()
        self.variable, self.at = variable, at


class Enumerate(Unresolved):
    """The value of a random variable is needed: run once per value."""

    def __init__(self, variable: int) -> None:
        super().__init__()
        self.variable = variable


class PathCondition:
    """Random variables of a branch, and the bounds that its answers so far imply.

    `ranges` bounds single variables, `pairs` bounds sums and differences of two.
    """

    __slots__ = ("pairs", "ranges", "series")

    def __init__(
        self, series: list[GeneratingFunction], ranges: list[Range], pairs: dict[Pair, Range]
    ) -> None:
        self.series, self.ranges, self.pairs = series, ranges, pairs

    @classmethod
    def unconstrained(cls, series: list[GeneratingFunction]) -> PathCondition:
        return cls(series, [(one.minimum, one.maximum) for one in series], {})

    def split(self, variable: int | Pair, at: int) -> list[PathCondition]:
        """Return the satisfiable paths in which the number is below `at`, and at least `at`."""
        least, most = self.bounds_of(variable)
        branches = self._with(variable, (least, at - 1)), self._with(variable, (at, most))
        return [branch for branch in branches if branch.is_satisfiable()]

    def enumerate_values(self, variable: int) -> list[PathCondition]:
        """Return one path per possible value of a variable."""
        least, most = self.ranges[variable]
        if most is None or least is None:
            raise TooBig(Message("solver.endless_number"))
        if most - least > 5000:
            raise TooBig(Message("solver.too_many_values"))
        lo, num = self.series[variable].minimum, self.series[variable].numerator
        branches = [
            self._with(variable, (value, value))
            for value in range(least, most + 1)
            if self.series[variable].is_infinite or (0 <= value - lo < len(num) and num[value - lo])
        ]
        return [branch for branch in branches if branch.is_satisfiable()]

    def is_satisfiable(self) -> bool:
        """Return True if no range is empty and the bounds on pairs agree with those on their variables."""
        return not any(map(_is_empty, self.ranges)) and not any(
            _is_empty(self.bounds_of(pair)) for pair in self.pairs
        )

    def fixed_value(self, variable: int) -> int | None:
        """Return the only value that is left for a variable, or None if there are several."""
        least, most = self.ranges[variable]
        return least if least == most else None

    def bounds_of(self, variable: int | Pair) -> Range:
        if isinstance(variable, int):
            return self.ranges[variable]
        a, b, sign = variable
        least_a, most_a = self.ranges[a]
        least_b, most_b = self.ranges[b] if sign > 0 else _negated(self.ranges[b])
        least = None if least_a is None or least_b is None else least_a + least_b
        most = None if most_a is None or most_b is None else most_a + most_b
        pair_least, pair_most = self.pairs.get(variable, (None, None))
        return _larger(least, pair_least), _smaller(most, pair_most)

    def add_variable(self, series: GeneratingFunction) -> int:
        """Add a random variable to the branch and return its index."""
        self.series.append(series)
        self.ranges.append((series.minimum, series.maximum))
        return len(self.series) - 1

    def _with(self, variable: int | Pair, limits: Range) -> PathCondition:
        ranges = list(self.ranges)
        if not isinstance(variable, int):
            return PathCondition(list(self.series), ranges, {**self.pairs, variable: limits})
        ranges[variable] = limits
        path = PathCondition(list(self.series), ranges, self.pairs)
        path._propagate_fixed(variable)
        return path

    def _propagate_fixed(self, variable: int) -> None:
        """Turn bounds on pairs that contain a fixed variable into bounds on the other variable."""
        value = self.fixed_value(variable)
        if value is None:
            return
        for pair in list(self.pairs):
            if variable not in pair[:2] or pair not in self.pairs:
                continue
            self.pairs = dict(self.pairs)
            limits = self.pairs.pop(pair)
            a, b, sign = pair
            other = b if variable == a else a
            constant = value if variable == a else sign * value
            least, most = _shift_down(limits, constant)
            if variable == a and sign < 0:
                least, most = _negated((least, most))
            bounds = self.ranges[other]
            self.ranges[other] = _larger(bounds[0], least), _smaller(bounds[1], most)
            self._propagate_fixed(other)

    def decide_at_least(self, variable: int | Pair, at: int) -> bool:
        """Return whether the number is at least `at`; raise Split if both are possible."""
        least, most = self.bounds_of(variable)
        if least is not None and least >= at:
            return True
        if most is not None and most < at:
            return False
        raise Split(variable, at)


def _is_empty(limits: Range) -> bool:
    least, most = limits
    return least is not None and most is not None and least > most


def _shift_down(limits: Range, by: int) -> Range:
    least, most = limits
    return (None if least is None else least - by), (None if most is None else most - by)


def _negated(limits: Range) -> Range:
    least, most = limits
    return (None if most is None else -most), (None if least is None else -least)


def _larger(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else max(a, b)


def _smaller(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else min(a, b)


class BranchContext:
    """Holds the current branch's path so that symbolic numbers can query it."""

    __slots__ = ("path",)

    def __init__(self) -> None:
        self.path = PathCondition([], [], {})


class Linear(SymbolicNumber):
    """const + sum of slope * variable; hashable, and compared structurally."""

    __slots__ = ("const", "context", "slopes")

    def __init__(self, context: BranchContext, slopes: Slopes, const: int | Fraction) -> None:
        self.context, self.slopes, self.const = context, slopes, const

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Linear) and self.slopes == other.slopes and self.const == other.const

    def __hash__(self) -> int:
        return hash((self.slopes, self.const))

    def __repr__(self) -> str:
        return f"Linear({dict(self.slopes)}, {self.const})"

    def add(self, other: Value) -> Value:
        if not isinstance(other, Linear):
            return Linear(self.context, self.slopes, normalize_number(self.const + other))
        if len(self.slopes) == 1 and len(other.slopes) == 1:
            return self._add_one(other)
        slopes = dict(self.slopes)
        for variable, slope in other.slopes:
            slopes[variable] = normalize_number(slopes.get(variable, 0) + slope)
        return self.with_terms(slopes, normalize_number(self.const + other.const))

    def _add_one(self, other: Linear) -> Value:
        """Add two expressions with one variable each, the most frequent case."""
        (term,), (term_b,) = self.slopes, other.slopes
        const = normalize_number(self.const + other.const)
        if term[0] != term_b[0]:
            return Linear(self.context, (term, term_b) if term < term_b else (term_b, term), const)
        slope = normalize_number(term[1] + term_b[1])
        return Linear(self.context, ((term[0], slope),), const) if slope else const

    def scaled(self, factor: int | Fraction) -> Value:
        if factor == 1:
            return self
        if not factor:
            return 0
        slopes = tuple([(variable, normalize_number(slope * factor)) for variable, slope in self.slopes])
        return Linear(self.context, slopes, normalize_number(self.const * factor))

    def with_terms(self, slopes: Mapping[int, int | Fraction], const: int | Fraction) -> Value:
        """Return an expression in the same context; a constant if no slope is left."""
        terms = tuple(sorted((variable, slope) for variable, slope in slopes.items() if slope))
        return Linear(self.context, terms, const) if terms else normalize_number(const)

    def reaches(self, number: int | Fraction) -> bool:
        gap, slopes = number - self.const, self.slopes
        if len(slopes) > 1:
            gap, slopes = self._substitute_fixed(gap)
            if not slopes:
                return gap <= 0
        (variable, slope), *more = slopes
        compared: int | Pair = variable
        if more:
            (other, other_slope), *others = more
            if others or abs(slope) != abs(other_slope):
                raise Enumerate(self._smallest())
            compared = (variable, other, 1 if slope == other_slope else -1)
        if slope > 0:
            return self.context.path.decide_at_least(
                compared, -((-gap) // slope) if slope != 1 else ceil(gap)
            )
        return not self.context.path.decide_at_least(compared, gap // slope + 1)

    def _substitute_fixed(self, gap: int | Fraction) -> tuple[int | Fraction, Slopes]:
        """Substitute variables with a fixed value; return the remaining gap and terms."""
        free = []
        for variable, slope in self.slopes:
            value = self.context.path.fixed_value(variable)
            if value is None:
                free.append((variable, slope))
            else:
                gap -= slope * value
        return gap, tuple(free)

    def resolve(self) -> int | Fraction:
        """Return the value if every variable is fixed; else raise Enumerate."""
        value = self.const
        for variable, slope in self.slopes:
            least, most = self.context.path.ranges[variable]
            if least is None or least != most:
                raise Enumerate(variable)
            value += slope * least
        return normalize_number(value)

    def _smallest(self) -> int:
        """Return the variable with the fewest values to enumerate."""

        def size(variable: int) -> float:
            least, most = self.context.path.ranges[variable]
            return float("inf") if least is None or most is None else most - least

        return min((variable for variable, _ in self.slopes if size(variable)), key=size)


def random_variable(context: BranchContext, variable: int) -> Linear:
    """Return a random variable as a symbolic number."""
    return Linear(context, ((variable, 1),), 0)
