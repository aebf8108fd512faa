"""Copies tables from one store to another: between SQLite files and PostgreSQL databases, either way.

The source is read as it is at one moment and stays as it is.  Rows are copied as they are, so that the
chain of each log stays the same, and read back before anything is committed.
Invariant: the target has all of it or nothing.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from os.path import exists

from handful.errors import Message, Refused
from handful.store.maintenance import SIDE_FILES, TableSummary, table_summary
from handful.store.opening import is_address, open_store
from handful.store.protocol import TableHeader
from handful.store.sql import SQLStore

BATCH = 500  # rows
# The rows of a table, in an order that foreign keys allow.
_PARTS = {
    "tables": "table_id, game, secret, ruleset, mark, signing_seed",
    "entries": "table_id, seq, entry",
    "epochs": "table_id, number, secret",
    "links": "mark, table_id, seat, role",
    "join_links": "table_id, role, nonce",
    "recovery_codes": "table_id, seat, mark",
    "pictures": "table_id, hash, picture",
}
# What tables share, by hash; what is there already is the same.
_SHARED = {"rulesets": "hash, texts", "shelf": "hash, ruleset, text, cases"}


def copy_tables(source: str, target: str, only: Collection[str] = ()) -> list[TableSummary]:
    """Copy all tables, or only some; return them as they are in the target.

    Refused if the target has one of them already.
    """
    with _opened(source) as old, _opened(target, create=True) as new, old.snapshot():
        found = {one.table: one for one in old.tables()}
        for table in only:
            if table not in found:
                raise Refused(Message("store.unknown_table", file=old.name, name=table[:60], found=found))
        chosen = [*only] or [*found]
        taken = {one.table for one in new.tables()}.intersection(chosen)
        if taken:
            raise Refused(Message("store.tables_taken", path=new.name, tables=sorted(taken)))
        with new.transaction():
            for name, columns in _SHARED.items():
                _copy(old, new, name, columns)
            for table in chosen:
                for name, columns in _PARTS.items():
                    _copy(old, new, name, columns, table)
            return [_verified(old, new, found[table]) for table in chosen]


def _copy(old: SQLStore, new: SQLStore, name: str, columns: str, table: str | None = None) -> None:
    places = ", ".join("?" for _ in columns.split(","))
    into = f"INSERT INTO {name} ({columns}) VALUES ({places})"
    if table is None:
        rows = old.execute(f"SELECT {columns} FROM {name}")
        into += " ON CONFLICT DO NOTHING"
    else:
        rows = old.execute(f"SELECT {columns} FROM {name} WHERE table_id = ?", (table,))
    while batch := rows.fetchmany(BATCH):
        new.execute_many(into, batch)


def _verified(old: SQLStore, new: SQLStore, header: TableHeader) -> TableSummary:
    """Read a copied table back, which compares its entries with its chain hash; return its summary."""
    new.read(header.table)
    summary = table_summary(new, header)
    if summary != table_summary(old, header):
        raise new.damaged(Message("store.entries_changed", table=header.table))
    return summary


@contextmanager
def _opened(data: str, *, create: bool = False) -> Iterator[SQLStore]:
    """Open a store; a file that did not exist before is deleted if something fails."""
    is_new = create and not is_address(data) and not exists(data)
    try:
        store = open_store(data, create=create)
        try:
            yield store
        finally:
            store.close()
    except BaseException:
        if is_new:
            for name in (data, *(data + one for one in SIDE_FILES)):
                with suppress(OSError):
                    os.unlink(name)
        raise
