"""Looking after a file of tables, also while a server writes it: copies, lists, deletions.

A copy is taken at one moment of the file, read through from end to end, and only then called one.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from os.path import exists

from handful.records import record
from handful.store.protocol import StoreFault, TableDeleted
from handful.store.sqlite import BUSY_TIMEOUT, SQLiteStore, check_file, damaged, store_errors

SIDE_FILES = ("-wal", "-shm", "-journal")  # what SQLite puts beside a file


@record()
class TableSummary:
    """A table in a list."""

    table: str
    game: str
    title: str
    entries: int
    last: str  # when something happened last
    links: int


def copy_file(path: str, to: str) -> list[TableSummary]:
    """A whole copy of a file as it is at this moment; what is in it.

    Nothing is overwritten, and what could not be copied whole is not left behind.
    """
    if not exists(path):
        raise StoreFault(f"{path}: there is no such file")
    check_file(path)
    for name in (to, *(to + one for one in SIDE_FILES)):
        if exists(name):
            raise StoreFault(f"{name}: is there already, and was left as it is", "take another name")
    try:
        os.close(os.open(to, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        says = (error.strerror or str(error)).lower()
        raise StoreFault(f"{to}: cannot be made ({says})", "see its folder and its rights") from None
    try:
        with store_errors(to):
            _copy_database(path, to)
        found = list_tables(to, thoroughly=True)
        _fsync(to)
        return found
    except BaseException:
        for name in (to, *(to + one for one in SIDE_FILES)):
            with suppress(OSError):
                os.unlink(name)
        raise


def _copy_database(path: str, to: str) -> None:
    with (
        closing(sqlite3.connect(path, timeout=BUSY_TIMEOUT)) as source,
        closing(sqlite3.connect(to, timeout=BUSY_TIMEOUT)) as made,
    ):
        source.execute("PRAGMA query_only = ON")
        source.backup(made)  # in one go: who writes meanwhile is not waited for
        made.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it
        found = made.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise damaged(path, found)


def _fsync(path: str) -> None:
    """On the disk, and not only on its way there."""
    for name in (path, os.path.dirname(os.path.abspath(path))):
        opened = os.open(name, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def list_tables(path: str, *, thoroughly: bool = False) -> list[TableSummary]:
    """The tables of a file; `thoroughly` reads each entry and holds it against its mark."""
    store = SQLiteStore(path)
    try:
        return [_summary(store, one.table, one.game, thoroughly) for one in store.tables()]
    finally:
        store.close()


def _summary(store: SQLiteStore, table: str, game: str, thoroughly: bool) -> TableSummary:
    if thoroughly:
        store.read(table)
    first, last, count = store.first_and_last(table)
    title = "" if first is None else first["data"].get("table", "")
    time = "" if last is None else last["time"]
    return TableSummary(table, game, title, count, time, len(store.links(table)))


def delete_table(path: str, table: str) -> int:
    """Delete a table with everything of it; how many entries it had.

    What stood in the file is overwritten, and rules that no other table is played by go, too.
    """
    store = SQLiteStore(path)
    try:
        if table not in [one.table for one in store.tables()]:
            raise TableDeleted(f"{path} has no table {table[:60]!r}")
        return store.delete_table(table)
    finally:
        store.close()
