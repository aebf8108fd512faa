"""`handful tables`: what is in a file of tables."""

from __future__ import annotations

import click

from handful.cli import console
from handful.cli.arguments import WithExamples, json_option

EXAMPLES = [
    ("handful tables evening.handful", "each table, with its game and when it was played last"),
    ("handful tables evening.handful --json", "the same for programs"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("file")
@json_option
def tables(file: str, as_json: bool) -> None:
    """List the tables of a file; also while a server writes it.

    Names and times only: nothing that happened at a table is shown.
    """
    from handful.store.maintenance import list_tables

    found = list_tables(file)
    if as_json:
        console.emit_json(
            {
                "file": file,
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
        f"{one.table}  {one.game}  {one.entries} entries, {one.links} links, last {one.last[:16]}"
        for one in sorted(found, key=lambda one: one.last, reverse=True)
    ]
    console.emit("\n".join(lines) or f"{file} has no tables")
