"""A room is the mailbox of an open table: decide, store, apply, and only then notify.

All work on tables and their store runs in one thread (`writer.py`); sockets live in the event loop.
Invariant: clients are sent only what is committed, in the order of commits.  A command that was
started is finished, even if its client has disconnected.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any, TypeVar

from handful import table as tables
from handful.errors import NO_MESSAGE, Message
from handful.library.evenings import evening_summaries
from handful.store import StoredTable, StoreFault
from handful.table import Command, SeatLog, SeatLogs, Table
from handful.web.connections import Connection
from handful.web.faults import Fault
from handful.web.patches import SentView, SharedTexts
from handful.web.schemas_socket import PROTOCOL
from handful.web.settings import ServerLimits
from handful.web.writer import SerialThread

Result = TypeVar("Result")


class Room:
    """An open table with its subscribed connections."""

    def __init__(
        self,
        stored: StoredTable,
        logs: SeatLogs,
        writer: SerialThread,
        limits: ServerLimits,
        on_store_fault: Callable[[StoreFault | None], None] = lambda fault: None,
    ) -> None:
        """`logs`: of all entries so far, and of later ones, too.

        `on_store_fault` is called with the fault of a failed write, and with None after a good one.
        """
        self.stored, self.writer, self.limits, self.on_store_fault = stored, writer, limits, on_store_fault
        self.connections: set[Connection] = set()
        self._present: list[str] = []  # seats with a connection, as they were told last
        self.last_used = monotonic()
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._logs = logs
        self._sent_lines: dict[str, int] = {}  # seat -> number of log lines sent
        self._views: dict[str, SentView] = {}  # seat -> the view sent last
        self._texts = SharedTexts()
        self._patches: dict[str, str] = {}  # seat -> the next message
        self._patched_table = stored.table  # the table that the patches lead to

    @property
    def table(self) -> Table:
        return self.stored.table

    @property
    def is_idle(self) -> bool:
        """Return whether the room has no connections, no tasks, and was not used for a while."""
        busy = self.connections or self._tasks
        return not busy and monotonic() - self.last_used > self.limits.room_idle_seconds

    def _log(self, seat: str) -> SeatLog:
        return self._logs.logs[seat]

    # -- the mailbox

    async def submit(
        self, seat: str, command: Command, on_done: Callable[[int], None] = lambda n: None
    ) -> int:
        """Execute a command and return the number of the seat's last log line.

        All connections are notified before this returns.  The number of events is not returned,
        because the seat may not see all of them.  `on_done` is called with the result right after
        the notifications, so that both can be sent at once.
        """
        return await self._enqueue(
            lambda: self.writer.commit(self.stored.store, lambda: self._decide_and_save(seat, command)),
            on_done,
        )

    def _decide_and_save(self, seat: str, command: Command) -> Callable[[], int]:
        if (seat, command.key) not in self.table.command_digests:
            self._check_limits(seat, command)
        return self._finish(self.stored.decide_and_save(seat, command), seat)

    async def record_link(self, seat: str, by: str) -> None:
        """Save that somebody made a link to a seat, and notify."""

        def save() -> Callable[[], int]:
            return self._finish(self.stored.record_link(seat, by), seat)

        await self._enqueue(lambda: self.writer.commit(self.stored.store, save))

    def _finish(self, publish: Callable[[], object], seat: str) -> Callable[[], int]:
        """Return the callback after a commit: it publishes, writes patches and counts the seat's lines."""

        def finish() -> int:
            publish()
            self._write_patches()
            return len(self._log(seat))

        return finish

    async def refresh(self) -> None:
        """Load what another process wrote into the file, and notify."""
        await self._enqueue(lambda: self.writer.run(self.stored.refresh))

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
            self.last_used, before = monotonic(), self.table
            try:
                result = await work()
            except StoreFault as fault:
                self.on_store_fault(fault)
                raise
            finally:
                if self.table is not before:
                    self.on_store_fault(None)
                    await self._broadcast()
            on_done(result)
            return result

    async def _broadcast(self) -> None:
        if self._patched_table is not self.table:
            await self.writer.run(self._write_patches)
        patches, self._patches = self._patches, {}
        for one in tuple(self.connections):
            if patches.get(one.viewer):
                one.send(patches[one.viewer])

    def _check_limits(self, seat: str, command: Command) -> None:
        """Refuse a command beyond a limit; counts only what the seat sees, else it would reveal more."""
        known = tables.known_to(self.table, seat)
        count, most, what = 0, 1, NO_MESSAGE
        match command.kind:
            case "declare":
                what, most = Message("server.open_rolls"), self.limits.open_rolls
                count = len(tables.own_open_rolls(self.table, seat))
            case "request" | "call":
                what, most = Message("server.open_requests"), self.limits.open_requests
                requests = known.requests
                count = sum(not requests[one].closed for one in requests if one.startswith(f"{seat}/"))
            case "bring" if "replaces" not in command.data:
                what, most = Message("server.characters"), self.limits.characters
                owner = command.data.get("for", seat)
                count = sum(one.owner == owner for one in known.characters.values())
                copies = command.data.get("copies")
                count += copies - 1 if type(copies) is int and copies > 0 else 0
        if count >= most:
            raise Fault(
                429,
                "too_many",
                Message("server.too_many_open", most=most, what=what),
                Message("server.end_some"),
            )

    # -- notifications

    def _write_patches(self) -> None:
        """Write the next message of every subscribed seat."""
        self._texts.clear()
        seats = {one.viewer for one in tuple(self.connections)}
        self._patches, self._patched_table = {seat: self._write_patch(seat) for seat in seats}, self.table

    def _write_patch(self, seat: str) -> str:
        """Return new log lines of a seat and the changed parts of its view; empty without lines."""
        before, log = self._sent_lines.get(seat, 0), self._log(seat)
        self._sent_lines[seat] = count = len(log)
        if count == before:
            return ""
        changed = self._views[seat].patch(tables.known_to(self.table, seat))
        return _message("patch", count, log.texts(before), changed or "{}")

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
                await self._hash_log(connection.viewer)
                text = await self.writer.run(lambda: self._write_snapshot(connection.viewer, after))
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

    async def _hash_log(self, seat: str) -> None:
        """Hash a seat's lines in parts, between which the writer works for other tables."""
        while await self.writer.run(lambda: self._log(seat).hash_part()):
            pass

    def _write_snapshot(self, seat: str, after: int) -> str:
        log = self._log(seat)
        restarts = not 0 <= after <= len(log) or len(log) - after > self.limits.replayed_lines
        missed = log.texts(max(len(log) - self.limits.replayed_lines, 0) if restarts else after)
        self._views[seat] = sent = SentView(self.table.viewer(seat), self._texts)
        view = sent.snapshot(tables.known_to(self.table, seat))
        self._sent_lines[seat] = len(log)
        more = f'"protocol":{PROTOCOL},"begins":{json.dumps(restarts)},'
        return _message("snapshot", len(log), missed, view, more)

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

    async def query(self, work: Callable[[Table], Result]) -> Result:
        """Run `work` on the current table, outside the mailbox."""
        self.last_used = monotonic()
        return await self.writer.run(lambda: work(self.table))

    async def export(self, seat: str) -> str:
        return await self.query(lambda _: self._log(seat).export(self.stored.dice.signer.sign))

    async def lines(self, seat: str, after: int, most: int) -> str:
        def read(table: Table) -> list[str]:
            return self._log(seat).texts(after, after + most, self.stored.dice.signer.sign)

        return f"[{','.join(await self.query(read))}]"

    async def roll_names(self, seat: str, first: int, last: int | None) -> set[str]:
        """Return the names of the rolls that some lines of a seat's log are about."""
        return await self.query(
            lambda _: {
                line["data"].get("roll", "") for line in self._log(seat).lines[max(first - 1, 0) : last]
            }
        )

    async def evenings(self, seat: str) -> list[dict[str, Any]]:
        return await self.query(
            lambda now: evening_summaries(tables.known_to(now, seat), self._log(seat).lines)
        )

    async def history(self, seat: str, character: str) -> list[dict[str, Any]]:
        rules = self.stored.rules
        return await self.query(lambda _: tables.character_history(rules, self._log(seat).lines, character))


def _message(kind: str, n: int, lines: list[str], view: str, more: str = "") -> str:
    """Return a socket message from parts that are JSON already."""
    return f'{{"type":"{kind}","n":{n},{more}"lines":[{",".join(lines)}],"view":{view}}}'
