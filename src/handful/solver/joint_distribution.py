"""How equal dice can land, as far as somebody wants to know.

`landing(cast, views)` gives rows of (value of each view, series): all views but one are known in a
row, the last one (`axis`) is spread by the series.  The chances come from powers of one polynomial
whose exponents hold all views side by side, so no way of landing is ever listed one by one.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb, gcd

from handful.dice import Die
from handful.dice import ValueRow as Counts
from handful.errors import TooBig
from handful.solver.exploding import adding
from handful.solver.generating_function import GeneratingFunction
from handful.solver.kronecker import Layout, Row, gain, weights
from handful.solver.largest_set import matching
from handful.solver.order_statistics import NeedsWhole, keeping
from handful.solver.packed import PackedGeneratingFunction, field_bits
from handful.solver.polynomials import field, power, unpack
from handful.solver.symbolic_pool import WIDEST, Statistic, SymbolicThrow

MOST_ROWS = 200_000


def two_way(die: Die, count: int) -> GeneratingFunction:
    """The number of dice, of a die with two readings, that show the higher one."""
    low, high = _lower_and_higher(die)
    scale = (low + high) ** count
    bits = field_bits(scale)
    if bits is not None:
        return PackedGeneratingFunction(0, (low | high << bits) ** count, bits, scale, scale)
    width = field(scale.bit_length())
    return GeneratingFunction(0, unpack((low | high << 8 * width) ** count, width, count + 1), scale)


@lru_cache(maxsize=1024)
def _lower_and_higher(die: Die) -> tuple[int, int]:
    """How many faces show the lower and the higher of two readings, in lowest terms."""
    (_, low), (_, high) = weights(die)
    shared = gcd(low, high)
    return low // shared, high // shared


def landing(cast: SymbolicThrow, views: tuple[Statistic, ...]) -> list[Row]:
    """The joint chances of some views of a cast."""
    if cast.adds:
        return adding(cast, views)
    if cast.explodes_from is not None:
        return _endless(cast, views)
    kept = [view for view in views if view.keep is not None]
    if any(view.keep == WIDEST for view in kept):
        return matching(cast, views)
    if kept:
        return keeping(cast, kept, tuple(view for view in views if view.keep is None))
    scale = len(cast.die) ** cast.count
    layout = Layout(cast, views)
    bits = field_bits(scale)
    if bits is not None and len(views) == 1:
        one = sum([w << bits * p for (_, w), p in zip(layout.faces, layout.places, strict=True)])
        low = cast.count * layout.least[views[0]]
        return [Row((), views[0], PackedGeneratingFunction(low, one**cast.count, bits, scale, scale))]
    return layout.rows(power(layout.one_die(), cast.count), scale)


def _endless(cast: SymbolicThrow, views: tuple[Statistic, ...]) -> list[Row]:
    """Dice that may be thrown again without end: each first die is one rational function."""
    if not views:
        return [Row((), None, GeneratingFunction(0, [1]))]
    (view, *more) = views
    if more or view.keep is not None:
        raise TooBig("only one sum or number of an endless throw can be solved at a time")
    assert cast.explodes_from is not None
    one = _endless_die(cast.die, cast.explodes_from, view.measure, view.readings)
    return [Row((), view, one.convolution_power(cast.count))]


@lru_cache(maxsize=1024)
def _endless_die(die: Die, endless: int, weigh: str | Counts, readings: frozenset[int]) -> GeneratingFunction:
    """What one die brings that is thrown again from a reading on."""
    stop: dict[int, int] = {}
    again: dict[int, int] = {}
    view = Statistic(0, weigh, readings)
    for reading, weight in weights(die):
        own = gain(view, reading)
        terms = again if reading >= endless else stop
        terms[own] = terms.get(own, 0) + weight
    if not stop:
        raise TooBig("these dice are thrown again for ever")
    if any(own < 0 for own in again):
        raise TooBig("a die that is thrown again must not lose by it")
    lo = min(stop)
    top = [stop.get(lo + i, 0) for i in range(max(stop) - lo + 1)]
    bottom = [-again.get(i, 0) for i in range(max(again, default=0) + 1)]
    bottom[0] += len(die)
    shared = gcd(*top, *bottom)
    top, bottom = [n // shared for n in top], [n // shared for n in bottom]
    if len(bottom) == 1:
        return GeneratingFunction(lo, top, bottom[0])
    return GeneratingFunction(lo, top, 1, ((tuple(bottom), 1),))


def multisets(die: Die, count: int) -> list[tuple[tuple[tuple[int, int], ...], int]]:
    """Every way that dice can land, as counts by reading, with its weight."""
    faces = weights(die)
    if comb(count + len(faces) - 1, len(faces) - 1) > MOST_ROWS:
        raise TooBig("there are too many ways for these dice to land")
    ways: list[tuple[tuple[tuple[int, int], ...], int, int]] = [((), count, 1)]
    for place, (reading, weight) in enumerate(faces):
        last = place == len(faces) - 1
        ways = [
            (
                (*counts, (reading, n)) if n else counts,
                left - n,
                chance * comb(left, n) * weight**n,
            )
            for counts, left, chance in ways
            for n in ((left,) if last else range(left + 1))
        ]
    return [(counts, chance) for counts, _, chance in ways]


__all__ = ["NeedsWhole", "Row", "landing", "multisets", "two_way", "weights"]
