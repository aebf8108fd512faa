"""Expressions of a rule text -> trees.

Calls that throw, ask or run another rule are not part of them: `lift` turns each into an
instruction of its own and gives back an expression that reads its value.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from handful.dice import MAX_SIDES, die
from handful.errors import did_you_mean
from handful.rules import operators
from handful.rules.expression_tree import Expr
from handful.rules.functions import FUNCTIONS
from handful.rules.grammar import (
    ARGUMENT_COUNTS,
    DIE_NAME,
    EFFECTS,
    STATEMENTS,
    SYMBOLS,
    TAKES_ROW,
    CompileError,
    Declarations,
    abbreviate,
    called_name,
)
from handful.rules.operators import OPERATORS, Value

LiftEffect = Callable[[ast.Call, str], Expr]


class ExpressionCompiler:
    """Reads the expressions of one rule text."""

    def __init__(self, lines: Sequence[str], known: set[str], names: Declarations, lift: LiftEffect) -> None:
        self.lines, self.known, self.names = lines, known, names
        self._lift = lift
        self._quiet_place = ""

    def quiet(self, node: ast.expr, place: str) -> Expr:
        """An expression at a place where nothing may be thrown or asked."""
        before, self._quiet_place = self._quiet_place, place
        try:
            return self.read(node)
        finally:
            self._quiet_place = before

    def read(self, node: ast.expr) -> Expr:
        match node:
            case ast.Constant(value):
                return self._constant(node, value)
            case ast.Name(name):
                return self._name(node, name)
            case ast.Call():
                return self._function(node)
            case ast.BinOp(left, op, right) if type(op) in SYMBOLS:
                return _call_expr(OPERATORS[SYMBOLS[type(op)]], self.read(left), self.read(right))
            case ast.Compare(left, [op], [right]) if type(op) in SYMBOLS:
                a, b = self.read(left), self.read(right)
                return Expr(("compare", SYMBOLS[type(op)], a.tree, b.tree))
            case ast.Compare(_, [_, _, *_], _):
                raise CompileError(node, "comparisons cannot be chained", "write: a <= b and b <= c")
            case ast.BoolOp(op, values):
                return self._bool(op, values)
            case ast.UnaryOp(ast.USub(), value):
                return _call_expr(operators.negate, self.read(value))
            case ast.UnaryOp(ast.UAdd(), value):
                return self.read(value)
            case ast.UnaryOp(ast.Not(), value):
                return Expr(("not", self.read(value).tree))
            case ast.IfExp(test, yes, no) if which := min_or_max(test, yes, no):
                return _call_expr(FUNCTIONS[which], self.read(yes), self.read(no))
            case ast.IfExp(test, yes, no):
                place = "… if … else …"
                return Expr(("if", *(self.quiet(part, place).tree for part in (test, yes, no))))
            case ast.List(items):
                return self._list(items)
            case ast.Attribute(base, name):
                return self._attribute(node, base, name)
            case ast.Subscript(base, key):
                return _call_expr(operators.get_item, self.read(base), self.read(key))
        raise CompileError(node, f"a rule cannot say {abbreviate(node)!r}")

    def _list(self, items: list[ast.expr]) -> Expr:
        trees = tuple(self.read(item).tree for item in items)
        if all(isinstance(item, (ast.Constant, ast.Compare, ast.BoolOp)) for item in items):
            return Expr(("list", trees))  # of plain values: nothing to count
        return Expr(("call", operators.make_list, trees))

    def _constant(self, node: ast.expr, value: object) -> Expr:
        if isinstance(value, float):
            if not -operators.MAX_NUMBER <= value <= operators.MAX_NUMBER:
                raise CompileError(node, f"a rule may not count beyond {operators.MAX_NUMBER:,}")
            return constant_expr(operators.normalize_number(_exact_number(node, self._segment(node))))
        if value is None or isinstance(value, (bool, str)):
            return constant_expr(value)
        if isinstance(value, int):
            if abs(value) > operators.MAX_NUMBER:
                raise CompileError(node, f"a rule may not count beyond {operators.MAX_NUMBER:,}")
            return constant_expr(value)
        raise CompileError(node, f"a rule cannot say {abbreviate(node)!r}")

    def _segment(self, node: ast.expr) -> str:
        line = self.lines[node.lineno - 1].encode()
        return line[node.col_offset : node.end_col_offset].decode(errors="ignore")

    def _name(self, node: ast.expr, name: str) -> Expr:
        if (found := DIE_NAME.match(name)) and name not in self.known:
            sides = int(found[1])
            if not 2 <= sides <= MAX_SIDES:
                raise CompileError(node, f"a die has 2 to {MAX_SIDES} sides")
            return constant_expr(die(sides))
        if name not in self.known:
            if name in ("options", "tables"):
                raise CompileError(node, f"{name} is used with a name", f"{name}.something")
            hint = did_you_mean(name, [*self.known, *FUNCTIONS, *self.names.rules])
            if re.fullmatch(r"[DwW]\d{1,4}", name):
                hint = f"did you mean 'd{name[1:]}'?"
            also = "give it a value first, or make it a parameter"
            hint = f"{hint} else {also}" if hint else also
            raise CompileError(node, f"the name {name!r} has no value here", hint)
        return Expr(("name", name))

    def _attribute(self, node: ast.expr, base: ast.expr, name: str) -> Expr:
        if isinstance(base, ast.Name) and base.id == "options" and "options" not in self.known:
            if name not in self.names.options:
                raise CompileError(
                    node,
                    f"there is no option {name!r}",
                    did_you_mean(name, self.names.options) or f"declare [options.{name}]",
                )
            return Expr(("option", name))
        if isinstance(base, ast.Name) and base.id == "tables" and "tables" not in self.known:
            if name not in self.names.tables:
                raise CompileError(
                    node,
                    f"there is no table {name!r}",
                    did_you_mean(name, self.names.tables) or f"declare [tables.{name}]",
                )
            return constant_expr(self.names.tables[name])
        return Expr(("field", self.read(base).tree, name))

    def _bool(self, op: ast.boolop, values: list[ast.expr]) -> Expr:
        first = self.read(values[0])
        rest = [self.quiet(value, "and / or") for value in values[1:]]
        kind = "and" if isinstance(op, ast.And) else "or"
        return Expr((kind, tuple(part.tree for part in (first, *rest))))

    def _function(self, node: ast.Call) -> Expr:
        name = called_name(node)
        if name in EFFECTS or name in self.names.rules:
            if self._quiet_place:
                raise CompileError(
                    node,
                    f"{name} cannot stand inside {self._quiet_place}",
                    f"give it a name on a line before: x = {name}(…)",
                )
            return self._lift(node, name)
        if name in STATEMENTS:
            raise CompileError(node, f"{name} stands on a line of its own")
        if name not in FUNCTIONS:
            hint = did_you_mean(name, [*FUNCTIONS, *EFFECTS, *STATEMENTS, *self.names.rules])
            raise CompileError(node, f"there is no function or rule {name or abbreviate(node)!r}", hint)
        if node.keywords:
            raise CompileError(node, f"{name} takes no named arguments", "== compares: pool == 6")
        wanted = ARGUMENT_COUNTS.get(name, 1)
        given = len(node.args) - (len(node.args) == 2 and name in TAKES_ROW)
        if not node.args or (given != wanted and name not in ("min", "max")):
            also = " (and perhaps a row)" if name in TAKES_ROW else ""
            raise CompileError(node, f"{name} takes {wanted} argument{'s' * (wanted > 1)}{also}")
        args = [self.read(arg) for arg in node.args]
        return _call_expr(FUNCTIONS[name], *args)


def min_or_max(test: ast.expr, yes: ast.expr, no: ast.expr) -> str:
    """ "max" or "min" if `yes if test else no` says just that in other words.

    The larger of two unknown numbers is found without asking which one it is.
    """
    match test:
        case ast.Compare(left, [ast.Gt() | ast.GtE() | ast.Lt() | ast.LtE() as op], [right]):
            sides, chosen = [ast.dump(left), ast.dump(right)], [ast.dump(yes), ast.dump(no)]
            plain = all(isinstance(one, (ast.Name, ast.Attribute)) for one in (left, right))
            if plain and sorted(sides) == sorted(chosen) and sides[0] != sides[1]:
                larger = isinstance(op, (ast.Gt, ast.GtE)) == (sides == chosen)
                return "max" if larger else "min"
    return ""


def _exact_number(node: ast.expr, text: str) -> Fraction:
    try:
        # An exponent could ask for a number that fills the machine.
        return Fraction("" if "e" in text.lower() else text.replace("_", ""))
    except ValueError:
        raise CompileError(node, f"cannot read the number {text!r}") from None


def constant_expr(value: Value) -> Expr:
    return Expr(("const", value))


def _call_expr(function: Callable[..., Value], *parts: Expr) -> Expr:
    return Expr(("call", function, tuple(part.tree for part in parts)))
