"""Verifiable dice: each roll has a key, and its faces follow from it.

The key is derived from the table's secret and the roll's id, so faces never depend on anything else
that happened.  Its hash, the commitment, is logged when the roll is declared, the key itself when it
is finalised; then anyone who sees the key can recompute every face (`handful verify`).
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import Protocol

from handful.records import record


class Dice(Protocol):
    """Source of a table's dice."""

    def commitment(self, table: str, roll: str) -> str: ...
    def key(self, table: str, roll: str) -> str: ...
    def faces(
        self, table: str, roll: str, throw: int, count: int, sides: int, entropy: str
    ) -> tuple[int, ...]: ...


@record()
class KeyedDice:
    """Dice from keys derived from a 32-byte secret."""

    secret: bytes

    def key(self, table: str, roll: str) -> str:
        message = f"handful roll\n{table}\n{roll}".encode()
        return hmac.digest(self.secret, message, "sha256").hex()

    def commitment(self, table: str, roll: str) -> str:
        return sha256(bytes.fromhex(self.key(table, roll))).hexdigest()

    def faces(
        self, table: str, roll: str, throw: int, count: int, sides: int, entropy: str
    ) -> tuple[int, ...]:
        return derive_faces(self.key(table, roll), throw, count, sides, entropy)


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
