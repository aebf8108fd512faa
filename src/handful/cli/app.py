"""The group of all commands; each module is imported only when its command is called or listed.

Without a command, `handful` plays at a table in memory.
"""

from __future__ import annotations

from importlib import import_module

import click

from handful.cli.arguments import WithExamples
from handful.errors import Message, Refused, did_you_mean

COMMANDS = {  # command -> the module in this package that defines it
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
    "move": "move",
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
    ("handful rulesets", "list the games"),
    ("handful checks uwr", "see what you can roll in a game"),
    ("handful odds uwr direct attribute=3.5 skill=2 target=2", "exact odds of a check"),
    ("handful roll uwr direct attribute=3.5 skill=2 target=2", "roll it"),
    ("handful sheet mira", "show a character"),
    ("handful simulate uwr direct attribute=3.5 skill=2 target=2", "roll it 100,000 times"),
]


class Commands(WithExamples, click.Group):
    """Command group that imports the module of a command on first use."""

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
                Message("command.unknown", name=name[:40], commands=COMMANDS),
                did_you_mean(name, COMMANDS),
            )
        return super().resolve_command(ctx, args)


def _print_version(ctx: click.Context, _: click.Parameter, requested: bool) -> None:
    if requested and not ctx.resilient_parsing:
        from handful import __version__

        click.echo(f"handful {__version__}")
        ctx.exit()


@click.group(cls=Commands, examples=EXAMPLES, invoke_without_command=True)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
@click.pass_context
def handful(ctx: click.Context, /) -> None:
    """A handful of dice, played by the rules.

    Rolls and exact odds for dice-pool role-playing games, from one rules file per game.
    Without a command, handful starts `handful play`.
    """
    if ctx.invoked_subcommand is None:
        from handful.cli.repl import memory_tables

        ctx.exit(memory_tables.play([]))
