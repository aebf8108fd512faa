"""Characters as text, and where the dice and points of their checks come from."""

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
    "derived": "derived numbers",
    "resources": "resources",
    "conditions": "conditions",
    "traits": "traits",
}
KINDS = {"pc": "player character", "npc": "non-player character"}

# -- where a check comes from


def opening_modifiers(bound: BoundCheck) -> Sequence[Modifier]:
    """What the rule tells before the first die is thrown."""
    return start(bound).trace.modifiers


def origin_data(draft: Draft, modifiers: Sequence[Modifier]) -> dict[str, Any]:
    """The further fields of `--json` when a character makes a check."""
    return {
        "characters": [side.character and side.character.name for side in draft.sides],
        "lines": [one.to_dict() for one in list_contributions(draft, modifiers)],
    }


def source_lines(draft: Draft, modifiers: Sequence[Modifier]) -> list[str]:
    """One line for each source; those that are switched off say so."""
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


# -- a whole sheet


def sheet_text(rules: Ruleset, character: Character) -> str:
    """Everything on a sheet, and what follows from it."""
    page = _SheetSections(rules, character)
    kind = KINDS[character.kind]
    lines = layout.wrap_text(f"{character.name}: {kind} of {localize(rules.title)}", 0, 2)
    lines = [layout.apply_style(line, "bold") for line in lines]
    for section in TITLES:
        title = localize(page.sheet.titles.get(section, {})) or TITLES[section]
        lines += layout.section(title, getattr(page, section)())
    notes = [line for part in character.notes.splitlines() for line in layout.wrap_text(part, 2)]
    return "\n".join(lines + layout.section("notes", notes))


class _SheetSections:
    """The sections of a sheet."""

    def __init__(self, rules: Ruleset, character: Character) -> None:
        assert rules.sheet is not None
        self.rules, self.sheet, self.character = rules, rules.sheet, character
        self.found = derive(rules, character)

    def attributes(self) -> list[str]:
        own = self.character.attributes
        return self._columns(
            {localize(title_of(n, self.sheet.attributes)): _value(value) for n, value in own.items()}
        )

    def proficiencies(self) -> list[str]:
        rows = []
        for name, training in self.character.proficiencies.items():
            grant = [self._skill(skill) for skill in granted_skills(self.sheet, name, training)]
            title = localize(title_of(name, self.sheet.proficiencies))
            rows.append((title, _value(training.rank), f"grants {', '.join(grant) or 'nothing'}"))
        return layout.columns(rows)

    def _skill(self, name: str) -> str:
        return localize(title_of(name, self.sheet.skills))

    def skills(self) -> list[str]:
        rows = []
        for name in skill_names(self.sheet, self.character):
            value = _value(skill_rank(self.sheet, self.character, name))
            rows.append((self._skill(name), value, self._about(name)))
        return layout.columns(rows)

    def _about(self, name: str) -> str:
        """Attribute, what grants it, and whatever else is known of a skill."""
        form, known = self.sheet.skill, self.sheet.skills.get(name)
        assert form is not None
        own = self.character.skills.get(name)
        parts = []
        attribute = (own.attribute if own else "") or (known.attribute if known else "")
        if attribute:
            parts.append(localize(self.sheet.attributes[attribute].title))
        granting = [n for n, _ in granting_proficiencies(self.sheet, self.character, name)]
        if granting:
            titles = [localize(title_of(n, self.sheet.proficiencies)) for n in granting]
            parts.append(f"from {', '.join(titles)}")
        for key, param in form.fields.items():
            value = known.fields.get(key, param.default) if known else param.default
            value = own.fields.get(key, value) if own else value
            if value != param.default:
                label = localize(param.label)
                parts.append(label if value is True else f"{label} {_value(value)}")
        return ", ".join(parts)

    def derived(self) -> list[str]:
        own = self.character.derived
        return self._columns(
            {
                localize(one.title): _value(self.found.derived[name]) + ("*" if name in own else "")
                for name, one in self.sheet.derived.items()
            }
        ) + (["  * set by hand"] if own else [])

    def resources(self) -> list[str]:
        return self._columns(
            {
                localize(one.title): format_resource(one, self.found, self.character.resources[name])
                for name, one in self.sheet.resources.items()
                if name in self.character.resources
            }
        )

    def conditions(self) -> list[str]:
        rows = [(localize(one.title), self._condition_text(one)) for one in self.found.conditions]
        return layout.columns(rows)

    def traits(self) -> list[str]:
        rows = []
        for trait in self.character.traits:
            known = self.sheet.traits.get(trait.name) if trait.gives is None else None
            title = localize(known.title) if known else trait.name
            gives = known.gives if known else trait.gives or ()
            rows.append((title, "; ".join(map(self._gift_text, gives))))
        return layout.columns(rows)

    def _condition_text(self, condition: Any) -> str:
        parts = [self._gift_text(gift) for gift in condition.gives]
        return "; ".join([*parts, *([localize(condition.cannot)] if condition.cannot else [])])

    def _gift_text(self, gift: Any) -> str:
        parts = ", ".join(f"{name} {_format_gift_value(value)}" for name, value in gift.values.items())
        names = {**self.sheet.attributes, **self.sheet.skills}
        fits = ", ".join(localize(title_of(name, names)) for name in gift.only_for)
        return (
            parts
            + (f" for {fits}" if fits else "")
            + (f" in {', '.join(gift.checks)}" if gift.checks else "")
            + (", if switched on" if gift.off else "")
        )

    def _columns(self, values: Mapping[str, str]) -> list[str]:
        """Short entries, as many in a row as fit."""
        if not values:
            return []
        wide = max(len(name) + len(value) for name, value in values.items()) + 2
        cells = [f"{name}{value:>{wide - len(name)}}" for name, value in values.items()]
        many = max(1, (layout.width() - 2) // (wide + 4))
        rows = [cells[place : place + many] for place in range(0, len(cells), many)]
        return ["  " + "    ".join(row) for row in rows]


def _value(value: Any) -> str:
    return str(display_value(value))


def _format_gift_value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, Fraction)):
        return layout.format_signed(value)
    return ", ".join(map(_format_gift_value, value)) if isinstance(value, tuple) else str(value)


def sheet_data(rules: Ruleset, character: Character) -> dict[str, Any]:
    """The fields of `handful sheet --json`."""
    sheet = rules.sheet
    assert sheet is not None
    found = derive(rules, character)
    return {
        "ruleset": {"id": rules.id, "hash": rules.hash},
        "character": canonical_data(sheet, character),
        "skills": {n: display_value(skill_rank(sheet, character, n)) for n in skill_names(sheet, character)},
        "derived": {name: display_value(value) for name, value in found.derived.items()},
        "ranges": {n: {"min": own.least, "max": own.most} for n, own in found.ranges.items()},
        "conditions": [one.name for one in found.conditions],
    }


def change_lines(found: Sequence[Change]) -> list[str]:
    """What an import would change, in lines."""
    return [line for one in found for line in layout.wrap_text(str(one), 2, 4)]
