"""A store in one SQLite file: what was acknowledged is on the disk.

WAL with full synchronisation, one transaction for each append, and `PRIMARY KEY (table_id, seq)`:
of two writers one wins, the other gets `Conflict`.  What is newest lies beside the file; a server
brings it in while others write (`settle`), so that nobody waits for it.  A table has a mark that
follows from all its entries, so a log with a hole or with other words is found.  A file that is
damaged, of another program or of a newer Handful is looked at without writing, refused, and left
as it was; an older layout is brought up to date in one transaction.

The secret of a table stands in its file, and so does everything that is hidden from anybody:
a new file is its owner's alone.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import reduce
from os.path import abspath, exists, getsize
from urllib.parse import quote

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
    Link,
    RulesetTexts,
    StoreFault,
    TableDeleted,
    TableHeader,
)

BUSY_TIMEOUT = 10  # seconds for another writer to finish
CACHE_KIB = 32 * 1024  # kilobytes of the file in memory at most: the ends of many tables
AUTOCHECKPOINT_PAGES = 16 * 1024  # pages (64 MB) beside the file before whoever writes next brings them in
PROBE_SIZE = 64 * 1024  # characters
READ_BATCH = 500  # entries that are read as one text: names that come again are made once
_ENCODER = json.JSONEncoder(check_circular=False)  # entries come from JSON, so there is no circle


class SQLiteStore:
    """Tables in a file; make a new one with `create=True`."""

    def __init__(self, path: str, *, create: bool = False, one_thread: bool = True) -> None:
        """Without `one_thread` whoever calls sees to it that only one does at a time."""
        self.path = path
        self._chain_heads: dict[str, tuple[int, str]] = {}  # the last number of a table, and its mark
        self._read: dict[tuple[str, int], str] = {}  # how far a table was read -> its mark there
        if exists(path) and getsize(path):
            if not os.access(path, os.W_OK):
                # SQLite would open it for reading, and leave files beside it that are as closed
                raise StoreFault(f"{path}: {_READONLY[0]}", _READONLY[1])
            check_file(path)
        elif not create:
            raise StoreFault(f"{path}: there is no such file")
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
        """Empty files become Handful files; two who try at once agree."""
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
        """Whatever is written meanwhile: all of it or nothing; who comes second waits."""
        with store_errors(self.path):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("COMMIT")
            except BaseException:
                self._chain_heads.clear()  # some of them are of what was not written
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    def checkpoint(self) -> None:
        """Bring what was written into the file itself; nobody who writes waits for that."""
        with store_errors(self.path):
            self._database.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def create_table(self, opened: TableHeader) -> None:
        own = (opened.table, opened.game, opened.secret, opened.rules_hash)
        row = (*own, initial_chain_hash(*own))
        into = "INSERT INTO tables (table_id, game, secret, ruleset, mark) VALUES (?, ?, ?, ?, ?)"
        try:
            self._write(lambda: _execute(self._database, into, row))
        except sqlite3.IntegrityError:
            raise Conflict(f"there is a table {opened.table!r} already") from None

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

    def publish_ruleset(self, brew: DraftRuleset) -> None:
        row = (brew.hash, brew.rules_hash, brew.text, brew.cases)
        into = "INSERT OR IGNORE INTO shelf (hash, ruleset, text, cases) VALUES (?, ?, ?, ?)"
        self._write(lambda: _execute(self._database, into, row))

    def published_ruleset(self, hash: str) -> DraftRuleset | None:
        with store_errors(self.path):
            query = "SELECT ruleset, text, cases FROM shelf WHERE hash = ?"
            row = self._database.execute(query, (hash,)).fetchone()
        made = None if row is None else DraftRuleset(*row)
        if made is not None and made.hash != hash:
            raise damaged(self.path, f"{hash[:12]} is not what was put on the shelf")
        return made

    def count_published(self) -> int:
        with store_errors(self.path):
            return int(self._database.execute("SELECT count(*) FROM shelf").fetchone()[0])

    def save_link(self, mark: str, link: Link) -> None:
        row = (mark, link.table, link.seat, link.role)
        into = "INSERT INTO links (mark, table_id, seat, role) VALUES (?, ?, ?, ?)"
        self._write(lambda: _execute(self._database, into, row))

    def link(self, mark: str) -> Link | None:
        with store_errors(self.path):
            query = "SELECT table_id, seat, role FROM links WHERE mark = ?"
            row = self._database.execute(query, (mark,)).fetchone()
        return None if row is None else Link(*row)

    def links(self, table: str) -> list[tuple[str, Link]]:
        with store_errors(self.path):
            query = "SELECT mark, table_id, seat, role FROM links WHERE table_id = ?"
            return [(mark, Link(*row)) for mark, *row in self._database.execute(query, (table,))]

    def delete_links(self, marks: Sequence[str]) -> None:
        gone = "DELETE FROM links WHERE mark = ?"

        def work() -> None:
            self._database.executemany(gone, [(mark,) for mark in marks])

        self._write(work)

    def append(self, table: str, entries: Sequence[Entry], *, after: int) -> None:
        texts = [_ENCODER.encode(entry) for entry in entries]
        rows = [(table, seq, text) for seq, text in enumerate(texts, after + 1)]
        change = "UPDATE tables SET mark = ? WHERE table_id = ? AND mark = ?"

        def work() -> None:
            before = self._chain_hash_at(table, after)
            mark = reduce(extend_chain_hash, texts, before)
            if not self._database.execute(change, (mark, table, before)).rowcount:
                self._chain_heads.pop(table, None)  # not the last one any more
                raise Conflict(f"number {after + 1} is taken")
            self._database.executemany("INSERT INTO entries VALUES (?, ?, ?)", rows)
            self._chain_heads[table] = after + len(rows), mark

        try:
            self._write(work)
        except sqlite3.IntegrityError as error:
            raise StoreFault(f"{self.path}: does not take this ({error})") from None

    def _chain_hash_at(self, table: str, seq: int) -> str:
        """The mark of a table whose last entry has this number; remembered from the last time."""
        known = self._chain_heads.get(table)
        if known is not None and known[0] == seq:
            return known[1]
        last = "SELECT coalesce(max(seq), 0) FROM entries WHERE table_id = ?"
        mark = self._chain_hash(table)
        if not mark:
            raise TableDeleted("this table was deleted")
        if self._database.execute(last, (table,)).fetchone()[0] != seq:
            raise Conflict(f"number {seq + 1} is taken")
        return mark

    def read(self, table: str, *, after: int = 0) -> list[Entry]:
        query = "SELECT seq, entry FROM entries WHERE table_id = ? AND seq > ? ORDER BY seq"
        with store_errors(self.path), self._read_transaction():
            if after and not self._chain_hash(table):
                raise TableDeleted("this table was deleted")
            mark = self._initial_chain_hash(table) if after == 0 else self._read.get((table, after))
            rows = self._database.execute(query, (table, after))
            made: list[Entry] = []
            while some := rows.fetchmany(READ_BATCH):
                for due, (seq, text) in enumerate(some, after + len(made) + 1):
                    mark = mark and extend_chain_hash(mark, text)
                    if seq != due:
                        raise damaged(self.path, f"entry {due} of {table} is missing")
                made += json.loads(f"[{','.join(text for _, text in some)}]")
            if mark and mark != self._chain_hash(table):
                raise damaged(self.path, f"the entries of {table} are not those that were saved")
        self._read = {(table, after + len(made)): mark} if mark else {}
        return made

    @contextmanager
    def _read_transaction(self) -> Iterator[None]:
        """Entries and their mark belong together, whoever writes meanwhile."""
        if self._database.in_transaction:  # somebody saw to it already
            yield
            return
        self._database.execute("BEGIN")
        try:
            yield
        finally:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")

    def first_and_last(self, table: str) -> tuple[Entry | None, Entry | None, int]:
        """The first and the last entry of a table, and how many there are."""
        query = "SELECT entry FROM entries WHERE table_id = ? ORDER BY seq {} LIMIT 1"
        count = "SELECT count(*) FROM entries WHERE table_id = ?"
        with store_errors(self.path), self._read_transaction():
            first, last = (
                [json.loads(text) for (text,) in self._database.execute(query.format(way), (table,))]
                for way in ("", "DESC")
            )
            found = self._database.execute(count, (table,)).fetchone()[0]
        return (first or [None])[0], (last or [None])[0], found

    def delete_table(self, table: str) -> int:
        """Delete a table, its links, and rules that nobody else needs; how many entries it had."""
        gone = 0
        used = """SELECT json_extract(entry, '$.ruleset') FROM entries WHERE table_id {0} ?
                  UNION SELECT ruleset FROM tables WHERE table_id {0} ?"""

        def work() -> None:
            nonlocal gone
            own, others = (
                {hash for (hash,) in self._database.execute(used.format(which), (table, table))}
                for which in ("=", "!=")
            )
            for whose in ("links", "entries", "tables"):
                done = self._database.execute(f"DELETE FROM {whose} WHERE table_id = ?", (table,))
                gone = done.rowcount if whose == "entries" else gone
            for hash in own - others:
                self._database.execute("DELETE FROM rulesets WHERE hash = ?", (hash,))

        with store_errors(self.path):
            self._database.execute("PRAGMA secure_delete = ON")  # overwritten, not only unlinked
            self._write(work)
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # nor left beside the file
        return gone

    def _chain_hash(self, table: str) -> str:
        row = self._database.execute("SELECT mark FROM tables WHERE table_id = ?", (table,)).fetchone()
        return "" if row is None else str(row[0])

    def _initial_chain_hash(self, table: str) -> str:
        query = "SELECT table_id, game, secret, ruleset FROM tables WHERE table_id = ?"
        row = self._database.execute(query, (table,)).fetchone()
        return "" if row is None else initial_chain_hash(*row)

    def data_version(self) -> int:
        """A number that changes when another connection has written."""
        with store_errors(self.path):
            return int(self._database.execute("PRAGMA data_version").fetchone()[0])

    def check_writable(self) -> None:
        """Whether the file takes as much as a large command: written, and taken out again."""
        into = "INSERT OR REPLACE INTO rulesets (hash, texts) VALUES ('', ?)"
        self._write(lambda: _execute(self._database, into, ("[]".ljust(PROBE_SIZE),)))
        self._write(lambda: _execute(self._database, "DELETE FROM rulesets WHERE hash = ''", ()))

    def close(self) -> None:
        self._database.close()


def _execute(file: sqlite3.Connection, statement: str, row: tuple[object, ...]) -> None:
    file.execute(statement, row)


def _create_file(path: str) -> None:
    """An empty file that only its owner may read; what SQLite puts beside it is as private."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        says = (error.strerror or str(error)).lower()
        raise StoreFault(f"{path}: cannot be opened ({says})", _RIGHTS) from None


