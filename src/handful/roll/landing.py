"""Effects of thrown faces: which dice explode, and which reading of a rerolled die is kept.

Dice are identified by number, so that further tosses and rerolls refer to the die they belong to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from handful.dice import Die, LandedDie, Pool
from handful.roll.node import Wave

_new: Any = tuple.__new__

MAX_DICE = 1000  # in one throw
MAX_THROWN = 200_000  # in one roll
MAX_WAVES = 1000  # of exploding dice; only a die that hardly ever stops gets that far


def exploding_dice(
    landed: Pool, of: Sequence[int | None] | None, threshold: int, *, same_die: bool
) -> tuple[int, ...]:
    """Return, for each die that explodes, the number of the die that the extra die belongs to.

    With `same_die`, every further toss belongs to the first die of the chain.
    """
    if same_die and of is not None:
        pairs = zip(landed, of, strict=True)
        return tuple([root or one[0] for one, root in pairs if one[1] >= threshold])
    return tuple([one[0] for one in landed if one[1] >= threshold])


def add_tosses(before: Pool, tosses: Pool, of: Sequence[int | None]) -> Pool:
    """Add further tosses to the dice they belong to (`of`)."""
    more = dict(zip(of, tosses, strict=True))
    return Pool(
        [
            _new(LandedDie, (one[0], one[1] + more[one[0]][1], more[one[0]][2])) if one[0] in more else one
            for one in before
        ]
    )


def split_stopped(wave: Wave) -> tuple[Pool, int]:
    """Return the dice of an adding throw that have stopped, and the reading of each exploding one."""
    exploding = [one for one in wave.landed if one[0] in wave.next]
    return Pool([one for one in wave.landed if one[0] not in wave.next]), exploding[0][1]


def keep_readings(keep: str, before: Pool, die: Die, faces: Sequence[int]) -> Pool:
    """Return the rerolled dice, each with the better, worse or new reading (`keep`)."""
    kept = []
    for at, face in enumerate(faces):
        number, own, own_face = one = before[at]
        reading = die[face - 1]
        better = reading > own or (reading == own and face >= own_face)
        if keep == "new" or better == (keep == "better"):
            one = _new(LandedDie, (number, reading, face))
        kept.append(one)
    return Pool(kept)
