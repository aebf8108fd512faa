"""A mapping that is never changed, and of which a new one with one entry more is quick to make.

A long evening has thousands of rolls, and nearly all changes are about the latest: those lie on
top and are copied with each change, the rest below is shared.  Whoever looked a few changes ago is
told what is new without looking at the rest.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")
MAX_OVERLAY = 64
MAX_HISTORY = 32  # changes that are known to those who looked before


class PersistentMap(Mapping[Key, Value], Generic[Key, Value]):
    """Entries in the order in which they first came.

    >>> Ledger().put("a", 1).put("b", 2).put("a", 3)
    {'a': 3, 'b': 2}
    """

    __slots__ = ("_below", "_mark", "_top", "_trail")

    def __init__(
        self,
        below: dict[Key, Value] | None = None,
        top: dict[Key, Value] | None = None,
        trail: tuple[tuple[object, Key], ...] = (),
    ) -> None:
        self._below, self._top = below or {}, top or {}
        self._mark = object()  # stands for this one in the trails of those that come after it
        self._trail = trail  # marks of those before it, and what was put into each

    def put(self, key: Key, value: Value) -> PersistentMap[Key, Value]:
        """The same with one entry new or changed."""
        trail = (*self._trail[1 - MAX_HISTORY :], (self._mark, key))
        top = {**self._top, key: value}
        if len(top) > MAX_OVERLAY:
            return PersistentMap({**self._below, **top}, {}, trail)
        return PersistentMap(self._below, top, trail)

    def changed_since(self, before: Mapping[Key, Value]) -> list[Key] | None:
        """What was put into it since it was another one, in order; None: it never was, or long ago.

        >>> one = Ledger().put("a", 1)
        >>> one.put("b", 2).put("a", 3).put("b", 4).since(one)
        ['b', 'a']
        """
        if before is self:
            return []
        if not isinstance(before, PersistentMap):
            return None
        keys: list[Key] = []
        for mark, key in reversed(self._trail):
            keys.append(key)
            if mark is before._mark:
                return [*dict.fromkeys(reversed(keys))]
        return None

    @property
    def last_key(self) -> Key | None:
        """The key that came last; None where there is none."""
        new = (key for key in reversed(self._top) if key not in self._below)
        return next(new, next(reversed(self._below), None))

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


def put(entries: Mapping[Key, Value], key: Key, value: Value) -> PersistentMap[Key, Value]:
    """Any mapping with one entry new or changed."""
    own = entries if isinstance(entries, PersistentMap) else PersistentMap(dict(entries))
    return own.put(key, value)
