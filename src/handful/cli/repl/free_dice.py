"""Free dice at the table: `roll 3d6+2`, `roll 8d10 >= 7 mode=private`, and their odds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from handful.cli.prompts import echo
from handful.cli.repl.rolls import show_roll, throw_data
from handful.rules.free_dice import free_check, looks_free

if TYPE_CHECKING:
    from handful.cli.repl.repl import Repl

Words = Sequence[str]
_FIELD = re.compile(r"(mode|title|faces|entropy)=(.*)\Z")


def is_free_roll(words: Words) -> bool:
    return bool(words) and looks_free(words[0])


def _split(words: Words) -> tuple[str, dict[str, str]]:
    """Return the expression, and the fields that were typed with it."""
    fields = {found[1]: found[2] for one in words if (found := _FIELD.match(one))}
    return " ".join(one for one in words if not _FIELD.match(one)), fields


def roll_free(repl: Repl, words: Words) -> None:
    """Roll dice outside the rules of the game."""
    expression, fields = _split(words)
    data: dict[str, Any] = {name: fields[name] for name in ("mode", "title") if name in fields}
    events = repl.submit("declare", check=free_check(expression), throw=throw_data(fields), **data)
    show_roll(repl, str(events[0].data["roll"]))


def show_free_odds(repl: Repl, words: Words) -> None:
    """Show the odds of an expression; nothing is rolled."""
    from handful.cli.show_odds import odds_text
    from handful.library import ruleset

    expression, _ = _split(words)
    game = ruleset(expression)
    echo(odds_text(game.bind("dice"), game.odds("dice")))
