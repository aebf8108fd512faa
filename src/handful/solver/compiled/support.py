"""What written rules call when they run."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from handful.dice import Die
from handful.roll import MAX_DICE
from handful.rules.codegen.source import Unwritten
from handful.rules.program import Record
from handful.solver.generating_function import ZERO, GeneratingFunction
from handful.solver.joint_distribution import binomial, joint_distribution
from handful.solver.packed import PackedGeneratingFunction, add_packed
from handful.solver.symbolic_pool import Statistic, SymbolicThrow

Part = tuple[GeneratingFunction | None, int, int]  # a series (or none), times numerator over denominator


def counted(die: Die, count: Any) -> GeneratingFunction:
    """How many of so many dice with two readings show the higher one."""
    if type(count) is not int or not 0 <= count <= MAX_DICE:
        raise Unwritten
    return binomial(die, count)


def views_of(die: Die, count: Any, endless: int | None, statistics: tuple[Statistic, ...]) -> Any:
    """The values of all views but the first, with the series of the first."""
    if type(count) is not int or not 0 <= count <= MAX_DICE:
        raise Unwritten
    made = []
    for known, axis, series in joint_distribution(SymbolicThrow(0, count, die, endless), statistics):
        if axis is not statistics[0] and axis != statistics[0]:
            raise Unwritten
        values = dict(known)
        made.append((*(values[statistic] for statistic in statistics[1:]), series))
    return made


def slots(series: GeneratingFunction) -> list[tuple[int, int]]:
    """Each value of a number, with its weight."""
    if series.denominator:
        raise Unwritten
    return [(k, w) for k, w in enumerate(series.numerator, series.minimum) if w]


def flipped(series: GeneratingFunction) -> GeneratingFunction:
    if series.denominator:
        raise Unwritten
    return series.negated()


def mass(series: GeneratingFunction) -> tuple[int, int]:
    """The chance of a whole series: numerator and denominator."""
    return series.mass_ratio


def rest(series: GeneratingFunction | int, lower: GeneratingFunction) -> tuple[int, int]:
    """The chance of what is left of a series above a lower part of it; 1 is a whole one."""
    if isinstance(series, int):
        n, d = lower.mass_ratio
        return d - n, d
    left = series.mass - lower.mass
    return left.numerator, left.denominator


def largest(a: GeneratingFunction, by_a: int, b: GeneratingFunction, by_b: int) -> GeneratingFunction:
    """The larger one of two independent numbers: chances of "at most" multiply."""
    if a.denominator or b.denominator:
        raise Unwritten
    return _extreme(a.minimum + by_a, a, b.minimum + by_b, b)


def smallest(a: GeneratingFunction, by_a: int, b: GeneratingFunction, by_b: int) -> GeneratingFunction:
    return flipped(largest(flipped(a), -by_a, flipped(b), -by_b))


def _extreme(low_a: int, a: GeneratingFunction, low_b: int, b: GeneratingFunction) -> GeneratingFunction:
    lo = max(low_a, low_b)
    hi = max(low_a + len(a.numerator), low_b + len(b.numerator)) - 1
    up_a, up_b = _running(a, lo - low_a, hi - low_a), _running(b, lo - low_b, hi - low_b)
    totals = [x * y for x, y in zip(up_a, up_b, strict=True)]
    weights = totals[:1] + [high - low for low, high in pairwise(totals)]
    return GeneratingFunction(lo, weights, a.scale * b.scale)


def _running(series: GeneratingFunction, first: int, last: int) -> list[int]:
    """The chances of "at most", from one slot to another."""
    total = sum(series.numerator[:first])
    running = []
    for slot in range(first, last + 1):
        if slot < len(series.numerator):
            total += series.numerator[slot]
        running.append(total)
    return running


def known_number(value: Any) -> GeneratingFunction:
    """A number that is known, among those that are spread."""
    if type(value) is not int:
        raise Unwritten
    return PackedGeneratingFunction(value, 1, 64, 1, 1)


def put(out: dict[Any, list[Part]], key: Any, series: GeneratingFunction | None, n: int, d: int) -> None:
    """Note an outcome."""
    if key in out:
        out[key].append((series, n, d))
    else:
        out[key] = [(series, n, d)]


def together(parts: list[Part]) -> GeneratingFunction:
    """All ways to the same outcome as one series."""
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
    "Unwritten": Unwritten,
    "Record": Record,
    "Fraction": Fraction,
    "Statistic": Statistic,
    "NOBODY": set[str](),  # hears events of rules that have none
    "flipped": flipped,
    "mass": mass,
    "rest": rest,
    "largest": largest,
    "smallest": smallest,
    "put": put,
    "point": known_number,
    "together": together,
}
