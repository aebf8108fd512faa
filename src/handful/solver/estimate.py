"""What a rule would cost to solve, found out on a sample of its states.

The rule is solved as usual, but of a large layer only some states are followed; each stands for
several, and its work counts so many times.  How many different states the next layer has is told
from how often two halves of the sample lead to the same one, as fish are counted by catching them
twice.
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

MOST_FOLLOWED = 24  # states of a layer
MOST_WORK = 250_000  # units, for the estimate itself
HOPELESS = 1e100  # nobody wants to know it more exactly


class _Enough(Exception):
    """The estimate itself has taken long enough: it costs at least as much as was seen."""


class _Sampled(SymbolicExecution):
    """A rule of which only some states are followed."""

    def outcomes(self, start: Frontier) -> list[Outcome]:
        assert isinstance(self.solver, _Estimator)
        before, done, frontier = self.solver.times, Frontier(), start
        while frontier:
            apart = -(-len(frontier) // MOST_FOLLOWED)
            followed = list(frontier)[::apart]
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
        """Branches in the order of their questions; too many are thinned out."""
        assert isinstance(self.solver, _Estimator)
        if len(todo) > MOST_FOLLOWED:
            del todo[1::2]
            for branch in todo:
                branch.stands_for *= 2
        branch = todo.pop(0)
        self.solver.times = self.times * branch.stands_for
        return branch


def _union(halves: tuple[Frontier, Frontier]) -> Frontier:
    together = dict(halves[0])
    for state, entries in halves[1].items():
        together.setdefault(state, []).extend(entries)
    return together


def _population(halves: tuple[Frontier, Frontier], times: float) -> float:
    """How many states the next layer has when each of the sample stands for some."""
    seen = len(halves[0].keys() | halves[1].keys())
    twice = len(halves[0]) + len(halves[1]) - seen
    if not twice or times <= 1:
        return seen * times
    return max(float(seen), min(seen * times, len(halves[0]) * len(halves[1]) / twice))


class _Estimator(Solver):
    """Counts work instead of ending it; remembers nothing, because what it finds is not true."""

    execution_class = _Sampled

    def __init__(self, solver: Solver, most: int) -> None:
        super().__init__(solver.ruleset, solver.options, solver.policy)
        self.entries = {}
        self.times = 1.0
        self.cost = 0.0
        self.work = most

    def spend(self, work: int) -> None:
        self.cost += work * self.times
        self.work -= work
        if self.work < 0 or self.cost > HOPELESS:
            raise _Enough


def estimate_work(solver: Solver, rule: str, args: Record, wanted: frozenset[str], most: int) -> int:
    """About how many units of work a rule takes, or at least takes."""
    estimator = _Estimator(solver, min(MOST_WORK, most))
    with suppress(_Enough):
        estimator.solve_rule(rule, args, wanted)
    return int(estimator.cost)
