"""Estimates the work of solving a rule, from a sample of its states.

The rule is solved as usual, but of a large layer only some states are followed; each represents several,
and its work is multiplied accordingly.  The number of distinct states in the next layer is a
capture-recapture estimate: it follows from how often two halves of the sample reach the same state, as
fish in a pond are counted by catching them twice.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from handful.rules.program import Record
from handful.solver.branch import Branch
from handful.solver.execution import SymbolicExecution
from handful.solver.solver import Solver
from handful.solver.states import DONE, Frontier, Outcome, merge_outcomes
from handful.solver.weights import add_weight

MAX_SAMPLE = 24  # states of a layer
MAX_WORK = 250_000  # units, for the estimate itself
MAX_COST = 1e100  # a larger estimate would not be more useful


class _BudgetUsed(Exception):
    """The estimate has used its own budget; the cost so far is a lower bound."""


class _Sampled(SymbolicExecution):
    """Symbolic execution that follows only a sample of each layer's states."""

    def outcomes(self, start: Frontier) -> list[Outcome]:
        assert isinstance(self.solver, _Estimator)
        before, done, frontier = self.solver.times, Frontier(), start
        while frontier:
            step = -(-len(frontier) // MAX_SAMPLE)
            followed = list(frontier)[::step]
            self.solver.times *= len(frontier) / len(followed)
            halves = Frontier(), Frontier()
            for place, state in enumerate(followed):
                for weight in frontier[state]:
                    if state.pc == DONE:
                        add_weight(done.setdefault(state, []), weight)
                    else:
                        self._step(state, weight, halves[place % 2])
            frontier = _union(halves)
            times = self.solver.times / before
            self.solver.times = before * _population(halves, times) / max(len(frontier), 1)
        self.solver.times = before
        return merge_outcomes(done)

    def _advance(self, *args: Any, **named: Any) -> None:
        assert isinstance(self.solver, _Estimator)
        self.times = self.solver.times
        super()._advance(*args, **named)
        self.solver.times = self.times

    def _next(self, todo: list[Branch]) -> Branch:
        """Return the oldest branch; if there are too many, drop every second one."""
        assert isinstance(self.solver, _Estimator)
        if len(todo) > MAX_SAMPLE:
            del todo[1::2]
            for branch in todo:
                branch.stands_for *= 2
        branch = todo.pop(0)
        self.solver.times = self.times * branch.stands_for
        return branch


def _union(halves: tuple[Frontier, Frontier]) -> Frontier:
    union = dict(halves[0])
    for state, entries in halves[1].items():
        union.setdefault(state, []).extend(entries)
    return union


def _population(halves: tuple[Frontier, Frontier], times: float) -> float:
    """Estimate the number of states in the next layer; each sampled state represents `times` states."""
    captured = len(halves[0].keys() | halves[1].keys())
    recaptured = len(halves[0]) + len(halves[1]) - captured
    if not recaptured or times <= 1:
        return captured * times
    return max(float(captured), min(captured * times, len(halves[0]) * len(halves[1]) / recaptured))


class _Estimator(Solver):
    """Solver that counts work instead of limiting it; memoizes nothing, as its results are samples."""

    execution_class = _Sampled

    def __init__(self, solver: Solver, most: int) -> None:
        super().__init__(solver.solved, solver.options, solver.policy, method="layers")
        self.entries = {}
        self.times = 1.0
        self.cost = 0.0
        self.work = most

    def spend(self, work: int) -> None:
        self.cost += work * self.times
        self.work -= work
        if self.work < 0 or self.cost > MAX_COST:
            raise _BudgetUsed


def estimate_work(solver: Solver, rule: str, args: Record, wanted: frozenset[str], most: int) -> int:
    """Return an estimate (or lower bound) of the work that solving a rule takes, in units."""
    estimator = _Estimator(solver, min(MAX_WORK, most))
    with suppress(_BudgetUsed):
        estimator.solve_rule(rule, args, wanted)
    return int(estimator.cost)
