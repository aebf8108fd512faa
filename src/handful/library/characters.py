"""Characters by name or path, each with the game that it belongs to."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from handful.errors import BadCharacter, HandfulError
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
    """The characters that come with the games: game and name."""
    return [(game, name) for game in shipped() for name in character_names(ruleset_path(game))]


def open_character(name: str, game: str | None = None) -> tuple[Ruleset, Character, str]:
    """A character, its game and its file; the game is the one that the file names, or this one."""
    files = [ruleset_path(game)] if game else [ruleset_path(one) for one in shipped()]
    path = character_path(name, files)
    try:
        data = parse_text(read_text(path))
        rules = ruleset(game or game_of(path, _game_in(data)))
        return rules, read_character(rules.rules, data), path
    except BadCharacter as bad:
        raise BadCharacter(bad.mistakes, path) from None


def ruleset_files(rules: Rules, game: str) -> list[str]:
    """The ruleset files whose characters fit a table: of its game, and of shipped ones below it.

    A game of somebody's own is known only by its rules; what lies under its name is another.
    """
    files = []
    with suppress(HandfulError):  # a game that is not there any more; its table is
        files += [] if game.startswith(DRAFT_PREFIX) else [ruleset_path(game)]
    lineage = rules.sheet.lineage if rules.sheet else ()
    return files + [ruleset_path(one) for one in lineage if one in known()]


def sheet_for(rules: Rules, game: str, name: str) -> str:
    """The sheet of a character for a table: a file, or one that came with its game, by name."""
    path = character_path(name, ruleset_files(rules, game))
    try:
        return export_character(rules, import_character(rules, read_text(path)))
    except BadCharacter as bad:
        raise BadCharacter(bad.mistakes, path) from None


def _game_in(data: Any) -> str:
    game = data.get("ruleset") if isinstance(data, dict) else None
    if not isinstance(game, str):
        raise BadCharacter(['ruleset: is missing; "ruleset": "uwr" names its game'])
    return game
