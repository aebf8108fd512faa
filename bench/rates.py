"""Measure draws a second from a solved table, and explained rolls a second.

Runs inside Handful's environment; `python bench/rates.py` prints the explained rolls of several
checks.  An explained roll has every face with its role, every choice by the usual policy, the
modifiers, the result with its margin, and the events; the timed part reads all of them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import handful
from handful.library import Roll
from handful.roll import BoundCheck

SECONDS = 1.0  # of processor time for each rate
DRAWS = 5_000_000
CHECKS: dict[str, tuple[str, str, list[dict[str, Any]], dict[str, Any]]] = {
    "uwr direct": ("uwr", "direct", [], {"attribute": 5, "rerolls": 1, "target": 2}),
    "uwr opposed": (
        "uwr",
        "opposed",
        [{"attribute": 5, "rerolls": 1}, {"attribute": 4, "rerolls": 1}],
        {},
    ),
    "tuurna check": ("tuurna", "check", [], {"level": 5, "difficulty": 5}),
    "me-d6 check": ("me-d6", "check", [], {"dice": "4D+1", "difficulty": 15}),
}


def rolls(bound: BoundCheck) -> Callable[[], None]:
    """Return a function that makes one explained roll, question by question."""
    rng = random.Random(1)

    def roll_once() -> None:
        _read(Roll.begin(bound).finish(rng))

    return roll_once


def _bound(name: str) -> BoundCheck:
    game, check, sides, params = CHECKS[name]
    return handful.ruleset(game).bind(check, *sides, **params)


def _read(roll: Roll) -> None:
    assert roll.dice
    assert roll.result is not None
    _ = roll.decisions, roll.modifiers, roll.success, roll.margin, roll.events


def draws() -> dict[str, float]:
    """Measure draws, as arrays, from a table that is solved once."""
    uwr = handful.ruleset("uwr")
    best = 0.0
    for seed in range(4):
        before = time.process_time()
        uwr.draws("direct", attribute=5, rerolls=1, target=2, count=DRAWS, seed=seed)
        best = max(best, DRAWS / (time.process_time() - before))
    return {"rate": best}


def _repeated(work: Callable[[], None]) -> float:
    """Return the repetitions a second, in the best of four measurements."""
    best = 0.0
    for _ in range(4):
        done, before = 0, time.process_time()
        while time.process_time() - before < SECONDS / 4:
            work()
            done += 1
        best = max(best, done / (time.process_time() - before))
    return best


if __name__ == "__main__":
    print(f"{'check':14} {'rolls a second':>14}")
    for name in CHECKS:
        print(f"{name:14} {_repeated(rolls(_bound(name))):14,.0f}")
