"""Exact odds by brute force: an interpreter of the rule language that tries every face.

An independent oracle for the exact odds. It is written from docs/language.md, shares no code with
the product and imports nothing of it. Each die has an identity and is thrown by itself; faces of
a die that read the same are one way, because a rule sees what a die reads and nothing else.
Every chance is a `Fraction`; what is not followed to its end (`cut`) is counted.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Any

from .program import Program
from .state import Ask, Choose, Frame, Reply, State, Throw
from .values import OracleError, Pool, Refusal, Table, plain, read_options, read_params

__all__ = [
    "Answer", "Ask", "Choose", "OracleError", "Refusal", "Reply", "Throw", "TooManyWays",
    "enumerate_check", "following", "merged", "paused", "start",
]  # fmt: skip

Outcome = tuple[tuple[tuple[str, Any], ...], frozenset[str]]
MOST_DEEP = 300  # throws and decisions on one way


class TooManyWays(Exception):
    """There are more ways to play the check than somebody wants to wait for."""


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
        return (
            sum((value * p for value, p in chances.items()), Fraction(0)) / mass if mass else None
        )

    def events(self) -> dict[str, Fraction]:
        """Return the chance of each event that can happen."""
        chances: dict[str, Fraction] = {}
        for (_, events), chance in self.outcomes.items():
            for event in events:
                chances[event] = chances.get(event, Fraction(0)) + chance
        return chances


def merged(
    base: Table, over: Table, replaced: Sequence[str] = (), path: str = ""
) -> dict[str, Any]:
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
    if isinstance(wanted, Choose):
        numbers = [landed.number for landed in wanted.pool]
        counts = range(wanted.at_most + 1)
        return [(picked, None) for count in counts for picked in combinations(numbers, count)]
    return [(option, None) for option in wanted.options] if wanted else []


def _landings(throw: Throw) -> Iterator[tuple[Reply, Fraction]]:
    """Yield the ways of a throw that a rule can tell apart, die by die."""
    ways = Counter(throw.die)
    faces = [(throw.die.index(reading) + 1, count) for reading, count in ways.items()]
    total = len(throw.die) ** len(throw.of)
    for dice in product(faces, repeat=len(throw.of)):
        chance = Fraction(prod(count for _, count in dice), total)
        yield tuple(face for face, _ in dice), chance


def _decided(wanted: Choose | Ask, policy: str) -> Reply:
    if isinstance(wanted, Ask):
        return wanted.usual if policy == "usual" else wanted.never
    picks = wanted.usual if policy == "usual" else Pool()
    return tuple(landed.number for landed in picks)


# -- all ways


@dataclass
class Walk:
    """All ways from a state, followed one after the other."""

    policy: str
    cut: Fraction
    most: int
    outcomes: dict[Outcome, Fraction] = field(default_factory=dict)
    left: Fraction = Fraction(0)
    ways: int = 0

    def go(self, state: State, chance: Fraction, deep: int = 0) -> None:
        if state.outcome is not None:
            fields = tuple(sorted((name, plain(v)) for name, v in state.outcome.items()))
            outcome = fields, state.events
            self.outcomes[outcome] = self.outcomes.get(outcome, Fraction(0)) + chance
            self.count()
        elif chance < self.cut:
            self.left += chance
            self.count()
        elif deep > MOST_DEEP:
            raise TooManyWays(f"more than {MOST_DEEP} throws and decisions")
        elif isinstance(state.wanted, Throw):
            self.throw(state, state.wanted, chance, deep + 1)
        else:
            assert state.wanted is not None
            self.go(state.after(_decided(state.wanted, self.policy)), chance, deep + 1)

    def throw(self, state: State, throw: Throw, chance: Fraction, deep: int) -> None:
        if len(set(throw.die)) ** len(throw.of) > self.most:
            raise TooManyWays(f"more than {self.most} ways")
        for faces, share in _landings(throw):
            self.go(state.after(faces), chance * share, deep)

    def count(self) -> None:
        self.ways += 1
        if self.ways > self.most:
            raise TooManyWays(f"more than {self.most} ways")


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
) -> Answer:
    """Return every outcome of a check with its chance, from the start or after some replies."""
    if policy not in ("usual", "never"):
        raise OracleError(f"{policy} has a value and no outcomes: use best_value")
    state = paused(start(game, check, params, sides=sides, options=options), replies)
    walk = Walk(policy, cut, most)
    walk.go(state, Fraction(1))
    return Answer(walk.outcomes, walk.left)
