"""What every store can do; one suite of tests holds all of them to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from handful.errors import FileFault
from handful.records import record

Entry = dict[str, Any]


class Conflict(Exception):
    """Somebody else wrote first: read again, and decide again."""


class StoreFault(FileFault):
    """A store that cannot be read or written now; nothing was changed."""


@record()
class Opened:
    """A table as its store knows it: its game, and the secret from which its dice come."""

    table: str
    game: str
    secret: bytes


class Store(Protocol):
    """Append-only logs of tables; each append is whole or not at all."""

    def begin(self, opened: Opened) -> None:
        """Make room for a new table; `Conflict` if there is one of that name."""

    def tables(self) -> list[Opened]: ...

    def append(self, table: str, entries: Sequence[Entry], *, after: int) -> None:
        """Save entries that follow number `after`; `Conflict` if others are there already."""

    def read(self, table: str, *, after: int = 0) -> list[Entry]: ...

    def close(self) -> None: ...
