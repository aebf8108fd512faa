"""Follows what other processes write: their entries reach our rooms, their revoked links end our sockets.

PostgreSQL notifies us.  Every second we look for what no notice told, because a connection may be lost
without a word; `missed` counts that.  An SQLite file is looked at 20 times a second instead: reading its
version takes microseconds.
Invariant: a notice is only a reason to read; what counts is in the database.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from math import inf
from time import monotonic
from typing import Any

from handful.store import SQLStore, StoreFault, is_address
from handful.store.notices import Notice, listen
from handful.web.connections import FORBIDDEN, Connection
from handful.web.database import Database
from handful.web.links import find_link
from handful.web.room_registry import RoomRegistry, log_errors
from handful.web.rooms import Room
from handful.web.settings import ServerLimits

FILE_SECONDS = 0.05  # between looks at a file
RETRY_SECONDS = 1.0  # between attempts to connect


class OtherProcesses:
    """Tasks that keep the rooms up to date with the database."""

    def __init__(self, database: Database, rooms: RoomRegistry, limits: ServerLimits) -> None:
        self._database, self._rooms, self._limits = database, rooms, limits
        self._is_notified = is_address(database.data)
        self._wanted: dict[str, int] = {}  # table -> number that its room is being brought to
        self._tasks: set[asyncio.Task[None]] = set()
        self._links_due = inf  # when links are to be checked again
        self.missed = 0  # changes that no notice told in time

    def start(self) -> None:
        self._run(self._poll())
        if self._is_notified:
            self._run(self._listen())

    async def stop(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # -- notices

    async def _listen(self) -> None:
        while True:
            with log_errors(), suppress(StoreFault):  # `_poll` reports it
                async for notice in listen(self._database.data):
                    self._hear(notice)
            await asyncio.sleep(RETRY_SECONDS)

    def _hear(self, notice: Notice) -> None:
        room = self._rooms.by_table.get(notice.table)
        if notice.kind == "connected":
            self._run(self._check_links([*self._rooms.by_table.values()]))
        elif room is not None and notice.kind == "links":
            self._run(self._check_links([room]))
        elif room is not None and notice.kind == "deleted":
            self._run(self._rooms.refresh(notice.table, room))
        elif room is not None and notice.seq > max(room.seq, self._wanted.get(notice.table, 0)):
            is_running = notice.table in self._wanted
            self._wanted[notice.table] = notice.seq
            if not is_running:
                self._run(self._bring_up_to_date(notice.table, room))

    async def _bring_up_to_date(self, table: str, room: Room) -> None:
        """Read until the room has the wanted number; one task for a table, however many notices come."""
        reached = 0
        try:
            with log_errors():
                while reached < (reached := self._wanted[table]):
                    await self._rooms.refresh(table, room, reached)
        finally:
            del self._wanted[table]

    # -- looking

    async def _poll(self) -> None:
        seconds = self._limits.watch_seconds if self._is_notified else FILE_SECONDS
        while True:
            await asyncio.sleep(min(seconds, self._limits.watch_seconds))
            with log_errors():
                try:
                    await self._look()
                except StoreFault as fault:
                    self._database.on_fault(fault)

    async def _look(self) -> None:
        known = {table: room.seq for table, room in self._rooms.by_table.items()}

        def read(store: SQLStore) -> list[str] | None:
            return store.changed_tables(known) if store.has_news() else None

        changed = await self._database.run(read)
        if changed is not None and not self._is_notified:
            self._links_due = min(self._links_due, monotonic() + self._limits.watch_seconds)
        for table in changed or ():
            room = self._rooms.by_table.get(table)
            if room is not None and room.seq == known[table]:
                self.missed += self._is_notified
                with log_errors():
                    await self._rooms.refresh(table, room)
        if monotonic() > self._links_due:
            self._links_due = inf
            await self._check_links([*self._rooms.by_table.values()])

    async def _check_links(self, rooms: list[Room]) -> None:
        """Drop the connections whose link was revoked."""
        connections = [one for room in rooms for one in room.connections]

        def read(store: SQLStore) -> list[Connection]:
            return [one for one in connections if find_link(store, one.token) is None]

        with log_errors():
            for one in await self._database.read(read):
                one.drop(FORBIDDEN)
