"""Rate limits as token buckets: one bucket for each client and kind of request.

A request takes a token; tokens refill with time.  The number of buckets is bounded.
Invariant: a refused request takes no token.
"""

from __future__ import annotations

from collections.abc import Hashable
from time import monotonic

from handful.web.faults import Fault

MAX_BUCKETS = 10_000  # before buckets that were not used for an hour are dropped


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
            raise Fault(429, "too_fast", "that was too much at once", f"try again in {max(1, round(wait))} s")
        if len(self._buckets) >= MAX_BUCKETS:
            self._forget(now)
        self._buckets[key] = left - 1, now

    def _forget(self, now: float) -> None:
        """Drop the buckets not used for an hour; drop all if that does not make room."""
        self._buckets = {key: one for key, one in self._buckets.items() if now - one[1] < 3600}
        if len(self._buckets) >= MAX_BUCKETS:
            self._buckets.clear()
