"""How an SQLite file of tables is laid out, version by version.

A new file takes every step, an older one those that it lacks, in one transaction: so all files are
laid out alike.  A step that was released is never changed; the next one is added below it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable

APPLICATION = 0x48466C64  # in the file's head: a Handful file


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
    file.execute(f"PRAGMA application_id = {APPLICATION}")


def _to_2(file: sqlite3.Connection) -> None:
    """The rules of a game are kept with the tables that are played by them."""
    file.execute("CREATE TABLE rulesets (hash TEXT PRIMARY KEY, texts TEXT NOT NULL) STRICT")
    file.execute("ALTER TABLE tables ADD COLUMN ruleset TEXT NOT NULL DEFAULT ''")
    first = file.execute("SELECT table_id, entry FROM entries WHERE seq = 1").fetchall()
    for table, entry in first:
        row = (json.loads(entry)["ruleset"], table)
        file.execute("UPDATE tables SET ruleset = ? WHERE table_id = ?", row)


LAYOUTS: list[Callable[[sqlite3.Connection], None]] = [_to_1, _to_2]
VERSION = len(LAYOUTS)
