"""One figure of a check, asked again and again with other parameters.

A table of ten thousand cells needs one chance of each, and neighbours differ in little: called
rules are solved by themselves and remembered, and no distribution is listed.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from handful.errors import TooBig
from handful.odds import odds_by
from handful.odds.figures import Success
from handful.odds.rest import assumed
from handful.odds.table import Table
from handful.odds.twice import checked
from handful.roll import Bound, refused
from handful.rules.program import Record, Refusal
from handful.rules.ruleset import Ruleset
from handful.solver.solver import BUDGET, Outcome, Solver

WORK = BUDGET // 40  # units for one question; what takes more is for `odds`
ONLY = frozenset(("success",))


class Successes:
    """The chance of success, under one choice of options; the policy is `usual` or `never`."""

    def __init__(self, rules: Ruleset, options: Record, policy: str) -> None:
        self._rules, self._policy = rules, policy
        self._solver = Solver(rules, options, policy, BUDGET, memoize_calls=True)

    def of(self, bound: Bound) -> Success:
        """None where the check has no success, or where it is too much work for this way."""
        found = self._of(bound)
        return found if found is None else checked(lambda: found, lambda: self._plain(bound))

    def _plain(self, bound: Bound) -> Success:
        settled = Solver(self._rules, self._solver.options, self._policy, compiles=False, entries={})
        return odds_by(settled, bound, None, self._policy).success

    def _of(self, bound: Bound) -> Success:
        solver, rule = self._solver, (bound.check.name, bound.args, ONLY)

        def read(outcomes: list[Outcome] | None) -> Table | None:
            if outcomes is None:
                return None
            table = Table(bound.check.main, solver.spend)
            for outcome in outcomes:
                table.add(outcome)
            return table

        try:
            table = solver.try_compiled(lambda: read(solver.compiled_rules.outcomes(solver, *rule)))
            if table is None:
                solver.reset(WORK)
                table = read(solver.solve_rule(*rule))
        except TooBig:
            return None
        except Refusal as refusal:
            raise refused(bound, refusal) from None
        return None if table is None else table.success()

    def row(self, bound: Bound, name: str, values: list[Any]) -> list[Fraction] | None:
        """The chance for each value of one parameter at once; None if each is to be asked for."""
        solver, rule = self._solver, (bound.check.name, bound.args, ONLY)
        found = solver.try_compiled(lambda: solver.compiled_rules.truths(solver, *rule, (name, values)))
        if found is None:
            return None

        def plain() -> list[Any]:
            bounds = (
                Bound(bound.ruleset, bound.check, Record({**bound.args, name: one}), bound.options)
                for one in values
            )
            return [self._plain(one) for one in bounds]

        made: list[Any] = checked(lambda: found, plain)
        return made

    def assumed(self) -> Mapping[str, str]:
        """How decisions were taken so far, in words."""
        return assumed(self._rules, self._solver.decided, self._policy)
