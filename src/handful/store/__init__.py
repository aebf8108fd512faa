"""Stores of tables: append-only logs, in memory or in an SQLite file.

A store holds entries and knows nothing of games.  `StoredTable` binds one table to a store: decide,
save, and only then publish.
"""

from handful.store.memory import MemoryStore
from handful.store.protocol import (
    Conflict,
    DraftRuleset,
    Epoch,
    Link,
    RulesetTexts,
    Store,
    StoreFault,
    TableDeleted,
    TableHeader,
)
from handful.store.rulesets import StoredRulesets, read_stored_rules
from handful.store.sqlite import SQLiteStore
from handful.store.stored_table import StoredTable

__all__ = [
    "Conflict",
    "DraftRuleset",
    "Epoch",
    "Link",
    "MemoryStore",
    "RulesetTexts",
    "SQLiteStore",
    "Store",
    "StoreFault",
    "StoredRulesets",
    "StoredTable",
    "TableDeleted",
    "TableHeader",
    "read_stored_rules",
]
