"""`handful link`: list tables and seats, and create a new link to a seat, for example when one is lost."""

from __future__ import annotations

from os.path import exists

import click

from handful.cli import console
from handful.cli.arguments import WithExamples
from handful.errors import FileFault, Message, Refused

DEFAULT_DATA = "handful.db"
EXAMPLES = [
    ("handful link --data evening.handful", "list the tables and their seats"),
    ("handful link --data evening.handful evening ann", "a link for Ann"),
    ("handful link evening.handful evening", "a link for the GM"),
    (
        "handful link evening.handful evening --seat ann --public https://dice.example",
        "a link for Ann, with the public address",
    ),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("words", nargs=-1, metavar="[TABLE [SEAT]]")
@click.option(
    "--data",
    envvar="HANDFUL_DATA",
    default=DEFAULT_DATA,
    show_default=True,
    metavar="FILE",
    help="File of the tables, or address of a database.",
)
@click.option("--seat", default="", metavar="SEAT", help="The seat; the GM if not given.")
@click.option(
    "--public",
    envvar="HANDFUL_PUBLIC",
    default="http://127.0.0.1:8000",
    show_default=True,
    metavar="ADDRESS",
    help="Address of the server.",
)
@click.pass_context
def link(context: click.Context, words: tuple[str, ...], data: str, seat: str, public: str) -> None:
    """Create a new link to a seat; without a table, list the tables and their seats.

    It works at once, also while the server runs.  Earlier links stay valid; the GM can revoke them
    at the table.  The log of the seat and of the GM says that the host made it.
    Without --data, the first word may be the file: FILE TABLE.
    """
    given = context.get_parameter_source("data") is click.core.ParameterSource.COMMANDLINE
    file, table, named = _read_words(list(words), data, given)
    if named and seat:
        raise Refused(Message("command.seat_twice", first=named[:60], second=seat[:60]))
    if not table:
        console.emit(_list_seats(file))
        return
    found, token = _create(file, table, named or seat)
    console.emit(f"{found}: {public.rstrip('/')}/join/{token}")


def _read_words(words: list[str], data: str, given: bool) -> tuple[str, str, str]:
    """Return file, table and seat; the file may be the first word, unless it was given by --data."""
    if words and not given and (_is_there(words[0]) or not _is_there(data)):
        data = words.pop(0)
        if not _is_there(data):
            raise FileFault(Message("file.not_found", path=data))
    if len(words) > 2:
        raise Refused(
            Message("command.too_many_words", words=words[2:]), "handful link TABLE SEAT --data FILE"
        )
    return data, *[*words, "", ""][:2]  # type: ignore[return-value]


def _is_there(data: str) -> bool:
    from handful.store import is_address

    return is_address(data) or exists(data)


def _list_seats(file: str) -> str:
    """Return every table of a file with its seats."""
    from handful.library.tables import open_table
    from handful.store import display_name
    from handful.store.maintenance import list_tables

    lines = []
    for one in sorted(list_tables(file), key=lambda one: one.last, reverse=True):
        stored = open_table(file, one.table)
        stored.store.close()
        seats, left = stored.table.seats, stored.table.left_seats
        names = [f"{name} ({role}{', has left' if name in left else ''})" for name, role in seats.items()]
        lines += [f"{one.table}  {one.title}, {one.game}", f"    {', '.join(names)}"]
    return "\n".join(lines) or f"{display_name(file)} has no tables"


def _create(file: str, table: str, seat: str) -> tuple[str, str]:
    """Create a link to a seat, or to the GM's; return the seat and the token."""
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
        return found, create_link(stored.store, Link(stored.header.table, found, seats[found]))
    finally:
        stored.store.close()
