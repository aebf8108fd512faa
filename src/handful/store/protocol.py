"""What every store can do; one suite of tests holds all of them to it."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Protocol

from handful.errors import FileFault, Refused
from handful.records import record

Entry = dict[str, Any]
RulesetTexts = Sequence[tuple[str, str]]  # the files of a ruleset, base first: name and text of each


class Conflict(Exception):
    """Somebody else wrote first: read again, and decide again."""


class TableDeleted(Refused):
    """A table that was deleted."""


class StoreFault(FileFault):
    """A store that cannot be read or written now; nothing was changed.

    `says` is the message without where the store lies, for those who only play there.
    """

    def __init__(self, message: str, hint: str = "", says: str = "") -> None:
        super().__init__(message, hint)
        self.public_message = says or message


@record()
class TableHeader:
    """A table as its store knows it: its game, and the secret from which its dice come."""

    table: str
    game: str
    secret: bytes
    rules_hash: str = ""  # the hash of the ruleset that it is played with; its texts are kept, too


@record()
class DraftRuleset:
    """A ruleset that somebody wrote: its own texts, and the hash of all that they say."""

    rules_hash: str  # those that are kept under this hash are the same, with what they extend
    text: str
    cases: str = ""

    @property
    def hash(self) -> str:
        """The same for the same texts, comments and cases included; nobody guesses it."""
        parts = "\n".join(sha256(one.encode()).hexdigest() for one in (self.text, self.cases))
        return sha256(f"handful brew\n{self.rules_hash}\n{parts}".encode()).hexdigest()


@record()
class Link:
    """Where a link leads: to a seat, or, without one, to a new seat of this role."""

    table: str
    seat: str
    role: str


class Store(Protocol):
    """Append-only logs of tables; each append is whole or not at all."""

    def create_table(self, opened: TableHeader) -> None:
        """Make room for a new table; `Conflict` if there is one of that name."""

    def tables(self) -> list[TableHeader]: ...

    def save_rules(self, hash: str, texts: RulesetTexts) -> None:
        """Keep the texts of a ruleset: a log means nothing without its rules.  Once is enough."""

    def rules(self, hash: str) -> RulesetTexts:
        """The texts of a ruleset; none where they were not kept."""

    def publish_ruleset(self, brew: DraftRuleset) -> None:
        """Put a ruleset on the shelf, where everybody who knows its hash finds it."""

    def published_ruleset(self, hash: str) -> DraftRuleset | None: ...

    def count_published(self) -> int:
        """How many are on the shelf."""

    def save_link(self, mark: str, link: Link) -> None:
        """Keep where a link leads, by a mark from which nobody can make the link."""

    def link(self, mark: str) -> Link | None: ...

    def links(self, table: str) -> list[tuple[str, Link]]: ...

    def delete_links(self, marks: Sequence[str]) -> None:
        """These links lead nowhere from now on."""

    def append(self, table: str, entries: Sequence[Entry], *, after: int) -> None:
        """Save entries that follow number `after`; `Conflict` if others are there already."""

    def read(self, table: str, *, after: int = 0) -> list[Entry]: ...

    def close(self) -> None: ...
