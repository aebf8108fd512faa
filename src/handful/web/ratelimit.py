"""How often: a bucket for each who asks, emptied by asking and filled again by time."""

from __future__ import annotations

from collections.abc import Hashable
from time import monotonic

from handful.web.faults import Fault

MOST = 10_000  # who asks, before those whose buckets are full again are forgotten


class Buckets:
    def __init__(self) -> None:
        self._left: dict[Hashable, tuple[float, float]] = {}  # who -> how much, and when

    def take(self, who: Hashable, burst: int, rate: float) -> None:
        """One more; refused when the bucket is empty, with when it will not be."""
        now = monotonic()
        left, then = self._left.get(who, (float(burst), now))
        left = min(float(burst), left + (now - then) * rate)
        if left < 1:
            wait = (1 - left) / rate
            raise Fault(429, "too_fast", "that was too much at once", f"try again in {max(1, round(wait))} s")
        if len(self._left) >= MOST:
            self._forget(now)
        self._left[who] = left - 1, now

    def _forget(self, now: float) -> None:
        """Those who have not asked for an hour; all of them if that does not help."""
        self._left = {who: one for who, one in self._left.items() if now - one[1] < 3600}
        if len(self._left) >= MOST:
            self._left.clear()
