"""Finite generating function packed into one large integer (Kronecker substitution).

A convolution is then one integer product, a truncation a mask or a shift, a mixture a sum.
Fields are 64 or 128 bits wide, which covers most rolls; where a field could overflow, an operation
falls back to the plain `GeneratingFunction`.  Invariant: the fields add up to at most `bound`.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import lcm

from handful.solver.generating_function import ZERO, GeneratingFunction
from handful.solver.polynomials import LITTLE_ENDIAN, Poly, pack, unpack


def field_bits(bound: int) -> int | None:
    """Return the width in bits of fields whose sum is at most `bound`; None if it exceeds 128."""
    if not LITTLE_ENDIAN:
        return None
    bits = bound.bit_length()
    return 64 if bits < 64 else 128 if bits < 128 else None


class PackedGeneratingFunction(GeneratingFunction):
    """Weights of lo, lo + 1, … in fields of `width` bits; they add up to at most `bound`."""

    __slots__ = ("_coefficients", "bound", "packed", "width")

    def __init__(self, lo: int, packed: int, width: int, scale: int, bound: int) -> None:
        if not packed & ((1 << width) - 1) and packed:
            empty = ((packed & -packed).bit_length() - 1) // width
            lo, packed = lo + empty, packed >> empty * width
        self.minimum, self.packed, self.width = lo, packed, width
        self.scale, self.bound, self.denominator = scale, bound, ()
        self._mass = None
        self._coefficients: Poly | None = None

    @property
    def numerator(self) -> Poly:  # type: ignore[override]
        if self._coefficients is None:
            self._coefficients = unpack(self.packed, self.width // 8, self.size) if self.packed else []
        return self._coefficients

    @property
    def size(self) -> int:
        return -(-self.packed.bit_length() // self.width)

    def __bool__(self) -> bool:
        return bool(self.packed)

    @property
    def work(self) -> int:
        return self.size * self.scale.bit_length() >> 12

    @property
    def maximum(self) -> int:
        return self.minimum + self.size - 1

    def can_reach(self, value: int) -> bool:
        return self.minimum + self.size > value

    @property
    def mass_ratio(self) -> tuple[int, int]:
        return self.packed % ((1 << self.width) - 1), self.scale  # the sum of all fields

    # -- operations

    def shifted(self, by: int) -> GeneratingFunction:
        return self._with(self.minimum + by, self.packed) if by else self

    def scaled(self, factor: Fraction) -> GeneratingFunction:
        n, d = factor.numerator, factor.denominator
        if n == d:
            return self
        bound = self.bound * n
        if n < 0 or field_bits(bound) != self.width:
            return super().scaled(factor)
        return PackedGeneratingFunction(self.minimum, self.packed * n, self.width, self.scale * d, bound)

    def below(self, value: int) -> GeneratingFunction:
        count = value - self.minimum
        if count <= 0:
            return ZERO
        return self._with(self.minimum, self.packed & ((1 << count * self.width) - 1))

    def at_least(self, value: int) -> GeneratingFunction:
        if value <= self.minimum:
            return self
        return self._with(value, self.packed >> (value - self.minimum) * self.width)

    def negated(self) -> GeneratingFunction:
        return self._with(-self.maximum, pack(self.numerator[::-1], self.width // 8))

    def convolve(self, other: GeneratingFunction) -> GeneratingFunction:
        if isinstance(other, PackedGeneratingFunction):
            bound = self.bound * other.bound
            width = field_bits(bound)
            if width is not None:
                product = self.widened(width) * other.widened(width)
                return PackedGeneratingFunction(
                    self.minimum + other.minimum, product, width, self.scale * other.scale, bound
                )
        return super().convolve(other)

    def plus(self, other: GeneratingFunction) -> GeneratingFunction:
        if isinstance(other, PackedGeneratingFunction):
            total = add_packed(((self, 1, 1), (other, 1, 1)))
            if total is not None:
                return total
        return super().plus(other)

    def widened(self, width: int) -> int:
        """Return the packed integer with fields of `width` bits, no narrower than they are."""
        return self.packed if width == self.width else pack(self.numerator, width // 8)

    def _with(self, lo: int, packed: int) -> PackedGeneratingFunction:
        return PackedGeneratingFunction(lo, packed, self.width, self.scale, self.bound)


def from_packed(lo: int, packed: int, width: int, count: int, scale: int) -> GeneratingFunction:
    """Create a generating function from fields of `width` bytes that add up to at most `scale`."""
    if field_bits(scale) == 8 * width:
        return PackedGeneratingFunction(lo, packed, 8 * width, scale, scale)
    return GeneratingFunction(lo, unpack(packed, width, count), scale)


def add_packed(
    parts: Iterable[tuple[GeneratingFunction | None, int, int]],
) -> PackedGeneratingFunction | None:
    """Return the mixture of series, each times numerator / denominator.

    None if one is not packed, or if a field would overflow.
    """
    scale, terms = 1, []
    for one, n, d in parts:
        if type(one) is not PackedGeneratingFunction:
            return None
        over = one.scale * d
        terms.append((one, n, over))
        if scale % over:
            scale = lcm(scale, over)
    bound, lo = 0, terms[0][0].minimum
    for at, (one, n, over) in enumerate(terms):
        n *= scale // over
        bound += one.bound * n
        lo = min(lo, one.minimum)
        terms[at] = one, n, over
    width = field_bits(bound)
    if width is None:
        return None
    total = 0
    for one, n, _ in terms:
        total += one.widened(width) * n << (one.minimum - lo) * width
    return PackedGeneratingFunction(lo, total, width, scale, bound)
