"""What a review finds: mistakes with their places, and what it learns on the way.

Every reading of every rule writes here, so that a rule which is called in several ways is judged
by all of them together: a comparison is a mistake only when it fails for every caller.
A budget counts the steps; a text that wants more ends in one mistake instead of a long wait.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import NamedTuple

from handful.errors import RuleError, did_you_mean, format_choices
from handful.rules.compiler import Compiler
from handful.rules.ruleset import Ruleset
from handful.rules.shapes import NON_VALUES, TEXT, Shape, describe_shape, join

MAX_STEPS = 200_000  # about a second; the largest shipped game needs a hundredth
MAX_ERRORS = 100

Place = tuple[str, int, int]


class AnalysisStopped(Exception):
    """The budget is spent, or there are mistakes enough."""


class Comparison(NamedTuple):
    """A `==` or `!=` with everything that was ever seen on both sides of it."""

    rule: str
    node: ast.Compare
    left: Shape
    right: Shape


class SyntaxFacts:
    """What the syntax of one rule text shows at a glance."""

    def __init__(self, tree: ast.Module) -> None:
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        self.reads = {node.id for node in names if isinstance(node.ctx, ast.Load)}
        self.tested = {
            _queried_name(node.args[0])
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "given"
        }
        self.set_under: dict[str, set[str]] = {}
        self._conditions: dict[ast.expr, tuple[str, frozenset[str]]] = {}
        self._follow(tree.body, frozenset())

    def conditions(self, test: ast.expr) -> frozenset[str]:
        """What holds where a test has passed: the test itself, and each part of an `and`."""
        return self._condition(test)[1]

    def opposite(self, test: ast.expr) -> frozenset[str]:
        """What holds where a test has failed."""
        return frozenset((f"not ({self._condition(test)[0]})",))

    def _condition(self, test: ast.expr) -> tuple[str, frozenset[str]]:
        if test not in self._conditions:
            text = ast.unparse(test)
            parts = test.values if isinstance(test, ast.BoolOp) else []
            whole = frozenset((text,))
            if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
                whole = whole.union(*(self.conditions(part) for part in parts))
            self._conditions[test] = text, whole
        return self._conditions[test]

    def _follow(self, statements: list[ast.stmt], under: frozenset[str]) -> None:
        """Notes under which tests each variable gets a value."""
        for statement in statements:
            if isinstance(statement, (ast.Assign, ast.AugAssign, ast.For)):
                self.set_under.setdefault(_assigned_name(statement), set()).update(under)
            if isinstance(statement, ast.If):
                text = self._condition(statement.test)[0]
                self._follow(statement.body, under | {text})
                self._follow(statement.orelse, under | self.opposite(statement.test))
            elif isinstance(statement, (ast.For, ast.While)):
                self._follow(statement.body, under)


def _assigned_name(statement: ast.Assign | ast.AugAssign | ast.For) -> str:
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    return target.id if isinstance(target, ast.Name) else ""


def _queried_name(node: ast.expr) -> str:
    """The name that `given(…)` asks about: of a variable, or of a field."""
    match node:
        case ast.Name(name) | ast.Attribute(_, name):
            return name
    return ""


class Findings:
    """The state of one review."""

    def __init__(self, ruleset: Ruleset, compiled: Mapping[str, Compiler]) -> None:
        self.ruleset, self.compiled = ruleset, compiled
        self.errors: dict[tuple[str, int, int, str], RuleError] = {}
        self.results: dict[tuple[str, tuple[Shape, ...]], Shape] = {}
        self.side_fields: set[tuple[str, str]] = set()  # (check, parameter) that something reads
        self._compared: dict[Place, Comparison] = {}
        self._facts: dict[str, SyntaxFacts] = {}
        self._left = MAX_STEPS

    def facts(self, rule: str) -> SyntaxFacts:
        if rule not in self._facts:
            self._facts[rule] = SyntaxFacts(self.tree(rule))
        return self._facts[rule]

    def tree(self, rule: str) -> ast.Module:
        return self.compiled[rule].tree or ast.Module([], [])

    def report(
        self,
        rule: str,
        node: ast.AST,
        message: str,
        hint: str,
        *,
        at: tuple[int, int] | None = None,
    ) -> None:
        """Notes a mistake at a node, or at a line and offset beside it."""
        compiler = self.compiled[rule]
        line, column, end = compiler.span(node, at)
        self.errors.setdefault(
            (rule, line, column, message), compiler.make_error(message, hint, line, column, end)
        )
        if len(self.errors) >= MAX_ERRORS:
            raise AnalysisStopped

    def step(self, rule: str, node: ast.AST, cost: int = 1) -> None:
        """Counts a step; ends the review when there were too many."""
        self._left -= cost
        if self._left < 0:
            self.report(
                rule,
                node,
                "the rules are too long or too entangled to be looked over",
                "use shorter rules, fewer loops inside loops, and fewer ways to call a rule",
            )
            raise AnalysisStopped

    # -- comparisons, judged at the end

    def compare(self, rule: str, node: ast.Compare, left: Shape, right: Shape) -> None:
        """Remembers what was compared here."""
        place = (rule, node.lineno, node.col_offset)
        seen = self._compared.get(place)
        if seen is not None:
            left, right = join(seen.left, left), join(seen.right, right)
        self._compared[place] = Comparison(rule, node, left, right)

    def judge(self) -> None:
        """Finds the comparisons that always come out the same."""
        for compared in self._compared.values():
            left, right = compared.left.value_kinds, compared.right.value_kinds
            if not left or not right:
                continue
            if not left & right:
                self.report(
                    compared.rule,
                    compared.node,
                    f"{_describe_value_kinds(compared.left)} is never the same as {_describe_value_kinds(compared.right)}",
                    "compare two values of the same kind",
                )
            elif left | right == {TEXT}:
                self._judge_texts(compared)

    def _judge_texts(self, compared: Comparison) -> None:
        left, right = compared.left.texts, compared.right.texts
        if left is None or right is None or left & right:
            return
        node, other = compared.node.comparators[0], compared.node.left
        literal, possible = right, left
        if isinstance(other, ast.Constant):
            node, other, literal, possible = other, node, left, right
        word = min(literal)
        self.report(compared.rule, node, f"{abbreviate(other)} is never {word!r}", suggest(word, possible))


def _describe_value_kinds(shape: Shape) -> str:
    return describe_shape(shape.without_kinds(NON_VALUES))


def abbreviate(node: ast.AST, longest: int = 40) -> str:
    """An expression as it stands in a message."""
    text = ast.unparse(node)
    return text if len(text) <= longest else text[: longest - 1] + "…"


def suggest(word: str, known: frozenset[str] | list[str], has: str = "it can be") -> str:
    """The name that was probably meant, or all that would be right."""
    names = sorted(known) if isinstance(known, frozenset) else known
    guess = did_you_mean(word, names)
    shown = [*map(repr, names[:12]), *(["…"] if len(names) > 12 else [])]
    return f"{guess} {has} {format_choices(shown)}".strip()
