"""Draws faces of dice from a random number generator.

Invariant: every face is equally likely, and a face out of range is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from handful.errors import BadReply, Message


class Rng(Protocol):
    """A source of random numbers: `random.Random`, `random.SystemRandom` or your own."""

    def randrange(self, stop: int, /) -> int: ...


Faces = Callable[[int, int], tuple[int, ...]]


def faces_from(rng: Rng) -> Faces:
    """Return a function of count and sides that throws dice."""
    if not hasattr(rng, "randrange"):
        raise BadReply(Message("dice.need_source"))
    import random  # imported late: most commands throw no dice

    return _by_random_bits(rng) if type(rng) in (random.Random, random.SystemRandom) else _by_randrange(rng)


def _by_random_bits(rng: Any) -> Faces:
    """Draw by rejection sampling, as these generators' `randrange` does: same faces, a third of the time."""
    getrandbits = rng.getrandbits

    def faces(count: int, sides: int) -> tuple[int, ...]:
        bits = sides.bit_length()
        drawn: list[int] = []
        while len(drawn) < count:
            face = getrandbits(bits)
            if face < sides:
                drawn.append(face + 1)
        return tuple(drawn)

    return faces


def _by_randrange(rng: Rng) -> Faces:
    """Draw one by one from a foreign generator, and validate each face: nothing checks them later."""

    def faces(count: int, sides: int) -> tuple[int, ...]:
        thrown = tuple([rng.randrange(sides) + 1 for _ in range(count)])
        for face in thrown:
            if isinstance(face, bool) or not isinstance(face, int) or not 1 <= face <= sides:
                raise BadReply(Message("roll.impossible_face", sides=sides, face=face))
        return thrown

    return faces
