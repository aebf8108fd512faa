"""Verifiable dice: each roll has a key, and its faces follow from it.

A key follows from the secret of an epoch and from its place in a stream (`key_streams`), so faces
never depend on a name, or on anything else that happened.  Its hash, the commitment, is logged before
the roll, the key itself when it is finalised; then anyone who sees the key can recompute every face
(`handful verify`).
"""

from __future__ import annotations

import hmac
from typing import Protocol

from handful.records import field, record
from handful.table.key_streams import NamedKey, Place, derive_key


class Dice(Protocol):
    """Source of a table's dice."""

    @property
    def public_key(self) -> str:
        """The key that verifies the table's signatures, in hexadecimal digits; empty if nothing is signed."""

    def key(self, place: Place) -> str: ...
    def faces(self, place: Place, throw: int, count: int, sides: int, entropy: str) -> tuple[int, ...]: ...


@record()
class KeyedDice:
    """Dice from keys derived from a 32-byte secret."""

    secret: bytes = field(repr=False)
    public_key: str = ""

    def key(self, place: Place) -> str:
        if isinstance(place, NamedKey):
            return derive_key(self.secret, place)
        epoch_secret = hmac.digest(self.secret, f"handful epoch\n{place.epoch}".encode(), "sha256")
        return derive_key(epoch_secret, place)

    def faces(self, place: Place, throw: int, count: int, sides: int, entropy: str) -> tuple[int, ...]:
        return derive_faces(self.key(place), throw, count, sides, entropy)


def derive_faces(key: str, throw: int, count: int, sides: int, entropy: str) -> tuple[int, ...]:
    """Return the faces of a throw: 4-byte numbers, rejecting those that would bias a face."""
    limit = 2**32 - 2**32 % sides
    faces: list[int] = []
    block = 0
    while len(faces) < count:
        message = f"{throw}\n{block}\n{entropy}".encode()
        stream = hmac.digest(bytes.fromhex(key), message, "sha256")
        numbers = [int.from_bytes(stream[at : at + 4], "big") for at in range(0, 32, 4)]
        faces += [number % sides + 1 for number in numbers if number < limit]
        block += 1
    return tuple(faces[:count])
