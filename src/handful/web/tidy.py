"""When garbage is looked for: not while people play.

Tables are values that refer to nothing that refers back, so a roll leaves hardly anything for
Python's collector to find.  But to look through two hundred tables takes as long as a hundred
rolls, and everybody waits meanwhile.
"""

from __future__ import annotations

import gc
from time import monotonic

QUIET = 2.0  # seconds in which nobody did anything
LONG = 900.0  # seconds, and
MANY = 20_000_000  # new objects, after which it is done even if somebody plays


def not_by_itself() -> None:
    """From now on a process looks for garbage only when somebody says so."""
    gc.freeze()  # what was loaded until now stays
    gc.disable()


class Tidy:
    """Looks for garbage when that disturbs nobody, in a process that does not by itself."""

    def __init__(self) -> None:
        self._done = monotonic()

    def look(self, used: float) -> None:
        """Here is a moment for it; `used` is when somebody did something for the last time."""
        if gc.isenabled():
            return
        now = monotonic()
        quiet = used > self._done and now - used > QUIET
        if quiet or now - self._done > LONG or gc.get_count()[0] > MANY:
            gc.collect()
            self._done = monotonic()
