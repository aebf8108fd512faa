"""The legal answers to a decision: each as it is typed, as a reply, and what it amounts to."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import Any

from handful.dice import Landed
from handful.errors import TooBig
from handful.roll import ChooseDice, Node, PickOption, Reply

MOST_ANSWERS = 256  # listed one by one; beyond, dice that read alike stand for each other


def answers(node: Node) -> Iterator[tuple[str, Reply, Any]]:
    """Each legal answer: as it is typed, as a reply, and what it amounts to."""
    match node.ask:
        case PickOption(_, _, _, options):
            for option in options:
                yield option, option, option
        case ChooseDice(_, _, _, pool, at_most):
            dice = sorted(pool, key=lambda landed: landed.number)
            count = sum(comb(len(dice), k) for k in range(at_most + 1))
            picks = _every(dice, at_most) if count <= MOST_ANSWERS else _kinds(dice, at_most)
            for pick in picks:
                numbers = tuple(landed.number for landed in pick)
                kind = tuple(sorted(landed.reading for landed in pick))
                yield ",".join(map(str, numbers)) or "none", numbers, kind


def _every(dice: list[Landed], at_most: int) -> Iterator[tuple[Landed, ...]]:
    for k in range(at_most + 1):
        yield from combinations(dice, k)


def _kinds(dice: list[Landed], at_most: int) -> Iterator[tuple[Landed, ...]]:
    """One pick for each choice of readings: the first dice that read so."""
    readings = sorted({landed.reading for landed in dice})
    groups = [[landed for landed in dice if landed.reading == r] for r in readings]

    def picks(place: int, left: int) -> Iterator[tuple[Landed, ...]]:
        if place == len(groups):
            yield ()
            return
        for k in range(min(left, len(groups[place])) + 1):
            for rest in picks(place + 1, left - k):
                yield tuple(groups[place][:k]) + rest

    found = sorted(picks(0, at_most), key=lambda pick: (len(pick), [p.number for p in pick]))
    if len(found) > 5000:
        raise TooBig("there are too many different answers to weigh them all")
    yield from found
