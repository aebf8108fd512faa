"""Arguments and options of commands that query odds, parsed into a `Query`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from handful.cli import completers
from handful.cli.arguments import as_option, option_option
from handful.explore.query import FLAGS, TAKES, Query
from handful.rules.free_dice import CHECK, looks_free

OPTIONS: dict[str, dict[str, Any]] = {  # field of a query -> arguments of click.option
    "policy": {"metavar": "usual|best|never", "help": "How decisions are made; default: usual."},
    "worth": {"is_flag": True, "help": "Also compare the policies: how much decisions help."},
    "shows": {
        "metavar": "FIGURE",
        "help": "success, mean, wins:N, tie, event:NAME, at-least:N or exactly:N.",
    },
    "find": {"required": True, "metavar": "NAME", "help": "The parameter to find."},
    "chance": {"required": True, "metavar": "80%", "help": "The chance to reach: 80%, 0.8 or 4/5."},
    "side": {"metavar": "N", "help": "The side whose parameter to find."},
    "within": {"metavar": "RANGE", "help": "Values to try, such as 1..20."},
}
DECORATORS: dict[str, Callable[[Any], Any]] = {
    "options": option_option,
    "characters": as_option,
    **{name: click.option(FLAGS[name], name, **settings) for name, settings in OPTIONS.items()},
}
Function = Callable[..., None]


def query_command(kind: str, words: str = "NAME=VALUE") -> Callable[[Function], Function]:
    """Declare the arguments and options of a kind of query; the command receives a `Query`."""

    def declare(function: Function) -> Function:
        @wraps(function)
        def ask(ruleset: str, check: str | None, words: tuple[str, ...], **given: Any) -> None:
            fields = {name: given.pop(name) for name in TAKES[kind]}
            if looks_free(ruleset):  # an expression, perhaps without quotation marks
                rest = [one for one in (check, *words) if one not in (None, CHECK)]
                ruleset, check, words = " ".join([ruleset, *map(str, rest)]), CHECK, ()
            if check is None:
                context = click.get_current_context()
                missing = next(one for one in context.command.params if one.name == "check")
                raise click.MissingParameter(ctx=context, param=missing)
            function(Query.of(kind, ruleset, check, words, **fields), **given)

        arguments = (
            click.argument("ruleset", shell_complete=completers.rulesets),
            click.argument("check", required=False, metavar="CHECK", shell_complete=completers.checks),
            click.argument(
                "words", nargs=-1, metavar=f"[{words} | vs | with]...", shell_complete=completers.words
            ),
            *(DECORATORS[name] for name in TAKES[kind]),
        )
        for add in reversed(arguments):
            ask = add(ask)
        return ask

    return declare
