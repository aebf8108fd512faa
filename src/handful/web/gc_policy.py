"""Garbage-collection policy: full collections run only while the server is idle.

Tables are values without reference cycles, so a roll leaves almost nothing for Python's collector
to free.  A full collection over two hundred tables takes as long as a hundred rolls and stalls every
client.  Requests and connections do leave cycles, and strangers choose how many: most are collected
young.  When memory has grown, only what is new is examined, and frozen if it is still in use; so that
takes as long for one table as for a thousand.  Cycles that were frozen in use are freed by the next
full collection, which runs at the latest when memory has become four times as large.
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
MAX_GROWTH = 4  # so does it if memory has grown to more than this many times what it was after the last
NEW_BYTES = 32 * 1024 * 1024  # growth after which new objects are collected, which takes about 20 ms
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
    """Runs full collections while the server is idle, and collects new objects when memory grows."""

    def __init__(self, memory_in_use: Callable[[], int] = resident) -> None:
        """`memory_in_use` returns the resident bytes of the process."""
        self._memory = memory_in_use
        self._collected_at, self._bytes_then = monotonic(), memory_in_use()  # at the last full collection
        self._bytes_frozen = self._bytes_then  # at the last collection

    def collect_if_due(self, last_used: float) -> None:
        """Run a collection if it is due; `last_used` is the time of the last activity."""
        if gc.get_threshold()[2] != NEVER:
            return
        now, held = monotonic(), self._memory()
        idle = last_used > self._collected_at and now - last_used > IDLE_SECONDS
        if idle or now - self._collected_at > MAX_INTERVAL or held > MAX_GROWTH * self._bytes_then:
            gc.unfreeze()
            self._collect()
            self._collected_at, self._bytes_then = monotonic(), self._bytes_frozen
        elif held - self._bytes_frozen > NEW_BYTES:
            self._collect()

    def _collect(self) -> None:
        gc.collect()
        gc.freeze()
        self._bytes_frozen = self._memory()
