"""How an SQLite file of tables is laid out, version by version.

A new file takes every step, an older one those that it lacks, in one transaction: so all files are
laid out alike.  A step that was released is never changed; the next one is added below it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from hashlib import sha256

APPLICATION_ID = 0x48466C64  # in the file's head: a Handful file


def _to_1(file: sqlite3.Connection) -> None:
    file.execute("""
        CREATE TABLE tables (
            table_id TEXT PRIMARY KEY,
            game TEXT NOT NULL,
            secret BLOB NOT NULL
        ) STRICT, WITHOUT ROWID""")
    file.execute("""
        CREATE TABLE entries (
            table_id TEXT NOT NULL REFERENCES tables (table_id),
            seq INTEGER NOT NULL,
            entry TEXT NOT NULL,
            PRIMARY KEY (table_id, seq)
        ) STRICT, WITHOUT ROWID""")
    file.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _to_2(file: sqlite3.Connection) -> None:
    """The rules of a game are kept with the tables that are played by them."""
    file.execute("CREATE TABLE rulesets (hash TEXT PRIMARY KEY, texts TEXT NOT NULL) STRICT")
    file.execute("ALTER TABLE tables ADD COLUMN ruleset TEXT NOT NULL DEFAULT ''")
    first = file.execute("SELECT table_id, entry FROM entries WHERE seq = 1").fetchall()
    for table, entry in first:
        row = (json.loads(entry)["ruleset"], table)
        file.execute("UPDATE tables SET ruleset = ? WHERE table_id = ?", row)


def _to_3(file: sqlite3.Connection) -> None:
    """A table has a mark that follows from all its entries: what a disk has changed is found."""
    file.execute("ALTER TABLE tables ADD COLUMN mark TEXT NOT NULL DEFAULT ''")
    opened = file.execute("SELECT table_id, game, secret, ruleset FROM tables").fetchall()
    for table, game, secret, rules in opened:
        mark = initial_chain_hash(table, game, secret, rules)
        entries = "SELECT entry FROM entries WHERE table_id = ? ORDER BY seq"
        for (entry,) in file.execute(entries, (table,)):
            mark = extend_chain_hash(mark, entry)
        file.execute("UPDATE tables SET mark = ? WHERE table_id = ?", (mark, table))


def initial_chain_hash(table: str, game: str, secret: bytes, rules: str) -> str:
    """The mark of a table without entries."""
    return sha256("\n".join([table, game, secret.hex(), rules]).encode()).hexdigest()


def extend_chain_hash(before: str, entry: str) -> str:
    """The mark after one more entry."""
    return sha256(f"{before}\n{entry}".encode()).hexdigest()


def _to_4(file: sqlite3.Connection) -> None:
    """Who may sit where: marks of the links that were given out, never the links themselves."""
    file.execute("""
        CREATE TABLE links (
            mark TEXT PRIMARY KEY,
            table_id TEXT NOT NULL REFERENCES tables (table_id),
            seat TEXT NOT NULL,
            role TEXT NOT NULL
        ) STRICT, WITHOUT ROWID""")


def _to_5(file: sqlite3.Connection) -> None:
    """The shelf: rulesets that somebody wrote, as they wrote them, found by what they say."""
    file.execute("""
        CREATE TABLE shelf (
            hash TEXT PRIMARY KEY,
            ruleset TEXT NOT NULL,
            text TEXT NOT NULL,
            cases TEXT NOT NULL
        ) STRICT, WITHOUT ROWID""")


MIGRATIONS: list[Callable[[sqlite3.Connection], None]] = [_to_1, _to_2, _to_3, _to_4, _to_5]
VERSION = len(MIGRATIONS)
