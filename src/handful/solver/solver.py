"""Exact odds: solves all branches of a rule at once.

Theory of operation.  A state is an instruction and the values that are live there; a `Weight` is its
probability.  States advance in layers (`execution`): a chance node adds random variables, the rule runs to
its next chance node (`branch`), `canonical` sums out the variables that are no longer needed, and equal
states are merged.  A comparison of a random number splits the branch (`linear`); of a pool only the
statistics that the rule reads are ever computed (`symbolic_pool`: delayed sampling); called rules are
solved once per argument list (`memo`).  A state that recurs means an unbounded loop: an absorbing Markov
chain, solved as linear equations (`markov`).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

from handful.dice import Pool
from handful.errors import TooBig
from handful.rules.program import EVENTS, Env, Jump, Record, explain_error, initial_env
from handful.solver.compiled import Runtime, number_distributions
from handful.solver.execution import SymbolicExecution
from handful.solver.generating_function import GeneratingFunction
from handful.solver.linear import BranchContext
from handful.solver.memo import Budget
from handful.solver.plan import Plan
from handful.solver.solved_rules import SolvedRules
from handful.solver.states import Frontier, Outcome, State, boolean_positions
from handful.solver.symbolic_pool import SymbolicThrow
from handful.solver.weights import substitute

BUDGET = 4_000_000  # units of work; about a minute on a small machine
RULE_PRICE = 20  # units for a rule with new arguments
# A compiled rule may use this fraction of the budget.  It is so small that the interpreter could
# answer within the budget as well, so compilation never decides whether there is an answer.
COMPILED_SHARE = 100

Answer = TypeVar("Answer")


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
        memoize_calls: bool = False,
        compiles: bool = True,
    ) -> None:
        """Create a solver that uses and extends the solved rules of a ruleset.

        `memoize_calls`: compiled rules solve called rules separately and cache them, which pays off when many
        similar checks are solved (tables).  `compiles`: rules may be compiled.
        """
        super().__init__(solved.entries, budget)
        self.compiles = compiles
        self.solved, self.ruleset, self.plan = solved, solved.ruleset, solved.plan
        self.options, self.policy, self.memoize_calls = options, policy, memoize_calls
        self.compiled_budget = budget // COMPILED_SHARE
        self.context = BranchContext()
        self.runtime = Runtime(self)
        self.compiled_rules = solved.compiled_rules(options, policy, memoize_calls=memoize_calls)

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

    def try_compiled(self, read: Callable[[], Answer | None]) -> Answer | None:
        """Return the answer of a compiled rule, within its share of the budget; None if it has none.

        A failed attempt leaves nothing behind: neither work nor decisions.
        """
        if not self.compiles:
            return None
        remaining_before, decided_before, self.decided = self.remaining, self.decided, set()
        self.reset(self.compiled_budget)
        try:
            self.spend(RULE_PRICE)
            answer = read()
            if answer is not None:
                decided_before |= self.decided
            return answer
        except TooBig:
            return None
        finally:
            self.reset(remaining_before)
            self.decided = decided_before

    def number_distributions(
        self, name: str, args: Record, wanted: frozenset[str], slope: int | Fraction
    ) -> list[tuple[frozenset[str], GeneratingFunction]]:
        """Return the distribution of a rule's single numeric result, by events; for compiled rules."""

        def solved() -> list[tuple[frozenset[str], GeneratingFunction]]:
            compiled = self.compiled_rules.distributions(self, name, args, wanted, slope)
            if compiled is not None:
                return compiled
            return number_distributions(self.solve_rule(name, args, wanted), slope)

        key = (name, args, boolean_positions(args), wanted, slope, self.options, self.policy)
        found: list[tuple[frozenset[str], GeneratingFunction]] = self.memoize(key, RULE_PRICE, solved)
        return found

    def solve_from(self, plan: Plan, pc: int, env: Env) -> list[Outcome]:
        """Return the outcomes of a rule from an instruction on."""
        run = self.execution_class(self, plan, env)
        start: Frontier = {}
        run.begin(pc, env, start)
        return run.outcomes(start)

    def solve_after(
        self,
        plan: Plan,
        pc: int,
        env: Env,
        *,
        inner: list[Outcome] | None = None,
        landed: Pool | None = None,
        throw: SymbolicThrow | None = None,
    ) -> list[Outcome]:
        """Return the outcomes from within a chance node: a called rule or exploding throw in progress."""
        step = plan.code[pc]
        if isinstance(step, Jump):  # dead code: the plan replaced it by a jump
            return self.solve_from(plan, pc, env)
        run = self.execution_class(self, plan, env)
        try:
            values = tuple(env[name] for name in plan.live_after[pc])
        except KeyError as error:  # a later line reads what no line has set
            raise plan.program.error_at(pc, explain_error(error)) from error
        state = State(pc, None, values, env[EVENTS])
        start: Frontier = {}
        run.begin_after(state, inner, landed, throw, start)
        return run.outcomes(start)


def to_symbolic(env: Env) -> Env:
    """Return the values of a played rule in the solver's representation: pools as symbolic pools."""
    return {name: substitute(value, lambda one: one) for name, value in env.items()}


__all__ = ["BUDGET", "Outcome", "SolvedRules", "Solver", "to_symbolic"]
