"""What a seat was shown last, and what is new in its next view, as text.

A part of a view that did not change is not sent again.  Of a part that is a list only what is new
is sent: in place of things that were in it before stands `[first, count]`, where they were.
Whether something changed is seen by its text, so that two seats that see the same are sent the
same.  Each thing is written once, for all seats, as long as it is the very same (`table.Memory`).
"""

from __future__ import annotations

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
        self._texts = texts
        self._parts: dict[str, str | list[str]] = {}
        self._known: dict[str, dict[int, str]] = {}  # things of a list, by their ids
        self._view: dict[str, Any] = {}

    def whole(self, view: dict[str, Any]) -> str:
        """A view as text, from its beginning."""
        self._parts = self._written(view)
        return _joined({name: _listed(part) for name, part in self._parts.items()})

    def changes(self, view: dict[str, Any]) -> str:
        """What is new in a view; empty if nothing is."""
        before, self._parts = self._parts, self._written(view)
        fresh = {
            name: _changes(part, before.get(name))
            for name, part in self._parts.items()
            if part != before.get(name)
        }
        return _joined(fresh) if fresh else ""

    def _written(self, view: dict[str, Any]) -> dict[str, str | list[str]]:
        made: dict[str, str | list[str]] = {}
        for name, part in view.items():
            if part is self._view.get(name, NOTHING):
                made[name] = self._parts[name]
            elif isinstance(part, list):
                known = self._known.get(name, {})
                made[name] = texts = [known.get(id(one)) or self._texts.of(one) for one in part]
                self._known[name] = dict(zip(map(id, part), texts, strict=True))
            else:
                made[name] = canonical_json(part)
        self._view = view  # as long as it is kept nothing else has the ids of what is in it
        return made


def _changes(part: str | list[str], before: str | list[str] | None) -> str:
    if isinstance(part, str) or not isinstance(before, list):
        return _listed(part)
    places = {text: at for at, text in enumerate(before)}
    made: list[str] = []
    first = count = 0
    for text in part:
        at = places.get(text, -1)
        if count and at == first + count:
            count += 1
            continue
        if count:
            made.append(f"[{first},{count}]")
        first, count = at, int(at >= 0)
        if not count:
            made.append(text)
    if count:
        made.append(f"[{first},{count}]")
    return _listed(made)


def _listed(part: str | list[str]) -> str:
    return part if isinstance(part, str) else f"[{','.join(part)}]"


def _joined(parts: dict[str, str]) -> str:
    """Written as `canonical_json` writes it."""
    return "{" + ",".join(f'"{name}":{parts[name]}' for name in sorted(parts)) + "}"
