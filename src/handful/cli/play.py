"""`handful play`, and `handful` without a command: an evening, a session, or a demonstration.

A file of tables is an evening at a table, from a terminal or from a script.  Anything else is a
session of single rolls, which needs a terminal on both ends; without one a short demonstration is
printed.
"""

from __future__ import annotations

import shlex
from typing import Any

import click

from handful import library
from handful.cli import complete, rim
from handful.cli.arguments import WithExamples
from handful.cli.asking import people, say
from handful.cli.wanted import Wanted, read
from handful.errors import Refused
from handful.rules.params import lookup

DEMONSTRATION = [
    "handful odds uwr direct attribute=3.5 skill=2 target=2",
    "handful roll me-d6 check dice=4D+1 difficulty=moderate --seed 8",
]
EXAMPLES = [
    ("handful play", "pick a game and a check, see the odds, roll"),
    ("handful play uwr", "begin with a game"),
    ("handful play uwr direct attribute=4 rerolls=2 target=2", "begin with a check"),
    ("handful play --as mira", "a character makes the checks: names in place of numbers"),
    ("handful play evening.handful", "an evening at a table that is kept in a file"),
    ("handful play --new tonight.handful --game uwr --gm kim", "a new table"),
    ("handful play evening.handful < script", "the lines of a script, one after the other"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument(
    "ruleset", required=False, metavar="[GAME | TABLE]", shell_complete=complete.rulesets
)
@click.argument("check", required=False, shell_complete=complete.checks)
@click.argument(
    "words", nargs=-1, metavar="[NAME=VALUE | vs | with]...", shell_complete=complete.words
)
@click.option(
    "--as",
    "who",
    metavar="CHARACTER",
    shell_complete=complete.characters,
    help="Who makes the checks: a .json file, or one that came with the game by name.",
)
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE",
    shell_complete=complete.options, help="A house rule; repeat it for several.",
)  # fmt: skip
@click.option("--new", is_flag=True, help="Make a new table in this file.")
@click.option(
    "--game", metavar="GAME", shell_complete=complete.rulesets, help="Its game, for a new table."
)
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
    """Play in the terminal: an evening at a table, or single rolls.

    A file of tables (evening.handful) opens the table: seats, requests, secrets, fights; what is
    not there yet is made.  A game, or nothing, opens a session of single rolls: pick, see the
    odds, roll, decide, look back.  `help` lists the words of either.

    Without a terminal an evening plays the lines of standard input as a script; the status is 2 if
    one of them was refused.  A session prints a demonstration.
    """
    if ruleset is not None and _is_evening(ruleset, at_table):
        if check or who or options:
            raise Refused(
                f"{ruleset} is a table; a check, --as and --option belong to a session of a game",
                "at the table: roll CHECK ..., house rules name=value",
            )
        from handful.cli.evening import opening

        ctx.exit(opening.begin(ruleset, **at_table))
    elif any(at_table.values()):
        raise Refused("--new, --game, --gm, --table and --seat are for a table: name its file")
    try:
        wanted = Wanted() if ruleset is None else read([ruleset], Wanted())
    except Refused as refusal:
        more = refusal.hint or f"a table is a file, such as {ruleset}.handful"
        raise Refused(refusal.message, more) from None
    if who is not None:
        wanted = wanted.made_by(who)
    rest = [*([check] if check else []), *words, *(f"--option={option}" for option in options)]
    begin(read(rest, wanted) if rest else wanted)


def _is_evening(word: str, at_table: dict[str, Any]) -> bool:
    """Whether a table is meant, and no game."""
    if lookup(word, library.shipped()) is not None:
        return False
    if any(at_table.values()):
        return True
    from handful.cli.evening.opening import is_table

    return is_table(word)


def begin(wanted: Wanted | None = None) -> None:
    """Hold a session, or show what handful does."""
    if people() is None:
        demonstrate()
        return
    from handful.cli import editing
    from handful.cli.session import Session

    session = Session(wanted)
    editing.enable(session.offers)
    say("Handful: a roll by the rules, with its exact odds.")
    say("Pick by number or name, or type a check in one line; help explains, quit leaves.")
    try:
        session.lead()
    except (rim.Left, KeyboardInterrupt) as left:
        say(
            "\nuntil the next roll"
            if isinstance(left, KeyboardInterrupt)
            else "until the next roll"
        )


def demonstrate() -> None:
    """An odds table and a roll, as the commands print them."""
    from handful.cli.app import handful

    for line in DEMONSTRATION:
        say(f"$ {line}\n")
        handful.main(shlex.split(line)[1:], prog_name="handful", standalone_mode=False)
        say("")
    say("In a terminal `handful` opens a session; `handful --help` shows the rest.")
