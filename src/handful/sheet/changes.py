"""Differences between two characters, and the three-way merge of two edits.

`differences` works on canonical data, so equal characters never differ.  `merge` applies both edits;
an entry that both changed is an `EditConflict` for a person to resolve.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from handful.records import record
from handful.rules.ruleset import Ruleset, localize
from handful.rules.sheet_rules import SECTIONS, Sheet
from handful.sheet.characters import Character, canonical_data, title_of

MISSING = None


@record()
class Change:
    """One changed entry; `before` is None if it was added, `after` if it was removed."""

    section: str
    name: str
    title: str
    before: Any
    after: Any

    def to_dict(self) -> dict[str, Any]:
        return {
            "section": self.section,
            "name": self.name or None,
            "before": self.before,
            "after": self.after,
        }

    def __str__(self) -> str:
        if self.before is MISSING:
            more = "" if self.after == self.name else f", {format_value(self.after)}"
            return f"{self.title}: new{more}"
        if self.after is MISSING:
            more = "" if self.before == self.name else f", was {format_value(self.before)}"
            return f"{self.title}: gone{more}"
        return f"{self.title}: {format_value(self.before)} -> {format_value(self.after)}"


@record()
class EditConflict:
    """An entry that two edits changed differently; the merge keeps `mine`."""

    change: Change  # the other edit: from the base to the current sheet
    mine: Any

    def to_dict(self) -> dict[str, Any]:
        return self.change.to_dict() | {"mine": self.mine}


def changes(rules: Ruleset, old: Character, new: Character, language: str = "en") -> tuple[Change, ...]:
    """Return all differences between two characters, in sheet order."""
    sheet = rules.sheet
    assert sheet is not None
    return differences(sheet, canonical_data(sheet, old), canonical_data(sheet, new), language)


def differences(
    sheet: Sheet, before: Mapping[str, Any], after: Mapping[str, Any], language: str = "en"
) -> tuple[Change, ...]:
    """Return all differences between two characters' canonical data, in sheet order."""
    changes: list[Change] = []
    for key in ("ruleset", "name", "kind"):
        changes += _difference(key, "", key, before[key], after[key])
    for section in _TABLES:
        known: Mapping[str, Any] = getattr(sheet, section)
        old, new = before.get(section, {}), after.get(section, {})
        for name in _sheet_order(known, {*old, *new}):
            title = localize(title_of(name, known), language)
            changes += _difference(section, name, title, old.get(name), new.get(name))
    traits = [_by_name(data.get("traits", [])) for data in (before, after)]
    for name in [*traits[0], *(name for name in traits[1] if name not in traits[0])]:
        title = localize(title_of(name, sheet.traits), language)
        changes += _difference("traits", name, title, traits[0].get(name), traits[1].get(name))
    changes += _difference("notes", "", "notes", before.get("notes"), after.get("notes"))
    return tuple(changes)


def merge(
    sheet: Sheet, base: Mapping[str, Any], mine: Mapping[str, Any], now: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[EditConflict, ...]]:
    """Apply the changes from `base` to `mine` onto `now`; return the merged data and the conflicts.

    Arguments and result are canonical data; the result is not checked against the game's rules.
    """
    merged: dict[str, Any] = {**now}
    theirs = {(change.section, change.name): change for change in differences(sheet, base, now)}
    conflicts: list[EditConflict] = []
    for change in differences(sheet, base, mine):
        other = theirs.get((change.section, change.name))
        if other is not None and other.after != change.after:
            conflicts.append(EditConflict(other, change.after))
        _apply(sheet, merged, change)
    order = (*_HEAD, *SECTIONS[:5], "traits", "items", "notes")
    return {key: merged[key] for key in order if merged.get(key)}, tuple(conflicts)


_HEAD = ("format", "ruleset", "name", "kind")
_TABLES = (*SECTIONS[:5], "items")


def _apply(sheet: Sheet, data: dict[str, Any], change: Change) -> None:
    """Apply one change to a character's data, in place."""
    section, name, after = change.section, change.name, change.after
    if section in _TABLES:
        entries = {**data.get(section, {}), name: after}
        order = _sheet_order(getattr(sheet, section), entries)
        data[section] = {key: entries[key] for key in order if entries[key] is not MISSING}
    elif section == "traits":
        traits = {**_by_name(data.get("traits", [])), name: after}
        data["traits"] = [trait for trait in traits.values() if trait is not MISSING]
    else:
        data[section] = after


def _sheet_order(known: Mapping[str, Any], names: Collection[str]) -> list[str]:
    """Sort names by the game's order, then alphabetically."""
    return [name for name in known if name in names] + sorted(name for name in names if name not in known)


def _by_name(traits: list[Any]) -> dict[str, Any]:
    return {trait if isinstance(trait, str) else trait["name"]: trait for trait in traits}


def _difference(section: str, name: str, title: str, before: Any, after: Any) -> list[Change]:
    return [] if before == after else [Change(section, name, title, before, after)]


def format_value(value: Any) -> str:
    """Format a sheet value for people."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {format_value(item)}" for key, item in value.items() if key != "name")
    if isinstance(value, list):
        return ", ".join(map(format_value, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("\n", " ")
