"""Characters as a seat knows them, and what it is told of the lines that come from their sheets.

Part of the gate of `knowing`.  Whoever sees a sheet sees the lines that it brings to a roll; to
everybody else a roll with a character looks the same as one with plain numbers.
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

OF_ROLLS = ("interrupts", "answers")  # what of a deed names another roll


def figure_as_known(figure: TableCharacter, seat: str, role: str) -> TableCharacter | None:
    level = figure.level_for(seat, role)
    if figure.gone or level == NOTHING:
        return None
    return figure if level == ALL else replace(figure, sheet=None, shown="", level=level)


def _who_known(table: Table, who: Sequence[str], seat: str, role: str) -> list[str]:
    """The characters of a roll of which a seat knows; empty if it knows of none."""
    known = [name if _level(table, name, seat, role) > NOTHING else "" for name in who]
    return known if any(known) else []


def _level(table: Table, name: str, seat: str, role: str) -> int:
    return table.characters[name].level_for(seat, role) if name else NOTHING


def _sees_line(
    table: Table, who: Sequence[str], hidden: Collection[str], seat: str, role: str
) -> Callable[[int, str], bool]:
    """Whether a seat is told of a line: it sees the sheet that its side is made with.

    A side without a character looks the same as one whose character is hidden.
    """
    if role == GM:
        return lambda side, parameter: True
    sides = {at for at, name in enumerate(who, 1) if _level(table, name, seat, role) == ALL}
    sides |= {0} if sides else set()
    return lambda side, parameter: side in sides and parameter not in hidden


def lines_as_known(table: Table, roll: TableRoll, seat: str, role: str) -> TableRoll:
    if role == GM or not (roll.character_ids or roll.lines):
        return roll
    sees = _sees_line(table, roll.character_ids, roll.hidden, seat, role)
    lines = tuple((side, line) for side, line in roll.lines if sees(side, line.parameter))
    return replace(
        roll,
        character_ids=tuple(_who_known(table, roll.character_ids, seat, role)),
        lines=lines,
        paid={},
        action_context=_deed_known(table, roll.character_ids, roll.action_context, seat, role),
    )


def hangs_on_rolls(roll: TableRoll) -> bool:
    """Whether what is known of a roll follows from what is known of others, too."""
    return not roll.action_context.keys().isdisjoint(OF_ROLLS)


def levels_of(table: Table, roll: TableRoll, seat: str, role: str) -> tuple[int, ...]:
    """What `lines_as_known` makes of a roll follows from the roll, and from how much a seat sees
    of those whom it names."""
    if role == GM or not (roll.character_ids or roll.lines):
        return ()
    named = (*roll.character_ids, roll.action_context.get("target", ""))
    rolls = (roll.action_context[name] for name in OF_ROLLS if name in roll.action_context)
    return (
        *(_level(table, name, seat, role) for name in named),
        *(table.rolls[name].level_for(seat, role) for name in rolls),
    )


def origin_told(table: Table, data: Data, hidden: Collection[str], seat: str, role: str) -> Data:
    """What an event says of where a roll comes from, as far as a seat sees that."""
    if role == GM or not ("as" in data or "lines" in data):
        return data
    who = data.get("as", [])
    sees = _sees_line(table, who, hidden, seat, role)
    lines = [one for one in data.get("lines", []) if sees(one["side"], one["parameter"])]
    bare = {name: one for name, one in data.items() if name not in ("as", "lines", "deed")}
    known = _who_known(table, who, seat, role)
    deed = _deed_known(table, who, data.get("deed", {}), seat, role)
    bare |= {"deed": deed} if deed else {}
    return bare | ({"as": known} if known else {}) | ({"lines": lines} if lines else {})


def _deed_known(table: Table, who: Sequence[str], deed: Data, seat: str, role: str) -> Data:
    """What a roll is in the story, to those who know of its character and of what is named."""
    if not who or _level(table, who[0], seat, role) == NOTHING:
        return {}

    def is_known(name: str, value: str) -> bool:
        if name == "target":
            return _level(table, value, seat, role) > NOTHING
        if name in OF_ROLLS:
            return table.rolls[value].level_for(seat, role) == ALL
        return True

    return {name: value for name, value in deed.items() if is_known(name, value)}


def line_told(
    roll: TableRoll, table: Table, event: Event, seat: str, role: str, level: int
) -> dict[str, Any] | None:
    """A line that was changed; a hidden parameter is not spoken of at all."""
    data, line = event.data, event.data["line"]
    if role == GM:
        return visible_data(event.kind, level, data)
    if line["parameter"] in roll.hidden:
        return None
    sees = _sees_line(table, roll.character_ids, roll.hidden, seat, role)(line["side"], line["parameter"])
    left = ("number",) if sees else ("number", "line")
    bare = {name: one for name, one in data.items() if name not in left}
    return visible_data(event.kind, level, {**bare, "asked": without_parameters(data["asked"], roll.hidden)})


def told_of_character(before: Table, event: Event, seat: str, role: str) -> dict[str, Any] | None:
    data = event.data
    if event.kind == "character_brought":
        level = sheet_mode(data["shown"]).level(gm=role == GM, roller=seat == data["owner"])
        return visible_data(event.kind, level, data)
    figure = before.characters[data["character"]]
    level = figure.level_for(seat, role)
    if "rolls" in data:  # what hurt somebody may have been rolled in secret
        seen = [one for one in data["rolls"] if before.rolls[one].level_for(seat, role) > NOTHING]
        data = {**data, "rolls": seen}
    if event.kind != "character_shown":
        return visible_data(event.kind, level, data)
    after = replace(figure, shown=data["shown"]).level_for(seat, role)
    if level == after == NOTHING:
        return None
    somebody: dict[str, Any] = {"owner": figure.owner, "name": figure.name, "kind": figure.kind}
    if level < ALL <= after:  # in place of what was not told before
        somebody |= {"sheet": _sheet_data(before, figure)}
    return visible_data(event.kind, after, {**data, **somebody})


def _sheet_data(table: Table, figure: TableCharacter) -> dict[str, Any]:
    assert table.rules.sheet is not None
    assert figure.sheet is not None
    return canonical_data(table.rules.sheet, figure.sheet)


def lines_data(roll: TableRoll) -> dict[str, Any]:
    lines = [line_data(side, line) for side, line in roll.lines]
    return ({"as": list(roll.character_ids)} if roll.character_ids else {}) | (
        {"lines": lines} if lines else {}
    )
