"""Polynomials with integer coefficients, as lists from the constant term up.

Polynomials are multiplied by Kronecker substitution: each coefficient gets a field of one large integer,
and Python's integer product does the rest.  Invariant: fields are so wide that none can overflow.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from math import gcd
from operator import mul

from handful.errors import Message, TooBig

Poly = list[int]
MAX_BITS = 1 << 25  # of a packed polynomial: a product of two takes a few seconds
MAX_PRODUCTS = 10**7  # of terms
LITTLE_ENDIAN = sys.byteorder == "little"  # then fields of 8 bytes are machine words


def _check_size(bits: int, most: int = MAX_BITS) -> None:
    """Raise TooBig before starting an operation that would take too long."""
    if bits > most:
        raise TooBig(Message("solver.numbers_too_large"))


def pack(coefficients: Poly, width: int) -> int:
    """Pack coefficients into one integer with fields of `width` bytes; none may be negative."""
    if width == 8 and LITTLE_ENDIAN:
        return int.from_bytes(array("Q", coefficients).tobytes(), "little")
    return int.from_bytes(b"".join([c.to_bytes(width, "little") for c in coefficients]), "little")


def unpack(packed: int, width: int, count: int) -> Poly:
    """Return the coefficients of a packed integer."""
    data = packed.to_bytes(width * count, "little")
    if width == 8 and LITTLE_ENDIAN:
        return memoryview(data).cast("Q").tolist()
    if width == 16 and LITTLE_ENDIAN:
        halves = memoryview(data).cast("Q").tolist()
        return [low | high << 64 for low, high in zip(halves[::2], halves[1::2], strict=True)]
    return [int.from_bytes(data[at : at + width], "little") for at in range(0, width * count, width)]


def field(bits: int) -> int:
    """Return the width in bytes of a field that holds `bits` bits."""
    return 8 if bits <= 64 else 16 if bits <= 128 else (bits + 7) // 8


def multiply(a: Poly, b: Poly) -> Poly:
    """Return the product; short or signed factors are multiplied term by term."""
    if not a or not b:
        return []
    if len(a) > len(b):
        a, b = b, a
    if len(a) == 1:
        first = a[0]
        return list(b) if first == 1 else [first * c for c in b]
    if len(a) * len(b) <= 24 or min(a) < 0 or min(b) < 0:
        return _term_by_term(a, b)
    width = field(max(a).bit_length() + max(b).bit_length() + len(a).bit_length())
    _check_size(8 * width * (len(a) + len(b)))
    return unpack(pack(a, width) * pack(b, width), width, len(a) + len(b) - 1)


def _term_by_term(a: Poly, b: Poly) -> Poly:
    _check_size(len(a) * len(b), MAX_PRODUCTS)
    product = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        if x:
            for j, y in enumerate(b, i):
                product[j] += x * y
    return product


def power(base: Poly, exponent: int) -> Poly:
    """Return base**exponent; the coefficients must not be negative."""
    if exponent == 0:
        return [1]
    if exponent == 1 or not base:
        return list(base)
    width = field(exponent * sum(base).bit_length() + 1)
    _check_size(8 * width * len(base) * exponent)
    packed: int = pack(base, width) ** exponent
    return unpack(packed, width, (len(base) - 1) * exponent + 1)


def add(a: Poly, b: Poly, shift: int = 0) -> Poly:
    """Return a + b * x**shift."""
    size = max(len(a), len(b) + shift)
    total = a + [0] * (size - len(a))
    for at, c in enumerate(b, shift):
        total[at] += c
    return total


def inverse_power(base: Poly, exponent: int, terms: int) -> tuple[Poly, int]:
    """Return the first terms of 1 / base**exponent, and their common denominator.

    P = base**-e satisfies base P' = -e base' P, which gives each term from the few before it.
    Term n is an integer over first**(e + n), so every step stays in integers.
    """
    first = base[0]
    _check_size(terms * (exponent + terms) * first.bit_length(), 8 * MAX_BITS)
    if not any(base[1:-1]):
        return _binomial_series(first, -base[-1], len(base) - 1, exponent, terms)
    rest = [(k, c * first ** (k - 1)) for k, c in enumerate(base) if c and k]
    series: Poly = [1]
    for n in range(1, terms):
        value = sum(((k - n - exponent * k) * c * series[n - k]) for k, c in rest if k <= n)
        series.append(value // n)
    scale, more = first ** (exponent + terms - 1), 1
    for n in reversed(range(len(series))):
        series[n] *= more
        more *= first
    return series, scale


def _binomial_series(a: int, b: int, step: int, exponent: int, terms: int) -> tuple[Poly, int]:
    """Return the first terms of 1 / (a - b x**step)**exponent: most exploding dice have this form.

    Term j is (exponent + j - 1 over j) b**j / a**(exponent + j).
    """
    last = (terms - 1) // step
    series, term = [0] * terms, 1
    for j in range(last + 1):
        series[j * step] = term
        term = term * b * (exponent + j) // (j + 1)
    more = 1
    for j in reversed(range(last + 1)):
        series[j * step] *= more
        more *= a
    return series, a ** (exponent + last)


def divide(num: Poly, base: Sequence[int], terms: int) -> tuple[Poly, int]:
    """Return the first terms of num / base, and their common denominator.

    With exponents of `base` that are multiples of p, term n is an integer over first**(n // p + 1).
    """
    first = base[0]
    rest = [(k, -c) for k, c in enumerate(base) if c and k]
    period = gcd(*(k for k, _ in rest))
    steps = [(k, c * first ** (k // period - 1)) for k, c in rest]
    _check_size(terms * (terms // period + 1) * first.bit_length(), 8 * MAX_BITS)
    powers = [1]
    for _ in range((terms - 1) // period + 1):
        powers.append(powers[-1] * first)
    size, quotient = len(num), Poly()
    for n in range(terms):
        value = num[n] * powers[n // period] if n < size else 0
        for k, c in steps:
            if k <= n:
                value += c * quotient[n - k]
        quotient.append(value)
    last = (terms - 1) // period
    return [q * powers[last - n // period] for n, q in enumerate(quotient)], powers[last + 1]


def derivative_at_one(poly: Poly) -> int:
    """Return the derivative at 1."""
    return sum(map(mul, poly, range(len(poly))))
