"""Exact odds: solves all branches of a rule at once.

A rule is *walked* (`walk`, which explains how): it runs once, on states whose dice nobody has looked at
yet, and dice are drawn only as far as the rule asks (delayed sampling).  Numbers have generating
functions, packed into integers where they are finite and rational where they have no end; loops that may
return are absorbing Markov chains.  Called rules are solved once per argument list (`memo`).
Rules that are asked again are compiled (`compiled`), with the same answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from handful.dice import Pool
from handful.rules.program import Env, Jump, Record, initial_env
from handful.solver.memo import Budget
from handful.solver.plan import Plan
from handful.solver.solved_rules import SolvedRules
from handful.solver.states import Outcome, boolean_positions
from handful.solver.weights import substitute

if TYPE_CHECKING:
    from handful.solver.walk.flat import FlatCode

BUDGET = 4_000_000  # units of work; about a minute on a small machine
RULE_PRICE = 20  # units for a rule with new arguments
# Of a throw in progress: dice that have landed, dice to throw, and the reading of each so far.
Wave = tuple[Pool, int, int]


class Solver(Budget):
    """Solves rules of one ruleset under one choice of options and one policy."""

    def __init__(
        self, solved: SolvedRules, options: Record, policy: str = "usual", budget: int = BUDGET
    ) -> None:
        """Create a solver that uses and extends the solved rules of a ruleset."""
        super().__init__(solved.entries, budget)
        self.projected_growth = 1.0  # of the work of a walk that was given up
        self.solved, self.ruleset, self.plan = solved, solved.ruleset, solved.plan
        self.options, self.policy = options, policy
        self.compiled_rules = solved.compiled_rules(options, policy, memoize_calls=False)

    # -- entry points

    def solve_rule(self, name: str, args: Record, wanted: frozenset[str] | None) -> list[Outcome]:
        """Return the outcomes of a rule, interpreted and memoized by its arguments."""
        key = (name, args, boolean_positions(args), wanted, self.options, self.policy)
        outcomes: list[Outcome] = self.memoize(key, RULE_PRICE, lambda: self._interpret(name, args, wanted))
        return outcomes

    def _interpret(self, name: str, args: Record, wanted: frozenset[str] | None) -> list[Outcome]:
        program = self.ruleset.program(name)
        env = initial_env(program, args, self.options)
        return self.solve_from(self.plan(program, wanted), 0, env)

    def solve_from(
        self,
        plan: Plan,
        pc: int,
        env: Env,
        *,
        called: list[Outcome] | None = None,
        wave: Wave | None = None,
    ) -> list[Outcome]:
        """Return the outcomes of a rule from an instruction on.

        The rule that it calls may be in progress (`called` are the outcomes of that), or its throw (`wave`).
        """
        from handful.solver.walk import walk  # imported late: compiled rules do not need it

        if isinstance(plan.code[pc], Jump):  # dead code: the plan replaced it by a jump
            called = wave = None
        return walk(self, plan, pc, env, called, wave)

    def flat(self, plan: Plan) -> FlatCode:
        """Return the flat code of a rule, for the walk."""
        return self.solved.flat(plan, self.policy)


def to_symbolic(env: Env) -> Env:
    """Return the values of a played rule in the solver's representation: pools as symbolic pools."""
    return {name: substitute(value, lambda one: one) for name, value in env.items()}


__all__ = ["BUDGET", "Outcome", "SolvedRules", "Solver", "to_symbolic"]
