"""Looks up the names on the sheets of a table; in a typed check, such a name may stand for its number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handful.cli.repl import names
from handful.rules.check_parser import CharacterNamesOf
from handful.rules.name_resolution import CharacterNames
from handful.rules.params import normalize_name

if TYPE_CHECKING:
    from handful.cli.repl.repl import Repl

NOBODY = ("none", "nobody")


def default_character(repl: Repl) -> str:
    """Return the character for checks without `as`: set by `as NAME`, else a player's only one."""
    view = repl.view()
    chosen = repl.default_characters.get(repl.seat)
    if chosen is not None:
        return chosen if chosen in [one["character"] for one in view["characters"]] else ""
    own = names.own_characters(view)
    return own[0] if len(own) == 1 and (view["role"] == "player" or repl.is_solo) else ""


def sheet_names_for(repl: Repl, character: str = "") -> CharacterNamesOf:
    """Return a lookup of the names on the sheet of a side's character, if visible to this seat."""

    def lookup(typed: str | None, place: int) -> CharacterNames | None:
        view = repl.view()
        if typed is not None and normalize_name(typed) in NOBODY:
            return None
        name = names.character(view, typed) if typed is not None else ""
        if not name and place == 0:
            name = character or default_character(repl)
        return _names(repl, name)

    return lookup


def any_names_for(repl: Repl, character: str = "") -> CharacterNamesOf:
    """Return a lookup like `sheet_names_for` that falls back to the names of the game."""
    lookup = sheet_names_for(repl, character)

    def lookup_with_fallback(typed: str | None, place: int) -> CharacterNames | None:
        return lookup(typed, place) or CharacterNames()

    return lookup_with_fallback


def _names(repl: Repl, character: str) -> CharacterNames | None:
    from handful.sheet import sheet_names
    from handful.table import known_to

    table_character = known_to(repl.table, repl.seat).characters.get(character)
    return sheet_names(repl.rules, table_character.sheet) if table_character is not None else None
