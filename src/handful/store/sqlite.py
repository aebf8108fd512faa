"""Store in one SQLite file; an acknowledged append is on disk.

WAL mode with full synchronisation, one transaction per append (a caller may group several: group
commit), and `PRIMARY KEY (table_id, seq)`: of two writers one wins, the other gets `Conflict`.  A
server runs `checkpoint` while others write, so that no writer has to.  Each table has a hash over
its chain of entries, so a log with a gap or a changed entry is detected.  A file that is damaged,
foreign or of a newer Handful is opened read-only, refused, and left unchanged; an older schema is
migrated in one transaction.

The file holds each table's secret and everything that is hidden from players, so a new file is
readable by its owner only.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import reduce
from os.path import abspath, exists, getsize
from pathlib import PurePath
from secrets import token_bytes

from handful.ed25519 import SEED_BYTES
from handful.errors import NO_MESSAGE, Message
from handful.store.migrations import (
    APPLICATION_ID,
    MIGRATIONS,
    VERSION,
    extend_chain_hash,
    initial_chain_hash,
)
from handful.store.protocol import (
    Conflict,
    DraftRuleset,
    Entry,
    Epoch,
    Link,
    RulesetTexts,
    StoreFault,
    TableDeleted,
    TableHeader,
)

BUSY_TIMEOUT = 10  # seconds for another writer to finish
CACHE_KIB = 32 * 1024  # page cache: the latest pages of many tables
AUTOCHECKPOINT_PAGES = 16 * 1024  # 64 MB of WAL before a writer has to checkpoint
PROBE_SIZE = 64 * 1024  # characters written by `check_writable`
READ_BATCH = 500  # entries parsed as one JSON text, which shares repeated keys
_ENCODER = json.JSONEncoder(check_circular=False)  # entries are JSON data, so they have no cycles


class SQLiteStore:
    """Tables in a file; `create=True` creates a new one."""

    def __init__(self, path: str, *, create: bool = False, one_thread: bool = True) -> None:
        """With `one_thread=False` the caller guarantees that only one thread uses it at a time."""
        self.path = path
        self._chain_heads: dict[str, tuple[int, str]] = {}  # table -> last number, chain hash
        self._read_hashes: dict[tuple[str, int], str] = {}  # (table, last number read) -> chain hash
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

    def _migrate(self) -> None:
        """Run the missing migrations; two processes that try at once both succeed."""
        version = self._database.execute("PRAGMA user_version").fetchone()[0]
        for step in MIGRATIONS[version:]:
            step(self._database)
        if version < VERSION:
            self._database.execute(f"PRAGMA user_version = {VERSION}")

    def _write(self, work: Callable[[], None]) -> None:
        if self._database.in_transaction:
            with store_errors(self.path):
                work()
            return
        with self.transaction():
            work()

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

    def checkpoint(self) -> None:
        """Passive WAL checkpoint; does not block writers."""
        with store_errors(self.path):
            self._database.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def create_table(self, header: TableHeader) -> None:
        columns = (header.table, header.game, header.secret, header.rules_hash)
        row = (*columns, initial_chain_hash(*columns), token_bytes(SEED_BYTES))
        names = "table_id, game, secret, ruleset, mark, signing_seed"
        into = f"INSERT INTO tables ({names}) VALUES (?, ?, ?, ?, ?, ?)"
        try:
            self._write(lambda: _execute(self._database, into, row))
        except sqlite3.IntegrityError:
            raise Conflict(f"there is a table {header.table!r} already") from None

    def tables(self) -> list[TableHeader]:
        with store_errors(self.path):
            query = "SELECT table_id, game, secret, ruleset FROM tables"
            return [TableHeader(*row) for row in self._database.execute(query)]

    def save_rules(self, hash: str, texts: RulesetTexts) -> None:
        row = (hash, json.dumps([*texts]))
        into = "INSERT OR IGNORE INTO rulesets (hash, texts) VALUES (?, ?)"
        self._write(lambda: _execute(self._database, into, row))

    def rules(self, hash: str) -> RulesetTexts:
        with store_errors(self.path):
            query = "SELECT texts FROM rulesets WHERE hash = ?"
            row = self._database.execute(query, (hash,)).fetchone()
            return () if row is None else tuple((name, text) for name, text in json.loads(row[0]))

    def publish_ruleset(self, draft: DraftRuleset) -> None:
        row = (draft.hash, draft.rules_hash, draft.text, draft.cases)
        into = "INSERT OR IGNORE INTO shelf (hash, ruleset, text, cases) VALUES (?, ?, ?, ?)"
        self._write(lambda: _execute(self._database, into, row))

    def published_ruleset(self, hash: str) -> DraftRuleset | None:
        with store_errors(self.path):
            query = "SELECT ruleset, text, cases FROM shelf WHERE hash = ?"
            row = self._database.execute(query, (hash,)).fetchone()
        draft = None if row is None else DraftRuleset(*row)
        if draft is not None and draft.hash != hash:
            raise damaged(self.path, Message("store.bad_draft", hash=hash[:12]))
        return draft

    def count_published(self) -> int:
        with store_errors(self.path):
            return int(self._database.execute("SELECT count(*) FROM shelf").fetchone()[0])

    def save_link(self, token_hash: str, link: Link) -> None:
        row = (token_hash, link.table, link.seat, link.role)
        into = "INSERT INTO links (mark, table_id, seat, role) VALUES (?, ?, ?, ?)"
        self._write(lambda: _execute(self._database, into, row))

    def link(self, token_hash: str) -> Link | None:
        with store_errors(self.path):
            query = "SELECT table_id, seat, role FROM links WHERE mark = ?"
            row = self._database.execute(query, (token_hash,)).fetchone()
        return None if row is None else Link(*row)

    def links(self, table: str) -> list[tuple[str, Link]]:
        with store_errors(self.path):
            query = "SELECT mark, table_id, seat, role FROM links WHERE table_id = ?"
            return [(token_hash, Link(*row)) for token_hash, *row in self._database.execute(query, (table,))]

    def delete_links(self, token_hashes: Sequence[str]) -> None:
        statement = "DELETE FROM links WHERE mark = ?"

        def work() -> None:
            self._database.executemany(statement, [(token_hash,) for token_hash in token_hashes])

        self._write(work)

    def save_join_nonce(self, table: str, role: str, nonce: bytes) -> None:
        into = "INSERT OR REPLACE INTO join_links (table_id, role, nonce) VALUES (?, ?, ?)"
        self._write(lambda: _execute(self._database, into, (table, role, nonce)))

    def join_nonce(self, table: str, role: str) -> bytes | None:
        query = "SELECT nonce FROM join_links WHERE table_id = ? AND role = ?"
        with store_errors(self.path):
            row = self._database.execute(query, (table, role)).fetchone()
        return None if row is None else bytes(row[0])

    def save_recovery_code(self, code_hash: str, table: str, seat: str) -> None:
        into = "INSERT OR REPLACE INTO recovery_codes (table_id, seat, mark) VALUES (?, ?, ?)"
        self._write(lambda: _execute(self._database, into, (table, seat, code_hash)))

    def recovery_seat(self, code_hash: str) -> tuple[str, str] | None:
        query = "SELECT table_id, seat FROM recovery_codes WHERE mark = ?"
        with store_errors(self.path):
            row = self._database.execute(query, (code_hash,)).fetchone()
        return None if row is None else (row[0], row[1])

    def has_recovery_code(self, table: str, seat: str) -> bool:
        query = "SELECT 1 FROM recovery_codes WHERE table_id = ? AND seat = ?"
        with store_errors(self.path):
            return self._database.execute(query, (table, seat)).fetchone() is not None

    def delete_recovery_code(self, table: str, seat: str) -> None:
        statement = "DELETE FROM recovery_codes WHERE table_id = ? AND seat = ?"
        self._write(lambda: _execute(self._database, statement, (table, seat)))

    def save_picture(self, table: str, hash: str, picture: bytes) -> None:
        into = "INSERT OR IGNORE INTO pictures (table_id, hash, picture) VALUES (?, ?, ?)"
        self._write(lambda: _execute(self._database, into, (table, hash, picture)))

    def picture(self, table: str, hash: str) -> bytes | None:
        query = "SELECT picture FROM pictures WHERE table_id = ? AND hash = ?"
        with store_errors(self.path):
            row = self._database.execute(query, (table, hash)).fetchone()
        return None if row is None else row[0]

    def count_pictures(self, table: str) -> int:
        with store_errors(self.path):
            query = "SELECT count(*) FROM pictures WHERE table_id = ?"
            return int(self._database.execute(query, (table,)).fetchone()[0])

    def append(self, table: str, entries: Sequence[Entry], *, after: int, epoch: Epoch | None = None) -> None:
        texts = [_ENCODER.encode(entry) for entry in entries]
        rows = [(table, seq, text) for seq, text in enumerate(texts, after + 1)]
        update = "UPDATE tables SET mark = ? WHERE table_id = ? AND mark = ?"

        def work() -> None:
            before = self._chain_hash_at(table, after)
            chain_hash = reduce(extend_chain_hash, texts, before)
            if not self._database.execute(update, (chain_hash, table, before)).rowcount:
                self._chain_heads.pop(table, None)  # another writer has appended
                raise Conflict(f"number {after + 1} is taken")
            self._database.executemany("INSERT INTO entries VALUES (?, ?, ?)", rows)
            if epoch is not None:
                self._save_epoch(table, epoch)
            self._chain_heads[table] = after + len(rows), chain_hash

        try:
            self._write(work)
        except sqlite3.IntegrityError as error:
            raise StoreFault(Message("store.refuses", path=self.path, reason=error)) from None

    def _save_epoch(self, table: str, epoch: Epoch) -> None:
        row = (table, epoch.number, epoch.secret)
        try:
            _execute(self._database, "INSERT INTO epochs (table_id, number, secret) VALUES (?, ?, ?)", row)
        except sqlite3.IntegrityError:
            raise Conflict(f"epoch {epoch.number} has begun") from None

    def epochs(self, table: str) -> dict[int, bytes]:
        query = "SELECT number, secret FROM epochs WHERE table_id = ? ORDER BY number"
        with store_errors(self.path):
            return dict(self._database.execute(query, (table,)))

    def signing_seed(self, table: str) -> bytes:
        query = "SELECT signing_seed FROM tables WHERE table_id = ?"
        with store_errors(self.path):
            row = self._database.execute(query, (table,)).fetchone()
        if row is None:
            raise TableDeleted(Message("store.table_deleted"))
        return bytes(row[0])

    def _chain_hash_at(self, table: str, seq: int) -> str:
        """Return the chain hash of a table whose last entry has this number; cached."""
        head = self._chain_heads.get(table)
        if head is not None and head[0] == seq:
            return head[1]
        query = "SELECT coalesce(max(seq), 0) FROM entries WHERE table_id = ?"
        chain_hash = self._chain_hash(table)
        if not chain_hash:
            raise TableDeleted(Message("store.table_deleted"))
        if self._database.execute(query, (table,)).fetchone()[0] != seq:
            raise Conflict(f"number {seq + 1} is taken")
        return chain_hash

    def read(self, table: str, *, after: int = 0, most: int | None = None) -> list[Entry]:
        query = "SELECT seq, entry FROM entries WHERE table_id = ? AND seq > ? ORDER BY seq LIMIT ?"
        with store_errors(self.path), self._read_transaction():
            if after and not self._chain_hash(table):
                raise TableDeleted(Message("store.table_deleted"))
            chain_hash = (
                self._initial_chain_hash(table) if after == 0 else self._read_hashes.get((table, after))
            )
            rows = self._database.execute(query, (table, after, -1 if most is None else most))
            entries: list[Entry] = []
            while batch := rows.fetchmany(READ_BATCH):
                for expected, (seq, text) in enumerate(batch, after + len(entries) + 1):
                    chain_hash = chain_hash and extend_chain_hash(chain_hash, text)
                    if seq != expected:
                        raise damaged(
                            self.path, Message("store.entry_missing", expected=expected, table=table)
                        )
                entries += json.loads(f"[{','.join(text for _, text in batch)}]")
            if chain_hash and len(entries) != most and chain_hash != self._chain_hash(table):
                raise damaged(self.path, Message("store.entries_changed", table=table))
        self._read_hashes = {(table, after + len(entries)): chain_hash} if chain_hash else {}
        return entries

    @contextmanager
    def _read_transaction(self) -> Iterator[None]:
        """Read entries and chain hash from one snapshot, regardless of writers."""
        if self._database.in_transaction:  # within a larger transaction
            yield
            return
        self._database.execute("BEGIN")
        try:
            yield
        finally:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")

    def first_and_last(self, table: str) -> tuple[Entry | None, Entry | None, int]:
        """Return a table's first and last entry, and the number of entries."""
        query = "SELECT entry FROM entries WHERE table_id = ? ORDER BY seq {} LIMIT 1"
        count_query = "SELECT count(*) FROM entries WHERE table_id = ?"
        with store_errors(self.path), self._read_transaction():
            first, last = (
                [json.loads(text) for (text,) in self._database.execute(query.format(direction), (table,))]
                for direction in ("", "DESC")
            )
            total = self._database.execute(count_query, (table,)).fetchone()[0]
        return (first or [None])[0], (last or [None])[0], total

    def delete_table(self, table: str) -> int:
        """Delete a table, its links and rulesets used by no other; return its number of entries."""
        deleted = 0
        rules_query = """SELECT json_extract(entry, '$.ruleset') FROM entries WHERE table_id {0} ?
                  UNION SELECT ruleset FROM tables WHERE table_id {0} ?"""

        def work() -> None:
            nonlocal deleted
            own_rules, other_rules = (
                {hash for (hash,) in self._database.execute(rules_query.format(operator), (table, table))}
                for operator in ("=", "!=")
            )
            for name in ("links", "join_links", "recovery_codes", "pictures", "epochs", "entries", "tables"):
                cursor = self._database.execute(f"DELETE FROM {name} WHERE table_id = ?", (table,))
                deleted = cursor.rowcount if name == "entries" else deleted
            for hash in own_rules - other_rules:
                self._database.execute("DELETE FROM rulesets WHERE hash = ?", (hash,))

        with store_errors(self.path):
            self._database.execute("PRAGMA secure_delete = ON")  # overwrite the data, not only unlink it
            self._write(work)
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # and remove it from the WAL
        return deleted

    def _chain_hash(self, table: str) -> str:
        row = self._database.execute("SELECT mark FROM tables WHERE table_id = ?", (table,)).fetchone()
        return "" if row is None else str(row[0])

    def _initial_chain_hash(self, table: str) -> str:
        query = "SELECT table_id, game, secret, ruleset FROM tables WHERE table_id = ?"
        row = self._database.execute(query, (table,)).fetchone()
        return "" if row is None else initial_chain_hash(*row)

    def data_version(self) -> int:
        """Return a number that changes when another connection has written."""
        with store_errors(self.path):
            return int(self._database.execute("PRAGMA data_version").fetchone()[0])

    def check_writable(self) -> None:
        """Write as much as a large command needs and delete it again; raises if that fails."""
        into = "INSERT OR REPLACE INTO rulesets (hash, texts) VALUES ('', ?)"
        self._write(lambda: _execute(self._database, into, ("[]".ljust(PROBE_SIZE),)))
        self._write(lambda: _execute(self._database, "DELETE FROM rulesets WHERE hash = ''", ()))

    def close(self) -> None:
        self._database.close()


def _execute(file: sqlite3.Connection, statement: str, row: tuple[object, ...]) -> None:
    file.execute(statement, row)


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
    except sqlite3.IntegrityError:
        raise
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
