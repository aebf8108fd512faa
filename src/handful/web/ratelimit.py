"""How often: a bucket for each who asks, emptied by asking and filled again by time."""

from __future__ import annotations

from collections.abc import Hashable
from time import monotonic

from handful.web.faults import Fault

MAX_BUCKETS = 10_000  # who asks, before those whose buckets are full again are forgotten


class TokenBuckets:
    def __init__(self) -> None:
        self._buckets: dict[Hashable, tuple[float, float]] = {}  # who -> how much, and when

    def consume(self, key: Hashable, burst: int, rate: float) -> None:
        """One more; refused when the bucket is empty, with when it will not be."""
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
        """Those who have not asked for an hour; all of them if that does not help."""
        self._buckets = {key: one for key, one in self._buckets.items() if now - one[1] < 3600}
        if len(self._buckets) >= MAX_BUCKETS:
            self._buckets.clear()
