"""Views as JSON text, and patches from one view of a seat to the next.

A patch has the parts that changed.  A keyed list (`table.view.ITEMS`) is patched item by item:
`{"put": {"ann/1": …}, "gone": ["ann/0"]}`; new items come last, unless `order` lists all names.
Texts are kept as long as the values they were made from are the very same, and only those that
changed are written again.  Invariant: a snapshot and patches give the same page as a new snapshot.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from operator import is_
from typing import Any, NamedTuple

import orjson

from handful.table import GM, Table, Viewer, canonical_json
from handful.table.persistent_map import PersistentMap
from handful.table.view import ITEMS, item_actions, shown_items, table_view
from handful.table.view_fights import fight_view
from handful.table.view_sheets import lines_view

Inputs = tuple[Any, ...]


class _Text(NamedTuple):
    """A JSON text, and the values it was made from; they are compared by identity."""

    inputs: Inputs
    text: str


def _matches(found: _Text | None, inputs: Inputs) -> bool:
    return found is not None and len(found.inputs) == len(inputs) and all(map(is_, found.inputs, inputs))


class SharedTexts:
    """Texts of items that were written since the last command, for seats that know the same of them."""

    def __init__(self) -> None:
        self._texts: dict[tuple[str, str, bool], list[_Text]] = {}

    def clear(self) -> None:
        self._texts.clear()

    def find(self, key: tuple[str, str, bool], inputs: Inputs, write: Callable[[], str]) -> _Text:
        """Return the text made from these inputs; `key`: the part, the item, and whether only a GM's."""
        texts = self._texts.setdefault(key, [])
        for one in texts:
            if _matches(one, inputs):
                return one
        texts.append(_Text(inputs, write()))
        return texts[-1]


