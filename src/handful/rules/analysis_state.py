"""Shared state of one static analysis: errors with positions, and facts collected during the passes.

`rules.analysis` runs the passes, and reports unused declarations from the facts that are collected here.
Every pass over every rule writes here, so that a rule called with several shapes is judged by all of
them together: a comparison is an error only if it is constant for every caller.
A step budget bounds the analysis; a source that exceeds it ends in one error.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import NamedTuple

from handful.errors import Message, RuleError, Text, did_you_mean
from handful.rules.compiler import Compiler
from handful.rules.ruleset import Ruleset
from handful.rules.shapes import NON_VALUES, TEXT, Shape, describe_shape, join

MAX_STEPS = 200_000  # about one second; the largest shipped game needs 1% of it
MAX_ERRORS = 100

Place = tuple[str, int, int]


class AnalysisStopped(Exception):
    """Raised when the step budget is exhausted or enough errors are found."""


class Comparison(NamedTuple):
    """A `==` or `!=` with the joined shapes of both operands over all calls."""

    rule: str
    node: ast.Compare
    left: Shape
    right: Shape


class SyntaxFacts:
    """Facts that follow from the syntax of one rule: names read, and conditions of assignments."""

    def __init__(self, tree: ast.Module) -> None:
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        self.reads = {node.id for node in names if isinstance(node.ctx, ast.Load)}
        self.queried = {
            _queried_name(node.args[0])
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "given"
        }
        self.assigned_under: dict[str, set[str]] = {}
        self._conditions: dict[ast.expr, tuple[str, frozenset[str]]] = {}
        self._record_assignments(tree.body, frozenset())

    def conditions(self, test: ast.expr) -> frozenset[str]:
        """Return the conditions that hold if a test passed: the test, and each operand of an `and`."""
        return self._condition(test)[1]

    def negated_conditions(self, test: ast.expr) -> frozenset[str]:
        """Return the conditions that hold if a test failed."""
        return frozenset((f"not ({self._condition(test)[0]})",))

    def _condition(self, test: ast.expr) -> tuple[str, frozenset[str]]:
        if test not in self._conditions:
            text = ast.unparse(test)
            parts = test.values if isinstance(test, ast.BoolOp) else []
            conditions = frozenset((text,))
            if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
                conditions = conditions.union(*(self.conditions(part) for part in parts))
            self._conditions[test] = text, conditions
        return self._conditions[test]

    def _record_assignments(self, statements: list[ast.stmt], enclosing: frozenset[str]) -> None:
        """Record the conditions under which each variable is assigned."""
        for statement in statements:
            if isinstance(statement, (ast.Assign, ast.AugAssign, ast.For)):
                self.assigned_under.setdefault(_assigned_name(statement), set()).update(enclosing)
            if isinstance(statement, ast.If):
                text = self._condition(statement.test)[0]
                self._record_assignments(statement.body, enclosing | {text})
                self._record_assignments(
                    statement.orelse, enclosing | self.negated_conditions(statement.test)
                )
            elif isinstance(statement, (ast.For, ast.While)):
                self._record_assignments(statement.body, enclosing)


def _assigned_name(statement: ast.Assign | ast.AugAssign | ast.For) -> str:
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    return target.id if isinstance(target, ast.Name) else ""


def _queried_name(node: ast.expr) -> str:
    """Return the variable or field that `given(…)` asks about."""
    match node:
        case ast.Name(name) | ast.Attribute(_, name):
            return name
    return ""


class AnalysisState:
    """Errors and facts of one analysis."""

    def __init__(self, ruleset: Ruleset, compiled: Mapping[str, Compiler]) -> None:
        self.ruleset, self.compiled = ruleset, compiled
        self.errors: dict[tuple[str, int, int, Message], RuleError] = {}
        self.results: dict[tuple[str, tuple[Shape, ...]], Shape] = {}
        self.side_fields: set[tuple[str, str]] = set()  # (check, parameter) that some rule reads
        self._comparisons: dict[Place, Comparison] = {}
        self._facts: dict[str, SyntaxFacts] = {}
        self._steps_left = MAX_STEPS

    def facts(self, rule: str) -> SyntaxFacts:
        """Return the syntax facts of a rule, computed once."""
        if rule not in self._facts:
            self._facts[rule] = SyntaxFacts(self.tree(rule))
        return self._facts[rule]

    def tree(self, rule: str) -> ast.Module:
        """Return the syntax tree of a rule; empty if it did not parse."""
        return self.compiled[rule].tree or ast.Module([], [])

    def report(
        self,
        rule: str,
        node: ast.AST,
        message: Message,
        hint: Text,
        *,
        at: tuple[int, int] | None = None,
    ) -> None:
        """Record an error at a node, or at the position `at`."""
        compiler = self.compiled[rule]
        line, column, end = compiler.span(node, at)
        self.errors.setdefault(
            (rule, line, column, message), compiler.make_error(message, hint, line, column, end)
        )
        if len(self.errors) >= MAX_ERRORS:
            raise AnalysisStopped

    def step(self, rule: str, node: ast.AST, cost: int = 1) -> None:
        """Charge the step budget; stop the analysis when it is exhausted."""
        self._steps_left -= cost
        if self._steps_left < 0:
            self.report(
                rule,
                node,
                Message("ruleset.limit.rules_too_complex"),
                Message("ruleset_advice.simpler_rules"),
            )
            raise AnalysisStopped

    # -- comparisons, reported at the end

    def record_comparison(self, rule: str, node: ast.Compare, left: Shape, right: Shape) -> None:
        """Join the operands' shapes into the record of this comparison."""
        key = (rule, node.lineno, node.col_offset)
        earlier = self._comparisons.get(key)
        if earlier is not None:
            left, right = join(earlier.left, left), join(earlier.right, right)
        self._comparisons[key] = Comparison(rule, node, left, right)

    def report_constant_comparisons(self) -> None:
        """Report the comparisons that are constant for every caller."""
        for comparison in self._comparisons.values():
            left, right = comparison.left.value_kinds, comparison.right.value_kinds
            if not left or not right:
                continue
            if not left & right:
                self.report(
                    comparison.rule,
                    comparison.node,
                    Message(
                        "ruleset.never-equal.kinds",
                        left=_describe(comparison.left),
                        right=_describe(comparison.right),
                    ),
                    Message("ruleset_advice.compare_same_kind"),
                )
            elif left | right == {TEXT}:
                self._report_constant_texts(comparison)

    def _report_constant_texts(self, comparison: Comparison) -> None:
        left, right = comparison.left.texts, comparison.right.texts
        if left is None or right is None or left & right:
            return
        node, other = comparison.node.comparators[0], comparison.node.left
        literal, possible = right, left
        if isinstance(other, ast.Constant):
            node, other, literal, possible = other, node, left, right
        word = min(literal)
        self.report(
            comparison.rule,
            node,
            Message("ruleset.never-equal.word", other=abbreviate(other), word=word),
            suggest(word, possible, Message("ruleset_advice.can_be", names=quoted(possible))),
        )


def _describe(shape: Shape) -> Message:
    return describe_shape(shape.without_kinds(NON_VALUES))


def abbreviate(node: ast.AST, longest: int = 40) -> str:
    """Return an expression's source, shortened for a message."""
    text = ast.unparse(node)
    return text if len(text) <= longest else text[: longest - 1] + "…"


def quoted(known: frozenset[str] | list[str]) -> list[str]:
    """Return the first names of a list in quotation marks, for a message."""
    names = sorted(known) if isinstance(known, frozenset) else known
    return [*map(repr, names[:12]), *(["…"] if len(names) > 12 else [])]


def suggest(word: str, known: frozenset[str] | list[str], choices: Message) -> Message:
    """Return a hint: the closest name, if there is one, and the valid ones."""
    closest = did_you_mean(word, sorted(known) if isinstance(known, frozenset) else known)
    return Message("ruleset_advice.both", first=closest, second=choices) if closest else choices
