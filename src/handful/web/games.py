"""Describes games for the pages: checks, parameters, sheets, and wording in every language.

Shipped games are read once and cached for the life of the process.
Invariant: a name loads a shipped ruleset; no other file is read from the server's disk.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any

from handful import library
from handful.errors import HandfulError
from handful.library import Ruleset, files, tables
from handful.rules.params import Param, display_value
from handful.rules.round_rules import Attack, RoundRules
from handful.rules.ruleset import Check, Option, word_keys
from handful.rules.ruleset import Ruleset as Rules
from handful.rules.sheet_rules import SECTIONS, RankFormat, Sheet
from handful.sheet import export_character, read_character
from handful.sheet.budgets import pips_per_die
from handful.store import RulesetTexts
from handful.table.view_sheets import json_value
from handful.web.ruleset_cache import RulesetCache


@lru_cache(maxsize=64)
def load_game(name: str) -> Ruleset:
    """Return a shipped ruleset by its name."""
    return library.ruleset(name)


@lru_cache(maxsize=64)
def installed_rules(name: str) -> tuple[Rules, RulesetTexts]:
    """Return the rules of a shipped game and their texts, shared by all its tables."""
    return tables.installed_rules(name)


@lru_cache(maxsize=1)
def installed_by_hash() -> dict[str, Rules]:
    """Return the rules of every shipped game by their hash."""
    found = (installed_rules(name)[0] for name in game_names())
    return {rules.hash: rules for rules in found}


def game_names() -> list[str]:
    return list(library.shipped())


@lru_cache(maxsize=1)
def families() -> list[dict[str, Any]]:
    """Return a summary of every shipped family."""
    found = [load_game(name).rules for name in library.families()]
    return [
        {"id": one.id, "title": dict(one.title), "about": dict(one.about)}
        | {"glance": None, "dice": None, "outcome": None}
        for one in found
    ]


def _translate(part: Any, words: Mapping[str, str]) -> Any:
    """Return sheet data with its words replaced, keys too: they name skills and traits."""
    if isinstance(part, dict):
        return {words.get(name, name): _translate(one, words) for name, one in part.items()}
    if isinstance(part, list):
        return [_translate(one, words) for one in part]
    return words.get(part, part) if isinstance(part, str) else part


@lru_cache(maxsize=1)
def ruleset_names() -> list[str]:
    """Return the names of all games and families; families have odds but no tables."""
    return library.known()


@lru_cache(maxsize=64)
def describe_game(name: str, language: str = "en") -> dict[str, Any]:
    """Describe a shipped game or family by its name."""
    return describe(load_game(name).rules, language)


def sample_characters(rules: Rules, language: str = "en") -> list[dict[str, Any]]:
    """Return the sample characters of a game, or of the nearest base that has some.

    Characters that do not fit the rules are left out.  Words are translated where the game
    translates them.
    """
    for name in rules.sheet.lineage if rules.sheet else ():
        own = load_game(name) if name in ruleset_names() else None
        if own is None or not own.characters():
            continue
        found, words = [], files.character_words(own.rules.file, language)
        for one in own.characters():
            with suppress(HandfulError):
                data = _translate(json.loads(own.export(own.character(one))), words)
                found.append(json.loads(export_character(rules, read_character(rules, data))))
        return found
    return []


def describe(rules: Rules, language: str = "en") -> dict[str, Any]:
    """Describe rules: everything that a page needs to ask for a check."""
    return _DESCRIPTIONS.get(rules, language)


def _describe(rules: Rules, language: str) -> dict[str, Any]:
    sheet = rules.sheet
    return {
        "id": rules.id,
        "hash": rules.hash,
        "title": dict(rules.title),
        "about": dict(rules.about),
        "checks": [_check(rules, one) for one in rules.checks.values() if one.program is not None],
        "options": [_option(rules, one) for one in rules.options.values()],
        "decisions": {
            n: {answer: dict(wording) for answer, wording in one.answers.items()}
            for n, one in rules.decisions.items()
        },
        "ladder": [
            {
                "name": rung,
                "title": dict(data["title"]),
                **{n: json_value(v) for n, v in data.items() if n not in ("title", "example", "aliases")},
            }
            for rung, data in rules.ladder.items()
        ],
        "words": {name: dict(wording) for name, wording in {**rules.words, **rules.events}.items()},
        "critical": list(rules.critical),
        "singular": {name: dict(wording) for name, wording in rules.singular.items()},
        "characters": sample_characters(rules, language),
        "sheet": None if sheet is None else _sheet(sheet),
    }


_DESCRIPTIONS = RulesetCache(_describe)


def _sheet(sheet: Sheet) -> dict[str, Any]:
    return {
        "attributes": {n: dict(one.title) for n, one in sheet.attributes.items()},
        "skills": {n: dict(one.title) for n, one in sheet.skills.items()},
        "resources": {
            n: {
                "title": dict(one.title),
                "uses": {use: dict(bought.title) for use, bought in one.uses.items()},
            }
            for n, one in sheet.resources.items()
        },
        "derived": {n: dict(one.title) for n, one in sheet.derived.items()},
        "conditions": {
            n: {"title": dict(one.title), "cannot": dict(one.cannot)} for n, one in sheet.conditions.items()
        },
        "picks": {
            n: {"attributes": bool(one.attributes), "skills": bool(one.skills)}
            for n, one in sheet.picks.items()
        },
        "rounds": _rounds(sheet.rounds),
        "form": _form(sheet),
    }


def _form(sheet: Sheet) -> dict[str, Any]:
    """Describe the sheet's fields, for the editor of characters."""

    def numbered_field(form: RankFormat | None) -> dict[str, Any] | None:
        return (
            None
            if form is None
            else {
                "called": form.called,
                "open": form.open,
                "attribute": form.governed,
                "value": _param(form.param),
                "fields": {n: _param(one) for n, one in form.fields.items()},
            }
        )

    return {
        "titles": {n: dict(one) for n, one in sheet.titles.items()},
        "order": {section: list(getattr(sheet, section)) for section in SECTIONS}
        | {"item": list(sheet.item or ())},
        "attributes": {n: _param(one.param) for n, one in sheet.attributes.items()},
        "other_attribute": sheet.other_attribute and _param(sheet.other_attribute.param),
        "proficiency": numbered_field(sheet.proficiency),
        "proficiencies": {
            n: {"title": dict(one.title), "help": dict(one.help), "skills": list(one.skills)}
            for n, one in sheet.proficiencies.items()
        },
        "skill": numbered_field(sheet.skill),
        "skills": {
            n: {
                "attribute": one.attribute,
                **{f: json_value(display_value(v)) for f, v in one.fields.items()},
            }
            for n, one in sheet.skills.items()
        },
        "derived": {n: _param(one.param) for n, one in sheet.derived.items()},
        "resources": {n: list(one.kinds) for n, one in sheet.resources.items()},
        "traits": {n: dict(one.title) for n, one in sheet.traits.items()},
        "item": None if sheet.item is None else {n: _param(one) for n, one in sheet.item.items()},
        "items": {
            n: {
                "title": dict(one.title),
                "uses": one.uses,
                "fields": {f: json_value(display_value(v)) for f, v in one.fields.items()},
            }
            for n, one in sheet.items.items()
        },
        "help": {
            "attributes": {n: dict(one.param.help) for n, one in sheet.attributes.items()},
            "skills": {n: dict(one.help) for n, one in sheet.skills.items()},
            "proficiencies": {n: dict(one.help) for n, one in sheet.proficiencies.items()},
            "traits": {n: dict(one.help) for n, one in sheet.traits.items()},
        },
        "creation": _creation(sheet),
    }


