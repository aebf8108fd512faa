"""Maintenance of tables in a file or a database, also while a server writes it: copies, lists, deletions.

A copy is a consistent snapshot, and is verified from end to end before it counts as one.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from os.path import exists

from handful.errors import Message
from handful.records import record
from handful.store.opening import is_address, open_store
from handful.store.protocol import StoreFault, TableDeleted, TableHeader
from handful.store.sql import SQLStore
from handful.store.sqlite import BUSY_TIMEOUT, check_file, damaged, store_errors

SIDE_FILES = ("-wal", "-shm", "-journal")  # files that SQLite creates next to a database


@record()
class TableSummary:
    """A table in a list."""

    table: str
    game: str
    title: str
    entries: int
    last: str  # time of the last entry
    links: int


def copy_file(path: str, to: str) -> list[TableSummary]:
    """Copy a file as it is at this moment, and return its tables.

    Nothing is overwritten, and an incomplete copy is deleted.
    """
    if is_address(path) or is_address(to):
        raise StoreFault(Message("store.backup_of_database"), Message("store.use_pg_dump"))
    if not exists(path):
        raise StoreFault(Message("file.not_found", path=path))
    check_file(path)
    for name in (to, *(to + one for one in SIDE_FILES)):
        if exists(name):
            raise StoreFault(Message("file.exists_already", name=name), Message("advice.take_another_name"))
    try:
        os.close(os.open(to, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise StoreFault(
            Message("file.cannot_be_made", path=to, reason=reason), Message("file.see_folder_and_rights")
        ) from None
    try:
        with store_errors(to):
            _copy_database(path, to)
        tables = list_tables(to, thoroughly=True)
        _fsync(to)
        return tables
    except BaseException:
        for name in (to, *(to + one for one in SIDE_FILES)):
            with suppress(OSError):
                os.unlink(name)
        raise


def _copy_database(path: str, to: str) -> None:
    with (
        closing(sqlite3.connect(path, timeout=BUSY_TIMEOUT)) as source,
        closing(sqlite3.connect(to, timeout=BUSY_TIMEOUT)) as target,
    ):
        source.execute("PRAGMA query_only = ON")
        source.backup(target)  # in one step, so that writers cannot restart it
        target.execute("PRAGMA journal_mode = DELETE")  # a single file, without a WAL
        result = target.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if result != "ok":
        raise damaged(path, result)


def _fsync(path: str) -> None:
    """Flush a file and its directory entry to disk.

    Windows flushes only files that may be written, and has no way to open a directory.
    """
    on_windows = os.name == "nt"
    for name in (path,) if on_windows else (path, os.path.dirname(os.path.abspath(path))):
        descriptor = os.open(name, os.O_RDWR if on_windows else os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def list_tables(path: str, *, thoroughly: bool = False) -> list[TableSummary]:
    """Return the tables of a file; `thoroughly` also verifies each entry by its chain hash."""
    store = open_store(path)
    try:
        headers = store.tables()
        for one in headers if thoroughly else ():
            store.read(one.table)
        return [table_summary(store, one) for one in headers]
    finally:
        store.close()


def table_summary(store: SQLStore, header: TableHeader) -> TableSummary:
    first, last, count = store.first_and_last(header.table)
    title = "" if first is None else first["data"].get("table", "")
    time = "" if last is None else last["time"]
    return TableSummary(header.table, header.game, title, count, time, len(store.links(header.table)))


def delete_table(path: str, table: str) -> int:
    """Delete a table with everything that belongs to it; return its number of entries.

    The data is overwritten in the file, and rulesets that no other table uses are deleted, too.
    """
    store = open_store(path)
    try:
        if table not in [one.table for one in store.tables()]:
            raise TableDeleted(Message("store.has_no_table", path=store.name, table=table[:60]))
        return store.delete_table(table)
    finally:
        store.close()
