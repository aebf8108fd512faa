"""`handful forget`: delete a table from a file."""

from __future__ import annotations

import click

from handful.cli import console, layout
from handful.cli.arguments import WithExamples
from handful.errors import Message, Refused

EXAMPLES = [("handful forget evening.handful evening --yes", "delete a table without asking")]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("words", nargs=-1, metavar="[FILE] TABLE")
@click.option("--data", envvar="HANDFUL_DATA", default="", metavar="FILE", help="Instead of FILE.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def forget(words: tuple[str, ...], data: str, yes: bool) -> None:
    """Delete a table from a file, or from a database at postgresql://…

    Its log, its secret and its links are gone; this cannot be undone.  The server may keep running:
    it disconnects everyone at the table.  Backups and exported logs are not touched.
    Without FILE it is that of HANDFUL_DATA.
    """
    from handful.store import display_name, maintenance

    *files, table = words or ("",)
    file = files[0] if files else data
    if len(files) > 1 or not file or not table:
        raise Refused(Message("command.which_file_and_table"), "handful forget FILE TABLE")
    found = {one.table: one for one in maintenance.list_tables(file)}
    if table not in found:
        raise Refused(Message("store.unknown_table", file=display_name(file), name=table[:60], found=found))
    if not yes:
        _confirm(table, found[table].entries)
    deleted = maintenance.delete_table(file, table)
    console.emit(f"deleted {table} ({layout.format_entries(deleted)})")


def _confirm(table: str, entries: int) -> None:
    from handful.cli.prompts import read_line, terminal_prompter

    if terminal_prompter() is None:
        raise Refused(Message("command.deletes_for_good"), Message("command.say_yes"))
    count = layout.format_entries(entries)
    if read_line(f"Delete {table} ({count}) for good? Type its name to confirm: ") != table:
        raise Refused(Message("command.nothing_deleted"))
