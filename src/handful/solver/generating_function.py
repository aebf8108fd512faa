"""How an unknown number is spread over its values, exactly.

The chance of K = lo + i is the coefficient of x**i in

    num(x) / (scale * product of factor(x)**power over `loop`)

`loop` is empty for a number with finitely many values.  A factor such as 6 - x**6 stands for a die
that is thrown again without end: a rational function holds infinitely many chances in a few
integers, and masses, means and sums of two such numbers stay exact.
Weights need not add up to one: a series also carries the chance of its whole branch.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm

from handful.errors import TooBig
from handful.solver.polynomials import (
    Poly,
    add,
    derivative_at_one,
    divided,
    inverse_power,
    multiply,
    power,
)

Factor = tuple[int, ...]
Denominator = tuple[tuple[Factor, int], ...]
MAX_TERMS = 200_000
MOST_DIVISIONS = 3  # one after the other; a higher power is expanded at once


class GeneratingFunction:
    """Immutable by agreement: every operation makes a new one."""

    __slots__ = ("_mass", "denominator", "minimum", "numerator", "scale")

    def __init__(self, lo: int, num: Poly, scale: int = 1, loop: Denominator = ()) -> None:
        if not num or not num[0] or not num[-1]:
            lo, num = _trimmed(lo, num)
        if len(num) > MAX_TERMS:
            raise TooBig("the numbers of this roll spread too far to be solved")
        self.minimum = lo
        self.numerator = num
        self.scale = scale
        self.denominator: Denominator = loop if num else ()
        self._mass: Fraction | None = None

    # -- looking at it

    def __bool__(self) -> bool:
        return bool(self.numerator)

    def __repr__(self) -> str:
        return f"Series({self.minimum}, {self.numerator[:9]}, {self.scale}, {self.denominator})"

    @property
    def work(self) -> int:
        """What it takes to handle a long series of large numbers, in units of the budget."""
        return len(self.numerator) * self.scale.bit_length() >> 12

    @property
    def is_infinite(self) -> bool:
        return bool(self.denominator)

    @property
    def maximum(self) -> int | None:
        """The largest value; None when there is none."""
        return None if self.denominator else self.minimum + len(self.numerator) - 1

    def can_reach(self, value: int) -> bool:
        """Whether the number can be as large as `value`."""
        return bool(self.denominator) or self.minimum + len(self.numerator) > value

    @property
    def mass(self) -> Fraction:
        """The chance of the whole branch."""
        if self._mass is None:
            self._mass = Fraction(*self.mass_ratio)
        return self._mass

    @property
    def mass_ratio(self) -> tuple[int, int]:
        """The chance of the whole branch, as numerator and denominator, not reduced."""
        over = self.scale
        for factor, times in self.denominator:
            over *= sum(factor) ** times
        return sum(self.numerator), over

    @property
    def first_moment(self) -> tuple[int, int]:
        """Sum of value times chance, as numerator and denominator, not reduced."""
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
        """Weights of lo, lo + 1, … up to `below`, and the scale they are over."""
        count = max(below - self.minimum, 0)
        if not self.denominator:
            return self.numerator[:count], self.scale
        if count > MAX_TERMS:
            raise TooBig("the numbers of this roll spread too far to be solved")
        num, scale = self.numerator[:count], self.scale
        for factor, times in self.denominator:
            if times <= MOST_DIVISIONS and (len(num) > 8 or any(factor[1:-1])):
                for _ in range(times):
                    num, more = divided(num, factor, count)
                    scale *= more
            else:
                inverse, more = inverse_power(list(factor), times, count)
                num, scale = reduce_fraction(multiply(num, inverse)[:count], scale * more)
        return num, scale

    def items(self, below: int | None = None) -> list[tuple[int, Fraction]]:
        """Values with their chances, ascending, without zeros."""
        end = below if below is not None else (self.maximum or 0) + 1
        num, scale = self.expand(end)
        return [(self.minimum + i, Fraction(weight, scale)) for i, weight in enumerate(num) if weight]

    # -- making others

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
        """Either branch."""
        if not self.numerator:
            return other
        if not other.numerator:
            return self
        loop = _common(self.denominator, other.denominator)
        a, b = self._over(loop), other._over(loop)
        scale = lcm(self.scale, other.scale)
        lo = min(self.minimum, other.minimum)
        ours, theirs = scale // self.scale, scale // other.scale
        total = [0] * (self.minimum - lo) + ([c * ours for c in a] if ours != 1 else list(a))
        return GeneratingFunction(
            lo,
            add(total, [c * theirs for c in b] if theirs != 1 else b, other.minimum - lo),
            scale,
            loop,
        )

    def convolve(self, other: GeneratingFunction) -> GeneratingFunction:
        """The sum of two independent numbers."""
        loop = _joined(self.denominator, other.denominator)
        num, scale = multiply(self.numerator, other.numerator), self.scale * other.scale
        if len(num) > 2 and scale.bit_length() > 512:
            num, scale = reduce_fraction(num, scale)
        return GeneratingFunction(self.minimum + other.minimum, num, scale, loop)

    def negated(self) -> GeneratingFunction:
        """The number with its sign changed; it must have finitely many values."""
        assert self.maximum is not None
        return GeneratingFunction(-self.maximum, self.numerator[::-1], self.scale)

    def stretched(self, by: int) -> GeneratingFunction:
        """The number multiplied by a positive whole number."""
        if by == 1:
            return self
        loop = tuple((tuple(_stretch(list(f), by)), times) for f, times in self.denominator)
        return GeneratingFunction(self.minimum * by, _stretch(self.numerator, by), self.scale, loop)

    def below(self, value: int) -> GeneratingFunction:
        """The branch in which the number is less than `value`."""
        num, scale = self.expand(value)
        return GeneratingFunction(self.minimum, num, scale)

    def at_least(self, value: int) -> GeneratingFunction:
        """The branch in which the number is at least `value`."""
        if value <= self.minimum:
            return self
        if not self.denominator:
            return GeneratingFunction(value, self.numerator[value - self.minimum :], self.scale)
        head = self.below(value)
        return self.plus(head.scaled(Fraction(-1)))

    def geometric(self) -> GeneratingFunction:
        """1 + self + self**2 + …: a gain that may happen any number of times."""
        if self.minimum < 0:
            raise TooBig("a repeated throw that can lose as well as gain cannot be solved")
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
        """The sum of so many independent numbers of this kind."""
        if not exponent:
            return point_mass(0)
        if min(self.numerator, default=0) < 0:
            result = GeneratingFunction(0, [1])
            for _ in range(exponent):
                result = result.convolve(self)
            return result
        loop = tuple((factor, times * exponent) for factor, times in self.denominator)
        return GeneratingFunction(
            self.minimum * exponent, power(self.numerator, exponent), self.scale**exponent, loop
        )

    # -- inside

    def _over(self, loop: Denominator) -> Poly:
        """The numerator over a larger common denominator."""
        num, own = self.numerator, dict(self.denominator)
        for factor, times in loop:
            for _ in range(times - own.get(factor, 0)):
                num = multiply(num, list(factor))
        return num


def _trimmed(lo: int, num: Poly) -> tuple[int, Poly]:
    """Without zeros at either end."""
    start, end = 0, len(num)
    while end and not num[end - 1]:
        end -= 1
    while start < end and not num[start]:
        start += 1
    return lo + start, num[start:end]


def point_mass(value: int) -> GeneratingFunction:
    """A number that is known."""
    return GeneratingFunction(value, [1])


ZERO = GeneratingFunction(0, [])


def _common(a: Denominator, b: Denominator) -> Denominator:
    if a == b:
        return a
    powers = dict(a)
    for factor, times in b:
        powers[factor] = max(powers.get(factor, 0), times)
    return tuple(sorted(powers.items()))


def _joined(a: Denominator, b: Denominator) -> Denominator:
    if not b:
        return a
    powers = dict(a)
    for factor, times in b:
        powers[factor] = powers.get(factor, 0) + times
    return tuple(sorted(powers.items()))


def _stretch(poly: Poly, by: int) -> Poly:
    stretched = [0] * ((len(poly) - 1) * by + 1)
    stretched[::by] = poly
    return stretched


def reduce_fraction(num: Poly, scale: int) -> tuple[Poly, int]:
    """The same fractions over a smaller scale, if they have one."""
    shared = gcd(scale, *num)
    return ([c // shared for c in num], scale // shared) if shared > 1 else (num, scale)
