"""`handful checks`: the checks of a game, with everything that can be typed."""

from __future__ import annotations

import click

from handful import library
from handful.cli import completers, console
from handful.cli.arguments import WithExamples, json_option, ruleset_argument

EXAMPLES = [
    ("handful checks uwr", "everything you can roll in a game"),
    ("handful checks me-d6 attack", "one check only"),
    ("handful checks tuurna --json", "for a program"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@ruleset_argument
@click.argument("check", required=False, shell_complete=completers.checks)
@json_option
def checks(ruleset: str, check: str | None, as_json: bool) -> None:
    """Show the checks, house rules and difficulties of a game."""
    from handful.cli import catalog

    game = library.ruleset(ruleset)
    rules = game.rules
    chosen = list(rules.checks.values()) if check is None else [rules.check(check)]
    if as_json:
        console.emit_json(catalog.as_data(rules, chosen) | {"characters": game.characters()})
    else:
        lines = catalog.as_text(rules, chosen)
        console.emit("\n".join(lines + catalog.characters_text(rules, game.characters())))
