"""The worker processes of a server: one pool computes odds, the sandbox reads draft rulesets.

Invariant: the event loop and the thread of the tables never compute odds or load a stranger's text.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Sequence
from contextlib import suppress
from typing import Any

from handful.errors import Message
from handful.store import RulesetTexts
from handful.web.faults import Fault
from handful.web.metrics import Metrics
from handful.web.ratelimit import RateLimits
from handful.web.settings import ServerLimits
from handful.web.worker_main import Progress, Question
from handful.web.workers import WorkerPool, too_big_to_compute

IsDisconnected = Callable[[], Awaitable[bool]]
SANDBOX_SIZE = 2  # processes


class WorkerProcesses:
    """Sends questions to both pools, with the budget of this server."""

    def __init__(self, limits: ServerLimits, rates: RateLimits, metrics: Metrics) -> None:
        self.limits, self.rates, self.metrics = limits, rates, metrics
        self.odds = WorkerPool(limits)
        self.sandbox = WorkerPool(limits, SANDBOX_SIZE, "handful.web.sandbox", limits.draft_seconds)
        self._background: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Start a worker for the first question."""
        self._run_in_background(self.odds.start())

    async def stop(self) -> None:
        for task in tuple(self._background):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await self.odds.stop()
        await self.sandbox.stop()

    async def compute(
        self,
        client: tuple[str, ...],
        question: Question,
        rules: str,
        texts: Callable[[], Awaitable[RulesetTexts]],
        is_disconnected: IsDisconnected,
        progress: Progress | None = None,
        parties: Sequence[Hashable] = (),
    ) -> Any:
        """Answer a question about odds in a worker; a seat or visitor waits for one at a time.

        `parties`: for whom its work counts, such as its table and its visitor.
        """
        question = {"policy": "usual", **question, "rules": rules, "budget": self.limits.odds_budget}
        with self.metrics.odds():
            return await self.odds.submit(client, question, texts, is_disconnected, progress, parties)

    def warm(self, rules: str, texts: Callable[[], Awaitable[RulesetTexts]]) -> None:
        """Have a worker load rules before the first question about them."""
        self._run_in_background(self.odds.warm(rules, texts))

    async def ask_sandbox(self, visitor: str, question: Question, is_disconnected: IsDisconnected) -> Any:
        """Answer a question about a draft ruleset in a sandboxed process."""
        self.rates.limit_drafts(visitor)
        question = {**question, "budget": self.limits.odds_budget}
        try:
            return await self.sandbox.submit(visitor, question, _no_texts, is_disconnected)
        except Fault as fault:
            if fault.code != "broken":
                raise
            raise too_big_to_compute() from None

    async def read_draft(
        self, visitor: str, text: str, is_disconnected: IsDisconnected
    ) -> tuple[str, RulesetTexts]:
        """Return hash and texts of a draft ruleset; raise a Fault with its first mistake."""
        found = await self.ask_sandbox(visitor, {"do": "texts", "ruleset": text}, is_disconnected)
        for one in found["mistakes"][:1]:
            problem = one["message"]
            located = Message("server.in_line", line=one["line"], problem=problem)
            raise Fault(422, "refused", located if one["line"] else problem, one["hint"])
        return found["hash"], [(name, one) for name, one in found["texts"]]

    def _run_in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a task that only makes later requests faster; no request waits for it."""
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)


async def _no_texts() -> RulesetTexts:
    """Return no texts: a question about a draft contains its text."""
    return ()
