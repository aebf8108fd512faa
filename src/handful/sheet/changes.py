"""What an import would change: the difference of two characters, as data and as text.

Two edits of one sheet come together here, too (`merged`): each brings what it has changed, and
where both have changed the same, that is a clash, which somebody has to look at.
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
    """One difference; `before` or `after` is None where there is nothing."""

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
    """What two edits have both changed, each in its own way; `mine` is what the merged one has."""

    change: Change  # from what there was to what is there now
    mine: Any

    def to_dict(self) -> dict[str, Any]:
        return self.change.to_dict() | {"mine": self.mine}


def changes(rules: Ruleset, old: Character, new: Character, language: str = "en") -> tuple[Change, ...]:
    """Everything that differs, in the order of the sheet."""
    sheet = rules.sheet
    assert sheet is not None
    return differences(sheet, canonical_data(sheet, old), canonical_data(sheet, new), language)


def differences(
    sheet: Sheet, before: Mapping[str, Any], after: Mapping[str, Any], language: str = "en"
) -> tuple[Change, ...]:
    """The same for the canonical data of two characters."""
    found: list[Change] = []
    for key in ("ruleset", "name", "kind"):
        found += _difference(key, "", key, before[key], after[key])
    for section in _TABLES:
        known: Mapping[str, Any] = getattr(sheet, section)
        one, other = before.get(section, {}), after.get(section, {})
        for name in _sheet_order(known, {*one, *other}):
            title = localize(title_of(name, known), language)
            found += _difference(section, name, title, one.get(name), other.get(name))
    traits = [_by_name(data.get("traits", [])) for data in (before, after)]
    for name in [*traits[0], *(name for name in traits[1] if name not in traits[0])]:
        title = localize(title_of(name, sheet.traits), language)
        found += _difference("traits", name, title, traits[0].get(name), traits[1].get(name))
    found += _difference("notes", "", "notes", before.get("notes"), after.get("notes"))
    return tuple(found)


def merge(
    sheet: Sheet, base: Mapping[str, Any], mine: Mapping[str, Any], now: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[EditConflict, ...]]:
    """What is there `now`, with what `mine` has changed since `base`; and where both have.

    All are canonical data, and so is what comes back; whether it fits the game is another question.
    """
    made: dict[str, Any] = {**now}
    theirs = {(one.section, one.name): one for one in differences(sheet, base, now)}
    clashes: list[EditConflict] = []
    for one in differences(sheet, base, mine):
        other = theirs.get((one.section, one.name))
        if other is not None and other.after != one.after:
            clashes.append(EditConflict(other, one.after))
        _apply(sheet, made, one)
    return {key: made[key] for key in (*_HEAD, *_TABLES, "traits", "notes") if made.get(key)}, tuple(clashes)


_HEAD = ("format", "ruleset", "name", "kind")
_TABLES = SECTIONS[:5]


def _apply(sheet: Sheet, data: dict[str, Any], change: Change) -> None:
    """Makes one change in the data of a character; `data` alone is written to."""
    section, name, after = change.section, change.name, change.after
    if section in _TABLES:
        entries = {**data.get(section, {}), name: after}
        order = _sheet_order(getattr(sheet, section), entries)
        data[section] = {key: entries[key] for key in order if entries[key] is not MISSING}
    elif section == "traits":
        traits = {**_by_name(data.get("traits", [])), name: after}
        data["traits"] = [one for one in traits.values() if one is not MISSING]
    else:
        data[section] = after


def _sheet_order(known: Mapping[str, Any], names: Collection[str]) -> list[str]:
    """The game's order, then by name."""
    return [one for one in known if one in names] + sorted(one for one in names if one not in known)


def _by_name(traits: list[Any]) -> dict[str, Any]:
    return {one if isinstance(one, str) else one["name"]: one for one in traits}


def _difference(section: str, name: str, title: str, before: Any, after: Any) -> list[Change]:
    return [] if before == after else [Change(section, name, title, before, after)]


def format_value(value: Any) -> str:
    """A value of a sheet in words."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {format_value(one)}" for key, one in value.items() if key != "name")
    if isinstance(value, list):
        return ", ".join(map(format_value, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("\n", " ")
