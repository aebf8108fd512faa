"""Rate limits as token buckets: one bucket for each client and kind of request.

A request takes a token; tokens refill with time.  The number of buckets is bounded.
Invariant: a refused request takes no token.
"""

from __future__ import annotations

from collections.abc import Hashable
from time import monotonic

from handful.errors import Message
from handful.store import Link
from handful.web.faults import Fault
from handful.web.settings import ServerLimits

MAX_BUCKETS = 10_000  # before buckets that were not used for an hour are dropped
TALK = frozenset({"say", "note", "scratchpad"})  # commands that everybody reads


class TokenBuckets:
    """Token buckets by key, created on first use."""

    def __init__(self) -> None:
        self._buckets: dict[Hashable, tuple[float, float]] = {}  # key -> tokens left, and when that was

    def consume(self, key: Hashable, burst: int, rate: float) -> None:
        """Take a token, or raise a Fault that names the seconds until there is one."""
        now = monotonic()
        left, then = self._buckets.get(key, (float(burst), now))
        left = min(float(burst), left + (now - then) * rate)
        if left < 1:
            wait = (1 - left) / rate
            raise Fault(
                429,
                "too_fast",
                Message("server.too_fast"),
                Message("server.try_again_in", wait=max(1, round(wait))),
            )
        if len(self._buckets) >= MAX_BUCKETS:
            self._forget(now)
        self._buckets[key] = left - 1, now

    def _forget(self, now: float) -> None:
        """Drop the buckets not used for an hour; drop all if that does not make room."""
        self._buckets = {key: one for key, one in self._buckets.items() if now - one[1] < 3600}
        if len(self._buckets) >= MAX_BUCKETS:
            self._buckets.clear()


class RateLimits:
    """The rates that seats and visitors are limited to; exceeding one raises a Fault."""

    def __init__(self, limits: ServerLimits) -> None:
        self._limits, self._buckets = limits, TokenBuckets()

    def limit_commands(self, link: Link, kind: str) -> None:
        """Limit the commands of a seat; what it says and writes more than what it plays."""
        if kind in TALK:
            self._buckets.consume(
                ("talk", link.table, link.seat), self._limits.talk_burst, self._limits.talk_rate
            )
        self._buckets.consume((link.table, link.seat), self._limits.burst, self._limits.rate)

    def limit_queries(self, *client: str) -> None:
        self._buckets.consume(("ask", *client), self._limits.query_burst, self._limits.query_rate)

    def limit_explorer(self, visitor: str) -> None:
        """Limit odds queries without a table: more than others, a slider sends one at each step."""
        self._buckets.consume(("explore", visitor), self._limits.explorer_burst, self._limits.explorer_rate)

    def limit_drafts(self, visitor: str) -> None:
        """Limit questions about draft rulesets."""
        self._buckets.consume(("draft", visitor), self._limits.draft_burst, self._limits.draft_rate)

    def limit_pictures(self, link: Link) -> None:
        self._limit_per_hour("picture", f"{link.table} {link.seat}", self._limits.pictures_per_hour)

    def limit_publishing(self, visitor: str) -> None:
        self._limit_per_hour("publish", visitor, self._limits.publish_per_hour)

    def limit_new_tables(self, visitor: str) -> None:
        self._limit_per_hour("open", visitor, self._limits.tables_per_hour)

    def limit_guesses(self, visitor: str) -> None:
        """Limit tokens that lead nowhere."""
        count = self._limits.guesses_per_minute
        self._buckets.consume(("guess", visitor), count, count / 60)

    def _limit_per_hour(self, kind: str, visitor: str, count: int) -> None:
        self._buckets.consume((kind, visitor), count, count / 3600)
