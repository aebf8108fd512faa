"""`handful link`: create a new link to a seat, for example when one is lost."""

from __future__ import annotations

import click

from handful.cli import console
from handful.cli.arguments import WithExamples
from handful.errors import Message, Refused

EXAMPLES = [
    ("handful link evening.handful evening", "a link for the GM"),
    (
        "handful link evening.handful evening --seat ann --public https://dice.example",
        "a link for Ann, with the public address",
    ),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("file")
@click.argument("table")
@click.option("--seat", default="", metavar="SEAT", help="The seat; the GM if not given.")
@click.option(
    "--public",
    envvar="HANDFUL_PUBLIC",
    default="http://127.0.0.1:8000",
    show_default=True,
    metavar="ADDRESS",
    help="Address of the server.",
)
def link(file: str, table: str, seat: str, public: str) -> None:
    """Create a new link to a seat.

    It works at once, also while the server runs.  Earlier links stay valid; the GM can revoke them
    at the table.  The log of the seat and of the GM says that the host made it.
    """
    from handful.library.tables import open_table
    from handful.store import Link
    from handful.table import GM
    from handful.web.links import create_link

    stored = open_table(file, table)
    try:
        seats, left = stored.table.seats, stored.table.left_seats
        if seat and seat not in seats:
            raise Refused(Message("command.unknown_seat", table=table, seat=seat[:60], seats=seats))
        found = seat or next(one for one in seats if seats[one] == GM and one not in left)
        stored.record_link(found, by="")()
        token = create_link(stored.store, Link(stored.header.table, found, seats[found]))
    finally:
        stored.store.close()
    console.emit(f"{found}: {public.rstrip('/')}/join/{token}")
