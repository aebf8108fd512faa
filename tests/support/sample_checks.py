"""Checks of every kind, small enough to be played thousands of times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from ruleset_cases import ruleset

import handful
from handful.roll import Throw


class Sample(NamedTuple):
    game: str
    check: str
    params: Mapping[str, Any] = {}
    sides: Sequence[Mapping[str, Any]] = ()
    options: Mapping[str, Any] = {}

    def start(self) -> handful.Roll:
        return ruleset(self.game).start(self.check, *self.sides, options=self.options, **self.params)


SAMPLES = [
    Sample("uwr", "direct", {"attribute": 4, "target": 2}),
    Sample("uwr", "direct", {"attribute": 5.5, "rerolls": 2, "favor": 1, "target": 4}),
    Sample(
        "uwr",
        "direct",
        {"attribute": 3, "rerolls": 3, "target": 3},
        options={"reroll_stack": "stacking"},
    ),
    Sample(
        "fons",
        "direct",
        {"attribute": 4, "rerolls": 2, "difficulty": "trivial"},
        options={"reroll_mode": "sequential"},
    ),
    Sample("agga", "direct", {"attribute": 2.5, "skill": 1, "bonus": 0.5, "target": 2}),
    Sample("uwr", "opposed", sides=[{"attribute": 4, "rerolls": 1}, {"attribute": 3.5}]),
    Sample("uwr", "opposed", sides=[{"attribute": 5}, {"attribute": 2}, {"attribute": 3}]),
    Sample(
        "agga",
        "opposed",
        sides=[{"attribute": 6}, {"attribute": 2}, {"attribute": 2}],
        options={"multi_reactor": "pooled_negation", "tie_winner": "initiator"},
    ),
    Sample("tuurna", "check", {"level": 5, "difficulty": 5}),
    Sample("tuurna", "check", {"level": 9, "fate": "lucky", "leverage": -2, "difficulty": 7}),
    Sample("tuurna", "check", {"level": "4,2", "fate": "unlucky,blessed", "difficulty": 3}),
    Sample("tuurna", "check", {"level": 3, "labor": 2}, options={"cap": "off"}),
    Sample("tuurna", "contest", sides=[{"level": 3}, {"level": 2, "leverage": 1}]),
    Sample("tuurna", "contest", {"ties": "stand"}, [{"level": 3}, {"level": 3}, {"level": 2}]),
    Sample(
        "tuurna",
        "contest",
        sides=[{"level": 2}, {"level": 2}, {"level": 3, "fate": "cursed"}],
        options={"tie_reroll": "tied_only"},
    ),
    Sample("tuurna", "group", {"judge": "average", "difficulty": 3}, [{"level": 2}, {"level": 4}]),
    Sample("tuurna", "group", {"judge": "min", "difficulty": 2}, [{"level": 4}, {"level": 3}]),
    Sample("me-d6", "check", {"dice": "3D+1", "difficulty": 11}),
    Sample("me-d6", "check", {"dice": "2D", "ranged": True, "ruling": "complication"}),
    Sample("me-d6", "total", {"dice": "4D"}, options={"crit_fail_removes": "pair"}),
    Sample("me-d6", "opposed", sides=[{"dice": "3D"}, {"dice": "2D+2", "modifier": 2}]),
    Sample("me-d6", "attack", {"defense": 10}, [{"dice": "4D"}, {"dice": "3D"}]),
    Sample("me-d6", "attack", {"defense": 12, "kind": "ranged"}, [{"dice": "4D"}]),
]
IDS = [f"{place} {sample.game} {sample.check}" for place, sample in enumerate(SAMPLES)]


def finish(roll: handful.Roll, rng: Random) -> handful.Roll:
    """Finish a roll with random dice and the usual decisions."""
    while roll.ask is not None:
        roll = roll.throw(rng) if isinstance(roll.ask, Throw) else roll.usual()
    return roll
