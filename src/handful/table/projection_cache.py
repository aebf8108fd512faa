"""What was made for views before, as long as it is made of the very same things.

Tables are values that share what did not change, so the same things make the same: what is asked
for again with the very objects from which it was made is given back as it was.  Whoever sends
views sees by the same token what did not change.  Nothing hangs on it: without a memory
everything is made anew, and is equal.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from operator import is_
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from handful.table.state import Table

Made = TypeVar("Made")


class ProjectionCache:
    """For all seats of one table; what two turns in a row did not ask for is forgotten."""

    def __init__(self) -> None:
        self._now: dict[Hashable, tuple[tuple[Any, ...], Any]] = {}
        self._before: dict[Hashable, tuple[tuple[Any, ...], Any]] = {}
        self._table: Table | None = None
        self._beside: tuple[Any, ...] = ()

    def static_part(self, table: Table) -> tuple[Any, ...]:
        """What is there beside rolls; the very same as long as all of it is."""
        if table is not self._table:
            parts = table.static_part
            self._table, self._beside = table, self._beside if all_identical(parts, self._beside) else parts
        return self._beside

    def next_generation(self) -> None:
        """Something happened at the table."""
        self._now, self._before = {}, self._now

    def latest(self, name: Hashable) -> Any:
        """What was made under this name the last time, of whatever; None if nothing was."""
        found = self._now.get(name) or self._before.get(name)
        return None if found is None else found[1]

    def keep(self, name: Hashable, thing: Any) -> None:
        self._now[name] = ((thing,), thing)

    def memoize(self, name: Hashable, parts: tuple[Any, ...], make: Callable[[], Made]) -> Made:
        """What `make` gives, or gave when it was last made of these very parts."""
        found = self._now.get(name)
        if found is None and (found := self._before.get(name)) is not None:
            self._now[name] = found
        if found is None or not all_identical(found[0], parts):
            self._now[name] = found = (parts, make())
        made: Made = found[1]
        return made


def all_identical(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Whether two are made of the very same things."""
    return one is other or (len(one) == len(other) and all(map(is_, one, other)))
