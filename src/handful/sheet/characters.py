"""A character: the numbers of one sheet, as an unchangeable value.

It holds what somebody wrote; what follows from it (derived numbers, conditions) is worked out in
`sheet.follows`.  Two characters that say the same are equal and have the same canonical data.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from handful.errors import Refused, format_choices
from handful.records import field, record
from handful.rules.params import Wording, display_value, match_spellings
from handful.rules.program import Record, Value
from handful.rules.sheet_rules import CheckModifier, Sheet

FORMAT = 1


@record()
class CharacterProficiency:
    """A proficiency of a character: its rank, and what it grants if the game does not say so."""

    rank: Value
    skills: tuple[str, ...] | None = None


@record()
class CharacterSkill:
    """A skill of a character: its number, and what else is known of it."""

    value: Value = None  # None where proficiencies grant it
    attribute: str = ""  # only where the game does not say so
    fields: Record = field(default_factory=Record)


@record()
class CharacterTrait:
    """A trait of a character: one of the game's by name, or one of its own with what it gives."""

    name: str
    gives: tuple[CheckModifier, ...] | None = None


@record()
class Character:
    """Somebody with a sheet."""

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


def title_of(name: str, known: Mapping[str, Any]) -> Wording:
    """What a thing is called: as the game says, or as the character's player wrote it."""
    own = known.get(name)
    if own is not None:
        title: Wording = own.title
        return title
    return Record(en=name)


def resolve_name(name: str, known: Mapping[str, Any], further: Any = ()) -> str | None:
    """The name that was meant: by itself, or by a title in any language."""
    said = {own: (*one.title.values(), *getattr(one, "aliases", ())) for own, one in known.items()}
    found = match_spellings(name, said | {own: () for own in further if own not in said})
    if len(found) > 1:
        raise Refused(f"{name.strip()!r} may mean {format_choices(found)}; say which one")
    return found[0] if found else None


def canonical_data(sheet: Sheet, character: Character) -> dict[str, Any]:
    """Everything as it stands in the file, in one order: the game's, then by name."""
    data: dict[str, Any] = {
        "format": FORMAT,
        "ruleset": character.ruleset,
        "name": character.name,
        "kind": character.kind,
    }
    sections = {
        "attributes": (character.attributes, sheet.attributes, _number),
        "proficiencies": (character.proficiencies, sheet.proficiencies, _proficiency),
        "skills": (character.skills, sheet.skills, lambda one: _skill(sheet, one)),
        "derived": (character.derived, sheet.derived, _number),
        "resources": (character.resources, sheet.resources, _number),
    }
    for name, (own, known, shape) in sections.items():
        if own:
            order = [key for key in known if key in own]
            order += sorted(key for key in own if key not in known)
            data[name] = {key: shape(own[key]) for key in order}
    if character.traits:
        data["traits"] = [_trait(one) for one in character.traits]
    if character.notes:
        data["notes"] = character.notes
    return data


def _number(value: Value) -> Any:
    return display_value(value)


def _proficiency(one: CharacterProficiency) -> Any:
    if one.skills is None:
        return _number(one.rank)
    return {"rank": _number(one.rank), "skills": list(one.skills)}


def _skill(sheet: Sheet, one: CharacterSkill) -> Any:
    assert sheet.skill is not None
    data = {} if one.value is None else {sheet.skill.called: _number(one.value)}
    if one.attribute:
        data["attribute"] = one.attribute
    data |= {name: display_value(one.fields[name]) for name in sheet.skill.fields if name in one.fields}
    return data[sheet.skill.called] if list(data) == [sheet.skill.called] else data


def _trait(one: CharacterTrait) -> Any:
    return one.name if one.gives is None else {"name": one.name, "gives": [*map(_modifier, one.gives)]}


def _modifier(gift: CheckModifier) -> dict[str, Any]:
    data = {name: _json_value(value) for name, value in sorted(gift.values.items())}
    for key, names in (("for", gift.only_for), ("checks", gift.checks)):
        if names:
            data[key] = list(names)
    return data | ({"off": True} if gift.off else {})


def _json_value(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_json_value(one) for one in value]
    return display_value(value) if isinstance(value, Fraction) else value
