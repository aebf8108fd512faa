"""`handful backup` and `handful restore`: complete copies of a file of tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from handful.cli import console, layout
from handful.cli.arguments import WithExamples
from handful.errors import format_count

if TYPE_CHECKING:
    from handful.store.maintenance import TableSummary

EXAMPLES = [
    ("handful backup evening.handful tonight.backup", "back up; the server may keep running"),
    ("handful restore evening.backup saturday.handful", "restore a backup as a new file"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("file")
@click.argument("to")
def backup(file: str, to: str) -> None:
    """Back up a file of tables.

    The server may keep running.  TO must not exist yet; it is read back and verified.  Keep it
    private: anyone who can read the backup can see every secret in it.
    """
    from handful.store.maintenance import copy_file

    console.emit(f"{to}: {summary_text(copy_file(file, to))}")


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("copy")
@click.argument("file")
def restore(copy: str, file: str) -> None:
    """Restore a file of tables from a backup.

    FILE must not exist yet: stop the server and move its old file out of the way first.
    """
    from handful.store import maintenance

    console.emit(f"{file}: {summary_text(maintenance.copy_file(copy, file))}")


def summary_text(found: list[TableSummary]) -> str:
    entries = sum(one.entries for one in found)
    return f"{format_count(len(found), 'table')}, {layout.format_entries(entries)}, all verified"
