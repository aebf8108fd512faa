"""The highest or lowest of some equal dice.

Readings are gone through, best first.  The k-th best die has some reading: fewer than k dice lie
better and all of those are kept; enough lie on the reading itself; the others anywhere below.
Polynomials are packed into integers, so that a step is a product and a shift.
"""

from __future__ import annotations

from itertools import pairwise
from math import comb

from handful.errors import TooBig
from handful.solver.kronecker import JointRow, KroneckerLayout, contribution
from handful.solver.packed import from_packed
from handful.solver.polynomials import field, unpack
from handful.solver.symbolic_pool import Statistic, SymbolicThrow

MAX_PACKED_BYTES = 2 * 10**9  # bytes that go through the hands while dice are kept


class NeedsEnumeration(Exception):
    """These views have no short way: look at the dice themselves."""


def order_statistics(
    throw: SymbolicThrow, kept: list[Statistic], statistics: tuple[Statistic, ...]
) -> list[JointRow]:
    """Views of the k highest (or lowest) dice, beside views of all dice."""
    which = {statistic.keep[0] for statistic in kept if statistic.keep}
    if len(which) > 1 or any(statistic.readings != frozenset(throw.die) for statistic in kept):
        raise NeedsEnumeration
    best_first = which == {"highest"}
    if not statistics and len(kept) == 1:
        return [_single_sum(throw, kept[0], best_first)]
    return _joint_sums(throw, kept, statistics, best_first)


def _single_sum(throw: SymbolicThrow, statistic: Statistic, best_first: bool) -> JointRow:
    """One sum of kept dice: how many lie better, on the reading and below are plain numbers.

    With m dice better, k - m and more of the others lie on the reading: the ways for r and more of
    l dice are F(l, r) = from_here F(l-1, r-1) - C(l-1, r-1) weight**(r-1) below**(l-r+1), and
    l - r stays the same.  The sum over m is taken from the inside out, so that each step is a
    product with the few better faces.
    """
    assert statistic.keep is not None
    count, k = throw.count, min(statistic.keep[1], throw.count)
    faces = sorted(KroneckerLayout(throw, ()).faces, reverse=best_first)
    gains = [contribution(statistic, reading) for reading, _ in faces]
    least, span = min(gains), k * (max(gains) - min(gains))
    scale = len(throw.die) ** count
    width = field(scale.bit_length())
    if len(faces) ** 2 * k * (span + 1) * width > MAX_PACKED_BYTES:
        raise TooBig("too many of too many dice are kept to solve it")
    done, below = 0, len(throw.die)
    even = 8 * width if _are_consecutive(faces, gains) else 0
    better: list[tuple[int, int]] = []  # weights and places of the faces gone through
    for (_, weight), own in zip(faces, gains, strict=True):
        from_here, below = below, below - weight
        place = 8 * width * (own - least)
        enough, lowest = from_here ** (count - k), below ** (count - k + 1)
        ways = []
        for r in range(1, k + 1):
            chosen = comb(count - k + r - 1, r - 1) * weight ** (r - 1)
            enough = from_here * enough - chosen * lowest
            ways.append(comb(count, k - r) * enough)
        packed = ways[0] if k else 0
        for r in range(1, k):  # one die fewer lies better
            packed = _multiply_by_faces(better, packed, even) + (ways[r] << place * r)
        done += packed << place
        better.append((weight, place))
    if k == 0:
        done = scale
    return JointRow((), statistic, from_packed(k * least, done, width, span + 1, scale))


def _are_consecutive(faces: list[tuple[int, int]], gains: list[int]) -> bool:
    """Whether each face comes once, and each gain is next to the one before."""
    steps = {b - a for a, b in pairwise(gains)}
    return {weight for _, weight in faces} == {1} and steps in ({1}, {-1})


def _multiply_by_faces(faces: list[tuple[int, int]], packed: int, step: int) -> int:
    """A packed polynomial times some faces; `step` if they stand one after the other."""
    if not step or not faces:
        return sum([(packed * weight) << place for weight, place in faces])
    total, done, size, times = 0, 0, 1, len(faces)
    while times:  # by doubling
        if times & 1:
            total += packed << done * step
            done += size
        packed += packed << size * step
        size, times = 2 * size, times >> 1
    return total << min(faces[0][1], faces[-1][1])


def _joint_sums(
    throw: SymbolicThrow, kept: list[Statistic], statistics: tuple[Statistic, ...], best_first: bool
) -> list[JointRow]:
    """Sums of kept dice beside others: `open_` holds the ways to place fewer than k dice.

    They are told apart by their number and by what the kept views have gained so far.
    """
    count, scale, layout = throw.count, len(throw.die) ** throw.count, KroneckerLayout(throw, statistics)
    dice = [min(statistic.keep[1], count) for statistic in kept if statistic.keep is not None]
    k = max(dice)
    width = field(scale.bit_length())
    faces = list(zip(layout.faces, layout.places, strict=True))
    if best_first:
        faces.reverse()
    if len(faces) * k * k * layout.size * width > MAX_PACKED_BYTES:
        raise TooBig("too many of too many dice are kept to solve it")
    open_: dict[tuple[int, tuple[int, ...]], int] = {(0, (0,) * len(kept)): 1}
    done: dict[tuple[int, ...], int] = {}
    further: dict[int, int] = {}
    for at, ((reading, weight), place) in enumerate(faces):
        below = sum([w << 8 * width * p for (_, w), p in faces[at + 1 :]])
        own = weight << 8 * width * place
        own_gains = [contribution(statistic, reading) for statistic in kept]
        before, further = further, _powers(below, count - k + 1, count)
        following: dict[tuple[int, tuple[int, ...]], int] = {}
        for (m, gains), ways in open_.items():
            left, missing = count - m, k - m
            rest = before[left] if at else (below + own) ** left
            some = 1  # ways to put c chosen dice on this reading
            for c in range(missing):
                here = comb(left, c) * some
                rest -= here * further[left - c]
                key = m + c, _add_contributions(gains, own_gains, dice, m, c)
                following[key] = following.get(key, 0) + ways * here
                some *= own
            full = _add_contributions(gains, own_gains, dice, m, missing)
            done[full] = done.get(full, 0) + ways * rest
        open_ = following
    rows = []
    for gains, packed in sorted(done.items()):
        if not packed:
            continue
        known = tuple(zip(kept, gains, strict=True))
        if len(statistics) == 1:
            low = count * layout.least[statistics[0]]
            rows.append(JointRow(known, statistics[0], from_packed(low, packed, width, layout.size, scale)))
        else:
            rows += layout.rows(unpack(packed, width, layout.size), scale, known)
    return rows


def _powers(base: int, least: int, most: int) -> dict[int, int]:
    """Powers of a packed polynomial, from some exponent on."""
    powers = {max(least, 0): base ** max(least, 0)}
    for exponent in range(max(least, 0) + 1, most + 1):
        powers[exponent] = powers[exponent - 1] * base
    return powers


def _add_contributions(
    gains: tuple[int, ...], own_gains: list[int], dice: list[int], m: int, more: int
) -> tuple[int, ...]:
    """What the kept views have when `more` dice on a reading come to m better ones."""
    return tuple(
        [
            before + max(min(m + more, most) - m, 0) * own
            for before, own, most in zip(gains, own_gains, dice, strict=True)
        ]
    )
