"""Threads that do one thing after the other, and the one that works on tables.

What waits to be saved at the same moment is saved together: the disk takes one writing for all of
it, and only then is anything of it told.  So twenty busy tables wait hardly longer than one.
Where one comes right after another, the next few are waited for: writing, and waking the event
loop, take up to a sixth of the processor if each is saved for itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from math import inf
from queue import Empty, SimpleQueue
from threading import Thread as OfSystem
from time import monotonic, sleep
from typing import Any, TypeVar

from handful.store import SQLiteStore, Store, StoreFault

Made = TypeVar("Made")
Said = tuple[Any, BaseException | None]
AT_ONCE = 64  # commands that are saved together: whoever comes next should not wait for more
GATHER = 0.003  # seconds that the first of them waits for others,
BUSY = 0.01  # if so many seconds ago, or fewer, somebody else was here
TOLD = 8  # of them that are told together: waking the other thread takes as long as telling one


class _Job:
    """Work that somebody waits for; with a store it saves, and gives how it goes on after that."""

    __slots__ = ("answer", "loop", "store", "work")

    def __init__(self, work: Callable[[], Any], store: Store | None = None) -> None:
        self.work, self.store = work, store
        self.loop = asyncio.get_running_loop()
        self.answer: asyncio.Future[Any] = self.loop.create_future()


class Thread:
    """A thread that does one thing after the other."""

    def __init__(self, name: str) -> None:
        self._waiting: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread = OfSystem(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def do(self, work: Callable[[], Made]) -> Made:
        made: Made = await self._asked(_Job(work))
        return made

    async def save(self, store: Store, work: Callable[[], Callable[[], Made]]) -> Made:
        """`work` saves something and gives what is done when it is on the disk."""
        made: Made = await self._asked(_Job(work, store))
        return made

    def close(self) -> None:
        """After everything that was asked for."""
        self._waiting.put(None)
        self._thread.join()

    async def _asked(self, job: _Job) -> Any:
        self._waiting.put(job)
        return await job.answer

    def _run(self) -> None:
        last = -inf
        while (first := self._waiting.get()) is not None:
            if first.store is not None and self._waiting.empty() and monotonic() < last + BUSY:
                sleep(GATHER)
            jobs, ends = self._all_that_wait(first)
            for job in jobs:
                if job.store is None:
                    _answer([job], [_done(job.work)])
            _save([job for job in jobs if job.store is not None])
            last = monotonic()
            if ends:
                return

    def _all_that_wait(self, first: _Job) -> tuple[list[_Job], bool]:
        """Whoever waits now; and whether nobody will come after them."""
        jobs = [first]
        while len(jobs) < AT_ONCE:
            try:
                job = self._waiting.get_nowait()
            except Empty:
                return jobs, False
            if job is None:
                return jobs, True
            jobs.append(job)
        return jobs, False


def _done(work: Callable[[], Any]) -> Said:
    try:
        return work(), None
    except BaseException as error:
        return None, error


def _save(jobs: Sequence[_Job]) -> None:
    """All of them in one writing; each for itself if the disk does not take them together."""
    saved = _together(jobs) if len(jobs) > 1 else None
    for at in range(0, len(jobs), TOLD):
        some = jobs[at : at + TOLD]
        if saved is None:
            begun = [_done(job.work) for job in some]
        else:
            begun = saved[at : at + TOLD]
        _answer(some, [_finished(one) for one in begun])


def _together(jobs: Sequence[_Job]) -> list[Said] | None:
    """What is done with each now that all are saved; None if they were not."""
    store = jobs[0].store
    if not isinstance(store, SQLiteStore):
        return None
    begun: list[Said] = []
    try:
        with store.transaction():
            for job in jobs:
                begun.append(_done(job.work))
                if isinstance(begun[-1][1], StoreFault):
                    raise begun[-1][1]
    except StoreFault as fault:
        return None if begun else [(None, fault) for _ in jobs]  # nobody can write now
    return begun


def _finished(begun: Said) -> Said:
    finish, error = begun
    return (None, error) if error is not None else _done(finish)


def _answer(jobs: Sequence[_Job], said: Sequence[Said]) -> None:
    """Wakes the other thread once for all of them."""

    def tell() -> None:
        for job, (made, error) in zip(jobs, said, strict=True):
            if job.answer.done():  # nobody waits any more
                continue
            if error is None:
                job.answer.set_result(made)
            else:
                job.answer.set_exception(error)

    jobs[0].loop.call_soon_threadsafe(tell)
