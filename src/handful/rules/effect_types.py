"""Shapes of effects: rolls, decisions and calls of other rules.

Checks the arguments of each effect.  A called rule is analyzed once per combination of argument
shapes (`call_rule`, implemented by `TypeChecker`).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from handful.errors import Message
from handful.rules.analysis_state import abbreviate, quoted, suggest
from handful.rules.expression_types import ExpressionTypes
from handful.rules.shapes import (
    A_POOL,
    ANY_TEXT,
    DIE,
    LIST,
    NUMBER,
    POOL,
    RECORD,
    TEXT,
    UNKNOWN,
    Shape,
    join_all,
)


class EffectTypes(ExpressionTypes):
    """Shape inference for the effects of one rule."""

    def effect(self, node: ast.Call, name: str) -> Shape:
        """Check an effect and return the shape of its result."""
        match name:
            case "roll":
                self._check_arguments(node, (NUMBER, POOL), (DIE,))
                self._check_keywords(node, NUMBER)
                return A_POOL
            case "reroll":
                self._check_arguments(node, (POOL,), (DIE,))
                return A_POOL
            case "choose":
                self._check_arguments(node, (), (POOL,), (NUMBER,))
                self._check_keywords(node, POOL)
                return A_POOL
            case "ask":
                return self._ask(node)
        return self._rule_call(node, name)

    def _check_arguments(self, node: ast.Call, *expected: tuple[str, ...]) -> None:
        """Check positional arguments; an empty tuple of kinds stands for a literal name."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        for arg, kinds in zip(node.args, expected, strict=False):
            if kinds:
                self.require(arg, self.shape_of(arg), *kinds, what=name)

    def _check_keywords(self, node: ast.Call, kind: str) -> None:
        for keyword in node.keywords:
            what = f"'{keyword.arg}'"
            self.require(keyword.value, self.shape_of(keyword.value), kind, what=what)

    # -- decisions

    def _ask(self, node: ast.Call) -> Shape:
        decision = self.state.ruleset.decisions[_literal_text(node.args[0])]
        options = self.shape_of(node.args[1])
        self.require(node.args[1], options, LIST, what="ask")
        entry = options.entry_shape()
        self.require(node.args[1], entry, TEXT, what=Message("part.ask_option"))
        declared = list(decision.answers)
        for word in sorted(entry.texts or ()):
            if word not in declared:
                self.report(
                    _find_literal(node.args[1], word),
                    Message("ruleset.unknown-answer.decision", name=decision.name, word=word),
                    suggest(
                        word,
                        declared,
                        Message("ruleset_advice.answers", decision=decision.name, names=quoted(declared)),
                    ),
                )
        for keyword in node.keywords:
            self._policy(keyword, entry)
        return entry if TEXT in entry.kinds else ANY_TEXT

    def _policy(self, keyword: ast.keyword, entry: Shape) -> None:
        """Check that a policy (`usual`, `never`) answers with one of the options."""
        shape = self.shape_of(keyword.value)
        self.require(keyword.value, shape, TEXT, what=f"'{keyword.arg}'")
        if entry.texts and shape.texts and not entry.texts & shape.texts:
            word = min(shape.texts)
            self.report(
                keyword.value,
                Message("ruleset.unknown-answer.option", word=word),
                suggest(word, entry.texts, Message("ruleset_advice.can_be", names=quoted(entry.texts))),
            )

    # -- other rules

    def _rule_call(self, node: ast.Call, name: str) -> Shape:
        given = {str(k.arg): self.shape_of(k.value) for k in node.keywords if k.arg is not None}
        spread = []
        for keyword in node.keywords:
            if keyword.arg is None:
                spread.append((keyword.value, self.shape_of(keyword.value)))
                self.require(*spread[-1], RECORD, what="'**'")
        args = {**self._spread_arguments(name, [shape for _, shape in spread], given), **given}
        missing = [param for param in self._params(name) if param not in args]
        if missing and all(RECORD in shape.kinds for _, shape in spread):
            record, shape = spread[0]
            self.report(
                record,
                Message("ruleset.arguments.missing", rule=name, missing=missing),
                Message(
                    "ruleset_advice.add_field",
                    record=abbreviate(record),
                    fields=shape.known_fields()[:12],
                    missing=missing[0],
                ),
            )
        return self.call_rule(name, {p: args.get(p, UNKNOWN) for p in self._params(name)}, node)

    def _params(self, rule: str) -> tuple[str, ...]:
        return self.state.compiled[rule].params

    def _spread_arguments(
        self, rule: str, records: list[Shape], given: Mapping[str, Shape]
    ) -> dict[str, Shape]:
        """Return the arguments that `**record` supplies, and note the side fields that are read."""
        reads = self.state.facts(rule).reads
        args = {}
        for param in self._params(rule):
            sources = [record for record in records if record.field(param) is not None]
            if not sources or param in given:
                continue
            args[param] = join_all(record.field(param) or UNKNOWN for record in sources)
            if param in reads:
                side_checks = frozenset().union(*(record.side_checks for record in sources))
                self.state.side_fields |= {(check, param) for check in side_checks}
        return args

    def call_rule(self, rule: str, args: dict[str, Shape], node: ast.Call) -> Shape:
        """Return the shape of a rule's result for these arguments."""
        raise NotImplementedError


def _literal_text(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else ""


def _find_literal(node: ast.expr, word: str) -> ast.expr:
    """Return the node of a string literal inside an expression, for the error position."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and part.value == word:
            return part
    return node
