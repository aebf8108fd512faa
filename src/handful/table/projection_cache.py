"""Memoizes projections and view fragments by the identity of the values they were computed from.

Tables are immutable and share what did not change, so identical inputs give an identical result
object.  Callers that send patches rely on this: a fragment that is the same object did not change.
The cache never affects results: without it everything is recomputed, and is equal.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from operator import is_
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from handful.table.state import Table

Result = TypeVar("Result")


class ProjectionCache:
    """Cache for all seats of one table; drops entries that were unused for two generations."""

    def __init__(self) -> None:
        self._current: dict[Hashable, tuple[tuple[Any, ...], Any]] = {}
        self._previous: dict[Hashable, tuple[tuple[Any, ...], Any]] = {}
        self._table: Table | None = None
        self._static_part: tuple[Any, ...] = ()

    def static_part(self, table: Table) -> tuple[Any, ...]:
        """Return `table.static_part`; the same object as long as all its items are."""
        if table is not self._table:
            parts = table.static_part
            same = all_identical(parts, self._static_part)
            self._table, self._static_part = table, self._static_part if same else parts
        return self._static_part

    def next_generation(self) -> None:
        """Start a new generation; call it after the table has changed."""
        self._current, self._previous = {}, self._current

    def latest(self, key: Hashable) -> Any:
        """Return the last result stored under a key, whatever its inputs were, or None."""
        entry = self._current.get(key) or self._previous.get(key)
        return None if entry is None else entry[1]

    def memoize(self, key: Hashable, inputs: tuple[Any, ...], compute: Callable[[], Result]) -> Result:
        """Return the stored result if its inputs were these very objects, else compute and store it."""
        entry = self._current.get(key)
        if entry is None and (entry := self._previous.get(key)) is not None:
            self._current[key] = entry
        if entry is None or not all_identical(entry[0], inputs):
            self._current[key] = entry = (inputs, compute())
        result: Result = entry[1]
        return result


def all_identical(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Return whether two tuples hold the same objects, compared by identity."""
    return one is other or (len(one) == len(other) and all(map(is_, one, other)))
