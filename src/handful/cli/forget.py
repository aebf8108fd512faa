"""`handful forget`: delete a table."""

from __future__ import annotations

import click

from handful.cli import console
from handful.cli.arguments import WithExamples
from handful.errors import Refused, format_choices

EXAMPLES = [("handful forget evening.handful evening --yes", "everything of this table")]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("file")
@click.argument("table")
@click.option("--yes", is_flag=True, help="Do not ask first.")
def forget(file: str, table: str, yes: bool) -> None:
    """Delete a table from a file: its log, its secret, its links.  It cannot be undone.

    The server may run on: who sits at the table is let go.  Copies that were made before still
    have it, and so do logs that seats have exported.
    """
    from handful.store import maintenance

    found = {one.table: one for one in maintenance.list_tables(file)}
    if table not in found:
        raise Refused(f"{file} has no table {table[:60]!r}; there is {format_choices(found)}")
    if not yes:
        _confirm(table, found[table].entries)
    gone = maintenance.delete_table(file, table)
    console.emit(f"{table} with {gone} entries is deleted")


def _confirm(table: str, entries: int) -> None:
    from handful.cli.prompts import read_line, terminal_prompter

    if terminal_prompter() is None:
        raise Refused("deleting a table cannot be undone", "say --yes if you mean it")
    if read_line(f"Delete {table} with {entries} entries for good? Type its name: ") != table:
        raise Refused("nothing was deleted: that was not its name")
