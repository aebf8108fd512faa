"""Computes the patch between two views of a seat, as JSON text.

Unchanged parts of a view are left out.  In a list, `[first, count]` stands for a run of items that
were in the previous list.  Each item is serialized once for all seats as long as it is the same
object (`table.ProjectionCache`); seats that see the same list share its patch.
Invariant: whether a part changed is decided by its text, so seats with equal views get equal bytes.
"""

from __future__ import annotations

from itertools import compress, count, repeat
from operator import is_not
from typing import Any

import orjson

from handful.table import GroupedList, canonical_json

ABSENT = object()


class ListSnapshot:
    """A list as it was last sent: its items and their JSON; an item may be a group of several."""

    def __init__(self, items: list[Any], texts: list[str]) -> None:
        self.items, self.texts = items, texts

    def run(self, first: int, last: int) -> tuple[int, int]:
        """Return position and length of items `first` to `last` in the list as it is sent."""
        if isinstance(self.items, GroupedList):
            return sum(map(len, self.items[:first])), sum(map(len, self.items[first:last]))
        return first, last - first


class FragmentCache:
    """Serialized items and list patches of one turn, shared by all seats.

    Keys are object ids: they are unique because the cache holds a reference to each object.
    """

    def __init__(self) -> None:
        self._item_texts: dict[int, tuple[Any, str]] = {}
        # (previous list, id of the current list) -> current list and its patch
        self._lists: dict[tuple[ListSnapshot | None, int], tuple[ListSnapshot, str]] = {}

    def start_turn(self) -> None:
        """Start a new turn: drop the fragments that only the previous turn needed."""
        self._item_texts.clear()
        self._lists.clear()

    def patch_list(self, items: list[Any], before: ListSnapshot | None) -> tuple[ListSnapshot, str]:
        """Return the list as it is sent now and its patch since `before`; empty if nothing changed."""
        found = self._lists.get((before, id(items)))
        if found is None:
            found = self._write_list(items) if before is None else self._diff_list(items, before)
            self._lists[before, id(found[0].items)] = found
        return found

    def _write_list(self, items: list[Any]) -> tuple[ListSnapshot, str]:
        texts = [self._item_text(one) for one in items]
        return ListSnapshot(items, texts), f"[{','.join(texts)}]"

    def _diff_list(self, items: list[Any], before: ListSnapshot) -> tuple[ListSnapshot, str]:
        """Compute the patch of a list; long runs of identical items are compared in C, not one by one."""
        previous = before.items
        end = _common_prefix(previous, items)  # end of the last match in `was`: items keep their order
        if end == len(previous) == len(items):
            return before, ""
        patch, texts = _ListPatch(), before.texts[:end]
        patch.reuse(*before.run(0, end))
        positions = dict(zip(map(id, previous[end:]), count(end)))
        while (at := len(texts)) < len(items):
            first = positions.get(id(items[at]), -1)
            if first >= end:
                end = first + _common_prefix(previous[first:], items[at:])
                texts += before.texts[first:end]
                patch.reuse(*before.run(first, end))
                continue
            texts.append(self._item_text(items[at]))
            left = before.texts[end:]
            if texts[at] in left:  # a new object with the same text
                end += left.index(texts[at]) + 1
                patch.reuse(*before.run(end - 1, end))
            else:
                patch.add(texts[at])
        return ListSnapshot(items, texts), "" if texts == before.texts else str(patch)

    def _item_text(self, item: Any) -> str:
        found = self._item_texts.get(id(item))
        if found is None:
            text = _to_json(item)[1:-1] if isinstance(item, list) else _to_json(item)
            self._item_texts[id(item)] = found = (item, text)
        return found[1]


def _to_json(item: Any) -> str:
    """Serialize to canonical JSON; orjson rejects some numbers and texts that we accept."""
    try:
        return orjson.dumps(item, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError:
        return canonical_json(item)


def _common_prefix(some: list[Any], others: list[Any]) -> int:
    """Return the number of leading items that are identical objects."""
    return next(compress(count(), map(is_not, some, others)), min(len(some), len(others)))


class _ListPatch:
    """A list in a patch: new items as JSON, and `[first, count]` for runs of previous items.

    Items keep their order, so each run starts behind the previous one.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._first = self._end = 0  # the run that is not written yet

    def add(self, text: str) -> None:
        self._flush()
        self._parts.append(text)

    def reuse(self, first: int, count: int) -> None:
        if first != self._end:
            self._flush()
            self._first = first
        self._end = first + count

    def _flush(self) -> None:
        if self._end > self._first:
            self._parts.append(f"[{self._first},{self._end - self._first}]")
            self._first = self._end

    def __str__(self) -> str:
        self._flush()
        return f"[{','.join(self._parts)}]"


class Patcher:
    """The view that was last sent to a seat, to compute the next patch."""

    def __init__(self, fragments: FragmentCache) -> None:
        self._fragments = fragments
        self._layers: tuple[dict[str, Any], ...] = ()
        self._values: dict[str, str] = {}  # JSON of the parts that are no lists
        self._lists: dict[str, ListSnapshot] = {}  # the parts that are lists

    def snapshot(self, *layers: dict[str, Any]) -> str:
        """Return the complete view as JSON, and forget what was sent before."""
        self._layers, self._values, self._lists = (), {}, {}
        return self.patch(*layers)

    def patch(self, *layers: dict[str, Any]) -> str:
        """Return the parts of a view that changed, as JSON; empty if none did.

        A layer that is the same object as before is skipped.
        """
        changed: dict[str, str] = {}
        for layer, before in zip(layers, self._layers or repeat({}), strict=False):
            if layer is not before:
                self._patch_layer(layer, before, changed)
        self._layers = layers
        return _join_parts(changed) if changed else ""

    def _patch_layer(self, layer: dict[str, Any], before: dict[str, Any], changed: dict[str, str]) -> None:
        for name, part in layer.items():
            if part is before.get(name, ABSENT):
                continue
            if isinstance(part, list):
                text = self._patch_list(name, part)
            else:
                text = _to_json(part)
                text, self._values[name] = "" if text == self._values.get(name) else text, text
            if text:
                changed[name] = text

    def _patch_list(self, name: str, part: list[Any]) -> str:
        self._lists[name], text = self._fragments.patch_list(part, self._lists.get(name))
        return text


def _join_parts(parts: dict[str, str]) -> str:
    """Join the JSON of parts, in the order of `canonical_json`."""
    return "{" + ",".join([f'"{name}":{parts[name]}' for name in sorted(parts)]) + "}"
