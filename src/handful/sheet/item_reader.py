"""Reads the items of a character: those of the game by name, and a character's own."""

from __future__ import annotations

from typing import Any

from handful.errors import Message, did_you_mean
from handful.rules.load_items import MAX_USES
from handful.rules.program import Record, Value
from handful.rules.sheet_rules import Sheet
from handful.sheet.characters import Character, CharacterItem, resolve_name
from handful.sheet.entry_reader import EntryReader


def read_items(entries: EntryReader, sheet: Sheet) -> Record:
    """Read the section `items`; errors go to `entries`."""
    if sheet.item is None:
        if "items" in entries.data:
            entries.report("items", Message("sheet.no_section"), Message("advice.leave_them_out"))
        return Record()
    given = entries.named_entries("items", sheet.items, others=True)
    found = {name: _item(entries, sheet, name, raw) for name, raw in given.items()}
    order = sorted(found, key=lambda name: (name not in sheet.items, name))
    return Record({name: found[name] for name in order})


def _item(entries: EntryReader, sheet: Sheet, name: str, raw: Any) -> CharacterItem:
    where, form = f"items.{name}", sheet.item or {}
    if not isinstance(raw, dict):
        entries.report(where, Message("sheet.not_table"), "{ }")
        return CharacterItem()
    allowed = [*form, "uses"]
    for key in raw:
        if key not in allowed:
            right = did_you_mean(key[:60], allowed) or Message("advice.there_is", names=allowed)
            entries.report(where, Message("sheet.unknown_field", key=key[:40]), right)
    listed = sheet.items.get(name)
    fields = {}
    for key, param in form.items():
        usual = listed.fields.get(key, param.default) if listed else param.default
        value = entries.read(f"{where}.{key}", param, raw[key]) if key in raw else usual
        if key not in raw and param.required and not (listed and key in listed.fields):
            entries.report(
                f"{where}.{key}", Message("sheet.missing"), Message("sheet.needs", expects=param.expects())
            )
        if value != usual:
            fields[key] = value
    uses = raw.get("uses", listed.uses if listed else None)
    if uses is not None and (type(uses) is not int or not 0 <= uses <= MAX_USES):
        entries.report(f"{where}.uses", Message("item.number_of_uses"))
        uses = None
    return CharacterItem(Record(fields), None if listed and uses == listed.uses else uses)


def find_item(sheet: Sheet, character: Character, typed: str) -> str | None:
    """Return a character's item by its name, or by its title or alias in any language."""
    known = {name: one for name, one in sheet.items.items() if name in character.items}
    return resolve_name(typed, known, character.items)


def item_value(sheet: Sheet, character: Character, name: str, field: str) -> Value:
    """Return a field of a character's item: its own value, the game's, or the usual one."""
    own, listed = character.items[name], sheet.items.get(name)
    if field in own.fields:
        return own.fields[field]
    if listed is not None and field in listed.fields:
        return listed.fields[field]
    return (sheet.item or {})[field].default


def item_uses(sheet: Sheet, character: Character, name: str) -> int:
    """Return how often an item may be used in a round, by the sheet; once if it does not say."""
    own, listed = character.items.get(name), sheet.items.get(name)
    uses = own.uses if own is not None else None
    if uses is None and own is not None and listed is not None:
        uses = listed.uses
    return 1 if uses is None else uses
