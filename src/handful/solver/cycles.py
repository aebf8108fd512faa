"""Noticing that a rule repeats itself: from which heads of loops its states come.

Most loops end after some turns and are simply followed.  One that comes back to the same state, or
goes on for long, is handed to `loops`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from handful.errors import TooBig
from handful.solver.states import State

if TYPE_CHECKING:
    from handful.solver.solver import Solver

SOON = 300  # turns after which a loop is looked at as if it had no end
MOST_TURNS = 1000  # as many as play takes


class CycleFound(Exception):
    """A state of a loop came back, which is certain to be a loop; or it goes on for long."""

    def __init__(self, certain: bool) -> None:
        super().__init__()
        self.certain = certain


class CycleDetector:
    """From which heads of loops the states of a layer come, to see a loop that closes.

    A state may well be met twice on two ways of different length; only one that leads to itself
    makes a loop.
    """

    def __init__(self, solver: Solver, patience: int) -> None:
        self.solver, self.patience = solver, patience
        self.follow: dict[State, set[State]] = {}  # head -> heads that are reached from it
        self.now: dict[State, set[State]] = {}  # state of this layer -> heads before it
        self.next: dict[State, set[State]] = {}
        self.turns, self.turned = 0, False

    def head(self, state: State) -> None:
        """A state of this layer is at the head of a loop."""
        again = state in self.follow
        self.follow.setdefault(state, set())
        for before in self.now.get(state, ()):
            self.follow[before].add(state)
        if again and self._closes(state):
            raise CycleFound(certain=True)
        self.now[state] = {state}
        self.turned = True

    def leads(self, state: State, reached: Iterable[State]) -> None:
        before = self.now.get(state)
        if before:
            for after in reached:
                self.next.setdefault(after, set()).update(before)

    def layer(self) -> None:
        """The next layer begins."""
        self.now, self.next = self.next, {}
        self.turns, self.turned = self.turns + self.turned, False
        if self.turns <= self.patience:
            return
        if self.patience < MOST_TURNS:
            raise CycleFound(certain=False)
        raise TooBig(f"a loop of this rule may take more than {MOST_TURNS} turns")

    def _closes(self, state: State) -> bool:
        todo, met = [state], {state}
        while todo:
            ways = self.follow[todo.pop()]
            self.solver.spend(1)
            if state in ways:
                return True
            todo.extend(ways - met)
            met |= ways
        return False
