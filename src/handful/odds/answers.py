"""Enumerates the legal answers to a decision.

Picks of dice with the same readings are equivalent and share a key.  If there are too many, only one per
key is listed, or only picks of the lowest dice; `count_left_out` says how many are missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import Any

from handful.dice import LandedDie
from handful.roll import ChooseDice, Node, PickOption, Reply

MAX_KINDS = 256  # distinct answers that are solved
MAX_LISTED = 5000  # answers that are listed


def answers(node: Node) -> Iterator[tuple[str, Reply, Any]]:
    """Yield the answers to compare: as typed, as a reply, and as a key that equivalent answers share."""
    match node.ask:
        case PickOption(_, _, _, options):
            for option in options:
                yield option, option, option
        case ChooseDice():
            for pick in _picks(node.ask):
                numbers = tuple(landed.number for landed in pick)
                kind = tuple(sorted(landed.reading for landed in pick))
                yield ",".join(map(str, numbers)) or "none", numbers, kind


def count_left_out(node: Node) -> int:
    """Return the number of legal answers not listed by `answers`: each is like a listed one, or worse."""
    if not isinstance(node.ask, ChooseDice):
        return 0
    count = sum(comb(len(node.ask.pool), k) for k in range(node.ask.at_most + 1))
    return count - sum(1 for _ in _picks(node.ask))


def _picks(ask: ChooseDice) -> Iterator[tuple[LandedDie, ...]]:
    """Yield every pick; if too many, one per multiset of readings; if still too many, the lowest dice."""
    dice = sorted(ask.pool, key=lambda landed: landed.number)
    groups = [
        [landed for landed in dice if landed.reading == reading]
        for reading in sorted({landed.reading for landed in dice})
    ]
    few = _count_kinds([len(group) for group in groups], ask.at_most) <= MAX_KINDS
    if few and sum(comb(len(dice), k) for k in range(ask.at_most + 1)) <= MAX_LISTED:
        for k in range(ask.at_most + 1):
            yield from combinations(dice, k)
    elif few:
        yield from sorted(_by_kind(groups, ask.at_most), key=_by_length)
    else:
        for k in range(ask.at_most + 1):
            yield tuple(ask.pool.lowest(k))


def _count_kinds(sizes: list[int], at_most: int) -> int:
    """Return the number of picks when dice with equal readings are interchangeable."""
    counts = [1] + [0] * at_most
    for size in sizes:
        counts = [sum(counts[max(k - size, 0) : k + 1]) for k in range(at_most + 1)]
    return sum(counts)


def _by_kind(groups: list[list[LandedDie]], left: int) -> Iterator[tuple[LandedDie, ...]]:
    if not groups:
        yield ()
        return
    first, *others = groups
    for k in range(min(left, len(first)) + 1):
        for rest in _by_kind(others, left - k):
            yield tuple(first[:k]) + rest


def _by_length(pick: tuple[LandedDie, ...]) -> tuple[int, list[int]]:
    return len(pick), [landed.number for landed in pick]
