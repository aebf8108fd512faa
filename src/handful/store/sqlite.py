"""Store in one SQLite file; an acknowledged append is on disk.

WAL mode with full synchronisation, and one transaction per append (a caller may group several: group
commit).  A server runs `checkpoint` while others write, so that no writer has to.  A file that is
damaged, foreign or of a newer Handful is opened read-only, refused, and left unchanged; an older schema
is migrated in one transaction.

The file holds each table's secret and everything that is hidden from players, so a new file is
readable by its owner only.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from os.path import abspath, exists, getsize
from pathlib import PurePath

from handful.errors import NO_MESSAGE, Message
from handful.store.migrations import APPLICATION_ID, MIGRATIONS, VERSION
from handful.store.protocol import StoreFault, TableDeleted
from handful.store.sql import Cursor, Row, SQLStore

BUSY_TIMEOUT = 10  # seconds for another writer to finish
CACHE_KIB = 32 * 1024  # page cache: the latest pages of many tables
AUTOCHECKPOINT_PAGES = 16 * 1024  # 64 MB of WAL before a writer has to checkpoint


class SQLiteStore(SQLStore):
    """Tables in a file; `create=True` creates a new one."""

    entry_ruleset = "json_extract(entry, '$.ruleset')"

    def __init__(self, path: str, *, create: bool = False, one_thread: bool = True) -> None:
        """With `one_thread=False` the caller guarantees that only one thread uses it at a time."""
        super().__init__()
        self.path = self.name = path
        if exists(path) and getsize(path):
            if not os.access(path, os.W_OK):
                # SQLite would open it read-only, and leave side files that are read-only, too
                raise StoreFault(Message("store.at", path=path, problem=_READONLY[0]), _READONLY[1])
            check_file(path)
        elif not create:
            raise StoreFault(Message("file.not_found", path=path))
        else:
            _create_file(path)
        with store_errors(path):
            self._database = sqlite3.connect(
                path, timeout=BUSY_TIMEOUT, isolation_level=None, check_same_thread=one_thread
            )
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")
            self._database.execute("PRAGMA foreign_keys = ON")
            self._database.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
            self._database.execute(f"PRAGMA wal_autocheckpoint = {AUTOCHECKPOINT_PAGES}")
        try:
            self._write(self._migrate)
        except BaseException:
            self._database.close()
            raise
        self._seen_version = self.data_version()

    def _migrate(self) -> None:
        """Run the missing migrations; two processes that try at once both succeed."""
        version = self._database.execute("PRAGMA user_version").fetchone()[0]
        for step in MIGRATIONS[version:]:
            step(self._database)
        if version < VERSION:
            self._database.execute(f"PRAGMA user_version = {VERSION}")

    def execute(self, statement: str, row: Row = ()) -> Cursor:
        return self._database.execute(statement, row)

    def execute_many(self, statement: str, rows: Sequence[Row]) -> None:
        self._database.executemany(statement, rows)

    def _errors(self) -> AbstractContextManager[None]:
        return store_errors(self.path)

    @property
    def _in_transaction(self) -> bool:
        return self._database.in_transaction

    def damaged(self, what: object) -> StoreFault:
        return damaged(self.path, what)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Group writes: all are committed or none; a second writer waits."""
        with store_errors(self.path):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("COMMIT")
            except BaseException:
                self._chain_heads.clear()  # some belong to the rolled-back appends
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        with store_errors(self.path):
            self._database.execute("BEGIN")
            try:
                yield
            finally:
                self._database.execute("ROLLBACK")

    def checkpoint(self) -> None:
        """Passive WAL checkpoint; does not block writers."""
        with store_errors(self.path):
            self._database.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def delete_table(self, table: str) -> int:
        with store_errors(self.path):
            self._database.execute("PRAGMA secure_delete = ON")  # overwrite the data, not only unlink it
            deleted = super().delete_table(table)
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # and remove it from the WAL
        return deleted

    def data_version(self) -> int:
        """Return a number that changes when another connection has written."""
        with store_errors(self.path):
            return int(self._database.execute("PRAGMA data_version").fetchone()[0])

    def has_news(self) -> bool:
        before, self._seen_version = self._seen_version, self.data_version()
        return self._seen_version != before

    def close(self) -> None:
        self._database.close()


def _create_file(path: str) -> None:
    """Create an empty file that only its owner may read; SQLite's side files inherit that."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise StoreFault(Message("store.cannot_be_opened", path=path, reason=reason), _RIGHTS) from None


def check_file(path: str) -> None:
    """Refuse a file that is not ours, without writing to it."""
    with store_errors(path):
        uri = read_only_uri(abspath(path))
        with closing(sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT)) as file:
            application = file.execute("PRAGMA application_id").fetchone()[0]
            version = file.execute("PRAGMA user_version").fetchone()[0]
            if application != APPLICATION_ID:
                raise StoreFault(Message("store.not_tables", path=path))
            if version > VERSION:
                raise StoreFault(
                    Message("store.newer_format", path=path, version=version, known=VERSION),
                    Message("store.install_newer"),
                )
            result = file.execute("PRAGMA quick_check(1)").fetchone()[0]
    if result != "ok":
        raise damaged(path, result)


def read_only_uri(path: str, flavour: type[PurePath] = PurePath) -> str:
    """Return the URI by which SQLite opens a file for reading only, also a file on a Windows drive."""
    return f"{flavour(path).as_uri()}?mode=ro"


def damaged(path: str, what: object) -> StoreFault:
    reason = Message("store.damaged", what=what)
    return StoreFault(Message("store.at", path=path, problem=reason), _BACKUP, reason)


_READONLY = (Message("store.read_only"), Message("store.see_rights"))
_RIGHTS = Message("file.see_folder_and_rights")
_BACKUP = Message("store.recover")


@contextmanager
def store_errors(path: str) -> Iterator[None]:
    """Translate errors of SQLite and the system into `StoreFault` with a hint."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
            raise TableDeleted(Message("store.table_deleted")) from None
        raise StoreFault(Message("store.refuses", path=path, reason=error)) from None
    except ValueError as error:  # not valid text or JSON
        raise damaged(path, error) from None
    except sqlite3.DatabaseError as error:
        if "decode" in str(error):  # SQLite has no code for this error
            raise damaged(path, error) from None
        code = (error.sqlite_errorcode or 0) & 0xFF if hasattr(error, "sqlite_errorcode") else 0
        reason, hint = {
            sqlite3.SQLITE_FULL: (Message("store.disk_full"), Message("store.make_room")),
            sqlite3.SQLITE_IOERR: (
                Message("store.disk_fails", reason=error),
                Message("store.see_disk"),
            ),
            sqlite3.SQLITE_READONLY: _READONLY,
            sqlite3.SQLITE_BUSY: (Message("store.somebody_writes"), Message("advice.try_again")),
            sqlite3.SQLITE_CANTOPEN: (Message("store.not_opened"), _RIGHTS),
            sqlite3.SQLITE_NOTADB: (Message("store.not_a_store"), NO_MESSAGE),
            sqlite3.SQLITE_CORRUPT: (Message("store.damaged_file"), _BACKUP),
        }.get(code, (Message("store.not_usable", reason=error), NO_MESSAGE))
        raise StoreFault(Message("store.at", path=path, problem=reason), hint, reason) from None
