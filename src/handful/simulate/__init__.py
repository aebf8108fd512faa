"""Many rolls of a check: drawn from its exact odds, or thrown die by die where it has none.

    simulate(bound, count=1_000_000, seed=1)      # counted, beside the exact odds
    draws(bound, count=1_000_000, seed=1)         # every roll, one after the other

A check is solved once and its table drawn from.  A check that is too big for that is rolled die by
die, thousands of rolls side by side.  Chance comes from the seed alone.
Needs numpy, which the rest of Handful does without.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from handful.errors import Refused, TooBig
from handful.odds import POLICIES, Odds
from handful.roll import BoundCheck, Node
from handful.rules.ruleset import localize
from handful.simulate.figures import CONFIDENCE, Estimate, Mean, Simulation
from handful.simulate.outcomes import Kind
from handful.simulate.table import solved
from handful.simulate.work import MOST_WORKERS, Chunk, Drawing, Progress, Rolling, Work, chunks
from handful.solver.solver import BUDGET

MOST_ROLLS = 1_000_000_000
MOST_KEPT = 100_000_000  # rolls that are kept one by one
LARGEST_SEED = 10**100
PATIENCE = BUDGET // 8  # work before dice are thrown after all: seconds, not a minute


@dataclass(frozen=True)
class Draws:
    """Rolls one by one: `rows` says of each which of the `kinds` it is."""

    kinds: tuple[Kind, ...]
    rows: np.ndarray[Any, np.dtype[np.int32]]
    method: str

    @cached_property
    def results(self) -> np.ndarray[Any, Any]:
        """The main result of each roll: whole numbers where all are, else exact fractions."""
        values = [kind.result for kind in self.kinds]
        whole = all(type(value) is int for value in values)
        table: np.ndarray[Any, Any] = np.array(values, np.int64 if whole else object)
        return table.take(self.rows)

    @cached_property
    def success(self) -> np.ndarray[Any, Any]:
        """Whether each roll succeeded."""
        return self._each(kind.success for kind in self.kinds)

    def happened(self, event: str) -> np.ndarray[Any, Any]:
        """Whether an event happened in each roll."""
        return self._each(event in kind.events for kind in self.kinds)

    def _each(self, values: Iterable[Any]) -> np.ndarray[Any, Any]:
        found = list(values)
        plain = all(type(value) is bool for value in found)
        table: np.ndarray[Any, Any] = np.empty(len(found), bool if plain else object)
        for place, value in enumerate(found):  # a value may itself be a list of truths
            table[place] = value
        return table.take(self.rows)


def simulate(
    check: BoundCheck,
    *,
    count: int,
    seed: int,
    policy: str = "usual",
    workers: int | Executor = 1,
    progress: Progress | None = None,
    budget: int = PATIENCE,
    independent: bool = False,
) -> Simulation:
    """Many rolls, counted; beside the exact odds if the budget is enough for them.

    `independent`: every die is thrown and nothing of the solver is used for the rolls, so that
    they can be held against the exact odds.
    """
    _checked(count, seed, policy, workers, MOST_ROLLS)
    own = _rolling(check, policy, independent=True) if independent else None
    exact, drawn = _way(check, policy, budget)
    work = own or drawn
    made = chunks(work, count, seed, workers=workers, progress=progress)
    return _counted(check, made, count, seed, policy=policy, exact=exact, work=work)


def rolled(
    check: BoundCheck,
    node: Node | None = None,
    *,
    count: int,
    seed: int,
    policy: str = "usual",
    workers: int | Executor = 1,
    progress: Progress | None = None,
    independent: bool = False,
) -> Simulation:
    """Many rolls thrown die by die, from the start or from where a roll stands; nothing solved."""
    _checked(count, seed, policy, workers, MOST_ROLLS)
    work = _rolling(check, policy, node, independent=independent)
    made = chunks(work, count, seed, workers=workers, progress=progress)
    return _counted(check, made, count, seed, policy=policy, exact=None, work=work)


def draws(
    check: BoundCheck,
    *,
    count: int,
    seed: int,
    policy: str = "usual",
    workers: int | Executor = 1,
    progress: Progress | None = None,
    budget: int = PATIENCE,
) -> Draws:
    """Many rolls, one after the other: the very ones that `simulate` counts."""
    _checked(count, seed, policy, workers, MOST_KEPT)
    _, work = _way(check, policy, budget)
    places: dict[Kind, int] = {}
    rows, done = np.empty(count, np.int32), 0
    for chunk in chunks(work, count, seed, keep=True, workers=workers, progress=progress):
        assert chunk.rows is not None
        kinds, own = chunk.rows
        numbers = np.array([places.setdefault(kind, len(places)) for kind in kinds], np.int32)
        alike = np.array_equal(numbers, np.arange(len(kinds)))  # as in every chunk from a table
        rows[done : done + len(own)] = own if alike else numbers[own]
        done += len(own)
    return Draws(tuple(places), rows, _method(work))


def _way(check: BoundCheck, policy: str, budget: int) -> tuple[Odds | None, Work]:
    """The exact odds, if there are any, and who makes the rolls."""
    try:
        exact, drawer = solved(check, policy, budget)
    except TooBig:
        return None, _rolling(check, policy)
    return exact, Drawing(drawer) if drawer is not None else _rolling(check, policy)


def _rolling(
    check: BoundCheck, policy: str, node: Node | None = None, *, independent: bool = False
) -> Rolling:
    if policy == "best" and independent:
        raise Refused(
            "the best policy needs exact odds, so its rolls cannot be independent of them",
            "the usual policy can be rolled die by die",
        )
    if policy == "best":
        raise TooBig(
            "the best policy needs exact odds, and these are too big",
            "the usual policy can be rolled die by die",
        )
    return Rolling(check, policy, node, independent=independent)


def _method(work: Work) -> str:
    return "table" if isinstance(work, Drawing) else "dice"


def _counted(
    check: BoundCheck,
    made: Iterable[Chunk],
    count: int,
    seed: int,
    *,
    policy: str,
    exact: Odds | None,
    work: Work,
) -> Simulation:
    kinds: dict[Kind, int] = {}
    decided: set[str] = set()
    for chunk in made:
        decided |= chunk.decided
        for kind, n in chunk.counts.items():
            kinds[kind] = kinds.get(kind, 0) + n
    decisions = check.ruleset.decisions
    words = (
        exact.policy
        if exact is not None
        else {
            name: localize(decisions[name].never if policy == "never" else decisions[name].usual)
            for name in sorted(decided)
        }
    )
    return Simulation(count, seed, _method(work), kinds, words, exact, check)


def _checked(count: int, seed: int, policy: str, workers: int | Executor, most: int) -> None:
    if type(count) is not int or not 1 <= count <= most:
        raise Refused(f"the count of rolls is a whole number from 1 to {most:,}, not {count!r:.40}")
    if type(seed) is not int or not 0 <= seed <= LARGEST_SEED:
        raise Refused(f"the seed is a whole number from 0 on, not {seed!r:.40}")
    if policy not in POLICIES:
        raise Refused(f"there is no policy {policy!r:.40}; it is usual, best or never")
    if isinstance(workers, Executor):
        return
    if type(workers) is not int or not 1 <= workers <= MOST_WORKERS:
        raise Refused(f"workers are 1 to {MOST_WORKERS}, or an executor, not {workers!r:.40}")


__all__ = [
    "CONFIDENCE",
    "MOST_KEPT",
    "MOST_ROLLS",
    "Draws",
    "Estimate",
    "Kind",
    "Mean",
    "Simulation",
    "draws",
    "rolled",
    "simulate",
]
