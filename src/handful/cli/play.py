"""`handful play`, and `handful` without a command: a session, or a demonstration.

A session needs a terminal on both ends; without one a short demonstration is printed.
"""

from __future__ import annotations

import shlex

import click

from handful.cli import complete, rim
from handful.cli.arguments import WithExamples
from handful.cli.asking import people, say
from handful.cli.wanted import Wanted, read

DEMONSTRATION = [
    "handful odds uwr direct attribute=3.5 skill=2 target=2",
    "handful roll me-d6 check dice=4D+1 difficulty=moderate --seed 8",
]
EXAMPLES = [
    ("handful play", "pick a game and a check, see the odds, roll"),
    ("handful play uwr", "begin with a game"),
    ("handful play uwr direct attribute=4 rerolls=2 target=2", "begin with a check"),
    ("handful play --as mira", "a character makes the checks: names in place of numbers"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("ruleset", required=False, shell_complete=complete.rulesets)
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
def play(
    ruleset: str | None,
    check: str | None,
    words: tuple[str, ...],
    who: str | None,
    options: tuple[str, ...],
) -> None:
    """Play in the terminal: pick, see the odds, roll, decide, look back.

    `help` lists the words of the session. Without a terminal it prints a demonstration.
    """
    wanted = Wanted() if ruleset is None else read([ruleset], Wanted())
    if who is not None:
        wanted = wanted.made_by(who)
    rest = [*([check] if check else []), *words, *(f"--option={option}" for option in options)]
    begin(read(rest, wanted) if rest else wanted)


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
