"""Arithmetic of compiled rules: a finite distribution is one integer, with a field per value.

Compiled code holds a distribution as three locals: `packed`, the weights of `low`, `low + 1`, … in fields of
`run.width` bits; `low` itself; and `scale`, the denominator of the weights.  A convolution is one product,
a split one mask, the mass a remainder.
Invariant: weights add up to at most `scale`, and `scale` is less than `run.mask`, so no field overflows;
where it would, `TooNarrow` is raised and the question starts again with wider fields.
"""

from __future__ import annotations

from array import array
from fractions import Fraction
from itertools import accumulate, pairwise
from math import gcd, lcm
from typing import Any

from handful.dice import COMPARISONS, Die
from handful.roll import MAX_DICE
from handful.rules.codegen.source import NotCompilable
from handful.rules.program import Record
from handful.solver.compiled.run import Run, TooNarrow
from handful.solver.generating_function import ZERO, GeneratingFunction
from handful.solver.joint_distribution import MAX_STATISTICS, joint_distribution
from handful.solver.kronecker import contribution, face_counts
from handful.solver.packed import PackedGeneratingFunction
from handful.solver.polynomials import unpack
from handful.solver.symbolic_pool import Statistic, SymbolicThrow

Packed = tuple[int, int, int]  # packed weights, low, scale
# A series (packed or not), its low, and the probability that it is weighted with; the scale is in the latter.
Part = tuple[Any, int, int, int]


class FaceCounts(dict[int, tuple[int, int, int]]):
    """Faces of a die that fail and that pass a comparison, and their sum, by the number compared with."""

    def __init__(self, die: Die, comparison: str) -> None:
        super().__init__()
        self.die, self.comparison = die, comparison

    def __missing__(self, number: int) -> tuple[int, int, int]:
        passes = COMPARISONS[self.comparison]
        high = sum([passes(reading, number) for reading in self.die])
        found = lowest_terms(len(self.die) - high, high)
        if len(self) < len(self.die) + 2:
            self[number] = found
        return found


def lowest_terms(low: int, high: int) -> tuple[int, int, int]:
    shared = gcd(low, high)
    return low // shared, high // shared, (low + high) // shared


