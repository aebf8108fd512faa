"""Chance of success for many similar checks, as in a table of ten thousand cells.

Neighbouring cells differ in little, so called rules are solved separately and memoized, and no distribution
is listed.
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
from handful.odds.tally import OutcomeTally
from handful.roll import BoundCheck, refusal_error
from handful.rules.program import Record, Refusal
from handful.solver.solver import BUDGET, Outcome, SolvedRules, Solver

WORK = BUDGET // 40  # units for one check; `odds` answers what takes more
SUCCESS_ONLY = frozenset(("success",))


class BatchSuccess:
    """Solver for the chance of success under one choice of options; the policy is `usual` or `never`."""

    def __init__(self, solved: SolvedRules, options: Record, policy: str) -> None:
        self._rules, self._policy = solved.ruleset, policy
        self._solver = Solver(solved, options, policy, BUDGET, memoize_calls=True)

    def success(self, bound: BoundCheck) -> Success:
        """Return the chance; None if the check has no success, or takes more than WORK units."""
        found = self._solve(bound)
        return found if found is None else cross_check(lambda: found, lambda: self._reference(bound))

    def _reference(self, bound: BoundCheck) -> Success:
        solver = Solver(SolvedRules(self._rules), self._solver.options, self._policy, compiles=False)
        return solve_odds(solver, bound, None, self._policy).success

    def _solve(self, bound: BoundCheck) -> Success:
        solver, rule = self._solver, (bound.check.name, bound.args, SUCCESS_ONLY)

        def read(outcomes: list[Outcome] | None) -> OutcomeTally | None:
            if outcomes is None:
                return None
            tally = OutcomeTally(bound.check.main, solver.spend)
            for outcome in outcomes:
                tally.add(outcome)
            return tally

        try:
            tally = solver.try_compiled(lambda: read(solver.compiled_rules.outcomes(solver, *rule)))
            if tally is None:
                solver.reset(WORK)
                tally = read(solver.solve_rule(*rule))
        except TooBig:
            return None
        except Refusal as refusal:
            raise refusal_error(bound, refusal) from None
        return None if tally is None else tally.success()

    def row(self, bound: BoundCheck, name: str, values: list[Any]) -> list[Fraction] | None:
        """Return the chance for each value of one parameter at once; None if that is not compiled."""
        solver, rule = self._solver, (bound.check.name, bound.args, SUCCESS_ONLY)
        found = solver.try_compiled(
            lambda: solver.compiled_rules.chances_of_true(solver, *rule, (name, values))
        )
        if found is None:
            return None

        def reference() -> list[Any]:
            bounds = (
                BoundCheck(bound.ruleset, bound.check, Record({**bound.args, name: one}), bound.options)
                for one in values
            )
            return [self._reference(one) for one in bounds]

        checked: list[Any] = cross_check(lambda: found, reference)
        return checked

    def assumptions(self) -> Mapping[str, str]:
        """Describe the policy's answers to the decisions met so far."""
        return describe_policy(self._rules, self._solver.decided, self._policy)
