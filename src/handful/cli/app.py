"""The group of all commands; each is loaded only when it is called or listed.

Without a command it plays at a table in memory.
"""

from __future__ import annotations

from importlib import import_module

import click

from handful.cli.arguments import WithExamples
from handful.errors import Refused, did_you_mean, format_choices

COMMANDS = {  # command -> module in this package that defines it under the same name
    "play": "play",
    "rulesets": "rulesets",
    "checks": "checks",
    "odds": "odds",
    "roll": "roll",
    "simulate": "simulate",
    "table": "table",
    "solve": "solve",
    "diff": "diff",
    "claims": "claims",
    "sheet": "sheet",
    "export": "export",
    "verify": "verify",
    "serve": "serve",
    "tables": "tables",
    "link": "link",
    "backup": "backup",
    "restore": "backup",
    "forget": "forget",
    "lint": "lint",
    "schema": "schema",
    "test": "test",
    "new": "new",
    "docs": "docs",
    "completion": "completion",
}
EXAMPLES = [
    ("handful play", "play: pick a game and a check, see the odds, roll"),
    ("handful rulesets", "the games"),
    ("handful checks uwr", "what a game can roll"),
    ("handful odds uwr direct attribute=3.5 skill=2 target=2", "exact odds"),
    ("handful roll uwr direct attribute=3.5 skill=2 target=2", "a roll"),
    ("handful sheet mira", "a character"),
    ("handful simulate uwr direct attribute=3.5 skill=2 target=2", "a hundred thousand rolls"),
]


class Commands(WithExamples, click.Group):
    """Loads a command's module when it is wanted."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"handful.cli.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            raise Refused(
                f"there is no command {name[:40]!r}; there is {format_choices(COMMANDS)}",
                did_you_mean(name, COMMANDS),
            )
        return super().resolve_command(ctx, args)


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from handful import __version__

        click.echo(f"handful {__version__}")
        ctx.exit()


@click.group(cls=Commands, examples=EXAMPLES, invoke_without_command=True)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and leave.",
)
@click.pass_context
def handful(ctx: click.Context, /) -> None:
    """A handful of dice, played by the rules.

    Rolls and exact odds for dice-pool role-playing games, from one rule text per game.
    Without a command it plays, as `handful play` does.
    """
    if ctx.invoked_subcommand is None:
        from handful.cli.repl import memory_tables

        ctx.exit(memory_tables.play([]))
