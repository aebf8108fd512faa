"""A room is the mailbox of an open table: decide, store, apply, and only then notify.

The table itself is decided behind a `TableBackend`: in the thread of the tables, or in a worker process.
Sockets live in the event loop.
Invariant: clients are sent only what is committed, in the order of commits.  A command that was
started is finished, even if its client has disconnected.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from time import monotonic
from typing import Any, TypeVar

from handful.catalogue import LANGUAGES, NO_WORDS
from handful.errors import Message
from handful.store import StoredTable, StoreFault, TableHeader
from handful.table import Command, Table
from handful.web.connections import STOPPING, Connection
from handful.web.faults import Fault
from handful.web.open_table import Patches, TableFacts
from handful.web.settings import ServerLimits
from handful.web.table_backends import ForeignRules, LocalTable, TableBackend

Result = TypeVar("Result")


class Room:
    """An open table with its subscribed connections."""

    def __init__(
        self,
        header: TableHeader,
        backend: TableBackend,
        limits: ServerLimits,
        isolate: Callable[[], Awaitable[TableBackend]],
        on_store_fault: Callable[[StoreFault | None], None] = lambda fault: None,
    ) -> None:
        """`isolate` opens the table in a worker process, before it meets rules that are not shipped.

        `on_store_fault` is called with the fault of a failed write, and with None after a good one.
        """
        self.header, self.limits = header, limits
        self.isolate, self.on_store_fault = isolate, on_store_fault
        self.connections: set[Connection] = set()
        self._present: list[str] = []  # seats with a connection, as they were told last
        self.last_used = monotonic()
        self._lock = asyncio.Lock()
        self._query_slot = asyncio.Lock()  # one question at a time: others have their turn between them
        self._waiting = 0  # questions that wait for it
        self._tasks: set[asyncio.Task[Any]] = set()
        self._words: dict[tuple[str, str], Mapping[str, str]] = {}
        self._use(backend)

    def _use(self, backend: TableBackend) -> None:
        self.backend = backend
        backend.listen(lambda: [one.viewer for one in tuple(self.connections)])

    @property
    def facts(self) -> TableFacts:
        return self.backend.facts

    @property
    def stored(self) -> StoredTable:
        """The stored table, if it is decided in this process."""
        assert isinstance(self.backend, LocalTable)
        return self.backend.opened.stored

    @property
    def table(self) -> Table:
        """The table, if it is decided in this process."""
        return self.stored.table

    @property
    def seq(self) -> int:
        """The number of the last entry that the room has."""
        return self.facts.seq

    @property
    def is_idle(self) -> bool:
        """Return whether the room has no connections, no tasks, and was not used for a while."""
        busy = self.connections or self._tasks or self._waiting
        return not busy and monotonic() - self.last_used > self.limits.room_idle_seconds

    # -- the mailbox

    async def submit(
        self, seat: str, command: Command, on_done: Callable[[int], None] = lambda n: None
    ) -> int:
        """Execute a command and return the number of the seat's last log line.

        All connections are notified before this returns.  The number of events is not returned,
        because the seat may not see all of them.  `on_done` is called with the result right after
        the notifications, so that both can be sent at once.
        """
        return await self._enqueue(lambda: self.backend.submit(seat, command), on_done)

    async def record_link(self, seat: str, by: str) -> None:
        """Save that somebody made a link to a seat, and notify."""
        await self._enqueue(lambda: self.backend.record_link(seat, by))

    async def refresh(self, seq: int | None = None) -> None:
        """Load what another process wrote, and notify; nothing if the table has this number already."""

        async def read() -> None:
            if seq is None or self.seq < seq:
                await self.backend.refresh()

        await self._enqueue(read)

    async def _enqueue(
        self, work: Callable[[], Awaitable[Result]], on_done: Callable[[Result], None] = lambda result: None
    ) -> Result:
        task = asyncio.ensure_future(self._process(work, on_done))
        self._tasks.add(task)
        task.add_done_callback(self._finish_task)
        return await asyncio.shield(task)

    def _finish_task(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # already raised to the caller, or the caller has gone

    async def _process(
        self, work: Callable[[], Awaitable[Result]], on_done: Callable[[Result], None]
    ) -> Result:
        async with self._lock:
            self.last_used = monotonic()
            try:
                result = await self._isolated_if_needed(work)
            except StoreFault as fault:
                self.on_store_fault(fault)
                raise
            finally:
                patches = await self.backend.take_patches()
                if patches is not None:
                    self.on_store_fault(None)
                    self._broadcast(patches)
            on_done(result)
            return result

    async def _isolated_if_needed(self, work: Callable[[], Awaitable[Result]]) -> Result:
        """Do work on the table; if it needs rules that are not shipped, move the table and do it there."""
        try:
            return await work()
        except ForeignRules:
            if isinstance(self.backend, LocalTable):
                self._use(await self.isolate())
                self.drop(STOPPING)  # they come back and get a snapshot
        return await work()

    def _broadcast(self, patches: Patches) -> None:
        for one in tuple(self.connections):
            if patches.get(one.viewer):
                one.send(patches[one.viewer])

    # -- connections

    async def subscribe(
        self, connection: Connection, after: int, check_link: Callable[[], Awaitable[Any]]
    ) -> None:
        """Subscribe a connection; it first receives the view and the log lines after `after`.

        `check_link` runs after the connection is registered: a link revoked at this moment is
        either noticed here, or the revocation finds and drops this connection.
        """
        async with self._lock:
            self.last_used = monotonic()
            self.connections.add(connection)
            try:
                text = await self._isolated_if_needed(lambda: self.backend.snapshot(connection.viewer, after))
                await check_link()
            except BaseException:
                self.connections.discard(connection)
                raise
            connection.send(text)
            self._tell_presence(connection)

    def _tell_presence(self, joined: Connection | None = None) -> None:
        """Tell which seats have an open connection, if that changed, and always to who has just joined.

        It follows from connections alone, never from what happens at the table.
        """
        seats = sorted({one.seat for one in self.connections if one.seat})
        has_changed, self._present = seats != self._present, seats
        text = json.dumps({"type": "here", "seats": seats}, ensure_ascii=False)
        for one in tuple(self.connections):
            if one.wants_presence and (has_changed or one is joined):
                one.send(text)

    def unsubscribe(self, connection: Connection) -> None:
        self.connections.discard(connection)
        self.last_used = monotonic()
        self._tell_presence()

    def drop(self, code: int, seat: str | None = None) -> None:
        """Drop all connections, or those of one seat."""
        for one in tuple(self.connections):
            if seat is None or one.seat == seat:
                one.drop(code)

    # -- queries

    async def ask(self, name: str, /, **arguments: Any) -> Any:
        """Answer a question of `table_queries`, outside the mailbox; a table answers one at a time."""
        self.last_used = monotonic()
        if self._waiting >= self.limits.queued_queries:
            raise Fault(
                429, "too_fast", Message("server.too_many_questions"), Message("server.wait_for_answer")
            )
        self._waiting += 1
        try:
            async with self._query_slot:
                return await self._ask(name, arguments)
        finally:
            self._waiting -= 1

    async def _ask(self, name: str, arguments: dict[str, Any]) -> Any:
        try:
            return await self.backend.ask(name, arguments)
        except ForeignRules:
            async with self._lock:
                return await self._isolated_if_needed(lambda: self.backend.ask(name, arguments))

    async def words(self, language: str, hash: str = "") -> Mapping[str, str]:
        """Return the game's translations of its own words, for messages; English messages need none."""
        if language == LANGUAGES[0]:
            return NO_WORDS
        key = hash or self.facts.rules, language
        if key not in self._words:
            self._words[key] = await self.ask("words", language=language, hash=hash)
        return self._words[key]

    async def close(self) -> None:
        await self.backend.close()
