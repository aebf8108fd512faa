"""The store protocol: what every store provides; one test suite runs against all of them.

An append is atomic and conditional on the number of the last entry, so two writers can never both
continue the same log.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Protocol

from handful.errors import NO_MESSAGE, FileFault, Refused, Text, as_message
from handful.records import field, record

Entry = dict[str, Any]
RulesetTexts = Sequence[tuple[str, str]]  # (name, text) of each file of a ruleset, base first


class Conflict(Exception):
    """Another writer was first: read the new entries and decide again."""


class TableDeleted(Refused):
    """The table was deleted."""


class StoreFault(FileFault):
    """The store cannot be read or written now; nothing was changed.

    `public_message` is the message without the file's path, for players.
    """

    def __init__(self, message: Text, hint: Text = NO_MESSAGE, public_message: Text = NO_MESSAGE) -> None:
        super().__init__(message, hint)
        self.public_message = as_message(public_message) or self.problem


class OutcomeUnknown(StoreFault):
    """The connection was lost during a commit: it is saved or not, and reading will tell."""


@record()
class TableHeader:
    """A table's header in the store: its game, and the secret from which its dice follow."""

    table: str
    game: str
    secret: bytes
    rules_hash: str = ""  # of the ruleset it is played with, whose texts are in the store


@record()
class Epoch:
    """A period in which a table's dice follow from one secret.

    Each process that opens a table for writing begins one, so a copy of a file never repeats dice.
    """

    number: int  # from 1; epoch 0 is the time before there were epochs, with the header's secret
    secret: bytes = field(repr=False)


@record()
class DraftRuleset:
    """A user-written ruleset: its own texts, and the hash of the ruleset they define."""

    rules_hash: str  # of the saved ruleset: these texts, with those they extend
    text: str
    cases: str = ""

    @property
    def hash(self) -> str:
        """A hash of the texts, including comments and cases; unguessable, so it grants access."""
        parts = "\n".join(sha256(one.encode()).hexdigest() for one in (self.text, self.cases))
        return sha256(f"handful brew\n{self.rules_hash}\n{parts}".encode()).hexdigest()


@record()
class Link:
    """The target of a link: a seat or, without one, a new seat of this role."""

    table: str
    seat: str
    role: str


class Store(Protocol):
    """Append-only logs of tables; each append is atomic."""

    def create_table(self, header: TableHeader) -> None:
        """Create a table; raises `Conflict` if its id exists."""

    def tables(self) -> list[TableHeader]: ...

    def save_rules(self, hash: str, texts: RulesetTexts) -> None:
        """Save the texts of a ruleset, without which its logs cannot be read; idempotent."""

    def rules(self, hash: str) -> RulesetTexts:
        """Return the texts of a ruleset; empty if they were not saved."""

    def publish_ruleset(self, draft: DraftRuleset) -> None:
        """Publish a draft ruleset to everyone who knows its hash."""

    def published_ruleset(self, hash: str) -> DraftRuleset | None: ...

    def count_published(self) -> int:
        """Return the number of published draft rulesets."""

    def save_link(self, token_hash: str, link: Link) -> None:
        """Save the target of a link under the hash of its token."""

    def link(self, token_hash: str) -> Link | None: ...

    def links(self, table: str) -> list[tuple[str, Link]]: ...

    def delete_links(self, token_hashes: Sequence[str]) -> None:
        """Revoke these links."""

    def save_join_nonce(self, table: str, role: str, nonce: bytes) -> None:
        """Save the nonce of the table's join link for a role, instead of the one before."""

    def join_nonce(self, table: str, role: str) -> bytes | None: ...

    def save_recovery_code(self, code_hash: str, table: str, seat: str) -> None:
        """Save the hash of a seat's recovery code, instead of the one before."""

    def recovery_seat(self, code_hash: str) -> tuple[str, str] | None:
        """Return the table and the seat of a recovery code."""

    def has_recovery_code(self, table: str, seat: str) -> bool: ...

    def delete_recovery_code(self, table: str, seat: str) -> None: ...

    def save_picture(self, table: str, hash: str, picture: bytes) -> None:
        """Save a picture of somebody at a table; idempotent."""

    def picture(self, table: str, hash: str) -> bytes | None: ...

    def count_pictures(self, table: str) -> int: ...

    def append(self, table: str, entries: Sequence[Entry], *, after: int, epoch: Epoch | None = None) -> None:
        """Append entries after number `after`; raises `Conflict` if there are others already.

        With `epoch`, its secret is saved in the same transaction.
        """

    def epochs(self, table: str) -> dict[int, bytes]:
        """Return the secrets of a table's epochs by number."""

    def signing_seed(self, table: str) -> bytes:
        """Return the seed of the key that signs the table's logs; `create_table` has created it."""

    def read(self, table: str, *, after: int = 0, most: int | None = None) -> list[Entry]:
        """Return the entries after number `after`, or the first `most` of them."""

    def close(self) -> None: ...
