"""Sums and numbers of equal dice as exponents of one polynomial."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from handful.dice import Die, row_value
from handful.errors import TooBig
from handful.solver.generating_function import MOST_SLOTS, GeneratingFunction
from handful.solver.polynomials import Poly
from handful.solver.symbolic_pool import Statistic, SymbolicThrow


class Row(NamedTuple):
    """Known values by view, the view that is spread (or None), and how."""

    known: tuple[tuple[Statistic, int], ...]
    axis: Statistic | None
    series: GeneratingFunction


@lru_cache(maxsize=4096)
def weights(die: Die) -> tuple[tuple[int, int], ...]:
    """Each reading of a die with the number of its faces, ascending."""
    return tuple(sorted(Counter(die).items()))


class Layout:
    """Places each view at exponents of its own in one polynomial; the first one is the axis."""

    def __init__(self, cast: SymbolicThrow, views: tuple[Statistic, ...]) -> None:
        self.count = cast.count
        self.faces = weights(cast.die)
        gains = {v: [gain(v, reading) for reading, _ in self.faces] for v in views}
        self.least = {v: min(gains[v]) for v in views}
        self.span = {v: cast.count * (max(gains[v]) - self.least[v]) for v in views}
        self.views = sorted(views, key=lambda v: -self.span[v])
        self.places = [0] * len(self.faces)  # where each face stands
        size = 1
        for view in self.views:
            for face, own in enumerate(gains[view]):
                self.places[face] += (own - self.least[view]) * size
            size *= self.span[view] + 1
        if size > MOST_SLOTS * 20:
            raise TooBig("too many sums of these dice have to be told apart")
        self.size = size

    def one_die(self) -> Poly:
        poly = [0] * (max(self.places) + 1)
        for place, (_, weight) in zip(self.places, self.faces, strict=True):
            poly[place] += weight
        return poly

    def rows(self, poly: Poly, scale: int, others: tuple[tuple[Statistic, int], ...] = ()) -> list[Row]:
        """The polynomial of all dice, cut into rows; `others` are known beforehand."""
        if not self.views:
            return [Row(others, None, GeneratingFunction(0, [sum(poly)], scale))]
        axis, *rest = self.views
        length = self.span[axis] + 1
        low = self.count * self.least[axis]
        rows = []
        for at in range(0, len(poly), length):
            part = poly[at : at + length]
            if any(part):
                known, slot = list(others), at // length
                for view in rest:
                    slot, value = divmod(slot, self.span[view] + 1)
                    known.append((view, value + self.count * self.least[view]))
                rows.append(Row(tuple(known), axis, GeneratingFunction(low, part, scale)))
        return rows


def gain(view: Statistic, reading: int) -> int:
    """What a die with a reading adds to a view."""
    if reading not in view.readings:
        return 0
    if isinstance(view.measure, tuple):
        return row_value(view.measure, reading)
    return reading if view.measure == "sum" else 1
