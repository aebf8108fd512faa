"""The open rooms of a server: a room is opened on its first request and closed when it is idle.

A background task tries a failed store again.
Invariant: there is at most one room for a table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from handful.errors import HandfulError
from handful.library.tables import now
from handful.store import Link, SQLStore, StoredTable, StoreFault, TableDeleted, TableHeader
from handful.table import SeatLogs
from handful.web.connections import FORBIDDEN, STOPPING, Connection
from handful.web.database import Database
from handful.web.faults import forbidden
from handful.web.gc_policy import IdleCollector
from handful.web.middleware import LOG
from handful.web.open_table import OpenTable
from handful.web.rooms import Room
from handful.web.settings import ServerLimits
from handful.web.store_status import StoreStatus
from handful.web.table_backends import ForeignRules, InstalledRulesets, LocalTable, TableBackend
from handful.web.table_rulesets import TableRulesets, is_foreign, rules_of_table
from handful.web.table_workers import TableWorkers
from handful.web.worker_processes import WorkerProcesses

READ_PART = 100  # entries that are read at once; with 250, other tables waited twice as long


class RoomRegistry:
    """Rooms by the id of their table."""

    def __init__(
        self,
        database: Database,
        status: StoreStatus,
        rulesets: TableRulesets,
        processes: WorkerProcesses,
        workers: TableWorkers,
        limits: ServerLimits,
    ) -> None:
        self.database, self.status, self.rulesets = database, status, rulesets
        self.processes, self.workers, self.limits = processes, workers, limits
        self.by_table: dict[str, Room] = {}
        self._opening: dict[str, asyncio.Lock] = {}  # table -> held while its room is opened
        self._watcher: asyncio.Task[None]

    def start(self) -> None:
        self._watcher = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        self._watcher.cancel()
        with suppress(asyncio.CancelledError):
            await self._watcher
        for room in self.by_table.values():
            room.drop(STOPPING)

    def connections(self) -> list[Connection]:
        """Return the connections of all rooms."""
        return [one for room in self.by_table.values() for one in room.connections]

    async def get(self, table: str) -> Room:
        """Return the room of a table, and open it if necessary.

        It has everything that was saved before, by other processes, too: a client may have got the
        answer to its last request from one of them.
        """
        if (room := self.by_table.get(table)) is not None:
            await self._catch_up(table, room)
            if table in self.by_table:
                return self.by_table[table]
        lock = self._opening.setdefault(table, asyncio.Lock())
        try:
            async with lock:
                if table not in self.by_table:
                    self.by_table[table] = room = await self._load(table)
                    header, rules = room.header, room.facts.rules
                    self.processes.warm(rules, lambda: self.rulesets.texts(header, rules))
        finally:
            self._opening.pop(table, None)
        return self.by_table[table]

    async def summary(self, link: Link) -> dict[str, Any]:
        """Describe a table for a list: title, game, role, and seats whose pages are open; opens no room."""
        if (room := self.by_table.get(link.table)) is not None:
            facts, open_pages = room.facts, {one.seat for one in room.connections}
            here = [one for one in facts.seats if one in open_pages]
            return {"table": facts.title, "game": facts.game, "role": facts.role(link.seat), "here": here}

        def read(store: SQLStore) -> dict[str, Any]:
            header = next((one for one in store.tables() if one.table == link.table), None)
            if header is None:
                raise forbidden()
            first, _, _ = store.first_and_last(link.table)
            title = first["data"].get("table", "") if first else ""
            return {"table": title, "game": header.game, "role": link.role, "here": []}

        return await self.database.read(read)

    async def _load(self, table: str) -> Room:
        header = await self.database.read(lambda store: _find_header(store, table))

        def isolate() -> Awaitable[TableBackend]:
            return self.workers.open_table(header, lambda: self._end(table))

        try:
            if is_foreign(header):
                raise ForeignRules(header.rules_hash)
            backend: TableBackend = await self._open_here(header)
        except ForeignRules:
            backend = await isolate()
        return Room(header, backend, self.limits, isolate, self.status.report)

    async def _open_here(self, header: TableHeader) -> LocalTable:
        """Read a table in parts, between which the writer works for other tables."""
        logs = SeatLogs()
        stored = await self.database.run(lambda store: self._stored(store, header, logs))
        while await self.database.run(lambda store: stored.read_part(READ_PART)):
            pass
        await self.database.run(lambda store: self._begin_epoch(stored))
        return LocalTable(OpenTable(stored, logs, self.limits), self.database.writer)

    def _stored(self, store: SQLStore, header: TableHeader, logs: SeatLogs) -> StoredTable:
        return StoredTable(
            store,
            header,
            rules_of_table(store, header),
            now,
            has_epoch=header.table in self.database.epochs,
            on_entry=[logs.add],
            reads_all=False,
            rulesets=InstalledRulesets(store),
        )

    def _end(self, table: str) -> None:
        """Forget a room whose worker has ended; its clients come back, and it is opened again."""
        if (room := self.by_table.pop(table, None)) is not None:
            room.drop(STOPPING)

    def _begin_epoch(self, stored: StoredTable) -> None:
        with suppress(StoreFault):  # a table can be read while the file cannot be written
            stored.begin_epoch()
            self.database.epochs.add(stored.header.table)

    def disconnect(self, table: str, seat: str) -> None:
        """Drop the connections of a seat whose links were revoked."""
        if table in self.by_table:
            self.by_table[table].drop(FORBIDDEN, seat)

    # -- maintenance

    async def _watch(self) -> None:
        """Periodically close idle rooms, and retry a failed store."""
        collector = IdleCollector()
        while True:
            await asyncio.sleep(self.limits.watch_seconds)
            with log_errors():
                if self.status.failed:
                    await self._retry_store()
            last_used = max((room.last_used for room in self.by_table.values()), default=0.0)
            for name, room in tuple(self.by_table.items()):
                if room.is_idle:
                    del self.by_table[name]
                    await room.close()
            await self.database.writer.run(partial(collector.collect_if_due, last_used))
            with log_errors():
                if not self.status.failed:
                    await self.database.read(lambda store: store.checkpoint())

    async def _catch_up(self, name: str, room: Room) -> None:
        with suppress(StoreFault):  # a table can be read while the database cannot
            if await self.database.read(lambda store: store.changed_tables({name: room.seq})):
                await self.refresh(name, room)

    async def refresh(self, name: str, room: Room, seq: int | None = None) -> None:
        """Load what another process wrote, at least up to this number."""
        try:
            await room.refresh(seq)
        except TableDeleted:  # by its owner, with `handful forget`
            if self.by_table.get(name) is room:
                del self.by_table[name]
            room.drop(FORBIDDEN)
            await room.close()

    async def _retry_store(self) -> None:
        try:
            await self.database.run(lambda store: store.check_writable())
        except StoreFault:
            return
        self.status.report(None)


def _find_header(store: SQLStore, table: str) -> TableHeader:
    header = next((one for one in store.tables() if one.table == table), None)
    if header is None:
        raise forbidden()
    return header


@contextmanager
def log_errors() -> Iterator[None]:
    """Log an error of one room, so that the others go on."""
    try:
        yield
    except HandfulError as error:
        LOG.warning("%s", error.message)
    except Exception:
        LOG.exception("maintenance of the rooms failed")
