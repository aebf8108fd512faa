"""Run-time functions that compiled rules call.

Invariant: a value outside what the code was compiled for raises `NotCompilable`, and the interpreter answers.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from handful.dice import Die
from handful.roll import MAX_DICE
from handful.rules.codegen.source import NotCompilable
from handful.rules.program import Record
from handful.solver.generating_function import ZERO, GeneratingFunction
from handful.solver.joint_distribution import MAX_STATISTICS, binomial, joint_distribution
from handful.solver.packed import PackedGeneratingFunction, add_packed
from handful.solver.symbolic_pool import Statistic, SymbolicThrow

Part = tuple[GeneratingFunction | None, int, int]  # a series (or none), times numerator / denominator


def binomial_of(die: Die, count: Any) -> GeneratingFunction:
    """Return the distribution of the number of two-reading dice that show the higher reading."""
    if type(count) is not int or not 0 <= count <= MAX_DICE:
        raise NotCompilable
    return binomial(die, count)


def statistic_rows(die: Die, count: Any, explodes_from: int | None, statistics: tuple[Statistic, ...]) -> Any:
    """Return rows with the values of all statistics but the first, then the first one's series."""
    if type(count) is not int or not 0 <= count <= MAX_DICE or len(statistics) > MAX_STATISTICS:
        raise NotCompilable
    rows = []
    for constants, random_statistic, series in joint_distribution(
        SymbolicThrow(0, count, die, explodes_from), statistics
    ):
        if random_statistic is not statistics[0] and random_statistic != statistics[0]:
            raise NotCompilable
        values = dict(constants)
        rows.append((*(values[statistic] for statistic in statistics[1:]), series))
    return rows


def weighted_values(series: GeneratingFunction) -> list[tuple[int, int]]:
    """Return the values of a finite distribution with their weights."""
    if series.denominator:
        raise NotCompilable
    return [(k, w) for k, w in enumerate(series.numerator, series.minimum) if w]


def negated(series: GeneratingFunction) -> GeneratingFunction:
    if series.denominator:
        raise NotCompilable
    return series.negated()


def mass(series: GeneratingFunction) -> tuple[int, int]:
    """Return the mass of a series as numerator and denominator."""
    return series.mass_ratio


def upper_mass(series: GeneratingFunction | int, lower: GeneratingFunction) -> tuple[int, int]:
    """Return the mass of a series (1: a full distribution) less that of its lower part."""
    if isinstance(series, int):
        n, d = lower.mass_ratio
        return d - n, d
    left = series.mass - lower.mass
    return left.numerator, left.denominator


def largest(a: GeneratingFunction, by_a: int, b: GeneratingFunction, by_b: int) -> GeneratingFunction:
    """Return the distribution of the maximum of two independent variables: their CDFs multiply."""
    if a.denominator or b.denominator:
        raise NotCompilable
    return _extreme(a.minimum + by_a, a, b.minimum + by_b, b)


def smallest(a: GeneratingFunction, by_a: int, b: GeneratingFunction, by_b: int) -> GeneratingFunction:
    return negated(largest(negated(a), -by_a, negated(b), -by_b))


def _extreme(low_a: int, a: GeneratingFunction, low_b: int, b: GeneratingFunction) -> GeneratingFunction:
    lo = max(low_a, low_b)
    hi = max(low_a + len(a.numerator), low_b + len(b.numerator)) - 1
    up_a, up_b = _cumulative(a, lo - low_a, hi - low_a), _cumulative(b, lo - low_b, hi - low_b)
    totals = [x * y for x, y in zip(up_a, up_b, strict=True)]
    weights = totals[:1] + [high - low for low, high in pairwise(totals)]
    return GeneratingFunction(lo, weights, a.scale * b.scale)


def _cumulative(series: GeneratingFunction, first: int, last: int) -> list[int]:
    """Return the unscaled CDF from one index to another."""
    total = sum(series.numerator[:first])
    sums = []
    for index in range(first, last + 1):
        if index < len(series.numerator):
            total += series.numerator[index]
        sums.append(total)
    return sums


def constant_series(value: Any) -> GeneratingFunction:
    """Return the distribution of a constant."""
    if type(value) is not int:
        raise NotCompilable
    return PackedGeneratingFunction(value, 1, 64, 1, 1)


def add_part(out: dict[Any, list[Part]], key: Any, series: GeneratingFunction | None, n: int, d: int) -> None:
    """Add a part to an outcome."""
    if key in out:
        out[key].append((series, n, d))
    else:
        out[key] = [(series, n, d)]


def mixture(parts: list[Part]) -> GeneratingFunction:
    """Return the weighted sum of the parts of an outcome."""
    if len(parts) == 1 and parts[0][1] == parts[0][2]:
        (series, _, _) = parts[0]
        assert series is not None
        return series
    packed = add_packed(parts)
    if packed is not None:
        return packed
    total = ZERO
    for series, n, d in parts:
        assert series is not None
        num = series.numerator if n == 1 else [c * n for c in series.numerator]
        total = total.plus(GeneratingFunction(series.minimum, num, series.scale * d, series.denominator))
    return total


SUPPORT = {
    "NotCompilable": NotCompilable,
    "Record": Record,
    "Fraction": Fraction,
    "Statistic": Statistic,
    "IGNORED_EVENTS": set[str](),  # passed to rules that emit none
    "negated": negated,
    "mass": mass,
    "upper_mass": upper_mass,
    "largest": largest,
    "smallest": smallest,
    "add_part": add_part,
    "constant_series": constant_series,
    "mixture": mixture,
}
