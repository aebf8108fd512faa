"""One mailbox for each open table: decide, store, evolve, and only then tell.

All work with tables and their store is done by one thread (`core.py`); sockets live in the event
loop.  Whatever was begun is ended, also when whoever asked for it has gone.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from time import monotonic
from typing import Any, TypeVar

from handful import table as tables
from handful.store import StoredTable, StoreFault
from handful.table import GM, SPECTATOR, Command, EntryRedactor, SeatLog, Table
from handful.web.connections import Connection
from handful.web.faults import Fault
from handful.web.patches import FragmentCache, Patcher
from handful.web.schemas_socket import PROTOCOL
from handful.web.settings import ServerLimits
from handful.web.writer import SerialThread

Result = TypeVar("Result")
Entry = dict[str, Any]


class Room:
    """An open table with everybody who listens to it."""

    def __init__(
        self,
        stored: StoredTable,
        writer: SerialThread,
        limits: ServerLimits,
        on_store_fault: Callable[[StoreFault | None], None] = lambda fault: None,
    ) -> None:
        """`noticed` hears whether the store took what was written."""
        self.stored, self.writer, self.limits, self.on_store_fault = stored, writer, limits, on_store_fault
        self.connections: set[Connection] = set()
        self.last_used = monotonic()
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        # of every seat from the beginning: made for one when it asks, the work would tell of others
        viewers = (SPECTATOR, *self.table.seats)
        self._logs: dict[str, SeatLog] = tables.replay_logs(stored.initial, self._entries(), viewers)
        self._sent_lines: dict[str, int] = {}  # seat -> how many lines its connections have
        self._patchers: dict[str, Patcher] = {}  # seat -> what it was shown last
        self._fragments = FragmentCache()
        self._patches: dict[str, str] = {}  # seat -> what it will be told next
        self._patched_table = stored.table  # of which the news are written
        stored.on_entry.append(self._add_to_logs)

    @property
    def table(self) -> Table:
        return self.stored.table

    @property
    def is_idle(self) -> bool:
        """Whether nobody listens and nobody has asked for a while."""
        busy = self.connections or self._tasks
        return not busy and monotonic() - self.last_used > self.limits.room_idle_seconds

    def _add_to_logs(self, before: Table, entry: Entry) -> None:
        redactor = EntryRedactor(before, entry)
        for log in self._logs.values():
            log.add(redactor)
        for seat in self.table.seats.keys() - self._logs.keys():
            self._logs[seat] = self._new_log(seat, self.table.role(seat))

    def _new_log(self, seat: str, role: str) -> SeatLog:
        """The log of a new seat: a GM is told more of the past than any watcher, others as much."""
        if role != GM:
            return self._logs[SPECTATOR].copy_for(seat, role)
        return tables.replay_log(self.stored.initial, self._entries(), seat)

    def _entries(self) -> Iterator[Entry]:
        entries = self.stored.store.read(self.stored.header.table)
        return (one for one in entries if one["seq"] <= self.table.seq)

    # -- in turn

    async def submit(
        self, seat: str, command: Command, on_done: Callable[[int], None] = lambda n: None
    ) -> int:
        """Obey a command; everybody is told before this returns.  The last line of the seat.

        How many events it became is not said: the seat need not know of all of them.
        `then` hears the same right after everybody, so that both can be sent at once.
        """
        return await self._enqueue(
            lambda: self.writer.commit(self.stored.store, lambda: self._decide_and_save(seat, command)),
            on_done,
        )

    def _decide_and_save(self, seat: str, command: Command) -> Callable[[], int]:
        if (seat, command.key) not in self.table.command_digests:
            self._check_limits(seat, command)
        apply = self.stored.decide_and_save(seat, command)

        def finish() -> int:
            apply()
            self._write_patches()
            return len(self._logs[seat])

        return finish

    async def refresh(self) -> None:
        """Take in what another process wrote into the file, and tell of it."""
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
            task.exception()  # whoever asked has heard of it, or has gone

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
        """Counted by what the seat knows: a number is a message, too."""
        table, cache = self.table, self.stored.cache
        count, most, what = 0, 1, ""
        match command.kind:
            case "declare":
                what, most = "rolls that are not over", self.limits.open_rolls
                count = len(tables.own_open_rolls(table, seat, cache))
            case "request" | "call":
                what, most = "requests that are open", self.limits.open_requests
                known = tables.project(table, seat, cache).requests
                count = sum(not known[one].closed for one in known if one.startswith(f"{seat}/"))
            case "bring" if "replaces" not in command.data:
                what, most = "characters", self.limits.characters
                owner = command.data.get("for", seat)
                characters = tables.project(table, seat, cache).characters
                count = sum(one.owner == owner for one in characters.values())
        if count >= most:
            raise Fault(
                429, "too_many", f"that would be more than {most} {what}", "end or cancel some of them"
            )

    # -- what is told

    def _write_patches(self) -> None:
        """What everybody who listens will be told of what happened since the last time."""
        self._fragments.start_turn()
        seats = {one.viewer for one in tuple(self.connections)}
        self._patches, self._patched_table = {seat: self._write_patch(seat) for seat in seats}, self.table

    def _write_patch(self, seat: str) -> str:
        """New lines of a seat's log, and the parts of its view that changed; empty without lines.

        The view is made after every event, also after those of which the seat is not told: else
        the next message would come later for it.
        """
        before, log = self._sent_lines.get(seat, 0), self._logs[seat]
        layers = tables.view_layers(self.table, seat, self.stored.cache)
        self._sent_lines[seat] = count = len(log)
        if count == before:
            return ""
        changed = self._patchers[seat].patch(*layers)
        return _message("patch", count, log.texts(before), changed or "{}")

    async def subscribe(
        self, connection: Connection, after: int, check_link: Callable[[], Awaitable[Any]]
    ) -> None:
        """Begin to listen: first what was missed since line `after`, and the view as it is.

        A link that is taken back in this very moment is either seen here, or this connection is
        seen by whoever takes it back.
        """
        async with self._lock:
            self.last_used = monotonic()
            self.connections.add(connection)
            try:
                text = await self.writer.run(lambda: self._write_snapshot(connection.viewer, after))
                await check_link()
            except BaseException:
                self.connections.discard(connection)
                raise
            connection.send(text)

    def _write_snapshot(self, seat: str, after: int) -> str:
        log = self._logs[seat]
        restarts = not 0 <= after <= len(log) or len(log) - after > self.limits.replayed_lines
        missed = log.texts(max(len(log) - self.limits.replayed_lines, 0) if restarts else after)
        self._patchers[seat] = patcher = Patcher(self._fragments)
        view = patcher.snapshot(*tables.view_layers(self.table, seat, self.stored.cache))
        self._sent_lines[seat] = len(log)
        more = f'"protocol":{PROTOCOL},"begins":{json.dumps(restarts)},'
        return _message("snapshot", len(log), missed, view, more)

    def unsubscribe(self, connection: Connection) -> None:
        self.connections.discard(connection)
        self.last_used = monotonic()

    def drop(self, code: int, seat: str | None = None) -> None:
        """Nobody listens any more: at all, or for a seat whose links were taken back."""
        for one in tuple(self.connections):
            if seat is None or one.seat == seat:
                one.drop(code)

    # -- only asked

    async def query(self, work: Callable[[Table], Result]) -> Result:
        """Ask something about the table as it is, without a place in the mailbox."""
        self.last_used = monotonic()
        return await self.writer.run(lambda: work(self.table))

    async def export(self, seat: str) -> str:
        return await self.query(lambda _: tables.format_log(self._logs[seat]))

    async def lines(self, seat: str, after: int, most: int) -> str:
        texts = await self.query(lambda _: self._logs[seat].texts(after, after + most))
        return f"[{','.join(texts)}]"

    async def history(self, seat: str, character: str) -> list[dict[str, Any]]:
        rules = self.stored.rules
        return await self.query(lambda _: tables.character_history(rules, self._logs[seat].lines, character))


def _message(kind: str, n: int, lines: list[str], view: str, more: str = "") -> str:
    """A message of things that are text already."""
    return f'{{"type":"{kind}","n":{n},{more}"lines":[{",".join(lines)}],"view":{view}}}'
