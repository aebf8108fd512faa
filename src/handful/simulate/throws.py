"""Dice thrown by a seeded generator, one by one, for many rolls at once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.random import Generator

from handful.dice import Die, check_adds_up
from handful.errors import TooBig
from handful.roll import MAX_DICE
from handful.simulate.values import Array, Pools

MOST_WAVES = 1000  # of extra dice; only a die that hardly ever stops gets that far
AT_ONCE = 1 << 20  # dice that are thrown in one go, to bound the memory


@lru_cache(maxsize=256)
def _readings(die: Die) -> tuple[tuple[int, ...], Any]:
    """The different readings, ascending, and for each face which of them it shows."""
    readings = tuple(sorted(set(die)))
    return readings, np.array([readings.index(reading) for reading in die], np.int64)


def throw(rng: Generator, die: Die, count: Array) -> Pools:
    """So many dice for each roll."""
    rolls, most = len(count), int(count.max(initial=0))
    if count.min(initial=0) < 0:
        raise ValueError(f"{count.min()} dice cannot be thrown")
    if most > MAX_DICE:
        raise TooBig(f"at most {MAX_DICE} dice can be thrown at once, not {most}")
    if not most:
        return Pools(rolls)
    readings, shown = _readings(die)
    lot = max(AT_ONCE // most, 1)
    landed = [
        _landed(rng, shown, len(readings), count[start : start + lot]) for start in range(0, rolls, lot)
    ]
    counts = landed[0] if len(landed) == 1 else np.concatenate(landed, axis=1)
    return Pools(rolls, zip(readings, counts, strict=True))


def _landed(rng: Generator, shown: Array, readings: int, count: Array) -> Array:
    """How many dice show each reading (a row) in each roll (a column)."""
    rolls = len(count)
    faces = rng.integers(0, len(shown), int(count.sum()), np.uint16)
    owners = np.repeat(np.arange(rolls), count)
    cells = np.bincount(shown[faces] * rolls + owners, minlength=readings * rolls)
    return cells.reshape(readings, rolls)


def throw_on(rng: Generator, die: Die, count: Array, threshold: int) -> Pools:
    """Dice that bring another die from a reading on, wave by wave, until none does."""
    landed, left = Pools(len(count)), count
    for _ in range(MOST_WAVES):
        places = np.flatnonzero(left)
        if not len(places):
            return landed
        if min(die) >= threshold:
            break
        wave = throw(rng, die, left[places])
        landed = landed.plus(_among(wave, places, len(count)))
        left = np.zeros(len(count), np.int64)
        left[places] = wave.passing(">=", threshold).size().top
    raise TooBig("these dice would be thrown again for ever")


def throw_adding(rng: Generator, die: Die, count: Array, threshold: int, base: int = 0) -> Pools:
    """Dice whose highest reading goes on and adds up; each has `base` already."""
    check_adds_up(die, threshold)
    landed, left = Pools(len(count)), count
    for _ in range(MOST_WAVES):
        wave = throw(rng, die, left)
        stopped = ((base + r, n) for r, n in wave.counts.items() if r < threshold)
        landed = landed.plus(Pools(len(count), stopped))
        left = wave.passing(">=", threshold).size().top
        if not left.any():
            return landed
        if min(die) >= threshold:
            break
        base += max(die)
    raise TooBig("these dice would be thrown again for ever")


def _among(pools: Pools, places: Any, rolls: int) -> Pools:
    """The pools of some rolls as pools of all, where the others have none."""
    counts = []
    for reading, n in pools.counts.items():
        all_of_them = np.zeros(rolls, np.int64)
        all_of_them[places] = n
        counts.append((reading, all_of_them))
    return Pools(rolls, counts)


def throw_again(rng: Generator, die: Die, pools: Pools, keep: str) -> Pools:
    """Each die again; the better reading stays, or the worse, or the new one."""
    landed = Pools(pools.rolls)
    for reading, n in pools.counts.items():
        if keep == "better":
            own = die.at_least(reading)
        else:
            own = die.at_most(reading) if keep == "worse" else die
        landed = landed.plus(throw(rng, own, n))
    return landed
