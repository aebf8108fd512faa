"""Dice that land: which bring another die, and which reading of a rerolled one stays."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from handful.dice import Die, Landed, Pool
from handful.roll.node import ThrownDie, Wave

_new: Any = tuple.__new__

MOST_DICE = 1000  # in one throw
MOST_THROWN = 200_000  # in one roll
MOST_WAVES = 1000  # of extra dice; only a die that hardly ever stops gets that far


def brings(
    landed: Pool, of: Sequence[int | None] | None, threshold: int, *, same_die: bool
) -> tuple[int, ...]:
    """For each die that brings another one, the die to which that will belong.

    A later toss of the same die belongs to the first one, like the toss before it.
    """
    if same_die and of is not None:
        pairs = zip(landed, of, strict=True)
        return tuple([root or one[0] for one, root in pairs if one[1] >= threshold])
    return tuple([one[0] for one in landed if one[1] >= threshold])


def added(before: Pool, tosses: Pool, of: Sequence[int | None]) -> Pool:
    """Dice with further tosses added to them; each toss says to which die it belongs."""
    more = dict(zip(of, tosses, strict=True))
    return Pool(
        [
            _new(Landed, (one[0], one[1] + more[one[0]][1], more[one[0]][2])) if one[0] in more else one
            for one in before
        ]
    )


def stopped(wave: Wave) -> tuple[Pool, int]:
    """The dice of a throw that adds on that go on no more, and what each of the others has."""
    on = [one for one in wave.landed if one[0] in wave.next]
    return Pool([one for one in wave.landed if one[0] not in wave.next]), on[0][1]


def kept(keep: str, before: Pool, die: Die, faces: Sequence[int]) -> Pool:
    """Each rerolled die as it stays: itself, with the better (worse, new) reading."""
    stay = []
    for at, face in enumerate(faces):
        number, own, own_face = one = before[at]
        reading = die[face - 1]
        better = reading > own or (reading == own and face >= own_face)
        if keep == "new" or better == (keep == "better"):
            one = _new(Landed, (number, reading, face))
        stay.append(one)
    return Pool(stay)


# -- the same few dice land again and again: kept ready, because making them takes longest

READY = 40  # dice of a side, and sides of a die


@lru_cache(maxsize=64)
def thrown_ready(role: str, side: int) -> list[list[ThrownDie]]:
    """For each number from 1 on, and each face, a die that belongs to no other."""
    return [
        [_new(ThrownDie, (face, role, None, side, number)) for face in range(READY + 1)]
        for number in range(1, READY + 1)
    ]


@lru_cache(maxsize=64)
def landed_ready(shape: Die) -> list[list[Landed]]:
    """For each number from 1 on, and each face, the die as it lies there."""
    return [
        [_new(Landed, (number, shape[face - 1], face)) for face in range(len(shape) + 1)]
        for number in range(1, READY + 1)
    ]
