"""`handful move`: copy tables between files and databases."""

from __future__ import annotations

import click

from handful.cli import console
from handful.cli.arguments import WithExamples
from handful.cli.backup import summary_text

EXAMPLES = [
    ("handful move evening.handful moved.handful", "copy every table into another file"),
    ("handful move evening.handful postgresql://localhost/dice", "into a database; or the other way"),
    ("handful move evening.handful one.handful evening", "only one table"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@click.argument("tables", nargs=-1, metavar="[TABLE]...")
def move(source: str, target: str, tables: tuple[str, ...]) -> None:
    """Copy tables with everything that belongs to them: logs, secrets, links, pictures, rulesets.

    FROM and TO are files of tables, or addresses of PostgreSQL databases (postgresql://…).  Every log is
    verified in its new place, and nothing is written unless all of them are sound.  FROM stays as it is;
    stop its server first, else what is played meanwhile stays behind.
    """
    from handful.store import display_name
    from handful.store.moving import copy_tables

    console.emit(f"{display_name(target)}: {summary_text(copy_tables(source, target, tables))}")
