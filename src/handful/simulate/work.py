"""Rolls in chunks, each with a random stream of its own: the same ones whoever does the work.

A chunk is so many rolls in a row.  Its stream is spawned from the seed by the number of the chunk,
so the rolls depend on the seed and the count alone, not on how many workers share them.
Whatever a worker in another process needs goes there as text and numbers and is made anew.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from multiprocessing import get_context
from typing import Any, NamedTuple, Protocol

from numpy.random import PCG64, Generator, SeedSequence

from handful.errors import Refused
from handful.roll import BoundCheck, Node
from handful.rules.load import Source, load
from handful.rules.program import Record
from handful.rules.ruleset import Ruleset
from handful.simulate.lockstep import Lockstep
from handful.simulate.outcomes import Kind, Rows, told_apart
from handful.simulate.table import Drawer

MOST_WORKERS = 256
IN_FLIGHT = 4  # chunks that wait for each worker

Progress = Callable[[int, int], None]  # rolls that are done, and all of them


class Chunk(NamedTuple):
    """The rolls of a chunk, either counted or one by one, and the decisions that were met."""

    counts: dict[Kind, int]
    rows: Rows | None
    decided: frozenset[str]


class Work(Protocol):
    """Something that makes rolls; can be sent to another process."""

    size: int  # rolls of a chunk; another size gives other rolls

    def rolled(self, count: int, rng: Generator, *, keep: bool) -> Chunk: ...


class Drawing:
    """Draws from a solved table."""

    size = 1 << 22
    threads = True  # numpy does nearly all of it and lets other threads run

    def __init__(self, drawer: Drawer) -> None:
        self.drawer = drawer

    def rolled(self, count: int, rng: Generator, *, keep: bool) -> Chunk:
        if not keep:
            return Chunk(self.drawer.counts(count, rng), None, frozenset())
        return Chunk({}, self.drawer.draw(count, rng), frozenset())


class Rolling:
    """Throws every die of every roll."""

    size = 1 << 14
    threads = False

    def __init__(
        self, check: BoundCheck, policy: str, node: Node | None = None, *, independent: bool = False
    ) -> None:
        self.check, self.policy, self.node = check, policy, node
        self.independent = independent

    def rolled(self, count: int, rng: Generator, *, keep: bool) -> Chunk:
        run = Lockstep(self.check, self.policy, self.node, independent=self.independent)
        rows = told_apart(run.run(count, rng), count, self.check.check.main)
        decided = frozenset(run.decided)
        return Chunk({}, rows, decided) if keep else Chunk(rows.counts(), None, decided)

    def __reduce__(self) -> Any:
        if self.node is not None:
            raise Refused("from the middle of a roll only one worker can go on")
        check = self.check
        own = check.check.name, dict(check.args), dict(check.options), self.policy, self.independent
        return _rolling, (check.ruleset.texts, *own)


def _rolling(
    texts: tuple[tuple[str, str], ...],
    name: str,
    args: Any,
    options: Any,
    policy: str,
    independent: bool,
) -> Rolling:
    rules = _rules(texts)
    bound = BoundCheck(rules, rules.check(name), Record(args), Record(options))
    return Rolling(bound, policy, independent=independent)


@lru_cache(maxsize=4)
def _rules(texts: tuple[tuple[str, str], ...]) -> Ruleset:
    return load([Source(file, text) for file, text in texts])


def _chunk(work: Work, seed: int, number: int, count: int, keep: bool) -> Chunk:
    stream = SeedSequence(seed, spawn_key=(number,))
    return work.rolled(count, Generator(PCG64(stream)), keep=keep)


def chunks(
    work: Work,
    count: int,
    seed: int,
    *,
    keep: bool = False,
    workers: int | Executor = 1,
    progress: Progress | None = None,
) -> Iterator[Chunk]:
    """All chunks, in order."""
    sizes = [min(work.size, count - first) for first in range(0, count, work.size)]
    jobs = ((work, seed, number, size, keep) for number, size in enumerate(sizes))
    done = 0
    with _hands(work, workers, len(sizes)) as (executor, many):
        found = (_chunk(*job) for job in jobs) if executor is None else _ahead(executor, jobs, many)
        for number, chunk in enumerate(found):
            done += sizes[number]
            if progress is not None:
                progress(done, count)
            yield chunk


def _ahead(executor: Executor, jobs: Iterator[Any], many: int) -> Iterator[Chunk]:
    """Results in order, while some chunks further on are at work."""
    waiting: deque[Future[Chunk]] = deque()
    try:
        for job in jobs:
            waiting.append(executor.submit(_chunk, *job))
            if len(waiting) >= many * IN_FLIGHT:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


@contextmanager
def _hands(work: Any, workers: int | Executor, jobs: int) -> Iterator[tuple[Executor | None, int]]:
    """Who does the work: an executor, or nobody else."""
    if isinstance(workers, Executor):
        yield workers, getattr(workers, "_max_workers", 8)
        return
    many = min(workers, jobs)
    if many < 2:
        yield None, 1
        return
    pool: Executor
    if work.threads:
        pool = ThreadPoolExecutor(many)
    else:
        pool = ProcessPoolExecutor(many, get_context("spawn"), initializer=_leave_ctrl_c)
    try:
        yield pool, many
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _leave_ctrl_c() -> None:
    """Whoever waits for the workers ends them; they would only complain."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
