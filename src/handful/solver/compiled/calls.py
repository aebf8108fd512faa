"""Rules that a written rule calls: computed, written in place, or asked for when it runs."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Protocol

from handful.errors import RuleError, TooBig
from handful.roll import call_arguments
from handful.rules.codegen.source import Unwritten
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
from handful.solver.compiled.pure_rules import Quiet
from handful.solver.compiled.results import Results
from handful.solver.compiled.staged import Form, Number
from handful.solver.compiled.throws import Throws
from handful.solver.compiled.values import RecordToken
from handful.solver.plan import Plan

MOST_BEFORE = 150  # lines before a called rule that is written in place
MISTAKES = (Refusal, RuleError, TooBig)  # the general way finds them again, with their place
Slope = Callable[[str, Record, frozenset[str]], int | Fraction]


class Rules(Protocol):
    """What the writer wants to know about the other rules, and the policy."""

    policy: str
    options: Record
    apart: bool  # whether called rules are remembered rather than written in place

    def program(self, rule: str) -> Program: ...
    def is_quiet(self, rule: str) -> bool: ...
    def tells(self, rule: str) -> bool: ...
    def plan(self, rule: str, wanted: frozenset[str] | None) -> Plan: ...
    def quiet(self, rule: str, wanted: frozenset[str] | None) -> tuple[Quiet, tuple[str, ...]]: ...


class Calls(Throws, Results):
    """Writes what becomes of a called rule."""

    def __init__(self, rules: Rules, plan: Plan, slope: Slope) -> None:
        super().__init__()
        self.rules, self.plan, self.slope = rules, plan, slope

    def stopped(self, pc: int, env: Env) -> bool:
        """Pass a stop; gives whether all that follows has been written already."""
        raise NotImplementedError

    def computed(self, step: Call, env: Env) -> RecordToken:
        """Write a call of a rule without dice; fields of its result are guarded like arguments."""
        function, params = self.rules.quiet(step.rule, self.plan.called_fields[step.var])
        args = self._arguments(step, env)
        texts = [self.text(args[name]) for name in params]
        sample = function(set(), *(self._sample(args[name]) for name in params))
        events = "NOBODY"
        if self.rules.tells(step.rule):
            events = self.page.fresh("e")
            self.page.line(f"{events} = set()")
            self.path.told = (*self.path.told, events)
        name = self.page.fresh("r")
        self.page.line(f"{name} = {self.page.constant(function)}({', '.join([events, *texts])})")
        return self.token(Record(sample), name)

    def called(self, step: Call, pc: int, env: Env) -> bool:
        wanted = self.plan.called_fields[step.var]
        apart = self.rules.apart and wanted is not None and len(wanted) == 1
        if not apart and self._inlined(step, env):
            return False
        if wanted is None or len(wanted) != 1:
            raise Unwritten
        constant, (field,) = self.page.constant, wanted
        args = Record(self._arguments(step, env))
        given = self.text(args)
        slope = self._slope(step.rule, args, wanted)
        silent = not self.rules.tells(step.rule)
        if silent and not apart and self._poured(step, env, args, field, slope):
            return False
        call = f"ask.rule({constant(step.rule)}, {given}, {constant(wanted)}, {constant(slope)})"
        series, axis = self.page.fresh("s"), self.axis()
        env[step.var] = Record({field: Form(self, ((axis, slope),), (), 0)})
        if not self.rules.tells(step.rule):
            self.page.line(f"((_, {series}),) = {call}")
            self.path.series[axis] = series
            return False
        branch, events = self.into_loop(), self.page.fresh("e")
        branch.series[axis], branch.partial = series, branch.partial | {axis}
        branch.told = (*branch.told, events)
        with self.page.block(f"for {events}, {series} in {call}:"):
            self.follow(pc + 1, env, branch)
        return True

    def _inlined(self, step: Call, env: Env) -> bool:
        """Write a called rule in place, if it runs straight to its result."""
        outer, mark, path = self.plan, self.page.mark(), self.path
        self.path = path.copy()
        own = dict(initial_env(self._program(step), self._arguments(step, env), self.rules.options))
        self.plan = self.rules.plan(step.rule, outer.called_fields[step.var])
        pc = 0
        try:
            while True:
                pc = run(self.plan.program, self.plan.code, pc, own)
                result = self.plan.code[pc]
                if self.path.pending:
                    break
                if isinstance(result, Result):
                    fields = {name: expr.value(own) for name, expr in result.fields}
                    if self.path.pending:
                        break
                    env[step.var], env[EVENTS] = Record(fields), env[EVENTS] | own[EVENTS]
                    return True
                if self._opens_a_block(result) or self.stopped(pc, own):
                    break
                pc += 1
        except (Unresolved, Unwritten, *MISTAKES):
            pass
        finally:
            self.plan = outer
        self.page.rewind(mark)
        self.path = path
        return False

    def _poured(self, step: Call, env: Env, args: Record, field: str, slope: Number) -> bool:
        """Write a called rule in place, with all its branches, and add them up at its end."""
        outer, sink, mark, path = self.plan, self.sink, self.page.mark(), self.path
        if len(self.page.lines) > MOST_BEFORE:
            return False
        parts, series, axis = self.page.fresh("q"), self.page.fresh("s"), self.axis()
        self.page.line(f"{parts} = []")
        self.plan = self.rules.plan(step.rule, outer.called_fields[step.var])
        self.sink = parts, slope
        try:
            self.follow(0, initial_env(self._program(step), args, self.rules.options), path.apart())
        except (Unresolved, Unwritten):
            self.page.rewind(mark)
            return False
        finally:
            self.plan, self.sink, self.path = outer, sink, path
        self.page.line(f"{series} = together({parts})")
        path.series[axis] = series
        env[step.var] = Record({field: Form(self, ((axis, slope),), (), 0)})
        return True

    def _opens_a_block(self, step: Instruction) -> bool:
        return isinstance(step, Call) and self.rules.tells(step.rule)

    def _program(self, step: Call) -> Program:
        return self.rules.program(step.rule)

    def _arguments(self, step: Call, env: Env) -> dict[str, Value]:
        return call_arguments(self._program(step), step, env)

    def _slope(self, rule: str, args: Record, wanted: frozenset[str]) -> int | Fraction:
        """Of what the result is a multiple in the sample; `Asked.rule` checks it in each call."""
        try:
            return self.slope(rule, self._sample(args), wanted)
        except (Unwritten, *MISTAKES):
            return 1
