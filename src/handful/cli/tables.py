"""`handful tables`: list the tables in a file."""

from __future__ import annotations

import click

from handful.cli import console, layout
from handful.cli.arguments import WithExamples, json_option
from handful.errors import format_count

EXAMPLES = [
    ("handful tables evening.handful", "list the tables with game and last change"),
    ("handful tables evening.handful --json", "for a program"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("file", envvar="HANDFUL_DATA")
@json_option
def tables(file: str, as_json: bool) -> None:
    """List the tables in a file, or in a database at postgresql://…

    Without FILE it is that of HANDFUL_DATA.  Shows names and times, nothing that happened at a
    table.  The server may keep running.
    """
    from handful.store import display_name
    from handful.store.maintenance import list_tables

    found = list_tables(file)
    if as_json:
        console.emit_json(
            {
                "file": display_name(file),
                "tables": [
                    {
                        "table": one.table,
                        "game": one.game,
                        "title": one.title,
                        "entries": one.entries,
                        "last": one.last,
                        "links": one.links,
                    }
                    for one in found
                ],
            }
        )
        return
    lines = [
        f"{one.table}  {one.game}  {layout.format_entries(one.entries)}, {format_count(one.links, 'link')}, "
        f"last changed {one.last[:16]}"
        for one in sorted(found, key=lambda one: one.last, reverse=True)
    ]
    console.emit("\n".join(lines) or f"{display_name(file)} has no tables")
