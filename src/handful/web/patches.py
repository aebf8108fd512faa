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


class _ListChange(NamedTuple):
    """Changes of a keyed list, apart from the texts of its items."""

    part: str
    names: list[str]  # of the items shown now, in their order
    written: list[str]  # those that are new or may have changed
    gone: list[str]
    texts: dict[str, str]  # the parts of the patch that are the same for every seat
    is_appended: bool  # new items come last, and the others stay in their order


class _ViewChange(NamedTuple):
    """Possible changes in the views of all who knew one table and now know another."""

    before: Table | None
    after: Table
    for_gm: bool
    table: bool  # the parts that are no keyed lists
    lists: list[_ListChange]


class SharedTexts:
    """Texts written since the last command, for seats that know the same.

    Finding once what changed, for all of them, takes a quarter off the work for a roll of six seats.
    """

    def __init__(self) -> None:
        self._texts: dict[tuple[str, str, bool], list[_Text]] = {}
        self._changes: list[_ViewChange] = []

    def clear(self) -> None:
        self._texts.clear()
        self._changes.clear()

    def find(self, key: tuple[str, str, bool], inputs: Inputs, write: Callable[[], str]) -> _Text:
        """Return the text made from these inputs; `key`: the part, the item, and whether only a GM's."""
        texts = self._texts.setdefault(key, [])
        for one in texts:
            if _matches(one, inputs):
                return one
        texts.append(_Text(inputs, write()))
        return texts[-1]

    def change(self, before: Table, after: Table, viewer: Viewer, sent: _Items) -> _ViewChange:
        """Return what changed for a viewer; `sent`: the items that it was sent when it knew `before`."""
        for one in self._changes:
            if one.before is before and one.after is after and one.for_gm == viewer.is_gm:
                return one
        self._changes.append(_view_change(before, after, viewer, sent))
        return self._changes[-1]


_Items = dict[str, dict[str, str]]  # part -> name of an item -> its text


def _view_change(before: Table | None, after: Table, viewer: Viewer, sent: _Items) -> _ViewChange:
    is_new = before is None or not all(map(is_, _table_inputs(before), _table_inputs(after)))
    lists = [_list_change(before, after, viewer, part, sent[part]) for part in ITEMS]
    return _ViewChange(before, after, viewer.is_gm, is_new, [one for one in lists if one is not None])


def _list_change(
    before: Table | None, after: Table, viewer: Viewer, part: str, sent: Collection[str]
) -> _ListChange | None:
    """Return how a list changed; None if it did not."""
    touched = _touched(before, after, viewer, part)
    if touched is not None and not touched:
        return None
    names = shown_items(after, part)
    new, shown = [name for name in names if name not in sent], {*names}
    gone = [name for name in sent if name not in shown]
    written = names if touched is None else [name for name in names if name in touched or name not in sent]
    is_appended = names == [name for name in sent if name in shown] + new
    texts = {"gone": to_json(gone)} if gone else {}
    texts |= {} if is_appended else {"order": to_json(names)}
    return _ListChange(part, names, written, gone, texts, is_appended)


def _touched(before: Table | None, after: Table, viewer: Viewer, part: str) -> Collection[str] | None:
    """Return the items of a list that may have changed; None: any of them."""
    if before is None or not all(map(is_, _context(before, part, viewer), _context(after, part, viewer))):
        return None
    now, then = getattr(after, part), getattr(before, part)
    if now is then:
        return ()
    return now.changed_since(then) if isinstance(now, PersistentMap) else None


class SentView:
    """The view of one seat as it was sent last; gives the next snapshot or patch."""

    def __init__(self, viewer: Viewer, shared: SharedTexts) -> None:
        self.viewer, self._shared = viewer, shared
        self._known: Table | None = None  # what the seat knew when it was sent something last
        self._parts: dict[str, str] = {}  # parts that are no keyed lists
        self._items: _Items = {part: {} for part in ITEMS}  # as they were sent
        self._views: dict[tuple[str, str], _Text] = {}  # items without what may be done with them
        self._actions: dict[tuple[str, str], _Text] = {}

    def snapshot(self, known: Table) -> str:
        """Return the whole view as JSON."""
        self.patch(known)
        lists = {part: f"[{','.join(items.values())}]" for part, items in self._items.items()}
        return _join({**self._parts, **lists})

    def patch(self, known: Table) -> str:
        """Return what changed since the last message, as JSON; empty if nothing did."""
        if known is self._known:
            return ""
        if self._known is None:
            change = _view_change(None, known, self.viewer, self._items)
        else:
            change = self._shared.change(self._known, known, self.viewer, self._items)
        changed = self._changed_parts(known, whole=change.table)
        for one in change.lists:
            text = self._patch_list(known, one)
            changed |= {one.part: text} if text else {}
        self._known = known
        return _join(changed) if changed else ""

    def _patch_list(self, known: Table, change: _ListChange) -> str:
        """Return the patch of a keyed list as JSON; empty if nothing changed."""
        part, items, put = change.part, self._items[change.part], {}
        for name in change.written:
            text = self._item(known, part, name)
            if items.get(name) != text:
                put[name] = text
        for name in change.gone:
            del items[name]
            self._views.pop((part, name), None)
            self._actions.pop((part, name), None)
        items |= put
        if not change.is_appended:
            self._items[part] = {name: items[name] for name in change.names}
        parts = {**change.texts, "put": _join(put, put)} if put else change.texts  # new items in their order
        return _join(parts) if parts else ""

    def _changed_parts(self, known: Table, *, whole: bool) -> dict[str, str]:
        """Return the parts that changed and are no keyed lists; without `whole` only the fight can have."""
        if whole:
            parts = table_view(known, self.viewer)
        else:
            parts = {} if known.fight is None else {"fight": fight_view(known, self.viewer)}
        changed: dict[str, str] = {}
        for name, part in parts.items():
            text = to_json(part)
            if self._parts.get(name) != text:
                self._parts[name] = changed[name] = text
        return changed

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


def _table_inputs(known: Table) -> Inputs:
    """Return the values from which the parts that are no keyed lists follow, except for a fight's moves."""
    return (
        known.rules,
        known.seats,
        known.colours,
        known.pictures,
        known.left_seats,
        known.gm_seats,
        known.options,
        known.mode,
        known.scratchpad,
        known.gm_notes,
        known.fight is None,
    )


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
