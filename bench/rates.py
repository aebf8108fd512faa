"""How many explained rolls a second, and how many draws from a solved table.

Runs inside Handful's environment.
An explained roll has every face, every choice by the usual policy, the trace and the result.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import handful
from handful.library import Roll
from handful.roll import Throw

SECONDS = 1.0  # of processor time for each rate
DRAWS = 5_000_000


def rolls() -> dict[str, float]:
    bound = handful.ruleset("uwr").bind("direct", attribute=5, rerolls=1, target=2)
    rng = random.Random(1)

    def explained() -> None:
        roll = Roll.begin(bound)
        while not roll.finished:
            roll = roll.throw(rng) if isinstance(roll.ask, Throw) else roll.usual()
        assert roll.result is not None
        assert roll.dice

    return {"rate": _repeated(explained)}


def draws() -> dict[str, float]:
    """From a table that is solved once, as arrays."""
    uwr = handful.ruleset("uwr")
    best = 0.0
    for seed in range(4):
        before = time.process_time()
        uwr.draws("direct", attribute=5, rerolls=1, target=2, count=DRAWS, seed=seed)
        best = max(best, DRAWS / (time.process_time() - before))
    return {"rate": best}


def _repeated(work: Callable[[], None]) -> float:
    """How often a second, in the best of a few stretches."""
    best = 0.0
    for _ in range(4):
        done, before = 0, time.process_time()
        while time.process_time() - before < SECONDS / 4:
            for _ in range(50):
                work()
            done += 50
        best = max(best, done / (time.process_time() - before))
    return best
