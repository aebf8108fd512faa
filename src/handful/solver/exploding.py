"""Exploding dice that add up, and the highest or lowest of them.

One wave of n dice: dice on the highest reading explode, and rank above all dice that stop in this wave.
Of the k highest, either all explode (k dice of the following waves, each with the highest reading
already), or the exploding ones are all kept and the rest are the best of those that stopped.
So the sum is a rational function: a wave in which all dice explode leads back to the same state.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb

from handful.dice import Die
from handful.errors import Message, TooBig
from handful.solver.generating_function import ZERO, GeneratingFunction, point_mass
from handful.solver.kronecker import JointRow
from handful.solver.order_statistics import order_statistics
from handful.solver.symbolic_pool import WIDEST, Statistic, SymbolicThrow

MAX_DICE = 60  # if only some are kept; the sum of all dice is one power and has no limit


def exploding_sum(throw: SymbolicThrow, statistics: tuple[Statistic, ...]) -> list[JointRow]:
    """Return the distribution of the sum of exploding dice, or of the highest or lowest of them."""
    if not statistics:
        return [JointRow((), None, GeneratingFunction(0, [1]))]
    (statistic, *more) = statistics
    if more or statistic.keep == WIDEST or statistic.measure != "sum":
        raise TooBig(Message("solver.one_exploding_sum"))
    which, most = statistic.keep or ("highest", throw.count)
    k = min(most, throw.count)
    series = _order_statistic_sum(throw.die, throw.count, k, which == "highest")
    return [JointRow((), statistic, series.shifted(throw.base_value * k))]


class AddingSum(GeneratingFunction):
    """The distribution of the sum of dice that add on, which knows its dice."""

    __slots__ = ("count", "die")

    def __init__(self, die: Die, count: int) -> None:
        total = _order_statistic_sum(die, count, count, True)
        super().__init__(total.minimum, total.numerator, total.scale, total.denominator)
        self.die, self.count = die, count

    def kept(self, k: int, *, highest: bool) -> GeneratingFunction:
        """Return the distribution of the sum of the highest or lowest k dice."""
        return _order_statistic_sum(self.die, self.count, min(k, self.count), highest)


@lru_cache(maxsize=256)
def _order_statistic_sum(die: Die, count: int, k: int, highest: bool) -> GeneratingFunction:
    top = max(die)
    low = Die(reading for reading in die if reading < top)
    if k == 0:
        return point_mass(0)
    if not low:
        raise TooBig(Message("solver.thrown_again_forever"))
    if k == count:
        one = _stopped_sum(low, 1, 1, highest).scaled(Fraction(len(low), len(die)))
        return one.convolve(
            _repeated_wave(top, 1, Fraction(len(die) - len(low), len(die)))
        ).convolution_power(count)
    if count > MAX_DICE:
        raise TooBig(Message("solver.too_many_exploding_dice", most=MAX_DICE))
    total = ZERO
    for exploding in range(count):  # number of dice that explode
        outcomes = (
            comb(count, exploding) * (len(die) - len(low)) ** exploding * len(low) ** (count - exploding)
        )
        kept_exploding = min(exploding, k) if highest else max(k - (count - exploding), 0)
        part = _stopped_sum(low, count - exploding, k - kept_exploding, highest)
        part = part.convolve(_order_statistic_sum(die, exploding, kept_exploding, highest)).shifted(
            top * kept_exploding
        )
        total = total.plus(part.scaled(Fraction(outcomes, len(die) ** count)))
    all_explode = Fraction(len(die) - len(low), len(die)) ** count
    return total.convolve(_repeated_wave(top, k, all_explode))


def _repeated_wave(top: int, k: int, probability: Fraction) -> GeneratingFunction:
    """Return the series of waves in which all kept dice explode, any number of times."""
    return GeneratingFunction(top * k, [probability.numerator], probability.denominator).geometric()


def _stopped_sum(low: Die, count: int, k: int, highest: bool) -> GeneratingFunction:
    """Return the distribution of the sum of the k highest or lowest dice that have stopped."""
    if k == 0:
        return point_mass(0)
    statistic = Statistic(0, "sum", frozenset(low), ("highest" if highest else "lowest", k))
    ((_, _, series),) = order_statistics(SymbolicThrow(0, count, low), [statistic], ())
    return series
