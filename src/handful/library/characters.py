"""Opens characters by name or path, each with its game.

A name finds a sample character of the shipped games; anything else is a path.
Invariant: every mistake of a character names its file.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from handful.errors import BadCharacter, HandfulError, Message
from handful.library.files import (
    character_names,
    character_path,
    game_of,
    known,
    read_text,
    ruleset_path,
    shipped,
)
from handful.library.rulesets import Ruleset, ruleset
from handful.library.tables import DRAFT_PREFIX
from handful.rules.ruleset import Ruleset as Rules
from handful.sheet import Character, export_character, import_character, parse_text, read_character


def shipped_characters() -> list[tuple[str, str]]:
    """Return game and name of every shipped character."""
    return [(game, name) for game in shipped() for name in character_names(ruleset_path(game))]


def open_character(name: str, game: str | None = None) -> tuple[Ruleset, Character, str]:
    """Return a character's game, the character and its file; `game` overrides what the file names."""
    files = [ruleset_path(game)] if game else [ruleset_path(one) for one in shipped()]
    path = character_path(name, files)
    try:
        data = parse_text(read_text(path))
        rules = ruleset(game or game_of(path, _game_in(data)))
        return rules, read_character(rules.rules, data), path
    except BadCharacter as bad:
        raise BadCharacter(bad.problems, path) from None


def ruleset_files(rules: Rules, game: str) -> list[str]:
    """Return the ruleset files whose characters fit a table: of its game and of shipped bases.

    A draft ruleset has no file: a shipped game with the same name is a different one.
    """
    files = []
    with suppress(HandfulError):  # the game may be uninstalled while its table still exists
        files += [] if game.startswith(DRAFT_PREFIX) else [ruleset_path(game)]
    lineage = rules.sheet.lineage if rules.sheet else ()
    return files + [ruleset_path(one) for one in lineage if one in known()]


def sheet_for(rules: Rules, game: str, name: str) -> str:
    """Return the sheet of a character for a table: from a file, or a sample character by name."""
    path = character_path(name, ruleset_files(rules, game))
    try:
        return export_character(rules, import_character(rules, read_text(path)))
    except BadCharacter as bad:
        raise BadCharacter(bad.problems, path) from None


def _game_in(data: Any) -> str:
    game = data.get("ruleset") if isinstance(data, dict) else None
    if not isinstance(game, str):
        raise BadCharacter([Message("sheet.names_no_game")])
    return game
