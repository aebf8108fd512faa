"""Denominator of the Hadamard (termwise) product of two rational generating functions.

The coefficients of num / f are sums of p(n) / r**n over the roots r of f, with p of a degree below the
multiplicity of r.  So the termwise product of two such sequences has the pairwise products of the roots,
with multiplicities that add up (less one).  Newton's identities turn power sums of the roots into the
polynomial that has them, in exact arithmetic and without computing a single root.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

Factor = tuple[int, ...]  # integer coefficients from the constant term up
Denominator = tuple[tuple[Factor, int], ...]
Ratios = list[Fraction]


def hadamard_denominator(a: Denominator, b: Denominator) -> Denominator:
    """Return the denominator of the termwise product of two series with these denominators."""
    powers: dict[Factor, int] = {}
    for a_factor, times in _square_free(a):
        for b_factor, more in _square_free(b):
            factor = _root_products(a_factor, b_factor)
            powers[factor] = max(powers.get(factor, 0), times + more - 1)
    return tuple(sorted(powers.items()))


def recurrence_order(denominator: Denominator) -> int:
    """Return the order of the linear recurrence that a denominator defines: its degree."""
    return sum((len(factor) - 1) * times for factor, times in denominator)


def _square_free(denominator: Denominator) -> Denominator:
    """Rewrite a denominator with square-free factors."""
    return tuple(
        (part, times * repeated)
        for factor, times in denominator
        for part, repeated in _square_free_factors(factor)
    )


@lru_cache(maxsize=256)
def _square_free_factors(factor: Factor) -> Denominator:
    """Return the square-free factorization (Yun's algorithm): factors with their multiplicities."""
    left = [Fraction(c) for c in factor]
    parts = []
    times = 1
    repeated = _gcd(left, _derivative(left))
    single = _quotient(left, repeated)
    while len(single) > 1:
        common = _gcd(single, repeated)
        part = _quotient(single, common)
        if len(part) > 1:
            parts.append((_primitive(part), times))
        single, repeated = common, _quotient(repeated, common)
        times += 1
    return tuple(parts)


@lru_cache(maxsize=256)
def _root_products(a_factor: Factor, b_factor: Factor) -> Factor:
    """Return the square-free polynomial whose roots are the products of a root of each factor."""
    count = (len(a_factor) - 1) * (len(b_factor) - 1)
    sums = [x * y for x, y in zip(_power_sums(a_factor, count), _power_sums(b_factor, count), strict=True)]
    # Newton's identities, solved for e_k: k e_k = e_(k-1) p_1 - e_(k-2) p_2 + …
    elementary = [Fraction(1)]
    for k in range(1, count + 1):
        total = sum(
            ((-1) ** (i - 1) * elementary[k - i] * sums[i - 1] for i in range(1, k + 1)),
            Fraction(0),
        )
        elementary.append(total / k)
    polynomial = [(-1) ** k * e for k, e in enumerate(elementary)][::-1]
    return _primitive(_quotient(polynomial, _gcd(polynomial, _derivative(polynomial))))


def _power_sums(factor: Factor, count: int) -> Ratios:
    """Return the sums of the first, second, … powers of the roots (Newton's identities)."""
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


def _derivative(poly: Ratios) -> Ratios:
    return [k * c for k, c in enumerate(poly)][1:]


def _gcd(a: Ratios, b: Ratios) -> Ratios:
    """Return the monic greatest common divisor."""
    while b:
        a, b = b, _divmod(a, b)[1]
    return [c / a[-1] for c in a]


def _quotient(a: Ratios, b: Ratios) -> Ratios:
    return _divmod(a, b)[0]


def _divmod(a: Ratios, b: Ratios) -> tuple[Ratios, Ratios]:
    """Return quotient and remainder."""
    remainder, quotient = list(a), [Fraction(0)] * max(len(a) - len(b) + 1, 0)
    for at in reversed(range(len(quotient))):
        coefficient = remainder[at + len(b) - 1] / b[-1]
        quotient[at] = coefficient
        if coefficient:
            for i, c in enumerate(b, at):
                remainder[i] -= coefficient * c
    while remainder and not remainder[-1]:
        remainder.pop()
    return quotient, remainder


def _primitive(poly: Ratios) -> Factor:
    """Return the primitive integer multiple of a polynomial, with a positive constant term."""
    scale = lcm(*(c.denominator for c in poly))
    numbers = [int(c * scale) for c in poly]
    shared = gcd(*numbers) * (1 if numbers[0] > 0 else -1)
    return tuple(n // shared for n in numbers)
