"""What a seat was shown last, and what is new in its next view, as text.

A part of a view that did not change is not sent again.  Of a part that is a list only what is new
is sent: in place of things that were in it before stands `[first, count]`, where they were.
Whether something changed is seen by its text, so that two seats that see the same are sent the
same.  Each thing is written once, for all seats, as long as it is the very same (`table.Memory`);
and seats that see the same things share the list of them, and what is new in it.
"""

from __future__ import annotations

from itertools import compress, count, repeat
from operator import is_not
from typing import Any

import orjson

from handful.table import GroupedList, canonical_json

ABSENT = object()


class ListSnapshot:
    """A list as it was shown: its things and their texts; a thing may be a group of several."""

    def __init__(self, items: list[Any], texts: list[str]) -> None:
        self.items, self.texts = items, texts

    def run(self, first: int, last: int) -> tuple[int, int]:
        """Where things are in the list as it is sent, and how many that makes."""
        if isinstance(self.items, GroupedList):
            return sum(map(len, self.items[:first])), sum(map(len, self.items[first:last]))
        return first, last - first


class FragmentCache:
    """What is written in one turn, once for all seats.

    Things are known by their ids: as long as something is held, nothing else has the same.
    """

    def __init__(self) -> None:
        self._item_texts: dict[int, tuple[Any, str]] = {}
        # what somebody was shown, and the id of what they see now -> that, and what is new in it
        self._lists: dict[tuple[ListSnapshot | None, int], tuple[ListSnapshot, str]] = {}

    def start_turn(self) -> None:
        """Something happened; whatever is the same as before is known to whoever was shown it."""
        self._item_texts.clear()
        self._lists.clear()

    def patch_list(self, items: list[Any], before: ListSnapshot | None) -> tuple[ListSnapshot, str]:
        """A list as it is shown now, and what is new in it since `before`: empty if nothing is."""
        found = self._lists.get((before, id(items)))
        if found is None:
            found = self._write_list(items) if before is None else self._diff_list(items, before)
            self._lists[before, id(found[0].items)] = found
        return found

    def _write_list(self, items: list[Any]) -> tuple[ListSnapshot, str]:
        texts = [self._item_text(one) for one in items]
        return ListSnapshot(items, texts), f"[{','.join(texts)}]"

    def _diff_list(self, items: list[Any], before: ListSnapshot) -> tuple[ListSnapshot, str]:
        """Most of a list is as it was, and is not looked at one by one."""
        was = before.items
        end = _common_prefix(was, items)  # of what was found in it: things keep their order
        if end == len(was) == len(items):
            return before, ""
        patch, texts = _ListPatch(), before.texts[:end]
        patch.reuse(*before.run(0, end))
        places = dict(zip(map(id, was[end:]), count(end)))
        while (at := len(texts)) < len(items):
            first = places.get(id(items[at]), -1)
            if first >= end:
                end = first + _common_prefix(was[first:], items[at:])
                texts += before.texts[first:end]
                patch.reuse(*before.run(first, end))
                continue
            texts.append(self._item_text(items[at]))
            left = before.texts[end:]
            if texts[at] in left:  # it was made anew, and is as it was
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
    """As JSON; the quick writer does not take every number and text that we do."""
    try:
        return orjson.dumps(item, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError:
        return canonical_json(item)


def _common_prefix(some: list[Any], others: list[Any]) -> int:
    """How many are the very same, from the first one on."""
    return next(compress(count(), map(is_not, some, others)), min(len(some), len(others)))


class _ListPatch:
    """A list in news: new things as text, and [first, count] for those that were there before.

    Things keep their order, so what comes next was behind the last that was found.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._first = self._end = 0  # of what was found and is not in the list yet

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
    """What a seat was shown last."""

    def __init__(self, texts: FragmentCache) -> None:
        self._fragments = texts
        self._layers: tuple[dict[str, Any], ...] = ()
        self._values: dict[str, str] = {}  # parts that are no lists, as text
        self._lists: dict[str, ListSnapshot] = {}  # and those that are

    def snapshot(self, *layers: dict[str, Any]) -> str:
        """A view as text, from its beginning."""
        self._layers, self._values, self._lists = (), {}, {}
        return self.patch(*layers)

    def patch(self, *layers: dict[str, Any]) -> str:
        """What is new in a view; empty if nothing is.  The very same layer is not looked at."""
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
    """Written as `canonical_json` writes it."""
    return "{" + ",".join([f'"{name}":{parts[name]}' for name in sorted(parts)]) + "}"
