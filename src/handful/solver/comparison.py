"""Comparison of two independent random variables: conditions one on the other.

For independent K and J and the condition  least <= K + sign * J <= most  (either bound may be missing),
`constrain` returns K's series in the branch where it holds.  If both have infinite support, the termwise
product of their series is a rational function again: `hadamard` gives its denominator, and its numerator
follows from as many terms as the denominator has roots.
"""

from __future__ import annotations

from fractions import Fraction

from handful.errors import Message, TooBig
from handful.solver.generating_function import ZERO, GeneratingFunction, reduce_fraction
from handful.solver.hadamard import hadamard_denominator, recurrence_order
from handful.solver.polynomials import Poly, add, multiply

MAX_ORDER = 400  # of the recurrence of a termwise product


def constrain(
    k: GeneratingFunction, j: GeneratingFunction, sign: int, least: int | None, most: int | None
) -> GeneratingFunction:
    """Return K's series in the branch where  least <= K + sign * J <= most."""
    if sign < 0:
        # J <= K - least, and not J <= K - most - 1
        series = k.scaled(j.mass) if least is None else _weight_by_cdf(k, j, -least)
        if most is not None:
            series = series.plus(_weight_by_cdf(k, j, -most - 1).scaled(Fraction(-1)))
        return series
    # J >= least - K is: not J <= least - 1 - K
    series = k.scaled(j.mass) if most is None else _weight_by_reversed_cdf(k, j, most)
    if least is not None:
        series = series.plus(_weight_by_reversed_cdf(k, j, least - 1).scaled(Fraction(-1)))
    return series


def _weight_by_cdf(k: GeneratingFunction, j: GeneratingFunction, offset: int) -> GeneratingFunction:
    """Return K's series weighted with P(J <= K + offset)."""
    if j.maximum is not None:
        full = j.maximum - offset  # from here on J is certainly small enough
        head = _weight_finite(k.below(full), j, offset) if k.minimum < full else ZERO
        return head.plus(k.at_least(full).scaled(j.mass))
    if k.maximum is not None:
        return _weight_finite(k, j, offset)
    return _weight_infinite(k, j, offset)


def _weight_by_reversed_cdf(k: GeneratingFunction, j: GeneratingFunction, total: int) -> GeneratingFunction:
    """Return K's series weighted with P(J <= total - K)."""
    reachable = k.below(total - j.minimum + 1)
    if not reachable:
        return ZERO
    sums, scale = _cumulative_sums(j, total - reachable.minimum + 1)
    last = len(sums) - 1
    num = [
        weight * sums[min(total - (reachable.minimum + i) - j.minimum, last)] if sums else 0
        for i, weight in enumerate(reachable.numerator)
    ]
    return GeneratingFunction(reachable.minimum, num, reachable.scale * scale)


def _cumulative_sums(j: GeneratingFunction, below: int) -> tuple[Poly, int]:
    """Return P(J <= lo), P(J <= lo + 1), … with their scale."""
    terms, scale = j.expand(below)
    running, sums = 0, []
    for term in terms:
        running += term
        sums.append(running)
    return sums, scale


def _weight_finite(k: GeneratingFunction, j: GeneratingFunction, offset: int) -> GeneratingFunction:
    """Return the series of a finite K, weighted with P(J <= K + offset)."""
    if not k.numerator or k.maximum is None:
        return ZERO
    sums, scale = _cumulative_sums(j, k.maximum + offset + 1)
    num = []
    for i, weight in enumerate(k.numerator):
        at = k.minimum + i + offset - j.minimum
        num.append(weight * sums[min(at, len(sums) - 1)] if at >= 0 and sums else 0)
    return GeneratingFunction(k.minimum, num, k.scale * scale)


def _weight_infinite(k: GeneratingFunction, j: GeneratingFunction, offset: int) -> GeneratingFunction:
    """Return the series of an infinite K weighted with P(J <= K + offset), J's mass less its tail."""
    start = max(k.minimum, j.minimum - offset)  # below that, J <= K + offset is impossible
    upper = k.at_least(start)
    tail = _tail_series(j)  # tail at m: P(J > m), from m = j.minimum - 1 on
    missed = _hadamard_product(upper, tail.shifted(-offset), start)
    return upper.scaled(j.mass).plus(missed.scaled(Fraction(-1)))


def _tail_series(j: GeneratingFunction) -> GeneratingFunction:
    """Return the series of P(J > m) for m = lo - 1, lo, …: (mass - x J(x)) / (1 - x), an exact division."""
    over: Poly = [j.scale]
    for factor, times in j.denominator:
        for _ in range(times):
            over = multiply(over, list(factor))
    mass = j.mass
    top = add([mass.numerator * c for c in over], [-mass.denominator * c for c in j.numerator], 1)
    divided: Poly = []
    carry = 0
    for c in top[:-1]:
        carry += c
        divided.append(carry)
    return GeneratingFunction(j.minimum - 1, divided, j.scale * mass.denominator, j.denominator)


def recurrence_start(series: GeneratingFunction) -> int:
    """Return the value from which on the coefficients follow the denominator's recurrence."""
    return series.minimum + max(len(series.numerator) - recurrence_order(series.denominator), 0)


def _hadamard_product(a: GeneratingFunction, b: GeneratingFunction, start: int) -> GeneratingFunction:
    """Return the termwise product of two infinite series, from `start` on."""
    denominator = hadamard_denominator(a.denominator, b.denominator)
    if recurrence_order(denominator) > MAX_ORDER:
        raise TooBig(Message("solver.endless_comparison"))
    length = max(recurrence_start(a), recurrence_start(b), start) - start + recurrence_order(denominator)
    left, scale = _coefficients(a, start, length)
    right, more = _coefficients(b, start, length)
    num = [x * y for x, y in zip(left, right, strict=True)]
    for factor, times in denominator:
        for _ in range(times):
            num = multiply(num, list(factor))[:length]
    num, scale = reduce_fraction(num, scale * more)
    return GeneratingFunction(start, num, scale, denominator)


def _coefficients(series: GeneratingFunction, start: int, count: int) -> tuple[Poly, int]:
    terms, scale = series.expand(start + count)
    at = start - series.minimum
    return [terms[i] if 0 <= i < len(terms) else 0 for i in range(at, at + count)], scale
