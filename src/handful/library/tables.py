"""Tables in files: the rim that knows the clock and chance."""

from __future__ import annotations

from datetime import UTC, datetime
from secrets import token_bytes
from typing import TYPE_CHECKING

from handful.errors import Refused, listed
from handful.library.rulesets import ruleset
from handful.store import Conflict, Kept, MemoryStore, Opened, SQLiteStore, Store
from handful.table import Command

if TYPE_CHECKING:
    from pathlib import Path


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def new_table(
    game: str, *, name: str = "table", gm: str = "gm", file: str | Path | None = None
) -> Kept:
    """A new table of a game, kept in a file, or only in memory."""
    rules = ruleset(game).rules
    store: Store = MemoryStore() if file is None else SQLiteStore(str(file), create=True)
    opened = Opened(name, game, token_bytes(32))
    try:
        store.begin(opened)
    except Conflict as conflict:
        raise Refused(f"{conflict}; take another name") from None
    kept = Kept(store, opened, rules, now)
    kept.do(gm, Command("open", "open", {"table": name}))
    return kept


def kept_table(file: str | Path, name: str | None = None) -> Kept:
    """A table from a file; the name is needed where there are several."""
    store = SQLiteStore(str(file))
    found = {one.table: one for one in store.tables()}
    if name is None and len(found) != 1:
        raise Refused(f"{file} has {len(found)} tables; name one: {listed(found)}")
    if name is not None and name not in found:
        raise Refused(f"{file} has no table {name[:60]!r}; there is {listed(found)}")
    opened = found[name] if name is not None else next(iter(found.values()))
    return Kept(store, opened, ruleset(opened.game).rules, now)
