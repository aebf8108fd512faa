"""Emits calls of other rules: as a pure function, inlined, or solved at run time.

Hides which of the three was chosen: the caller finds the called rule's fields in its variables.
Invariant: a failed attempt to inline is rewound completely, both source and scope.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Protocol

from handful.errors import RuleError, TooBig
from handful.roll import call_arguments
from handful.rules.codegen.source import NotCompilable
from handful.rules.operators import Unresolved, Value
from handful.rules.program import (
    EVENTS,
    Call,
    Env,
    Instruction,
    Program,
    Record,
    Refusal,
    Result,
    initial_env,
    run,
)
from handful.solver.compiled.pure_rules import PureFunction
from handful.solver.compiled.results import ResultEmitter
from handful.solver.compiled.staged import Number, StagedNumber
from handful.solver.compiled.throws import ThrowEmitter
from handful.solver.compiled.values import StagedRecord
from handful.solver.plan import Plan

MAX_LINES_BEFORE_INLINING = 150  # a longer function calls the rule at run time instead
RULE_ERRORS = (Refusal, RuleError, TooBig)  # the interpreter raises them again, with line and column
Slope = Callable[[str, Record, frozenset[str]], int | Fraction]


class RuleInfo(Protocol):
    """Information about the ruleset that the emitter needs: other rules, options, the policy."""

    policy: str
    options: Record
    memoize_calls: bool  # solve called rules at run time and memoize them, instead of inlining

    def program(self, rule: str) -> Program: ...
    def is_pure(self, rule: str) -> bool: ...
    def emits_events(self, rule: str) -> bool: ...
    def plan(self, rule: str, wanted: frozenset[str] | None) -> Plan: ...
    def pure_function(
        self, rule: str, wanted: frozenset[str] | None
    ) -> tuple[PureFunction, tuple[str, ...]]: ...


class CallEmitter(ThrowEmitter, ResultEmitter):
    """Emits calls of other rules."""

    def __init__(self, rules: RuleInfo, plan: Plan, slope: Slope) -> None:
        super().__init__()
        self.rules, self.plan, self.slope = rules, plan, slope

    def emit_stop(self, pc: int, env: Env) -> bool:
        """Emit a stop; return True if everything after it has been emitted already."""
        raise NotImplementedError

    def emit_pure_call(self, step: Call, env: Env) -> StagedRecord:
        """Emit a call of a pure rule; fields of its result are guarded like arguments."""
        function, params = self.rules.pure_function(step.rule, self.plan.called_fields[step.var])
        args = self._arguments(step, env)
        texts = [self.text(args[name]) for name in params]
        sample = function(set(), *(self._sample(args[name]) for name in params))
        events = "IGNORED_EVENTS"
        if self.rules.emits_events(step.rule):
            events = self.source.fresh("e")
            self.source.line(f"{events} = set()")
            self.scope.event_locals = (*self.scope.event_locals, events)
        name = self.source.fresh("r")
        self.source.line(f"{name} = {self.source.constant(function)}({', '.join([events, *texts])})")
        return self.stage_record(Record(sample), name)

    def emit_call(self, step: Call, pc: int, env: Env) -> bool:
        """Emit a call of a rule with dice; return True if everything after it has been emitted."""
        wanted = self.plan.called_fields[step.var]
        memoize = self.rules.memoize_calls and wanted is not None and len(wanted) == 1
        if not memoize and self._inline_straight(step, env):
            return False
        if wanted is None or len(wanted) != 1:
            raise NotCompilable
        constant, (field,) = self.source.constant, wanted
        args = Record(self._arguments(step, env))
        arguments = self.text(args)
        slope = self._slope(step.rule, args, wanted)
        silent = not self.rules.emits_events(step.rule)
        if silent and not memoize and self._inline_branches(step, env, args, field, slope):
            return False
        given = ", ".join([constant(step.rule), arguments, constant(wanted), constant(slope)])
        call = f"runtime.distributions({given})"
        series, variable = self.source.fresh("s"), self.new_variable()
        env[step.var] = Record({field: StagedNumber(self, ((variable, slope),), (), 0)})
        if not self.rules.emits_events(step.rule):
            self.source.line(f"((_, {series}),) = {call}")
            self.scope.series[variable] = series
            return False
        branch, events = self.enter_loop(), self.source.fresh("e")
        branch.series[variable], branch.partial = series, branch.partial | {variable}
        branch.event_locals = (*branch.event_locals, events)
        with self.source.block(f"for {events}, {series} in {call}:"):
            self.emit_from(pc + 1, env, branch)
        return True

    def _inline_straight(self, step: Call, env: Env) -> bool:
        """Inline a called rule, if it runs to its result without branching."""
        outer, mark, scope = self.plan, self.source.mark(), self.scope
        self.scope = scope.copy()
        own_env = dict(initial_env(self._program(step), self._arguments(step, env), self.rules.options))
        self.plan = self.rules.plan(step.rule, outer.called_fields[step.var])
        pc = 0
        try:
            while True:
                pc = run(self.plan.program, self.plan.code, pc, own_env)
                result = self.plan.code[pc]
                if self.scope.pending:
                    break
                if isinstance(result, Result):
                    fields = {name: expr.value(own_env) for name, expr in result.fields}
                    if self.scope.pending:
                        break
                    env[step.var], env[EVENTS] = Record(fields), env[EVENTS] | own_env[EVENTS]
                    return True
                if self._opens_a_block(result) or self.emit_stop(pc, own_env):
                    break
                pc += 1
        except (Unresolved, NotCompilable, *RULE_ERRORS):
            pass
        finally:
            self.plan = outer
        self.source.rewind(mark)
        self.scope = scope
        return False

    def _inline_branches(self, step: Call, env: Env, args: Record, field: str, slope: Number) -> bool:
        """Inline a called rule with all its branches, and sum their parts at its end."""
        outer, outer_sum, mark, scope = self.plan, self.inlined_sum, self.source.mark(), self.scope
        if len(self.source.lines) > MAX_LINES_BEFORE_INLINING:
            return False
        parts, series, variable = self.source.fresh("q"), self.source.fresh("s"), self.new_variable()
        self.source.line(f"{parts} = []")
        self.plan = self.rules.plan(step.rule, outer.called_fields[step.var])
        self.inlined_sum = parts, slope
        try:
            self.emit_from(
                0, initial_env(self._program(step), args, self.rules.options), scope.for_called_rule()
            )
        except (Unresolved, NotCompilable):
            self.source.rewind(mark)
            return False
        finally:
            self.plan, self.inlined_sum, self.scope = outer, outer_sum, scope
        self.source.line(f"{series} = mixture({parts})")
        scope.series[variable] = series
        env[step.var] = Record({field: StagedNumber(self, ((variable, slope),), (), 0)})
        return True

    def _opens_a_block(self, step: Instruction) -> bool:
        return isinstance(step, Call) and self.rules.emits_events(step.rule)

    def _program(self, step: Call) -> Program:
        return self.rules.program(step.rule)

    def _arguments(self, step: Call, env: Env) -> dict[str, Value]:
        return call_arguments(self._program(step), step, env)

    def _slope(self, rule: str, args: Record, wanted: frozenset[str]) -> int | Fraction:
        """Return the slope of the result in the sample; `Runtime.distributions` checks it in each call."""
        try:
            return self.slope(rule, self._sample(args), wanted)
        except (NotCompilable, *RULE_ERRORS):
            return 1
