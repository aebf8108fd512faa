"""Solved rules, kept for later questions, and the work that each of them costs.

The price of a rule is kept with its answer, and a question pays it whether it solves the rule or
finds it solved.  So a question costs the same whatever was asked before it, and is answered or
refused alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from handful.errors import TooBig

MOST_ENTRIES = 1000  # solved rules that a ruleset keeps


class SolvedRule(NamedTuple):
    """A solved rule: its answer, the decisions it met, its own work and the entries it uses."""

    key: Any
    answer: Any
    decided: frozenset[str]
    work: int
    uses: tuple[SolvedRule, ...]


class Budget:
    """The work that a question may still take, and which solved rules it has paid for."""

    def __init__(self, entries: dict[Any, SolvedRule], budget: int) -> None:
        self.entries = entries
        self.decided: set[str] = set()
        self.reset(budget)

    def reset(self, budget: int) -> None:
        """Start a question, or a new attempt at one."""
        self.remaining = budget
        self._paid: set[Any] = set()
        self._uses: dict[Any, SolvedRule] = {}  # of the rule that is being solved
        self._inner = 0  # work that went into those

    def spend(self, work: int) -> None:
        """Count work; too much of it ends in one clear refusal."""
        self.remaining -= work
        if self.remaining < 0:
            raise TooBig(
                "this would take more work than the budget allows",
                "fewer dice, sides or decisions can be solved",
            )

    def memoize(self, key: Any, price: int, solve: Callable[[], Any]) -> Any:
        """The answer of a solved rule; `price` is what any rule costs beside its own work."""
        entry = self.entries.get(key)
        if entry is None:
            entry = self._solve(key, price, solve)
        else:
            self._pay(entry)
        self._uses[key] = entry
        self.decided |= entry.decided
        return entry.answer

    def _solve(self, key: Any, price: int, solve: Callable[[], Any]) -> SolvedRule:
        outer, before = (self.decided, self._uses, self._inner), self.remaining
        self.decided, self._uses, self._inner = set(), {}, 0
        self._paid.add(key)
        try:
            self.spend(price)
            answer = solve()
            own = before - self.remaining - self._inner
            made = SolvedRule(key, answer, frozenset(self.decided), own, tuple(self._uses.values()))
        finally:
            self.decided, self._uses, inner = outer
            self._inner = inner + before - self.remaining
        if len(self.entries) >= MOST_ENTRIES:
            self.entries.clear()
        self.entries[key] = made
        return made

    def _pay(self, entry: SolvedRule) -> None:
        if entry.key in self._paid:
            return
        self._paid.add(entry.key)
        self._inner += entry.work
        self.spend(entry.work)
        for used in entry.uses:
            self._pay(used)
