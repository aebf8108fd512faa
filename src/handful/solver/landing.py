"""How equal dice can land, as far as somebody wants to know.

`landing(cast, views)` gives rows of (value of each view, series): all views but one are known in a
row, the last one (`axis`) is spread by the series.  The chances come from powers of one polynomial
whose exponents hold all views side by side, so no way of landing is ever listed one by one.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import comb, gcd
from typing import NamedTuple

from handful.dice import Die
from handful.errors import TooBig
from handful.solver.heaps import Cast, View
from handful.solver.polynomials import Poly, field, power, unpack
from handful.solver.series import MOST_SLOTS, Series

MOST_ROWS = 200_000
MOST_KEEPING = 2 * 10**9  # bytes that go through the hands while dice are kept


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
    shared = gcd(low, high)
    low, high, scale = low // shared, high // shared, (len(die) // shared) ** count
    width = field(scale.bit_length())
    return Series(0, unpack((low | high << 8 * width) ** count, width, count + 1), scale)


def landing(cast: Cast, views: tuple[View, ...]) -> list[Row]:
    """The joint chances of some views of a cast."""
    if cast.endless is not None:
        return _endless(cast, views)
    kept = [view for view in views if view.keep is not None]
    if kept:
        return _keeping(cast, kept, tuple(view for view in views if view.keep is None))
    scale = len(cast.die) ** cast.count
    layout = _Layout(cast, views)
    return layout.rows(power(layout.one_die(), cast.count), scale)


class NeedsWhole(Exception):
    """These views have no short way: look at the dice themselves."""


class _Layout:
    """Places each view at exponents of its own in one polynomial; the first one is the axis."""

    def __init__(self, cast: Cast, views: tuple[View, ...]) -> None:
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

    def rows(self, poly: Poly, scale: int, others: tuple[tuple[View, int], ...] = ()) -> list[Row]:
        """The polynomial of all dice, cut into rows; `others` are known beforehand."""
        if not self.views:
            return [Row(others, None, Series(0, [sum(poly)], scale))]
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
                rows.append(Row(tuple(known), axis, Series(low, part, scale)))
        return rows


def gain(view: View, reading: int) -> int:
    """What a die with a reading adds to a view."""
    if reading not in view.readings:
        return 0
    return reading if view.weigh == "sum" else 1


def _keeping(cast: Cast, kept: list[View], views: tuple[View, ...]) -> list[Row]:
    """Views of the k highest (or lowest) dice, beside views of all dice.

    Go through the readings, best first.  `open_` holds the ways to place fewer than k dice on
    better readings, all of them kept, by their number and by what the kept views have gained.
    Once k dice are placed the others can lie anywhere below, which is one power of a polynomial.
    Polynomials are packed into integers, so that a step is a product and a shift.
    """
    if len({view.keep[0] for view in kept if view.keep}) > 1 or any(
        view.readings != frozenset(cast.die) for view in kept
    ):
        raise NeedsWhole
    assert kept[0].keep is not None
    count, scale, layout = cast.count, len(cast.die) ** cast.count, _Layout(cast, views)
    dice = [min(view.keep[1], count) for view in kept if view.keep is not None]
    k = max(dice)
    width = field(scale.bit_length())
    faces = list(zip(layout.faces, layout.places, strict=True))
    if kept[0].keep[0] == "highest":
        faces.reverse()
    alone = not views and len(kept) == 1 and k > 0
    gains_of_one = [gain(kept[0], reading) for reading, _ in layout.faces]
    least, span = min(gains_of_one), k * (max(gains_of_one) - min(gains_of_one))
    if len(faces) * k * k * max(span, layout.size) * width > MOST_KEEPING:
        raise TooBig("too many of too many dice are kept to solve it")
    open_: dict[tuple[int, tuple[int, ...]], int] = {(0, (0,) * len(kept)): 1}
    done: dict[tuple[int, ...], int] = {}
    further: dict[int, int] = {}
    for at, ((reading, weight), place) in enumerate(faces):
        below = sum([w << 8 * width * p for (_, w), p in faces[at + 1 :]])
        own = weight << 8 * width * place
        before, further = further, _powers(below, count - k + 1, count)
        following: dict[tuple[int, tuple[int, ...]], int] = {}
        for (m, gains), ways in open_.items():
            left, missing = count - m, k - m
            rest = before[left] if at else (below + own) ** left
            some = 1  # ways to choose c dice and put them on this reading
            for c in range(missing):
                ways_here = comb(left, c) * some
                if left - c >= 0:
                    rest -= ways_here * further[left - c]
                    if alone:
                        step = ways * ways_here << 8 * width * c * (gain(kept[0], reading) - least)
                        key = m + c, gains
                    else:
                        step = ways * ways_here
                        key = m + c, _gained(gains, kept, dice, reading, m, c)
                    following[key] = following.get(key, 0) + step
                some *= own
            if alone:
                here = gains
                ways <<= 8 * width * missing * (gain(kept[0], reading) - least)
            else:
                here = _gained(gains, kept, dice, reading, m, missing)
            done[here] = done.get(here, 0) + ways * rest
        open_ = following
    if alone:
        ((_, packed),) = done.items()
        return [Row((), kept[0], Series(k * least, unpack(packed, width, span + 1), scale))]
    rows = []
    for gains, packed in sorted(done.items()):
        if packed:
            known = tuple(zip(kept, gains, strict=True))
            rows += layout.rows(unpack(packed, width, layout.size), scale, known)
    return rows


def _powers(base: int, least: int, most: int) -> dict[int, int]:
    """Powers of a packed polynomial, from some exponent on."""
    powers = {max(least, 0): base ** max(least, 0)}
    for exponent in range(max(least, 0) + 1, most + 1):
        powers[exponent] = powers[exponent - 1] * base
    return powers


def _gained(
    gains: tuple[int, ...], kept: list[View], dice: list[int], reading: int, m: int, more: int
) -> tuple[int, ...]:
    """What the kept views have when `more` dice on a reading come to m better ones."""
    return tuple(
        own + max(min(m + more, most) - m, 0) * gain(view, reading)
        for own, view, most in zip(gains, kept, dice, strict=True)
    )


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
