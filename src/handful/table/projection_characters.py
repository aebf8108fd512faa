"""Characters as a seat sees them, and the lines that come from their sheets; part of `projection`.

A viewer of a sheet sees the lines that it brings to a roll.  To everyone else a roll with a
character looks the same as one with plain numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from handful.records import replace
from handful.sheet import canonical_data
from handful.table.events import Data, Event
from handful.table.lines import line_data
from handful.table.state import Table, TableCharacter, TableRoll
from handful.table.visibility import ALL, GM, NOTHING, sheet_mode, visible_data, without_parameters

ROLL_FIELDS = ("interrupts", "answers")  # fields of an action context that name a roll


def project_character(character: TableCharacter, seat: str, role: str) -> TableCharacter | None:
    level = character.level_for(seat, role)
    if character.is_dismissed or level == NOTHING:
        return None
    return character if level == ALL else replace(character, sheet=None, shown="", level=level)


def _visible_names(table: Table, character_ids: Sequence[str], seat: str, role: str) -> list[str]:
    """Return a roll's characters, with "" for those the seat does not know; empty if it knows none."""
    names = [name if _level(table, name, seat, role) > NOTHING else "" for name in character_ids]
    return names if any(names) else []


def _level(table: Table, name: str, seat: str, role: str) -> int:
    return table.characters[name].level_for(seat, role) if name else NOTHING


def _sees_line(
    table: Table, character_ids: Sequence[str], hidden: Collection[str], seat: str, role: str
) -> Callable[[int, str], bool]:
    """Return a test whether a seat sees a line: it must see the sheet of the line's side.

    A side without a character looks the same as one whose character is hidden.
    """
    if role == GM:
        return lambda side, parameter: True
    sides = {at for at, name in enumerate(character_ids, 1) if _level(table, name, seat, role) == ALL}
    sides |= {0} if sides else set()
    return lambda side, parameter: side in sides and parameter not in hidden


def project_lines(table: Table, roll: TableRoll, seat: str, role: str) -> TableRoll:
    if role == GM or not (roll.character_ids or roll.lines):
        return roll
    sees = _sees_line(table, roll.character_ids, roll.hidden, seat, role)
    lines = tuple((side, line) for side, line in roll.lines if sees(side, line.parameter))
    return replace(
        roll,
        character_ids=tuple(_visible_names(table, roll.character_ids, seat, role)),
        lines=lines,
        paid={},
        action_context=_redact_action_context(table, roll.character_ids, roll.action_context, seat, role),
    )


def depends_on_other_rolls(roll: TableRoll) -> bool:
    """Return whether a roll's projection depends on the visibility of other rolls."""
    return not roll.action_context.keys().isdisjoint(ROLL_FIELDS)


def visibility_key(table: Table, roll: TableRoll, seat: str, role: str) -> tuple[int, ...]:
    """Return the levels that, with the roll itself, determine the result of `project_lines`."""
    if role == GM or not (roll.character_ids or roll.lines):
        return ()
    named = (*roll.character_ids, roll.action_context.get("target", ""))
    rolls = (roll.action_context[name] for name in ROLL_FIELDS if name in roll.action_context)
    return (
        *(_level(table, name, seat, role) for name in named),
        *(table.rolls[name].level_for(seat, role) for name in rolls),
    )


def redact_origin(table: Table, data: Data, hidden: Collection[str], seat: str, role: str) -> Data:
    """Return the data of an event with the roll's origin redacted for a seat."""
    if role == GM or not ("as" in data or "lines" in data):
        return data
    character_ids = data.get("as", [])
    sees = _sees_line(table, character_ids, hidden, seat, role)
    lines = [one for one in data.get("lines", []) if sees(one["side"], one["parameter"])]
    visible = {name: one for name, one in data.items() if name not in ("as", "lines", "deed")}
    names = _visible_names(table, character_ids, seat, role)
    action_context = _redact_action_context(table, character_ids, data.get("deed", {}), seat, role)
    visible |= {"deed": action_context} if action_context else {}
    return visible | ({"as": names} if names else {}) | ({"lines": lines} if lines else {})


def _redact_action_context(
    table: Table, character_ids: Sequence[str], action_context: Data, seat: str, role: str
) -> Data:
    """Return the action context for seats that know its character, without names they do not know."""
    if not character_ids or _level(table, character_ids[0], seat, role) == NOTHING:
        return {}

    def is_visible(name: str, value: str) -> bool:
        if name == "target":
            return _level(table, value, seat, role) > NOTHING
        if name in ROLL_FIELDS:
            return table.rolls[value].level_for(seat, role) == ALL
        return True

    return {name: value for name, value in action_context.items() if is_visible(name, value)}


def redact_line_event(
    roll: TableRoll, table: Table, event: Event, seat: str, role: str, level: int
) -> dict[str, Any] | None:
    """Redact a changed line; a hidden parameter's line is not mentioned at all."""
    data, line = event.data, event.data["line"]
    if role == GM:
        return visible_data(event.kind, level, data)
    if line["parameter"] in roll.hidden:
        return None
    sees = _sees_line(table, roll.character_ids, roll.hidden, seat, role)(line["side"], line["parameter"])
    omitted = ("number",) if sees else ("number", "line")
    visible = {name: one for name, one in data.items() if name not in omitted}
    return visible_data(
        event.kind, level, {**visible, "asked": without_parameters(data["asked"], roll.hidden)}
    )


def redact_character_event(before: Table, event: Event, seat: str, role: str) -> dict[str, Any] | None:
    data = event.data
    if event.kind == "character_brought":
        level = sheet_mode(data["shown"]).level(gm=role == GM, roller=seat == data["owner"])
        return visible_data(event.kind, level, data)
    character = before.characters[data["character"]]
    level = character.level_for(seat, role)
    if "rolls" in data:  # the damage may have been rolled in secret
        seen = [one for one in data["rolls"] if before.rolls[one].level_for(seat, role) > NOTHING]
        data = {**data, "rolls": seen}
    if event.kind != "character_shown":
        return visible_data(event.kind, level, data)
    new_level = replace(character, shown=data["shown"]).level_for(seat, role)
    if level == new_level == NOTHING:
        return None
    identity: dict[str, Any] = {"owner": character.owner, "name": character.name, "kind": character.kind}
    if level < ALL <= new_level:  # replaces the events that were hidden before
        identity |= {"sheet": _sheet_data(before, character)}
    return visible_data(event.kind, new_level, {**data, **identity})


def _sheet_data(table: Table, character: TableCharacter) -> dict[str, Any]:
    assert table.rules.sheet is not None
    assert character.sheet is not None
    return canonical_data(table.rules.sheet, character.sheet)


def lines_data(roll: TableRoll) -> dict[str, Any]:
    lines = [line_data(side, line) for side, line in roll.lines]
    return ({"as": list(roll.character_ids)} if roll.character_ids else {}) | (
        {"lines": lines} if lines else {}
    )
