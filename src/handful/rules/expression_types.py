"""What kind of value each expression of a rule has, and whether its parts fit together.

`value` walks an expression as the interpreter would, but with shapes in place of values.
Mistakes are noted and the walk goes on with what the expression would have been.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from handful.errors import format_choices
from handful.rules.findings import Findings, shortened, suggested
from handful.rules.functions import FUNCTIONS
from handful.rules.grammar import SYMBOLS
from handful.rules.shapes import (
    A_DIE,
    A_NUMBER,
    A_TRUTH,
    ABSENT,
    DIE,
    LIST,
    NONE,
    NUMBER,
    OF_A_ROW,
    OF_NUMBERS,
    POOL,
    RECORD,
    SIGNATURES,
    TEXT,
    TRUTH,
    UNKNOWN,
    UNSET,
    WAYS,
    Kinds,
    Shape,
    any_of,
    joined,
    list_of,
    named,
    of_option,
    of_value,
)

_DIE = re.compile(r"d[1-9][0-9]*\Z")


class Expressions:
    """The expressions of one rule, read once."""

    def __init__(self, findings: Findings, rule: str) -> None:
        self.findings, self.rule = findings, rule
        self.facts = findings.facts(rule)
        self.env: dict[str, Shape] = {}
        self.under: list[frozenset[str]] = []  # what the tests around this place say

    # -- noting mistakes

    def fault(self, node: ast.AST, message: str, hint: str, *, at: tuple[int, int] | None = None) -> None:
        self.findings.fault(self.rule, node, message, hint, at=at)

    def need(self, node: ast.expr, shape: Shape, *kinds: str, what: str) -> None:
        """Notes a mistake unless the value is of one of these kinds."""
        wanted = format_choices(f"a {kind}" for kind in kinds)
        if ABSENT in shape.kinds:
            asked = shortened(node)
            self.fault(
                node,
                f"{asked} may not be given, and {what} needs {wanted}",
                f"test it first: if given({asked}): …",
            )
        elif shape.kinds == {NONE}:
            self.fault(node, f"{what} needs {wanted}, not None", f"put {wanted} here")
        elif shape.real - set(kinds):
            wrong = min(shape.real - set(kinds))
            hint = WAYS.get((kinds[0], wrong), f"put {wanted} here")
            if wrong == RECORD and shape.names():
                hint = f"take one of its fields: {format_choices(shape.names()[:12])}"
            self.fault(node, f"{what} needs {wanted}, not {named(shape)}", hint)

    def test(self, node: ast.expr) -> None:
        """A truth that decides something, so it has to be able to change."""
        self.need(node, self.value(node), TRUTH, what="a test")
        if not any(_can_change(part) for part in ast.walk(node)):
            self.fault(
                node,
                f"the test {shortened(node)!r} always comes out the same",
                "leave it out, or test something that can change",
            )

    @contextmanager
    def given_that(self, conditions: frozenset[str]) -> Iterator[None]:
        """What is read inside is read only when these conditions hold."""
        self.under.append(conditions)
        yield
        self.under.pop()

    # -- expressions

    def value(self, node: ast.expr) -> Shape:
        self.findings.step(self.rule, node)
        match node:
            case ast.Constant(value):
                return of_value(value)
            case ast.Name():
                return self._name(node)
            case ast.Call():
                return self._call(node)
            case ast.BinOp(left, op, right):
                return self._binary(node, SYMBOLS[type(op)], self.value(left), self.value(right))
            case ast.Compare(left, [op], [right]):
                return self._compare(node, SYMBOLS[type(op)], self.value(left), self.value(right))
            case ast.BoolOp(op, values):
                return self._bool(isinstance(op, ast.And), values)
            case ast.UnaryOp(ast.Not(), part):
                self.test(part)
                return A_TRUTH
            case ast.UnaryOp(_, part):
                self.need(part, self.value(part), NUMBER, what="a sign")
                return A_NUMBER
            case ast.IfExp():
                return self._choice(node)
            case ast.List(items):
                return list_of(any_of([self.value(item) for item in items]), filled=bool(items))
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
            # Set and read under the same test: not on every path, yet always in time.
            tests = frozenset().union(*self.under)
            if not tests & self.facts.set_under.get(node.id, set()):
                self.fault(
                    node,
                    f"{node.id!r} may have no value yet here",
                    f"give it one before, on every path: {node.id} = …",
                )
            shape = (shape or UNKNOWN).without(frozenset((UNSET,)))
        return self._tested(node.id, shape)

    def _tested(self, name: str, shape: Shape) -> Shape:
        """Where a rule asks `given(…)` about a name, it is trusted to heed the answer."""
        return shape.without(frozenset((NONE, ABSENT))) if name in self.facts.tested else shape

    def _bool(self, every: bool, values: Sequence[ast.expr]) -> Shape:
        holds: frozenset[str] = frozenset()
        for value in values:
            with self.given_that(holds):
                self.test(value)
            if every:
                holds |= self.facts.conditions(value)
        return A_TRUTH

    def _choice(self, node: ast.IfExp) -> Shape:
        self.test(node.test)
        with self.given_that(self.facts.conditions(node.test)):
            yes = self.value(node.body)
        with self.given_that(self.facts.opposite(node.test)):
            return joined(yes, self.value(node.orelse))

    def _attribute(self, node: ast.Attribute) -> Shape:
        match node.value:
            case ast.Name("options") if "options" not in self.env:
                return of_option(self.findings.ruleset.options[node.attr])
            case ast.Name("tables") if "tables" not in self.env:
                return of_value(self.findings.compiled[self.rule].names.tables[node.attr])
        base = self.value(node.value)
        self.need(node.value, base, RECORD, what=f"'.{node.attr}'")
        self.findings.side_fields |= {(check, node.attr) for check in base.origins}
        field = base.field(node.attr)
        if field is None and RECORD in base.kinds:
            end = (node.end_lineno or 1, (node.end_col_offset or 0) - len(node.attr.encode()))
            self.fault(
                node,
                f"{shortened(node.value)} has no field {node.attr!r}",
                suggested(node.attr, base.names(), "it surely has"),
                at=end,
            )
        return self._tested(node.attr, field or UNKNOWN)

    def _item(self, node: ast.Subscript) -> Shape:
        base, key = self.value(node.value), self.value(node.slice)
        self.need(node.value, base, LIST, RECORD, what="'[…]'")
        if base.real == {LIST}:
            self.need(node.slice, key, NUMBER, what="the place in a list")
            if isinstance(node.slice, ast.UnaryOp) and isinstance(node.slice.operand, ast.Constant):
                self.fault(
                    node.slice,
                    "a list has no entry at a negative place",
                    "places count from 0; the last is list[len(list) - 1]",
                )
            return base.within()
        if base.real != {RECORD}:
            return UNKNOWN
        self.need(node.slice, key, TEXT, what="the row of a table")
        return self._row(node, base, key) if key.texts else UNKNOWN

    def _row(self, node: ast.Subscript, base: Shape, key: Shape) -> Shape:
        texts = key.texts or frozenset()
        found = [shape for name, shape in base.fields if name in texts]
        if not found:
            self.fault(
                node.slice,
                f"{shortened(node.value)} has no row {min(texts)!r}",
                suggested(min(texts), base.names(), "it has"),
            )
        self.findings.side_fields |= {(c, name) for c in base.origins for name in texts}
        return any_of(found)

    # -- operators

    def _binary(self, node: ast.BinOp, symbol: str, left: Shape, right: Shape) -> Shape:
        kinds = {"+": (NUMBER, POOL, LIST), "-": (NUMBER, POOL)}.get(symbol, (NUMBER,))
        self.need(node.left, left, *kinds, what=f"'{symbol}'")
        known = left if left.real else right
        kind = next((k for k in kinds if known.real == {k}), "")
        if not kind:
            self.need(node.right, right, *kinds, what=f"'{symbol}'")
            return UNKNOWN
        what = f"'{symbol}'" if kind == NUMBER else f"a {kind} {symbol} …"
        self.need(node.right, right, kind, what=what)
        if symbol in ("/", "//", "%") and _is_zero(node.right):
            self.fault(node.right, "division by zero", "divide by something else")
        if kind == LIST and right.real == {LIST}:
            filled = left.filled or right.filled
            return list_of(joined(left.within(), right.within()), filled=filled)
        return known.without(frozenset((NONE, ABSENT)))

    def _compare(self, node: ast.Compare, symbol: str, left: Shape, right: Shape) -> Shape:
        if left.real in ({DIE}, {POOL}):
            self.need(node.comparators[0], right, NUMBER, what=f"{named(left)} {symbol} …")
            return left
        if symbol in ("==", "!="):
            self.findings.compare(self.rule, node, left, right)
        elif right.real & {DIE, POOL}:
            self.fault(
                node,
                f"{named(right)} stands on the left of a comparison",
                "turn it around: pool >= 5",
            )
        else:
            self.need(node.left, left, NUMBER, what=f"'{symbol}'")
            self.need(node.comparators[0], right, NUMBER, what=f"'{symbol}'")
        return A_TRUTH if left.kinds else UNKNOWN

    # -- functions

    def _call(self, node: ast.Call) -> Shape:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in FUNCTIONS:
            return self.effect(node, name)
        shapes = [self.value(arg) for arg in node.args]
        if name == "given":
            return A_TRUTH
        if name in ("min", "max"):
            kinds: tuple[Kinds, ...] = ((NUMBER,),) * len(shapes)
            wanted, gives = (kinds if len(shapes) > 1 else ((NUMBER, LIST),)), A_NUMBER
        else:
            wanted, gives = SIGNATURES[name]
            wanted = OF_A_ROW if name == "sum" and len(shapes) > 1 else wanted
        for arg, shape, allowed in zip(node.args, shapes, wanted, strict=False):
            self.need(arg, shape, *allowed, what=name)
            if name in OF_NUMBERS and shape.real == {LIST}:
                self.need(arg, shape.within(), NUMBER, what=f"each entry for {name}")
        if name == "range":
            return list_of(A_NUMBER, filled=self._surely_positive(node.args[0]))
        return gives

    def _surely_positive(self, node: ast.expr) -> bool:
        match node:
            case ast.Constant(int(value)):
                return value > 0
            case ast.Call(ast.Name("len"), [entries]):
                return self.value(entries).filled
        return False

    def effect(self, node: ast.Call, name: str) -> Shape:
        """A throw, a question or another rule."""
        raise NotImplementedError


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


def _can_change(node: ast.AST) -> bool:
    """Whether a part of a test brings in anything from outside the text."""
    return isinstance(node, ast.Name) and node.id not in FUNCTIONS and not is_die(node.id)


def is_die(name: str) -> bool:
    return bool(_DIE.match(name))
