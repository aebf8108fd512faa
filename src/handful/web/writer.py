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
from threading import Thread
from time import monotonic, sleep
from typing import Any, TypeVar

from handful.store import SQLiteStore, Store, StoreFault

Result = TypeVar("Result")
Outcome = tuple[Any, BaseException | None]
MAX_BATCH = 64  # commands that are saved together: whoever comes next should not wait for more
BATCH_WINDOW = 0.003  # seconds that the first of them waits for others,
BUSY_WINDOW = 0.01  # if so many seconds ago, or fewer, somebody else was here
NOTIFY_BATCH = 8  # of them that are told together: waking the other thread takes as long as telling one


class _Job:
    """Work that somebody waits for; with a store it saves, and gives how it goes on after that."""

    __slots__ = ("answer", "loop", "store", "work")

    def __init__(self, work: Callable[[], Any], store: Store | None = None) -> None:
        self.work, self.store = work, store
        self.loop = asyncio.get_running_loop()
        self.answer: asyncio.Future[Any] = self.loop.create_future()


class SerialThread:
    """A thread that does one thing after the other."""

    def __init__(self, name: str) -> None:
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def run(self, work: Callable[[], Result]) -> Result:
        result: Result = await self._submit(_Job(work))
        return result

    async def commit(self, store: Store, work: Callable[[], Callable[[], Result]]) -> Result:
        """`work` saves something and gives what is done when it is on the disk."""
        result: Result = await self._submit(_Job(work, store))
        return result

    def close(self) -> None:
        """After everything that was asked for."""
        self._queue.put(None)
        self._thread.join()

    async def _submit(self, job: _Job) -> Any:
        self._queue.put(job)
        return await job.answer

    def _run(self) -> None:
        last = -inf
        while (first := self._queue.get()) is not None:
            if first.store is not None and self._queue.empty() and monotonic() < last + BUSY_WINDOW:
                sleep(BATCH_WINDOW)
            jobs, closing = self._next_batch(first)
            for job in jobs:
                if job.store is None:
                    _resolve([job], [_attempt(job.work)])
            _commit_all([job for job in jobs if job.store is not None])
            last = monotonic()
            if closing:
                return

    def _next_batch(self, first: _Job) -> tuple[list[_Job], bool]:
        """Whoever waits now; and whether nobody will come after them."""
        jobs = [first]
        while len(jobs) < MAX_BATCH:
            try:
                job = self._queue.get_nowait()
            except Empty:
                return jobs, False
            if job is None:
                return jobs, True
            jobs.append(job)
        return jobs, False


def _attempt(work: Callable[[], Any]) -> Outcome:
    try:
        return work(), None
    except BaseException as error:
        return None, error


def _commit_all(jobs: Sequence[_Job]) -> None:
    """All of them in one writing; each for itself if the disk does not take them together."""
    batch = _commit_batch(jobs) if len(jobs) > 1 else None
    for at in range(0, len(jobs), NOTIFY_BATCH):
        notified = jobs[at : at + NOTIFY_BATCH]
        if batch is None:
            prepared = [_attempt(job.work) for job in notified]
        else:
            prepared = batch[at : at + NOTIFY_BATCH]
        _resolve(notified, [_finish(one) for one in prepared])


def _commit_batch(jobs: Sequence[_Job]) -> list[Outcome] | None:
    """What is done with each now that all are saved; None if they were not."""
    store = jobs[0].store
    if not isinstance(store, SQLiteStore):
        return None
    prepared: list[Outcome] = []
    try:
        with store.transaction():
            for job in jobs:
                prepared.append(_attempt(job.work))
                if isinstance(prepared[-1][1], StoreFault):
                    raise prepared[-1][1]
    except StoreFault as fault:
        return None if prepared else [(None, fault) for _ in jobs]  # nobody can write now
    return prepared


def _finish(prepared: Outcome) -> Outcome:
    finish, error = prepared
    return (None, error) if error is not None else _attempt(finish)


def _resolve(jobs: Sequence[_Job], outcomes: Sequence[Outcome]) -> None:
    """Wakes the other thread once for all of them."""

    def notify() -> None:
        for job, (result, error) in zip(jobs, outcomes, strict=True):
            if job.answer.done():  # nobody waits any more
                continue
            if error is None:
                job.answer.set_result(result)
            else:
                job.answer.set_exception(error)

    jobs[0].loop.call_soon_threadsafe(notify)
