"""Numbers that nobody has asked about yet.

An `Unknown` is a linear expression over axes; an axis is an independent unknown number with a
`Series`.  Adding and multiplying by known numbers needs no knowledge.  A question does: it is
answered from what the `Path` already knows, or it raises `Fork`, and the solver runs the step
once for each answer, with the branch's knowledge written into its path.

So the rule text runs the same whether its numbers are known or not.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil

from handful.errors import TooBig
from handful.rules.operators import SymbolicNumber, Unresolved, Value, normalize_number
from handful.solver.generating_function import GeneratingFunction

Range = tuple[int | None, int | None]  # least and most, None for open
Slopes = tuple[tuple[int, int | Fraction], ...]
Pair = tuple[int, int, int]  # axes a < b and a sign: the number K_a + sign * K_b


class Split(Unresolved):
    """Two answers are possible; `split` gives the path of each."""

    def __init__(self, variable: int | Pair, at: int) -> None:
        super().__init__()
        self.variable, self.at = variable, at


class Enumerate(Unresolved):
    """The value of an axis must be known: take its values one by one."""

    def __init__(self, variable: int) -> None:
        super().__init__()
        self.variable = variable


class PathCondition:
    """One branch of a step: its axes, and what the answers so far say about them."""

    __slots__ = ("pairs", "ranges", "series")

    def __init__(
        self, series: list[GeneratingFunction], ranges: list[Range], pairs: dict[Pair, Range]
    ) -> None:
        self.series, self.ranges, self.pairs = series, ranges, pairs

    @classmethod
    def unconstrained(cls, series: list[GeneratingFunction]) -> PathCondition:
        return cls(series, [(one.minimum, one.maximum) for one in series], {})

    def split(self, variable: int | Pair, at: int) -> list[PathCondition]:
        """The branches in which the number is below `at`, and at least `at`."""
        least, most = self.bounds_of(variable)
        branches = self._with(variable, (least, at - 1)), self._with(variable, (at, most))
        return [branch for branch in branches if branch.is_satisfiable()]

    def enumerate_values(self, variable: int) -> list[PathCondition]:
        """One branch per value of an axis."""
        least, most = self.ranges[variable]
        if most is None or least is None:
            raise TooBig("a number without end is needed value by value; this cannot be solved")
        if most - least > 5000:
            raise TooBig("a number with too many values is needed value by value")
        lo, num = self.series[variable].minimum, self.series[variable].numerator
        branches = [
            self._with(variable, (value, value))
            for value in range(least, most + 1)
            if self.series[variable].is_infinite or (0 <= value - lo < len(num) and num[value - lo])
        ]
        return [branch for branch in branches if branch.is_satisfiable()]

    def is_satisfiable(self) -> bool:
        """Whether what is known of pairs fits what is known of their numbers."""
        return not any(map(_empty, self.ranges)) and not any(
            _empty(self.bounds_of(pair)) for pair in self.pairs
        )

    def fixed_value(self, variable: int) -> int | None:
        """The only value that an axis has left, if there is only one."""
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
        known_least, known_most = self.pairs.get(variable, (None, None))
        return _larger(least, known_least), _smaller(most, known_most)

    def add_variable(self, series: GeneratingFunction) -> int:
        """A further axis: a number that the branch has met."""
        self.series.append(series)
        self.ranges.append((series.minimum, series.maximum))
        return len(self.series) - 1

    def _with(self, variable: int | Pair, limits: Range) -> PathCondition:
        ranges = list(self.ranges)
        if not isinstance(variable, int):
            return PathCondition(list(self.series), ranges, {**self.pairs, variable: limits})
        ranges[variable] = limits
        path = PathCondition(list(self.series), ranges, self.pairs)
        path._settle(variable)
        return path

    def _settle(self, variable: int) -> None:
        """Pairs of a number that is known now say something about the other number alone."""
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
            known = value if variable == a else sign * value
            least, most = _less(limits, known)
            if variable == a and sign < 0:
                least, most = _negated((least, most))
            own = self.ranges[other]
            self.ranges[other] = _larger(own[0], least), _smaller(own[1], most)
            self._settle(other)

    def decide_at_least(self, variable: int | Pair, at: int) -> bool:
        """Whether the number is at least `at`, if that is certain; else a fork."""
        least, most = self.bounds_of(variable)
        if least is not None and least >= at:
            return True
        if most is not None and most < at:
            return False
        raise Split(variable, at)


def _empty(limits: Range) -> bool:
    least, most = limits
    return least is not None and most is not None and least > most


def _less(limits: Range, by: int) -> Range:
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
    """Where the path of the branch that is being run lies, for its numbers to ask."""

    __slots__ = ("path",)

    def __init__(self) -> None:
        self.path = PathCondition([], [], {})


class Linear(SymbolicNumber):
    """const + sum of slope * axis; hashable, and equal when written the same."""

    __slots__ = ("const", "context", "slopes")

    def __init__(self, context: BranchContext, slopes: Slopes, const: int | Fraction) -> None:
        self.context, self.slopes, self.const = context, slopes, const

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Linear) and self.slopes == other.slopes and self.const == other.const

    def __hash__(self) -> int:
        return hash((self.slopes, self.const))

    def __repr__(self) -> str:
        return f"Unknown({dict(self.slopes)}, {self.const})"

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
        """The everyday case: one axis each."""
        (own,), (further,) = self.slopes, other.slopes
        const = normalize_number(self.const + other.const)
        if own[0] != further[0]:
            return Linear(self.context, (own, further) if own < further else (further, own), const)
        slope = normalize_number(own[1] + further[1])
        return Linear(self.context, ((own[0], slope),), const) if slope else const

    def scaled(self, factor: int | Fraction) -> Value:
        if factor == 1:
            return self
        if not factor:
            return 0
        slopes = tuple([(variable, normalize_number(slope * factor)) for variable, slope in self.slopes])
        return Linear(self.context, slopes, normalize_number(self.const * factor))

    def with_terms(self, slopes: Mapping[int, int | Fraction], const: int | Fraction) -> Value:
        """Another number at the same desk; without slopes it is known."""
        kept = tuple(sorted((variable, slope) for variable, slope in slopes.items() if slope))
        return Linear(self.context, kept, const) if kept else normalize_number(const)

    def reaches(self, number: int | Fraction) -> bool:
        gap, slopes = number - self.const, self.slopes
        if len(slopes) > 1:
            gap, slopes = self._unsettled(gap)
            if not slopes:
                return gap <= 0
        (variable, slope), *more = slopes
        asked: int | Pair = variable
        if more:
            (other, other_slope), *too_many = more
            if too_many or abs(slope) != abs(other_slope):
                raise Enumerate(self._smallest())
            asked = (variable, other, 1 if slope == other_slope else -1)
        if slope > 0:
            return self.context.path.decide_at_least(asked, -((-gap) // slope) if slope != 1 else ceil(gap))
        return not self.context.path.decide_at_least(asked, gap // slope + 1)

    def _unsettled(self, gap: int | Fraction) -> tuple[int | Fraction, Slopes]:
        """What the axes that are still open must make up for."""
        open_ = []
        for variable, slope in self.slopes:
            value = self.context.path.fixed_value(variable)
            if value is None:
                open_.append((variable, slope))
            else:
                gap -= slope * value
        return gap, tuple(open_)

    def resolve(self) -> int | Fraction:
        """Its value, if its axes have only one left; else they are taken value by value."""
        value = self.const
        for variable, slope in self.slopes:
            least, most = self.context.path.ranges[variable]
            if least is None or least != most:
                raise Enumerate(variable)
            value += slope * least
        return normalize_number(value)

    def _smallest(self) -> int:
        """The axis that is cheapest to take value by value."""

        def size(variable: int) -> float:
            least, most = self.context.path.ranges[variable]
            return float("inf") if least is None or most is None else most - least

        return min((variable for variable, _ in self.slopes if size(variable)), key=size)


def random_variable(context: BranchContext, variable: int) -> Linear:
    """The number of an axis itself."""
    return Linear(context, ((variable, 1),), 0)
