"""Order statistics: distributions of the k highest or lowest of n equal dice.

The sum runs over the reading of the k-th best die: fewer than k dice show a better reading and all of
them are kept, enough dice show the reading itself, and the rest show anything worse.
Polynomials are packed into integers, so that each step is one product and one shift.
"""

from __future__ import annotations

from itertools import pairwise
from math import comb

from handful.errors import Message, TooBig
from handful.solver.kronecker import JointRow, KroneckerLayout, contribution
from handful.solver.packed import from_packed
from handful.solver.polynomials import field, unpack
from handful.solver.symbolic_pool import Statistic, SymbolicThrow

MAX_PACKED_BYTES = 2 * 10**9  # bytes processed for one distribution


class NeedsEnumeration(Exception):
    """No closed form covers these statistics: enumerate the dice instead."""


def order_statistics(
    throw: SymbolicThrow, kept: list[Statistic], statistics: tuple[Statistic, ...]
) -> list[JointRow]:
    """Return the joint distribution of statistics of the k best dice (`kept`) and of all dice."""
    which = {statistic.keep[0] for statistic in kept if statistic.keep}
    if len(which) > 1 or any(statistic.readings != frozenset(throw.die) for statistic in kept):
        raise NeedsEnumeration
    best_first = which == {"highest"}
    if not statistics and len(kept) == 1:
        return [_single_sum(throw, kept[0], best_first)]
    return _joint_sums(throw, kept, statistics, best_first)


def _single_sum(throw: SymbolicThrow, statistic: Statistic, best_first: bool) -> JointRow:
    """Return the distribution of one sum of kept dice.

    With m dice better, at least k - m of the others show the reading: the number of outcomes in which r or
    more of l dice do is F(l, r) = from_here F(l-1, r-1) - C(l-1, r-1) weight**(r-1) below**(l-r+1), and
    l - r is constant.  The sum over m is evaluated like Horner's rule, so that each step is a product
    with the few better faces.
    """
    assert statistic.keep is not None
    count, k = throw.count, min(statistic.keep[1], throw.count)
    faces = sorted(KroneckerLayout(throw, ()).faces, reverse=best_first)
    values = [contribution(statistic, reading) for reading, _ in faces]
    least, span = min(values), k * (max(values) - min(values))
    scale = len(throw.die) ** count
    width = field(scale.bit_length())
    if len(faces) ** 2 * k * (span + 1) * width > MAX_PACKED_BYTES:
        raise TooBig(Message("solver.too_many_kept"))
    done, below = 0, len(throw.die)
    step = 8 * width if _are_consecutive(faces, values) else 0
    better: list[tuple[int, int]] = []  # weight and bit offset of each face that is better
    for (_, weight), own_value in zip(faces, values, strict=True):
        from_here, below = below, below - weight
        place = 8 * width * (own_value - least)
        enough, lowest = from_here ** (count - k), below ** (count - k + 1)
        outcomes = []
        for r in range(1, k + 1):
            chosen = comb(count - k + r - 1, r - 1) * weight ** (r - 1)
            enough = from_here * enough - chosen * lowest
            outcomes.append(comb(count, k - r) * enough)
        packed = outcomes[0] if k else 0
        for r in range(1, k):  # with one better die fewer
            packed = _multiply_by_faces(better, packed, step) + (outcomes[r] << place * r)
        done += packed << place
        better.append((weight, place))
    if k == 0:
        done = scale
    return JointRow((), statistic, from_packed(k * least, done, width, span + 1, scale))


def _are_consecutive(faces: list[tuple[int, int]], values: list[int]) -> bool:
    """Return True if each reading has one face and their values are consecutive integers."""
    steps = {b - a for a, b in pairwise(values)}
    return {weight for _, weight in faces} == {1} and steps in ({1}, {-1})


def _multiply_by_faces(faces: list[tuple[int, int]], packed: int, step: int) -> int:
    """Return a packed polynomial times the faces' polynomial; `step` is set if they are consecutive."""
    if not step or not faces:
        return sum([(packed * weight) << place for weight, place in faces])
    total, done, size, times = 0, 0, 1, len(faces)
    while times:  # 1 + x + … + x**(times - 1), by doubling
        if times & 1:
            total += packed << done * step
            done += size
        packed += packed << size * step
        size, times = 2 * size, times >> 1
    return total << min(faces[0][1], faces[-1][1])


def _joint_sums(
    throw: SymbolicThrow, kept: list[Statistic], statistics: tuple[Statistic, ...], best_first: bool
) -> list[JointRow]:
    """Return the joint distribution of kept sums and statistics of all dice.

    `unfinished` counts the outcomes in which fewer than k dice are placed, by number and kept sums so far.
    """
    count, scale, layout = throw.count, len(throw.die) ** throw.count, KroneckerLayout(throw, statistics)
    dice = [min(statistic.keep[1], count) for statistic in kept if statistic.keep is not None]
    k = max(dice)
    width = field(scale.bit_length())
    faces = list(zip(layout.faces, layout.places, strict=True))
    if best_first:
        faces.reverse()
    if len(faces) * k * k * layout.size * width > MAX_PACKED_BYTES:
        raise TooBig(Message("solver.too_many_kept"))
    unfinished: dict[tuple[int, tuple[int, ...]], int] = {(0, (0,) * len(kept)): 1}
    done: dict[tuple[int, ...], int] = {}
    further: dict[int, int] = {}
    for at, ((reading, weight), place) in enumerate(faces):
        below = sum([w << 8 * width * p for (_, w), p in faces[at + 1 :]])
        own_value = weight << 8 * width * place
        own_values = [contribution(statistic, reading) for statistic in kept]
        before, further = further, _powers(below, count - k + 1, count)
        following: dict[tuple[int, tuple[int, ...]], int] = {}
        for (m, values), outcomes in unfinished.items():
            left, missing = count - m, k - m
            rest = before[left] if at else (below + own_value) ** left
            own_power = 1  # outcomes in which c chosen dice show this reading
            for c in range(missing):
                placed = comb(left, c) * own_power
                rest -= placed * further[left - c]
                key = m + c, _add_contributions(values, own_values, dice, m, c)
                following[key] = following.get(key, 0) + outcomes * placed
                own_power *= own_value
            full = _add_contributions(values, own_values, dice, m, missing)
            done[full] = done.get(full, 0) + outcomes * rest
        unfinished = following
    rows = []
    for values, packed in sorted(done.items()):
        if not packed:
            continue
        constants = tuple(zip(kept, values, strict=True))
        if len(statistics) == 1:
            low = count * layout.least[statistics[0]]
            rows.append(
                JointRow(constants, statistics[0], from_packed(low, packed, width, layout.size, scale))
            )
        else:
            rows += layout.rows(unpack(packed, width, layout.size), scale, constants)
    return rows


def _powers(base: int, least: int, most: int) -> dict[int, int]:
    """Return the powers of a packed polynomial with exponents from `least` to `most`."""
    powers = {max(least, 0): base ** max(least, 0)}
    for exponent in range(max(least, 0) + 1, most + 1):
        powers[exponent] = powers[exponent - 1] * base
    return powers


def _add_contributions(
    values: tuple[int, ...], own_values: list[int], dice: list[int], m: int, more: int
) -> tuple[int, ...]:
    """Return the kept sums after `more` dice with a reading join the m better ones."""
    return tuple(
        [
            before + max(min(m + more, most) - m, 0) * own_value
            for before, own_value, most in zip(values, own_values, dice, strict=True)
        ]
    )
