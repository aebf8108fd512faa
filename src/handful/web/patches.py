"""Computes the patch between two views of a seat, as JSON text.

Unchanged parts of a view are left out.  In a list, `[first, count]` stands for a run of items that
were in the previous list.
Invariant: whether a part changed is decided by its text, so seats with equal views get equal bytes.
"""

from __future__ import annotations

from typing import Any

import orjson

from handful.table import canonical_json


def _to_json(item: Any) -> str:
    """Serialize to canonical JSON; orjson rejects some numbers and texts that we accept."""
    try:
        return orjson.dumps(item, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError:
        return canonical_json(item)


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

    def __init__(self) -> None:
        self._values: dict[str, str] = {}  # JSON of the parts that are no lists
        self._lists: dict[str, list[str]] = {}  # JSON of each item of the parts that are lists

    def snapshot(self, view: dict[str, Any]) -> str:
        """Return the complete view as JSON, and forget what was sent before."""
        self._values, self._lists = {}, {}
        return self.patch(view)

    def patch(self, view: dict[str, Any]) -> str:
        """Return the parts of a view that changed, as JSON; empty if none did."""
        changed: dict[str, str] = {}
        for name, part in view.items():
            if isinstance(part, list):
                text = self._patch_list(name, [_to_json(one) for one in part])
            else:
                text = _to_json(part)
                text, self._values[name] = "" if text == self._values.get(name) else text, text
            if text:
                changed[name] = text
        return _join_parts(changed) if changed else ""

    def _patch_list(self, name: str, texts: list[str]) -> str:
        before, self._lists[name] = self._lists.get(name), texts
        if before is None:
            return f"[{','.join(texts)}]"
        if before == texts:
            return ""
        patch, end = _ListPatch(), 0
        positions = {text: at for at, text in reversed([*enumerate(before)])}
        for text in texts:
            at = positions.get(text, -1)
            if at >= end:
                patch.reuse(at, 1)
                end = at + 1
            else:
                patch.add(text)
        return str(patch)


def _join_parts(parts: dict[str, str]) -> str:
    """Join the JSON of parts, in the order of `canonical_json`."""
    return "{" + ",".join([f'"{name}":{parts[name]}' for name in sorted(parts)]) + "}"
