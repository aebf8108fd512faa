"""Opens the store that a text names: a file of SQLite, or the address of a PostgreSQL database."""

from __future__ import annotations

from handful.errors import Message, NotInstalled
from handful.store.sql import SQLStore
from handful.store.sqlite import SQLiteStore

SCHEMES = ("postgresql://", "postgres://")


def is_address(data: str) -> bool:
    """Tell whether tables are in a database server, not in a file."""
    return data.startswith(SCHEMES)


def open_store(data: str, *, create: bool = False, one_thread: bool = True) -> SQLStore:
    """Open the tables at `data`.

    `create=True` creates the file or the schema; with `one_thread=False` the caller guarantees that only
    one thread uses the store at a time.
    """
    if not is_address(data):
        return SQLiteStore(data, create=create, one_thread=one_thread)
    try:
        from handful.store.postgres import PostgresStore  # importing it takes 60 ms
    except ModuleNotFoundError as missing:
        raise NotInstalled(
            Message("store.needs_package", name=missing.name), "pip install 'handful[postgres]'"
        ) from None
    return PostgresStore(data, create=create)