def check_file(path: str) -> None:
    """Refuses a file that is none of ours, without writing to it."""
    with store_errors(path):
        address = f"file:{quote(abspath(path))}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=BUSY_TIMEOUT)) as file:
            application = file.execute("PRAGMA application_id").fetchone()[0]
            version = file.execute("PRAGMA user_version").fetchone()[0]
            if application != APPLICATION_ID:
                raise StoreFault(f"{path}: is no file of tables; it was left as it is")
            if version > VERSION:
                raise StoreFault(
                    f"{path}: was written by a newer Handful (format {version}, this one knows "
                    f"{VERSION}); it was left as it is",
                    "install the newer one",
                )
            found = file.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise damaged(path, found)


def damaged(path: str, what: object) -> StoreFault:
    says = f"is damaged ({what}); it was left as it is"
    return StoreFault(f"{path}: {says}", _BACKUP, says)


_READONLY = ("may not be written; nothing was changed", "see its rights")
_RIGHTS = "see its folder and its rights"
_BACKUP = "take a copy of it first, then a backup, or try `sqlite3 FILE .recover`"


@contextmanager
def store_errors(path: str) -> Iterator[None]:
    """Troubles of the system, by name and with what to do."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except ValueError as error:  # what is no text, or no JSON
        raise damaged(path, error) from None
    except sqlite3.DatabaseError as error:
        if "decode" in str(error):  # it has no code of its own
            raise damaged(path, error) from None
        code = (error.sqlite_errorcode or 0) & 0xFF if hasattr(error, "sqlite_errorcode") else 0
        says, hint = {
            sqlite3.SQLITE_FULL: ("the disk is full; nothing was written", "make room, try again"),
            sqlite3.SQLITE_IOERR: (
                f"the disk did not take it ({error}); nothing was changed",
                "see the disk, try again",
            ),
            sqlite3.SQLITE_READONLY: _READONLY,
            sqlite3.SQLITE_BUSY: ("somebody else is writing; nothing was changed", "try again"),
            sqlite3.SQLITE_CANTOPEN: ("cannot be opened", _RIGHTS),
            sqlite3.SQLITE_NOTADB: ("is no file of tables; it was left as it is", ""),
            sqlite3.SQLITE_CORRUPT: ("is damaged; it was left as it is", _BACKUP),
        }.get(code, (f"cannot be used now ({error})", ""))
        raise StoreFault(f"{path}: {says}", hint, says) from None
