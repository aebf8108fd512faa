"""A finite series whose weights are fields of one large integer.

Adding two independent numbers is then one product, cutting a mask or a shift, either-or a sum.
Everyday numbers fit; where a field would run over, the plain `Series` takes over.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import lcm

from handful.solver.polynomials import LITTLE, Poly, pack, unpack
from handful.solver.generating_function import NOTHING, Series


def width_for(bound: int) -> int | None:
    """The width of fields whose sum is at most `bound`; None if they would be too wide."""
    if not LITTLE:
        return None
    bits = bound.bit_length()
    return 64 if bits < 64 else 128 if bits < 128 else None


class Packed(Series):
    """Weights of lo, lo + 1, … in fields of `width` bits; their sum is at most `bound`."""

    __slots__ = ("_spelt", "bound", "packed", "width")

    def __init__(self, lo: int, packed: int, width: int, scale: int, bound: int) -> None:
        if not packed & ((1 << width) - 1) and packed:
            empty = ((packed & -packed).bit_length() - 1) // width
            lo, packed = lo + empty, packed >> empty * width
        self.lo, self.packed, self.width = lo, packed, width
        self.scale, self.bound, self.loop = scale, bound, ()
        self._mass = None
        self._spelt: Poly | None = None

    @property
    def num(self) -> Poly:  # type: ignore[override]
        if self._spelt is None:
            self._spelt = unpack(self.packed, self.width // 8, self.size) if self.packed else []
        return self._spelt

    @property
    def size(self) -> int:
        return -(-self.packed.bit_length() // self.width)

    def __bool__(self) -> bool:
        return bool(self.packed)

    @property
    def work(self) -> int:
        return self.size * self.scale.bit_length() >> 12

    @property
    def hi(self) -> int:
        return self.lo + self.size - 1

    def reaches(self, value: int) -> bool:
        return self.lo + self.size > value

    @property
    def share(self) -> tuple[int, int]:
        return self.packed % ((1 << self.width) - 1), self.scale  # the sum of all fields

    # -- making others

    def shifted(self, by: int) -> Series:
        return self._with(self.lo + by, self.packed) if by else self

    def scaled(self, factor: Fraction) -> Series:
        n, d = factor.numerator, factor.denominator
        if n == d:
            return self
        bound = self.bound * n
        if n < 0 or width_for(bound) != self.width:
            return super().scaled(factor)
        return Packed(self.lo, self.packed * n, self.width, self.scale * d, bound)

    def below(self, value: int) -> Series:
        count = value - self.lo
        if count <= 0:
            return NOTHING
        return self._with(self.lo, self.packed & ((1 << count * self.width) - 1))

    def above(self, value: int) -> Series:
        if value <= self.lo:
            return self
        return self._with(value, self.packed >> (value - self.lo) * self.width)

    def flipped(self) -> Series:
        return self._with(-self.hi, pack(self.num[::-1], self.width // 8))

    def times(self, other: Series) -> Series:
        if isinstance(other, Packed):
            bound = self.bound * other.bound
            width = width_for(bound)
            if width is not None:
                product = self.at(width) * other.at(width)
                return Packed(self.lo + other.lo, product, width, self.scale * other.scale, bound)
        return super().times(other)

    def plus(self, other: Series) -> Series:
        if isinstance(other, Packed):
            made = added(((self, 1, 1), (other, 1, 1)))
            if made is not None:
                return made
        return super().plus(other)

    def at(self, width: int) -> int:
        """The fields as wide as that; at least as wide as they are."""
        return self.packed if width == self.width else pack(self.num, width // 8)

    def _with(self, lo: int, packed: int) -> Packed:
        return Packed(lo, packed, self.width, self.scale, self.bound)


def series_of(lo: int, packed: int, width: int, count: int, scale: int) -> Series:
    """A series from fields of `width` bytes that add up to the scale at most."""
    if width_for(scale) == 8 * width:
        return Packed(lo, packed, 8 * width, scale, scale)
    return Series(lo, unpack(packed, width, count), scale)


def added(parts: Iterable[tuple[Series | None, int, int]]) -> Packed | None:
    """The sum of series, each times a numerator over a denominator.

    None if one is not packed, or if fields would run over.
    """
    scale, known = 1, []
    for one, n, d in parts:
        if type(one) is not Packed:
            return None
        over = one.scale * d
        known.append((one, n, over))
        if scale % over:
            scale = lcm(scale, over)
    bound, lo = 0, known[0][0].lo
    for at, (one, n, over) in enumerate(known):
        n *= scale // over
        bound += one.bound * n
        lo = min(lo, one.lo)
        known[at] = one, n, over
    width = width_for(bound)
    if width is None:
        return None
    total = 0
    for one, n, _ in known:
        total += one.at(width) * n << (one.lo - lo) * width
    return Packed(lo, total, width, scale, bound)
