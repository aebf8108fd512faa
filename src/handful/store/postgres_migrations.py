"""Schema migrations of a PostgreSQL database of tables.

A new database runs every migration, an older one those that it lacks, in one transaction under a lock,
so that two processes that start at once both succeed.  A released migration is never changed; new ones
are appended.  The columns are those of an SQLite file (`migrations.py`), so that both share statements.
"""

from __future__ import annotations

# Each migration is one text of statements; the table `handful` holds the number of the last one.
_TO_1 = """
    CREATE TABLE handful (version integer NOT NULL);
    INSERT INTO handful VALUES (0);
    CREATE TABLE tables (
        table_id text PRIMARY KEY,
        game text NOT NULL,
        secret bytea NOT NULL,
        ruleset text NOT NULL,
        mark text NOT NULL,
        signing_seed bytea NOT NULL
    );
    CREATE TABLE entries (
        table_id text NOT NULL REFERENCES tables,
        seq bigint NOT NULL,
        entry text NOT NULL,
        PRIMARY KEY (table_id, seq)
    );
    CREATE TABLE rulesets (hash text PRIMARY KEY, texts text NOT NULL);
    CREATE TABLE links (
        mark text PRIMARY KEY,
        table_id text NOT NULL REFERENCES tables,
        seat text NOT NULL,
        role text NOT NULL
    );
    CREATE INDEX links_of_table ON links (table_id);
    CREATE TABLE shelf (
        hash text PRIMARY KEY,
        ruleset text NOT NULL,
        text text NOT NULL,
        cases text NOT NULL
    );
    CREATE TABLE epochs (
        table_id text NOT NULL REFERENCES tables,
        number integer NOT NULL,
        secret bytea NOT NULL,
        PRIMARY KEY (table_id, number)
    );
    CREATE TABLE join_links (
        table_id text NOT NULL REFERENCES tables,
        role text NOT NULL,
        nonce bytea NOT NULL,
        PRIMARY KEY (table_id, role)
    );
    CREATE TABLE recovery_codes (
        table_id text NOT NULL REFERENCES tables,
        seat text NOT NULL,
        mark text NOT NULL UNIQUE,
        PRIMARY KEY (table_id, seat)
    );
    CREATE TABLE pictures (
        table_id text NOT NULL REFERENCES tables,
        hash text NOT NULL,
        picture bytea NOT NULL,
        PRIMARY KEY (table_id, hash)
    );
"""

MIGRATIONS = [_TO_1]
VERSION = len(MIGRATIONS)
