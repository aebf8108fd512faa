"""Canonical form of a state: marginalizes a branch onto the numbers that are still live.

`canonicalize` takes the live values and the path condition, and returns values with as few random
variables as possible: unused variables are summed out, variables that occur only in one sum are convolved
into one, and a comparison of two variables becomes a weight on one of them.
Invariant: branches with the same future get equal values, whatever their history.
"""

from __future__ import annotations

from fractions import Fraction

from handful.errors import Message, TooBig
from handful.rules.operators import Value, normalize_number
from handful.solver.comparison import constrain
from handful.solver.generating_function import GeneratingFunction
from handful.solver.linear import Enumerate, Linear, Pair, PathCondition, Split
from handful.solver.weights import ONE, Weight, linears_in, substitute

MAX_SUM_LENGTH = 10_000  # coefficients of two variables convolved in a ratio that is no integer


def canonicalize(
    values: tuple[Value, ...], path: PathCondition, accumulator: int | None
) -> tuple[tuple[Value, ...], Weight]:
    """Return the canonical values of a state, and its weight."""
    found = [one for value in values for one in linears_in(value)]
    if not found and not path.pairs:
        factor = ONE
        for variable in range(len(path.series)):
            factor *= _restricted(path, variable, accumulator).mass
        return values, Weight(factor, ())
    if found and not path.pairs and (sum_ := _one_sum(found, accumulator)):
        return _on_one_sum(values, found[0], path, sum_, accumulator)
    return _Canonicalizer(found, path, accumulator).result(values)


def _one_sum(found: list[Linear], accumulator: int | None) -> tuple[int, ...]:
    """Return the variables of the one sum that all symbolic numbers are functions of, if there is one."""
    variables = tuple([variable for variable, _ in found[0].slopes])
    for one in found:
        slope = one.slopes[0][1]
        if len(one.slopes) != len(variables):
            return ()
        for variable, (own, own_slope) in zip(variables, one.slopes, strict=True):
            if own != variable or own_slope != slope or own == accumulator:
                return ()
    return variables


def _on_one_sum(
    values: tuple[Value, ...],
    first: Linear,
    path: PathCondition,
    variables: tuple[int, ...],
    accumulator: int | None,
) -> tuple[tuple[Value, ...], Weight]:
    """Canonicalize the most frequent case directly: all symbolic numbers depend on one sum of variables."""
    factor = ONE
    for other in range(len(path.series)):
        if other not in variables:
            factor *= _restricted(path, other, accumulator).mass
    series = _restricted(path, variables[0], accumulator)
    for variable in variables[1:]:
        series = series.convolve(_restricted(path, variable, accumulator))
    slope = first.slopes[0][1]
    is_constant = not series.is_infinite and len(series.numerator) <= 1
    shift = series.minimum if is_constant or first.const % slope else -int(first.const / slope)

    def renumber(one: Linear) -> Value:
        own = one.slopes[0][1]
        const = normalize_number(one.const + own * shift)
        return const if is_constant else Linear(one.context, ((0, own),), const)

    if is_constant:
        factor *= series.mass
    elif variables == (0,) and not shift:
        return values, Weight(factor, (series,))
    remaining = () if is_constant else (series.shifted(-shift),)
    return tuple(substitute(value, renumber) for value in values), Weight(factor, remaining)


def _restricted(path: PathCondition, variable: int, accumulator: int | None) -> GeneratingFunction:
    """Return a variable's series restricted to its range.

    The accumulator's series is its increment while its range is that of the total, so it stays as it is.
    """
    series, (least, most) = path.series[variable], path.ranges[variable]
    if variable == accumulator:
        return series
    if least is not None and least > series.minimum:
        series = series.at_least(least)
    if most is not None and (series.maximum is None or most < series.maximum):
        series = series.below(most + 1)
    return series


