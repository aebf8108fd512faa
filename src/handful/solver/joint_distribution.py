"""Joint distribution of statistics of equal dice.

`joint_distribution(throw, statistics)` returns rows in which all statistics but one are constants and the
remaining one has a generating function.  They come from powers of one polynomial whose exponents encode
all statistics (`kronecker`), so the outcomes of the dice are never enumerated.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb, gcd

from handful.dice import Die
from handful.dice import ValueRow as LookupRow
from handful.errors import Message, TooBig
from handful.solver.exploding import exploding_sum
from handful.solver.generating_function import GeneratingFunction
from handful.solver.kronecker import JointRow, KroneckerLayout, contribution, face_counts
from handful.solver.largest_set import largest_set
from handful.solver.order_statistics import NeedsEnumeration, order_statistics
from handful.solver.packed import PackedGeneratingFunction, field_bits
from handful.solver.polynomials import field, power, unpack
from handful.solver.symbolic_pool import WIDEST, Statistic, SymbolicThrow

MAX_MULTISETS = 200_000

# Statistics of one throw beyond which their joint distribution has too many empty slots: `walk` is quicker.
MAX_STATISTICS = 3


def binomial(die: Die, count: int) -> GeneratingFunction:
    """Return the distribution of the number of two-reading dice that show the higher reading."""
    low, high = _two_face_weights(die)
    scale = (low + high) ** count
    bits = field_bits(scale)
    if bits is not None:
        return PackedGeneratingFunction(0, (low | high << bits) ** count, bits, scale, scale)
    width = field(scale.bit_length())
    return GeneratingFunction(0, unpack((low | high << 8 * width) ** count, width, count + 1), scale)


@lru_cache(maxsize=1024)
def _two_face_weights(die: Die) -> tuple[int, int]:
    """Return the face counts of the lower and the higher of two readings, in lowest terms."""
    (_, low), (_, high) = face_counts(die)
    shared = gcd(low, high)
    return low // shared, high // shared


def joint_distribution(throw: SymbolicThrow, statistics: tuple[Statistic, ...]) -> list[JointRow]:
    """Return the joint distribution of some statistics of a throw."""
    if throw.adds:
        return exploding_sum(throw, statistics)
    if throw.explodes_from is not None:
        return _exploding_throw(throw, statistics)
    kept = [statistic for statistic in statistics if statistic.keep is not None]
    if any(statistic.keep == WIDEST for statistic in kept):
        return largest_set(throw, statistics)
    if kept:
        return order_statistics(
            throw, kept, tuple(statistic for statistic in statistics if statistic.keep is None)
        )
    scale = len(throw.die) ** throw.count
    layout = KroneckerLayout(throw, statistics)
    bits = field_bits(scale)
    if bits is not None and len(statistics) == 1:
        one = sum([w << bits * p for (_, w), p in zip(layout.faces, layout.places, strict=True)])
        low = throw.count * layout.least[statistics[0]]
        return [
            JointRow((), statistics[0], PackedGeneratingFunction(low, one**throw.count, bits, scale, scale))
        ]
    return layout.rows(power(layout.die_polynomial(), throw.count), scale)


def _exploding_throw(throw: SymbolicThrow, statistics: tuple[Statistic, ...]) -> list[JointRow]:
    """Return the distribution of one statistic of exploding dice: a power of one rational function."""
    if not statistics:
        return [JointRow((), None, GeneratingFunction(0, [1]))]
    (statistic, *more) = statistics
    if more or statistic.keep is not None:
        raise TooBig(Message("solver.one_endless_statistic"))
    assert throw.explodes_from is not None
    one = exploding_die(throw.die, throw.explodes_from, statistic.measure, statistic.readings)
    return [JointRow((), statistic, one.convolution_power(throw.count))]


@lru_cache(maxsize=1024)
def exploding_die(
    die: Die, explodes_from: int, measure: str | LookupRow, readings: frozenset[int]
) -> GeneratingFunction:
    """Return the distribution of what one exploding die contributes, with all dice it adds."""
    stop: dict[int, int] = {}
    explode: dict[int, int] = {}
    statistic = Statistic(0, measure, readings)
    for reading, weight in face_counts(die):
        value = contribution(statistic, reading)
        terms = explode if reading >= explodes_from else stop
        terms[value] = terms.get(value, 0) + weight
    if not stop:
        raise TooBig(Message("solver.thrown_again_forever"))
    if any(value < 0 for value in explode):
        raise TooBig(Message("solver.rethrow_loses"))
    lo = min(stop)
    top = [stop.get(lo + i, 0) for i in range(max(stop) - lo + 1)]
    bottom = [-explode.get(i, 0) for i in range(max(explode, default=0) + 1)]
    bottom[0] += len(die)
    shared = gcd(*top, *bottom)
    top, bottom = [n // shared for n in top], [n // shared for n in bottom]
    if len(bottom) == 1:
        return GeneratingFunction(lo, top, bottom[0])
    return GeneratingFunction(lo, top, 1, ((tuple(bottom), 1),))


def multisets(die: Die, count: int) -> list[tuple[tuple[tuple[int, int], ...], int]]:
    """Return every outcome of equal dice as a multiset (counts by reading), with its weight."""
    faces = face_counts(die)
    if comb(count + len(faces) - 1, len(faces) - 1) > MAX_MULTISETS:
        raise TooBig(Message("solver.too_many_outcomes"))
    outcomes: list[tuple[tuple[tuple[int, int], ...], int, int]] = [((), count, 1)]
    for place, (reading, weight) in enumerate(faces):
        last = place == len(faces) - 1
        outcomes = [
            (
                (*counts, (reading, n)) if n else counts,
                left - n,
                chance * comb(left, n) * weight**n,
            )
            for counts, left, chance in outcomes
            for n in ((left,) if last else range(left + 1))
        ]
    return [(counts, chance) for counts, _, chance in outcomes]


__all__ = [
    "JointRow",
    "NeedsEnumeration",
    "binomial",
    "exploding_die",
    "face_counts",
    "joint_distribution",
    "multisets",
]
