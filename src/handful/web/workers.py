"""Pool of worker processes that compute odds, so that long computations never block the server.

A worker whose client has disconnected is killed; the next question gets a new process.
`worker_main.py` is the other end of the pipe.
Invariant: each client has at most one question running; others wait in its queue.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from handful.errors import HandfulError, Message, Refused, TooBig
from handful.store import RulesetTexts
from handful.web.fair_queue import FairQueue, Ticket
from handful.web.faults import Fault
from handful.web.message_json import dump_line, load_line
from handful.web.settings import ServerLimits
from handful.web.worker_main import MAX_LINE_BYTES, Progress, Question, Result, cache_recent

WORKER_MODULE = "handful.web.worker_main"
POLL_SECONDS = 0.25  # seconds between checks whether the client is still connected


class _GiveWay(Exception):
    """A heavy question has to leave the worker of the light ones."""


class _Worker:
    """A worker process, and the rules in its cache."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.cached_rules: dict[str, None] = {}

    async def ask(
        self, question: Question, texts: Callable[[], Awaitable[RulesetTexts]], progress: Progress
    ) -> Any:
        rules = question.get("rules")
        if rules is not None and rules not in self.cached_rules:
            question = {**question, "texts": await texts()}
        if rules is not None:
            cache_recent(self.cached_rules, rules, None)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(dump_line(question))
        await self.process.stdin.drain()
        while line := await self.process.stdout.readline():
            reply = load_line(line)
            if "progress" not in reply:
                return reply
            progress(*reply["progress"])
        raise Fault(500, "broken", Message("server.odds_failed"), Message("advice.try_again"))

    async def stop(self) -> None:
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.communicate()


