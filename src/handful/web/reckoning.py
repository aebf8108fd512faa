"""Odds are worked out in processes of their own: they take seconds, and nobody waits for them.

A process that works for somebody who has gone, or has asked for something else, is ended; the next
question gets a new one.  `python -m handful.web.reckoning` is such a process: questions come as
lines of JSON, answers go back the same way.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Hashable
from contextlib import nullcontext, suppress
from time import monotonic
from typing import Any, TypeVar

from handful import odds as exact
from handful import table as tables
from handful.errors import HandfulError, Refused, TooBig
from handful.roll import resume, start
from handful.rules import load as loading
from handful.rules.ruleset import Ruleset
from handful.store import Texts
from handful.table import Table
from handful.table.standing import bound_to
from handful.web import exploring
from handful.web.faults import Fault
from handful.web.settings import Limits

Question = dict[str, Any]
Tell = Callable[[int, int], None]  # how much of how much is done
Made = TypeVar("Made")
MOST_KNOWN = 24  # rulesets that a process remembers
LONGEST_LINE = 64 * 1024 * 1024
BREATH = 0.1  # seconds between two words of progress
GLANCE = 0.25  # seconds between looks whether somebody still waits


def about_roll(table: Table, seat: str, roll: str) -> tuple[Question, str]:
    """The question for the odds of a roll from where it stands, by what the seat knows.

    With the hash of the rules by which it was begun: those of the table may be others by now.
    """
    found = tables.as_known(table, seat).rolls.get(roll)
    if found is None or found.bound is None:
        raise Refused(f"{seat} knows no odds of a roll {roll[:80]!r}")
    question = {"asked": found.asked, "replies": [one.reply for one in found.given]}
    return question, found.bound.ruleset.hash


class _Worker:
    """A process, and the rules that it knows."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.known: dict[str, None] = {}

    async def ask(
        self, question: Question, texts: Callable[[], Awaitable[Texts]], tell: Tell
    ) -> Any:
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
        self, limits: Limits, most: int = 2, module: str = __name__, seconds: float | None = None
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
        self, who: Hashable, question: Question, texts: Callable[[], Awaitable[Texts]],
        has_gone: Callable[[], Awaitable[bool]], tell: Tell | None = None,
    ) -> Any:  # fmt: skip
        """The answer to a question; `who` asks one after the other.

        Whoever wants to be told how far it is has a long question.
        """
        count = self._asking.get(who, 0)
        if count > self.limits.odds_waiting:
            raise Fault(429, "too_fast", "too many questions about odds at once",
                        "wait for an answer")  # fmt: skip
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
        self, question: Question, texts: Callable[[], Awaitable[Texts]],
        has_gone: Callable[[], Awaitable[bool]], tell: Tell,
    ) -> Any:  # fmt: skip
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
                    raise Fault(422, "too_big", "this takes too long to work out",
                                "fewer dice, sides or decisions can be solved")  # fmt: skip
            if work.cancelled():  # the server stops
                raise _gone()
            answer = work.result()
        except BaseException:
            work.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await work
            self._all.discard(worker)
            self._kept(asyncio.ensure_future(worker.end()))
            raise
        self._idle.append(worker)
        return _read(answer)

    async def _new(self) -> _Worker:
        """Also when nobody waits for it any more it is known, and ended in the end."""
        return await asyncio.shield(self._kept(asyncio.ensure_future(self._begun())))

    async def _begun(self) -> _Worker:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", self.module, stdin=PIPE, stdout=PIPE,
            limit=LONGEST_LINE, start_new_session=True,
        )  # fmt: skip
        worker = _Worker(process)
        self._all.add(worker)
        return worker

    def _kept(self, task: asyncio.Task[Made]) -> asyncio.Task[Made]:
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
        return task

    async def warm(self, rules: str, texts: Callable[[], Awaitable[Texts]]) -> None:
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


def remember(known: dict[str, Made], name: str, what: Made) -> None:
    """The one that was used longest ago makes room; both sides of a pipe agree on it."""
    known.pop(name, None)
    known[name] = what
    while len(known) > MOST_KNOWN:
        del known[next(iter(known))]


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
    raise Fault(500, "broken", "the odds could not be worked out", "try again")


# -- in the other process


def answered(question: Question, rules: Ruleset) -> Any:
    if "warm" in question:
        return None
    if "luck" in question:
        others = {hash: _loaded(texts) for hash, texts in question["shelf"].items()}
        shelf = {hash: one for hash, one in others.items() if isinstance(one, Ruleset)}
        table = Table(rules, shelf=shelf)
        for entry in question["luck"]:
            table = tables.evolve(table, tables.event_of(entry))
        return tables.luck(table, question["seat"])
    if "explore" in question:
        return exploring.answered(question, rules, _progress())
    bound = bound_to(rules, question["asked"])
    node = None
    for reply in question.get("replies", []):
        said = tuple(reply) if isinstance(reply, list) else reply
        node = resume(bound, node or start(bound), said)
    found = exact.odds(bound, node, policy=question["policy"], budget=question["budget"])
    return found.to_dict()


def _progress() -> Tell:
    """Tells now and then how far the work is."""
    last = monotonic()

    def tell(done: int, of: int) -> None:
        nonlocal last
        if monotonic() - last > BREATH:
            last = monotonic()
            _say({"progress": [done, of]})

    return tell


def _say(said: dict[str, Any]) -> None:
    sys.stdout.buffer.write(json.dumps(said).encode() + b"\n")
    sys.stdout.buffer.flush()


def _loaded(texts: Texts) -> Ruleset | HandfulError:
    """Rules, or what is wrong with them: that is remembered, too."""
    try:
        return loading.load([loading.Source(*one) for one in texts], proven=True)
    except HandfulError as error:
        return error


def main() -> None:
    """Answer until nobody asks any more."""
    known: dict[str, Ruleset | HandfulError] = {}
    while line := sys.stdin.buffer.readline(LONGEST_LINE):
        question = json.loads(line)
        said: dict[str, Any]
        try:
            name = question["rules"]
            remember(known, name, known[name] if name in known else _loaded(question["texts"]))
            rules = known[name]
            if isinstance(rules, HandfulError):
                raise rules
            said = {"answer": answered(question, rules)}
        except TooBig as error:
            said = {"too_big": [error.message, error.hint]}
        except HandfulError as error:
            said = {"refused": [error.message, error.hint]}
        except Exception as error:  # its words may hold what nobody should read in a log
            said = {"broken": type(error).__name__}
        _say(said)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt, BrokenPipeError):
        main()
        os._exit(0)
