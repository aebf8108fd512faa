"""Stores of every kind, for tests of what they have in common."""

from __future__ import annotations

from pathlib import Path

import pytest

from handful.store import MemoryStore, SQLStore, Store, open_store

SAVED = ("sqlite", "postgres")  # kinds that several processes may open
KINDS = ("memory", *SAVED)


def new_data(kind: str, request: pytest.FixtureRequest) -> str:
    """Return where tables of this kind can be saved: a file, or an address."""
    if kind == "postgres":
        address: str = request.getfixturevalue("postgres_address")
        return address
    folder: Path = request.getfixturevalue("tmp_path")
    return str(folder / "tables.handful")


def new_store(kind: str, request: pytest.FixtureRequest) -> Store:
    return MemoryStore() if kind == "memory" else open_store(new_data(kind, request), create=True)


def execute(store: SQLStore, statement: str) -> int:
    """Change the database behind the store's back; return the number of rows."""
    with store.transaction():
        return store.execute(statement).rowcount
