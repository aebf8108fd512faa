"""What is left of a branch when only some numbers matter from now on.

`condense` takes the values that a state still needs and the path that led there, and gives the
state's canonical values, with the fewest axes: axes that nobody needs become plain chances, axes
that are needed only in a sum become one, comparisons between two axes become weights on one.
"""

from __future__ import annotations

from fractions import Fraction

from handful.errors import TooBig
from handful.rules.operators import Value, normalize_number
from handful.solver.comparison import constrain
from handful.solver.generating_function import GeneratingFunction
from handful.solver.linear import Enumerate, Linear, Pair, PathCondition, Split
from handful.solver.weights import ONE, Weight, linears_in, substitute

LONGEST_SUM = 10_000  # values of two numbers that are added in an odd ratio


def canonicalize(
    values: tuple[Value, ...], path: PathCondition, accumulator: int | None
) -> tuple[tuple[Value, ...], Weight]:
    """The canonical values of a state, and its weight."""
    found = [one for value in values for one in linears_in(value)]
    if not found and not path.pairs:
        factor = ONE
        for variable in range(len(path.series)):
            factor *= _cut(path, variable, accumulator).mass
        return values, Weight(factor, ())
    if found and not path.pairs and (sum_ := _one_sum(found, accumulator)):
        return _on_one_sum(values, found[0], path, sum_, accumulator)
    return _Condenser(found, path, accumulator).result(values)


def _one_sum(found: list[Linear], accumulator: int | None) -> tuple[int, ...]:
    """The axes of the one sum that all open numbers hang on, if there is just one."""
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
    """The everyday case, done directly: all open numbers hang on one sum of axes."""
    factor = ONE
    for other in range(len(path.series)):
        if other not in variables:
            factor *= _cut(path, other, accumulator).mass
    series = _cut(path, variables[0], accumulator)
    for variable in variables[1:]:
        series = series.convolve(_cut(path, variable, accumulator))
    slope = first.slopes[0][1]
    known = not series.is_infinite and len(series.numerator) <= 1
    shift = series.minimum if known or first.const % slope else -int(first.const / slope)

    def change(one: Linear) -> Value:
        own = one.slopes[0][1]
        const = normalize_number(one.const + own * shift)
        return const if known else Linear(one.context, ((0, own),), const)

    if known:
        factor *= series.mass
    elif variables == (0,) and not shift:
        return values, Weight(factor, (series,))
    kept = () if known else (series.shifted(-shift),)
    return tuple(substitute(value, change) for value in values), Weight(factor, kept)


def _cut(path: PathCondition, variable: int, accumulator: int | None) -> GeneratingFunction:
    """The series of an axis within what is known of its range.

    That of the free axis is what a tally gains; its range is that of the tally.
    """
    series, (least, most) = path.series[variable], path.ranges[variable]
    if variable == accumulator:
        return series
    if least is not None and least > series.minimum:
        series = series.at_least(least)
    if most is not None and (series.maximum is None or most < series.maximum):
        series = series.below(most + 1)
    return series


