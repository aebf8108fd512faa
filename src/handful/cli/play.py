"""`handful play`, also `handful` without a command: play at a table in a file or in memory."""

from __future__ import annotations

from typing import Any

import click

from handful import library
from handful.cli import completers
from handful.cli.arguments import WithExamples
from handful.cli.console import is_guess
from handful.errors import Message, Refused
from handful.rules.params import match_name

EXAMPLES = [
    ("handful play", "pick a game and a check, see the odds, roll"),
    ("handful play uwr", "start with a game"),
    ("handful play uwr direct attribute=4 rerolls=2 target=2", "start with a check"),
    ("handful play --as mira", "play a character: names instead of numbers"),
    ("handful play my-game", "play your own game: its folder, or the path to its ruleset.toml"),
    ("handful play uwr < script", "run the lines of a script"),
    ("handful play evening.handful", "open a saved table"),
    ("handful play --new tonight.handful --game uwr --gm kim", "create a table"),
    ("handful play evening.handful < script", "run a script at a saved table"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("ruleset", required=False, metavar="[GAME | TABLE]", shell_complete=completers.rulesets)
@click.argument("check", required=False, shell_complete=completers.checks)
@click.argument("words", nargs=-1, metavar="[NAME=VALUE | vs | with]...", shell_complete=completers.words)
@click.option(
    "--as",
    "who",
    metavar="CHARACTER",
    shell_complete=completers.characters,
    help="Your character: a .json file, or a character of the game by name.",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    shell_complete=completers.options,
    help="Set a house rule; repeat for several.",
)
@click.option("--new", is_flag=True, help="Create a new table in this file.")
@click.option("--game", metavar="GAME", shell_complete=completers.rulesets, help="Game of the new table.")
@click.option("--gm", metavar="NAME", help="GM of the new table.")
@click.option("--table", metavar="NAME", help="The table, if the file has several.")
@click.option("--seat", metavar="NAME", help="Seat to start as.")
@click.pass_context
def play(
    ctx: click.Context,
    /,
    ruleset: str | None,
    check: str | None,
    words: tuple[str, ...],
    who: str | None,
    options: tuple[str, ...],
    **at_table: Any,
) -> None:
    """Play in the terminal, on your own or at a saved table.

    With a game, or nothing, you play alone: pick a check, see the odds, roll, decide.  You are GM
    and player in one, and nothing is saved.  With a file (evening.handful) you play at the table
    saved in it, with seats, requests, secrets and fights; --new creates one.  The commands are the
    same; type `help` to list them.

    Without a terminal, handful runs the lines of standard input as a script.  The exit status is 2
    if a line was refused.
    """
    if ruleset is not None and _is_table(ruleset, at_table):
        if check or who or options:
            raise Refused(
                Message("command.table_has_game", ruleset=ruleset),
                Message("command.at_the_table"),
            )
        from handful.cli.repl import file_tables

        ctx.exit(file_tables.play_file(ruleset, **at_table))
    elif any(at_table.values()):
        raise Refused(Message("command.needs_table_file"))
    if ruleset is not None:
        _check_game(ruleset)
    from handful.cli.repl import memory_tables

    line = [*([ruleset] if ruleset else []), *([check] if check else []), *words]
    ctx.exit(memory_tables.play(line, who, options))


def _is_table(word: str, at_table: dict[str, Any]) -> bool:
    """Return True if a word names a file of tables, not a game."""
    if match_name(word, library.shipped()) is not None:
        return False
    if any(at_table.values()):
        return True
    from handful.cli.repl.file_tables import is_table_file

    return is_table_file(word)


def _check_game(word: str) -> None:
    """Refuse a word that is not a game; the hint covers a mistyped file of a table."""
    try:
        library.ruleset_path(word)
    except Refused as refusal:
        file_hint = Message("command.table_is_a_file", word=word)
        hint = refusal.advice if is_guess(refusal.advice) else file_hint
        raise Refused(refusal.problem, hint) from None
