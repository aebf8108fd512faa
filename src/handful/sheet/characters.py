"""A character: the entries of one sheet, as an immutable value.

It holds only what was entered; derived numbers and conditions are computed in `sheet.derived`.
Equal characters have equal canonical data.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from handful.errors import Message, Refused
from handful.records import field, record
from handful.rules.params import Wording, display_value, match_spellings
from handful.rules.program import Record, Value
from handful.rules.sheet_rules import CheckModifier, Sheet

FORMAT = 1


@record()
class CharacterProficiency:
    """A character's proficiency: its rank, and the skills it grants if the game lists none."""

    rank: Value
    skills: tuple[str, ...] | None = None


@record()
class CharacterSkill:
    """A character's skill: its rank and its further fields."""

    value: Value = None  # None if proficiencies grant it
    attribute: str = ""  # only for a skill that the game does not list
    fields: Record = field(default_factory=Record)


@record()
class CharacterTrait:
    """A character's trait: one of the game's by name, or a custom one with its modifiers."""

    name: str
    gives: tuple[CheckModifier, ...] | None = None


@record()
class CharacterItem:
    """A weapon or other item: its fields, as far as they differ from the game's."""

    fields: Record = field(default_factory=Record)
    uses: int | None = None  # how often it may be used in a round, if the sheet says so


@record()
class Character:
    """The entries of one character sheet."""

    ruleset: str
    name: str
    kind: str
    attributes: Record
    proficiencies: Record
    skills: Record
    derived: Record
    resources: Record
    traits: tuple[CharacterTrait, ...]
    notes: str = ""
    items: Record = field(default_factory=Record)


def title_of(name: str, known: Mapping[str, Any]) -> Wording:
    """Return the title of an entry: the game's, or the name as entered for a custom one."""
    entry = known.get(name)
    if entry is not None:
        title: Wording = entry.title
        return title
    return Record(en=name)


def resolve_name(name: str, known: Mapping[str, Any], further: Any = ()) -> str | None:
    """Return the entry with this name, or with this title or alias in any language; None if unknown."""
    spellings = {key: (*entry.title.values(), *getattr(entry, "aliases", ())) for key, entry in known.items()}
    found = match_spellings(name, spellings | {key: () for key in further if key not in spellings})
    if len(found) > 1:
        raise Refused(Message("name.ambiguous", name=name.strip(), found=found))
    return found[0] if found else None


def canonical_data(sheet: Sheet, character: Character) -> dict[str, Any]:
    """Return the data of a character file in canonical order: the game's, then alphabetical."""
    data: dict[str, Any] = {
        "format": FORMAT,
        "ruleset": character.ruleset,
        "name": character.name,
        "kind": character.kind,
    }
    sections = {
        "attributes": (character.attributes, sheet.attributes, _number),
        "proficiencies": (character.proficiencies, sheet.proficiencies, _proficiency),
        "skills": (character.skills, sheet.skills, lambda skill: _skill(sheet, skill)),
        "derived": (character.derived, sheet.derived, _number),
        "resources": (character.resources, sheet.resources, _number),
    }
    for name, (entries, known, convert) in sections.items():
        if entries:
            order = [key for key in known if key in entries]
            order += sorted(key for key in entries if key not in known)
            data[name] = {key: convert(entries[key]) for key in order}
    if character.traits:
        data["traits"] = [_trait(trait) for trait in character.traits]
    if character.items:
        order = sorted(character.items, key=lambda name: (name not in sheet.items, name))
        data["items"] = {name: _item(sheet, character.items[name]) for name in order}
    if character.notes:
        data["notes"] = character.notes
    return data


def _number(value: Value) -> Any:
    return display_value(value)


def _proficiency(proficiency: CharacterProficiency) -> Any:
    if proficiency.skills is None:
        return _number(proficiency.rank)
    return {"rank": _number(proficiency.rank), "skills": list(proficiency.skills)}


def _skill(sheet: Sheet, skill: CharacterSkill) -> Any:
    assert sheet.skill is not None
    data = {} if skill.value is None else {sheet.skill.called: _number(skill.value)}
    if skill.attribute:
        data["attribute"] = skill.attribute
    data |= {name: display_value(skill.fields[name]) for name in sheet.skill.fields if name in skill.fields}
    return data[sheet.skill.called] if list(data) == [sheet.skill.called] else data


def _item(sheet: Sheet, item: CharacterItem) -> dict[str, Any]:
    data = {name: display_value(item.fields[name]) for name in sheet.item or () if name in item.fields}
    return data if item.uses is None else {**data, "uses": item.uses}


def _trait(trait: CharacterTrait) -> Any:
    return (
        trait.name if trait.gives is None else {"name": trait.name, "gives": [*map(_modifier, trait.gives)]}
    )


def _modifier(modifier: CheckModifier) -> dict[str, Any]:
    data = {name: _json_value(value) for name, value in sorted(modifier.values.items())}
    for key, names in (("for", modifier.only_for), ("checks", modifier.checks)):
        if names:
            data[key] = list(names)
    return data | ({"off": True} if modifier.off else {})


def _json_value(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_json_value(item) for item in value]
    return display_value(value) if isinstance(value, Fraction) else value
