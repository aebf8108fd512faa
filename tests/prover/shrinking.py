"""A game that shows a bug, made as small as it goes: fewer lines of its rules, fewer questions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from prover.games import Game

Fails = Callable[[Game], bool]
MOST_TRIES = 400


def shrunk(game: Game, fails: Fails) -> Game:
    """The smallest game that still fails, as far as leaving out lines and parts leads."""
    tries = 0
    smaller = True
    while smaller and tries < MOST_TRIES:
        smaller = False
        for toml in _smaller(game.toml):
            tries += 1
            one = replace(game, toml=toml)
            if tries < MOST_TRIES and _failing(one, fails):
                game, smaller = one, True
                break
    return game


def _failing(game: Game, fails: Fails) -> bool:
    try:
        return fails(game)
    except Exception:
        return False  # it no longer loads, or fails for another reason


def _smaller(toml: str) -> Iterator[str]:
    """The text without one of its lines, blocks or numbers."""
    lines = toml.split("\n")
    for at, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        end = at + 1
        while end < len(lines) and len(lines[end]) - len(lines[end].lstrip()) > indent:
            end += 1
        yield "\n".join(lines[:at] + lines[end:])
        if line.startswith("["):
            section = at + 1
            while section < len(lines) and not lines[section].startswith("["):
                section += 1
            yield "\n".join(lines[:at] + lines[section:])
    for found in re.finditer(r" [-+*] \d+", toml):
        yield toml[: found.start()] + toml[found.end() :]