class _Condenser:
    def __init__(self, found: list[Linear], path: PathCondition, accumulator: int | None) -> None:
        self.path, self.accumulator = path, accumulator
        self.slopes = [dict(one.slopes) for one in found]
        self.consts = [one.const for one in found]
        self.used = {variable for slopes in self.slopes for variable in slopes}
        self.series = {variable: _cut(path, variable, accumulator) for variable in range(len(path.series))}
        self.pairs = dict(path.pairs)
        self.factor = Fraction(1)
        self.gone: set[int] = set()  # axes that have become part of another
        self.known: dict[int, int] = {}  # axis -> what it and another together amount to
        self.stretch: dict[int, int] = {}  # by how much an axis was multiplied for that

    def result(self, values: tuple[Value, ...]) -> tuple[tuple[Value, ...], Weight]:
        self._drop_leaves()
        self._join_pairs()
        self._join_sums()
        for variable in list(self.series):
            if variable not in self.used:
                self.factor *= self.series.pop(variable).mass
        return self._renumbered(values)

    # -- comparisons

    def _drop_leaves(self) -> None:
        """Axes that are only compared with one other weigh on that one and go."""
        while (leaf := self._leaf()) is not None:
            self._weigh(next(pair for pair in self.pairs if leaf in pair[:2]), leaf)

    def _leaf(self) -> int | None:
        unused = (variable for variable in self.series if variable not in self.used)
        return next((variable for variable in unused if self._degree(variable) == 1), None)

    def _degree(self, variable: int) -> int:
        return sum(variable in pair[:2] for pair in self.pairs)

    def _weigh(self, pair: Pair, leaf: int) -> None:
        a, b, sign = pair
        least, most = self.pairs.pop(pair)
        if leaf == a and sign < 0:
            least, most = _negative(most), _negative(least)
        other = b if leaf == a else a
        if self.accumulator in (leaf, other):
            raise Enumerate(self.accumulator)
        self.series[other] = constrain(self.series[other], self.series.pop(leaf), sign, least, most)

    def _join_pairs(self) -> None:
        """Two needed axes that were compared: either only their sum is needed, or spell one."""
        while self.pairs:
            (a, b, sign), (least, most) = self.pairs.popitem()
            together = self._ratio(a, b) == sign
            if not together or self._degree(a) or self._degree(b) or self.accumulator in (a, b):
                raise Enumerate(self._cheaper(a, b))
            self._join(a, b, Fraction(sign))
            if a in self.series and b in self.series:
                self._single((a, b, sign), least, most)
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

    def _single(self, pair: Pair, least: int | None, most: int | None) -> None:
        """The difference of two endless numbers, if it lies within bounds, value by value."""
        if least is None or most is None:
            raise TooBig("the difference of two endless numbers cannot be carried on")
        if least < most:
            raise Split(pair, least + 1)
        a, b, sign = pair
        self.factor *= constrain(self.series.pop(a), self.series.pop(b), sign, least, most).mass
        self.used -= {a, b}
        self.gone.add(b)
        self.known[a] = least
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
            raise TooBig("two endless numbers are needed side by side; this cannot be solved")
        return best

    # -- sums

    def _join_sums(self) -> None:
        variables = sorted(self.used)
        for i, a in enumerate(variables):
            for b in variables[i + 1 :]:
                if a in self.series and b in self.series:
                    ratio = self._ratio(a, b)
                    if ratio is not None and self._compact(a, b, ratio):
                        self._join(a, b, ratio)

    def _compact(self, a: int, b: int, ratio: Fraction) -> bool:
        """Whether the sum is not much longer than its parts."""
        if ratio.denominator == 1:
            return True
        first, second = len(self.series[a].numerator), len(self.series[b].numerator)
        return ratio.denominator * first + abs(ratio.numerator) * second <= LONGEST_SUM

    def _ratio(self, a: int, b: int) -> Fraction | None:
        """r, if K_a and K_b are only ever needed as K_a + r * K_b."""
        ratios = set()
        for slopes in self.slopes:
            if (a in slopes) != (b in slopes):
                return None
            if a in slopes:
                ratios.add(Fraction(slopes[b]) / slopes[a])
        return ratios.pop() if len(ratios) == 1 else None

    def _join(self, a: int, b: int, ratio: Fraction) -> None:
        """p * K_a + q * K_b becomes one axis, if the endless part does not turn round.

        p and q are the smallest whole numbers in that ratio; a free axis must not be stretched.
        """
        p, q = ratio.denominator, ratio.numerator
        if (a == self.accumulator and p != 1) or (b == self.accumulator and abs(q) != 1):
            return
        first, second = self.series[a].stretched(p), self.series[b].stretched(abs(q))
        keeper, gone, by = a, b, p
        if q < 0:
            if second.is_infinite or b == self.accumulator:
                if first.is_infinite or a == self.accumulator:
                    return
                keeper, gone, by = b, a, -q
                first, second = second, first.negated()
            else:
                second = second.negated()
        self.series[keeper] = first.convolve(second)
        del self.series[gone]
        self.used.discard(gone)
        if self.accumulator == gone:
            self.accumulator = keeper
        self.gone.add(gone)
        self.stretch[keeper] = self.stretch.get(keeper, 1) * by
        for slopes in self.slopes:
            slopes.pop(gone, None)
            if by != 1 and keeper in slopes:
                slopes[keeper] = normalize_number(Fraction(slopes[keeper]) / by)

    # -- the end

    def _renumbered(self, values: tuple[Value, ...]) -> tuple[tuple[Value, ...], Weight]:
        """Axes counted from 0 in order of appearance; the first number of an axis is the axis.

        So histories that differ only in how a number came about meet in one state.
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
        kept = tuple(self.series[variable].shifted(-shift.get(variable, 0)) for variable in number)

        def change(one: Linear) -> Value:
            const, slopes = one.const, []
            for variable, slope in one.slopes:
                if variable in self.gone:
                    continue
                if variable in self.known:
                    const += slope * self.known[variable]
                    continue
                slope = normalize_number(Fraction(slope) / self.stretch.get(variable, 1))
                const += slope * shift.get(variable, 0)
                if variable in number:
                    slopes.append((number[variable], slope))
            return one.with_terms(dict(slopes), normalize_number(const))

        accumulator = number.get(self.accumulator) if self.accumulator is not None else None
        canonical = tuple(substitute(value, change) for value in values)
        return canonical, Weight(self.factor, kept, accumulator)


def _negative(limit: int | None) -> int | None:
    return None if limit is None else -limit
