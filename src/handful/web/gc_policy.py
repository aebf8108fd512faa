"""Garbage-collection policy: full collections run only while the server is idle.

Tables are values without reference cycles, so a roll leaves almost nothing for Python's collector
to free.  A full collection over two hundred tables takes as long as a hundred rolls and stalls every
client.  Requests and connections do leave cycles, and strangers choose how many: most are collected
young, and a full collection also runs when memory has grown a lot.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from contextlib import suppress
from mmap import PAGESIZE
from time import monotonic

from handful.errors import FileFault
from handful.library.files import read_text

IDLE_SECONDS = 2.0  # seconds without activity
MAX_INTERVAL = 900.0  # seconds after which a full collection runs even during activity
# It also runs then if memory has grown by more than this many bytes and by more than this share
# of what it was, so that the work stays in proportion to the growth.
MIN_GROWTH = 32 * 1024 * 1024
GROWTH_SHARE = 0.25
YOUNG = (2_000, 20)  # thresholds of generations 0 and 1, as for `gc.set_threshold`
NEVER = 1_000_000_000


def disable_full_collections() -> None:
    """Stop automatic full collections; `IdleCollector` runs them from now on."""
    gc.freeze()  # modules loaded by now are never freed
    gc.set_threshold(*YOUNG, NEVER)


def resident() -> int:
    """Return the resident memory of this process in bytes; 0 if the system does not report it."""
    with suppress(FileFault):
        return int(read_text("/proc/self/statm").split()[1]) * PAGESIZE
    return 0


class IdleCollector:
    """Runs full collections while the server is idle, or when memory has grown too far."""

    def __init__(self, memory_in_use: Callable[[], int] = resident) -> None:
        """`memory_in_use` returns the resident bytes of the process."""
        self._memory = memory_in_use
        self._collected_at, self._bytes_then = monotonic(), memory_in_use()

    def collect_if_due(self, last_used: float) -> None:
        """Run a full collection if it is due; `used` is the time of the last activity."""
        if gc.get_threshold()[2] != NEVER:
            return
        now = monotonic()
        idle = last_used > self._collected_at and now - last_used > IDLE_SECONDS
        if idle or now - self._collected_at > MAX_INTERVAL or self._has_grown():
            gc.collect()
            self._collected_at, self._bytes_then = monotonic(), self._memory()

    def _has_grown(self) -> bool:
        return self._memory() - self._bytes_then > max(MIN_GROWTH, GROWTH_SHARE * self._bytes_then)
