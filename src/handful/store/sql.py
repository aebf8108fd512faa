"""The store contract in SQL that SQLite and PostgreSQL understand alike.

A subclass has the connection: how a statement is run, what a transaction is, and what an error means.
`PRIMARY KEY (table_id, seq)` and the chain hash, which an append replaces only if it is still the one
before, decide races: of two writers one wins, the other gets `Conflict`.  Statements never run into a
constraint on the way, because that would end a transaction of PostgreSQL.
Invariant: entries and the chain hash they are compared with come from one statement, so from one moment.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import reduce
from secrets import token_bytes
from typing import Any, Protocol

from handful.ed25519 import SEED_BYTES
from handful.errors import Message
from handful.store.chain_hash import extend_chain_hash, initial_chain_hash
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

PROBE_SIZE = 64 * 1024  # characters written by `check_writable`
READ_BATCH = 500  # entries parsed as one JSON text, which shares repeated keys
NO_LIMIT = 2**62  # rows
_ENCODER = json.JSONEncoder(check_circular=False)  # entries are JSON data, so they have no cycles
_PARTS = ("links", "join_links", "recovery_codes", "pictures", "epochs", "entries", "tables")
Row = Sequence[object]


class Cursor(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int: ...
    def fetchone(self) -> Any: ...
    def fetchmany(self, size: int, /) -> list[Any]: ...
    def __iter__(self) -> Iterator[Any]: ...


class SQLStore(ABC):
    """Tables in an SQL database; `name` names it in messages."""

    name: str
    entry_ruleset: str  # SQL: the hash of the ruleset in the text of an entry

    def __init__(self) -> None:
        self._chain_heads: dict[str, tuple[int, str]] = {}  # table -> last number, chain hash
        self._read_hashes: dict[tuple[str, int], str] = {}  # (table, last number read) -> chain hash

    # -- the connection

    @abstractmethod
    def execute(self, statement: str, row: Row = ()) -> Cursor:
        """Run a statement; `?` stands for the next value of the row."""

    @abstractmethod
    def execute_many(self, statement: str, rows: Sequence[Row]) -> None: ...

    @abstractmethod
    def _errors(self) -> AbstractContextManager[None]:
        """Translate errors of the database into `StoreFault` with a hint."""

    @property
    @abstractmethod
    def _in_transaction(self) -> bool: ...

    @abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """Group writes: all are committed or none."""

    def batch(self) -> AbstractContextManager[None]:
        """Group writes of independent jobs; if it fails, each is tried in a transaction of its own."""
        return self.transaction()

    @abstractmethod
    def snapshot(self) -> AbstractContextManager[None]:
        """Read everything as it is at this moment, and write nothing."""

    @abstractmethod
    def damaged(self, what: object) -> StoreFault:
        """Return the fault of a log that is not as it was written."""

    @abstractmethod
    def has_news(self) -> bool:
        """Tell whether others may have written since the last call."""

    @abstractmethod
    def checkpoint(self) -> None:
        """Do the upkeep that a server runs every second, beside its writers."""

    @abstractmethod
    def close(self) -> None: ...

    def _write(self, work: Callable[[], None]) -> None:
        if self._in_transaction:
            with self._errors():
                work()
            return
        with self.transaction():
            work()

    def _write_row(self, statement: str, row: Row) -> int:
        """Run one writing statement; return the number of rows it has written."""
        count = 0

        def work() -> None:
            nonlocal count
            count = self.execute(statement, row).rowcount

        self._write(work)
        return count

    def _read_row(self, query: str, row: Row = ()) -> Any:
        """Return the first row of a query, or None."""
        with self._errors():
            return self.execute(query, row).fetchone()

    # -- tables and rulesets

    def create_table(self, header: TableHeader) -> None:
        columns = (header.table, header.game, header.secret, header.rules_hash)
        row = (*columns, initial_chain_hash(*columns), token_bytes(SEED_BYTES))
        into = """INSERT INTO tables (table_id, game, secret, ruleset, mark, signing_seed)
                  VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"""
        if not self._write_row(into, row):
            raise Conflict(f"there is a table {header.table!r} already")

    def tables(self) -> list[TableHeader]:
        with self._errors():
            query = "SELECT table_id, game, secret, ruleset FROM tables"
            return [TableHeader(*row) for row in self.execute(query)]

    def save_rules(self, hash: str, texts: RulesetTexts) -> None:
        into = "INSERT INTO rulesets (hash, texts) VALUES (?, ?) ON CONFLICT DO NOTHING"
        self._write_row(into, (hash, json.dumps([*texts])))

    def rules(self, hash: str) -> RulesetTexts:
        row = self._read_row("SELECT texts FROM rulesets WHERE hash = ?", (hash,))
        with self._errors():
            return () if row is None else tuple((name, text) for name, text in json.loads(row[0]))

    def publish_ruleset(self, draft: DraftRuleset) -> None:
        into = """INSERT INTO shelf (hash, ruleset, text, cases) VALUES (?, ?, ?, ?)
                  ON CONFLICT DO NOTHING"""
        self._write_row(into, (draft.hash, draft.rules_hash, draft.text, draft.cases))

    def published_ruleset(self, hash: str) -> DraftRuleset | None:
        row = self._read_row("SELECT ruleset, text, cases FROM shelf WHERE hash = ?", (hash,))
        draft = None if row is None else DraftRuleset(*row)
        if draft is not None and draft.hash != hash:
            raise self.damaged(Message("store.bad_draft", hash=hash[:12]))
        return draft

    def count_published(self) -> int:
        return int(self._read_row("SELECT count(*) FROM shelf")[0])

    # -- links and recovery codes

    def save_link(self, token_hash: str, link: Link) -> None:
        into = "INSERT INTO links (mark, table_id, seat, role) VALUES (?, ?, ?, ?)"
        self._write_row(into, (token_hash, link.table, link.seat, link.role))

    def link(self, token_hash: str) -> Link | None:
        row = self._read_row("SELECT table_id, seat, role FROM links WHERE mark = ?", (token_hash,))
        return None if row is None else Link(*row)

    def links(self, table: str) -> list[tuple[str, Link]]:
        query = "SELECT mark, table_id, seat, role FROM links WHERE table_id = ?"
        with self._errors():
            return [(token_hash, Link(*row)) for token_hash, *row in self.execute(query, (table,))]

    def delete_links(self, token_hashes: Sequence[str]) -> None:
        rows = [(token_hash,) for token_hash in token_hashes]
        self._write(lambda: self.execute_many("DELETE FROM links WHERE mark = ?", rows))

    def save_join_nonce(self, table: str, role: str, nonce: bytes) -> None:
        into = """INSERT INTO join_links (table_id, role, nonce) VALUES (?, ?, ?)
                  ON CONFLICT (table_id, role) DO UPDATE SET nonce = excluded.nonce"""
        self._write_row(into, (table, role, nonce))

    def join_nonce(self, table: str, role: str) -> bytes | None:
        query = "SELECT nonce FROM join_links WHERE table_id = ? AND role = ?"
        row = self._read_row(query, (table, role))
        return None if row is None else bytes(row[0])

    def save_recovery_code(self, code_hash: str, table: str, seat: str) -> None:
        into = """INSERT INTO recovery_codes (table_id, seat, mark) VALUES (?, ?, ?)
                  ON CONFLICT (table_id, seat) DO UPDATE SET mark = excluded.mark"""
        self._write_row(into, (table, seat, code_hash))

    def recovery_seat(self, code_hash: str) -> tuple[str, str] | None:
        row = self._read_row("SELECT table_id, seat FROM recovery_codes WHERE mark = ?", (code_hash,))
        return None if row is None else (row[0], row[1])

    def has_recovery_code(self, table: str, seat: str) -> bool:
        query = "SELECT 1 FROM recovery_codes WHERE table_id = ? AND seat = ?"
        return self._read_row(query, (table, seat)) is not None

    def delete_recovery_code(self, table: str, seat: str) -> None:
        self._write_row("DELETE FROM recovery_codes WHERE table_id = ? AND seat = ?", (table, seat))

    # -- pictures

    def save_picture(self, table: str, hash: str, picture: bytes) -> None:
        into = """INSERT INTO pictures (table_id, hash, picture) VALUES (?, ?, ?)
                  ON CONFLICT DO NOTHING"""
        self._write_row(into, (table, hash, picture))

    def picture(self, table: str, hash: str) -> bytes | None:
        query = "SELECT picture FROM pictures WHERE table_id = ? AND hash = ?"
        row = self._read_row(query, (table, hash))
        return None if row is None else row[0]

    def count_pictures(self, table: str) -> int:
        return int(self._read_row("SELECT count(*) FROM pictures WHERE table_id = ?", (table,))[0])

    # -- the log

    def append(self, table: str, entries: Sequence[Entry], *, after: int, epoch: Epoch | None = None) -> None:
        texts = [_ENCODER.encode(entry) for entry in entries]
        self._write(lambda: self._append_texts(table, texts, after, epoch))

    def _append_texts(self, table: str, texts: Sequence[str], after: int, epoch: Epoch | None) -> None:
        before = self._chain_hash_at(table, after)
        begun = "SELECT 1 FROM epochs WHERE table_id = ? AND number = ?"
        if epoch is not None and self.execute(begun, (table, epoch.number)).fetchone():
            raise Conflict(f"epoch {epoch.number} has begun")
        chain_hash = reduce(extend_chain_hash, texts, before)
        update = "UPDATE tables SET mark = ? WHERE table_id = ? AND mark = ?"
        if not self.execute(update, (chain_hash, table, before)).rowcount:
            self._chain_heads.pop(table, None)  # another writer has appended
            raise Conflict(f"number {after + 1} is taken")
        rows = [(table, seq, text) for seq, text in enumerate(texts, after + 1)]
        self.execute_many("INSERT INTO entries (table_id, seq, entry) VALUES (?, ?, ?)", rows)
        if epoch is not None:
            into = "INSERT INTO epochs (table_id, number, secret) VALUES (?, ?, ?)"
            self.execute(into, (table, epoch.number, epoch.secret))
        self._chain_heads[table] = after + len(rows), chain_hash

    def _chain_hash_at(self, table: str, seq: int) -> str:
        """Return the chain hash of a table whose last entry has this number; cached."""
        head = self._chain_heads.get(table)
        if head is not None and head[0] == seq:
            return head[1]
        query = """SELECT mark, (SELECT coalesce(max(seq), 0) FROM entries WHERE table_id = ?)
                   FROM tables WHERE table_id = ?"""
        row = self.execute(query, (table, table)).fetchone()
        if row is None:
            raise TableDeleted(Message("store.table_deleted"))
        if row[1] != seq:
            raise Conflict(f"number {seq + 1} is taken")
        return str(row[0])

    def epochs(self, table: str) -> dict[int, bytes]:
        query = "SELECT number, secret FROM epochs WHERE table_id = ? ORDER BY number"
        with self._errors():
            return {number: bytes(secret) for number, secret in self.execute(query, (table,))}

    def signing_seed(self, table: str) -> bytes:
        row = self._read_row("SELECT signing_seed FROM tables WHERE table_id = ?", (table,))
        if row is None:
            raise TableDeleted(Message("store.table_deleted"))
        return bytes(row[0])

    def read(self, table: str, *, after: int = 0, most: int | None = None) -> list[Entry]:
        query = """SELECT tables.mark, seq, entry
                   FROM tables LEFT JOIN entries ON entries.table_id = tables.table_id AND seq > ?
                   WHERE tables.table_id = ? ORDER BY seq LIMIT ?"""
        entries: list[Entry] = []
        with self._errors():
            chain_hash = self._read_hashes.get((table, after), "") if after else self._first_hash(table)
            rows = self.execute(query, (after, table, NO_LIMIT if most is None else most))
            last_hash = None
            while batch := rows.fetchmany(READ_BATCH):
                last_hash = batch[0][0]
                if batch[0][1] is None:
                    break  # no entries
                for expected, (_, seq, text) in enumerate(batch, after + len(entries) + 1):
                    chain_hash = chain_hash and extend_chain_hash(chain_hash, text)
                    if seq != expected:
                        raise self.damaged(Message("store.entry_missing", expected=expected, table=table))
                entries += json.loads(f"[{','.join(text for _, _, text in batch)}]")
            if after and last_hash is None:
                raise TableDeleted(Message("store.table_deleted"))
            if chain_hash and len(entries) != most and chain_hash != last_hash:
                raise self.damaged(Message("store.entries_changed", table=table))
        self._read_hashes = {(table, after + len(entries)): chain_hash} if chain_hash else {}
        return entries

    def _first_hash(self, table: str) -> str:
        query = "SELECT table_id, game, secret, ruleset FROM tables WHERE table_id = ?"
        row = self.execute(query, (table,)).fetchone()
        return "" if row is None else initial_chain_hash(*row)

    def first_and_last(self, table: str) -> tuple[Entry | None, Entry | None, int]:
        """Return a table's first and last entry, and the number of entries."""
        entry = "(SELECT entry FROM entries WHERE table_id = ? ORDER BY seq {} LIMIT 1)"
        count = "(SELECT count(*) FROM entries WHERE table_id = ?)"
        query = f"SELECT {entry.format('ASC')}, {entry.format('DESC')}, {count}"
        first, last, total = self._read_row(query, (table, table, table))
        with self._errors():
            return first and json.loads(first), last and json.loads(last), total

    def changed_tables(self, known: Mapping[str, int]) -> list[str]:
        """Return those tables that others have continued beyond these numbers, or deleted."""
        query = """SELECT (SELECT 1 FROM tables WHERE table_id = ?),
                          (SELECT 1 FROM entries WHERE table_id = ? AND seq > ? LIMIT 1)"""
        with self._errors():
            return [
                table
                for table, last in known.items()
                if self.execute(query, (table, table, last)).fetchone() != (1, None)
            ]

    # -- upkeep

    def delete_table(self, table: str) -> int:
        """Delete a table, its links and rulesets used by no other; return its number of entries."""
        deleted = 0
        rules_query = f"""SELECT {self.entry_ruleset} FROM entries WHERE table_id {{0}} ?
                  UNION SELECT ruleset FROM tables WHERE table_id {{0}} ?"""

        def work() -> None:
            nonlocal deleted
            own_rules, other_rules = (
                {hash for (hash,) in self.execute(rules_query.format(operator), (table, table))}
                for operator in ("=", "!=")
            )
            for name in _PARTS:
                cursor = self.execute(f"DELETE FROM {name} WHERE table_id = ?", (table,))
                deleted = cursor.rowcount if name == "entries" else deleted
            for hash in own_rules - other_rules:
                self.execute("DELETE FROM rulesets WHERE hash = ?", (hash,))

        self._write(work)
        self._chain_heads.pop(table, None)
        return deleted

    def check_writable(self) -> None:
        """Write as much as a large command needs and delete it again; raises if that fails."""
        into = """INSERT INTO rulesets (hash, texts) VALUES ('', ?)
                  ON CONFLICT (hash) DO UPDATE SET texts = excluded.texts"""
        self._write_row(into, ("[]".ljust(PROBE_SIZE),))
        self._write_row("DELETE FROM rulesets WHERE hash = ''", ())
