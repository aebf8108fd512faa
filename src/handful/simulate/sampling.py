"""Samples rolls in chunks, each with its own random stream, on one or more workers.

A chunk is a fixed number of consecutive rolls.  Its stream is spawned from the seed by the chunk's number.
Invariant: the rolls depend on the seed and the count alone, not on the number of workers.
Work for another process is pickled as texts and numbers; the ruleset is loaded again there.
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

from handful.errors import Message, Refused
from handful.roll import BoundCheck, Node
from handful.rules.load import Source, load
from handful.rules.program import Record
from handful.simulate.guide_table import GuideTable
from handful.simulate.lockstep import Lockstep
from handful.simulate.outcomes import Kind, RollKinds, classify
from handful.solver.solver import SolvedRules

MAX_WORKERS = 256
CHUNKS_PER_WORKER = 4  # chunks submitted ahead, per worker

Progress = Callable[[int, int], None]  # called with rolls done and total


class Chunk(NamedTuple):
    """Rolls of a chunk, either counted or one by one, and the decisions that the policy answered."""

    counts: dict[Kind, int]
    rows: RollKinds | None
    decided: frozenset[str]


class Sampler(Protocol):
    """Source of rolls; picklable."""

    size: int  # rolls per chunk; part of the result, as each chunk has its own stream

    def sample(self, count: int, rng: Generator, *, keep: bool) -> Chunk: ...


class TableSampler:
    """Draws rolls from a solved table."""

    size = 1 << 22
    threads = True  # numpy does nearly all the work and releases the GIL

    def __init__(self, table: GuideTable) -> None:
        self.table = table

    def sample(self, count: int, rng: Generator, *, keep: bool) -> Chunk:
        if not keep:
            return Chunk(self.table.counts(count, rng), None, frozenset())
        return Chunk({}, self.table.draw(count, rng), frozenset())


class DiceSampler:
    """Throws every die of every roll."""

    size = 1 << 14
    threads = False

    def __init__(
        self,
        check: BoundCheck,
        policy: str,
        node: Node | None = None,
        *,
        independent: bool = False,
        solved: SolvedRules | None = None,
    ) -> None:
        self.check, self.policy, self.node = check, policy, node
        self.independent, self.solved = independent, SolvedRules.of(check.ruleset, solved)

    def sample(self, count: int, rng: Generator, *, keep: bool) -> Chunk:
        plan = None if self.independent else self.solved.plan
        run = Lockstep(self.check, self.policy, self.node, plan)
        rows = classify(run.run(count, rng), count, self.check.check.main)
        decided = frozenset(run.decided)
        return Chunk({}, rows, decided) if keep else Chunk(rows.counts(), None, decided)

    def __reduce__(self) -> Any:
        if self.node is not None:
            raise Refused(Message("simulation.one_worker"))
        check = self.check
        arguments = check.check.name, dict(check.args), dict(check.options), self.policy, self.independent
        return _restore_dice_sampler, (check.ruleset.texts, *arguments)


def _restore_dice_sampler(
    texts: tuple[tuple[str, str], ...],
    name: str,
    args: Any,
    options: Any,
    policy: str,
    independent: bool,
) -> DiceSampler:
    solved = _load_rules(texts)
    rules = solved.ruleset
    bound = BoundCheck(rules, rules.check(name), Record(args), Record(options))
    return DiceSampler(bound, policy, independent=independent, solved=solved)


@lru_cache(maxsize=4)
def _load_rules(texts: tuple[tuple[str, str], ...]) -> SolvedRules:
    return SolvedRules(load([Source(file, text) for file, text in texts]))


def _chunk(sampler: Sampler, seed: int, number: int, count: int, keep: bool) -> Chunk:
    stream = SeedSequence(seed, spawn_key=(number,))
    return sampler.sample(count, Generator(PCG64(stream)), keep=keep)


def chunks(
    sampler: Sampler,
    count: int,
    seed: int,
    *,
    keep: bool = False,
    workers: int | Executor = 1,
    progress: Progress | None = None,
) -> Iterator[Chunk]:
    """Yield all chunks, in order."""
    sizes = [min(sampler.size, count - first) for first in range(0, count, sampler.size)]
    jobs = ((sampler, seed, number, size, keep) for number, size in enumerate(sizes))
    done = 0
    with _executor(sampler, workers, len(sizes)) as (executor, worker_count):
        found = (
            (_chunk(*job) for job in jobs)
            if executor is None
            else _submit_ahead(executor, jobs, worker_count)
        )
        for number, chunk in enumerate(found):
            done += sizes[number]
            if progress is not None:
                progress(done, count)
            yield chunk


def _submit_ahead(executor: Executor, jobs: Iterator[Any], worker_count: int) -> Iterator[Chunk]:
    """Yield results in order, with a bounded number of chunks submitted ahead."""
    pending: deque[Future[Chunk]] = deque()
    try:
        for job in jobs:
            pending.append(executor.submit(_chunk, *job))
            if len(pending) >= worker_count * CHUNKS_PER_WORKER:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        for future in pending:
            future.cancel()


@contextmanager
def _executor(sampler: Any, workers: int | Executor, jobs: int) -> Iterator[tuple[Executor | None, int]]:
    """Yield an executor and its number of workers; None to work in this thread."""
    if isinstance(workers, Executor):
        yield workers, getattr(workers, "_max_workers", 8)
        return
    worker_count = min(workers, jobs)
    if worker_count < 2:
        yield None, 1
        return
    pool: Executor
    if sampler.threads:
        pool = ThreadPoolExecutor(worker_count)
    else:
        pool = ProcessPoolExecutor(worker_count, get_context("spawn"), initializer=_ignore_interrupts)
    try:
        yield pool, worker_count
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _ignore_interrupts() -> None:
    """Ignore Ctrl+C in worker processes: the parent process shuts them down."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
