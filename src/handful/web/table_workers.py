"""Worker processes for tables whose rules are not shipped, and the server's end of their pipes.

A table lives wholly in one process (`table_worker.py`): it decides, and asks this server to read and
append.  A process that takes too long, too much memory, or dies is replaced; its tables are opened again from
the file on their next request, and their clients come back.
Invariant: the server commits before a worker tells anybody, and never runs a rule of these tables.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from handful.errors import HandfulError, Message, Refused, TooBig
from handful.store import StoreFault, TableDeleted, TableHeader
from handful.table import Command
from handful.web.database import Database
from handful.web.faults import Fault
from handful.web.message_json import dump_line, load_line
from handful.web.middleware import LOG
from handful.web.open_table import Patches, TableFacts
from handful.web.settings import ServerLimits
from handful.web.store_service import StoreService
from handful.web.worker_main import MAX_LINE_BYTES
from handful.web.workers import own_group

MODULE = "handful.web.table_worker"


class TableWorkers:
    """Starts processes and gives each table one: of its own as long as there are few tables."""

    def __init__(
        self, database: Database, limits: ServerLimits, on_worker_end: Callable[[], None] = lambda: None
    ) -> None:
        """`on_worker_end` is called whenever a process ends while it has tables."""
        self.database, self.limits, self.on_worker_end = database, limits, on_worker_end
        self._workers: list[_Worker] = []
        self._lifecycle = asyncio.Lock()

    async def open_table(self, header: TableHeader, on_end: Callable[[], None]) -> RemoteTable:
        """Open a table in a worker; `on_end` is called if that process ends before the table is closed."""
        async with self._lifecycle:
            worker = await self._choose()
            opened = RemoteTable(worker, header, self.limits)
            worker.tables[header.table] = on_end
        try:
            await opened.start()
        except BaseException:
            worker.tables.pop(header.table, None)
            raise
        return opened

    async def _choose(self) -> _Worker:
        self._workers = [one for one in self._workers if not one.ended]
        least = min(self._workers, key=lambda one: len(one.tables), default=None)
        if least is not None and (not least.tables or len(self._workers) >= self.limits.table_workers):
            return least
        worker = _Worker(self.database, self.limits, self.on_worker_end)
        await worker.start()
        self._workers.append(worker)
        return worker

    def __len__(self) -> int:
        """Return the number of processes."""
        return sum(not one.ended for one in self._workers)

    async def stop(self) -> None:
        for worker in self._workers:
            worker.tables.clear()
            await worker.end()


class _Worker:
    """A process, which works on one request at a time."""

    def __init__(self, database: Database, limits: ServerLimits, on_end: Callable[[], None]) -> None:
        self.database, self.limits, self.on_end = database, limits, on_end
        self.tables: dict[str, Callable[[], None]] = {}  # table -> what to call when the process ends
        self.ended = False
        self._store = StoreService(database)
        self._lock = asyncio.Lock()
        self._process: Process

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", MODULE, stdin=PIPE, stdout=PIPE, limit=MAX_LINE_BYTES, **own_group()
        )

    async def request(self, request: dict[str, Any]) -> dict[str, Any]:
        """Send a request, serve the store until the reply comes, and return it."""
        seconds = self.limits.table_seconds
        async with self._lock:
            if self.ended:
                raise _ended()
            try:
                async with asyncio.timeout(3 * seconds):  # it may wait for the processor and the disk
                    reply = await self._exchange({**request, "seconds": seconds})
            except BaseException as error:
                await self.end()
                if isinstance(error, (TimeoutError, OSError, ValueError, asyncio.IncompleteReadError)):
                    raise _ended() from None
                raise
            if "broken" in reply:  # its state is unknown now
                LOG.warning("a worker of tables failed: %s", reply["broken"])
                await self.end()
            return reply

    async def _exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        message: dict[str, Any] = request
        while True:
            self._process.stdin.write(dump_line(message))
            await self._process.stdin.drain()
            line = await self._process.stdout.readline()
            if not line.endswith(b"\n"):
                raise OSError("the worker has ended")
            reply: dict[str, Any] = load_line(line)
            if "store" not in reply:
                return reply
            message = await self._store.serve(request["table"], reply)

    async def end(self) -> None:
        """Kill the process with its group, and tell its tables."""
        if self.ended:
            return
        self.ended = True
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)
        with suppress(Exception):
            await self._process.communicate()
        tables, self.tables = self.tables, {}
        if tables:
            self.on_end()
        for on_end in tables.values():
            on_end()


class RemoteTable:
    """A table in a worker process."""

    def __init__(self, worker: _Worker, header: TableHeader, limits: ServerLimits) -> None:
        self._worker, self._header, self._limits = worker, header, limits
        self._viewers: Callable[[], Iterable[str]] = tuple
        self._patches: Patches | None = None
        self.facts: TableFacts

    def listen(self, viewers: Callable[[], Iterable[str]]) -> None:
        self._viewers = viewers

    async def start(self) -> None:
        header, epochs = self._header, self._worker.database.epochs
        await self._request(
            "open",
            header=[header.table, header.game, header.secret.hex(), header.rules_hash],
            limits={name: getattr(self._limits, name) for name in ServerLimits.__match_args__},
            has_epoch=header.table in epochs,
        )

    async def submit(self, seat: str, command: Command) -> int:
        n: int = await self._request(
            "submit", seat=seat, kind=command.kind, key=command.key, data=command.data
        )
        return n

    async def record_link(self, seat: str, by: str) -> None:
        await self._request("record_link", seat=seat, by=by)

    async def refresh(self) -> None:
        await self._request("refresh")

    async def take_patches(self) -> Patches | None:
        patches, self._patches = self._patches, None
        return patches

    async def snapshot(self, viewer: str, after: int) -> str:
        text: str = await self._request("snapshot", viewer=viewer, after=after)
        return text

    async def ask(self, name: str, arguments: dict[str, Any]) -> Any:
        return await self._request("ask", name=name, arguments=arguments)

    async def close(self) -> None:
        self._worker.tables.pop(self._header.table, None)
        with suppress(Fault):
            await self._request("close")

    async def _request(self, do: str, **arguments: Any) -> Any:
        viewers = sorted({*self._viewers()})
        table = self._header.table
        reply = await self._worker.request({"do": do, "table": table, "viewers": viewers, **arguments})
        if "facts" in reply:
            self.facts = TableFacts.from_json(reply["facts"])
            if reply["has_epoch"]:
                self._worker.database.epochs.add(table)
        if reply.get("patches") is not None:
            self._patches = {**(self._patches or {}), **reply["patches"]}
        return _read_reply(reply)


def _read_reply(reply: dict[str, Any]) -> Any:
    """Return the answer of a worker, or raise the error that it reports."""
    match reply:
        case {"answer": answer}:
            return answer
        case {"server_fault": [status, code, message, hint]}:
            raise Fault(status, code, message, hint)
        case {"store_fault": [message, hint, public]}:
            raise StoreFault(message, hint, public)
        case {"deleted": [message, hint]}:
            raise TableDeleted(message, hint)
        case {"too_big": [message, hint]}:
            raise TooBig(message, hint)
        case {"refused": [message, hint, kind]}:
            raise (Refused if kind in ("Refused", "BadReply", "NotAccepted") else HandfulError)(message, hint)
    raise _ended()


def _ended() -> Fault:
    """Return the fault of a request whose worker has ended: whether it was done is not known."""
    return Fault(503, "too_big", Message("server.table_ended"), Message("server.table_comes_back"))