def _creation(sheet: Sheet) -> dict[str, Any]:
    """Describe how a new character is made, for the form that makes one."""
    creation = sheet.creation
    return {
        "strict": creation.strict,
        "pips": pips_per_die(sheet),
        "budgets": {
            n: {
                "title": dict(one.title),
                "over": [list(entry) for entry in one.entries],
                "max": json_value(display_value(one.most)),
                "kinds": list(one.kinds),
            }
            for n, one in creation.budgets.items()
        },
        "quick": [
            {"name": n, "title": dict(one.title), "help": dict(one.help)} for n, one in creation.quick.items()
        ],
    }


def _rounds(rounds: RoundRules | None) -> dict[str, Any] | None:
    if rounds is None:
        return None
    return {
        "seconds": rounds.seconds,
        "paces": {name: dict(one.title) for name, one in rounds.paces.items()},
        "stances": {
            name: {"title": dict(one.title), "choices": {n: dict(w) for n, w in one.choices.items()}}
            for name, one in rounds.stances.items()
        },
        "answers": {
            name: {"title": dict(one.title), "to": one.to, "check": one.check}
            for name, one in rounds.answers.items()
        },
        "targets": list(rounds.targets),
        "kinds": {name: one.by for name, one in rounds.targets.items()},
        "attacks": {name: _attack(one) for name, one in rounds.attacks.items()},
        "marks": {name: dict(one) for name, one in rounds.marks.items()},
        "free": list(rounds.free),
        "retries": bool(rounds.retries),
        "harm": rounds.harm,
    }


def _attack(attack: Attack) -> dict[str, Any]:
    """Describe how an attack goes on: the checks that follow, and the fields of the item that they take."""
    follow_ups = {"damage": attack.damage, "resist": attack.resist}
    return {"item": dict(attack.item)} | {
        name: one and {"check": one.check, "parameters": dict(one.parameters), "item": dict(one.item)}
        for name, one in follow_ups.items()
    }


def _check(rules: Rules, check: Check) -> dict[str, Any]:
    sides = check.sides
    return {
        "name": check.name,
        "title": dict(check.title),
        "help": dict(check.help),
        "main": check.main,
        "sides": sides and {"word": sides.word, "min": sides.least, "max": sides.most},
        "parameters": [_parameter(rules, check, one) for one in check.params.values()],
    }


def _parameter(rules: Rules, check: Check, param: Param) -> dict[str, Any]:
    return _param(param) | {
        "whole": check.sides is None or param.whole,
        "says": _value_words(rules, param.name, (*param.values, *param.words)),
    }


def _param(param: Param) -> dict[str, Any]:
    return {
        "name": param.name,
        "type": param.type,
        "label": dict(param.label),
        "help": dict(param.help),
        "unit": param.unit,
        "required": param.required,
        "list": bool(param.separators),
        "default": json_value(display_value(param.default)),
        "values": list(param.values),
        "min": json_value(param.least),
        "max": json_value(param.most),
        "ladder": param.type == "ladder",
        "words": [*param.words],
        "follows": bool(param.follows),
    }


def _option(rules: Rules, option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "label": dict(option.label),
        "values": [json_value(v) for v in option.values],
        "default": json_value(option.default),
        "says": _value_words(rules, option.name, option.values),
    }


def _value_words(rules: Rules, name: str, values: Iterable[Any]) -> dict[str, Any]:
    """Return the game's wording for those values of an option or a choice that have one."""
    found = {}
    for value in values:
        wording = next((rules.words[one] for one in word_keys(name, value) if one in rules.words), None)
        if wording is not None:
            found[str(json_value(value))] = dict(wording)
    return found
