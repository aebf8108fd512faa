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
    divided,
    inverse_power,
    multiply,
    power,
    slope_at_one,
)

Factor = tuple[int, ...]
Loop = tuple[tuple[Factor, int], ...]
MOST_SLOTS = 200_000
MOST_DIVISIONS = 3  # one after the other; a higher power is expanded at once


class Series:
    """Immutable by agreement: every operation makes a new one."""

    __slots__ = ("_mass", "lo", "loop", "num", "scale")

    def __init__(self, lo: int, num: Poly, scale: int = 1, loop: Loop = ()) -> None:
        if not num or not num[0] or not num[-1]:
            lo, num = _trimmed(lo, num)
        if len(num) > MOST_SLOTS:
            raise TooBig("the numbers of this roll spread too far to be solved")
        self.lo = lo
        self.num = num
        self.scale = scale
        self.loop: Loop = loop if num else ()
        self._mass: Fraction | None = None

    # -- looking at it

    def __bool__(self) -> bool:
        return bool(self.num)

    def __repr__(self) -> str:
        return f"Series({self.lo}, {self.num[:9]}, {self.scale}, {self.loop})"

    @property
    def work(self) -> int:
        """What it takes to handle a long series of large numbers, in units of the budget."""
        return len(self.num) * self.scale.bit_length() >> 12

    @property
    def endless(self) -> bool:
        return bool(self.loop)

    @property
    def hi(self) -> int | None:
        """The largest value; None when there is none."""
        return None if self.loop else self.lo + len(self.num) - 1

    def reaches(self, value: int) -> bool:
        """Whether the number can be as large as `value`."""
        return bool(self.loop) or self.lo + len(self.num) > value

    @property
    def mass(self) -> Fraction:
        """The chance of the whole branch."""
        if self._mass is None:
            self._mass = Fraction(*self.share)
        return self._mass

    @property
    def share(self) -> tuple[int, int]:
        """The chance of the whole branch, as numerator and denominator, not reduced."""
        over = self.scale
        for factor, times in self.loop:
            over *= sum(factor) ** times
        return sum(self.num), over

    @property
    def moment(self) -> tuple[int, int]:
        """Sum of value times chance, as numerator and denominator, not reduced."""
        mass, over = self.share
        total = slope_at_one(self.num) + self.lo * mass
        for factor, _ in self.loop:  # (n / f**t)' = (n' f - t n f') / f**(t + 1)
            value = sum(factor)
            total = total * value
            over = over * value
        for factor, times in self.loop:
            drift = times * slope_at_one(list(factor)) * mass
            for other, _ in self.loop:
                drift *= sum(other) if other != factor else 1
            total -= drift
        return total, over

    def terms(self, below: int) -> tuple[Poly, int]:
        """Weights of lo, lo + 1, … up to `below`, and the scale they are over."""
        count = max(below - self.lo, 0)
        if not self.loop:
            return self.num[:count], self.scale
        if count > MOST_SLOTS:
            raise TooBig("the numbers of this roll spread too far to be solved")
        num, scale = self.num[:count], self.scale
        for factor, times in self.loop:
            if times <= MOST_DIVISIONS and (len(num) > 8 or any(factor[1:-1])):
                for _ in range(times):
                    num, more = divided(num, factor, count)
                    scale *= more
            else:
                inverse, more = inverse_power(list(factor), times, count)
                num, scale = reduced(multiply(num, inverse)[:count], scale * more)
        return num, scale

    def items(self, below: int | None = None) -> list[tuple[int, Fraction]]:
        """Values with their chances, ascending, without zeros."""
        end = below if below is not None else (self.hi or 0) + 1
        num, scale = self.terms(end)
        return [(self.lo + i, Fraction(weight, scale)) for i, weight in enumerate(num) if weight]

    # -- making others

    def shifted(self, by: int) -> Series:
        return Series(self.lo + by, self.num, self.scale, self.loop) if by else self

    def scaled(self, factor: Fraction) -> Series:
        if factor.numerator == factor.denominator:
            return self
        over = self.scale * factor.denominator
        return Series(self.lo, [c * factor.numerator for c in self.num], over, self.loop)

    def plus(self, other: Series) -> Series:
        """Either branch."""
        if not self.num:
            return other
        if not other.num:
            return self
        loop = _common(self.loop, other.loop)
        a, b = self._over(loop), other._over(loop)
        scale = lcm(self.scale, other.scale)
        lo = min(self.lo, other.lo)
        ours, theirs = scale // self.scale, scale // other.scale
        total = [0] * (self.lo - lo) + ([c * ours for c in a] if ours != 1 else list(a))
        return Series(
            lo,
            add(total, [c * theirs for c in b] if theirs != 1 else b, other.lo - lo),
            scale,
            loop,
        )

    def times(self, other: Series) -> Series:
        """The sum of two independent numbers."""
        loop = _joined(self.loop, other.loop)
        num, scale = multiply(self.num, other.num), self.scale * other.scale
        if len(num) > 2 and scale.bit_length() > 512:
            num, scale = reduced(num, scale)
        return Series(self.lo + other.lo, num, scale, loop)

    def flipped(self) -> Series:
        """The number with its sign changed; it must have finitely many values."""
        assert self.hi is not None
        return Series(-self.hi, self.num[::-1], self.scale)

    def stretched(self, by: int) -> Series:
        """The number multiplied by a positive whole number."""
        if by == 1:
            return self
        loop = tuple((tuple(_stretch(list(f), by)), times) for f, times in self.loop)
        return Series(self.lo * by, _stretch(self.num, by), self.scale, loop)

    def below(self, value: int) -> Series:
        """The branch in which the number is less than `value`."""
        num, scale = self.terms(value)
        return Series(self.lo, num, scale)

    def above(self, value: int) -> Series:
        """The branch in which the number is at least `value`."""
        if value <= self.lo:
            return self
        if not self.loop:
            return Series(value, self.num[value - self.lo :], self.scale)
        head = self.below(value)
        return self.plus(head.scaled(Fraction(-1)))

    def star(self) -> Series:
        """1 + self + self**2 + …: a gain that may happen any number of times."""
        if self.lo < 0:
            raise TooBig("a repeated throw that can lose as well as gain cannot be solved")
        over = [self.scale]
        for factor, times in self.loop:
            for _ in range(times):
                over = multiply(over, list(factor))
        # 1 / (1 - n/d) = d / (d - n)
        bottom = add(over, [-c for c in self.num], self.lo)
        shared = gcd(*bottom)
        if not any(bottom[1:]):
            return point(0).scaled(Fraction(over[0], bottom[0]))
        return Series(0, over, shared, ((tuple(c // shared for c in bottom), 1),))

    def powered(self, exponent: int) -> Series:
        """The sum of so many independent numbers of this kind."""
        if not exponent:
            return point(0)
        if min(self.num, default=0) < 0:
            result = Series(0, [1])
            for _ in range(exponent):
                result = result.times(self)
            return result
        loop = tuple((factor, times * exponent) for factor, times in self.loop)
        return Series(self.lo * exponent, power(self.num, exponent), self.scale**exponent, loop)

    # -- inside

    def _over(self, loop: Loop) -> Poly:
        """The numerator over a larger common denominator."""
        num, own = self.num, dict(self.loop)
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


def point(value: int) -> Series:
    """A number that is known."""
    return Series(value, [1])


NOTHING = Series(0, [])


def _common(a: Loop, b: Loop) -> Loop:
    if a == b:
        return a
    powers = dict(a)
    for factor, times in b:
        powers[factor] = max(powers.get(factor, 0), times)
    return tuple(sorted(powers.items()))


def _joined(a: Loop, b: Loop) -> Loop:
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


def reduced(num: Poly, scale: int) -> tuple[Poly, int]:
    """The same fractions over a smaller scale, if they have one."""
    shared = gcd(scale, *num)
    return ([c // shared for c in num], scale // shared) if shared > 1 else (num, scale)
