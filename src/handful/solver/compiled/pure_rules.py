"""Compiles pure rules (no dice, no decisions) to Python functions.

They compute with the functions of the interpreter (`rules.functions`), so arguments may be constants or
symbolic numbers.  A function takes a set that collects events, then the rule's parameters in order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handful.rules.codegen.folding import ControlFlow, fold
from handful.rules.codegen.rule_emitter import RuleEmitter
from handful.rules.codegen.source import NotCompilable
from handful.rules.expression_tree import Expr, Tree
from handful.rules.program import (
    MAX_STEPS,
    Call,
    EmitEvent,
    Instruction,
    Jump,
    JumpUnless,
    Let,
    LoopExit,
    LoopHead,
    Record,
    Refuse,
    Result,
    SetSide,
)
from handful.solver.plan import Plan

PureFunction = Callable[..., dict[str, Any]]


class PureRuleEmitter(RuleEmitter):
    """Emits one pure rule; `compiled_function` returns the rules that it calls, with their parameters."""

    def __init__(
        self,
        plan: Plan,
        options: Record,
        compiled_function: Callable[[str, frozenset[str] | None], tuple[PureFunction, tuple[str, ...]]],
    ) -> None:
        self.plan, self.options, self.compiled_function = plan, options, compiled_function
        names = {name: f"p{at}" for at, name in enumerate(plan.program.params)}
        parameters = "".join(f", {name}" for name in names.values())
        super().__init__(ControlFlow(plan.code, options), names, f"def solve(events{parameters}):", {})

    def compile(self) -> PureFunction:
        self.source.line("at = 0")
        self.blocks(MAX_STEPS)
        name = self.source.constant(f"the rule {self.plan.program.name!r} goes on without end")
        self.source.line(f"raise TooBig({name})")
        return self.source.compile_function()

    def tree(self, expr: Expr) -> Tree:
        return fold(expr.tree, self.options)

    def instruction(self, step: Instruction, pc: int) -> None:
        source = self.source
        match step:
            case Let(var, expr):
                source.line(f"{self.var(var)} = {self.expr(expr)}")
            case EmitEvent(name):
                source.line(f"events.add({source.constant(name)})")
            case Refuse(word):
                source.line(f"raise Refusal({source.constant(word)})")
            case Call(var, rule):
                pure_function, params = self.compiled_function(rule, self.plan.called_fields[step.var])
                args = ", ".join(["events", *self.arguments(step, params)])
                source.line(f"{self.var(var)} = {source.constant(pure_function)}({args})")
            case Result(fields):
                entries = ", ".join(f"{source.constant(name)}: {self.expr(expr)}" for name, expr in fields)
                # If only some fields are wanted, the caller never uses the record itself.
                all_fields = self.plan.wanted is None
                source.line(f"return Record({{{entries}}})" if all_fields else f"return {{{entries}}}")
            case Jump() | SetSide() | LoopHead() | LoopExit() | JumpUnless():
                pass
            case _:
                raise NotCompilable


__all__ = ["PureFunction", "PureRuleEmitter"]
