"""Throws dice for many rolls at once, with a seeded generator.

Every die is a draw of its own; nothing is sampled from a distribution.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.random import Generator

from handful.dice import Die, check_adds_up
from handful.errors import Message, TooBig
from handful.roll import MAX_DICE
from handful.simulate.values import Array, Pools

MAX_WAVES = 1000  # of exploding dice; only a die that hardly ever stops gets that far
BATCH = 1 << 20  # dice thrown at once, to bound the memory


@lru_cache(maxsize=256)
def _readings(die: Die) -> tuple[tuple[int, ...], Any]:
    """Return the distinct readings in ascending order, and the index of each face's reading."""
    readings = tuple(sorted(set(die)))
    return readings, np.array([readings.index(reading) for reading in die], np.int64)


def throw(rng: Generator, die: Die, count: Array) -> Pools:
    """Throw `count` dice per roll."""
    rolls, most = len(count), int(count.max(initial=0))
    if count.min(initial=0) < 0:
        raise ValueError(f"{count.min()} dice cannot be thrown")
    if most > MAX_DICE:
        raise TooBig(Message("roll.too_many_dice", most=MAX_DICE, count=most))
    if not most:
        return Pools(rolls)
    readings, reading_index = _readings(die)
    rolls_per_batch = max(BATCH // most, 1)
    landed = [
        _throw_batch(rng, reading_index, len(readings), count[start : start + rolls_per_batch])
        for start in range(0, rolls, rolls_per_batch)
    ]
    counts = landed[0] if len(landed) == 1 else np.concatenate(landed, axis=1)
    return Pools(rolls, zip(readings, counts, strict=True))


def _throw_batch(rng: Generator, reading_index: Array, readings: int, count: Array) -> Array:
    """Return the number of dice with each reading (rows) in each roll (columns)."""
    rolls = len(count)
    faces = rng.integers(0, len(reading_index), int(count.sum()), np.uint16)
    owners = np.repeat(np.arange(rolls), count)
    cells = np.bincount(reading_index[faces] * rolls + owners, minlength=readings * rolls)
    return cells.reshape(readings, rolls)


def throw_exploding(rng: Generator, die: Die, count: Array, threshold: int) -> Pools:
    """Throw exploding dice: each reading of at least `threshold` adds a die, until none does."""
    landed, remaining = Pools(len(count)), count
    for _ in range(MAX_WAVES):
        indices = np.flatnonzero(remaining)
        if not len(indices):
            return landed
        if min(die) >= threshold:
            break
        wave = throw(rng, die, remaining[indices])
        landed = landed.plus(_scatter(wave, indices, len(count)))
        remaining = np.zeros(len(count), np.int64)
        remaining[indices] = wave.passing(">=", threshold).size().numerators
    raise TooBig(Message("roll.rethrown_forever"))


def throw_adding(rng: Generator, die: Die, count: Array, threshold: int, base: int = 0) -> Pools:
    """Throw dice whose highest reading explodes and adds up; each starts from `base`."""
    check_adds_up(die, threshold)
    landed, remaining = Pools(len(count)), count
    for _ in range(MAX_WAVES):
        wave = throw(rng, die, remaining)
        stopped = ((base + r, n) for r, n in wave.counts.items() if r < threshold)
        landed = landed.plus(Pools(len(count), stopped))
        remaining = wave.passing(">=", threshold).size().numerators
        if not remaining.any():
            return landed
        if min(die) >= threshold:
            break
        base += max(die)
    raise TooBig(Message("roll.rethrown_forever"))


def _scatter(pools: Pools, indices: Any, rolls: int) -> Pools:
    """Scatter the pools of some rolls into pools of all rolls; the others are empty."""
    counts = []
    for reading, n in pools.counts.items():
        scattered = np.zeros(rolls, np.int64)
        scattered[indices] = n
        counts.append((reading, scattered))
    return Pools(rolls, counts)


def reroll(rng: Generator, die: Die, pools: Pools, keep: str) -> Pools:
    """Reroll each die; keep the better, the worse or the new reading."""
    landed = Pools(pools.rolls)
    for reading, n in pools.counts.items():
        if keep == "better":
            own_die = die.at_least(reading)
        else:
            own_die = die.at_most(reading) if keep == "worse" else die
        landed = landed.plus(throw(rng, own_die, n))
    return landed
