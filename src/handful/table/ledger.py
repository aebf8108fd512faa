"""A mapping that is never changed, and of which a new one with one entry more is quick to make.

A long evening has thousands of rolls, and nearly all changes are about the latest: those lie on
top and are copied with each change, the rest below is shared.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")
MOST_ON_TOP = 200


class Ledger(Mapping[Key, Value], Generic[Key, Value]):
    """Entries in the order in which they first came.

    >>> Ledger().put("a", 1).put("b", 2).put("a", 3)
    {'a': 3, 'b': 2}
    """

    __slots__ = ("_below", "_top")

    def __init__(
        self, below: dict[Key, Value] | None = None, top: dict[Key, Value] | None = None
    ) -> None:
        self._below = {} if below is None else below  # the very same, also when it is empty
        self._top = top or {}

    def put(self, key: Key, value: Value) -> Ledger[Key, Value]:
        """The same with one entry new or changed."""
        top = {**self._top, key: value}
        if len(top) > MOST_ON_TOP:
            return Ledger({**self._below, **top})
        return Ledger(self._below, top)

    def since(self, before: Mapping[Key, Value]) -> list[Key] | None:
        """Whose entries are new or others than before, in their order; None: too long ago."""
        if not isinstance(before, Ledger) or before._below is not self._below:
            return None
        return [key for key, value in self._top.items() if before._top.get(key) is not value]

    def __getitem__(self, key: Key) -> Value:
        return self._top[key] if key in self._top else self._below[key]

    # quicker than entry by entry, as a mapping would do it

    def __contains__(self, key: object) -> bool:
        return key in self._top or key in self._below

    def __bool__(self) -> bool:
        return bool(self._top or self._below)

    def items(self) -> ItemsView[Key, Value]:
        return {**self._below, **self._top}.items()

    def values(self) -> ValuesView[Value]:
        return {**self._below, **self._top}.values()

    def __iter__(self) -> Iterator[Key]:
        yield from self._below
        yield from (key for key in self._top if key not in self._below)

    def __len__(self) -> int:
        return len(self._below) + sum(key not in self._below for key in self._top)

    def __repr__(self) -> str:
        return repr(dict(self))


def put(entries: Mapping[Key, Value], key: Key, value: Value) -> Ledger[Key, Value]:
    """Any mapping with one entry new or changed."""
    own = entries if isinstance(entries, Ledger) else Ledger(dict(entries))
    return own.put(key, value)
