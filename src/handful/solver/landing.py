"""How equal dice can land, as far as somebody wants to know.

`landing(cast, views)` gives rows of (value of each view, series): all views but one are known in a
row, the last one (`axis`) is spread by the series.  The chances come from powers of one polynomial
whose exponents hold all views side by side, so no way of landing is ever listed one by one.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import comb
from typing import NamedTuple

from handful.dice import Die
from handful.errors import TooBig
from handful.solver.heaps import Cast, View
from handful.solver.polynomials import Poly, add, multiply, power
from handful.solver.series import MOST_SLOTS, Series

MOST_ROWS = 200_000
MOST_KEEPING = 10**10  # readings, dice kept and dice thrown, as the work grows with them


class Row(NamedTuple):
    """Known values by view, the view that is spread (or None), and how."""

    known: tuple[tuple[View, int], ...]
    axis: View | None
    series: Series


@lru_cache(maxsize=4096)
def weights(die: Die) -> tuple[tuple[int, int], ...]:
    """Each reading of a die with the number of its faces, ascending."""
    return tuple(sorted(Counter(die).items()))


def two_way(die: Die, count: int) -> Series:
    """The number of dice, of a die with two readings, that show the higher one."""
    (_, low), (_, high) = weights(die)
    chance, chances = low**count, []
    for k in range(count + 1):  # each is a simple multiple of the one before
        chances.append(chance)
        chance = chance * (count - k) * high // ((k + 1) * low)
    return Series(0, chances, len(die) ** count)


def landing(cast: Cast, views: tuple[View, ...]) -> list[Row]:
    """The joint chances of some views of a cast."""
    if cast.endless is not None:
        return _endless(cast, views)
    kept = [view for view in views if view.keep is not None]
    if len({view.keep[0] for view in kept if view.keep}) > 1 or any(
        view.readings != frozenset(cast.die) for view in kept
    ):
        raise NeedsWhole
    layout = _Layout(cast, views)
    poly = _keeping(cast, layout, kept) if kept else power(layout.one_die(), cast.count)
    return layout.rows(poly, len(cast.die) ** cast.count)


class NeedsWhole(Exception):
    """These views have no short way: look at the dice themselves."""


class _Layout:
    """Places each view at exponents of its own in one polynomial; the first one is the axis."""

    def __init__(self, cast: Cast, views: tuple[View, ...]) -> None:
        self.cast = cast
        self.faces = weights(cast.die)
        self.dice = {v: min(v.keep[1], cast.count) if v.keep else cast.count for v in views}
        self.least = {v: min(self.gain(v, r) for r, _ in self.faces) for v in views}
        most = {v: max(self.gain(v, r) for r, _ in self.faces) for v in views}
        self.span = {v: self.dice[v] * (most[v] - self.least[v]) for v in views}
        self.views = sorted(views, key=lambda v: -self.span[v])
        self.unit: dict[View, int] = {}
        size = 1
        for view in self.views:
            self.unit[view] = size
            size *= self.span[view] + 1
        if size > MOST_SLOTS * 20:
            raise TooBig("too many sums of these dice have to be told apart")

    def gain(self, view: View, reading: int) -> int:
        if reading not in view.readings:
            return 0
        return reading if view.weigh == "sum" else 1

    def exponent(self, view: View, reading: int) -> int:
        return (self.gain(view, reading) - self.least[view]) * self.unit[view]

    def one_die(self) -> Poly:
        """What one die adds to the views that count all dice."""
        return self.some([reading for reading, _ in self.faces])

    def some(self, readings: list[int]) -> Poly:
        terms: dict[int, int] = {}
        for reading, weight in self.faces:
            if reading in readings:
                at = self.added(reading)
                terms[at] = terms.get(at, 0) + weight
        poly = [0] * (max(terms, default=-1) + 1)
        for at, weight in terms.items():
            poly[at] = weight
        return poly

    def added(self, reading: int) -> int:
        return sum(self.exponent(view, reading) for view in self.views if view.keep is None)

    def rows(self, poly: Poly, scale: int) -> list[Row]:
        if not self.views:
            return [Row((), None, Series(0, [sum(poly)], scale))]
        axis, *others = self.views
        length = self.span[axis] + 1
        low = self.dice[axis] * self.least[axis]
        rows = []
        for at in range(0, len(poly), length):
            part = poly[at : at + length]
            if any(part):
                known, slot = [], at // length
                for view in others:
                    slot, value = divmod(slot, self.span[view] + 1)
                    known.append((view, value + self.dice[view] * self.least[view]))
                rows.append(Row(tuple(known), axis, Series(low, part, scale)))
        return rows


def _keeping(cast: Cast, layout: _Layout, kept: list[View]) -> Poly:
    """Views of the k highest (or lowest) dice: go through the readings, best first.

    `open_[m]` holds the ways to place m < k dice on better readings, all of them kept.  Once k
    dice are placed the others can lie anywhere below, which is one power of a polynomial.
    """
    assert kept[0].keep is not None
    best_first = sorted((r for r, _ in layout.faces), reverse=kept[0].keep[0] == "highest")
    weight = dict(layout.faces)
    k = max(layout.dice[view] for view in kept)
    if k == 0:
        return power(layout.one_die(), cast.count)
    if len(best_first) * k * k * cast.count**2 > MOST_KEEPING:
        raise TooBig("too many of too many dice are kept to solve it")
    open_: dict[int, Poly] = {0: [1]}
    done: Poly = []
    for place, reading in enumerate(best_first):
        below = layout.some(best_first[place + 1 :])
        from_here = layout.some(best_first[place:])
        following: dict[int, Poly] = {}
        for m, ways in open_.items():
            left, missing = cast.count - m, k - m
            rest = power(from_here, left)
            for c in range(missing):
                some = comb(left, c) * weight[reading] ** c
                shift = c * layout.added(reading)
                if below or left == c:
                    rest = add(rest, [-some * x for x in power(below, left - c)], shift)
                moved = [0] * (shift + _kept_gain(layout, kept, reading, m, c)) + [
                    some * x for x in ways
                ]
                following[m + c] = add(following.get(m + c, []), moved)
            gain = _kept_gain(layout, kept, reading, m, missing)
            done = add(done, multiply(ways, rest), gain)
        open_ = following
    return done


def _kept_gain(layout: _Layout, kept: list[View], reading: int, m: int, more: int) -> int:
    """What `more` dice on a reading add to the kept views when m dice lie better."""
    total = 0
    for view in kept:
        taken = max(min(m + more, layout.dice[view]) - m, 0)
        total += taken * layout.exponent(view, reading)
    return total


def _endless(cast: Cast, views: tuple[View, ...]) -> list[Row]:
    """Dice that may be thrown again without end: each first die is one rational function."""
    if not views:
        return [Row((), None, Series(0, [1]))]
    (view, *more) = views
    if more or view.keep is not None:
        raise TooBig("only one sum or number of an endless throw can be solved at a time")
    assert cast.endless is not None
    stop: dict[int, int] = {}
    again: dict[int, int] = {}
    for reading, weight in weights(cast.die):
        gain = 0 if reading not in view.readings else reading if view.weigh == "sum" else 1
        terms = again if reading >= cast.endless else stop
        terms[gain] = terms.get(gain, 0) + weight
    if not stop:
        raise TooBig("these dice are thrown again for ever")
    if any(gain < 0 for gain in again):
        raise TooBig("a die that is thrown again must not lose by it")
    lo = min(stop)
    top = [stop.get(lo + i, 0) for i in range(max(stop) - lo + 1)]
    bottom = [-again.get(i, 0) for i in range(max(again, default=0) + 1)]
    bottom[0] += len(cast.die)
    one = (
        Series(lo, top, 1, ((tuple(bottom), 1),)) if len(bottom) > 1 else Series(lo, top, bottom[0])
    )
    return [Row((), view, one.powered(cast.count))]


def multisets(die: Die, count: int) -> list[tuple[tuple[tuple[int, int], ...], int]]:
    """Every way that dice can land, as counts by reading, with its weight."""
    faces = weights(die)
    if comb(count + len(faces) - 1, len(faces) - 1) > MOST_ROWS:
        raise TooBig("there are too many ways for these dice to land")
    ways: list[tuple[tuple[tuple[int, int], ...], int, int]] = [((), count, 1)]
    for place, (reading, weight) in enumerate(faces):
        last = place == len(faces) - 1
        ways = [
            (
                (*counts, (reading, n)) if n else counts,
                left - n,
                chance * comb(left, n) * weight**n,
            )
            for counts, left, chance in ways
            for n in ((left,) if last else range(left + 1))
        ]
    return [(counts, chance) for counts, _, chance in ways]
