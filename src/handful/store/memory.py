"""In-memory store, for tests and for tables that need not be saved.

It serialises entries as a file would, so that nobody can change them afterwards.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from secrets import token_bytes

from handful.ed25519 import SEED_BYTES
from handful.store.protocol import Conflict, DraftRuleset, Entry, Epoch, Link, RulesetTexts, TableHeader


class MemoryStore:
    """A store that is lost with the process."""

    def __init__(self) -> None:
        self._tables: dict[str, TableHeader] = {}
        self._entries: dict[str, list[str]] = {}
        self._epochs: dict[str, dict[int, bytes]] = {}
        self._signing_seeds: dict[str, bytes] = {}
        self._links: dict[str, Link] = {}
        self._join_nonces: dict[tuple[str, str], bytes] = {}
        self._pictures: dict[tuple[str, str], bytes] = {}  # table and hash -> bytes
        self._recovery_codes: dict[tuple[str, str], str] = {}  # (table, seat) -> hash
        self._rules: dict[str, RulesetTexts] = {}
        self._published: dict[str, DraftRuleset] = {}

    def create_table(self, header: TableHeader) -> None:
        if header.table in self._tables:
            raise Conflict(f"there is a table {header.table!r} already")
        self._tables[header.table] = header
        self._entries[header.table] = []
        self._epochs[header.table] = {}
        self._signing_seeds[header.table] = token_bytes(SEED_BYTES)

    def tables(self) -> list[TableHeader]:
        return list(self._tables.values())

    def save_rules(self, hash: str, texts: RulesetTexts) -> None:
        self._rules.setdefault(hash, tuple(texts))

    def rules(self, hash: str) -> RulesetTexts:
        return self._rules.get(hash, ())

    def publish_ruleset(self, draft: DraftRuleset) -> None:
        self._published[draft.hash] = draft

    def published_ruleset(self, hash: str) -> DraftRuleset | None:
        return self._published.get(hash)

    def count_published(self) -> int:
        return len(self._published)

    def save_link(self, token_hash: str, link: Link) -> None:
        self._links[token_hash] = link

    def link(self, token_hash: str) -> Link | None:
        return self._links.get(token_hash)

    def links(self, table: str) -> list[tuple[str, Link]]:
        return [(token_hash, link) for token_hash, link in self._links.items() if link.table == table]

    def delete_links(self, token_hashes: Sequence[str]) -> None:
        for token_hash in token_hashes:
            self._links.pop(token_hash, None)

    def save_join_nonce(self, table: str, role: str, nonce: bytes) -> None:
        self._join_nonces[table, role] = nonce

    def join_nonce(self, table: str, role: str) -> bytes | None:
        return self._join_nonces.get((table, role))

    def save_recovery_code(self, code_hash: str, table: str, seat: str) -> None:
        self._recovery_codes[table, seat] = code_hash

    def recovery_seat(self, code_hash: str) -> tuple[str, str] | None:
        return next((seat for seat, hash in self._recovery_codes.items() if hash == code_hash), None)

    def has_recovery_code(self, table: str, seat: str) -> bool:
        return (table, seat) in self._recovery_codes

    def delete_recovery_code(self, table: str, seat: str) -> None:
        self._recovery_codes.pop((table, seat), None)

    def save_picture(self, table: str, hash: str, picture: bytes) -> None:
        self._pictures[table, hash] = picture

    def picture(self, table: str, hash: str) -> bytes | None:
        return self._pictures.get((table, hash))

    def count_pictures(self, table: str) -> int:
        return sum(one == table for one, _ in self._pictures)

    def append(self, table: str, entries: Sequence[Entry], *, after: int, epoch: Epoch | None = None) -> None:
        log, epochs = self._entries[table], self._epochs[table]
        if len(log) != after:
            raise Conflict(f"number {after + 1} is taken")
        if epoch is not None:
            if epoch.number in epochs:
                raise Conflict(f"epoch {epoch.number} has begun")
            epochs[epoch.number] = epoch.secret
        log.extend([json.dumps(entry) for entry in entries])

    def read(self, table: str, *, after: int = 0, most: int | None = None) -> list[Entry]:
        end = None if most is None else after + most
        return [json.loads(text) for text in self._entries[table][after:end]]

    def epochs(self, table: str) -> dict[int, bytes]:
        return dict(self._epochs[table])

    def signing_seed(self, table: str) -> bytes:
        return self._signing_seeds[table]

    def close(self) -> None:
        """Do nothing: there is no file to close."""
