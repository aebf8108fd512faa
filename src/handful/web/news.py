"""What a seat was shown last, and what is new in its next view, as text.

A part of a view that did not change is not sent again.  Of a part that is a list only what is new
is sent: in place of things that were in it before stands `[first, count]`, where they were.
Whether something changed is seen by its text, so that two seats that see the same are sent the
same.  Each thing is written once, for all seats, as long as it is the very same (`table.Memory`).
"""

from __future__ import annotations

from operator import is_
from typing import Any

from handful.table import canonical_json

NOTHING = object()


class Texts:
    """Things as text, each written once as long as somebody shows it."""

    def __init__(self) -> None:
        self._now: dict[int, tuple[Any, str]] = {}
        self._before: dict[int, tuple[Any, str]] = {}

    def turn(self) -> None:
        """What nobody has shown since the last turn is forgotten."""
        self._now, self._before = {}, self._now

    def of(self, thing: Any) -> str:
        name = id(thing)  # as long as it is kept here nothing else has this id
        found = self._now.get(name)
        if found is None:
            found = self._before.get(name)
            if found is None or found[0] is not thing:
                found = (thing, canonical_json(thing))
            self._now[name] = found
        return found[1]


class Shown:
    """What a seat was shown last."""

    def __init__(self, texts: Texts) -> None:
        self._write = texts.of
        self._view: dict[str, Any] = {}
        self._plain: dict[str, str] = {}  # parts that are no lists, as text
        self._listed: dict[str, list[str]] = {}  # the things in those that are

    def whole(self, view: dict[str, Any]) -> str:
        """A view as text, from its beginning."""
        self._view, self._plain, self._listed = {}, {}, {}
        return self.changes(view)

    def changes(self, view: dict[str, Any]) -> str:
        """What is new in a view; empty if nothing is."""
        fresh: dict[str, str] = {}
        for name, part in view.items():
            before = self._view.get(name, NOTHING)
            if part is before:
                continue
            if isinstance(part, list):
                text = self._things(name, part, before if isinstance(before, list) else None)
            else:
                text = canonical_json(part)
                text, self._plain[name] = "" if text == self._plain.get(name) else text, text
            if text:
                fresh[name] = text
        self._view = view
        return _joined(fresh) if fresh else ""

    def _things(self, name: str, part: list[Any], before: list[Any] | None) -> str:
        """What is new in a list; empty if nothing is."""
        if before is None:
            self._listed[name] = texts = [self._write(one) for one in part]
            return f"[{','.join(texts)}]"
        known, texts, made = self._listed[name], [], _Runs()
        while (at := len(texts)) < len(part):
            first, count = _found(before, part, at)
            if not count:
                text = self._write(part[at])
                if first < 0 or known[first] != text:  # else it was made anew, and is as it was
                    texts.append(text)
                    made.new(text)
                    continue
                count = 1
            texts += known[first : first + count]
            made.old(first, count)
        self._listed[name] = texts
        return "" if made.are_all(len(known)) else str(made)


def _found(before: list[Any], part: list[Any], at: int) -> tuple[int, int]:
    """Where a thing was before, and for how many that follow it the very same is true."""
    try:
        first = before.index(part[at])
    except ValueError:
        return -1, 0
    same = list(map(is_, before[first:], part[at:]))
    return first, same.index(False) if False in same else len(same)


class _Runs:
    """A list in news: new things as text, and [first, count] for those that were there before."""

    def __init__(self) -> None:
        self._made: list[str] = []
        self._first = self._count = 0

    def new(self, text: str) -> None:
        self._end()
        self._made.append(text)

    def old(self, first: int, count: int) -> None:
        if self._count and first == self._first + self._count:
            self._count += count
            return
        self._end()
        self._first, self._count = first, count

    def _end(self) -> None:
        if self._count:
            self._made.append(f"[{self._first},{self._count}]")
        self._count = 0

    def are_all(self, count: int) -> bool:
        """Whether everything is there as it was, and nothing else."""
        return not self._made and (self._first, self._count) == (0, count)

    def __str__(self) -> str:
        self._end()
        return f"[{','.join(self._made)}]"


def _joined(parts: dict[str, str]) -> str:
    """Written as `canonical_json` writes it."""
    return "{" + ",".join(f'"{name}":{parts[name]}' for name in sorted(parts)) + "}"
