"""Compiles the effects of a rule to instructions: rolls, decisions and calls of other rules.

A program stops at each of these instructions until the answer comes from outside.  Policies (`usual`,
`never`) must be pure, so that odds can evaluate them without asking.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from handful.errors import Message, did_you_mean
from handful.rules.expression_compiler import ExpressionCompiler
from handful.rules.grammar import KEEP_MODES, ROLES, Declarations
from handful.rules.program import Ask, Call, Choose, Instruction, Reroll, RollDice
from handful.rules.syntax_trees import CompileError, called_name, read_declared_name


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
                Message("ruleset.arguments.roll"),
                'roll(3, d6), roll(1, d6, "wild"), roll(3, d6, more = 6)',
            )
        role = _literal(call.args[2], "role", ROLES) if len(call.args) == 3 else "regular"
        explodes_from = self.expressions.compile(next(iter(named.values()))) if named else None
        count, die = self.expressions.compile(call.args[0]), self.expressions.compile(call.args[1])
        return RollDice(var, count, die, role, explodes_from, "more" not in named, "add" in named)

    def _reroll(self, call: ast.Call, var: str) -> Instruction:
        named = _keywords(call, "keep")
        if len(call.args) != 2:
            raise CompileError(call, Message("ruleset.arguments.reroll"), "reroll(chosen, d6)")
        keep = _literal(named["keep"], "keep", KEEP_MODES) if named else "better"
        return Reroll(
            var, self.expressions.compile(call.args[0]), self.expressions.compile(call.args[1]), keep
        )

    def _choose(self, call: ast.Call, var: str) -> Instruction:
        named = _keywords(call, "usual")
        if len(call.args) != 3:
            raise CompileError(
                call,
                Message("ruleset.arguments.choose"),
                'choose("reroll", pool, 2)',
            )
        decision = read_declared_name(call.args[0], "decision", self.declarations.decisions)
        usual = self.expressions.compile_pure(named["usual"], Message("part.policy")) if named else None
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
                Message("ruleset.arguments.ask"),
                'ask("ruling", ["cancel", "complication"])',
            )
        decision = read_declared_name(call.args[0], "decision", self.declarations.decisions)
        usual = (
            self.expressions.compile_pure(named["usual"], Message("part.policy"))
            if "usual" in named
            else None
        )
        never = (
            self.expressions.compile_pure(named["never"], Message("part.policy"))
            if "never" in named
            else None
        )
        return Ask(var, decision, self.expressions.compile(call.args[1]), usual, never)

    def _call(self, call: ast.Call, var: str) -> Instruction:
        rule = called_name(call)
        params = self.declarations.rules[rule]
        if call.args:
            raise CompileError(
                call,
                Message("ruleset.arguments.by_name", rule=rule),
                f"{rule}({', '.join(f'{p} = …' for p in params)})",
            )
        for keyword in call.keywords:
            if keyword.arg is not None and keyword.arg not in params:
                raise CompileError(
                    keyword.value,
                    Message("ruleset.arguments.no_parameter", rule=rule, argument=keyword.arg),
                    did_you_mean(keyword.arg, params) or Message("ruleset_advice.has", params=params),
                )
        given = [k.arg for k in call.keywords if k.arg is not None]
        missing = [p for p in params if p not in given]
        spread = tuple(self.expressions.compile(k.value) for k in call.keywords if k.arg is None)
        if missing and not spread:
            raise CompileError(call, Message("ruleset.arguments.missing", rule=rule, missing=missing))
        args = tuple((k.arg, self.expressions.compile(k.value)) for k in call.keywords if k.arg is not None)
        return Call(var, rule, args, spread)


def _keywords(call: ast.Call, *allowed: str) -> dict[str, ast.expr]:
    for keyword in call.keywords:
        if keyword.arg not in allowed:
            raise CompileError(
                keyword.value,
                Message("ruleset.arguments.keyword", function=called_name(call), argument=keyword.arg),
                Message("ruleset_advice.knows", allowed=allowed),
            )
    return {str(k.arg): k.value for k in call.keywords}


def _literal(node: ast.expr, what: str, allowed: Sequence[str]) -> str:
    if isinstance(node, ast.Constant) and node.value in allowed:
        return str(node.value)
    raise CompileError(
        node, Message("ruleset.arguments.allowed", what=what, allowed=(repr(name) for name in allowed))
    )
