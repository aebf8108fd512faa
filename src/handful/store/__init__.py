"""Where tables are kept: append-only logs, in memory or in an SQLite file.

A store knows entries, not games.  `Kept` binds one table to a store: decide, save, and only then
tell anybody.
"""

from handful.store.kept import Kept
from handful.store.memory import MemoryStore
from handful.store.shelf import Shelf, read_kept
from handful.store.sqlite import SQLiteStore
from handful.store.stores import Brew, Conflict, Forgotten, Link, Opened, Store, StoreFault, Texts

__all__ = [
    "Brew",
    "Conflict",
    "Forgotten",
    "Kept",
    "Link",
    "MemoryStore",
    "Opened",
    "SQLiteStore",
    "Shelf",
    "Store",
    "StoreFault",
    "Texts",
    "read_kept",
]
