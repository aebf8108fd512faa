"""Dice whose highest reading goes on and adds up, and the highest or lowest of them.

One wave of n dice: those on the highest reading go on, and with what they have they are above all
that stop here.  Of the k highest, either all go on (k dice of the waves that follow, each with the
highest reading already), or those that go on are all kept, and the rest are the best that stopped.
So the sum is a rational function: a wave in which all go on comes back to itself.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb

from handful.dice import Die
from handful.errors import TooBig
from handful.solver.generating_function import ZERO, GeneratingFunction, point_mass
from handful.solver.kronecker import JointRow
from handful.solver.order_statistics import order_statistics
from handful.solver.symbolic_pool import WIDEST, Statistic, SymbolicThrow

MAX_DICE = 60  # to keep some of; all of them are one power


def exploding_sum(throw: SymbolicThrow, statistics: tuple[Statistic, ...]) -> list[JointRow]:
    """The sum of such dice, or of the highest or lowest of them."""
    if not statistics:
        return [JointRow((), None, GeneratingFunction(0, [1]))]
    (statistic, *more) = statistics
    if more or statistic.keep == WIDEST or statistic.measure != "sum":
        raise TooBig("of dice that add on only one sum can be solved at a time")
    which, most = statistic.keep or ("highest", throw.count)
    k = min(most, throw.count)
    series = _sum_of_kept(throw.die, throw.count, k, which == "highest")
    return [JointRow((), statistic, series.shifted(throw.base_value * k))]


@lru_cache(maxsize=256)
def _sum_of_kept(die: Die, count: int, k: int, highest: bool) -> GeneratingFunction:
    top = max(die)
    low = Die(reading for reading in die if reading < top)
    if k == 0:
        return point_mass(0)
    if not low:
        raise TooBig("these dice are thrown again for ever")
    if k == count:
        one = _stopped_sum(low, 1, 1, highest).scaled(Fraction(len(low), len(die)))
        return one.convolve(
            _repeated_wave(top, 1, Fraction(len(die) - len(low), len(die)))
        ).convolution_power(count)
    if count > MAX_DICE:
        raise TooBig(f"of more than {MAX_DICE} dice that add on none can be kept")
    total = ZERO
    for on in range(count):  # dice that go on
        ways = comb(count, on) * (len(die) - len(low)) ** on * len(low) ** (count - on)
        kept_on = min(on, k) if highest else max(k - (count - on), 0)
        part = _stopped_sum(low, count - on, k - kept_on, highest)
        part = part.convolve(_sum_of_kept(die, on, kept_on, highest)).shifted(top * kept_on)
        total = total.plus(part.scaled(Fraction(ways, len(die) ** count)))
    all_on = Fraction(len(die) - len(low), len(die)) ** count
    return total.convolve(_repeated_wave(top, k, all_on))


def _repeated_wave(top: int, k: int, share: Fraction) -> GeneratingFunction:
    """A wave in which all dice go on, any number of times."""
    return GeneratingFunction(top * k, [share.numerator], share.denominator).geometric()


def _stopped_sum(low: Die, count: int, k: int, highest: bool) -> GeneratingFunction:
    """The sum of the k highest or lowest of dice that have stopped."""
    if k == 0:
        return point_mass(0)
    statistic = Statistic(0, "sum", frozenset(low), ("highest" if highest else "lowest", k))
    ((_, _, series),) = order_statistics(SymbolicThrow(0, count, low), [statistic], ())
    return series
