"""Exact odds: solves all branches of a rule at once.

Theory of operation.  A state is an instruction and the values that are live there; a `Weight` is its
probability.  States advance in layers (`execution`): a chance node adds random variables, the rule runs to
its next chance node (`branch`), `canonical` sums out the variables that are no longer needed, and equal
states are merged.  A comparison of a random number splits the branch (`linear`); of a pool only the
statistics that the rule reads are ever computed (`symbolic_pool`: delayed sampling); called rules are
solved once per argument list (`memo`).  A state that recurs means an unbounded loop: an absorbing Markov
chain, solved as linear equations (`markov`).  A rule that needs more, because it looks at its dice again
and again, is walked with its dice undrawn (`walk`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from handful.dice import Pool
from handful.errors import TooBig
from handful.rules.program import EVENTS, Env, Jump, Record, explain_error, initial_env
from handful.solver.execution import SymbolicExecution
from handful.solver.linear import BranchContext
from handful.solver.memo import Budget
from handful.solver.plan import Plan
from handful.solver.solved_rules import SolvedRules
from handful.solver.states import Frontier, Outcome, State, boolean_positions
from handful.solver.weights import substitute

if TYPE_CHECKING:
    from handful.solver.walk.flat import FlatCode

BUDGET = 4_000_000  # units of work; about a minute on a small machine
RULE_PRICE = 20  # units for a rule with new arguments
# Of a throw in progress: dice that have landed, dice to throw, and the reading of each so far.
Wave = tuple[Pool, int, int]


class Solver(Budget):
    """Solves rules of one ruleset under one choice of options and one policy."""

    execution_class = SymbolicExecution

    def __init__(
        self,
        solved: SolvedRules,
        options: Record,
        policy: str = "usual",
        budget: int = BUDGET,
        *,
        method: str = "",
    ) -> None:
        """Create a solver that uses and extends the solved rules of a ruleset.

        `method`: "layers" or "walk" to use only that one where it can answer; each alone gives the same odds.
        """
        super().__init__(solved.entries, budget)
        self.method = method
        self.projected_growth = 1.0  # of the work of a walk that was given up
        self.solved, self.ruleset, self.plan = solved, solved.ruleset, solved.plan
        self.options, self.policy = options, policy
        self.context = BranchContext()
        self.compiled_rules = solved.compiled_rules(options, policy, memoize_calls=False)

    # -- entry points

    def solve_rule(self, name: str, args: Record, wanted: frozenset[str] | None) -> list[Outcome]:
        """Return the outcomes of a rule, interpreted and memoized by its arguments."""
        key = (name, args, boolean_positions(args), wanted, self.options, self.policy, self.method)
        outcomes: list[Outcome] = self.memoize(key, RULE_PRICE, lambda: self._interpret(name, args, wanted))
        return outcomes

    def _interpret(self, name: str, args: Record, wanted: frozenset[str] | None) -> list[Outcome]:
        program = self.ruleset.program(name)
        env = initial_env(program, args, self.options)
        return self.solve_from(self.plan(program, wanted), 0, env)

    def solve_from(self, plan: Plan, pc: int, env: Env) -> list[Outcome]:
        """Return the outcomes of a rule from an instruction on."""
        return self._solved(plan, pc, env)

    def _solved(
        self, plan: Plan, pc: int, env: Env, called: list[Outcome] | None = None, wave: Wave | None = None
    ) -> list[Outcome]:
        if self.method == "layers":
            return self._in_layers(plan, pc, env, called, None)
        from handful.solver.walk import walk  # imported late: everyday rules do not need it

        return walk(self, plan, pc, env, called, wave)

    def _in_layers(
        self, plan: Plan, pc: int, env: Env, called: list[Outcome] | None, floor: int | None
    ) -> list[Outcome]:
        run = self.execution_class(self, plan, env, floor)
        start: Frontier = {}
        if called is None:
            run.begin(pc, env, start)
        else:
            run.begin_after(self._state_after(plan, pc, env), called, None, None, start)
        return run.outcomes(start)

    def flat(self, plan: Plan) -> FlatCode:
        """Return the flat code of a rule, for the walk."""
        return self.solved.flat(plan, self.policy)

    def solve_after(
        self,
        plan: Plan,
        pc: int,
        env: Env,
        *,
        inner: list[Outcome] | None = None,
        wave: Wave | None = None,
    ) -> list[Outcome]:
        """Return the outcomes from within a chance node: a called rule or exploding throw in progress."""
        step = plan.code[pc]
        if isinstance(step, Jump):  # dead code: the plan replaced it by a jump
            return self.solve_from(plan, pc, env)
        if inner is not None:
            return self._solved(plan, pc, env, inner)
        return self._solved(plan, pc, env, None, wave)

    def _state_after(self, plan: Plan, pc: int, env: Env) -> State:
        try:
            values = tuple(env[name] for name in plan.live_after[pc])
        except KeyError as error:  # a later line reads what no line has set
            raise plan.program.error_at(pc, explain_error(error)) from error
        return State(pc, None, values, env[EVENTS])


def to_symbolic(env: Env) -> Env:
    """Return the values of a played rule in the solver's representation: pools as symbolic pools."""
    return {name: substitute(value, lambda one: one) for name, value in env.items()}


__all__ = ["BUDGET", "Outcome", "SolvedRules", "Solver", "to_symbolic"]
