"""Reads the traits of a character file.

A trait is one of the game's, given by name, or a custom one with its own modifiers.  Errors go to the
`report` callback, with the place of the trait.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from handful.errors import Message, Text, did_you_mean
from handful.rules.check_modifiers import read_modifier
from handful.rules.params import normalize_name
from handful.rules.ruleset import Ruleset
from handful.rules.sheet_rules import CheckModifier
from handful.sheet.characters import CharacterTrait, resolve_name
from handful.sheet.entry_reader import MAX_NAME_LENGTH

MAX_TRAITS = 200
MAX_MODIFIERS = 50  # of one trait

Report = Callable[[str, Message, Text], None]  # place, problem, expected


def read_traits(
    rules: Ruleset, raw: Any, own_skills: list[str], report: Report
) -> tuple[CharacterTrait, ...]:
    """Return the traits of a character; errors go to `report`."""
    if not isinstance(raw, list):
        report("traits", Message("sheet.not_a_list"), '"traits": ["…"]')
        return ()
    if len(raw) > MAX_TRAITS:
        report(
            "traits",
            Message("sheet.too_many_entries", value=len(raw)),
            Message("sheet.at_most", longest=MAX_TRAITS),
        )
        return ()
    found: list[CharacterTrait] = []
    for number, entry in enumerate(raw, 1):
        where = f"traits {number}"
        trait = _trait(rules, entry, own_skills, lambda *error, at=where: report(at, *error))
        if trait is None:
            continue
        if any(normalize_name(other.name) == normalize_name(trait.name) for other in found):
            report(where, Message("sheet.listed_twice", name=trait.name), Message("advice.keep_one"))
        found.append(trait)
    return tuple(found)


TraitReport = Callable[[Message, Text], None]  # problem, expected


def _trait(rules: Ruleset, raw: Any, own_skills: list[str], report: TraitReport) -> CharacterTrait | None:
    assert rules.sheet is not None
    if isinstance(raw, str):
        return _game_trait(raw, rules.sheet.traits, report)
    if not isinstance(raw, dict):
        report(Message("sheet.not_a_trait"), Message("sheet.form_of_trait"))
        return None
    for key in raw:
        if key not in ("name", "gives"):
            report(Message("sheet.unknown_field", key=key[:40]), Message("sheet.fields_of_trait"))
    name, gives = raw.get("name"), raw.get("gives", [])
    valid = isinstance(name, str) and name.strip() and name.isprintable()
    if not isinstance(name, str) or not valid or len(name) > MAX_NAME_LENGTH:
        report(Message("sheet.needs_name"), Message("sheet.length_of_name", most=MAX_NAME_LENGTH))
        return None
    if not isinstance(gives, list) or not all(isinstance(entry, dict) for entry in gives):
        report(Message("sheet.gives_is_a_list"), '"gives": [{ "…": 1 }]')
        return None
    if len(gives) > MAX_MODIFIERS:
        report(
            Message("sheet.gives_too_much", gives=len(gives)), Message("sheet.at_most", longest=MAX_MODIFIERS)
        )
    modifiers = [_modifier(rules, entry, own_skills, report) for entry in gives[:MAX_MODIFIERS]]
    return CharacterTrait(name.strip(), tuple(modifiers))


def _game_trait(name: str, known: Mapping[str, Any], report: TraitReport) -> CharacterTrait | None:
    game_name = resolve_name(name, known)
    if game_name is not None:
        return CharacterTrait(game_name)
    right = did_you_mean(normalize_name(name[:60]), known)
    if not right and known:
        right = Message("sheet.known_or_own_trait", names=known)
    right = right or Message("sheet.own_trait")
    report(Message("sheet.unknown_trait", name=name[:40]), right)
    return None


def _modifier(
    rules: Ruleset, raw: Mapping[str, Any], own_skills: list[str], report: TraitReport
) -> CheckModifier:
    assert rules.sheet is not None
    known = {**rules.sheet.attributes, **rules.sheet.skills}
    data = dict(raw)
    if isinstance(raw.get("for"), list):
        data["for"] = [
            (resolve_name(name, known, own_skills) or name) if isinstance(name, str) else name
            for name in raw["for"]
        ]
    modifier, errors = read_modifier(data, rules.checks, [*known, *own_skills])
    for message, hint in errors:
        report(message, hint)
    return modifier
