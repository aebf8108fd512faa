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
from handful.odds.compiled_odds import CompiledFigures
from handful.odds.continuation import describe_policy
from handful.odds.figures import Success
from handful.odds.self_check import cross_check
from handful.odds.tally import OutcomeTally
from handful.roll import BoundCheck, refusal_error
from handful.rules.program import Record, Refusal
from handful.solver.compiled import Memo
from handful.solver.solver import BUDGET, SolvedRules, Solver

WORK = BUDGET // 40  # units for one check; `odds` answers what takes more
SUCCESS_ONLY = frozenset(("success",))


class BatchSuccess:
    """Solver for the chance of success under one choice of options; the policy is `usual` or `never`."""

    def __init__(self, solved: SolvedRules, options: Record, policy: str) -> None:
        self._rules, self._policy = solved.ruleset, policy
        self._solver = Solver(solved, options, policy, BUDGET)
        self._compiled = solved.compiled_rules(options, policy, memoize_calls=True)
        self._memo: Memo = {}
        self._asked: set[str] = set()  # checks: the first time, compiling would take longer than solving

    def success(self, bound: BoundCheck) -> Success:
        """Return the chance; None if the check has no success, or takes more than WORK units."""
        found = self._solve(bound)
        return found if found is None else cross_check(lambda: found, lambda: self._reference(bound))

    def _reference(self, bound: BoundCheck) -> Success:
        solver = Solver(SolvedRules(self._rules), self._solver.options, self._policy)
        return solve_odds(solver, bound, None, self._policy).success

    def _solve(self, bound: BoundCheck) -> Success:
        try:
            if bound.check.name in self._asked:
                rule = self._compiled.compiled_rule(bound.check.name, SUCCESS_ONLY)
                answer = self._compiled.answer(rule, bound.args, BUDGET, self._memo)
                if answer is not None:
                    self._solver.decided |= answer.decided
                    return CompiledFigures(answer, bound.check.main).success()
            self._asked.add(bound.check.name)
            return self._interpret(bound)
        except TooBig:
            return None
        except Refusal as refusal:
            raise refusal_error(bound, refusal) from None

    def _interpret(self, bound: BoundCheck) -> Success:
        self._solver.reset(WORK)
        tally = OutcomeTally(bound.check.main, self._solver.spend)
        for outcome in self._solver.solve_rule(bound.check.name, bound.args, SUCCESS_ONLY):
            tally.add(outcome)
        return tally.success()

    def row(self, bound: BoundCheck, name: str, values: list[Any]) -> list[Fraction] | None:
        """Return the chance for each value of one parameter at once; None if that is not compiled."""
        rule = self._compiled.rules.get((bound.check.name, SUCCESS_ONLY))
        if rule is None:
            return None
        answer = self._compiled.chances_of_true(rule, bound.args, (name, values), BUDGET, self._memo)
        if answer is None:
            return None
        found, decided = answer
        self._solver.decided |= decided

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