class DiePolynomial(dict[int, int]):
    """Packed polynomial of what one die adds to a statistic, by the width of the fields."""

    def __init__(self, die: Die, statistic: Statistic) -> None:
        super().__init__()
        values: dict[int, int] = {}
        for reading, weight in face_counts(die):
            value = contribution(statistic, reading)
            values[value] = values.get(value, 0) + weight
        shared = gcd(*values.values())
        self.least = min(values)
        self.sides = len(die) // shared
        self._terms = [(value - self.least, weight // shared) for value, weight in values.items()]

    def __missing__(self, width: int) -> int:
        self[width] = packed = sum([weight << value * width for value, weight in self._terms])
        return packed


def weighted_values(run: Run, packed: int, low: int) -> list[tuple[int, int]]:
    """Return the values of a distribution with their weights."""
    weights = coefficients(packed, run.width)
    run.spend(len(weights))
    return [(value, weight) for value, weight in enumerate(weights, low) if weight]


def coefficients(packed: int, width: int) -> list[int]:
    """Return the weights in the fields of a packed integer."""
    return unpack(packed, width // 8, -(-packed.bit_length() // width)) if packed else []


def pack_fields(weights: list[int], width: int) -> int:
    """Pack weights into fields; none may be negative."""
    if width == 64:
        return int.from_bytes(array("Q", weights).tobytes(), "little")
    return int.from_bytes(b"".join([weight.to_bytes(width // 8, "little") for weight in weights]), "little")


def negated(run: Run, packed: int, low: int) -> tuple[int, int]:
    """Return the distribution of the negated variable: the fields in reverse order, and the new low."""
    words = run.width // 64
    size = -(-packed.bit_length() // run.width)
    given = memoryview(packed.to_bytes(8 * words * size, "little")).cast("Q").tolist()
    turned = given[::-1]
    if words > 1:
        for word in range(words):
            turned[word::words] = given[word::words][::-1]
    return int.from_bytes(array("Q", turned).tobytes(), "little"), 1 - low - size


def largest(run: Run, a: int, low_a: int, scale_a: int, b: int, low_b: int, scale_b: int) -> Packed:
    """Return the distribution of the maximum of two independent variables: their CDFs multiply."""
    scale = scale_a * scale_b
    if scale >= run.mask:
        raise TooNarrow
    one, other = coefficients(a, run.width), coefficients(b, run.width)
    low, high = max(low_a, low_b), max(low_a + len(one), low_b + len(other))
    totals = [x * y for x, y in zip(_cdf(one, low_a, low, high), _cdf(other, low_b, low, high), strict=True)]
    weights = totals[:1] + [above - below for below, above in pairwise(totals)]
    return pack_fields(weights, run.width), low, scale


def smallest(run: Run, a: int, low_a: int, scale_a: int, b: int, low_b: int, scale_b: int) -> Packed:
    """Return the distribution of the minimum of two independent variables."""
    packed, low, scale = largest(run, *negated(run, a, low_a), scale_a, *negated(run, b, low_b), scale_b)
    return *negated(run, packed, low), scale


def _cdf(weights: list[int], own_low: int, low: int, high: int) -> list[int]:
    """Return the unscaled cumulative sums of a distribution at the values from `low` below `high`."""
    sums = list(accumulate(weights))[low - own_low :] or [sum(weights)]
    return sums + sums[-1:] * (high - low - len(sums))


def mixture(run: Run, parts: list[Part]) -> Packed:
    """Return the weighted sum of some parts as one distribution."""
    if len(parts) == 1:
        ((packed, least, n, common),) = parts
        if common < run.mask and type(packed) is int:
            return packed * n, least, common
    common, least = 1, parts[0][1]
    for packed, low, _, over in parts:
        if type(packed) is not int:
            raise NotCompilable
        if common % over:
            common = over if not over % common else lcm(common, over)
        if low < least:
            least = low
    if common >= run.mask:
        raise TooNarrow
    total, width = 0, run.width
    for packed, low, n, over in parts:
        total += packed * (n * (common // over)) << (low - least) * width
    return total, least, common


# -- throws


def statistic_rows(
    run: Run, die: Die, count: int, explodes_from: int | None, statistics: tuple[Statistic, ...]
) -> list[Any]:
    """Return rows with the values of all statistics but the first, then the first one's distribution."""
    if type(count) is not int or not 0 <= count <= MAX_DICE or len(statistics) > MAX_STATISTICS:
        raise NotCompilable
    rows = []
    for constants, random_statistic, series in joint_distribution(
        SymbolicThrow(0, count, die, explodes_from), statistics
    ):
        if random_statistic is not statistics[0] and random_statistic != statistics[0]:
            raise NotCompilable
        values = dict(constants)
        rows.append((*[values[statistic] for statistic in statistics[1:]], *finite(run, series)))
        run.spend(1 + series.work)
    return rows


def one_statistic(run: Run, die: Die, count: int, statistic: Statistic) -> Packed:
    """Return the distribution of one statistic of a throw."""
    ((packed, low, scale),) = statistic_rows(run, die, count, None, (statistic,))
    return packed, low, scale


class ExplodingDie:
    """Series of what one exploding die, with all dice it brings, adds to a statistic."""

    __slots__ = ("_binomial", "_numerators", "one")

    def __init__(self, one: GeneratingFunction) -> None:
        self.one = one
        self._numerators: dict[int, int] = {}
        self._binomial: tuple[int, int, int] | None = None
        if len(one.denominator) == 1 and one.scale == 1 and min(one.numerator) >= 0:
            (((first, *between, last), times),) = one.denominator
            if times == 1 and not any(between):
                self._binomial = first, -last, len(between) + 1

    def series(self, run: Run, count: int) -> GeneratingFunction:
        """Return the series of some of these dice."""
        self._check(run, count)
        return self.one.convolution_power(count)

    def below(self, run: Run, count: int, end: int) -> Packed:
        """Return the part of some of these dice in which the statistic is less than `end`.

        One die is top(x) / (a - b x**step), and term j of (a - b x**step)**-count is
        (count + j - 1 over j) b**j / a**(count + j).
        """
        self._check(run, count)
        low = self.one.minimum * count
        terms, width = end - low, run.width
        if terms <= 0 or not count:
            return int(terms > 0), low, 1
        if self._binomial is None:
            return finite(run, self.one.convolution_power(count).below(end))
        a, b, step = self._binomial
        last = (terms - 1) // step
        scale = a ** (count + last)
        if scale >= run.mask:
            raise TooNarrow
        run.spend(last)
        cut = (1 << terms * width) - 1
        top = self._numerator(width) ** count & cut
        bottom, term, more = 0, 1, a**last
        for j in range(last + 1):
            bottom |= term * more << j * step * width
            term = term * b * (count + j) // (j + 1)
            more //= a
        return top * bottom & cut, low, scale

    def _numerator(self, width: int) -> int:
        if width not in self._numerators:
            self._numerators[width] = pack_fields(self.one.numerator, width)
        return self._numerators[width]

    def _check(self, run: Run, count: int) -> None:
        if type(count) is not int or not 0 <= count <= MAX_DICE:
            raise NotCompilable
        run.spend(1 + count // 10)


# -- series that are not packed, because they may be endless


def finite(run: Run, series: GeneratingFunction) -> Packed:
    """Return a series as a packed distribution; one that is endless cannot be packed."""
    if series.denominator:
        raise NotCompilable
    if series.scale >= run.mask:
        raise TooNarrow
    if isinstance(series, PackedGeneratingFunction) and series.width == run.width:
        return series.packed, series.minimum, series.scale
    weights = series.numerator
    if weights and min(weights) < 0:
        raise NotCompilable
    return pack_fields(weights, run.width), series.minimum, series.scale


def unpacked(width: int, packed: int, low: int, scale: int) -> GeneratingFunction:
    """Return a packed distribution as a series, to combine it with one that may be endless."""
    if width <= 128 and packed:
        return PackedGeneratingFunction(low, packed, width, scale, max(scale, packed % ((1 << width) - 1)))
    return GeneratingFunction(low, coefficients(packed, width), scale)


def below(run: Run, series: GeneratingFunction, end: int) -> Packed:
    """Return the part of a series below a value."""
    return finite(run, series.below(end))


def series_mass(series: GeneratingFunction) -> tuple[int, int]:
    """Return the mass of a series as numerator and denominator."""
    return series.mass_ratio


def upper_mass(run: Run, series: GeneratingFunction | int, lower: int, scale: int) -> tuple[int, int]:
    """Return the mass of a series (1: a full distribution) less that of its lower part."""
    own = lower % run.mask
    if isinstance(series, int):
        return scale - own, scale
    left = series.mass - Fraction(own, scale)
    return left.numerator, left.denominator


def series_mixture(run: Run, parts: list[Part]) -> GeneratingFunction:
    """Return the weighted sum of some parts, packed or not, as one series."""
    total = ZERO
    for one, low, n, over in parts:
        if type(one) is int:
            weights = [n * weight for weight in coefficients(one, run.width)]
            total = total.plus(GeneratingFunction(low, weights, over))
        else:
            weights = one.numerator if n == 1 else [n * weight for weight in one.numerator]
            total = total.plus(GeneratingFunction(one.minimum, weights, one.scale * over, one.denominator))
    return total


def add_part(out: dict[Any, list[Part]], key: Any, part: Part) -> None:
    """Add a part to an outcome."""
    if key in out:
        out[key].append(part)
    else:
        out[key] = [part]


SUPPORT = {
    "NotCompilable": NotCompilable,
    "TooNarrow": TooNarrow,
    "Record": Record,
    "Fraction": Fraction,
    "Statistic": Statistic,
    "IGNORED_EVENTS": set[str](),  # passed to rules that emit none
    "add_part": add_part,
    "below": below,
    "finite": finite,
    "largest": largest,
    "mixture": mixture,
    "negated": negated,
    "one_statistic": one_statistic,
    "series_mass": series_mass,
    "series_mixture": series_mixture,
    "smallest": smallest,
    "statistic_rows": statistic_rows,
    "unpacked": unpacked,
    "upper_mass": upper_mass,
    "weighted_values": weighted_values,
}
