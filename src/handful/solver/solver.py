"""Exact odds: all branches of a rule at once.

Theory of operation.  A state is a place in the rule and the values that are still needed there; a
`Weight` is its chance.  States are advanced in layers (`layers`): a state's chance node adds axes,
the rule runs on to its next stop (`branch`), `condense` forgets what nobody needs, and states that
agree are merged.  Questions about unknown numbers fork the run (`numbers`); pools are looked at
only as far as the rule looks (`heaps`); called rules are solved once per argument list.
A state that comes back means a loop without end: those are solved as linear equations (`loops`).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeVar

from handful.dice import Pool
from handful.errors import TooBig
from handful.rules.program import (
    EVENTS,
    Call,
    EmitEvent,
    Env,
    Jump,
    Program,
    Record,
    explain_fault,
    initial_env,
)
from handful.rules.ruleset import Ruleset
from handful.solver.compiled import Asked, Written, spreads
from handful.solver.execution import SymbolicExecution
from handful.solver.generating_function import GeneratingFunction
from handful.solver.linear import BranchContext
from handful.solver.memo import Budget, SolvedRule
from handful.solver.plan import Plan, make_plan
from handful.solver.states import Frontier, Outcome, State, boolean_positions
from handful.solver.symbolic_pool import SymbolicThrow
from handful.solver.weights import substitute

BUDGET = 4_000_000  # units of work; about a minute on a small machine
EACH_RULE = 20  # of them, for a rule with new arguments
# A compiled rule may take this share of the budget.  It is so small that the interpreter could
# answer as well: which of the two is asked never decides whether there is an answer.
COMPILED_SHARE = 100

Answer = TypeVar("Answer")


class Solver(Budget):
    """Solves rules of one ruleset under one choice of options and one policy."""

    execution_class = SymbolicExecution

    def __init__(
        self,
        ruleset: Ruleset,
        options: Record,
        policy: str = "usual",
        budget: int = BUDGET,
        *,
        memoize_calls: bool = False,
        compiles: bool = True,
        entries: dict[Any, SolvedRule] | None = None,
    ) -> None:
        """`apart`: compiled rules solve the rules they call by themselves, for questions alike.

        `compiles`: rules may be compiled. `entries`: solved rules, those of the ruleset if None.
        """
        shared: dict[Any, SolvedRule] = ruleset.cache.setdefault("solved", {})
        super().__init__(shared if entries is None else entries, budget)
        self.compiles = compiles
        self.ruleset, self.options, self.policy, self.memoize_calls = ruleset, options, policy, memoize_calls
        self.compiled_budget = budget // COMPILED_SHARE
        self.context = BranchContext()
        key = ("apart" if memoize_calls else "written", options, policy)
        self.runtime = Asked(self)
        self.compiled_rules: Written = ruleset.cache.get(key) or ruleset.cache.setdefault(key, Written(self))

    def plan(self, program: Program, wanted: frozenset[str] | None) -> Plan:
        key = ("plan", program.name, wanted)
        if key not in self.ruleset.cache:
            self.ruleset.cache[key] = make_plan(program, wanted, self.emits_events)
        made: Plan = self.ruleset.cache[key]
        return made

    def emits_events(self, rule: str) -> bool:
        """Whether a rule, or one that it calls, has events."""
        key = ("tells", rule)
        derived = self.ruleset.cache
        if key not in derived:
            code = self.ruleset.program(rule).code
            derived[key] = any(isinstance(step, EmitEvent) for step in code) or any(
                self.emits_events(step.rule) for step in code if isinstance(step, Call)
            )
        return bool(derived[key])

    # -- entry points

    def solve_rule(self, name: str, args: Record, wanted: frozenset[str] | None) -> list[Outcome]:
        """The outcomes of a rule, interpreted; solved once per argument list."""
        key = (name, args, boolean_positions(args), wanted, self.options, self.policy)
        made: list[Outcome] = self.memoize(key, EACH_RULE, lambda: self._interpret(name, args, wanted))
        return made

    def _interpret(self, name: str, args: Record, wanted: frozenset[str] | None) -> list[Outcome]:
        program = self.ruleset.program(name)
        env = initial_env(program, args, self.options)
        return self.solve_from(self.plan(program, wanted), 0, env)

    def try_compiled(self, read: Callable[[], Answer | None]) -> Answer | None:
        """Answer by a compiled rule, within its share of the budget; None if it cannot.

        Nothing of a failed attempt stays: neither work nor decisions.
        """
        if not self.compiles:
            return None
        left, before, self.decided = self.remaining, self.decided, set()
        self.reset(self.compiled_budget)
        try:
            self.spend(EACH_RULE)
            answer = read()
            if answer is not None:
                before |= self.decided
            return answer
        except TooBig:
            return None
        finally:
            self.reset(left)
            self.decided = before

    def number_distributions(
        self, name: str, args: Record, wanted: frozenset[str], slope: int | Fraction
    ) -> list[tuple[frozenset[str], GeneratingFunction]]:
        """How the single number that a rule results in is spread, by events; for compiled rules."""

        def solved() -> list[tuple[frozenset[str], GeneratingFunction]]:
            made = self.compiled_rules.spreads(self, name, args, wanted, slope)
            return spreads(self.solve_rule(name, args, wanted), slope) if made is None else made

        key = (name, args, boolean_positions(args), wanted, slope, self.options, self.policy)
        made: list[tuple[frozenset[str], GeneratingFunction]] = self.memoize(key, EACH_RULE, solved)
        return made

    def solve_from(self, plan: Plan, pc: int, env: Env) -> list[Outcome]:
        """The outcomes of a rule from some place on."""
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
        """The same from the middle of a stop: a called rule or an endless throw in progress."""
        step = plan.code[pc]
        if isinstance(step, Jump):  # nobody asks for it
            return self.solve_from(plan, pc, env)
        run = self.execution_class(self, plan, env)
        try:
            values = tuple(env[name] for name in plan.live_after[pc])
        except KeyError as error:  # a later line reads what no line has set
            raise plan.program.error_at(pc, explain_fault(error)) from error
        state = State(pc, None, values, env[EVENTS])
        start: Frontier = {}
        run.go_on(state, inner, landed, throw, start)
        return run.outcomes(start)


def to_symbolic(env: Env) -> Env:
    """The values of a played rule as the solver keeps them: pools as heaps."""
    return {name: substitute(value, lambda one: one) for name, value in env.items()}


__all__ = ["BUDGET", "Outcome", "Solver", "to_symbolic"]
