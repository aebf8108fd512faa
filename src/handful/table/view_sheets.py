"""Characters and where rolls come from, as a seat sees them: part of `view`."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from handful.errors import Refused
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
from handful.table.characters import data_of, mark_of, sheet_of
from handful.table.drafts import line_in_words
from handful.table.lines import can_change, draft_of, typed_only, words_of
from handful.table.projection import project
from handful.table.state import Table, TableCharacter, TableRoll
from handful.table.visibility import GM, PLAYER

MOST_DRAFTS = 1000  # that are remembered: checks are made again and again


def character_seen(known: Table, figure: TableCharacter) -> dict[str, Any]:
    data = {"character": figure.id, "owner": figure.owner, "name": figure.name, "kind": figure.kind}
    if figure.sheet is None:
        return data
    rules, own = known.rules, figure.sheet
    return data | {
        "shown": figure.shown,
        "sheet": data_of(rules, own),
        "mark": mark_of(rules, own),
        **worked_out(known, own),
        "items": {name: {"uses": uses, "hot": hot} for name, (uses, hot) in figure.items.items()},
        "tasks": {name: list(tries) for name, tries in figure.tasks.items()},
    }


def sheet_text(table: Table, seat: str, character: str) -> str:
    """The text of a character's sheet, as it is brought elsewhere; for those who see the sheet."""
    figure = project(table, seat).characters.get(character)
    if figure is None or figure.sheet is None:
        raise Refused(f"there is no sheet of {character[:130]!r} for you to see")
    return export_character(table.rules, figure.sheet)


def worked_out(known: Table, own: Character) -> dict[str, Any]:
    """What the numbers of a sheet come to, with the house rules of the table."""
    sheet, found = sheet_of(known.rules), derive(known.rules, own, known.options)
    return {
        "derived": {name: json_value(value) for name, value in found.derived.items()},
        "ranges": {name: [one.least, one.most] for name, one in found.ranges.items()},
        "conditions": [
            {"condition": one.name, "says": localize(one.title), "cannot": localize(one.cannot)}
            for one in found.conditions
        ],
        "skills": {name: json_value(skill_rank(sheet, own, name)) for name in skill_names(sheet, own)},
    }


def lines_seen(known: Table, roll: TableRoll, seat: str) -> dict[str, Any]:
    """Where a roll comes from, as far as a seat sees the sheets; numbers are for the GM."""
    gm = known.role(seat) == GM
    data: dict[str, Any] = {"as": list(roll.character_ids)} if any(roll.character_ids) else {}
    data |= {"deed": dict(roll.action_context)} if roll.action_context else {}
    if not roll.lines and not (gm and roll.asked and can_change(roll)):
        return data
    rules = roll.rules(known.rules)
    if not roll.lines:
        typed = _typed_in_words(rules, words_of(roll), roll.roller)
        return data | {"lines": [{**one} for one in typed]}
    draft = draft_of(rules, roll)
    modifiers = roll.node.trace.modifiers if roll.node else ()
    gms = [name for name in known.seats if known.role(name) == GM]
    sources = [
        one.to_dict()
        | {"words": dict(one.source_texts), "units": dict(one.unit_texts)}
        | ({} if gm else {"line": None})
        for one in list_contributions(draft, modifiers, gms=gms)
    ]
    return data | {"sources": sources, "lines": _in_words(draft, gm=gm)}


def _in_words(draft: Draft, *, gm: bool) -> list[dict[str, Any]]:
    return [
        {"number": number if gm else None, **line_in_words(side, line)}
        for number, (side, line) in enumerate(draft.lines_with_sides(), 1)
    ]


@lru_cache(MOST_DRAFTS)
def _typed_in_words(rules: Ruleset, words: str, by: str) -> list[dict[str, Any]]:
    """The lines of a check as it was typed: for the GM, who may change them."""
    return _in_words(typed_only(rules, words, by), gm=True)


def on_character(rules: Ruleset, figure: TableCharacter, seat: str, role: str) -> list[str]:
    own = role == PLAYER and figure.owner == seat
    if figure.sheet is None or not (own or role == GM):
        return []
    uses = any(one.uses for one in sheet_of(rules).resources.values())
    made = ["use"] if uses else []
    if role == GM or figure.kind == "pc":
        made += ["bring", "show", "dismiss"]
    if role != GM:
        return made
    made += ["adjust", "equip"]
    says = sheet_of(rules).rounds
    made += ["harm"] if says and says.harm else []
    made += ["undo_points"] if figure.last_change else []
    return [*made, "forget"] if figure.tasks else made


def json_value(value: Any) -> Any:
    """A value of a rule as JSON can say it, exactly."""
    if isinstance(value, tuple):
        return [json_value(one) for one in value]
    if isinstance(value, dict):
        return {name: json_value(one) for name, one in value.items()}
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)
