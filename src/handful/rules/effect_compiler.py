"""Compiles the effects of a rule to instructions: rolls, decisions and calls of other rules.

A program stops at each of these instructions until the answer comes from outside.  Policies (`usual`,
`never`) must be pure, so that odds can evaluate them without asking.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from handful.errors import did_you_mean, format_choices
from handful.rules.expression_compiler import ExpressionCompiler
from handful.rules.grammar import (
    KEEP_MODES,
    ROLES,
    CompileError,
    Declarations,
    called_name,
    read_declared_name,
)
from handful.rules.program import Ask, Call, Choose, Instruction, Reroll, RollDice


class EffectCompiler:
    """Compiles the effect calls of one rule."""

    def __init__(self, expressions: ExpressionCompiler, declarations: Declarations) -> None:
        self.expressions, self.declarations = expressions, declarations

    def compile(self, call: ast.Call, name: str, var: str) -> Instruction:
        """Return the instruction for a call; its result is assigned to `var`."""
        compile_call: Callable[[ast.Call, str], Instruction] = {
            "roll": self._roll,
            "reroll": self._reroll,
            "choose": self._choose,
            "ask": self._ask,
        }.get(name, self._call)
        return compile_call(call, var)

    def _roll(self, call: ast.Call, var: str) -> Instruction:
        named = _keywords(call, "more", "again", "add")
        if not 2 <= len(call.args) <= 3 or len(named) > 1:
            raise CompileError(
                call,
                "roll takes how many, which die and perhaps a role",
                'roll(3, d6), roll(1, d6, "wild"), roll(3, d6, more = 6)',
            )
        role = _literal(call.args[2], "role", ROLES) if len(call.args) == 3 else "regular"
        explodes_from = self.expressions.compile(next(iter(named.values()))) if named else None
        count, die = self.expressions.compile(call.args[0]), self.expressions.compile(call.args[1])
        return RollDice(var, count, die, role, explodes_from, "more" not in named, "add" in named)

    def _reroll(self, call: ast.Call, var: str) -> Instruction:
        named = _keywords(call, "keep")
        if len(call.args) != 2:
            raise CompileError(call, "reroll takes a pool and a die", "reroll(chosen, d6)")
        keep = _literal(named["keep"], "keep", KEEP_MODES) if named else "better"
        return Reroll(
            var, self.expressions.compile(call.args[0]), self.expressions.compile(call.args[1]), keep
        )

    def _choose(self, call: ast.Call, var: str) -> Instruction:
        named = _keywords(call, "usual")
        if len(call.args) != 3:
            raise CompileError(
                call,
                "choose takes a decision, a pool and how many dice at most",
                'choose("reroll", pool, 2)',
            )
        decision = read_declared_name(call.args[0], "decision", self.declarations.decisions)
        usual = self.expressions.compile_pure(named["usual"], "a policy") if named else None
        return Choose(
            var,
            decision,
            self.expressions.compile(call.args[1]),
            self.expressions.compile(call.args[2]),
            usual,
        )

    def _ask(self, call: ast.Call, var: str) -> Instruction:
        named = _keywords(call, "usual", "never")
        if len(call.args) != 2:
            raise CompileError(
                call,
                "ask takes a decision and a list of options",
                'ask("ruling", ["cancel", "complication"])',
            )
        decision = read_declared_name(call.args[0], "decision", self.declarations.decisions)
        usual = self.expressions.compile_pure(named["usual"], "a policy") if "usual" in named else None
        never = self.expressions.compile_pure(named["never"], "a policy") if "never" in named else None
        return Ask(var, decision, self.expressions.compile(call.args[1]), usual, never)

    def _call(self, call: ast.Call, var: str) -> Instruction:
        rule = called_name(call)
        params = self.declarations.rules[rule]
        if call.args:
            raise CompileError(
                call,
                f"arguments of {rule} are given by name",
                f"{rule}({', '.join(f'{p} = …' for p in params)})",
            )
        for keyword in call.keywords:
            if keyword.arg is not None and keyword.arg not in params:
                raise CompileError(
                    keyword.value,
                    f"the rule {rule!r} has no parameter {keyword.arg!r}",
                    did_you_mean(keyword.arg, params) or f"it has {format_choices(params)}",
                )
        given = [k.arg for k in call.keywords if k.arg is not None]
        missing = [p for p in params if p not in given]
        spread = tuple(self.expressions.compile(k.value) for k in call.keywords if k.arg is None)
        if missing and not spread:
            raise CompileError(call, f"the rule {rule!r} also needs {', '.join(missing)}")
        args = tuple((k.arg, self.expressions.compile(k.value)) for k in call.keywords if k.arg is not None)
        return Call(var, rule, args, spread)


def _keywords(call: ast.Call, *allowed: str) -> dict[str, ast.expr]:
    for keyword in call.keywords:
        if keyword.arg not in allowed:
            raise CompileError(
                keyword.value,
                f"{called_name(call)} does not know {keyword.arg!r}",
                f"it knows {format_choices(allowed)}",
            )
    return {str(k.arg): k.value for k in call.keywords}


def _literal(node: ast.expr, what: str, allowed: Sequence[str]) -> str:
    if isinstance(node, ast.Constant) and node.value in allowed:
        return str(node.value)
    raise CompileError(node, f"the {what} must be {format_choices(repr(name) for name in allowed)}")
