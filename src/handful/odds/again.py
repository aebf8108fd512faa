"""One figure of a check, asked again and again with other parameters.

A table of ten thousand cells needs one chance of each, and neighbours differ in little: called
rules are solved by themselves and remembered, and no distribution is listed.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from handful.errors import TooBig
from handful.odds.figures import Success
from handful.odds.rest import assumed
from handful.odds.table import Table
from handful.roll import Bound, refused
from handful.rules.program import Record, Refusal
from handful.rules.ruleset import Ruleset
from handful.solver.solver import Solver

WORK = 100_000  # units for one question; what takes more is for `odds`
ONLY = frozenset(("success",))


class Successes:
    """The chance of success, under one choice of options; the policy is `usual` or `never`."""

    def __init__(self, rules: Ruleset, options: Record, policy: str) -> None:
        self._rules, self._policy = rules, policy
        self._solver = Solver(rules, options, policy, WORK, apart=True)

    def of(self, bound: Bound) -> Success:
        """None where the check has no success, or where it is too much work for this way."""
        solver = self._solver
        solver.left = WORK
        table = Table(bound.check.main, solver.spend)
        try:
            for outcome in solver.check(bound.check.name, bound.args, ONLY):
                table.add(outcome)
        except TooBig:
            return None
        except Refusal as refusal:
            raise refused(bound, refusal) from None
        return table.success()

    def row(self, bound: Bound, name: str, values: list[Any]) -> list[Fraction] | None:
        """The chance for each value of one parameter at once; None if each is to be asked for."""
        solver = self._solver
        solver.left = WORK
        try:
            return solver.written.truths(solver, bound.check.name, bound.args, ONLY, (name, values))
        except TooBig:
            return None

    def assumed(self) -> Mapping[str, str]:
        """How decisions were taken so far, in words."""
        return assumed(self._rules, self._solver.decided, self._policy)
