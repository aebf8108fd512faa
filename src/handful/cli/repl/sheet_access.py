"""The names on sheets at a table: what somebody may say in place of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handful.cli.repl import names
from handful.rules.check_parser import OwnOf
from handful.rules.name_resolution import Own
from handful.rules.params import normalize_name

if TYPE_CHECKING:
    from handful.cli.repl.repl import Repl

NOBODY = ("none", "nobody")


def default_character(repl: Repl) -> str:
    """The character for checks without `as`: chosen by `as NAME`, or a player's only one."""
    view = repl.view()
    chosen = repl.default_characters.get(repl.seat)
    if chosen is not None:
        return chosen if chosen in [one["character"] for one in view["characters"]] else ""
    own = names.own_characters(view)
    return own[0] if len(own) == 1 and (view["role"] == "player" or repl.is_solo) else ""


def sheet_names_for(repl: Repl, character: str = "") -> OwnOf:
    """The names on the sheet of whoever makes a side, as far as this seat may see it."""

    def found(typed: str | None, place: int) -> Own | None:
        view = repl.view()
        if typed is not None and normalize_name(typed) in NOBODY:
            return None
        name = names.character(view, typed) if typed is not None else ""
        if not name and place == 0:
            name = character or default_character(repl)
        return _names(repl, name)

    return found


def any_names_for(repl: Repl, character: str = "") -> OwnOf:
    """The same for somebody else, whose sheet need not be known: the names of the game will do."""
    found = sheet_names_for(repl, character)

    def names_of_anybody(typed: str | None, place: int) -> Own | None:
        return found(typed, place) or Own()

    return names_of_anybody


def _names(repl: Repl, character: str) -> Own | None:
    from handful.sheet import sheet_names
    from handful.table import project

    table_character = project(repl.table, repl.seat).characters.get(character)
    return sheet_names(repl.rules, table_character.sheet) if table_character is not None else None