class SentView:
    """The view of one seat as it was sent last; gives the next snapshot or patch."""

    def __init__(self, viewer: Viewer, shared: SharedTexts) -> None:
        self.viewer, self._shared = viewer, shared
        self._known: Table | None = None  # what the seat knew when it was sent something last
        self._parts: dict[str, str] = {}  # parts that are no keyed lists
        self._items: dict[str, dict[str, str]] = {part: {} for part in ITEMS}  # as they were sent
        self._views: dict[tuple[str, str], _Text] = {}  # items without what may be done with them
        self._actions: dict[tuple[str, str], _Text] = {}
        self._contexts: dict[str, Inputs] = {}  # of the lists, when they were sent last
        self._table: _Text | None = None  # actions on the table itself

    def snapshot(self, known: Table) -> str:
        """Return the whole view as JSON."""
        self.patch(known)
        lists = {part: f"[{','.join(items.values())}]" for part, items in self._items.items()}
        return _join({**self._parts, **lists})

    def patch(self, known: Table) -> str:
        """Return what changed since the last message, as JSON; empty if nothing did."""
        if known is self._known:
            return ""
        changed = self._changed_parts(known)
        for part in ITEMS:
            touched = self._touched(known, part)
            if touched is None or touched:
                text = self._patch_list(known, part, touched)
                changed |= {part: text} if text else {}
        self._known = known
        return _join(changed) if changed else ""

    def _touched(self, known: Table, part: str) -> Collection[str] | None:
        """Return the items of a list that may have changed since the last message; None: any of them."""
        context = _context(known, part, self.viewer)
        before, self._contexts[part] = self._contexts.get(part), context
        if self._known is None or before is None or not all(map(is_, before, context)):
            return None
        now, then = getattr(known, part), getattr(self._known, part)
        if now is then:
            return ()
        return now.changed_since(then) if isinstance(now, PersistentMap) else None

    def _patch_list(self, known: Table, part: str, touched: Collection[str] | None) -> str:
        """Return the patch of a keyed list as JSON; empty if nothing changed."""
        before, after, put = self._items[part], {}, {}
        for name in shown_items(known, part):
            text = sent = before.get(name)
            if text is None or touched is None or name in touched:
                text = self._item(known, part, name)
                if text != sent:
                    put[name] = text
            after[name] = text
        self._items[part] = after
        gone = [name for name in before if name not in after]
        for name in gone:
            self._views.pop((part, name), None)
            self._actions.pop((part, name), None)
        remaining = [name for name in before if name in after] if gone else [*before]
        is_appended = [*after] == remaining + [name for name in put if name not in before]
        parts = {"put": _join(put, put)} if put else {}  # new items in their order
        parts |= {"gone": to_json(gone)} if gone else {}
        parts |= {} if is_appended else {"order": to_json([*after])}
        return _join(parts) if parts else ""

    def _changed_parts(self, known: Table) -> dict[str, str]:
        changed: dict[str, str] = {}
        for name, part in self._plain_parts(known).items():
            if self._parts.get(name) != part:
                self._parts[name] = changed[name] = part
        return changed

    def _plain_parts(self, known: Table) -> dict[str, str]:
        before = self._known
        inputs = (known.rules, known.seats, known.left_seats, known.options, known.mode, known.fight is None)
        if before is None or not _matches(self._table, inputs):
            self._table = _Text(inputs, "")
            return {name: to_json(part) for name, part in table_view(known, self.viewer).items()}
        return {} if known.fight is None else {"fight": to_json(fight_view(known, self.viewer))}

    def _item(self, known: Table, part: str, name: str) -> str:
        view, actions = self._view(known, part, name), self._may(known, part, name)
        return f'{view[:-1]},"may":{actions}}}' if actions else view

    def _view(self, known: Table, part: str, name: str) -> str:
        inputs = _view_inputs(known, part, name)
        found = self._views.get((part, name))
        if found is None or not _matches(found, inputs):
            origin = lines_view(known, known.rolls[name], self.viewer) if part == "rolls" else {}
            found = self._views[part, name] = self._shared.find(
                (part, name, bool(origin) and self.viewer.is_gm),
                inputs,
                lambda: to_json(ITEMS[part](known, self.viewer, name) | origin),
            )
        return found.text

    def _may(self, known: Table, part: str, name: str) -> str:
        inputs = _action_inputs(known, self.viewer, part, name)
        found = self._actions.get((part, name))
        if found is None or not _matches(found, inputs):
            actions = item_actions(known, self.viewer, part, name)
            found = self._actions[part, name] = _Text(inputs, to_json(actions) if actions else "")
        return found.text


def _view_inputs(known: Table, part: str, name: str) -> Inputs:
    """Return the values from which an item follows."""
    item = getattr(known, part)[name]
    if part == "rolls":
        return item, known.rules, known.seats
    if part == "characters":
        return item, known.rules, known.options
    if part == "contests":
        return item, name in known.rolls, *(known.rolls.get(one.roll) for one in item.sides)
    return (item,)


def _action_inputs(known: Table, viewer: Viewer, part: str, name: str) -> Inputs:
    """Return the values from which the legal actions on an item follow."""
    return getattr(known, part)[name], *_context(known, part, viewer)


def _context(known: Table, part: str, viewer: Viewer) -> Inputs:
    """Return the values, beside an item itself, on which all items of a list and their actions depend."""
    if part == "rolls":
        return known.left_seats, known.rules, known.seats, known.contests
    if part == "characters":  # the GM's actions list the rolls that may count as damage
        rounds = known.rules.rounds
        rolls = known.rolls if viewer.role == GM and rounds is not None and rounds.harm else None
        return known.left_seats, known.rules, known.options, rolls
    if part == "contests":
        return known.left_seats, known.rolls if known.contests else None
    return (known.left_seats,)


def to_json(item: Any) -> str:
    """Serialize to canonical JSON; orjson rejects some numbers and texts that we accept."""
    try:
        return orjson.dumps(item, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError:
        return canonical_json(item)


def _join(parts: dict[str, str], names: Iterable[str] = ()) -> str:
    """Join the JSON of parts to an object, in the order of these names; sorted without them."""
    return "{" + ",".join([f"{to_json(name)}:{parts[name]}" for name in names or sorted(parts)]) + "}"
