"""Serial threads with group commit: one runs all work on tables.

Saves that are queued together are committed in one transaction, so twenty busy tables wait hardly
longer than one.  Under load we wait 3 ms to batch commits: one commit and one wake-up of the event
loop per batch save a tenth to a sixth of the CPU.
Invariant: a job's callback runs, and its caller is notified, only after its commit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from math import inf
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic, sleep
from typing import Any, TypeVar

from handful.store import OutcomeUnknown, SQLStore, Store, StoreFault

Result = TypeVar("Result")
Outcome = tuple[Any, BaseException | None]
MAX_BATCH = 64  # jobs in one transaction; more would delay the next batch
BATCH_WINDOW = 0.003  # seconds that a batch waits for further jobs,
BUSY_WINDOW = 0.01  # if the previous batch ended at most this many seconds ago
NOTIFY_BATCH = 8  # jobs per wake-up of the event loop, which costs as much as notifying one client


class _Job:
    """A queued job.  With a store, `work` appends to it and returns the callback to run after commit."""

    __slots__ = ("answer", "loop", "store", "work")

    def __init__(self, work: Callable[[], Any], store: Store | None = None) -> None:
        self.work, self.store = work, store
        self.loop = asyncio.get_running_loop()
        self.answer: asyncio.Future[Any] = self.loop.create_future()


class SerialThread:
    """A thread that runs jobs one after another."""

    def __init__(self, name: str, on_batch: Callable[[float], None] = lambda seconds: None) -> None:
        """`on_batch` is called with the seconds that a batch of commits took."""
        self._on_batch = on_batch
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def run(self, work: Callable[[], Result]) -> Result:
        result: Result = await self._submit(_Job(work))
        return result

    async def commit(self, store: Store, work: Callable[[], Callable[[], Result]]) -> Result:
        """Run `work`, which appends to the store, commit, and then run the callback it returned."""
        result: Result = await self._submit(_Job(work, store))
        return result

    def __len__(self) -> int:
        """Return the number of queued jobs."""
        return self._queue.qsize()

    def close(self) -> None:
        """Stop the thread after all queued jobs."""
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
            begun, commits = monotonic(), [job for job in jobs if job.store is not None]
            _commit_all(commits)
            last = monotonic()
            if commits:
                self._on_batch(last - begun)
            if closing:
                return

    def _next_batch(self, first: _Job) -> tuple[list[_Job], bool]:
        """Return the queued jobs, at most MAX_BATCH, and whether the queue was closed."""
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
    """Commit jobs in one transaction; each in its own if that fails."""
    batch = _commit_batch(jobs) if len(jobs) > 1 else None
    for at in range(0, len(jobs), NOTIFY_BATCH):
        notified = jobs[at : at + NOTIFY_BATCH]
        if batch is None:
            prepared = [_attempt(job.work) for job in notified]
        else:
            prepared = batch[at : at + NOTIFY_BATCH]
        _resolve(notified, [_finish(one) for one in prepared])


def _commit_batch(jobs: Sequence[_Job]) -> list[Outcome] | None:
    """Run jobs in one transaction; return their callbacks, or None if it was rolled back."""
    store = jobs[0].store
    if not isinstance(store, SQLStore):
        return None
    prepared: list[Outcome] = []
    try:
        with store.batch():
            for job in jobs:
                prepared.append(_attempt(job.work))
                if isinstance(prepared[-1][1], StoreFault):
                    raise prepared[-1][1]
    except OutcomeUnknown as fault:
        return [(None, fault) for _ in jobs]  # a second try might do twice what has no key
    except StoreFault as fault:
        return None if prepared else [(None, fault) for _ in jobs]  # nothing can be written at all
    return prepared


def _finish(prepared: Outcome) -> Outcome:
    finish, error = prepared
    return (None, error) if error is not None else _attempt(finish)


def _resolve(jobs: Sequence[_Job], outcomes: Sequence[Outcome]) -> None:
    """Resolve the futures of several jobs with one wake-up of the event loop."""

    def notify() -> None:
        for job, (result, error) in zip(jobs, outcomes, strict=True):
            if job.answer.done():  # the caller was cancelled
                continue
            if error is None:
                job.answer.set_result(result)
            else:
                job.answer.set_exception(error)

    jobs[0].loop.call_soon_threadsafe(notify)
