"""`handful new`: a folder with a small ruleset to start from."""

from __future__ import annotations

import os
from os.path import exists, join

import click

from handful import library
from handful.cli import completers, console
from handful.cli.arguments import WithExamples
from handful.errors import FileFault, Message, Refused
from handful.library.files import write_atomically
from handful.library.new_ruleset import check_name, empty_ruleset, extending_ruleset

EXAMPLES = [
    ("handful new my-game", "a small game, explained in comments"),
    ("handful new my-uwr --from uwr", "a variant of another game"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("name")
@click.option(
    "--from",
    "base",
    metavar="RULESET",
    shell_complete=completers.rulesets,
    help="Extend another game: the new file holds only what is different.",
)
def new(name: str, base: str | None) -> None:
    """Create a folder NAME with a ruleset of your own.

    It also holds the first test cases.
    """
    check_name(name)
    if exists(name):
        raise Refused(Message("command.folder_exists", name=name))
    rules, cases = empty_ruleset(name) if base is None else _extending(name, base)
    try:
        os.mkdir(name)
    except OSError as error:
        raise FileFault(Message("file.cannot_be_made", path=name, reason=error.strerror)) from None
    for file, content in (("ruleset.toml", rules), ("cases.toml", cases)):
        write_atomically(join(name, file), content.encode())
    console.emit(
        f"created {name}/ruleset.toml and {name}/cases.toml\n"
        f"next: handful lint {name}, handful test {name}, handful docs {name}"
    )


def _extending(name: str, base: str) -> tuple[str, str]:
    game = library.ruleset(base)
    shipped = game.id in library.known()
    reference = game.id if shipped else os.path.relpath(game.file, name)
    return extending_ruleset(name, game, reference.replace("\\", "/"))
