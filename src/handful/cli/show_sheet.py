"""Character sheets as text, and the breakdown of the checks that characters make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from handful.cli import layout
from handful.roll import BoundCheck, Modifier, start
from handful.rules.params import display_value
from handful.rules.program import Record
from handful.rules.ruleset import Ruleset, localize
from handful.sheet import (
    SHEET,
    Change,
    Character,
    Contribution,
    Draft,
    canonical_data,
    derive,
    granting_proficiencies,
    item_uses,
    item_value,
    list_contributions,
    skill_names,
    skill_rank,
)
from handful.sheet.characters import title_of
from handful.sheet.derived import format_resource, granted_skills

TITLES = {
    "attributes": "attributes",
    "proficiencies": "proficiencies",
    "skills": "skills",
    "derived": "derived values",
    "resources": "resources",
    "conditions": "conditions",
    "traits": "traits",
    "items": "items",
}
KINDS = {"pc": "player character", "npc": "non-player character"}

# -- breakdown of a check


def opening_modifiers(bound: BoundCheck) -> Sequence[Modifier]:
    """Return the modifiers that the rules apply before the first throw."""
    return start(bound).trace.modifiers


def origin_data(draft: Draft, modifiers: Sequence[Modifier]) -> dict[str, Any]:
    """Return the additional fields of `--json` when a character makes a check."""
    return {
        "characters": [side.character and side.character.name for side in draft.sides],
        "lines": [one.to_dict() for one in list_contributions(draft, modifiers)],
    }


def source_lines(draft: Draft, modifiers: Sequence[Modifier]) -> list[str]:
    """Return one line per source; those that are switched off are marked."""
    several = draft.check.sides is not None
    names = [
        f"side {number}: {side.character.name}" if several else side.character.name
        for number, side in enumerate(draft.sides, 1)
        if side.character is not None
    ]
    lines = [
        line
        for one in list_contributions(draft, modifiers)
        for line in layout.wrap_text(_source_text(one), 2, 4)
    ]
    return [*(line for name in names for line in layout.wrap_text(name, 2, 4)), *lines]


def _source_text(one: Contribution) -> str:
    side = f"side {one.side}: " if one.side else ""
    off = f" (off{f', by the {one.switched_by}' if one.switched_by else ''})" if not one.on else ""
    by = f", by the {one.by}" if one.by not in ("", SHEET, "player") else ""
    value = one.amount
    if value is None:
        return f"{side}{one.source}{by}{off}"
    number = layout.format_signed(value) if isinstance(value, (int, Fraction)) else str(display_value(value))
    unit = f" {one.unit_text}" if one.unit_text and not isinstance(value, Record) else ""
    return f"{side}{number}{unit}: {one.source}{by}{off}"


# -- a sheet


def sheet_text(rules: Ruleset, character: Character) -> str:
    """Return the output of `handful sheet`: everything on a sheet, with derived values."""
    sections = _SheetSections(rules, character)
    kind = KINDS[character.kind]
    lines = layout.wrap_text(f"{character.name}, {kind} ({localize(rules.title)})", 0, 2)
    lines = [layout.apply_style(line, "bold") for line in lines]
    for section in TITLES:
        title = localize(sections.sheet.titles.get(section, {})) or TITLES[section]
        lines += layout.section(title, getattr(sections, section)())
    notes = [line for part in character.notes.splitlines() for line in layout.wrap_text(part, 2)]
    return "\n".join(lines + layout.section("notes", notes))


class _SheetSections:
    """The sections of a sheet, each as lines."""

    def __init__(self, rules: Ruleset, character: Character) -> None:
        assert rules.sheet is not None
        self.rules, self.sheet, self.character = rules, rules.sheet, character
        self.derived_values = derive(rules, character)

    def attributes(self) -> list[str]:
        attributes = self.character.attributes
        return self._columns(
            {
                localize(title_of(n, self.sheet.attributes)): _format_value(value)
                for n, value in attributes.items()
            }
        )

    def proficiencies(self) -> list[str]:
        rows = []
        for name, training in self.character.proficiencies.items():
            skills = [self._skill_title(skill) for skill in granted_skills(self.sheet, name, training)]
            title = localize(title_of(name, self.sheet.proficiencies))
            rows.append((title, _format_value(training.rank), f"grants {', '.join(skills) or 'nothing'}"))
        return layout.columns(rows)

    def _skill_title(self, name: str) -> str:
        return localize(title_of(name, self.sheet.skills))

    def skills(self) -> list[str]:
        rows = []
        for name in skill_names(self.sheet, self.character):
            value = _format_value(skill_rank(self.sheet, self.character, name))
            rows.append((self._skill_title(name), value, self._skill_details(name)))
        return layout.columns(rows)

    def _skill_details(self, name: str) -> str:
        """Return the attribute of a skill, the proficiencies that grant it, and its other fields."""
        form, listed = self.sheet.skill, self.sheet.skills.get(name)
        assert form is not None
        own = self.character.skills.get(name)
        parts = []
        attribute = (own.attribute if own else "") or (listed.attribute if listed else "")
        if attribute:
            parts.append(localize(self.sheet.attributes[attribute].title))
        granting = [n for n, _ in granting_proficiencies(self.sheet, self.character, name)]
        if granting:
            titles = [localize(title_of(n, self.sheet.proficiencies)) for n in granting]
            parts.append(f"from {', '.join(titles)}")
        for key, param in form.fields.items():
            value = listed.fields.get(key, param.default) if listed else param.default
            value = own.fields.get(key, value) if own else value
            if value != param.default:
                label = localize(param.label)
                parts.append(label if value is True else f"{label} {_format_value(value)}")
        return ", ".join(parts)

    def derived(self) -> list[str]:
        overrides = self.character.derived
        return self._columns(
            {
                localize(one.title): _format_value(self.derived_values.derived[name])
                + ("*" if name in overrides else "")
                for name, one in self.sheet.derived.items()
            }
        ) + (["  * set manually"] if overrides else [])

    def resources(self) -> list[str]:
        return self._columns(
            {
                localize(one.title): format_resource(one, self.derived_values, self.character.resources[name])
                for name, one in self.sheet.resources.items()
                if name in self.character.resources
            }
        )

    def conditions(self) -> list[str]:
        rows = [(localize(one.title), self._condition_text(one)) for one in self.derived_values.conditions]
        return layout.columns(rows)

    def traits(self) -> list[str]:
        rows = []
        for trait in self.character.traits:
            listed = self.sheet.traits.get(trait.name) if trait.gives is None else None
            title = localize(listed.title) if listed else trait.name
            gives = listed.gives if listed else trait.gives or ()
            rows.append((title, "; ".join(map(self._modifier_text, gives))))
        return layout.columns(rows)

    def items(self) -> list[str]:
        rows = []
        for name in self.character.items:
            values = {key: item_value(self.sheet, self.character, name, key) for key in self.sheet.item or ()}
            parts = [
                f"{localize((self.sheet.item or {})[key].label)} {_format_value(value)}"
                for key, value in values.items()
                if value is not None
            ]
            uses = item_uses(self.sheet, self.character, name)
            parts += [f"{uses} times a round"] if uses != 1 else []
            rows.append((localize(title_of(name, self.sheet.items)), ", ".join(parts)))
        return layout.columns(rows)

    def _condition_text(self, condition: Any) -> str:
        parts = [self._modifier_text(modifier) for modifier in condition.gives]
        return "; ".join([*parts, *([localize(condition.cannot)] if condition.cannot else [])])

    def _modifier_text(self, modifier: Any) -> str:
        parts = ", ".join(
            f"{name} {_format_modifier_value(value)}" for name, value in modifier.values.items()
        )
        names = {**self.sheet.attributes, **self.sheet.skills}
        fits = ", ".join(localize(title_of(name, names)) for name in modifier.only_for)
        return (
            parts
            + (f" for {fits}" if fits else "")
            + (f" in {', '.join(modifier.checks)}" if modifier.checks else "")
            + (", if switched on" if modifier.off else "")
        )

    def _columns(self, values: Mapping[str, str]) -> list[str]:
        """Arrange short entries in as many columns as fit."""
        if not values:
            return []
        width = max(len(name) + len(value) for name, value in values.items()) + 2
        cells = [f"{name}{value:>{width - len(name)}}" for name, value in values.items()]
        per_row = max(1, (layout.width() - 2) // (width + 4))
        rows = [cells[start : start + per_row] for start in range(0, len(cells), per_row)]
        return ["  " + "    ".join(row) for row in rows]


def _format_value(value: Any) -> str:
    return str(display_value(value))


def _format_modifier_value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, Fraction)):
        return layout.format_signed(value)
    return ", ".join(map(_format_modifier_value, value)) if isinstance(value, tuple) else str(value)


def sheet_data(rules: Ruleset, character: Character) -> dict[str, Any]:
    """Return the fields of `handful sheet --json`."""
    sheet = rules.sheet
    assert sheet is not None
    found = derive(rules, character)
    return {
        "ruleset": {"id": rules.id, "hash": rules.hash},
        "character": canonical_data(sheet, character),
        "skills": {n: display_value(skill_rank(sheet, character, n)) for n in skill_names(sheet, character)},
        "derived": {name: display_value(value) for name, value in found.derived.items()},
        "ranges": {n: {"min": one.least, "max": one.most} for n, one in found.ranges.items()},
        "conditions": [one.name for one in found.conditions],
    }


def change_lines(found: Sequence[Change]) -> list[str]:
    """Return one line per change between two sheets."""
    return [line for one in found for line in layout.wrap_text(str(one), 2, 4)]
