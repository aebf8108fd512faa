"""Schema migrations of an SQLite file of tables.

A new file runs every migration, an older one those that it lacks, in one transaction, so all files
end with the same schema.  A released migration is never changed; new ones are appended.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from secrets import token_bytes

from handful.ed25519 import SEED_BYTES
from handful.store.chain_hash import extend_chain_hash, initial_chain_hash

APPLICATION_ID = 0x48466C64  # in the file header: marks a Handful file


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
    """Store the rulesets that tables are played with."""
    file.execute("CREATE TABLE rulesets (hash TEXT PRIMARY KEY, texts TEXT NOT NULL) STRICT")
    file.execute("ALTER TABLE tables ADD COLUMN ruleset TEXT NOT NULL DEFAULT ''")
    first = file.execute("SELECT table_id, entry FROM entries WHERE seq = 1").fetchall()
    for table, entry in first:
        row = (json.loads(entry)["ruleset"], table)
        file.execute("UPDATE tables SET ruleset = ? WHERE table_id = ?", row)


def _to_3(file: sqlite3.Connection) -> None:
    """Give each table a hash over its chain of entries, so that changes on disk are detected."""
    file.execute("ALTER TABLE tables ADD COLUMN mark TEXT NOT NULL DEFAULT ''")
    tables = file.execute("SELECT table_id, game, secret, ruleset FROM tables").fetchall()
    for table, game, secret, rules in tables:
        chain_hash = initial_chain_hash(table, game, secret, rules)
        entries = "SELECT entry FROM entries WHERE table_id = ? ORDER BY seq"
        for (entry,) in file.execute(entries, (table,)):
            chain_hash = extend_chain_hash(chain_hash, entry)
        file.execute("UPDATE tables SET mark = ? WHERE table_id = ?", (chain_hash, table))


def _to_4(file: sqlite3.Connection) -> None:
    """Store the seats that links lead to, by the hash of the link's token, never the token itself."""
    file.execute("""
        CREATE TABLE links (
            mark TEXT PRIMARY KEY,
            table_id TEXT NOT NULL REFERENCES tables (table_id),
            seat TEXT NOT NULL,
            role TEXT NOT NULL
        ) STRICT, WITHOUT ROWID""")


def _to_5(file: sqlite3.Connection) -> None:
    """Store published draft rulesets, as written, by the hash of their content."""
    file.execute("""
        CREATE TABLE shelf (
            hash TEXT PRIMARY KEY,
            ruleset TEXT NOT NULL,
            text TEXT NOT NULL,
            cases TEXT NOT NULL
        ) STRICT, WITHOUT ROWID""")


def _to_6(file: sqlite3.Connection) -> None:
    """Store the secrets of epochs, and for each table the seed of the key that signs its logs."""
    file.execute("""
        CREATE TABLE epochs (
            table_id TEXT NOT NULL REFERENCES tables (table_id),
            number INTEGER NOT NULL,
            secret BLOB NOT NULL,
            PRIMARY KEY (table_id, number)
        ) STRICT, WITHOUT ROWID""")
    file.execute("ALTER TABLE tables ADD COLUMN signing_seed BLOB NOT NULL DEFAULT x''")
    for (table,) in file.execute("SELECT table_id FROM tables").fetchall():
        row = (token_bytes(SEED_BYTES), table)
        file.execute("UPDATE tables SET signing_seed = ? WHERE table_id = ?", row)


def _to_7(file: sqlite3.Connection) -> None:
    """Store the nonces from which the codes of join links follow, and the hashes of recovery codes."""
    file.execute("""
        CREATE TABLE join_links (
            table_id TEXT NOT NULL REFERENCES tables (table_id),
            role TEXT NOT NULL,
            nonce BLOB NOT NULL,
            PRIMARY KEY (table_id, role)
        ) STRICT, WITHOUT ROWID""")
    file.execute("""
        CREATE TABLE recovery_codes (
            table_id TEXT NOT NULL REFERENCES tables (table_id),
            seat TEXT NOT NULL,
            mark TEXT NOT NULL UNIQUE,
            PRIMARY KEY (table_id, seat)
        ) STRICT, WITHOUT ROWID""")


def _to_8(file: sqlite3.Connection) -> None:
    """Store small pictures of people and characters, by the hash of their bytes."""
    file.execute("""
        CREATE TABLE pictures (
            table_id TEXT NOT NULL REFERENCES tables (table_id),
            hash TEXT NOT NULL,
            picture BLOB NOT NULL,
            PRIMARY KEY (table_id, hash)
        ) STRICT, WITHOUT ROWID""")


MIGRATIONS: list[Callable[[sqlite3.Connection], None]] = [
    _to_1,
    _to_2,
    _to_3,
    _to_4,
    _to_5,
    _to_6,
    _to_7,
    _to_8,
]
VERSION = len(MIGRATIONS)
