"""Odds are worked out in processes of their own: they take seconds, and nobody waits for them.

A process that works for somebody who has gone, or has asked for something else, is ended; the next
question gets a new one.  `worker.py` is such a process: questions come as lines of JSON, answers go
back the same way.
"""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Hashable
from contextlib import nullcontext, suppress
from typing import Any

from handful import table as tables
from handful.errors import HandfulError, Refused, TooBig
from handful.store import RulesetTexts
from handful.table import Table
from handful.web.faults import Fault
from handful.web.settings import ServerLimits
from handful.web.worker_main import MAX_LINE_BYTES, Progress, Question, Result, cache_recent

WORKER_MODULE = "handful.web.worker_main"
POLL_SECONDS = 0.25  # seconds between looks whether somebody still waits


def roll_question(table: Table, seat: str, roll: str) -> tuple[Question, str]:
    """The question for the odds of a roll from where it stands, by what the seat knows.

    With the hash of the rules by which it was begun: those of the table may be others by now.
    """
    found = tables.project(table, seat).rolls.get(roll)
    if found is None or found.bound is None:
        raise Refused(f"{seat} knows no odds of a roll {roll[:80]!r}")
    question = {"asked": found.asked, "replies": [one.reply for one in found.replies]}
    return question, found.bound.ruleset.hash


class _Worker:
    """A process, and the rules that it knows."""

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
        self.process.stdin.write(json.dumps(question).encode() + b"\n")
        await self.process.stdin.drain()
        while line := await self.process.stdout.readline():
            reply = json.loads(line)
            if "progress" not in reply:
                return reply
            progress(*reply["progress"])
        raise Fault(500, "broken", "the odds could not be worked out", "try again")

    async def stop(self) -> None:
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.communicate()


class WorkerPool:
    """As many processes as work at once; everybody else waits for their turn."""

    def __init__(
        self, limits: ServerLimits, size: int = 2, module: str = WORKER_MODULE, seconds: float | None = None
    ) -> None:
        """`module` is what a process runs; `seconds` are for a machine that is too slow."""
        self.limits, self.module = limits, module
        self.seconds = limits.odds_seconds if seconds is None else seconds
        self._slots = asyncio.Semaphore(size)
        self._long_slots = asyncio.Semaphore(max(1, size - 1))  # a hand stays free for short questions
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._running: set[asyncio.Task[Any]] = set()
        self._lifecycle_tasks: set[asyncio.Task[Any]] = set()  # processes that begin or end
        self._pending: dict[Hashable, int] = {}
        self._locks: dict[Hashable, asyncio.Lock] = {}

    async def start(self) -> None:
        """A process that waits for the first question."""
        async with self._slots:
            self._idle.append(await self._start_worker())

    async def submit(
        self,
        client: Hashable,
        question: Question,
        texts: Callable[[], Awaitable[RulesetTexts]],
        is_disconnected: Callable[[], Awaitable[bool]],
        progress: Progress | None = None,
    ) -> Any:
        """The answer to a question; `who` asks one after the other.

        Whoever wants to be told how far it is has a long question.
        """
        count = self._pending.get(client, 0)
        if count > self.limits.queued_odds:
            raise Fault(429, "too_fast", "too many questions about odds at once", "wait for an answer")
        self._pending[client] = count + 1
        lock = self._locks.setdefault(client, asyncio.Lock())
        try:
            async with lock, self._long_slots if progress else nullcontext(), self._slots:
                return await self._run(question, texts, is_disconnected, progress or _ignore_progress)
        finally:
            self._pending[client] -= 1
            if not self._pending[client]:
                del self._pending[client], self._locks[client]

    async def _run(
        self,
        question: Question,
        texts: Callable[[], Awaitable[RulesetTexts]],
        is_disconnected: Callable[[], Awaitable[bool]],
        progress: Progress,
    ) -> Any:
        if await is_disconnected():
            raise _cancelled()
        worker = self._idle.pop() if self._idle else await self._start_worker()
        work = asyncio.ensure_future(worker.ask(question, texts, progress))
        self._running.add(work)
        work.add_done_callback(self._running.discard)
        deadline = asyncio.get_running_loop().time() + self.seconds
        try:
            while not (await asyncio.wait([work], timeout=POLL_SECONDS))[0]:
                if await is_disconnected():
                    raise _cancelled()
                if asyncio.get_running_loop().time() > deadline:
                    raise Fault(
                        422,
                        "too_big",
                        "this takes too long to work out",
                        "fewer dice, sides or decisions can be solved",
                    )
            if work.cancelled():  # the server stops
                raise _cancelled()
            answer = work.result()
        except BaseException:
            work.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await work
            self._discard(worker)
            raise
        if "broken" in answer:  # nobody knows what it holds now
            self._discard(worker)
        else:
            self._idle.append(worker)
        return _read(answer)

    def _discard(self, worker: _Worker) -> None:
        self._all.discard(worker)
        self._track(asyncio.ensure_future(worker.stop()))

    async def _start_worker(self) -> _Worker:
        """Also when nobody waits for it any more it is known, and ended in the end."""
        return await asyncio.shield(self._track(asyncio.ensure_future(self._spawn())))

    async def _spawn(self) -> _Worker:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            self.module,
            stdin=PIPE,
            stdout=PIPE,
            limit=MAX_LINE_BYTES,
            start_new_session=True,
        )
        worker = _Worker(process)
        self._all.add(worker)
        return worker

    def _track(self, task: asyncio.Task[Result]) -> asyncio.Task[Result]:
        self._lifecycle_tasks.add(task)
        task.add_done_callback(self._lifecycle_tasks.discard)
        return task

    async def warm(self, rules: str, texts: Callable[[], Awaitable[RulesetTexts]]) -> None:
        """A process that has read the rules, so that the first who asks need not wait for it."""

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


def _ignore_progress(done: int, of: int) -> None:
    """A short question is answered before anybody would want to know."""


def _cancelled() -> Fault:
    return Fault(499, "cancelled", "nobody waits for this any more", "")


def _read(answer: dict[str, Any]) -> Any:
    """An answer, or the error that it is."""
    match answer:
        case {"answer": answer}:
            return answer
        case {"too_big": [message, hint]}:
            raise TooBig(message, hint)
        case {"refused": [message, hint]}:
            raise Refused(message, hint)
        case {"broken": "MemoryError" | "RecursionError"}:
            raise too_big_to_compute()
    raise Fault(500, "broken", "the odds could not be worked out", "try again")


def too_big_to_compute() -> TooBig:
    """What no process here can hold."""
    return TooBig(
        "this is more than can be read and worked out here", "shorter texts and smaller numbers can be"
    )
