"""Generating function of an integer random variable, exact.

P(K = minimum + i) is the coefficient of x**i in

    numerator(x) / (scale * product of factor(x)**power over `denominator`)

`denominator` is empty for finite support.  A factor such as 6 - x**6 comes from an exploding die: a
rational function holds infinitely many probabilities in a few integers, and masses, means and
convolutions of two such functions stay exact.
Coefficients need not add up to one: the total mass is the probability of the branch.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm

from handful.errors import Message, TooBig
from handful.solver.polynomials import (
    Poly,
    add,
    derivative_at_one,
    divide,
    inverse_power,
    multiply,
    power,
)

Factor = tuple[int, ...]
Denominator = tuple[tuple[Factor, int], ...]
MAX_TERMS = 200_000
MAX_DIVISIONS = 3  # successive divisions; a higher power is expanded as one series


class GeneratingFunction:
    """Rational generating function; immutable by convention, every operation returns a new one."""

    __slots__ = ("_mass", "denominator", "minimum", "numerator", "scale")

    def __init__(self, lo: int, num: Poly, scale: int = 1, denominator: Denominator = ()) -> None:
        if not num or not num[0] or not num[-1]:
            lo, num = _trimmed(lo, num)
        if len(num) > MAX_TERMS:
            raise TooBig(Message("solver.spread_too_far"))
        self.minimum = lo
        self.numerator = num
        self.scale = scale
        self.denominator: Denominator = denominator if num else ()
        self._mass: Fraction | None = None

    # -- properties

    def __bool__(self) -> bool:
        return bool(self.numerator)

    def __repr__(self) -> str:
        return f"GeneratingFunction({self.minimum}, {self.numerator[:9]}, {self.scale}, {self.denominator})"

    @property
    def work(self) -> int:
        """Return the work of handling this series once, in units of the budget."""
        return len(self.numerator) * self.scale.bit_length() >> 12

    @property
    def is_infinite(self) -> bool:
        return bool(self.denominator)

    @property
    def maximum(self) -> int | None:
        """Return the largest value; None for infinite support."""
        return None if self.denominator else self.minimum + len(self.numerator) - 1

    def can_reach(self, value: int) -> bool:
        """Return True if the variable can be `value` or more."""
        return bool(self.denominator) or self.minimum + len(self.numerator) > value

    @property
    def mass(self) -> Fraction:
        """Return the total mass: the probability of the branch."""
        if self._mass is None:
            self._mass = Fraction(*self.mass_ratio)
        return self._mass

    @property
    def mass_ratio(self) -> tuple[int, int]:
        """Return the total mass as numerator and denominator, not reduced."""
        over = self.scale
        for factor, times in self.denominator:
            over *= sum(factor) ** times
        return sum(self.numerator), over

    @property
    def first_moment(self) -> tuple[int, int]:
        """Return the sum of value times probability as numerator and denominator, not reduced."""
        mass, over = self.mass_ratio
        total = derivative_at_one(self.numerator) + self.minimum * mass
        for factor, _ in self.denominator:  # (n / f**t)' = (n' f - t n f') / f**(t + 1)
            value = sum(factor)
            total = total * value
            over = over * value
        for factor, times in self.denominator:
            drift = times * derivative_at_one(list(factor)) * mass
            for other, _ in self.denominator:
                drift *= sum(other) if other != factor else 1
            total -= drift
        return total, over

    def expand(self, below: int) -> tuple[Poly, int]:
        """Return the coefficients of all values below `below`, and their common denominator."""
        count = max(below - self.minimum, 0)
        if not self.denominator:
            return self.numerator[:count], self.scale
        if count > MAX_TERMS:
            raise TooBig(Message("solver.spread_too_far"))
        num, scale = self.numerator[:count], self.scale
        for factor, times in self.denominator:
            if times <= MAX_DIVISIONS and (len(num) > 8 or any(factor[1:-1])):
                for _ in range(times):
                    num, more = divide(num, factor, count)
                    scale *= more
            else:
                inverse, more = inverse_power(list(factor), times, count)
                num, scale = reduce_fraction(multiply(num, inverse)[:count], scale * more)
        return num, scale

    def items(self, below: int | None = None) -> list[tuple[int, Fraction]]:
        """Return the values below `below` (all, if finite) with their probabilities, without zeros."""
        end = below if below is not None else (self.maximum or 0) + 1
        num, scale = self.expand(end)
        return [(self.minimum + i, Fraction(weight, scale)) for i, weight in enumerate(num) if weight]

    # -- operations

    def shifted(self, by: int) -> GeneratingFunction:
        return (
            GeneratingFunction(self.minimum + by, self.numerator, self.scale, self.denominator)
            if by
            else self
        )

    def scaled(self, factor: Fraction) -> GeneratingFunction:
        if factor.numerator == factor.denominator:
            return self
        over = self.scale * factor.denominator
        return GeneratingFunction(
            self.minimum, [c * factor.numerator for c in self.numerator], over, self.denominator
        )

    def plus(self, other: GeneratingFunction) -> GeneratingFunction:
        """Return the mixture of two branches: the sum of the functions."""
        if not self.numerator:
            return other
        if not other.numerator:
            return self
        denominator = _least_common_multiple(self.denominator, other.denominator)
        a, b = self._over(denominator), other._over(denominator)
        scale = lcm(self.scale, other.scale)
        lo = min(self.minimum, other.minimum)
        own_factor, other_factor = scale // self.scale, scale // other.scale
        total = [0] * (self.minimum - lo) + ([c * own_factor for c in a] if own_factor != 1 else list(a))
        return GeneratingFunction(
            lo,
            add(total, [c * other_factor for c in b] if other_factor != 1 else b, other.minimum - lo),
            scale,
            denominator,
        )

    def convolve(self, other: GeneratingFunction) -> GeneratingFunction:
        """Return the distribution of the sum of two independent variables: the product of the functions."""
        denominator = _product(self.denominator, other.denominator)
        num, scale = multiply(self.numerator, other.numerator), self.scale * other.scale
        if len(num) > 2 and scale.bit_length() > 512:
            num, scale = reduce_fraction(num, scale)
        return GeneratingFunction(self.minimum + other.minimum, num, scale, denominator)

    def negated(self) -> GeneratingFunction:
        """Return the distribution of the negated variable, which must have finite support."""
        assert self.maximum is not None
        return GeneratingFunction(-self.maximum, self.numerator[::-1], self.scale)

    def stretched(self, by: int) -> GeneratingFunction:
        """Return the distribution of the variable times a positive integer."""
        if by == 1:
            return self
        denominator = tuple((tuple(_stretch(list(f), by)), times) for f, times in self.denominator)
        return GeneratingFunction(self.minimum * by, _stretch(self.numerator, by), self.scale, denominator)

    def below(self, value: int) -> GeneratingFunction:
        """Return the branch in which the variable is less than `value`."""
        num, scale = self.expand(value)
        return GeneratingFunction(self.minimum, num, scale)

    def at_least(self, value: int) -> GeneratingFunction:
        """Return the branch in which the variable is at least `value`."""
        if value <= self.minimum:
            return self
        if not self.denominator:
            return GeneratingFunction(value, self.numerator[value - self.minimum :], self.scale)
        head = self.below(value)
        return self.plus(head.scaled(Fraction(-1)))

    def geometric(self) -> GeneratingFunction:
        """Return 1 + self + self**2 + …: the sum of any number of repetitions."""
        if self.minimum < 0:
            raise TooBig(Message("solver.gain_and_loss"))
        over = [self.scale]
        for factor, times in self.denominator:
            for _ in range(times):
                over = multiply(over, list(factor))
        # 1 / (1 - n/d) = d / (d - n)
        bottom = add(over, [-c for c in self.numerator], self.minimum)
        shared = gcd(*bottom)
        if not any(bottom[1:]):
            return point_mass(0).scaled(Fraction(over[0], bottom[0]))
        return GeneratingFunction(0, over, shared, ((tuple(c // shared for c in bottom), 1),))

    def convolution_power(self, exponent: int) -> GeneratingFunction:
        """Return the distribution of the sum of `exponent` independent copies."""
        if not exponent:
            return point_mass(0)
        if min(self.numerator, default=0) < 0:
            result = GeneratingFunction(0, [1])
            for _ in range(exponent):
                result = result.convolve(self)
            return result
        denominator = tuple((factor, times * exponent) for factor, times in self.denominator)
        return GeneratingFunction(
            self.minimum * exponent, power(self.numerator, exponent), self.scale**exponent, denominator
        )

    def composed(self, values: dict[int, int]) -> GeneratingFunction:
        """Return the distribution of a sum of so many independent draws; `values` has the weight of each."""
        if min(values) < 0 or self.minimum < 0:
            raise TooBig(Message("solver.rethrow_loses"))
        one = [values.get(value, 0) for value in range(max(values) + 1)]
        total = sum(one)
        num = _substituted(self.numerator, one, total)
        scale = self.scale * total ** (self.minimum + len(self.numerator) - 1)
        result = GeneratingFunction(0, multiply(num, power(one, self.minimum)), scale)
        for factor, times in self.denominator:
            inner = _substituted(list(factor), one, total)
            lifted = GeneratingFunction(0, [total ** ((len(factor) - 1) * times)])
            if any(inner[1:]):
                shared = gcd(*inner)
                lifted = GeneratingFunction(
                    0, lifted.numerator, shared**times, ((tuple([c // shared for c in inner]), times),)
                )
            else:
                lifted = lifted.scaled(Fraction(1, inner[0] ** times))
            result = result.convolve(lifted)
        return result

    # -- implementation

    def _over(self, denominator: Denominator) -> Poly:
        """Return the numerator over a multiple of the denominator."""
        num, own = self.numerator, dict(self.denominator)
        for factor, times in denominator:
            for _ in range(times - own.get(factor, 0)):
                num = multiply(num, list(factor))
        return num


def _trimmed(lo: int, num: Poly) -> tuple[int, Poly]:
    """Strip zero coefficients from both ends."""
    start, end = 0, len(num)
    while end and not num[end - 1]:
        end -= 1
    while start < end and not num[start]:
        start += 1
    return lo + start, num[start:end]


def point_mass(value: int) -> GeneratingFunction:
    """Return the distribution of a constant."""
    return GeneratingFunction(value, [1])


ZERO = GeneratingFunction(0, [])


def _least_common_multiple(a: Denominator, b: Denominator) -> Denominator:
    if a == b:
        return a
    powers = dict(a)
    for factor, times in b:
        powers[factor] = max(powers.get(factor, 0), times)
    return tuple(sorted(powers.items()))


def _product(a: Denominator, b: Denominator) -> Denominator:
    if not b:
        return a
    powers = dict(a)
    for factor, times in b:
        powers[factor] = powers.get(factor, 0) + times
    return tuple(sorted(powers.items()))


def _substituted(poly: Poly, one: Poly, total: int) -> Poly:
    """Return poly(one / total) * total**degree (Horner's scheme)."""
    result, factor = [0], 1
    for coefficient in reversed(poly):
        result = add(multiply(result, one), [coefficient * factor], 0)
        factor *= total
    return result


def _stretch(poly: Poly, by: int) -> Poly:
    stretched = [0] * ((len(poly) - 1) * by + 1)
    stretched[::by] = poly
    return stretched


def reduce_fraction(num: Poly, scale: int) -> tuple[Poly, int]:
    """Reduce coefficients and their common denominator by the greatest common divisor."""
    shared = gcd(scale, *num)
    return ([c // shared for c in num], scale // shared) if shared > 1 else (num, scale)
