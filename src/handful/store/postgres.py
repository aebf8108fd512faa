"""Store in a PostgreSQL database; an acknowledged append is on its disk.

One connection for one thread, opened again when it is lost.  What runs outside a transaction only reads,
so it is repeated on a new connection; a lost transaction is rolled back and raises.  If the connection is
lost during COMMIT, nobody knows whether it was saved: `OutcomeUnknown` says so, and whoever sends the
command again gets the answer, because its key is in the log.

Other processes are notified when an append is committed, and when links or a table are deleted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import lru_cache
from typing import Any

import psycopg
from psycopg import conninfo, errors

from handful.errors import NO_MESSAGE, Message, Refused
from handful.store.notices import CHANNEL, Notice
from handful.store.opening import ADDRESS_EXAMPLE, display_name
from handful.store.postgres_migrations import MIGRATIONS, VERSION
from handful.store.protocol import Entry, Epoch, OutcomeUnknown, StoreFault, TableDeleted
from handful.store.sql import Cursor, Row, SQLStore

LOCK = 0x48466C64  # advisory lock of a migration
CONNECT_SECONDS = 5
LOST_AFTER = 10  # seconds without an answer of the network
LOCK_TIMEOUT = "10s"  # for another writer at the same table to finish
BATCH_LOCK_TIMEOUT = "100ms"


class PostgresStore(SQLStore):
    """Tables in the database at an address, `postgresql://…`; `create=True` creates the schema."""

    entry_ruleset = "entry::json ->> 'ruleset'"

    def __init__(self, address: str, *, create: bool = False) -> None:
        super().__init__()
        self._address, self.name = address, display_name(address)
        self._is_open, self._has_begun = True, False
        self._connection = self._connect()
        try:
            self._migrate(create)
        except BaseException:
            self.close()
            raise

    # -- the connection

    def _connect(self) -> psycopg.Connection[tuple[Any, ...]]:
        with self._errors():
            return connect(self._address)

    def _migrate(self, create: bool) -> None:
        """Create the schema, or bring it up to date; refuse a foreign or newer one, and leave it as it is."""
        with self.transaction():
            self.execute("SELECT pg_advisory_xact_lock(?)", (LOCK,))
            version = self._version()
            if version > VERSION:
                raise StoreFault(
                    Message("store.newer_format", path=self.name, version=version, known=VERSION),
                    Message("store.install_newer"),
                )
            if version == 0 and not create:
                raise StoreFault(Message("store.no_tables_yet", path=self.name))
            for statements in MIGRATIONS[version:]:
                self.execute(statements)
            if version < VERSION:
                self.execute("UPDATE handful SET version = ?", (VERSION,))

    def _version(self) -> int:
        """Return the version of the schema; 0 if there is none, and nothing in its place."""
        if self.execute("SELECT to_regclass('handful')").fetchone()[0] is not None:
            return int(self.execute("SELECT version FROM handful").fetchone()[0])
        if self.execute("SELECT to_regclass('tables')").fetchone()[0] is not None:
            raise StoreFault(Message("store.not_tables", path=self.name))
        return 0

    @property
    def _in_transaction(self) -> bool:
        return self._has_begun

    def execute(self, statement: str, row: Row = ()) -> Cursor:
        return self._run(_in_dialect(statement), row)

    def _run(self, statement: bytes, row: Row = ()) -> Cursor:
        """Run a statement; outside a transaction once more if the connection turns out to be lost.

        Several statements in one text cannot be prepared; they have no values.
        """
        prepare = None if row else False
        try:
            return self._connection.execute(statement, row or None, prepare=prepare)
        except psycopg.OperationalError:
            if self._has_begun or not self._connection.closed or not self._is_open:
                raise
        self._connection = self._connect()
        return self._connection.execute(statement, row or None, prepare=prepare)

    def execute_many(self, statement: str, rows: Sequence[Row]) -> None:
        self._connection.cursor().executemany(_in_dialect(statement), rows)

    def _errors(self) -> AbstractContextManager[None]:
        return postgres_errors(self.name)

    def transaction(self) -> AbstractContextManager[None]:
        """Group writes: all are committed or none; a second writer at the same table waits."""
        return self._transaction(f"BEGIN; SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")

    def batch(self) -> AbstractContextManager[None]:
        """Group writes to many tables; two batches that wait for each other's tables soon give up."""
        return self._transaction(f"BEGIN; SET LOCAL lock_timeout = '{BATCH_LOCK_TIMEOUT}'")

    def snapshot(self) -> AbstractContextManager[None]:
        return self._transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        with self._errors():
            self._run(begin.encode())
            self._has_begun = True
            try:
                yield
                self._commit()
            except BaseException:
                self._chain_heads.clear()  # some belong to the rolled-back appends
                with suppress(psycopg.Error):
                    self._connection.execute("ROLLBACK")
                raise
            finally:
                self._has_begun = False

    def _commit(self) -> None:
        try:
            self._connection.execute("COMMIT")
        except psycopg.OperationalError:
            if not self._connection.closed:
                raise
            reason = Message("store.perhaps_saved")
            raise OutcomeUnknown(
                Message("store.at", path=self.name, problem=reason), Message("advice.try_again"), reason
            ) from None

    def close(self) -> None:
        self._is_open = False
        self._connection.close()

    # -- what PostgreSQL does in its own way

    def checkpoint(self) -> None:
        """Do nothing: PostgreSQL has processes of its own for that."""

    def damaged(self, what: object) -> StoreFault:
        reason = Message("store.damaged", what=what)
        return StoreFault(
            Message("store.at", path=self.name, problem=reason), Message("store.use_backup"), reason
        )

    def has_news(self) -> bool:
        return True

    def append(self, table: str, entries: Sequence[Entry], *, after: int, epoch: Epoch | None = None) -> None:
        def work() -> None:
            super(PostgresStore, self).append(table, entries, after=after, epoch=epoch)
            self._notify("entries", table, after + len(entries))

        self._write(work)

    def delete_table(self, table: str) -> int:
        deleted = 0

        def work() -> None:
            nonlocal deleted
            deleted = super(PostgresStore, self).delete_table(table)
            self._notify("deleted", table)

        self._write(work)
        return deleted

    def delete_links(self, token_hashes: Sequence[str]) -> None:
        query = "DELETE FROM links WHERE mark = ANY (?) RETURNING table_id"

        def work() -> None:
            for table in {table for (table,) in self.execute(query, ([*token_hashes],))}:
                self._notify("links", table)

        self._write(work)

    def _notify(self, kind: str, table: str, seq: int = 0) -> None:
        self.execute("SELECT pg_notify(?, ?)", (CHANNEL, Notice(kind, table, seq).to_text()))

    def changed_tables(self, known: Mapping[str, int]) -> list[str]:
        query = """SELECT id FROM unnest(?::text[], ?::bigint[]) AS known (id, last)
                   WHERE NOT EXISTS (SELECT 1 FROM tables WHERE table_id = id)
                      OR EXISTS (SELECT 1 FROM entries WHERE table_id = id AND seq > last)"""
        with self._errors():
            return [table for (table,) in self.execute(query, ([*known], [*known.values()]))]


