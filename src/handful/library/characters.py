"""Characters by name or path, each with the game that it belongs to."""

from __future__ import annotations

from typing import Any

from handful.errors import BadCharacter
from handful.library.files import (
    character_names,
    character_path,
    game_of,
    read_text,
    ruleset_path,
    shipped,
)
from handful.library.rulesets import Ruleset, ruleset
from handful.sheet import Character, parsed, read


def shipped_characters() -> list[tuple[str, str]]:
    """The characters that come with the games: game and name."""
    return [(game, name) for game in shipped() for name in character_names(ruleset_path(game))]


def opened(name: str, game: str | None = None) -> tuple[Ruleset, Character, str]:
    """A character, its game and its file; the game is the one that the file names, or this one."""
    files = [ruleset_path(game)] if game else [ruleset_path(one) for one in shipped()]
    path = character_path(name, files)
    try:
        data = parsed(read_text(path))
        rules = ruleset(game or game_of(path, _game_in(data)))
        return rules, read(rules.rules, data), path
    except BadCharacter as bad:
        raise BadCharacter(bad.mistakes, path) from None


def _game_in(data: Any) -> str:
    game = data.get("ruleset") if isinstance(data, dict) else None
    if not isinstance(game, str):
        raise BadCharacter(['ruleset: is missing; "ruleset": "uwr" names its game'])
    return game
