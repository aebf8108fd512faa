"""Plans, compiled rules and solved rules of one ruleset, shared by the queries about it.

Whoever asks more than once keeps one and passes it on: a ruleset of the library, a worker process.
Invariant: it changes how long an answer takes, never the answer or the work that is charged for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handful.rules.codegen.folding import ControlFlow
from handful.rules.program import Ask, Call, Choose, EmitEvent, Program, Record, Reroll, RollDice
from handful.rules.ruleset import Ruleset
from handful.solver.memo import SolvedRule
from handful.solver.plan import Plan, make_plan

if TYPE_CHECKING:
    from handful.solver.compiled import CompiledRules
    from handful.solver.walk.flat import FlatCode

Wanted = frozenset[str] | None
MAX_COMPILED = 64  # choices of options and policies whose compiled rules are kept


class SolvedRules:
    """Everything that solvers of one ruleset have worked out so far."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.entries: dict[Any, SolvedRule] = {}  # bounded by `memo.MAX_ENTRIES`
        self._plans: dict[tuple[str, Wanted], Plan] = {}
        self._flat: dict[tuple[str, Wanted, str], FlatCode] = {}
        self._emits_events: dict[str, bool] = {}
        self._is_pure: dict[tuple[str, Record], bool] = {}
        self._compiled: dict[tuple[Record, str, bool], CompiledRules] = {}
        self._asked: set[str] = set()  # checks

    @classmethod
    def of(cls, ruleset: Ruleset, known: SolvedRules | None = None) -> SolvedRules:
        """Return `known`, or new ones; those of another ruleset would give wrong answers."""
        if known is None:
            return cls(ruleset)
        if known.ruleset is not ruleset and known.ruleset.hash != ruleset.hash:
            raise ValueError(f"these are solved rules of {known.ruleset.id}, not of {ruleset.id}")
        return known

    def plan(self, program: Program, wanted: Wanted) -> Plan:
        """Return the plan of a rule for the fields of its result that are wanted."""
        key = program.name, wanted
        if key not in self._plans:
            self._plans[key] = make_plan(program, wanted, self.emits_events)
        return self._plans[key]

    def flat(self, plan: Plan, policy: str) -> FlatCode:
        """Return the flat code of a rule under a policy."""
        key = plan.program.name, plan.wanted, policy
        if key not in self._flat:
            from handful.solver.walk.flat import FlatCode  # imported late: everyday rules do not need it

            self._flat[key] = FlatCode(plan, policy)
        return self._flat[key]

    def emits_events(self, rule: str) -> bool:
        """Return True if a rule, or a rule that it calls, emits events."""
        if rule not in self._emits_events:
            code = self.ruleset.program(rule).code
            self._emits_events[rule] = any(isinstance(step, EmitEvent) for step in code) or any(
                self.emits_events(step.rule) for step in code if isinstance(step, Call)
            )
        return self._emits_events[rule]

    def is_pure(self, rule: str, options: Record) -> bool:
        """Return True if a rule and the rules it calls have no dice and no decisions, with these options."""
        key = rule, options
        if key not in self._is_pure:
            if len(self._is_pure) >= MAX_COMPILED * len(self.ruleset.rules) + MAX_COMPILED:
                self._is_pure.clear()
            code = self.ruleset.program(rule).code
            reachable = [code[pc] for pc in ControlFlow(code, options).reachable()]
            self._is_pure[key] = not any(
                isinstance(step, (RollDice, Reroll, Choose, Ask))
                or (isinstance(step, Call) and not self.is_pure(step.rule, options))
                for step in reachable
            )
        return self._is_pure[key]

    def is_asked_again(self, check: str) -> bool:
        """Return False the first time, when compiling the rules of a check would take longer than solving."""
        if check in self._asked:
            return True
        self._asked.add(check)
        return False

    def compiled_rules(self, options: Record, policy: str, *, memoize_calls: bool) -> CompiledRules:
        """Return the compiled rules under one choice of options and one policy."""
        key = options, policy, memoize_calls
        if key not in self._compiled:
            from handful.solver.compiled import CompiledRules  # imported late: few commands ask twice

            if len(self._compiled) >= MAX_COMPILED:
                self._compiled.clear()
            self._compiled[key] = CompiledRules(self, options, policy, memoize_calls=memoize_calls)
        return self._compiled[key]
