"""Opens the store that a text names: a file of SQLite, or the address of a PostgreSQL database."""

from __future__ import annotations

from urllib.parse import urlsplit

from handful.errors import Message, NotInstalled
from handful.store.protocol import StoreFault
from handful.store.sql import SQLStore
from handful.store.sqlite import SQLiteStore

ADDRESS_EXAMPLE = "postgresql://USER:PASSWORD@HOST/DATABASE"
SCHEMES = ("postgresql://", "postgres://")


def is_address(data: str) -> bool:
    """Tell whether tables are in a database server, not in a file."""
    return data.startswith(SCHEMES)


def display_name(data: str) -> str:
    """Return how messages name a store; of an address never the user or the password."""
    if not is_address(data):
        return data
    try:
        parts = urlsplit(data)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        raise StoreFault(Message("store.bad_address"), ADDRESS_EXAMPLE) from None
    return f"postgresql://{parts.hostname or ''}{port}{parts.path}"


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
