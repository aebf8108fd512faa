"""`handful new`: a folder with a ruleset of one's own, to be changed line by line."""

from __future__ import annotations

import os
from os.path import exists, join

import click

from handful import library
from handful.cli import completers, console
from handful.cli.arguments import WithExamples
from handful.errors import FileFault, Refused
from handful.library.files import write_whole
from handful.library.starting import empty, extending, own_name

EXAMPLES = [
    ("handful new my-game", "a small game with comments that explain it"),
    ("handful new my-uwr --from uwr", "a game that changes another one"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("name")
@click.option(
    "--from",
    "base",
    metavar="RULESET",
    shell_complete=completers.rulesets,
    help="Begin with another game and write down only what is different.",
)
def new(name: str, base: str | None) -> None:
    """Make a folder NAME with a ruleset of your own and its first cases."""
    own_name(name)
    if exists(name):
        raise Refused(f"there is a {name!r} here already; nothing was written")
    rules, cases = empty(name) if base is None else _extending(name, base)
    try:
        os.mkdir(name)
    except OSError as error:
        raise FileFault(f"{name}: cannot be made ({error.strerror})") from None
    for file, content in (("ruleset.toml", rules), ("cases.toml", cases)):
        write_whole(join(name, file), content.encode())
    console.emit(
        f"made {name}/ruleset.toml and {name}/cases.toml\n"
        f"next: handful lint {name}, handful test {name}, handful docs {name}"
    )


def _extending(name: str, base: str) -> tuple[str, str]:
    game = library.ruleset(base)
    shipped = game.id in library.known()
    above = game.id if shipped else os.path.relpath(game.file, name)
    return extending(name, game, above.replace("\\", "/"))
