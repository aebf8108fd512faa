"""What written rules call when they run."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from handful.dice import Die
from handful.roll import MOST_DICE
from handful.rules.program import Record
from handful.rules.written.page import Unwritten
from handful.solver.symbolic_pool import Cast, View
from handful.solver.joint_distribution import landing, two_way
from handful.solver.packed import Packed, added
from handful.solver.generating_function import NOTHING, Series

Part = tuple[Series | None, int, int]  # a series (or none), times numerator over denominator


def counted(die: Die, count: Any) -> Series:
    """How many of so many dice with two readings show the higher one."""
    if type(count) is not int or not 0 <= count <= MOST_DICE:
        raise Unwritten
    return two_way(die, count)


def views_of(die: Die, count: Any, endless: int | None, views: tuple[View, ...]) -> Any:
    """The values of all views but the first, with the series of the first."""
    if type(count) is not int or not 0 <= count <= MOST_DICE:
        raise Unwritten
    made = []
    for known, axis, series in landing(Cast(0, count, die, endless), views):
        if axis is not views[0] and axis != views[0]:
            raise Unwritten
        values = dict(known)
        made.append((*(values[view] for view in views[1:]), series))
    return made


def slots(series: Series) -> list[tuple[int, int]]:
    """Each value of a number, with its weight."""
    if series.loop:
        raise Unwritten
    return [(k, w) for k, w in enumerate(series.num, series.lo) if w]


def flipped(series: Series) -> Series:
    if series.loop:
        raise Unwritten
    return series.flipped()


def mass(series: Series) -> tuple[int, int]:
    """The chance of a whole series: numerator and denominator."""
    return series.share


def rest(series: Series | int, lower: Series) -> tuple[int, int]:
    """The chance of what is left of a series above a lower part of it; 1 is a whole one."""
    if isinstance(series, int):
        n, d = lower.share
        return d - n, d
    left = series.mass - lower.mass
    return left.numerator, left.denominator


def largest(a: Series, by_a: int, b: Series, by_b: int) -> Series:
    """The larger one of two independent numbers: chances of "at most" multiply."""
    if a.loop or b.loop:
        raise Unwritten
    return _extreme(a.lo + by_a, a, b.lo + by_b, b)


def smallest(a: Series, by_a: int, b: Series, by_b: int) -> Series:
    return flipped(largest(flipped(a), -by_a, flipped(b), -by_b))


def _extreme(low_a: int, a: Series, low_b: int, b: Series) -> Series:
    lo = max(low_a, low_b)
    hi = max(low_a + len(a.num), low_b + len(b.num)) - 1
    up_a, up_b = _running(a, lo - low_a, hi - low_a), _running(b, lo - low_b, hi - low_b)
    totals = [x * y for x, y in zip(up_a, up_b, strict=True)]
    weights = totals[:1] + [high - low for low, high in pairwise(totals)]
    return Series(lo, weights, a.scale * b.scale)


def _running(series: Series, first: int, last: int) -> list[int]:
    """The chances of "at most", from one slot to another."""
    total = sum(series.num[:first])
    running = []
    for slot in range(first, last + 1):
        if slot < len(series.num):
            total += series.num[slot]
        running.append(total)
    return running


def known_number(value: Any) -> Series:
    """A number that is known, among those that are spread."""
    if type(value) is not int:
        raise Unwritten
    return Packed(value, 1, 64, 1, 1)


def put(out: dict[Any, list[Part]], key: Any, series: Series | None, n: int, d: int) -> None:
    """Note an outcome."""
    if key in out:
        out[key].append((series, n, d))
    else:
        out[key] = [(series, n, d)]


def together(parts: list[Part]) -> Series:
    """All ways to the same outcome as one series."""
    if len(parts) == 1 and parts[0][1] == parts[0][2]:
        (series, _, _) = parts[0]
        assert series is not None
        return series
    packed = added(parts)
    if packed is not None:
        return packed
    total = NOTHING
    for series, n, d in parts:
        assert series is not None
        num = series.num if n == 1 else [c * n for c in series.num]
        total = total.plus(Series(series.lo, num, series.scale * d, series.loop))
    return total


SUPPORT = {
    "Unwritten": Unwritten,
    "Record": Record,
    "Fraction": Fraction,
    "View": View,
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
