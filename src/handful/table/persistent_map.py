"""Persistent map: immutable, ordered, and cheap to copy with one entry changed.

A long session has thousands of rolls, and nearly all changes concern the latest.  Recent entries
lie in a small overlay that is copied on each change; the base below it is shared.  A short history
lets `changed_since` list the changes after an earlier version without comparing the rest.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from itertools import chain, islice
from typing import Any, Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")
MAX_OVERLAY = 64  # entries, and one more for every 64 of the base
MAX_HISTORY = 32  # changes that `changed_since` can look back


class PersistentMap(Mapping[Key, Value], Generic[Key, Value]):
    """An immutable mapping whose entries keep the order in which they were first added.

    >>> PersistentMap().put("a", 1).put("b", 2).put("a", 3)
    {'a': 3, 'b': 2}
    """

    __slots__ = ("_base", "_history", "_is_draft", "_overlay", "_version")

    def __init__(
        self,
        base: dict[Key, Value] | None = None,
        overlay: dict[Key, Value] | None = None,
        history: tuple[tuple[object, Key], ...] = (),
    ) -> None:
        self._base, self._overlay = base or {}, overlay or {}
        self._version = object()  # identifies this map in the history of its successors
        self._history = history  # each predecessor's version, and the key put into it
        self._is_draft = False

    def put(self, key: Key, value: Value) -> PersistentMap[Key, Value]:
        """Return a copy with one entry added or changed; a draft itself."""
        if self._is_draft:
            self._overlay[key] = value
            return self
        history = (*self._history[1 - MAX_HISTORY :], (self._version, key))
        overlay = {**self._overlay, key: value}
        return PersistentMap(*_balanced(self._base, overlay), history)

    def finished(self) -> PersistentMap[Key, Value]:
        """Return a draft's entries as a map that does not change."""
        return PersistentMap(*_balanced(self._base, {**self._overlay}))

    def changed_since(self, before: Mapping[Key, Value]) -> list[Key] | None:
        """Return the keys put since an earlier version, oldest first.

        None if `before` is no predecessor, or is more than `MAX_HISTORY` changes old.

        >>> one = PersistentMap().put("a", 1)
        >>> one.put("b", 2).put("a", 3).put("b", 4).changed_since(one)
        ['b', 'a']
        """
        if before is self:
            return []
        if not isinstance(before, PersistentMap):
            return None
        keys: list[Key] = []
        for version, key in reversed(self._history):
            keys.append(key)
            if version is before._version:
                return [*dict.fromkeys(reversed(keys))]
        return None

    def last_keys(self, count: int) -> list[Key]:
        """Return the keys that were added last, oldest first.

        >>> PersistentMap().put("a", 1).put("b", 2).put("c", 3).put("a", 4).last_keys(2)
        ['b', 'c']
        """
        new_keys = (key for key in reversed(self._overlay) if key not in self._base)
        return [*islice(chain(new_keys, reversed(self._base)), count)][::-1]

    def __getitem__(self, key: Key) -> Value:
        return self._overlay[key] if key in self._overlay else self._base[key]

    # the inherited versions are slower, and some look up every entry

    def get(self, key: Key, default: Any = None) -> Any:
        return self._overlay[key] if key in self._overlay else self._base.get(key, default)

    def __contains__(self, key: object) -> bool:
        return key in self._overlay or key in self._base

    def __bool__(self) -> bool:
        return bool(self._overlay or self._base)

    def items(self) -> ItemsView[Key, Value]:
        return {**self._base, **self._overlay}.items()

    def values(self) -> ValuesView[Value]:
        return {**self._base, **self._overlay}.values()

    def __iter__(self) -> Iterator[Key]:
        yield from self._base
        yield from (key for key in self._overlay if key not in self._base)

    def __len__(self) -> int:
        return len(self._base) + sum(key not in self._base for key in self._overlay)

    def __repr__(self) -> str:
        return repr(dict(self))


def draft_of(entries: Mapping[Key, Value]) -> PersistentMap[Key, Value]:
    """Return a draft with the entries of any mapping: `put` changes it in place, until it is `finished`.

    >>> before = PersistentMap().put("a", 1)
    >>> draft = draft_of(before)
    >>> draft.put("b", 2) is draft, before, draft.finished()
    (True, {'a': 1}, {'a': 1, 'b': 2})
    """
    current = entries if isinstance(entries, PersistentMap) else PersistentMap(dict(entries))
    draft = PersistentMap(current._base, {**current._overlay})
    draft._is_draft = True
    return draft


def _balanced(base: dict[Key, Value], overlay: dict[Key, Value]) -> tuple[dict[Key, Value], dict[Key, Value]]:
    """Return base and overlay; joined if the overlay is so large that copying either costs about the same."""
    if len(overlay) > MAX_OVERLAY + len(base) // MAX_OVERLAY:
        return {**base, **overlay}, {}
    return base, overlay


def put(entries: Mapping[Key, Value], key: Key, value: Value) -> PersistentMap[Key, Value]:
    """Return any mapping with one entry added or changed."""
    current = entries if isinstance(entries, PersistentMap) else PersistentMap(dict(entries))
    return current.put(key, value)
