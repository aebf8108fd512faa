"""Creates tables: the header, the first commands and a link for each seat, in one transaction.

Invariant: a refused command leaves nothing behind, neither a table nor a link.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from secrets import token_bytes, token_hex

from handful.library.tables import now
from handful.records import record
from handful.store import Link, SQLStore, StoredTable, TableHeader
from handful.table import GM, PLAYER, WATCHER, Command
from handful.table.commands import read_command
from handful.web import links
from handful.web.database import Database
from handful.web.table_rulesets import NewTableRules


@record()
class NewTable:
    """A table as it is asked for: its title and its seats."""

    title: str
    gm: str
    players: Sequence[str] = ()
    watchers: bool = False  # with an open invitation for watchers
    join: bool = False  # with a join link for players

    def roles(self) -> dict[str, str]:
        """Return the role of each seat that gets a link; "" is the open invitation."""
        roles = {self.gm: GM, **dict.fromkeys(self.players, PLAYER)}
        return {**roles, "": WATCHER} if self.watchers else roles


async def open_new_table(
    database: Database, rules: NewTableRules, wanted: NewTable
) -> tuple[str, dict[str, str]]:
    """Create a table with its seats; return its id and a link token for each seat."""
    table = f"{_slug(wanted.title)}-{token_hex(4)}"

    def write(store: SQLStore) -> dict[str, str]:
        with store.transaction():  # a refusal rolls everything back
            stored = _open(store, table, wanted, rules)
            for seat in filter(None, wanted.roles()):
                stored.record_link(seat, wanted.gm)()
            if wanted.join:
                links.create_join_link(store, table, PLAYER)
            return {
                seat: links.create_link(store, Link(table, seat, role))
                for seat, role in wanted.roles().items()
            }

    tokens = await database.write(write)
    database.epochs.add(table)  # it began with the table
    return table, tokens


def _open(store: SQLStore, table: str, wanted: NewTable, own: NewTableRules) -> StoredTable:
    header = TableHeader(table, own.game, token_bytes(32), own.rules.hash)
    store.save_rules(own.rules.hash, own.texts)
    store.create_table(header)
    stored = StoredTable(store, header, own.rules, now)
    read_command(Command("seat", "gm", {"name": wanted.gm, "role": GM}))
    stored.do(wanted.gm, Command("open", "open", {"table": wanted.title}))
    for at, name in enumerate(wanted.players, 1):
        stored.do(wanted.gm, Command("seat", f"seat {at}", {"name": name, "role": PLAYER}))
    return stored


def _slug(title: str) -> str:
    """Return a title in lowercase letters, digits and hyphens, for a URL."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:30].strip("-") or "table"
