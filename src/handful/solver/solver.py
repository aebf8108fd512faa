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
    Env,
    Event,
    Jump,
    Program,
    Record,
    bound,
    explained,
)
from handful.rules.ruleset import Ruleset
from handful.solver.heaps import Cast
from handful.solver.layers import Layers
from handful.solver.numbers import Desk
from handful.solver.plan import Plan, plan
from handful.solver.series import Series
from handful.solver.states import Frontier, Outcome, State
from handful.solver.weights import rewritten
from handful.solver.written import Asked, Written, spreads

BUDGET = 4_000_000  # units of work; about a minute on a small machine
EACH_RULE = 20  # of them, for a rule with new arguments
MOST_KNOWN = 1000  # solved rules that a ruleset remembers

Solved = TypeVar("Solved")


class Solver:
    """Solves rules of one ruleset under one choice of options and one policy."""

    layers = Layers

    def __init__(
        self,
        ruleset: Ruleset,
        options: Record,
        policy: str = "usual",
        budget: int = BUDGET,
        *,
        apart: bool = False,
    ) -> None:
        """`apart`: called rules are solved by themselves and remembered, for questions alike."""
        self.ruleset, self.options, self.policy, self.apart = ruleset, options, policy, apart
        self.left = budget
        self.decided: set[str] = set()
        self._known: dict[Any, tuple[Any, frozenset[str]]] = ruleset.derived.setdefault(
            "solved", {}
        )
        self.desk = Desk()
        key = ("apart" if apart else "written", options, policy)
        self.asked = Asked(self)
        self.written: Written = ruleset.derived.get(key) or ruleset.derived.setdefault(
            key, Written(self)
        )

    def spend(self, work: int) -> None:
        """Count work; too much of it ends in one clear refusal."""
        self.left -= work
        if self.left < 0:
            raise TooBig(
                "this would take more work than the budget allows",
                "fewer dice, sides or decisions can be solved",
            )

    def plan(self, program: Program, wanted: frozenset[str] | None) -> Plan:
        key = ("plan", program.name, wanted)
        if key not in self.ruleset.derived:
            self.ruleset.derived[key] = plan(program, wanted, self.tells)
        made: Plan = self.ruleset.derived[key]
        return made

    def tells(self, rule: str) -> bool:
        """Whether a rule, or one that it calls, has events."""
        key = ("tells", rule)
        derived = self.ruleset.derived
        if key not in derived:
            code = self.ruleset.program(rule).code
            derived[key] = any(isinstance(step, Event) for step in code) or any(
                self.tells(step.rule) for step in code if isinstance(step, Call)
            )
        return bool(derived[key])

    # -- entry points

    def rule(self, name: str, args: Record, wanted: frozenset[str] | None) -> list[Outcome]:
        """The outcomes of a rule, solved once per argument list."""
        key = (name, args, wanted, self.options, self.policy)
        return self._once(key, lambda: self._solved(name, args, wanted))

    def check(self, name: str, args: Record, wanted: frozenset[str]) -> list[Outcome]:
        """The same for a whole check; once it is written out it is sooner solved than looked up."""
        if self.written.ways.get((name, wanted)):
            return self._solved(name, args, wanted)
        return self.rule(name, args, wanted)

    def _solved(self, name: str, args: Record, wanted: frozenset[str] | None) -> list[Outcome]:
        outcomes = self.written.outcomes(self, name, args, wanted)
        if outcomes is None:
            program = self.ruleset.program(name)
            env = bound(program, args, self.options)
            outcomes = self.rest(self.plan(program, wanted), 0, env)
        return outcomes

    def spreads(
        self, name: str, args: Record, wanted: frozenset[str], slope: int | Fraction
    ) -> list[tuple[frozenset[str], Series]]:
        """How the single number that a rule results in is spread, by events."""

        def solved() -> list[tuple[frozenset[str], Series]]:
            made = self.written.spreads(self, name, args, wanted, slope)
            return spreads(self.rule(name, args, wanted), slope) if made is None else made

        return self._once((name, args, wanted, slope, self.options, self.policy), solved)

    def _once(self, key: Any, solve: Callable[[], Solved]) -> Solved:
        known = self._known.get(key)
        if known is None:
            self.spend(EACH_RULE)
            before, self.decided = self.decided, set()
            made = solve()
            known = made, frozenset(self.decided)
            self.decided = before
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[key] = known
        solved: Solved = known[0]
        self.decided |= known[1]
        return solved

    def rest(self, plan: Plan, pc: int, env: Env) -> list[Outcome]:
        """The outcomes of a rule from some place on."""
        run = self.layers(self, plan, env)
        start: Frontier = {}
        run.begin(pc, env, start)
        return run.outcomes(start)

    def rest_after(
        self,
        plan: Plan,
        pc: int,
        env: Env,
        *,
        inner: list[Outcome] | None = None,
        landed: Pool | None = None,
        cast: Cast | None = None,
    ) -> list[Outcome]:
        """The same from the middle of a stop: a called rule or an endless throw in progress."""
        step = plan.code[pc]
        if isinstance(step, Jump):  # nobody asks for it
            return self.rest(plan, pc, env)
        run = self.layers(self, plan, env)
        try:
            values = tuple(env[name] for name in plan.after[pc])
        except KeyError as error:  # a later line reads what no line has set
            raise plan.program.fault(pc, explained(error)) from error
        state = State(pc, None, values, env[EVENTS])
        start: Frontier = {}
        run.go_on(state, inner, landed, cast, start)
        return run.outcomes(start)


def unlanded(env: Env) -> Env:
    """The values of a played rule as the solver keeps them: pools as heaps."""
    return {name: rewritten(value, lambda one: one) for name, value in env.items()}


__all__ = ["BUDGET", "Outcome", "Solver", "unlanded"]
