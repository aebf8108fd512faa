"""Reads claims about odds from files: a claims.toml, or blocks in the pages of a rulebook.

Parsing is done by `explore.claims`; this adds files and line numbers.
Invariant: every error names the file and, where possible, the line.
"""

from __future__ import annotations

import os
import re
import tomllib
from typing import Any

from handful.errors import FileFault, Message, Refused
from handful.explore.claims import Claim, read_claims
from handful.library.files import read_text, ruleset_path, shipped
from handful.records import replace

BLOCK = re.compile(r"^(?:```|~~~|:::) *\{?claim\}?[^\n]*\n(.*?)^(?:```|~~~|:::)", re.S | re.M)
HEAD = re.compile(r"^\[\[claim\]\]", re.M)


def claims_file(file: str) -> tuple[str, str]:
    """Return the claims file and its game; the game is empty unless `file` names a shipped game."""
    if file in shipped():
        return ruleset_path(file).replace("ruleset.toml", "claims.toml"), file
    return file, ""


def read_claims_file(path: str) -> list[Claim]:
    """Return the claims of a TOML file, or of the blocks in a page."""
    text = read_text(path)
    found = claims_in(text, path) if path.endswith(".toml") else _read_blocks(text, path)
    return [replace(one, game=_resolve_game(path, one.game)) for one in found]


def _resolve_game(path: str, game: str) -> str:
    """Return a game's path relative to the claims file, wherever the process runs."""
    relative = os.path.join(os.path.dirname(path), game)
    return relative if game.endswith(".toml") and os.path.exists(relative) else game


def _read_blocks(text: str, path: str) -> list[Claim]:
    found: list[Claim] = []
    for block in BLOCK.finditer(text):
        before = text[: block.start(1)].count("\n")
        found += read_claims(_toml(block[1], path, before), path, _lines(block[1], before))
    if not found:
        raise Refused(Message("claim.no_blocks", path=path), Message("claim.block"))
    return found


def claims_in(text: str, path: str) -> list[Claim]:
    """Return the claims of a TOML text; `path` names it in messages."""
    return read_claims(_toml(text, path, 0), path, _lines(text, 0))


def _toml(text: str, path: str, before: int) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"line (\d+)", str(error))
        line = before + (int(at[1]) if at else text.rstrip().count("\n") + 1)
        problem = Message("foreign_text", text=str(error))
        raise FileFault(Message("at", place=f"{path}:{line}", problem=problem)) from None
    except RecursionError:
        raise FileFault(Message("case.nested_too_deeply", path=path)) from None
    except ValueError:  # Python refuses integers of thousands of digits
        raise FileFault(Message("case.number_too_long", path=path)) from None


def _lines(text: str, before: int) -> dict[int, int]:
    """Return the line on which each claim starts, by its number."""
    return {
        number: before + text[: one.start()].count("\n") + 1 for number, one in enumerate(HEAD.finditer(text))
    }
