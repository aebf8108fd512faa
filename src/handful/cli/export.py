"""`handful export`: what a seat was told at a table, as a log that can be verified."""

from __future__ import annotations

import click

from handful.cli import console
from handful.cli.arguments import WithExamples

EXAMPLES = [("handful export evening.handful --seat ann > ann.log", "a seat's own log")]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("table")
@click.option("--seat", required=True, metavar="SEAT", help="Whose log.")
@click.option("--name", metavar="NAME", help="Which table, where the file has several.")
def export(table: str, seat: str, name: str | None) -> None:
    """Print the log of a seat at a table: everything that it was told, and nothing else."""
    from handful.library.tables import open_table

    console.emit(open_table(table, name).export(seat))
