"""Detects that a rule may loop forever.

Most loops end after some iterations and are simply unrolled.  A loop that returns to a state it has
visited, or that runs for long, raises `CycleFound` and is solved as a Markov chain (`markov`).
Invariant: only a state that is reachable from itself counts as a cycle.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from handful.errors import Message, TooBig
from handful.solver.states import State

if TYPE_CHECKING:
    from handful.solver.solver import Solver

UNROLL_LIMIT = 300  # iterations after which a loop is tried as a Markov chain
MAX_ITERATIONS = 1000  # the limit of an actual roll


class CycleFound(Exception):
    """A loop returned to the same state (`certain`), or has run for too many iterations."""

    def __init__(self, certain: bool) -> None:
        super().__init__()
        self.certain = certain


class CycleDetector:
    """Tracks which loop heads lead to which, layer by layer, to detect a cycle.

    A state may be reached twice on paths of different length; only one reachable from itself is a cycle.
    """

    def __init__(self, solver: Solver, limit: int) -> None:
        self.solver, self.limit = solver, limit
        self.heads_after: dict[State, set[State]] = {}  # loop head -> loop heads reached next
        self.heads_before: dict[State, set[State]] = {}  # state of this layer -> last loop heads before it
        self.heads_before_next: dict[State, set[State]] = {}
        self.iterations, self.at_head = 0, False

    def enter_head(self, state: State) -> None:
        """Record that a state of this layer is at a loop head."""
        visited = state in self.heads_after
        self.heads_after.setdefault(state, set())
        for before in self.heads_before.get(state, ()):
            self.heads_after[before].add(state)
        if visited and self._is_cycle(state):
            raise CycleFound(certain=True)
        self.heads_before[state] = {state}
        self.at_head = True

    def add_edges(self, state: State, reached: Iterable[State]) -> None:
        """Record the states of the next layer that a state leads to."""
        before = self.heads_before.get(state)
        if before:
            for after in reached:
                self.heads_before_next.setdefault(after, set()).update(before)

    def next_layer(self) -> None:
        """Advance to the next layer; raise if the loop has run for too long."""
        self.heads_before, self.heads_before_next = self.heads_before_next, {}
        self.iterations, self.at_head = self.iterations + self.at_head, False
        if self.iterations <= self.limit:
            return
        if self.limit < MAX_ITERATIONS:
            raise CycleFound(certain=False)
        raise TooBig(Message("solver.long_loop", most=MAX_ITERATIONS))

    def _is_cycle(self, state: State) -> bool:
        todo, seen = [state], {state}
        while todo:
            successors = self.heads_after[todo.pop()]
            self.solver.spend(1)
            if state in successors:
                return True
            todo.extend(successors - seen)
            seen |= successors
        return False
