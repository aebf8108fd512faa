"""`handful backup` and `handful restore`: whole copies of a file of tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from handful.cli import console
from handful.cli.arguments import WithExamples

if TYPE_CHECKING:
    from handful.store.maintenance import TableSummary

EXAMPLES = [
    ("handful backup evening.handful tonight.backup", "a copy, also while a server writes"),
    ("handful restore evening.backup saturday.handful", "a file of tables from a copy"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("file")
@click.argument("to")
def backup(file: str, to: str) -> None:
    """Copy a file of tables as it is at this moment, and read the copy through.

    The server may run on meanwhile.  TO must not be there yet.  Whoever can read the copy can see
    every secret: it is its owner's alone, like the file.
    """
    from handful.store.maintenance import copy_file

    console.emit(f"{to}: {_summary_text(copy_file(file, to))}")


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("copy")
@click.argument("file")
def restore(copy: str, file: str) -> None:
    """Make a file of tables from a copy, and read it through.

    FILE must not be there: stop the server, and move the file that it had out of the way.
    """
    from handful.store import maintenance

    console.emit(f"{file}: {_summary_text(maintenance.copy_file(copy, file))}")


def _summary_text(found: list[TableSummary]) -> str:
    entries = sum(one.entries for one in found)
    return f"{len(found)} tables with {entries} entries, all of them as they were saved"
