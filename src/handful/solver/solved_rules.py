"""Plans, compiled rules and solved rules of one ruleset, shared by the queries about it.

Whoever asks more than once keeps one and passes it on: a ruleset of the library, a worker process.
Invariant: it changes how long an answer takes, never the answer or the work that is charged for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handful.rules.program import Call, EmitEvent, Program, Record
from handful.rules.ruleset import Ruleset
from handful.solver.compiled import CompiledRules, Wanted
from handful.solver.memo import SolvedRule
from handful.solver.plan import Plan, make_plan

if TYPE_CHECKING:
    from handful.solver.walk.flat import FlatCode


class SolvedRules:
    """Everything that solvers of one ruleset have worked out so far."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.entries: dict[Any, SolvedRule] = {}  # bounded by `memo.MAX_ENTRIES`
        self._plans: dict[tuple[str, Wanted], Plan] = {}
        self._flat: dict[tuple[str, Wanted, str], FlatCode] = {}
        self._emits_events: dict[str, bool] = {}
        self._compiled: dict[tuple[Record, str, bool], CompiledRules] = {}

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

    def compiled_rules(self, options: Record, policy: str, *, memoize_calls: bool) -> CompiledRules:
        """Return the compiled rules under one choice of options and one policy."""
        key = options, policy, memoize_calls
        if key not in self._compiled:
            self._compiled[key] = CompiledRules(self, options, policy, memoize_calls=memoize_calls)
        return self._compiled[key]
