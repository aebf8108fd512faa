"""What an import would change: the difference of two characters, as data and as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.records import record
from handful.rules.ruleset import Ruleset, text
from handful.rules.sheets import SECTIONS
from handful.sheet.characters import Character, canonical_data, title_of

MISSING = None
_WORDS = {"en": ("new", "gone", "was"), "de": ("neu", "entfällt", "war")}


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
        return self.says()

    def says(self, language: str = "en") -> str:
        """In one line; the title is in the language that the change was found in."""
        new, gone, was = _WORDS.get(language, _WORDS["en"])
        if self.before is MISSING:
            more = "" if self.after == self.name else f", {said(self.after)}"
            return f"{self.title}: {new}{more}"
        if self.after is MISSING:
            more = "" if self.before == self.name else f", {was} {said(self.before)}"
            return f"{self.title}: {gone}{more}"
        return f"{self.title}: {said(self.before)} -> {said(self.after)}"


def changes(
    rules: Ruleset, old: Character, new: Character, language: str = "en"
) -> tuple[Change, ...]:
    """Everything that differs, in the order of the sheet."""
    sheet = rules.sheet
    assert sheet is not None
    before, after = canonical_data(sheet, old), canonical_data(sheet, new)
    found: list[Change] = []
    for key in ("ruleset", "name", "kind"):
        found += _difference(key, "", key, before[key], after[key])
    for section in SECTIONS[:5]:
        known: Mapping[str, Any] = getattr(sheet, section)
        one, other = before.get(section, {}), after.get(section, {})
        order = [*known, *sorted({*one, *other} - {*known})]
        for name in order:
            title = text(title_of(name, known), language)
            found += _difference(section, name, title, one.get(name), other.get(name))
    traits = [_by_name(data.get("traits", [])) for data in (before, after)]
    for name in [*traits[0], *(name for name in traits[1] if name not in traits[0])]:
        title = text(title_of(name, sheet.traits), language)
        found += _difference("traits", name, title, traits[0].get(name), traits[1].get(name))
    found += _difference("notes", "", "notes", before.get("notes"), after.get("notes"))
    return tuple(found)


def _by_name(traits: list[Any]) -> dict[str, Any]:
    return {one if isinstance(one, str) else one["name"]: one for one in traits}


def _difference(section: str, name: str, title: str, before: Any, after: Any) -> list[Change]:
    return [] if before == after else [Change(section, name, title, before, after)]


def said(value: Any) -> str:
    """A value of a sheet in words."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {said(one)}" for key, one in value.items() if key != "name")
    if isinstance(value, list):
        return ", ".join(map(said, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("\n", " ")
