"""Rules without dice and questions, written out as Python functions.

They compute with the same functions as everywhere (`rules.functions`), so known and open numbers
may come in.  A function takes a set for events and then the rule's parameters in order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handful.rules.codegen.folding import Flow, folded
from handful.rules.codegen.rule_emitter import RuleWriter
from handful.rules.codegen.source import Unwritten
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

Quiet = Callable[..., dict[str, Any]]


class QuietRule(RuleWriter):
    """Writes one rule; `called` gives the functions of the rules that it calls."""

    def __init__(
        self,
        plan: Plan,
        options: Record,
        called: Callable[[str, frozenset[str] | None], tuple[Quiet, tuple[str, ...]]],
    ) -> None:
        self.plan, self.options, self.called = plan, options, called
        names = {name: f"p{at}" for at, name in enumerate(plan.program.params)}
        parameters = "".join(f", {name}" for name in names.values())
        super().__init__(Flow(plan.code, options), names, f"def solve(events{parameters}):", {})

    def function(self) -> Quiet:
        self.page.line("at = 0")
        self.blocks(MAX_STEPS)
        name = self.page.constant(f"the rule {self.plan.program.name!r} goes on without end")
        self.page.line(f"raise TooBig({name})")
        return self.page.function()

    def tree(self, expr: Expr) -> Tree:
        return folded(expr.tree, self.options)

    def instruction(self, step: Instruction, pc: int) -> None:
        page = self.page
        match step:
            case Let(var, expr):
                page.line(f"{self.var(var)} = {self.expr(expr)}")
            case EmitEvent(name):
                page.line(f"events.add({page.constant(name)})")
            case Refuse(word):
                page.line(f"raise Refusal({page.constant(word)})")
            case Call(var, rule):
                function, params = self.called(rule, self.plan.called_fields[step.var])
                args = ", ".join(["events", *self.arguments(step, params)])
                page.line(f"{self.var(var)} = {page.constant(function)}({args})")
            case Result(fields):
                entries = ", ".join(f"{page.constant(name)}: {self.expr(expr)}" for name, expr in fields)
                # Asked for some fields, nobody can get hold of the record itself.
                all_fields = self.plan.wanted is None
                page.line(f"return Record({{{entries}}})" if all_fields else f"return {{{entries}}}")
            case Jump() | SetSide() | LoopHead() | LoopExit() | JumpUnless():
                pass
            case _:
                raise Unwritten


__all__ = ["Flow", "Quiet", "QuietRule", "folded"]
