"""Where a table is decided: `TableBackend` is what a room needs of it, `LocalTable` does it in this process.

`RemoteTable` (`table_workers.py`) does the same in a worker process, for rules that are not shipped.
Invariant: rules of strangers never run in this process: a local table that meets some raises
`ForeignRules`, before anything of them is read, and its room moves it to a worker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

from handful.rules.ruleset import Ruleset
from handful.store import Store
from handful.table import Command
from handful.web import games
from handful.web.open_table import OpenTable, Patches, TableFacts
from handful.web.table_queries import answer_query
from handful.web.writer import SerialThread


class ForeignRules(Exception):
    """A table needs a ruleset that is not a shipped one: it has to be decided in a worker process."""


class InstalledRulesets(Mapping[str, Ruleset]):
    """The shipped rulesets by hash; raises `ForeignRules` for any other that is in the store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getitem__(self, hash: str) -> Ruleset:
        installed = games.installed_by_hash()
        if hash not in installed and self._store.rules(hash):
            raise ForeignRules(hash)
        return installed[hash]

    def __iter__(self) -> Iterator[str]:
        return iter(games.installed_by_hash())

    def __len__(self) -> int:
        return len(games.installed_by_hash())


class TableBackend(Protocol):
    """An open table, wherever it is decided."""

    @property
    def facts(self) -> TableFacts: ...

    def listen(self, viewers: Callable[[], Iterable[str]]) -> None:
        """Write messages for these viewers from now on."""

    async def submit(self, seat: str, command: Command) -> int:
        """Decide and save a command; return the number of the seat's last log line."""

    async def record_link(self, seat: str, by: str) -> None: ...

    async def refresh(self) -> None:
        """Load what another process wrote."""

    async def take_patches(self) -> Patches | None:
        """Return the messages to send since the last time; None if nothing has changed."""

    async def snapshot(self, viewer: str, after: int) -> str: ...

    async def ask(self, name: str, arguments: dict[str, Any]) -> Any:
        """Answer a question of `table_queries`."""

    async def close(self) -> None: ...


class LocalTable:
    """A table of a shipped game, decided in the thread of the tables."""

    def __init__(self, opened: OpenTable, writer: SerialThread) -> None:
        self.opened, self._writer = opened, writer
        self._facts = opened.table, TableFacts.of(opened.table)

    @property
    def facts(self) -> TableFacts:
        table = self.opened.table
        if self._facts[0] is not table:
            self._facts = table, TableFacts.of(table)
        return self._facts[1]

    def listen(self, viewers: Callable[[], Iterable[str]]) -> None:
        self.opened.viewers = viewers

    async def submit(self, seat: str, command: Command) -> int:
        store = self.opened.stored.store
        return await self._writer.commit(store, lambda: self.opened.decide_and_save(seat, command))

    async def record_link(self, seat: str, by: str) -> None:
        await self._writer.commit(self.opened.stored.store, lambda: self.opened.record_link(seat, by))

    async def refresh(self) -> None:
        await self._writer.run(self.opened.stored.refresh)

    async def take_patches(self) -> Patches | None:
        if not self.opened.is_written:
            await self._writer.run(self.opened.write_patches)
        return self.opened.take_patches()

    async def snapshot(self, viewer: str, after: int) -> str:
        """Hash the seat's lines in parts, between which the writer works for other tables."""
        while await self._writer.run(lambda: self.opened.hash_part(viewer)):
            pass
        return await self._writer.run(lambda: self.opened.write_snapshot(viewer, after))

    async def ask(self, name: str, arguments: dict[str, Any]) -> Any:
        return await self._writer.run(lambda: answer_query(self.opened, name, arguments))

    async def close(self) -> None:
        """Nothing to do: it is freed with its room."""
