"""Converts characters when the rules of their table change.

The same sheet data is read by the other rules; nothing is guessed, so a sheet either fits or is
reported with every reason why not.
"""

from __future__ import annotations

from handful.errors import BadCharacter, HandfulError, Message
from handful.rules.ruleset import Ruleset
from handful.sheet import Character, canonical_data, read_character
from handful.table.state import TableCharacter


def convert_sheet(before: Ruleset, after: Ruleset, sheet: Character) -> Character:
    """Return a sheet under other rules; raises with everything that does not fit."""
    assert before.sheet is not None
    return read_character(after, {**canonical_data(before.sheet, sheet), "ruleset": after.id})


def conversion_errors(before: Ruleset, after: Ruleset, character: TableCharacter) -> list[Message]:
    """Return the reasons why a character does not fit other rules; empty if it does."""
    if character.sheet is None:
        return []
    try:
        convert_sheet(before, after, character.sheet)
    except BadCharacter as bad:
        return list(bad.problems)
    except HandfulError as error:
        return [error.problem]
    return []
