"""Denominators of endless series, and those of their value by value products.

Chances that follow the recurrence of a polynomial f are sums of p(n) / r**n over the roots r of f,
with p of a degree below the multiplicity of r.  So a product of two such sequences has the products
of roots for its own, and multiplicities that add up (less one).  The polynomial with these roots
comes from power sums, in whole numbers and without knowing a single root.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

Factor = tuple[int, ...]  # whole coefficients from the constant term up
Loop = tuple[tuple[Factor, int], ...]
Ratios = list[Fraction]


def product_loop(a: Loop, b: Loop) -> Loop:
    """The denominator of the value by value product of two series with these denominators."""
    powers: dict[Factor, int] = {}
    for one, times in _simple(a):
        for other, more in _simple(b):
            factor = _root_products(one, other)
            powers[factor] = max(powers.get(factor, 0), times + more - 1)
    return tuple(sorted(powers.items()))


def order(loop: Loop) -> int:
    """How many values back the recurrence of a denominator reaches."""
    return sum((len(factor) - 1) * times for factor, times in loop)


def _simple(loop: Loop) -> Loop:
    """The same denominator in factors without repeated roots."""
    return tuple((part, times * repeated) for factor, times in loop for part, repeated in _parts(factor))


@lru_cache(maxsize=256)
def _parts(factor: Factor) -> Loop:
    """Factors without repeated roots, each with how often its roots are repeated."""
    left = [Fraction(c) for c in factor]
    parts = []
    times = 1
    repeated = _common(left, _slope(left))
    single = _divided(left, repeated)
    while len(single) > 1:
        again = _common(single, repeated)
        part = _divided(single, again)
        if len(part) > 1:
            parts.append((_whole(part), times))
        single, repeated = again, _divided(repeated, again)
        times += 1
    return tuple(parts)


@lru_cache(maxsize=256)
def _root_products(one: Factor, other: Factor) -> Factor:
    """The polynomial whose roots are all products of a root of each, none repeated."""
    count = (len(one) - 1) * (len(other) - 1)
    sums = [x * y for x, y in zip(_sums(one, count), _sums(other, count), strict=True)]
    # Newton's identities the other way round: k e_k = e_(k-1) p_1 - e_(k-2) p_2 + …
    elementary = [Fraction(1)]
    for k in range(1, count + 1):
        total = sum(
            ((-1) ** (i - 1) * elementary[k - i] * sums[i - 1] for i in range(1, k + 1)),
            Fraction(0),
        )
        elementary.append(total / k)
    whole = [(-1) ** k * e for k, e in enumerate(elementary)][::-1]
    return _whole(_divided(whole, _common(whole, _slope(whole))))


def _sums(factor: Factor, count: int) -> Ratios:
    """The sums of the first, second, … powers of the roots (Newton's identities)."""
    degree = len(factor) - 1
    c = [Fraction(x, factor[-1]) for x in factor][::-1]  # monic, from the top down
    sums: Ratios = []
    for k in range(1, count + 1):
        total = -k * c[k] if k <= degree else Fraction(0)
        for i in range(1, min(k - 1, degree) + 1):
            total -= c[i] * sums[k - i - 1]
        sums.append(total)
    return sums


# -- polynomials over fractions


def _slope(poly: Ratios) -> Ratios:
    return [k * c for k, c in enumerate(poly)][1:]


def _common(a: Ratios, b: Ratios) -> Ratios:
    """The largest common divisor, with 1 as its highest coefficient."""
    while b:
        a, b = b, _halved(a, b)[1]
    return [c / a[-1] for c in a]


def _divided(a: Ratios, b: Ratios) -> Ratios:
    return _halved(a, b)[0]


def _halved(a: Ratios, b: Ratios) -> tuple[Ratios, Ratios]:
    """Quotient and remainder."""
    rest, quotient = list(a), [Fraction(0)] * max(len(a) - len(b) + 1, 0)
    for at in reversed(range(len(quotient))):
        share = rest[at + len(b) - 1] / b[-1]
        quotient[at] = share
        if share:
            for i, c in enumerate(b, at):
                rest[i] -= share * c
    while rest and not rest[-1]:
        rest.pop()
    return quotient, rest


def _whole(poly: Ratios) -> Factor:
    """The same polynomial with whole coefficients, as small as can be, the first positive."""
    scale = lcm(*(c.denominator for c in poly))
    numbers = [int(c * scale) for c in poly]
    shared = gcd(*numbers) * (1 if numbers[0] > 0 else -1)
    return tuple(n // shared for n in numbers)
