"""Values that a table adds to a check by itself: points may still be spent once the dice are seen.

A parameter with `at_table` takes that value as well where a character makes the check that may have
a point for an answer to the decision of the same name, and may spend it without telling of a hidden
roll.
What the rules do not take together with what was said is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.errors import HandfulError
from handful.records import replace
from handful.roll import start
from handful.rules.params import Param
from handful.rules.program import Record
from handful.sheet import Draft, Line
from handful.table.action_context import without_characters
from handful.table.points import seers_of
from handful.table.state import Table, TableCharacter
from handful.table.visibility import ALL, GM, PLAYER, combine_modes, sheet_mode

SOURCE = "table"


def with_table_values(table: Table, own: Draft, roller: str, fields: Mapping[str, Any]) -> Draft:
    """The draft with the values of `at_table`, on every side where they fit."""
    params = [one for one in own.check.per_side() if one.at_table]
    names = fields.get("as", [])
    for number, (side, name) in enumerate(zip(own.sides, names, strict=False), 1):
        for param in params:
            figure = table.characters.get(name)
            if side.character is None or figure is None or param.name in fields.get("hidden", []):
                continue
            paying = _paying(own, param)
            if _is_asked(table, figure, roller, paying) and _is_seen(table, figure, roller, fields):
                own = _with_value(own, number, param)
    return own


def _paying(own: Draft, param: Param) -> list[str]:
    """The resources that pay for an answer to the decision of this name."""
    decision, sheet = own.ruleset.decisions.get(param.name), own.ruleset.sheet
    if decision is None or sheet is None:
        return []
    spent = {name: one.spent.get(param.name, ()) for name, one in sheet.resources.items()}
    return [name for name, values in spent.items() if {*values} & {*decision.answers}]


def _is_asked(table: Table, figure: TableCharacter, roller: str, paying: list[str]) -> bool:
    """Return whether somebody is asked: who has points, as far as everybody may know that.

    Where not everybody sees the sheet, being asked would tell that there are points on it.  Then a
    player is always asked, and the GM only by saying so.
    """
    if sheet_mode(figure.shown).others < ALL:
        return bool(paying) and table.role(roller) == PLAYER
    sheet = figure.sheet
    return sheet is not None and any(sheet.resources.get(name, 0) > 0 for name in paying)


def _is_seen(table: Table, figure: TableCharacter, roller: str, fields: Mapping[str, Any]) -> bool:
    """Return whether everybody who sees a character's points sees all of the roll (by its mode)."""
    mode = combine_modes(table.mode, fields.get("mode", "public"))
    seers = seers_of(table, figure, others=sheet_mode(figure.shown).others == ALL)
    return all(mode.level(gm=role == GM, roller=bool(seat) and seat == roller) == ALL for seat, role in seers)


def _with_value(own: Draft, number: int, param: Param) -> Draft:
    """The draft with one value more, if the rules take it."""
    side = own.sides[number - 1]
    given = [param.read(one.value) for one in side.lines if one.parameter == param.name and one.on]
    if any(param.at_table in one for one in given):
        return own
    line = Line(param.name, param.at_table, SOURCE, Record(param.label))
    sides = list(own.sides)
    sides[number - 1] = replace(side, lines=(*side.lines, line))
    made = replace(own, sides=tuple(sides))
    try:
        start(without_characters(made).bound())
    except HandfulError:
        return own
    return made
