"""Solves the cases of `mechanics` with Handful; `forget` clears its caches before each case."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import handful
from handful.solver import exploding
from mechanics import MECHANICS, PUBLISHED

PUBLISHED_GAME = handful.ruleset(Path(__file__).parent / "toys" / "published.toml")
PARAMS = {
    "hunger": ("dice", "hungry", "difficulty"),
    "push": ("base", "skill", "gear"),
    "limit": ("dice", "most"),
    "attacks": ("attacks",),
}
GAMES = {name: PUBLISHED_GAME if name in PUBLISHED else handful.ruleset(name) for name in MECHANICS}


def forget() -> None:
    for game in GAMES.values():
        game.solved.entries.clear()
    exploding._order_statistic_sum.cache_clear()


def solve(name: str, case: Any) -> Any:
    odds = GAMES[name].odds
    if name in PUBLISHED:
        return odds(name, **dict(zip(PARAMS.get(name, ("dice",)), case, strict=True)))
    match name:
        case "ten-again":
            return odds("pool", dice=case[0])
        case "glitch-d6":
            return odds("test", dice=case[0])
        case "push-d6":
            return odds("test", attribute=case[0], skill=case[1], gear=case[2])
        case "highest-d6":
            return odds("action", dice=case[0])
        case "roll-and-keep":
            return odds("roll", dice=case[0], keep=case[1])
        case "step-dice":
            return odds("trait", die=f"d{case[0]}", modifier=case[1])
        case "step-successes":
            return odds("test", attribute=f"d{case[0]}", skill=f"d{case[1]}")
        case "sets-d10":
            return odds("set", dice=case[0])
        case "best-two":
            return odds("total", dice=[f"d{sides}" for sides in case])
        case "symbols":
            good, great, bad, dire = case
            return odds("test", good=good, great=great, bad=bad, dire=dire)
        case "double-tens":
            return odds("pool", dice=case[0], difficulty=case[1], speciality=True)
        case "bands-2d6":
            return odds("move", modifier=case[0])
        case "percentile":
            return odds("skill", skill=case[0], bonus=case[1])
        case "doubles-3d6":
            return odds("test", bonus=case[0], target=case[1])
    raise KeyError(name)


def read(odds: Any) -> Any:
    """Read the entire distribution and the events, which peers have as part of their outcomes."""
    return tuple(odds.distribution.weights.items()), tuple(odds.events.items())


def to_answer(odds: Any) -> dict[int, float]:
    return {int(value): float(chance) for value, chance in odds.distribution.items()}
