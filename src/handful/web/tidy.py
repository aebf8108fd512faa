"""GC policy: young objects are collected as usual, the whole heap only when nobody plays.

Tables are values without reference cycles, so a roll leaves hardly anything for Python's collector
to find.  But a full collection over two hundred tables takes as long as a hundred rolls, and
everybody waits meanwhile.  Requests and connections do leave cycles, and strangers choose how many:
they die young, and a full collection also runs whenever memory has grown a lot.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from contextlib import suppress
from mmap import PAGESIZE
from time import monotonic

from handful.errors import FileFault
from handful.library.files import read_text

QUIET = 2.0  # seconds in which nobody did anything
LONG = 900.0  # seconds after which a full collection runs even if somebody plays,
GROWN = 32 * 1024 * 1024  # or bytes that memory has grown by, if they are
SHARE = 0.25  # of what it was before: so the work stays in proportion to the growth
YOUNG = (2_000, 20)  # new objects until they are collected; such collections until the next older
NEVER = 1_000_000_000


def only_young() -> None:
    """Collect young objects alone from now on; `Tidy` collects the rest."""
    gc.freeze()  # whatever is loaded by now stays
    gc.set_threshold(*YOUNG, NEVER)


def resident() -> int:
    """Bytes of memory that this process holds; 0 where the system does not tell."""
    with suppress(FileFault):
        return int(read_text("/proc/self/statm").split()[1]) * PAGESIZE
    return 0


class Tidy:
    """Runs full collections when they disturb nobody, or memory has grown too far."""

    def __init__(self, memory: Callable[[], int] = resident) -> None:
        """`memory` returns the bytes that the process holds now."""
        self._memory = memory
        self._done, self._held = monotonic(), memory()

    def look(self, used: float) -> None:
        """Collect if this is a good moment; `used` is when somebody last did something."""
        if gc.get_threshold()[2] != NEVER:
            return
        now = monotonic()
        quiet = used > self._done and now - used > QUIET
        if quiet or now - self._done > LONG or self._has_grown():
            gc.collect()
            self._done, self._held = monotonic(), self._memory()

    def _has_grown(self) -> bool:
        return self._memory() - self._held > max(GROWN, SHARE * self._held)
