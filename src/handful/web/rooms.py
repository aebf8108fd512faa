"""One mailbox for each open table: decide, store, evolve, and only then tell.

All work with the store is done by one thread, one thing after the other; sockets live in the event
loop.  Each connection has a queue of its own: whoever is slow or dead is let go, and comes back by
asking for what it has missed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from handful import table as tables
from handful.store import Kept
from handful.table import Command, SeatLog, Table
from handful.table.events import canonical_json
from handful.web.faults import Fault
from handful.web.settings import Limits

Made = TypeVar("Made")
Entry = dict[str, Any]


class Writer:
    """The one thread that touches the store."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")

    async def do(self, work: Callable[[], Made]) -> Made:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def close(self) -> None:
        self._thread.shutdown()


class Connection:
    """A client that listens; `None` in its queue ends it."""

    def __init__(self, seat: str, limits: Limits) -> None:
        self.seat = seat
        self.queue: asyncio.Queue[str | None] = asyncio.Queue(limits.waiting)
        self.dropped = False

    def tell(self, text: str) -> None:
        if self.dropped:
            return
        try:
            self.queue.put_nowait(text)
        except asyncio.QueueFull:
            self.drop()

    def drop(self) -> None:
        """Lets the client go: it has not kept up, or may not listen any more."""
        self.dropped = True
        while not self.queue.empty():
            self.queue.get_nowait()
        self.queue.put_nowait(None)


class Room:
    """An open table with everybody who listens to it."""

    def __init__(self, kept: Kept, writer: Writer, limits: Limits) -> None:
        self.kept, self.writer, self.limits = kept, writer, limits
        self.lock = asyncio.Lock()
        self.connections: set[Connection] = set()
        self._logs: dict[str, SeatLog] = {}
        self._shown: dict[str, dict[str, str]] = {}  # seat -> what it was shown last, in parts
        kept.witnesses.append(self._saw)

    @property
    def table(self) -> Table:
        return self.kept.table

    def _saw(self, before: Table, entry: Entry) -> None:
        for log in self._logs.values():
            log.add(before, entry)

    def _log(self, seat: str) -> SeatLog:
        if seat not in self._logs:
            self._logs[seat] = self.kept.log(seat)
        return self._logs[seat]

    # -- commands

    async def do(self, seat: str, command: Command) -> int:
        """Obey a command; everybody is told before this returns.  The number of its events."""
        async with self.lock:
            return await self.writer.do(lambda: self._do(seat, command))

    def _do(self, seat: str, command: Command) -> int:
        if command.do == "declare":
            self._not_too_many(seat)
        heard = {name: len(self._log(name).lines) for name in self._listening()}
        events = self.kept.do(seat, command)
        messages = {name: self._news(name, count) for name, count in heard.items()}
        asyncio.run_coroutine_threadsafe(self._tell(messages), self.loop)
        return len(events)

    loop: asyncio.AbstractEventLoop

    def _listening(self) -> set[str]:
        return {one.seat for one in self.connections}

    def _not_too_many(self, seat: str) -> None:
        rolls = self.table.rolls.values()
        own = sum(one.roller == seat and not one.key and not one.cancelled for one in rolls)
        if own >= self.limits.open_rolls:
            raise Fault(429, "too_many", f"{seat} has {own} rolls that are not over",
                        "end or cancel some of them")  # fmt: skip

    async def _tell(self, messages: dict[str, str]) -> None:
        for one in tuple(self.connections):
            if messages.get(one.seat):
                one.tell(messages[one.seat])

    async def refresh(self) -> None:
        """Take in what another process wrote into the file, and tell of it."""
        async with self.lock:
            await self.writer.do(self._refresh)

    def _refresh(self) -> None:
        heard = {name: len(self._log(name).lines) for name in self._listening()}
        self.kept.refresh()
        messages = {name: self._news(name, count) for name, count in heard.items()}
        asyncio.run_coroutine_threadsafe(self._tell(messages), self.loop)

    # -- what is told

    def _news(self, seat: str, count: int) -> str:
        """What is new for a seat: lines of its log, and the parts of its view that changed."""
        lines = self._log(seat).lines[count:]
        changed = self._changed(seat)
        if not lines and not changed:
            return ""
        return _message("news", n=len(self._log(seat).lines), lines=lines, view=changed)

    def _changed(self, seat: str) -> dict[str, Any]:
        view = tables.view(self.table, seat)
        parts = {name: canonical_json(part) for name, part in view.items()}
        before = self._shown.get(seat, {})
        self._shown[seat] = parts
        return {name: view[name] for name, text in parts.items() if before.get(name) != text}

    async def listen(self, seat: str, after: int, here: Connection) -> None:
        """Begin to listen: first what was missed since line `after`, and the view as it is."""
        async with self.lock:
            text = await self.writer.do(lambda: self._hello(seat, after))
            here.tell(text)
            self.connections.add(here)

    def _hello(self, seat: str, after: int) -> str:
        lines = self._log(seat).lines
        begins = not 0 <= after <= len(lines) or len(lines) - after > self.limits.missed
        missed = lines[-self.limits.missed :] if begins else lines[after:]
        view = tables.view(self.table, seat)
        self._shown[seat] = {name: canonical_json(part) for name, part in view.items()}
        return _message("hello", n=len(lines), lines=missed, view=view, begins=begins)

    def leave(self, here: Connection) -> None:
        self.connections.discard(here)

    def drop(self, seat: str) -> None:
        """Nobody listens for a seat any more: its links were taken back."""
        for one in tuple(self.connections):
            if one.seat == seat:
                one.drop()

    async def ask(self, work: Callable[[Table], Made]) -> Made:
        """Ask something about the table as it is, without a place in the mailbox."""
        table = self.table
        return await asyncio.to_thread(work, table)

    async def export(self, seat: str) -> str:
        async with self.lock:
            return await self.writer.do(lambda: tables.written(self._log(seat)))

    async def lines(self, seat: str, after: int, most: int) -> list[dict[str, Any]]:
        async with self.lock:
            return await self.writer.do(lambda: self._log(seat).lines[after : after + most])


def _message(kind: str, **data: Any) -> str:
    return canonical_json({"type": kind, **data})
