"""A store that forgets: for tests, and for an evening that nobody wants to keep."""

from __future__ import annotations

import json
from collections.abc import Sequence

from handful.store.protocol import Conflict, DraftRuleset, Entry, Link, RulesetTexts, TableHeader


class MemoryStore:
    """Keeps entries as text, as a file would, so that nobody can change them afterwards."""

    def __init__(self) -> None:
        self._tables: dict[str, TableHeader] = {}
        self._entries: dict[str, list[str]] = {}
        self._links: dict[str, Link] = {}
        self._rules: dict[str, RulesetTexts] = {}
        self._shelf: dict[str, DraftRuleset] = {}

    def create_table(self, opened: TableHeader) -> None:
        if opened.table in self._tables:
            raise Conflict(f"there is a table {opened.table!r} already")
        self._tables[opened.table] = opened
        self._entries[opened.table] = []

    def tables(self) -> list[TableHeader]:
        return list(self._tables.values())

    def save_rules(self, hash: str, texts: RulesetTexts) -> None:
        self._rules.setdefault(hash, tuple(texts))

    def rules(self, hash: str) -> RulesetTexts:
        return self._rules.get(hash, ())

    def publish_ruleset(self, brew: DraftRuleset) -> None:
        self._shelf[brew.hash] = brew

    def published_ruleset(self, hash: str) -> DraftRuleset | None:
        return self._shelf.get(hash)

    def count_published(self) -> int:
        return len(self._shelf)

    def save_link(self, mark: str, link: Link) -> None:
        self._links[mark] = link

    def link(self, mark: str) -> Link | None:
        return self._links.get(mark)

    def links(self, table: str) -> list[tuple[str, Link]]:
        return [(mark, link) for mark, link in self._links.items() if link.table == table]

    def delete_links(self, marks: Sequence[str]) -> None:
        for mark in marks:
            self._links.pop(mark, None)

    def append(self, table: str, entries: Sequence[Entry], *, after: int) -> None:
        own = self._entries[table]
        if len(own) != after:
            raise Conflict(f"number {after + 1} is taken")
        own.extend([json.dumps(entry) for entry in entries])

    def read(self, table: str, *, after: int = 0) -> list[Entry]:
        return [json.loads(text) for text in self._entries[table][after:]]

    def close(self) -> None:
        """Nothing to let go of."""