class _Canonicalizer:
    """Reduces the random variables of one state, step by step: comparisons, sums, numbering."""

    def __init__(self, found: list[Linear], path: PathCondition, accumulator: int | None) -> None:
        self.path, self.accumulator = path, accumulator
        self.slopes = [dict(one.slopes) for one in found]
        self.consts = [one.const for one in found]
        self.used = {variable for slopes in self.slopes for variable in slopes}
        self.series = {
            variable: _restricted(path, variable, accumulator) for variable in range(len(path.series))
        }
        self.pairs = dict(path.pairs)
        self.factor = Fraction(1)
        self.merged: set[int] = set()  # variables merged into another
        self.constants: dict[int, int] = {}  # variable -> constant value of its sum with another
        self.stretch: dict[int, int] = {}  # factor by which a variable was multiplied for a merge

    def result(self, values: tuple[Value, ...]) -> tuple[tuple[Value, ...], Weight]:
        self._drop_leaves()
        self._merge_compared()
        self._merge_sums()
        for variable in list(self.series):
            if variable not in self.used:
                self.factor *= self.series.pop(variable).mass
        return self._renumbered(values)

    # -- comparisons

    def _drop_leaves(self) -> None:
        """Eliminate unused variables that are compared with only one other."""
        while (leaf := self._leaf()) is not None:
            self._eliminate(next(pair for pair in self.pairs if leaf in pair[:2]), leaf)

    def _leaf(self) -> int | None:
        unused = (variable for variable in self.series if variable not in self.used)
        return next((variable for variable in unused if self._degree(variable) == 1), None)

    def _degree(self, variable: int) -> int:
        return sum(variable in pair[:2] for pair in self.pairs)

    def _eliminate(self, pair: Pair, leaf: int) -> None:
        a, b, sign = pair
        least, most = self.pairs.pop(pair)
        if leaf == a and sign < 0:
            least, most = _negative(most), _negative(least)
        other = b if leaf == a else a
        if self.accumulator in (leaf, other):
            raise Enumerate(self.accumulator)
        self.series[other] = constrain(self.series[other], self.series.pop(leaf), sign, least, most)

    def _merge_compared(self) -> None:
        """Merge two used variables that were compared, if only their sum is used; else enumerate one."""
        while self.pairs:
            (a, b, sign), (least, most) = self.pairs.popitem()
            only_as_sum = self._ratio(a, b) == sign
            if not only_as_sum or self._degree(a) or self._degree(b) or self.accumulator in (a, b):
                raise Enumerate(self._cheaper(a, b))
            self._merge(a, b, Fraction(sign))
            if a in self.series and b in self.series:
                self._replace_difference((a, b, sign), least, most)
                continue
            keeper = a if a in self.series else b
            if keeper != a:
                least, most = _negative(most), _negative(least)
            series = self.series[keeper]
            if least is not None:
                series = series.at_least(least)
            if most is not None:
                series = series.below(most + 1)
            self.series[keeper] = series

    def _replace_difference(self, pair: Pair, least: int | None, most: int | None) -> None:
        """Replace the difference of two unbounded variables by a constant; split it value by value."""
        if least is None or most is None:
            raise TooBig(Message("solver.endless_difference"))
        if least < most:
            raise Split(pair, least + 1)
        a, b, sign = pair
        self.factor *= constrain(self.series.pop(a), self.series.pop(b), sign, least, most).mass
        self.used -= {a, b}
        self.merged.add(b)
        self.constants[a] = least
        for place, slopes in enumerate(self.slopes):
            self.consts[place] = normalize_number(self.consts[place] + slopes.pop(a, 0) * least)
            slopes.pop(b, None)

    def _cheaper(self, a: int, b: int) -> int:
        def size(variable: int) -> float:
            series = self.series[variable]
            return (
                float("inf") if series.is_infinite or variable == self.accumulator else len(series.numerator)
            )

        best = min(a, b, key=size)
        if size(best) == float("inf"):
            raise TooBig(Message("solver.two_endless_numbers"))
        return best

    # -- sums

    def _merge_sums(self) -> None:
        variables = sorted(self.used)
        for i, a in enumerate(variables):
            for b in variables[i + 1 :]:
                if a in self.series and b in self.series:
                    ratio = self._ratio(a, b)
                    if ratio is not None and self._is_compact(a, b, ratio):
                        self._merge(a, b, ratio)

    def _is_compact(self, a: int, b: int, ratio: Fraction) -> bool:
        """Return True if the series of the sum is not much longer than its parts."""
        if ratio.denominator == 1:
            return True
        first, second = len(self.series[a].numerator), len(self.series[b].numerator)
        return ratio.denominator * first + abs(ratio.numerator) * second <= MAX_SUM_LENGTH

    def _ratio(self, a: int, b: int) -> Fraction | None:
        """Return r if K_a and K_b only occur as K_a + r * K_b, else None."""
        ratios = set()
        for slopes in self.slopes:
            if (a in slopes) != (b in slopes):
                return None
            if a in slopes:
                ratios.add(Fraction(slopes[b]) / slopes[a])
        return ratios.pop() if len(ratios) == 1 else None

    def _merge(self, a: int, b: int, ratio: Fraction) -> None:
        """Merge two variables into p * K_a + q * K_b, unless that would negate an unbounded one.

        p and q are the smallest integers in that ratio; the accumulator must not be scaled.
        """
        p, q = ratio.denominator, ratio.numerator
        if (a == self.accumulator and p != 1) or (b == self.accumulator and abs(q) != 1):
            return
        first, second = self.series[a].stretched(p), self.series[b].stretched(abs(q))
        keeper, merged, by = a, b, p
        if q < 0:
            if second.is_infinite or b == self.accumulator:
                if first.is_infinite or a == self.accumulator:
                    return
                keeper, merged, by = b, a, -q
                first, second = second, first.negated()
            else:
                second = second.negated()
        self.series[keeper] = first.convolve(second)
        del self.series[merged]
        self.used.discard(merged)
        if self.accumulator == merged:
            self.accumulator = keeper
        self.merged.add(merged)
        self.stretch[keeper] = self.stretch.get(keeper, 1) * by
        for slopes in self.slopes:
            slopes.pop(merged, None)
            if by != 1 and keeper in slopes:
                slopes[keeper] = normalize_number(Fraction(slopes[keeper]) / by)

    # -- the end

    def _renumbered(self, values: tuple[Value, ...]) -> tuple[tuple[Value, ...], Weight]:
        """Number variables from 0 in order of appearance; the first number of a variable gets offset 0.

        So branches that differ only in how a number came about reach the same state.
        """
        shift: dict[int, int] = {}
        number: dict[int, int] = {}
        for slopes, const in zip(self.slopes, self.consts, strict=True):
            for variable, slope in slopes.items():
                if variable in number or variable in shift:
                    continue
                series = self.series[variable]
                if variable != self.accumulator:
                    shift[variable] = series.minimum
                    if not series.is_infinite and len(series.numerator) == 1:
                        self.factor *= series.mass
                        continue
                    if len(slopes) == 1 and not const % slope:
                        shift[variable] = -int(const / slope)
                    if not series.numerator:
                        self.factor = Fraction(0)
                        continue
                number[variable] = len(number)
        remaining = tuple(self.series[variable].shifted(-shift.get(variable, 0)) for variable in number)

        def renumber(one: Linear) -> Value:
            const, slopes = one.const, []
            for variable, slope in one.slopes:
                if variable in self.merged:
                    continue
                if variable in self.constants:
                    const += slope * self.constants[variable]
                    continue
                slope = normalize_number(Fraction(slope) / self.stretch.get(variable, 1))
                const += slope * shift.get(variable, 0)
                if variable in number:
                    slopes.append((number[variable], slope))
            return one.with_terms(dict(slopes), normalize_number(const))

        accumulator = number.get(self.accumulator) if self.accumulator is not None else None
        canonical = tuple(substitute(value, renumber) for value in values)
        return canonical, Weight(self.factor, remaining, accumulator)


def _negative(limit: int | None) -> int | None:
    return None if limit is None else -limit
