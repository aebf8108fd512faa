"""Stores of tables: append-only logs, in memory, in an SQLite file or in a PostgreSQL database.

A store holds entries and knows nothing of games.  `StoredTable` binds one table to a store: decide,
save, and only then publish.
"""

from handful.store.memory import MemoryStore
from handful.store.opening import display_name, is_address, open_store
from handful.store.protocol import (
    Conflict,
    DraftRuleset,
    Epoch,
    Link,
    OutcomeUnknown,
    RulesetTexts,
    Store,
    StoreFault,
    TableDeleted,
    TableHeader,
)
from handful.store.rulesets import StoredRulesets, read_stored_rules
from handful.store.sql import SQLStore
from handful.store.sqlite import SQLiteStore
from handful.store.stored_table import StoredTable

__all__ = [
    "Conflict",
    "DraftRuleset",
    "Epoch",
    "Link",
    "MemoryStore",
    "OutcomeUnknown",
    "RulesetTexts",
    "SQLStore",
    "SQLiteStore",
    "Store",
    "StoreFault",
    "StoredRulesets",
    "StoredTable",
    "TableDeleted",
    "TableHeader",
    "display_name",
    "is_address",
    "open_store",
    "read_stored_rules",
]
