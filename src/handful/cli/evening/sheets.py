"""The names on sheets at a table: what somebody may say in place of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handful.cli.evening import names
from handful.rules.filling import Own
from handful.rules.params import canonical
from handful.rules.typed import OwnOf

if TYPE_CHECKING:
    from handful.cli.evening.evening import Evening

NOBODY = ("none", "nobody")


def usual_character(evening: Evening) -> str:
    """The character for checks without `as`: chosen by `as NAME`, or a player's only one."""
    view = evening.view()
    chosen = evening.chosen.get(evening.seat)
    if chosen is not None:
        return chosen if chosen in [one["character"] for one in view["characters"]] else ""
    own = names.own_characters(view)
    return own[0] if len(own) == 1 and (view["role"] == "player" or evening.alone) else ""


def own_of(evening: Evening, character: str = "") -> OwnOf:
    """The names on the sheet of whoever makes a side, as far as this seat may see it."""

    def found(typed: str | None, place: int) -> Own | None:
        view = evening.view()
        if typed is not None and canonical(typed) in NOBODY:
            return None
        name = names.character(view, typed) if typed is not None else ""
        if not name and place == 0:
            name = character or usual_character(evening)
        return _names(evening, name)

    return found


def any_of(evening: Evening, character: str = "") -> OwnOf:
    """The same for somebody else, whose sheet need not be known: the names of the game will do."""
    found = own_of(evening, character)

    def names_of_anybody(typed: str | None, place: int) -> Own | None:
        return found(typed, place) or Own()

    return names_of_anybody


def _names(evening: Evening, character: str) -> Own | None:
    from handful.sheet import own_names
    from handful.table import as_known

    known = as_known(evening.table, evening.seat).characters.get(character)
    return own_names(evening.rules, known.sheet) if known is not None else None
