"""Shapes of expressions: infers each one, and checks that operands fit together.

`shape_of` walks an expression as the interpreter would, with shapes in place of values.
After an error the walk continues with the shape that the expression should have had.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from handful.errors import Message, Text
from handful.rules.analysis_state import AnalysisState, abbreviate, quoted, suggest
from handful.rules.functions import FUNCTIONS
from handful.rules.shapes import (
    A_DIE,
    A_NUMBER,
    A_TRUTH,
    ABSENT,
    CONVERSION_HINTS,
    DIE,
    KIND_NAMES,
    LIST,
    NONE,
    NUMBER,
    POOL,
    RECORD,
    SIGNATURES,
    SUM_OF_ROW,
    TAKES_NUMBERS,
    TEXT,
    TRUTH,
    UNKNOWN,
    UNSET,
    Kinds,
    Shape,
    describe_shape,
    join,
    join_all,
    list_of,
    shape_of_option,
    shape_of_value,
)
from handful.rules.syntax_trees import SYMBOLS

_DIE = re.compile(r"d[1-9][0-9]*\Z")


class ExpressionTypes:
    """Shape inference for the expressions of one rule."""

    def __init__(self, state: AnalysisState, rule: str) -> None:
        self.state, self.rule = state, rule
        self.facts = state.facts(rule)
        self.env: dict[str, Shape] = {}
        self.assumptions: list[frozenset[str]] = []  # conditions of the enclosing tests

    # -- reporting errors

    def report(
        self, node: ast.AST, message: Message, hint: Text, *, at: tuple[int, int] | None = None
    ) -> None:
        self.state.report(self.rule, node, message, hint, at=at)

    def require(self, node: ast.expr, shape: Shape, *kinds: str, what: Text) -> None:
        """Report an error unless the shape is of one of these kinds."""
        expected = Message("kind.either", kinds=[KIND_NAMES[kind] for kind in kinds])
        if ABSENT in shape.kinds:
            expression = abbreviate(node)
            self.report(
                node,
                Message("ruleset.not-given.optional", name=expression, what=what, expected=expected),
                Message("ruleset_advice.test_given", name=expression),
            )
        elif shape.kinds == {NONE}:
            self.report(
                node,
                Message("ruleset.type.not_none", what=what, expected=expected),
                Message("ruleset_advice.put_here", expected=expected),
            )
        elif shape.value_kinds - set(kinds):
            wrong_kind = min(shape.value_kinds - set(kinds))
            put_here = Message("ruleset_advice.put_here", expected=expected)
            hint = CONVERSION_HINTS.get((kinds[0], wrong_kind), put_here)
            if wrong_kind == RECORD and shape.known_fields():
                hint = Message("ruleset_advice.take_field", names=shape.known_fields()[:12])
            self.report(
                node,
                Message("ruleset.type.needs", what=what, expected=expected, found=describe_shape(shape)),
                hint,
            )

    def check_test(self, node: ast.expr) -> None:
        """Check a test: it must be a truth, and not constant."""
        self.require(node, self.shape_of(node), TRUTH, what=Message("part.test"))
        if not any(_varies(part) for part in ast.walk(node)):
            self.report(
                node,
                Message("ruleset.constant-test.test", text=abbreviate(node)),
                Message("ruleset_advice.test_something"),
            )

    @contextmanager
    def assuming(self, conditions: frozenset[str]) -> Iterator[None]:
        """Add conditions that hold for everything walked inside the `with` block."""
        self.assumptions.append(conditions)
        yield
        self.assumptions.pop()

    # -- expressions

    def shape_of(self, node: ast.expr) -> Shape:
        """Infer the shape of an expression and report its errors."""
        self.state.step(self.rule, node)
        match node:
            case ast.Constant(value):
                return shape_of_value(value)
            case ast.Name():
                return self._name(node)
            case ast.Call():
                return self._call(node)
            case ast.BinOp(left, op, right):
                return self._binary(node, SYMBOLS[type(op)], self.shape_of(left), self.shape_of(right))
            case ast.Compare(left, [op], [right]):
                return self._compare(node, SYMBOLS[type(op)], self.shape_of(left), self.shape_of(right))
            case ast.BoolOp(op, values):
                return self._bool(isinstance(op, ast.And), values)
            case ast.UnaryOp(ast.Not(), part):
                self.check_test(part)
                return A_TRUTH
            case ast.UnaryOp(_, part):
                self.require(part, self.shape_of(part), NUMBER, what=Message("part.sign"))
                return A_NUMBER
            case ast.IfExp():
                return self._conditional(node)
            case ast.List(items):
                return list_of(join_all([self.shape_of(item) for item in items]), non_empty=bool(items))
            case ast.Attribute():
                return self._attribute(node)
            case ast.Subscript():
                return self._item(node)
        return UNKNOWN

    def _name(self, node: ast.Name) -> Shape:
        shape = self.env.get(node.id)
        if shape is None and is_die(node.id):
            return A_DIE
        if shape is None or UNSET in shape.kinds:
            # Assigned and read under the same test: not on every path, but always before the read.
            tests = frozenset().union(*self.assumptions)
            if not tests & self.facts.assigned_under.get(node.id, set()):
                self.report(
                    node,
                    Message("ruleset.no-value.variable", id=node.id),
                    Message("ruleset_advice.value_before", id=node.id),
                )
            shape = (shape or UNKNOWN).without_kinds(frozenset((UNSET,)))
        return self._given_value(node.id, shape)

    def _given_value(self, name: str, shape: Shape) -> Shape:
        """Drop None and ABSENT from a name that the rule queries with `given(…)`; its use is trusted."""
        return shape.without_kinds(frozenset((NONE, ABSENT))) if name in self.facts.queried else shape

    def _bool(self, is_and: bool, values: Sequence[ast.expr]) -> Shape:
        holds: frozenset[str] = frozenset()
        for value in values:
            with self.assuming(holds):
                self.check_test(value)
            if is_and:
                holds |= self.facts.conditions(value)
        return A_TRUTH

    def _conditional(self, node: ast.IfExp) -> Shape:
        self.check_test(node.test)
        with self.assuming(self.facts.conditions(node.test)):
            yes = self.shape_of(node.body)
        with self.assuming(self.facts.negated_conditions(node.test)):
            return join(yes, self.shape_of(node.orelse))

    def _attribute(self, node: ast.Attribute) -> Shape:
        match node.value:
            case ast.Name("options") if "options" not in self.env:
                return shape_of_option(self.state.ruleset.options[node.attr])
            case ast.Name("tables") if "tables" not in self.env:
                return shape_of_value(self.state.compiled[self.rule].declarations.tables[node.attr])
        base = self.shape_of(node.value)
        self.require(node.value, base, RECORD, what=f"'.{node.attr}'")
        self.state.side_fields |= {(check, node.attr) for check in base.side_checks}
        field = base.field(node.attr)
        if field is None and RECORD in base.kinds:
            end = (node.end_lineno or 1, (node.end_col_offset or 0) - len(node.attr.encode()))
            self.report(
                node,
                Message("ruleset.unknown-field.field", record=abbreviate(node.value), field=node.attr),
                suggest(
                    node.attr,
                    base.known_fields(),
                    Message("ruleset_advice.surely_has", names=quoted(base.known_fields())),
                ),
                at=end,
            )
        return self._given_value(node.attr, field or UNKNOWN)

    def _item(self, node: ast.Subscript) -> Shape:
        base, key = self.shape_of(node.value), self.shape_of(node.slice)
        self.require(node.value, base, LIST, RECORD, what="'[…]'")
        if base.value_kinds == {LIST}:
            self.require(node.slice, key, NUMBER, what=Message("part.place"))
            if isinstance(node.slice, ast.UnaryOp) and isinstance(node.slice.operand, ast.Constant):
                self.report(
                    node.slice,
                    Message("ruleset.negative-place.list"),
                    Message("ruleset_advice.places"),
                )
            return base.entry_shape()
        if base.value_kinds != {RECORD}:
            return UNKNOWN
        self.require(node.slice, key, TEXT, what=Message("part.row"))
        return self._row(node, base, key) if key.texts else UNKNOWN

    def _row(self, node: ast.Subscript, base: Shape, key: Shape) -> Shape:
        texts = key.texts or frozenset()
        found = [shape for name, shape in base.fields if name in texts]
        if not found:
            self.report(
                node.slice,
                Message("ruleset.unknown-field.row", table=abbreviate(node.value), row=min(texts)),
                suggest(
                    min(texts),
                    base.known_fields(),
                    Message("ruleset_advice.row_has", names=quoted(base.known_fields())),
                ),
            )
        self.state.side_fields |= {(c, name) for c in base.side_checks for name in texts}
        return join_all(found)

    # -- operators

    def _binary(self, node: ast.BinOp, symbol: str, left: Shape, right: Shape) -> Shape:
        kinds = {"+": (NUMBER, POOL, LIST), "-": (NUMBER, POOL)}.get(symbol, (NUMBER,))
        self.require(node.left, left, *kinds, what=f"'{symbol}'")
        determined = left if left.value_kinds else right
        kind = next((k for k in kinds if determined.value_kinds == {k}), "")
        if not kind:
            self.require(node.right, right, *kinds, what=f"'{symbol}'")
            return UNKNOWN
        self.require(node.right, right, kind, what=_operand(kind, symbol))
        if symbol in ("/", "//", "%") and _is_literal_zero(node.right):
            self.report(node.right, Message("ruleset.zero.division"), Message("ruleset_advice.divide"))
        if kind == LIST and right.value_kinds == {LIST}:
            non_empty = left.non_empty or right.non_empty
            return list_of(join(left.entry_shape(), right.entry_shape()), non_empty=non_empty)
        return determined.without_kinds(frozenset((NONE, ABSENT)))

    def _compare(self, node: ast.Compare, symbol: str, left: Shape, right: Shape) -> Shape:
        if left.value_kinds in ({DIE}, {POOL}):
            self.require(node.comparators[0], right, NUMBER, what=_operand(min(left.value_kinds), symbol))
            return left
        if symbol in ("==", "!="):
            self.state.record_comparison(self.rule, node, left, right)
        elif right.value_kinds & {DIE, POOL}:
            self.report(
                node,
                Message("ruleset.type.left_of_comparison", found=describe_shape(right)),
                Message("ruleset_advice.turn_around"),
            )
        else:
            self.require(node.left, left, NUMBER, what=f"'{symbol}'")
            self.require(node.comparators[0], right, NUMBER, what=f"'{symbol}'")
        return A_TRUTH if left.kinds else UNKNOWN

    # -- functions

    def _call(self, node: ast.Call) -> Shape:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in FUNCTIONS:
            return self.effect(node, name)
        shapes = [self.shape_of(arg) for arg in node.args]
        if name == "given":
            return A_TRUTH
        if name in ("min", "max"):
            kinds: tuple[Kinds, ...] = ((NUMBER,),) * len(shapes)
            expected, result = (kinds if len(shapes) > 1 else ((NUMBER, LIST),)), A_NUMBER
        else:
            expected, result = SIGNATURES[name]
            expected = SUM_OF_ROW if name == "sum" and len(shapes) > 1 else expected
        for arg, shape, allowed in zip(node.args, shapes, expected, strict=False):
            self.require(arg, shape, *allowed, what=name)
            if name in TAKES_NUMBERS and shape.value_kinds == {LIST}:
                self.require(arg, shape.entry_shape(), NUMBER, what=Message("part.entry_for", name=name))
        if name == "range":
            return list_of(A_NUMBER, non_empty=self._surely_positive(node.args[0]))
        return result

    def _surely_positive(self, node: ast.expr) -> bool:
        match node:
            case ast.Constant(int(value)):
                return value > 0
            case ast.Call(ast.Name("len"), [entries]):
                return self.shape_of(entries).non_empty
        return False

    def effect(self, node: ast.Call, name: str) -> Shape:
        """Return the shape of an effect or of another rule's result."""
        raise NotImplementedError


def _operand(kind: str, symbol: str) -> Text:
    """Describe an operator by the kind of its left side."""
    match kind:
        case "pool":
            return Message("part.pool_operand", symbol=symbol)
        case "list":
            return Message("part.list_operand", symbol=symbol)
        case "die":
            return Message("part.die_operand", symbol=symbol)
    return f"'{symbol}'"


def _is_literal_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


def _varies(node: ast.AST) -> bool:
    """Return whether a node of a test refers to anything but literals, functions and dice."""
    return isinstance(node, ast.Name) and node.id not in FUNCTIONS and not is_die(node.id)


def is_die(name: str) -> bool:
    return bool(_DIE.match(name))
