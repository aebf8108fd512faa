"""Exact odds by brute force: an interpreter of the rule language that tries every face.

An independent oracle for the exact odds. It is written from docs/language.md, shares no code with
the product and imports nothing of it. Each die has an identity and is thrown by itself; faces of
a die that read the same are one way, because a rule sees what a die reads and nothing else.
Every chance is a `Fraction`; what is not followed to its end (`cut`) is counted.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from .program import Program
from .state import Ask, Choose, Frame, Reply, State, Throw
from .values import OracleError, Refusal, Table, read_options, read_params
from .walks import Best, Outcome, TooManyWays, Walk
from .walks import replies as possible

__all__ = [
    "Answer",
    "Ask",
    "Choose",
    "OracleError",
    "Refusal",
    "Reply",
    "Throw",
    "TooManyWays",
    "best_value",
    "enumerate_check",
    "following",
    "merged",
    "paused",
    "start",
]


@dataclass(frozen=True)
class Answer:
    """Every outcome with its chance, and the chance of all ways that were not followed."""

    outcomes: Mapping[Outcome, Fraction]
    cut: Fraction = Fraction(0)

    def spread(self, name: str) -> dict[Any, Fraction]:
        """Return the chance of each value of a field; `None` where a result lacks it."""
        chances: dict[Any, Fraction] = {}
        for (fields, _), chance in self.outcomes.items():
            value = dict(fields).get(name)
            chances[value] = chances.get(value, Fraction(0)) + chance
        return chances

    def mean(self, name: str) -> Fraction | None:
        """Return the mean of a field over all outcomes in which it is a number."""
        chances = {value: p for value, p in self.spread(name).items() if value is not None}
        mass = sum(chances.values(), Fraction(0))
        return sum((value * p for value, p in chances.items()), Fraction(0)) / mass if mass else None

    def events(self) -> dict[str, Fraction]:
        """Return the chance of each event that can happen."""
        chances: dict[str, Fraction] = {}
        for (_, events), chance in self.outcomes.items():
            for event in events:
                chances[event] = chances.get(event, Fraction(0)) + chance
        return chances


def merged(base: Table, over: Table, replaced: Sequence[str] = (), path: str = "") -> dict[str, Any]:
    """Return a game with what a file that extends it says otherwise."""
    whole = dict(base)
    for name, value in over.items():
        here = f"{path}{name}"
        both = isinstance(value, Mapping) and isinstance(base.get(name), Mapping)
        if both and here not in replaced:
            whole[name] = merged(base[name], value, replaced, f"{here}.")
        else:
            whole[name] = value
    return whole


# -- starting


def start(
    game: str | Table,
    check: str,
    params: Table,
    *,
    sides: Sequence[Table] = (),
    options: Table | None = None,
) -> State:
    """Return a check at its first pause or its end."""
    rules: Table = tomllib.loads(game) if isinstance(game, str) else game
    spec = rules["checks"][check]
    if "refuse" in spec:
        raise Refusal(check)
    shared = {
        "options": read_options(rules.get("options", {}), options or {}),
        "tables": _table(rules.get("tables", {})),
    }
    steps = Program(rules.get("rules", {}), shared).compile(spec["does"])
    variables = _variables(spec, params, sides, rules.get("ladder", {}))
    return State([Frame(steps, variables)]).run()


def _table(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _table(entry) for name, entry in value.items()}
    return tuple(value) if isinstance(value, list) else value


def _variables(spec: Table, params: Table, sides: Sequence[Table], ladder: Table) -> dict[str, Any]:
    specs = spec.get("params", {})
    if "sides" not in spec:
        return read_params(specs, params, ladder)
    if not spec["sides"]["min"] <= len(sides) <= spec["sides"]["max"]:
        raise Refusal(f"{len(sides)} sides")
    shared = {name: param for name, param in specs.items() if param.get("whole")}
    own = {name: param for name, param in specs.items() if not param.get("whole")}
    records = tuple(
        {**read_params(own, side, ladder), "number": number} for number, side in enumerate(sides, 1)
    )
    return {**read_params(shared, params, ladder), "sides": records}


def paused(state: State, replies: Sequence[Reply]) -> State:
    """Return the state after some replies."""
    for reply in replies:
        state = state.after(reply)
    return state


# -- going on


def following(state: State) -> list[tuple[Reply, Fraction | None]]:
    """Return every possible reply at a pause; the faces of a throw with their chance."""
    wanted = state.wanted
    if isinstance(wanted, Throw):
        faces = range(1, len(wanted.die) + 1)
        chance = Fraction(1, len(wanted.die) ** len(wanted.of))
        return [(thrown, chance) for thrown in product(faces, repeat=len(wanted.of))]
    return [(reply, None) for reply in possible(wanted)] if wanted else []


# -- all ways


def enumerate_check(
    game: str | Table,
    check: str,
    params: Table,
    *,
    sides: Sequence[Table] = (),
    options: Table | None = None,
    policy: str = "usual",
    replies: Sequence[Reply] = (),
    cut: Fraction = Fraction(0),
    most: int = 200_000,
    alike: bool = False,
) -> Answer:
    """Return every outcome of a check with its chance, from the start or after some replies.

    `alike` counts throws of new dice that differ only in their order as one way, so that larger
    pools can be followed.
    """
    if policy not in ("usual", "never"):
        raise OracleError(f"{policy} has a value and no outcomes: use best_value")
    state = paused(start(game, check, params, sides=sides, options=options), replies)
    walk = Walk(cut, most, alike, policy=policy)
    walk.go(state, Fraction(1))
    return Answer(walk.outcomes, walk.left)


def best_value(
    game: str | Table,
    check: str,
    params: Table,
    *,
    sides: Sequence[Table] = (),
    options: Table | None = None,
    replies: Sequence[Reply] = (),
    cut: Fraction = Fraction(0),
    most: int = 200_000,
    alike: bool = False,
) -> Fraction:
    """Return the chance of success, or else the mean of the main result, if players decide best.

    Each player wants to win where the result has `wins`, else the success or the mean. Decisions
    of the GM are taken as usual. Ways below `cut` count as 0.
    """
    rules: Table = tomllib.loads(game) if isinstance(game, str) else game
    state = paused(start(rules, check, params, sides=sides, options=options), replies)
    players = {name for name, spec in rules.get("decisions", {}).items() if spec["by"] == "player"}
    main = rules["checks"][check]["main"]
    best = Best(cut, most, alike, main=main, players=players)
    return best.go(state, Fraction(1)).value
