"""Kronecker layout: several statistics of equal dice as exponents of one polynomial.

The joint distribution of n dice is then the n-th power of one die's polynomial.
Invariant: each statistic has a range of exponents of its own, wide enough that sums never overlap.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from handful.dice import Die, row_value
from handful.errors import Message, TooBig
from handful.solver.generating_function import MAX_TERMS, GeneratingFunction
from handful.solver.polynomials import Poly
from handful.solver.symbolic_pool import Statistic, SymbolicThrow


class JointRow(NamedTuple):
    """One row of a joint distribution: constant statistics, and at most one random one with its series."""

    constants: tuple[tuple[Statistic, int], ...]
    random_statistic: Statistic | None
    series: GeneratingFunction


@lru_cache(maxsize=4096)
def face_counts(die: Die) -> tuple[tuple[int, int], ...]:
    """Return each reading of a die with the number of its faces, in ascending order."""
    return tuple(sorted(Counter(die).items()))


class KroneckerLayout:
    """Assigns each statistic a range of exponents; the first one becomes the rows' random statistic."""

    def __init__(self, throw: SymbolicThrow, statistics: tuple[Statistic, ...]) -> None:
        self.count = throw.count
        self.faces = face_counts(throw.die)
        values = {s: [contribution(s, reading) for reading, _ in self.faces] for s in statistics}
        self.least = {s: min(values[s]) for s in statistics}
        self.span = {s: throw.count * (max(values[s]) - self.least[s]) for s in statistics}
        self.statistics = sorted(statistics, key=lambda s: -self.span[s])
        self.places = [0] * len(self.faces)  # exponent of each face
        size = 1
        for statistic in self.statistics:
            for face, value in enumerate(values[statistic]):
                self.places[face] += (value - self.least[statistic]) * size
            size *= self.span[statistic] + 1
        if size > MAX_TERMS * 20:
            raise TooBig(Message("solver.too_many_sums"))
        self.size = size

    def die_polynomial(self) -> Poly:
        """Return the generating polynomial of one die."""
        poly = [0] * (max(self.places) + 1)
        for place, (_, weight) in zip(self.places, self.faces, strict=True):
            poly[place] += weight
        return poly

    def rows(self, poly: Poly, scale: int, others: tuple[tuple[Statistic, int], ...] = ()) -> list[JointRow]:
        """Split the polynomial of all dice into rows; `others` are constants to include in each."""
        if not self.statistics:
            return [JointRow(others, None, GeneratingFunction(0, [sum(poly)], scale))]
        random_statistic, *rest = self.statistics
        length = self.span[random_statistic] + 1
        low = self.count * self.least[random_statistic]
        rows = []
        for at in range(0, len(poly), length):
            part = poly[at : at + length]
            if any(part):
                constants, slot = list(others), at // length
                for statistic in rest:
                    slot, value = divmod(slot, self.span[statistic] + 1)
                    constants.append((statistic, value + self.count * self.least[statistic]))
                rows.append(
                    JointRow(tuple(constants), random_statistic, GeneratingFunction(low, part, scale))
                )
        return rows


def contribution(statistic: Statistic, reading: int) -> int:
    """Return the amount that a die with this reading adds to a statistic."""
    if reading not in statistic.readings:
        return 0
    if isinstance(statistic.measure, tuple):
        return row_value(statistic.measure, reading)
    return reading if statistic.measure == "sum" else 1
