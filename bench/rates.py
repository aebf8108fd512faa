"""How many explained rolls a second, and how many draws from a solved table.

Runs inside Handful's environment; `python bench/rates.py` prints rolls of several checks.
An explained roll has every face with its role, every choice by the usual policy, the modifiers, the
result with its margin, and the events; all of them are read inside the timed part.
Whole rolls come from `Roll.endings`: what a check settles before its first dice is settled once for
each stretch of rolls.  Question by question, each roll starts anew and pauses wherever one may ask.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import handful
from handful.library import Roll
from handful.roll import Bound, Throw

SECONDS = 1.0  # of processor time for each rate
DRAWS = 5_000_000
STRETCH = 500  # rolls
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


def rolls() -> dict[str, float]:
    return {"rate": _repeated(whole(_bound("uwr direct")))}


def whole(bound: Bound) -> Callable[[], int]:
    """Rolls to their ends, with nobody to ask."""
    rng = random.Random(1)

    def stretch() -> int:
        for roll in Roll.begin(bound).endings(rng, STRETCH):
            _read(roll)
        return STRETCH

    return stretch


def by_question(bound: Bound) -> Callable[[], int]:
    """Rolls that stop at every question, as at a table."""
    rng = random.Random(1)

    def one() -> int:
        roll = Roll.begin(bound)
        while not roll.finished:
            roll = roll.throw(rng) if isinstance(roll.ask, Throw) else roll.usual()
        _read(roll)
        return 1

    return one


def _bound(name: str) -> Bound:
    game, check, sides, params = CHECKS[name]
    return handful.ruleset(game).bind(check, *sides, **params)


def _read(roll: Roll) -> None:
    assert roll.dice
    assert roll.result is not None
    _ = roll.decisions, roll.modifiers, roll.success, roll.margin, roll.events


def draws() -> dict[str, float]:
    """From a table that is solved once, as arrays."""
    uwr = handful.ruleset("uwr")
    best = 0.0
    for seed in range(4):
        before = time.process_time()
        uwr.draws("direct", attribute=5, rerolls=1, target=2, count=DRAWS, seed=seed)
        best = max(best, DRAWS / (time.process_time() - before))
    return {"rate": best}


def _repeated(work: Callable[[], int]) -> float:
    """How much a second, in the best of a few stretches."""
    best = 0.0
    for _ in range(4):
        done, before = 0, time.process_time()
        while time.process_time() - before < SECONDS / 4:
            done += work()
        best = max(best, done / (time.process_time() - before))
    return best


if __name__ == "__main__":
    print(f"{'rolls a second':14} {'whole':>10} {'by question':>12}")
    for name in CHECKS:
        rates = [_repeated(way(_bound(name))) for way in (whole, by_question)]
        print(f"{name:14} {rates[0]:10,.0f} {rates[1]:12,.0f}")
