"""Two unknown numbers compared: the chance of one, weighted by what that says of the other.

For independent K and J and the demand  least <= K + sign * J <= most  (either end may be open),
`weighted` gives K's series in the branch where the demand holds.  If both numbers are endless the
product of their chances is a rational function again; it is found from enough of its terms by the
Berlekamp-Massey algorithm, which is exact because the number of terms needed is known.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from handful.errors import TooBig
from handful.solver.polynomials import Poly, add, multiply
from handful.solver.series import NOTHING, Series

MOST_ORDER = 400  # of a product of two endless numbers


def weighted(k: Series, j: Series, sign: int, least: int | None, most: int | None) -> Series:
    """K's series in the branch where  least <= K + sign * J <= most."""
    if sign < 0:
        # J <= K - least, and not J <= K - most - 1
        series = k.scaled(j.mass) if least is None else _at_most(k, j, -least)
        if most is not None:
            series = series.plus(_at_most(k, j, -most - 1).scaled(Fraction(-1)))
        return series
    # J >= least - K is: not J <= least - 1 - K
    series = k.scaled(j.mass) if most is None else _at_most_against(k, j, most)
    if least is not None:
        series = series.plus(_at_most_against(k, j, least - 1).scaled(Fraction(-1)))
    return series


def _at_most(k: Series, j: Series, offset: int) -> Series:
    """K's series weighted with P(J <= K + offset)."""
    if j.hi is not None:
        full = j.hi - offset  # from here on J is certainly small enough
        head = _cumulated(k.below(full), j, offset) if k.lo < full else NOTHING
        return head.plus(k.above(full).scaled(j.mass))
    if k.hi is not None:
        return _cumulated(k, j, offset)
    return _both_endless(k, j, offset)


def _at_most_against(k: Series, j: Series, total: int) -> Series:
    """K's series weighted with P(J <= total - K)."""
    reachable = k.below(total - j.lo + 1)
    if not reachable:
        return NOTHING
    sums, scale = _sums(j, total - reachable.lo + 1)
    last = len(sums) - 1
    num = [
        weight * sums[min(total - (reachable.lo + i) - j.lo, last)] if sums else 0
        for i, weight in enumerate(reachable.num)
    ]
    return Series(reachable.lo, num, reachable.scale * scale)


def _sums(j: Series, below: int) -> tuple[Poly, int]:
    """P(J <= lo), P(J <= lo + 1), … with their scale."""
    terms, scale = j.terms(below)
    running, sums = 0, []
    for term in terms:
        running += term
        sums.append(running)
    return sums, scale


def _cumulated(k: Series, j: Series, offset: int) -> Series:
    """Finite K, weighted with P(J <= K + offset)."""
    if not k.num or k.hi is None:
        return NOTHING
    sums, scale = _sums(j, k.hi + offset + 1)
    num = []
    for i, weight in enumerate(k.num):
        at = k.lo + i + offset - j.lo
        num.append(weight * sums[min(at, len(sums) - 1)] if at >= 0 and sums else 0)
    return Series(k.lo, num, k.scale * scale)


def _both_endless(k: Series, j: Series, offset: int) -> Series:
    """Endless K and J: P(J <= K + offset) = all of J less its tail, which is a series too."""
    start = max(k.lo, j.lo - offset)  # before that, J <= K + offset cannot be
    upper = k.above(start)
    tail = _tail(j)  # tail at m: P(J > m), from m = j.lo - 1 on
    missed = _product(upper, tail.shifted(-offset), start)
    return upper.scaled(j.mass).plus(missed.scaled(Fraction(-1)))


def _tail(j: Series) -> Series:
    """The series of P(J > m) for m = lo - 1, lo, …: (mass - x J(x)) / (1 - x) divides out."""
    over: Poly = [j.scale]
    for factor, times in j.loop:
        for _ in range(times):
            over = multiply(over, list(factor))
    mass = j.mass
    top = add([mass.numerator * c for c in over], [-mass.denominator * c for c in j.num], 1)
    divided: Poly = []
    carry = 0
    for c in top[:-1]:
        carry += c
        divided.append(carry)
    return Series(j.lo - 1, divided, j.scale * mass.denominator, j.loop)


def _order(series: Series) -> int:
    return sum((len(factor) - 1) * times for factor, times in series.loop)


def _settled(series: Series) -> int:
    """The value from which on the chances follow the recurrence of the loop alone."""
    return series.lo + max(len(series.num) - _order(series), 0)


def _product(a: Series, b: Series, start: int) -> Series:
    """Value by value product of two endless series, from `start` on."""
    order = _order(a) * _order(b)
    if order > MOST_ORDER:
        raise TooBig("two endless numbers of this size cannot be compared exactly")
    settled = max(_settled(a), _settled(b), start)
    count = settled - start + 2 * order + 2
    left = _values(a, start, count)
    right = _values(b, start, count)
    values = [x * y for x, y in zip(left, right, strict=True)]
    recurrence = _recurrence(values[settled - start :])
    return _from_recurrence(start, values, settled - start, recurrence)


def _values(series: Series, start: int, count: int) -> list[Fraction]:
    terms, scale = series.terms(start + count)
    return [
        Fraction(terms[at], scale) if 0 <= at < len(terms) else Fraction(0)
        for at in range(start - series.lo, start - series.lo + count)
    ]


def _recurrence(values: list[Fraction]) -> list[Fraction]:
    """The shortest c with values[n] = c[0] values[n-1] + c[1] values[n-2] + …

    (the Berlekamp-Massey algorithm)
    """
    current: list[Fraction] = []
    previous: list[Fraction] = []
    last_gap, last_at = Fraction(1), -1
    for n, value in enumerate(values):
        gap = value - sum((c * values[n - 1 - i] for i, c in enumerate(current)), Fraction(0))
        if gap == 0:
            continue
        if last_at < 0:
            current, last_gap, last_at = [Fraction(0)] * (n + 1), gap, n
            continue
        share = gap / last_gap
        change = [Fraction(0)] * (n - last_at - 1) + [share] + [-share * c for c in previous]
        size = max(len(current), len(change))
        mended = [
            (current[i] if i < len(current) else 0) + (change[i] if i < len(change) else 0)
            for i in range(size)
        ]
        if n - len(current) > last_at - len(previous):
            previous, last_gap, last_at = current, gap, n
        current = [Fraction(c) for c in mended]
    return current


def _from_recurrence(
    start: int, values: list[Fraction], settled: int, recurrence: list[Fraction]
) -> Series:
    """The rational function with these first values and that recurrence behind them."""
    bottom = [Fraction(1), *(-c for c in recurrence)]
    scale = lcm(*(c.denominator for c in bottom))
    factor = [int(c * scale) for c in bottom]
    while factor and not factor[-1]:
        factor.pop()
    length = settled + len(recurrence)
    head = values[:length]
    over = lcm(*(v.denominator for v in head)) if head else 1
    num = multiply([int(v * over) for v in head], factor)[:length]
    if len(factor) == 1:
        return Series(start, num, over * factor[0])
    return Series(start, num, over, ((tuple(factor), 1),))