def connection_settings(address: str) -> dict[str, Any]:
    """Return the settings of a connection; what the address says goes before our own."""
    settings: dict[str, Any] = {
        "connect_timeout": CONNECT_SECONDS,
        "keepalives_idle": LOST_AFTER // 2,
        "keepalives_interval": 1,
        "keepalives_count": LOST_AFTER // 2,
        "tcp_user_timeout": LOST_AFTER * 1000,
        "application_name": "handful",
        "client_encoding": "utf8",
    }
    try:
        return settings | conninfo.conninfo_to_dict(address)
    except psycopg.ProgrammingError:  # its message may show the password
        raise StoreFault(Message("store.bad_address"), ADDRESS_EXAMPLE) from None


def connect(address: str) -> psycopg.Connection[tuple[Any, ...]]:
    """Connect to a database; each commit waits for its disk, whatever its own settings say."""
    connection = psycopg.connect(**connection_settings(address), autocommit=True)
    try:
        connection.execute(
            "SELECT set_config('synchronous_commit', 'on', false)"
            " WHERE current_setting('synchronous_commit') = 'off'"
        )
    except BaseException:
        connection.close()
        raise
    return connection


@lru_cache(maxsize=200)
def _in_dialect(statement: str) -> bytes:
    return statement.replace("?", "%s").encode()


_FAULTS: list[tuple[type[psycopg.Error], Message, Message]] = [
    (errors.DiskFull, Message("store.disk_full"), Message("store.make_room")),
    (errors.ReadOnlySqlTransaction, Message("store.read_only"), Message("store.see_rights")),
    (errors.InsufficientPrivilege, Message("store.read_only"), Message("store.see_rights")),
    (errors.LockNotAvailable, Message("store.somebody_writes"), Message("advice.try_again")),
    (errors.DeadlockDetected, Message("store.somebody_writes"), Message("advice.try_again")),
    (psycopg.OperationalError, Message("store.unreachable"), Message("store.see_database")),
]


@contextmanager
def postgres_errors(name: str) -> Iterator[None]:
    """Translate errors of PostgreSQL and the connection into `StoreFault` with a hint."""
    try:
        yield
    except errors.ForeignKeyViolation:
        raise TableDeleted(Message("store.table_deleted")) from None
    except psycopg.IntegrityError as error:
        raise StoreFault(Message("store.refuses", path=name, reason=_first_line(error))) from None
    except psycopg.DataError:  # text with a NUL character, which PostgreSQL has no place for
        raise Refused(Message("store.nul_character")) from None
    except ValueError as error:  # not valid JSON
        reason = Message("store.damaged", what=error)
        raise StoreFault(
            Message("store.at", path=name, problem=reason), Message("store.use_backup"), reason
        ) from None
    except psycopg.Error as error:
        found = next((one for one in _FAULTS if isinstance(error, one[0])), None)
        if found is None:
            reason, hint = Message("store.not_usable", reason=_first_line(error)), NO_MESSAGE
        else:
            _, reason, hint = found
        shown = Message("store.because", problem=reason, reason=_first_line(error)) if found else reason
        raise StoreFault(Message("store.at", path=name, problem=shown), hint, reason) from None


def _first_line(error: psycopg.Error) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
