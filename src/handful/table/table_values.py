"""Values that the table adds to a check by itself, so that points can be spent after the throw.

A parameter with `at_table` gets that value if the character may have points to pay for the decision
of the same name, and spending one would not reveal a hidden roll.  A value that the rules do not
accept together with the declared ones is left out.
"""

from __future__ import annotations

from handful.errors import HandfulError
from handful.records import replace
from handful.roll import start
from handful.rules.params import Param
from handful.rules.program import Record
from handful.sheet import Draft, Line
from handful.table.action_context import without_characters
from handful.table.commands import Declaration
from handful.table.points import sheet_viewers
from handful.table.state import Table, TableCharacter
from handful.table.visibility import ALL, PLAYER, combine_modes, sheet_mode

SOURCE = "table"


def with_table_values(table: Table, draft: Draft, roller: str, declaration: Declaration) -> Draft:
    """Return the draft with the values of `at_table`, on every side where they fit."""
    params = [one for one in draft.check.per_side() if one.at_table]
    names = declaration.character_ids
    for number, (side, name) in enumerate(zip(draft.sides, names, strict=False), 1):
        for param in params:
            character = table.characters.get(name)
            if side.character is None or character is None or param.name in declaration.hidden:
                continue
            paying = _paying_resources(draft, param)
            if _is_offered(table, character, roller, paying) and _is_visible_to_point_viewers(
                table, character, roller, declaration.mode
            ):
                draft = _with_value(draft, number, param)
    return draft


def _paying_resources(draft: Draft, param: Param) -> list[str]:
    """Return the resources that pay for an answer to the decision of this name."""
    decision, sheet = draft.ruleset.decisions.get(param.name), draft.ruleset.sheet
    if decision is None or sheet is None:
        return []
    spent = {name: one.spent.get(param.name, ()) for name, one in sheet.resources.items()}
    return [name for name, values in spent.items() if {*values} & {*decision.answers}]


def _is_offered(table: Table, character: TableCharacter, roller: str, paying: list[str]) -> bool:
    """Return whether the decision is offered: if the character visibly has points.

    If not everyone sees the sheet, the offer would reveal its points.  Then a player is always offered
    the decision, and the GM only on request.
    """
    if sheet_mode(character.shown).others < ALL:
        return bool(paying) and table.role(roller) == PLAYER
    sheet = character.sheet
    return sheet is not None and any(sheet.resources.get(name, 0) > 0 for name in paying)


def _is_visible_to_point_viewers(
    table: Table, character: TableCharacter, roller: str, roll_mode: str
) -> bool:
    """Return whether everyone who sees the character's points sees all of the roll, by its mode."""
    mode = combine_modes(table.mode, roll_mode)
    viewers = sheet_viewers(table, character, others=sheet_mode(character.shown).others == ALL)
    return all(mode.level(one, roller) == ALL for one in viewers)


def _with_value(draft: Draft, number: int, param: Param) -> Draft:
    """Return the draft with one more value, if the rules accept it."""
    side = draft.sides[number - 1]
    values = [param.read(one.value) for one in side.lines if one.parameter == param.name and one.on]
    if any(param.at_table in one for one in values):
        return draft
    line = Line(param.name, param.at_table, SOURCE, Record(param.label))
    sides = list(draft.sides)
    sides[number - 1] = replace(side, lines=(*side.lines, line))
    result = replace(draft, sides=tuple(sides))
    try:
        start(without_characters(result).bound())
    except HandfulError:
        return draft
    return result
