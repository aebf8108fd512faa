"""Characters when the rules of their table change: the same sheet, read by other rules."""

from __future__ import annotations

from handful.errors import BadCharacter, HandfulError
from handful.rules.ruleset import Ruleset
from handful.sheet import Character, canonical_data, read_character
from handful.table.state import TableCharacter


def fitted(before: Ruleset, after: Ruleset, sheet: Character) -> Character:
    """A sheet by other rules; refused with everything that does not fit."""
    assert before.sheet is not None
    return read_character(after, {**canonical_data(before.sheet, sheet), "ruleset": after.id})


def misfits(before: Ruleset, after: Ruleset, figure: TableCharacter) -> list[str]:
    """What of a character does not fit other rules."""
    if figure.sheet is None:
        return []
    try:
        fitted(before, after, figure.sheet)
    except BadCharacter as bad:
        return list(bad.mistakes)
    except HandfulError as error:
        return [error.message]
    return []
