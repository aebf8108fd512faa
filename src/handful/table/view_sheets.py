"""Characters in a view, and the origin of rolls: the lines that come from sheets.

Works on what a seat knows; a sheet that the seat may not see is None there.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from handful.errors import Message, Refused
from handful.rules.ruleset import Ruleset, localize
from handful.sheet import (
    Character,
    Draft,
    derive,
    export_character,
    list_contributions,
    skill_names,
    skill_rank,
)
from handful.table.characters import require_sheet, sheet_data, sheet_digest
from handful.table.drafts import line_view
from handful.table.json_types import JsonObject
from handful.table.knowledge import known_to
from handful.table.lines import can_change_lines, check_text, draft_from_text, rebuild_draft
from handful.table.state import Table, TableCharacter, TableRoll
from handful.table.visibility import GM, Viewer

DRAFT_CACHE_SIZE = 1000  # the same checks are made again and again


def character_view(known: Table, character: TableCharacter) -> JsonObject:
    data = {
        "character": character.id,
        "owner": character.owner,
        "name": character.name,
        "kind": character.kind,
    }
    if character.picture:
        data["picture"] = character.picture
    if character.sheet is None:
        return data
    rules, sheet = known.rules, character.sheet
    return data | {
        "shown": character.shown,
        "sheet": sheet_data(rules, sheet),
        "mark": sheet_digest(rules, sheet),
        **derived_view(known, sheet),
        "items": {name: {"uses": uses, "hot": hot} for name, (uses, hot) in character.items.items()},
        "tasks": {name: list(tries) for name, tries in character.tasks.items()},
    }


def sheet_text(table: Table, seat: str, character: str) -> str:
    """Return a character's sheet as text, as `bring` reads it; for seats that see the sheet."""
    character_shown = known_to(table, seat).characters.get(character)
    if character_shown is None or character_shown.sheet is None:
        raise Refused(Message("character.no_sheet", name=character[:130]))
    return export_character(table.rules, character_shown.sheet)


def derived_view(known: Table, sheet_values: Character) -> JsonObject:
    """Return the derived numbers of a sheet under the table's house rules."""
    sheet, derived = require_sheet(known.rules), derive(known.rules, sheet_values, known.options)
    return {
        "derived": {name: json_value(value) for name, value in derived.derived.items()},
        "ranges": {name: [one.least, one.most] for name, one in derived.ranges.items()},
        "conditions": [
            {"condition": one.name, "says": localize(one.title), "cannot": localize(one.cannot)}
            for one in derived.conditions
        ],
        "skills": {
            name: json_value(skill_rank(sheet, sheet_values, name))
            for name in skill_names(sheet, sheet_values)
        },
    }


def lines_view(known: Table, roll: TableRoll, viewer: Viewer) -> JsonObject:
    """Return the origin of a roll, as far as the seat sees the sheets; line numbers are for the GM."""
    gm = viewer.is_gm
    data: JsonObject = {"as": list(roll.character_ids)} if any(roll.character_ids) else {}
    data |= {"deed": dict(roll.action_context)} if roll.action_context else {}
    if not roll.lines and not (gm and roll.asked and can_change_lines(roll)):
        return data
    rules = roll.rules(known.rules)
    if not roll.lines:
        typed = _typed_line_views(rules, check_text(roll), roll.roller)
        return data | {"lines": [{**one} for one in typed]}
    draft = rebuild_draft(rules, roll)
    modifiers = roll.node.trace.modifiers if roll.node else ()
    gms = [name for name in known.seats if known.role(name) == GM]
    sources = [
        one.to_dict()
        | {"words": dict(one.source_texts), "units": dict(one.unit_texts)}
        | ({} if gm else {"line": None})
        for one in list_contributions(draft, modifiers, gms=gms)
    ]
    return data | {"sources": sources, "lines": _line_views(draft, gm=gm)}


def _line_views(draft: Draft, *, gm: bool) -> list[JsonObject]:
    return [
        {"number": number if gm else None, **line_view(side, line)}
        for number, (side, line) in enumerate(draft.lines_with_sides(), 1)
    ]


# Kept by the process and not by a room: the lines of a roll are shown again with every patch of it, and
# functions of the pure part take no cache.
@lru_cache(DRAFT_CACHE_SIZE)
def _typed_line_views(rules: Ruleset, text: str, by: str) -> list[JsonObject]:
    """Return the lines of a check without a character, which the GM may change."""
    return _line_views(draft_from_text(rules, text, by), gm=True)


def character_commands(rules: Ruleset, character: TableCharacter, viewer: Viewer) -> list[str]:
    is_owner = viewer.is_player and character.owner == viewer.seat
    if character.sheet is None or not (is_owner or viewer.is_gm):
        return []
    uses = any(one.uses for one in require_sheet(rules).resources.values())
    commands = ["use"] if uses else []
    if viewer.is_gm or character.kind == "pc":
        commands += ["bring", "show", "rename", "portrait", "dismiss"]
    if not viewer.is_gm:
        return commands
    commands += ["adjust", "equip"]
    round_rules = require_sheet(rules).rounds
    commands += ["harm"] if round_rules and round_rules.harm else []
    commands += ["undo_points"] if character.last_change else []
    return [*commands, "forget"] if character.tasks else commands


def json_value(value: Any) -> Any:
    """Return a rule's value as JSON data, exactly."""
    if isinstance(value, tuple):
        return [json_value(one) for one in value]
    if isinstance(value, dict):
        return {name: json_value(one) for name, one in value.items()}
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)
