"""Choices that follow from a number: the same seed always gives the same ones.

Chance comes in as the seed, so that everything built from it stays pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """An endless row of choices that follow from a seed."""

    def __init__(self, seed: int | str) -> None:
        self._seed = str(seed)
        self._count = 0

    def below(self, bound: int) -> int:
        """Return the next number from 0 to below the bound."""
        self._count += 1
        digest = sha256(f"{self._seed}/{self._count}".encode()).digest()
        return int.from_bytes(digest[:16]) % bound  # 128 bits: the bias cannot be noticed

    def one(self, entries: Sequence[T]) -> T:
        """Return one of the entries."""
        return entries[self.below(len(entries))]

    def some(self, entries: Sequence[T], count: int) -> list[T]:
        """Return several different entries, in their order."""
        left = list(range(len(entries)))
        chosen = [left.pop(self.below(len(left))) for _ in range(min(count, len(entries)))]
        return [entries[at] for at in sorted(chosen)]
