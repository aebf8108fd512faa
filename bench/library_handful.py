"""Solves the cases with Handful: in the shipped games, and in toy games with the same mechanics.

Rule texts are parsed once; `forget` clears everything that was solved before each case.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import handful
from cases import DRY, NEUTRAL, SHIPPED, TOY, Case, Faces

FATES: dict[Faces, str] = {NEUTRAL: "neutral"}
WOODS: dict[Faces, str] = {DRY: "dry"}
REMOVES = {"highest": "gem", "pair": "gem_and_tooth", "nothing": "nothing"}
JUDGES = {"max": "hottest", "min": "coldest", "average": "together"}
GRAINS = {4: "fine", 7: "even", 12: "coarse", 16: "rough"}

GAMES = {name: handful.ruleset(name) for name in ("uwr", "tuurna", "me-d6")}
TOYS = {path.stem: handful.ruleset(path) for path in Path(__file__).parent.glob("toys/*.toml")}


def forget() -> None:
    for game in (*GAMES.values(), *TOYS.values()):
        game.solved.entries.clear()


# -- shipped games


def rerolls(_sides: int, threshold: int, dice: int, again: int) -> Any:
    return GAMES["uwr"].odds("direct", attribute=dice, rerolls=again, favor=5 - threshold)


def opposed(_sides: int, threshold: int, a: int, a_again: int, b: int, b_again: int) -> Any:
    favor = 5 - threshold
    return GAMES["uwr"].odds(
        "opposed",
        {"attribute": a, "rerolls": a_again, "favor": favor},
        {"attribute": b, "rerolls": b_again, "favor": favor},
    )


def explosions(faces: Faces, level: int, _cap: int) -> Any:
    return GAMES["tuurna"].odds("check", level=level, fate=FATES.get(faces, "lucky"))


def wild(_sides: int, dice: int, removed: str, _depth: int) -> Any:
    if removed == "nothing":
        return GAMES["me-d6"].odds("check", dice=f"{dice}D", ruling="complication")
    return GAMES["me-d6"].odds(
        "check", dice=f"{dice}D", ruling="cancel", options={"crit_fail_removes": removed}
    )


def group(faces: Faces, _cap: int, judge: str, levels: tuple[int, ...]) -> Any:
    fate = FATES.get(faces, "lucky")
    members = ({"level": level, "fate": fate} for level in levels)
    return GAMES["tuurna"].odds("group", *members, judge=judge)


def keep(sides: int, dice: int, kept: int) -> Any:
    return TOYS["keep"].odds("keep", die=f"d{sides}", dice=dice, kept=kept)


def table(dice: range, again: range, targets: range) -> dict[tuple[int, int, int], Fraction]:
    """Return a table of success chances, computed with one call."""
    sweep = GAMES["uwr"].table("direct", attribute=dice, rerolls=again, target=targets)
    return {
        (dice[a], again[b], targets[c]): figure or Fraction(0) for (a, b, c), figure in sweep.cells.items()
    }


# -- toys


def toy_rerolls(_sides: int, threshold: int, dice: int, again: int) -> Any:
    return TOYS["falcons"].odds("hunt_alone", falcons=dice, flights=again, height=threshold)


def toy_opposed(_sides: int, threshold: int, a: int, a_again: int, b: int, b_again: int) -> Any:
    return TOYS["falcons"].odds(
        "rivalry",
        {"falcons": a, "flights": a_again},
        {"falcons": b, "flights": b_again},
        height=threshold,
    )


def toy_explosions(faces: Faces, level: int, _cap: int) -> Any:
    return TOYS["embers"].odds("kindle", embers=level, wood=WOODS.get(faces, "damp"))


def toy_wild(_sides: int, dice: int, removed: str, _depth: int) -> Any:
    return TOYS["dragon"].odds("hoard", dice=dice, steals=REMOVES[removed])


def toy_group(faces: Faces, _cap: int, judge: str, levels: tuple[int, ...]) -> Any:
    fires = ({"embers": level} for level in levels)
    wood = WOODS.get(faces, "damp")
    return TOYS["embers"].odds("beacons", *fires, by=JUDGES[judge], wood=wood)


def toy_keep(sides: int, dice: int, kept: int) -> Any:
    return TOYS["sieve"].odds("shake", grain=GRAINS[sides], stones=dice, mesh=kept)


SOLVE: dict[tuple[str, str], Callable[..., Any]] = {
    ("rerolls", SHIPPED): rerolls,
    ("opposed", SHIPPED): opposed,
    ("explosions", SHIPPED): explosions,
    ("wild die", SHIPPED): wild,
    ("group", SHIPPED): group,
    ("keep", SHIPPED): keep,
    ("rerolls", TOY): toy_rerolls,
    ("opposed", TOY): toy_opposed,
    ("explosions", TOY): toy_explosions,
    ("wild die", TOY): toy_wild,
    ("group", TOY): toy_group,
    ("keep", TOY): toy_keep,
}


def solver(family: str, column: str) -> Callable[..., Any]:
    return SOLVE[family, column]


def read(odds: Any) -> Any:
    """Read the entire distribution as integer weights, like the peers'."""
    return tuple(odds.distribution.weights.items())


def to_answer(odds: Any, family: str, column: str, case: Case) -> dict[str, Any]:
    """Return the probabilities by value, and the tail, as numerators and denominators."""
    scale = 1
    if (family, column) == ("group", SHIPPED) and case[2] == "average":
        scale = len(case[3])  # the peers return the sum, not the average
    chances = {int(value * scale): Fraction(chance) for value, chance in odds.distribution.items()}
    return {
        "chances": [[value, *chance.as_integer_ratio()] for value, chance in chances.items()],
        "left": [] if odds.tail is None else [odds.tail.start, *ratio(odds.tail.probability)],
    }


def ratio(chance: Any) -> tuple[int, int]:
    return Fraction(chance).as_integer_ratio()
