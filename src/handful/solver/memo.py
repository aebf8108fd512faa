"""Memoized results of rules, and the work that each of them costs.

The work of a rule is stored with its answer, and a query is charged for it whether it solves the rule or
finds it memoized.  Invariant: the cost of a query, and so whether it is answered or refused, never depends
on earlier queries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from handful.errors import Message, TooBig

MAX_ENTRIES = 1000  # memoized results per ruleset


class SolvedRule(NamedTuple):
    """A memoized result: the answer, decisions that were asked, its own work and the entries it uses."""

    key: Any
    answer: Any
    decided: frozenset[str]
    work: int
    uses: tuple[SolvedRule, ...]


class Budget:
    """The work that a query may still use, and the memoized results it has been charged for."""

    def __init__(self, entries: dict[Any, SolvedRule], budget: int) -> None:
        self.entries = entries
        self.decided: set[str] = set()
        self.reset(budget)

    def reset(self, budget: int) -> None:
        """Start a query, or a new attempt at one."""
        self.remaining = budget
        self._paid: set[Any] = set()
        self._uses: dict[Any, SolvedRule] = {}  # entries used by the rule that is being solved
        self._inner = 0  # work charged for those entries

    def spend(self, work: int) -> None:
        """Charge work to the budget; raise TooBig when it is used up."""
        self.remaining -= work
        if self.remaining < 0:
            raise TooBig(
                Message("solver.over_budget"),
                Message("odds.smaller_question"),
            )

    def memoize(self, key: Any, price: int, solve: Callable[[], Any]) -> Any:
        """Return the memoized answer of a rule; `price` is charged in addition to its own work."""
        entry = self.entries.get(key)
        if entry is None or self._cost(entry, set(self._paid)) > self.remaining:
            # What cannot be paid is solved again until the budget ends: refused as if it were new.
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
            solved = SolvedRule(key, answer, frozenset(self.decided), own, tuple(self._uses.values()))
        finally:
            self.decided, self._uses, inner = outer
            self._inner = inner + before - self.remaining
        if len(self.entries) >= MAX_ENTRIES:
            self.entries.clear()
        self.entries[key] = solved
        return solved

    def _cost(self, entry: SolvedRule, paid: set[Any]) -> int:
        """Return what a query still has to pay for an entry."""
        if entry.key in paid:
            return 0
        paid.add(entry.key)
        return entry.work + sum([self._cost(used, paid) for used in entry.uses])

    def _pay(self, entry: SolvedRule) -> None:
        if entry.key in self._paid:
            return
        self._paid.add(entry.key)
        self._inner += entry.work
        self.spend(entry.work)
        for used in entry.uses:
            self._pay(used)
