"""One figure of a check, asked again and again with other parameters.

A table of ten thousand cells needs one chance of each, and neighbours differ in little: called
rules are solved by themselves and remembered, and no distribution is listed.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from handful.errors import TooBig
from handful.odds import solve_odds
from handful.odds.continuation import describe_policy
from handful.odds.figures import Success
from handful.odds.self_check import cross_check
from handful.odds.tally import Tally
from handful.roll import BoundCheck, refusal_error
from handful.rules.program import Record, Refusal
from handful.rules.ruleset import Ruleset
from handful.solver.solver import BUDGET, Outcome, Solver

WORK = BUDGET // 40  # units for one question; what takes more is for `odds`
ONLY = frozenset(("success",))


class BatchSuccess:
    """The chance of success, under one choice of options; the policy is `usual` or `never`."""

    def __init__(self, rules: Ruleset, options: Record, policy: str) -> None:
        self._rules, self._policy = rules, policy
        self._solver = Solver(rules, options, policy, BUDGET, memoize_calls=True)

    def success(self, bound: BoundCheck) -> Success:
        """None where the check has no success, or where it is too much work for this way."""
        found = self._of(bound)
        return found if found is None else cross_check(lambda: found, lambda: self._plain(bound))

    def _plain(self, bound: BoundCheck) -> Success:
        settled = Solver(self._rules, self._solver.options, self._policy, compiles=False, entries={})
        return solve_odds(settled, bound, None, self._policy).success

    def _of(self, bound: BoundCheck) -> Success:
        solver, rule = self._solver, (bound.check.name, bound.args, ONLY)

        def read(outcomes: list[Outcome] | None) -> Tally | None:
            if outcomes is None:
                return None
            table = Tally(bound.check.main, solver.spend)
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
            raise refusal_error(bound, refusal) from None
        return None if table is None else table.success()

    def row(self, bound: BoundCheck, name: str, values: list[Any]) -> list[Fraction] | None:
        """The chance for each value of one parameter at once; None if each is to be asked for."""
        solver, rule = self._solver, (bound.check.name, bound.args, ONLY)
        found = solver.try_compiled(lambda: solver.compiled_rules.chances_of_true(solver, *rule, (name, values)))
        if found is None:
            return None

        def plain() -> list[Any]:
            bounds = (
                BoundCheck(bound.ruleset, bound.check, Record({**bound.args, name: one}), bound.options)
                for one in values
            )
            return [self._plain(one) for one in bounds]

        made: list[Any] = cross_check(lambda: found, plain)
        return made

    def assumptions(self) -> Mapping[str, str]:
        """How decisions were taken so far, in words."""
        return describe_policy(self._rules, self._solver.decided, self._policy)
