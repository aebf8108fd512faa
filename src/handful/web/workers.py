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
from handful.web.settings import Limits
from handful.web.worker_main import LONGEST_LINE, Made, Question, Tell, remember

WORKER = "handful.web.worker_main"
GLANCE = 0.25  # seconds between looks whether somebody still waits


def about_roll(table: Table, seat: str, roll: str) -> tuple[Question, str]:
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
        self.known: dict[str, None] = {}

    async def ask(self, question: Question, texts: Callable[[], Awaitable[RulesetTexts]], tell: Tell) -> Any:
        rules = question.get("rules")
        if rules is not None and rules not in self.known:
            question = {**question, "texts": await texts()}
        if rules is not None:
            remember(self.known, rules, None)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(question).encode() + b"\n")
        await self.process.stdin.drain()
        while line := await self.process.stdout.readline():
            said = json.loads(line)
            if "progress" not in said:
                return said
            tell(*said["progress"])
        raise Fault(500, "broken", "the odds could not be worked out", "try again")

    async def end(self) -> None:
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.communicate()


class Reckoner:
    """As many processes as work at once; everybody else waits for their turn."""

    def __init__(
        self, limits: Limits, most: int = 2, module: str = WORKER, seconds: float | None = None
    ) -> None:
        """`module` is what a process runs; `seconds` are for a machine that is too slow."""
        self.limits, self.module = limits, module
        self.seconds = limits.odds_seconds if seconds is None else seconds
        self._hands = asyncio.Semaphore(most)
        self._long = asyncio.Semaphore(max(1, most - 1))  # a hand stays free for short questions
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._works: set[asyncio.Task[Any]] = set()
        self._ending: set[asyncio.Task[Any]] = set()  # processes that begin or end
        self._asking: dict[Hashable, int] = {}
        self._turns: dict[Hashable, asyncio.Lock] = {}

    async def begin(self) -> None:
        """A process that waits for the first question."""
        async with self._hands:
            self._idle.append(await self._new())

    async def work_out(
        self,
        who: Hashable,
        question: Question,
        texts: Callable[[], Awaitable[RulesetTexts]],
        has_gone: Callable[[], Awaitable[bool]],
        tell: Tell | None = None,
    ) -> Any:
        """The answer to a question; `who` asks one after the other.

        Whoever wants to be told how far it is has a long question.
        """
        count = self._asking.get(who, 0)
        if count > self.limits.odds_waiting:
            raise Fault(429, "too_fast", "too many questions about odds at once", "wait for an answer")
        self._asking[who] = count + 1
        turn = self._turns.setdefault(who, asyncio.Lock())
        try:
            async with turn, self._long if tell else nullcontext(), self._hands:
                return await self._worked_out(question, texts, has_gone, tell or _nobody)
        finally:
            self._asking[who] -= 1
            if not self._asking[who]:
                del self._asking[who], self._turns[who]

    async def _worked_out(
        self,
        question: Question,
        texts: Callable[[], Awaitable[RulesetTexts]],
        has_gone: Callable[[], Awaitable[bool]],
        tell: Tell,
    ) -> Any:
        if await has_gone():
            raise _gone()
        worker = self._idle.pop() if self._idle else await self._new()
        work = asyncio.ensure_future(worker.ask(question, texts, tell))
        self._works.add(work)
        work.add_done_callback(self._works.discard)
        ends = asyncio.get_running_loop().time() + self.seconds
        try:
            while not (await asyncio.wait([work], timeout=GLANCE))[0]:
                if await has_gone():
                    raise _gone()
                if asyncio.get_running_loop().time() > ends:
                    raise Fault(
                        422,
                        "too_big",
                        "this takes too long to work out",
                        "fewer dice, sides or decisions can be solved",
                    )
            if work.cancelled():  # the server stops
                raise _gone()
            answer = work.result()
        except BaseException:
            work.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await work
            self._let_go(worker)
            raise
        if "broken" in answer:  # nobody knows what it holds now
            self._let_go(worker)
        else:
            self._idle.append(worker)
        return _read(answer)

    def _let_go(self, worker: _Worker) -> None:
        self._all.discard(worker)
        self._kept(asyncio.ensure_future(worker.end()))

    async def _new(self) -> _Worker:
        """Also when nobody waits for it any more it is known, and ended in the end."""
        return await asyncio.shield(self._kept(asyncio.ensure_future(self._begun())))

    async def _begun(self) -> _Worker:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            self.module,
            stdin=PIPE,
            stdout=PIPE,
            limit=LONGEST_LINE,
            start_new_session=True,
        )
        worker = _Worker(process)
        self._all.add(worker)
        return worker

    def _kept(self, task: asyncio.Task[Made]) -> asyncio.Task[Made]:
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
        return task

    async def warm(self, rules: str, texts: Callable[[], Awaitable[RulesetTexts]]) -> None:
        """A process that has read the rules, so that the first who asks need not wait for it."""

        async def never() -> bool:
            return False

        if any(rules in worker.known for worker in self._all):
            return
        question = {"rules": rules, "warm": True}
        with suppress(Fault, HandfulError):
            await self.work_out("warm", question, texts, never)

    async def end(self) -> None:
        while busy := self._works | self._ending:
            for work in self._works:
                work.cancel()
            await asyncio.wait(busy)
        for worker in self._all:
            await worker.end()
        self._all.clear()


def _nobody(done: int, of: int) -> None:
    """A short question is answered before anybody would want to know."""


def _gone() -> Fault:
    return Fault(499, "cancelled", "nobody waits for this any more", "")


def _read(answer: dict[str, Any]) -> Any:
    """An answer, or the error that it is."""
    match answer:
        case {"answer": made}:
            return made
        case {"too_big": [message, hint]}:
            raise TooBig(message, hint)
        case {"refused": [message, hint]}:
            raise Refused(message, hint)
        case {"broken": "MemoryError" | "RecursionError"}:
            raise beyond()
    raise Fault(500, "broken", "the odds could not be worked out", "try again")


def beyond() -> TooBig:
    """What no process here can hold."""
    return TooBig(
        "this is more than can be read and worked out here", "shorter texts and smaller numbers can be"
    )
