"""The arguments and options of commands that ask for odds, read into one `Query`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from handful.cli import completers
from handful.cli.arguments import as_option, option_option
from handful.explore.query import FLAGS, TAKES, Query

OPTIONS: dict[str, dict[str, Any]] = {  # by field of a query: how click declares it
    "policy": {"metavar": "usual|best|never", "help": "How decisions are taken; usual unless given."},
    "worth": {"is_flag": True, "help": "Also what decisions are worth: as usual, the best way, never."},
    "shows": {
        "metavar": "FIGURE",
        "help": "success, mean, wins:N, tie, event:NAME, at-least:N or exactly:N.",
    },
    "find": {"required": True, "metavar": "NAME", "help": "What is looked for."},
    "chance": {"required": True, "metavar": "80%", "help": "At least this: 80%, 0.8 or 4/5."},
    "side": {"metavar": "N", "help": "Whose parameter, where there are sides."},
    "within": {"metavar": "RANGE", "help": "Where to look: 1..20."},
}
DECORATORS: dict[str, Callable[[Any], Any]] = {
    "options": option_option,
    "characters": as_option,
    **{name: click.option(FLAGS[name], name, **how) for name, how in OPTIONS.items()},
}
Function = Callable[..., None]


def query_command(kind: str, words: str = "NAME=VALUE") -> Callable[[Function], Function]:
    """Declare the words and options of a kind of question; the command is given a `Query`."""

    def declare(function: Function) -> Function:
        @wraps(function)
        def ask(ruleset: str, check: str, words: tuple[str, ...], **given: Any) -> None:
            fields = {name: given.pop(name) for name in TAKES[kind]}
            function(Query.of(kind, ruleset, check, words, **fields), **given)

        arguments = (
            click.argument("ruleset", shell_complete=completers.rulesets),
            click.argument("check", shell_complete=completers.checks),
            click.argument(
                "words", nargs=-1, metavar=f"[{words} | vs | with]...", shell_complete=completers.words
            ),
            *(DECORATORS[name] for name in TAKES[kind]),
        )
        for add in reversed(arguments):
            ask = add(ask)
        return ask

    return declare
