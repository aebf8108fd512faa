"""Emits calls of other rules: as a pure function, inlined, or solved at run time.

Hides which of the three was chosen: the caller finds the called rule's fields in its variables.
Invariant: a failed attempt to inline is rewound completely, both source and scope.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Protocol

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
from handful.solver.compiled.scope import OpenSeries, PackedSeries
from handful.solver.compiled.staged import StagedNumber
from handful.solver.compiled.throws import ThrowEmitter
from handful.solver.compiled.values import StagedRecord
from handful.solver.plan import Plan

RULE_ERRORS = (Refusal, RuleError, TooBig)  # the interpreter raises them again, with line and column


class Callee(Protocol):
    """A called rule with one wanted field, as a constant of the compiled code."""

    slope: int | Fraction  # of the numeric result; it is checked in each call
    is_open: bool  # its result may be endless; if not, that is checked in each call

    def packed(self, run: Any, args: Mapping[str, Any]) -> Any: ...
    def series(self, run: Any, args: Mapping[str, Any]) -> Any: ...
    def by_events(self, run: Any, args: Mapping[str, Any]) -> Any: ...


class RuleInfo(Protocol):
    """Information about the ruleset that the emitter needs: other rules, options, the policy."""

    policy: str
    options: Record
    memoize_calls: bool  # solve called rules at run time and memoize them, instead of inlining

    def program(self, rule: str) -> Program: ...
    def is_pure(self, rule: str) -> bool: ...
    def emits_events(self, rule: str) -> bool: ...
    def plan(self, rule: str, wanted: frozenset[str] | None) -> Plan: ...
    def callee(self, rule: str, wanted: frozenset[str], sample: Record | None) -> Callee: ...
    def pure_function(
        self, rule: str, wanted: frozenset[str] | None
    ) -> tuple[PureFunction, tuple[str, ...]]: ...


class CallEmitter(ThrowEmitter, ResultEmitter):
    """Emits calls of other rules."""

    def __init__(self, rules: RuleInfo, plan: Plan) -> None:
        super().__init__()
        self.rules, self.plan = rules, plan

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
            events = self.source.assign(self.source.fresh("e"), "set()")
            self.scope.event_locals = (*self.scope.event_locals, events)
        name, call = (
            self.source.fresh("r"),
            f"{self.source.constant(function)}({', '.join([events, *texts])})",
        )
        self.source.line(f"{name} = {call}", name, events)
        return self.stage_record(Record(sample), name)

    def emit_call(self, step: Call, pc: int, env: Env) -> bool:
        """Emit a call of a rule with dice; return True if everything after it has been emitted."""
        wanted = self.plan.called_fields[step.var]
        memoize = self.rules.memoize_calls and wanted is not None and len(wanted) == 1
        if not memoize and self._inline_straight(step, env):
            return False
        if wanted is None or len(wanted) != 1:
            raise NotCompilable
        (field,) = wanted
        args = {name: self.fixed(value) for name, value in self._arguments(step, env).items()}
        fields = ", ".join(
            f"{self.source.constant(name)}: {self.text(value)}" for name, value in args.items()
        )
        callee = self._callee(step.rule, args, wanted)
        rule, variable = self.source.constant(callee), self.new_variable()
        given = f"(run, {{{fields}}})"
        env[step.var] = Record({field: StagedNumber(self, ((variable, callee.slope),), (), 0)})
        if not self.rules.emits_events(step.rule):
            if callee.is_open:
                name = self.source.assign(self.source.fresh("s"), f"{rule}.series{given}")
                self.scope.series[variable] = OpenSeries(name)
            else:
                self.scope.series[variable] = self.new_packed(f"{rule}.packed{given}")
            return False
        branch, events = self.enter_loop(), self.source.fresh("e")
        own: PackedSeries | OpenSeries = OpenSeries(self.source.fresh("s"))
        if not callee.is_open:
            own = PackedSeries(self.source.fresh("s"), self.source.fresh("l"), self.source.fresh("d"))
        branch.series[variable], branch.partial = own, branch.partial | {variable}
        branch.event_locals = (*branch.event_locals, events)
        with self.source.block(f"for {', '.join((events, *own))} in {rule}.by_events{given}:", events, *own):
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

    def _opens_a_block(self, step: Instruction) -> bool:
        return isinstance(step, Call) and self.rules.emits_events(step.rule)

    def _program(self, step: Call) -> Program:
        return self.rules.program(step.rule)

    def _arguments(self, step: Call, env: Env) -> dict[str, Value]:
        return call_arguments(self._program(step), step, env)

    def _callee(self, rule: str, args: Mapping[str, Value], wanted: frozenset[str]) -> Callee:
        try:
            sample = self._sample(Record(args))
        except (NotCompilable, *RULE_ERRORS):
            sample = None
        return self.rules.callee(rule, wanted, sample)
