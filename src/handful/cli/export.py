"""`handful export`: the log of a seat, which `handful verify` can check."""

from __future__ import annotations

import click

from handful.cli import console
from handful.cli.arguments import WithExamples

EXAMPLES = [("handful export evening.handful --seat ann > ann.log", "save Ann's log")]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("table")
@click.option("--seat", required=True, metavar="SEAT", help="The seat.")
@click.option("--name", metavar="NAME", help="The table, if the file has several.")
def export(table: str, seat: str, name: str | None) -> None:
    """Print the log of a seat.

    It holds everything the seat was shown and nothing else; `handful verify` checks it.
    """
    from handful.library.tables import open_table

    console.emit(open_table(table, name).export(seat))
