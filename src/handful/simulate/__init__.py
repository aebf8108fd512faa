"""Simulates many rolls of a check: drawn from its exact odds, or thrown die by die.

    simulate(bound, count=1_000_000, seed=1)      # counts, with the exact odds if there are any
    draws(bound, count=1_000_000, seed=1)         # every single roll

A check is solved once and rolls are drawn from the resulting table.  If it is too big to solve, its dice
are thrown, thousands of rolls in lockstep.  Needs numpy, which the rest of Handful does without.
Invariant: rolls depend on the seed and the count alone, not on the number of workers.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from handful.errors import Message, Refused, TooBig
from handful.odds import POLICIES, Odds
from handful.roll import BoundCheck, Node
from handful.rules.ruleset import localize
from handful.simulate.figures import CONFIDENCE, Estimate, Mean, Simulation
from handful.simulate.guide_table import solve_table
from handful.simulate.outcomes import Kind
from handful.simulate.sampling import (
    MAX_WORKERS,
    Chunk,
    DiceSampler,
    Progress,
    Sampler,
    TableSampler,
    chunks,
)
from handful.solver.solver import BUDGET, SolvedRules

MAX_ROLLS = 1_000_000_000
MAX_DRAWS = 100_000_000  # rolls that are returned one by one
MAX_SEED = 10**100
SOLVER_BUDGET = BUDGET // 8  # work before dice are thrown instead: seconds, not a minute


@dataclass(frozen=True)
class Draws:
    """Single rolls: `rows` holds, for each roll, its index into `kinds`."""

    kinds: tuple[Kind, ...]
    rows: np.ndarray[Any, np.dtype[np.int32]]
    method: str

    @cached_property
    def results(self) -> np.ndarray[Any, Any]:
        """Return the main result of each roll: integers if all are, else exact fractions."""
        values = [kind.result for kind in self.kinds]
        are_integers = all(type(value) is int for value in values)
        table: np.ndarray[Any, Any] = np.array(values, np.int64 if are_integers else object)
        return table.take(self.rows)

    @cached_property
    def success(self) -> np.ndarray[Any, Any]:
        """Return the success of each roll."""
        return self._each(kind.success for kind in self.kinds)

    def happened(self, event: str) -> np.ndarray[Any, Any]:
        """Return, for each roll, True if an event happened."""
        return self._each(event in kind.events for kind in self.kinds)

    def _each(self, values: Iterable[Any]) -> np.ndarray[Any, Any]:
        found = list(values)
        are_booleans = all(type(value) is bool for value in found)
        table: np.ndarray[Any, Any] = np.empty(len(found), bool if are_booleans else object)
        for place, value in enumerate(found):  # a value may itself be a tuple of booleans
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
    budget: int = SOLVER_BUDGET,
    independent: bool = False,
    solved: SolvedRules | None = None,
) -> Simulation:
    """Simulate rolls and count them; includes the exact odds if the budget is enough for them.

    `independent`: throw every die and use nothing of the solver, so that the counts can be used to verify
    the exact odds.
    """
    _check_arguments(count, seed, policy, workers, MAX_ROLLS)
    independent_sampler = _dice_sampler(check, policy, independent=True) if independent else None
    exact, drawn = _solve_or_roll(check, policy, budget, solved)
    sampler = independent_sampler or drawn
    sampled = chunks(sampler, count, seed, workers=workers, progress=progress)
    return _count_kinds(check, sampled, count, seed, policy=policy, exact=exact, sampler=sampler)


def simulate_dice(
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
    """Simulate rolls die by die, from the start or from a paused roll, without solving anything."""
    _check_arguments(count, seed, policy, workers, MAX_ROLLS)
    sampler = _dice_sampler(check, policy, node, independent=independent)
    sampled = chunks(sampler, count, seed, workers=workers, progress=progress)
    return _count_kinds(check, sampled, count, seed, policy=policy, exact=None, sampler=sampler)


def draws(
    check: BoundCheck,
    *,
    count: int,
    seed: int,
    policy: str = "usual",
    workers: int | Executor = 1,
    progress: Progress | None = None,
    budget: int = SOLVER_BUDGET,
    solved: SolvedRules | None = None,
) -> Draws:
    """Return the single rolls that `simulate` counts for the same arguments."""
    _check_arguments(count, seed, policy, workers, MAX_DRAWS)
    _, sampler = _solve_or_roll(check, policy, budget, solved)
    kind_indices: dict[Kind, int] = {}
    rows, done = np.empty(count, np.int32), 0
    for chunk in chunks(sampler, count, seed, keep=True, workers=workers, progress=progress):
        assert chunk.rows is not None
        kinds, own_rows = chunk.rows
        numbers = np.array([kind_indices.setdefault(kind, len(kind_indices)) for kind in kinds], np.int32)
        is_identity = np.array_equal(numbers, np.arange(len(kinds)))  # as in every chunk from a table
        rows[done : done + len(own_rows)] = own_rows if is_identity else numbers[own_rows]
        done += len(own_rows)
    return Draws(tuple(kind_indices), rows, _method(sampler))


def _solve_or_roll(
    check: BoundCheck, policy: str, budget: int, solved: SolvedRules | None
) -> tuple[Odds | None, Sampler]:
    """Return the exact odds if they can be solved, and the sampler that makes the rolls."""
    try:
        exact, table = solve_table(check, policy, budget, solved)
    except TooBig:
        return None, _dice_sampler(check, policy)
    return exact, TableSampler(table) if table is not None else _dice_sampler(check, policy)


def _dice_sampler(
    check: BoundCheck, policy: str, node: Node | None = None, *, independent: bool = False
) -> DiceSampler:
    if policy == "best" and independent:
        raise Refused(
            Message("simulation.best_needs_odds"),
            Message("simulation.usual_die_by_die"),
        )
    if policy == "best":
        raise TooBig(
            Message("simulation.best_is_too_big"),
            Message("simulation.usual_die_by_die"),
        )
    return DiceSampler(check, policy, node, independent=independent)


def _method(sampler: Sampler) -> str:
    return "table" if isinstance(sampler, TableSampler) else "dice"


def _count_kinds(
    check: BoundCheck,
    sampled: Iterable[Chunk],
    count: int,
    seed: int,
    *,
    policy: str,
    exact: Odds | None,
    sampler: Sampler,
) -> Simulation:
    kinds: dict[Kind, int] = {}
    decided: set[str] = set()
    for chunk in sampled:
        decided |= chunk.decided
        for kind, n in chunk.counts.items():
            kinds[kind] = kinds.get(kind, 0) + n
    decisions = check.ruleset.decisions
    descriptions = (
        exact.policy
        if exact is not None
        else {
            name: localize(decisions[name].never if policy == "never" else decisions[name].usual)
            for name in sorted(decided)
        }
    )
    return Simulation(count, seed, _method(sampler), kinds, descriptions, exact, check)


def _check_arguments(count: int, seed: int, policy: str, workers: int | Executor, most: int) -> None:
    if type(count) is not int or not 1 <= count <= most:
        raise Refused(Message("simulation.number_of_rolls", most=most, count=count))
    if type(seed) is not int or not 0 <= seed <= MAX_SEED:
        raise Refused(Message("simulation.bad_seed", seed=seed))
    if policy not in POLICIES:
        raise Refused(Message("odds.unknown_policy", policy=policy))
    if isinstance(workers, Executor):
        return
    if type(workers) is not int or not 1 <= workers <= MAX_WORKERS:
        raise Refused(Message("simulation.number_of_workers", most=MAX_WORKERS, workers=workers))


__all__ = [
    "CONFIDENCE",
    "MAX_DRAWS",
    "MAX_ROLLS",
    "Draws",
    "Estimate",
    "Kind",
    "Mean",
    "Simulation",
    "draws",
    "simulate",
    "simulate_dice",
]
