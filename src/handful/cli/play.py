"""`handful play`, and `handful` without a command: a table in a file, or one in memory."""

from __future__ import annotations

from typing import Any

import click

from handful import library
from handful.cli import completers
from handful.cli.arguments import WithExamples
from handful.errors import Refused
from handful.rules.params import match_name

EXAMPLES = [
    ("handful play", "pick a game and a check, see the odds, roll"),
    ("handful play uwr", "begin with a game"),
    ("handful play uwr direct attribute=4 rerolls=2 target=2", "begin with a check"),
    ("handful play --as mira", "a character makes the checks: names in place of numbers"),
    ("handful play my-game", "a game of your own: its folder, or the path to its ruleset.toml"),
    ("handful play uwr < script", "the lines of a script, one after the other"),
    ("handful play evening.handful", "a table that is kept in a file"),
    ("handful play --new tonight.handful --game uwr --gm kim", "a new table"),
    ("handful play evening.handful < script", "a script at that table"),
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
    help="Who makes the checks: a .json file, or one that came with the game by name.",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    shell_complete=completers.options,
    help="A house rule; repeat it for several.",
)
@click.option("--new", is_flag=True, help="Make a new table in this file.")
@click.option("--game", metavar="GAME", shell_complete=completers.rulesets, help="Its game, for a new table.")
@click.option("--gm", metavar="NAME", help="Who is the GM of a new table.")
@click.option("--table", metavar="NAME", help="Which table, where a file has several.")
@click.option("--seat", metavar="NAME", help="Who has the screen first.")
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
    """Play in the terminal: at a table in memory, or at one that is kept in a file.

    A file of tables (evening.handful) opens the table: seats, requests, secrets, fights; what is
    not there yet is made.  A game, or nothing, opens a table in memory with one seat that is GM
    and player: pick a check, see the odds, roll, decide, look back; nothing of it is kept.  The
    words are the same, and `help` lists them.

    Without a terminal the lines of standard input are played as a script; the status is 2 if one
    of them was refused.
    """
    if ruleset is not None and _is_table(ruleset, at_table):
        if check or who or options:
            raise Refused(
                f"{ruleset} is a table; a check, --as and --option belong to a game in memory",
                "at the table: roll CHECK ..., as NAME, house rules name=value",
            )
        from handful.cli.repl import file_tables

        ctx.exit(file_tables.play_file(ruleset, **at_table))
    elif any(at_table.values()):
        raise Refused("--new, --game, --gm, --table and --seat are for a table: name its file")
    if ruleset is not None:
        _check_game(ruleset)
    from handful.cli.repl import memory_tables

    line = [*([ruleset] if ruleset else []), *([check] if check else []), *words]
    ctx.exit(memory_tables.play(line, who, options))


def _is_table(word: str, at_table: dict[str, Any]) -> bool:
    """Tell whether a word is a file of tables, and no game."""
    if match_name(word, library.shipped()) is not None:
        return False
    if any(at_table.values()):
        return True
    from handful.cli.repl.file_tables import is_table_file

    return is_table_file(word)


def _check_game(word: str) -> None:
    """Refuse what is no game; what is meant may be the file of a table."""
    try:
        library.ruleset_path(word)
    except Refused as refusal:
        meant = refusal.hint.startswith("did you mean")
        more = refusal.hint if meant else f"a table is a file, such as {word}.handful"
        raise Refused(refusal.message, more) from None