class WorkerPool:
    """A fixed number of workers; further questions wait for a free one."""

    def __init__(
        self, limits: ServerLimits, size: int = 2, module: str = WORKER_MODULE, seconds: float | None = None
    ) -> None:
        """`module` is what a worker runs; `seconds` is the timeout of a question."""
        self.limits, self.module = limits, module
        self.seconds = limits.odds_seconds if seconds is None else seconds
        self.queue, self._size = FairQueue(size), size
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._running: set[asyncio.Task[Any]] = set()
        self._lifecycle_tasks: set[asyncio.Task[Any]] = set()  # processes being started or stopped
        self._pending: dict[Hashable, int] = {}
        self._locks: dict[Hashable, asyncio.Lock] = {}

    async def start(self) -> None:
        """Start a worker for the next question."""
        self._idle.append(await self._spawn())

    async def submit(
        self,
        client: Hashable,
        question: Question,
        texts: Callable[[], Awaitable[RulesetTexts]],
        is_disconnected: Callable[[], Awaitable[bool]],
        progress: Progress | None = None,
        parties: Sequence[Hashable] = (),
    ) -> Any:
        """Return the answer to a question; questions of one client run one after another.

        A question with `progress` counts as long and leaves one worker free for short ones.
        `parties`: for whom its work counts, beside the client; who has used little goes first.
        """
        count = self._pending.get(client, 0)
        if count > self.limits.queued_odds:
            raise Fault(
                429, "too_fast", Message("server.too_many_questions"), Message("server.wait_for_answer")
            )
        self._pending[client] = count + 1
        lock = self._locks.setdefault(client, asyncio.Lock())
        try:
            async with lock:
                work = partial(self._run, question, texts, is_disconnected, progress or _ignore_progress)
                return await self._in_turn((client, *parties), work, is_long=progress is not None)
        finally:
            self._pending[client] -= 1
            if not self._pending[client]:
                del self._pending[client], self._locks[client]

    async def _in_turn(
        self, parties: Sequence[Hashable], work: Callable[[Ticket], Awaitable[Any]], *, is_long: bool
    ) -> Any:
        """Run a question in its turn; one that has to give way to light ones begins again as a long one."""
        while True:
            ticket = await self.queue.enter(parties, is_long=is_long)
            begun = asyncio.get_running_loop().time()
            try:
                return await work(ticket)
            except _GiveWay:
                is_long = True
            finally:
                self.queue.leave(ticket, asyncio.get_running_loop().time() - begun)

    async def _run(
        self,
        question: Question,
        texts: Callable[[], Awaitable[RulesetTexts]],
        is_disconnected: Callable[[], Awaitable[bool]],
        progress: Progress,
        ticket: Ticket,
    ) -> Any:
        if await is_disconnected():
            raise _cancelled()
        worker = self._idle.pop() if self._idle else await self._start_worker()
        self._keep_spare()
        work = asyncio.ensure_future(worker.ask(question, texts, progress))
        self._running.add(work)
        work.add_done_callback(self._running.discard)
        begun = asyncio.get_running_loop().time()
        try:
            while not (await asyncio.wait([work], timeout=POLL_SECONDS))[0]:
                if await is_disconnected():
                    raise _cancelled()
                lasted = asyncio.get_running_loop().time() - begun
                if not self.queue.may_go_on(ticket, lasted):
                    raise _GiveWay
                if lasted > self.seconds:
                    raise Fault(
                        422,
                        "too_big",
                        Message("server.takes_too_long"),
                        Message("odds.smaller_question"),
                    )
            if work.cancelled():  # the server is stopping
                raise _cancelled()
            reply = work.result()
        except BaseException:
            work.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await work
            self._discard(worker)
            raise
        if "broken" in reply:  # its state is unknown now
            self._discard(worker)
        else:
            self._idle.append(worker)
        return _read(reply)

    def _keep_spare(self) -> None:
        """Start a further worker, if no other is idle: one may have to be killed, and to start takes long."""
        if not self._idle and len(self._all) <= self._size:
            self._track(asyncio.ensure_future(self.start()))

    def _discard(self, worker: _Worker) -> None:
        self._all.discard(worker)
        self._track(asyncio.ensure_future(worker.stop()))

    async def _start_worker(self) -> _Worker:
        """Start a worker; shielded, so that a cancelled caller does not leak the process."""
        return await asyncio.shield(self._track(asyncio.ensure_future(self._spawn())))

    async def _spawn(self) -> _Worker:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            self.module,
            stdin=PIPE,
            stdout=PIPE,
            limit=MAX_LINE_BYTES,
            **own_group(),
        )
        worker = _Worker(process)
        self._all.add(worker)
        return worker

    def _track(self, task: asyncio.Task[Result]) -> asyncio.Task[Result]:
        self._lifecycle_tasks.add(task)
        task.add_done_callback(self._lifecycle_tasks.discard)
        return task

    async def warm(self, rules: str, texts: Callable[[], Awaitable[RulesetTexts]]) -> None:
        """Have a worker load rules before the first question about them."""

        async def never() -> bool:
            return False

        if any(rules in worker.cached_rules for worker in self._all):
            return
        question = {"rules": rules, "warm": True}
        with suppress(Fault, HandfulError):
            await self.submit("warm", question, texts, never)

    async def stop(self) -> None:
        while busy := self._running | self._lifecycle_tasks:
            for work in self._running:
                work.cancel()
            await asyncio.wait(busy)
        for worker in self._all:
            await worker.stop()
        self._all.clear()


def own_group() -> dict[str, Any]:
    """Return the arguments that keep Ctrl-C in a terminal away from a worker: the server stops it."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def _ignore_progress(done: int, of: int) -> None:
    """Discard progress: short questions do not report any."""


def _cancelled() -> Fault:
    return Fault(499, "cancelled", Message("server.nobody_waits"))


def _read(reply: dict[str, Any]) -> Any:
    """Return the answer of a worker, or raise the error that it reports."""
    match reply:
        case {"answer": answer}:
            return answer
        case {"too_big": [message, hint]}:
            raise TooBig(message, hint)
        case {"refused": [message, hint]}:
            raise Refused(message, hint)
        case {"broken": "MemoryError" | "RecursionError"}:
            raise too_big_to_compute()
    raise Fault(500, "broken", Message("server.odds_failed"), Message("advice.try_again"))


def too_big_to_compute() -> TooBig:
    """Return the error for a question that exceeds a worker's memory or recursion limit."""
    return TooBig(Message("server.more_than_can_be_read"), Message("server.shorter_and_smaller"))
