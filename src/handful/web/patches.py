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

NOTHING = object()


class Listed:
    """A list as it was shown: its things and their texts; a thing may be a group of several."""

    def __init__(self, things: list[Any], texts: list[str]) -> None:
        self.things, self.texts = things, texts

    def run(self, first: int, last: int) -> tuple[int, int]:
        """Where things are in the list as it is sent, and how many that makes."""
        if isinstance(self.things, GroupedList):
            return sum(map(len, self.things[:first])), sum(map(len, self.things[first:last]))
        return first, last - first


class Texts:
    """What is written in one turn, once for all seats.

    Things are known by their ids: as long as something is held, nothing else has the same.
    """

    def __init__(self) -> None:
        self._things: dict[int, tuple[Any, str]] = {}
        # what somebody was shown, and the id of what they see now -> that, and what is new in it
        self._lists: dict[tuple[Listed | None, int], tuple[Listed, str]] = {}

    def turn(self) -> None:
        """Something happened; whatever is the same as before is known to whoever was shown it."""
        self._things.clear()
        self._lists.clear()

    def listed(self, things: list[Any], before: Listed | None) -> tuple[Listed, str]:
        """A list as it is shown now, and what is new in it since `before`: empty if nothing is."""
        found = self._lists.get((before, id(things)))
        if found is None:
            found = self._whole(things) if before is None else self._new(things, before)
            self._lists[before, id(found[0].things)] = found
        return found

    def _whole(self, things: list[Any]) -> tuple[Listed, str]:
        texts = [self._written(one) for one in things]
        return Listed(things, texts), f"[{','.join(texts)}]"

    def _new(self, things: list[Any], before: Listed) -> tuple[Listed, str]:
        """Most of a list is as it was, and is not looked at one by one."""
        was = before.things
        end = _alike(was, things)  # of what was found in it: things keep their order
        if end == len(was) == len(things):
            return before, ""
        runs, texts = _Runs(), before.texts[:end]
        runs.old(*before.run(0, end))
        places = dict(zip(map(id, was[end:]), count(end)))
        while (at := len(texts)) < len(things):
            first = places.get(id(things[at]), -1)
            if first >= end:
                end = first + _alike(was[first:], things[at:])
                texts += before.texts[first:end]
                runs.old(*before.run(first, end))
                continue
            texts.append(self._written(things[at]))
            left = before.texts[end:]
            if texts[at] in left:  # it was made anew, and is as it was
                end += left.index(texts[at]) + 1
                runs.old(*before.run(end - 1, end))
            else:
                runs.new(texts[at])
        return Listed(things, texts), "" if texts == before.texts else str(runs)

    def _written(self, thing: Any) -> str:
        found = self._things.get(id(thing))
        if found is None:
            text = _text(thing)[1:-1] if isinstance(thing, list) else _text(thing)
            self._things[id(thing)] = found = (thing, text)
        return found[1]


def _text(thing: Any) -> str:
    """As JSON; the quick writer does not take every number and text that we do."""
    try:
        return orjson.dumps(thing, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError:
        return canonical_json(thing)


def _alike(some: list[Any], others: list[Any]) -> int:
    """How many are the very same, from the first one on."""
    return next(compress(count(), map(is_not, some, others)), min(len(some), len(others)))


class _Runs:
    """A list in news: new things as text, and [first, count] for those that were there before.

    Things keep their order, so what comes next was behind the last that was found.
    """

    def __init__(self) -> None:
        self._made: list[str] = []
        self._first = self._end = 0  # of what was found and is not in the list yet

    def new(self, text: str) -> None:
        self._put()
        self._made.append(text)

    def old(self, first: int, count: int) -> None:
        if first != self._end:
            self._put()
            self._first = first
        self._end = first + count

    def _put(self) -> None:
        if self._end > self._first:
            self._made.append(f"[{self._first},{self._end - self._first}]")
            self._first = self._end

    def __str__(self) -> str:
        self._put()
        return f"[{','.join(self._made)}]"


class Shown:
    """What a seat was shown last."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._layers: tuple[dict[str, Any], ...] = ()
        self._plain: dict[str, str] = {}  # parts that are no lists, as text
        self._lists: dict[str, Listed] = {}  # and those that are

    def whole(self, *layers: dict[str, Any]) -> str:
        """A view as text, from its beginning."""
        self._layers, self._plain, self._lists = (), {}, {}
        return self.changes(*layers)

    def changes(self, *layers: dict[str, Any]) -> str:
        """What is new in a view; empty if nothing is.  The very same layer is not looked at."""
        fresh: dict[str, str] = {}
        for layer, before in zip(layers, self._layers or repeat({}), strict=False):
            if layer is not before:
                self._look_through(layer, before, fresh)
        self._layers = layers
        return _joined(fresh) if fresh else ""

    def _look_through(self, layer: dict[str, Any], before: dict[str, Any], fresh: dict[str, str]) -> None:
        for name, part in layer.items():
            if part is before.get(name, NOTHING):
                continue
            if isinstance(part, list):
                text = self._new_in_list(name, part)
            else:
                text = _text(part)
                text, self._plain[name] = "" if text == self._plain.get(name) else text, text
            if text:
                fresh[name] = text

    def _new_in_list(self, name: str, part: list[Any]) -> str:
        self._lists[name], text = self._texts.listed(part, self._lists.get(name))
        return text


def _joined(parts: dict[str, str]) -> str:
    """Written as `canonical_json` writes it."""
    return "{" + ",".join([f'"{name}":{parts[name]}' for name in sorted(parts)]) + "}"
