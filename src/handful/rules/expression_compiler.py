"""Compiles the expressions of a rule source to trees (`rules.expression_tree`).

Trees are pure.  A call that rolls, asks or runs another rule is passed to `lift`, which emits an
instruction for it and returns an expression that reads its value.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from handful.dice import MAX_SIDES, die
from handful.errors import Message, Text, did_you_mean
from handful.rules import operators
from handful.rules.expression_tree import Expr
from handful.rules.functions import FUNCTIONS
from handful.rules.grammar import ARGUMENT_COUNTS, DIE_NAME, EFFECTS, STATEMENTS, TAKES_ROW, Declarations
from handful.rules.operators import OPERATORS, Value
from handful.rules.syntax_trees import SYMBOLS, CompileError, abbreviate, called_name

LiftEffect = Callable[[ast.Call, str], Expr]


class ExpressionCompiler:
    """Compiles the expressions of one rule source."""

    def __init__(
        self, lines: Sequence[str], variables: set[str], declarations: Declarations, lift: LiftEffect
    ) -> None:
        self.lines, self.variables, self.declarations = lines, variables, declarations
        self._lift = lift
        self._pure_context: Text = ""

    def compile_pure(self, node: ast.expr, context: Text) -> Expr:
        """Compile an expression in a context where effects are not allowed; `context` is for messages."""
        outer, self._pure_context = self._pure_context, context
        try:
            return self.compile(node)
        finally:
            self._pure_context = outer

    def compile(self, node: ast.expr) -> Expr:
        """Compile an expression; effects in it are lifted."""
        match node:
            case ast.Constant(value):
                return self._constant(node, value)
            case ast.Name(name):
                return self._name(node, name)
            case ast.Call():
                return self._function(node)
            case ast.BinOp(left, op, right) if type(op) in SYMBOLS:
                return _call_expr(OPERATORS[SYMBOLS[type(op)]], self.compile(left), self.compile(right))
            case ast.Compare(left, [op], [right]) if type(op) in SYMBOLS:
                a, b = self.compile(left), self.compile(right)
                return Expr(("compare", SYMBOLS[type(op)], a.tree, b.tree))
            case ast.Compare(_, [_, _, *_], _):
                raise CompileError(node, Message("ruleset.syntax.chained"), Message("ruleset_advice.chain"))
            case ast.BoolOp(op, values):
                return self._bool(op, values)
            case ast.UnaryOp(ast.USub(), value):
                return _call_expr(operators.negate, self.compile(value))
            case ast.UnaryOp(ast.UAdd(), value):
                return self.compile(value)
            case ast.UnaryOp(ast.Not(), value):
                return Expr(("not", self.compile(value).tree))
            case ast.IfExp(test, yes, no) if which := min_or_max(test, yes, no):
                return _call_expr(FUNCTIONS[which], self.compile(yes), self.compile(no))
            case ast.IfExp(test, yes, no):
                context = "… if … else …"
                return Expr(("if", *(self.compile_pure(part, context).tree for part in (test, yes, no))))
            case ast.List(items):
                return self._list(items)
            case ast.Attribute(base, name):
                return self._attribute(node, base, name)
            case ast.Subscript(base, key):
                return _call_expr(operators.get_item, self.compile(base), self.compile(key))
        raise CompileError(node, Message("ruleset.syntax.not_in_language", text=abbreviate(node)))

    def _list(self, items: list[ast.expr]) -> Expr:
        trees = tuple(self.compile(item).tree for item in items)
        if all(isinstance(item, (ast.Constant, ast.Compare, ast.BoolOp)) for item in items):
            return Expr(("list", trees))  # scalars only: no nested entries to count
        return Expr(("call", operators.make_list, trees))

    def _constant(self, node: ast.expr, value: object) -> Expr:
        if isinstance(value, float):
            if not -operators.MAX_NUMBER <= value <= operators.MAX_NUMBER:
                raise CompileError(node, Message("ruleset.limit.number", most=operators.MAX_NUMBER))
            return constant_expr(operators.normalize_number(_exact_number(node, self._source_segment(node))))
        if value is None or isinstance(value, (bool, str)):
            return constant_expr(value)
        if isinstance(value, int):
            if abs(value) > operators.MAX_NUMBER:
                raise CompileError(node, Message("ruleset.limit.number", most=operators.MAX_NUMBER))
            return constant_expr(value)
        raise CompileError(node, Message("ruleset.syntax.not_in_language", text=abbreviate(node)))

    def _source_segment(self, node: ast.expr) -> str:
        line = self.lines[node.lineno - 1].encode()
        return line[node.col_offset : node.end_col_offset].decode(errors="ignore")

    def _name(self, node: ast.expr, name: str) -> Expr:
        if (found := DIE_NAME.match(name)) and name not in self.variables:
            sides = int(found[1])
            if not 2 <= sides <= MAX_SIDES:
                raise CompileError(node, Message("ruleset.syntax.sides", most=MAX_SIDES))
            return constant_expr(die(sides))
        if name not in self.variables:
            if name in ("options", "tables"):
                raise CompileError(node, Message("ruleset.syntax.needs_name", name=name), f"{name}.something")
            hint = did_you_mean(name, [*self.variables, *FUNCTIONS, *self.declarations.rules])
            if re.fullmatch(r"[DwW]\d{1,4}", name):
                hint = Message("did_you_mean", name=f"d{name[1:]}")
            guess = Message("ruleset_advice.guess_or_value", guess=hint)
            hint = guess if hint else Message("ruleset_advice.value_first")
            raise CompileError(node, Message("ruleset.no-value.name", name=name), hint)
        return Expr(("name", name))

    def _attribute(self, node: ast.expr, base: ast.expr, name: str) -> Expr:
        if isinstance(base, ast.Name) and base.id == "options" and "options" not in self.variables:
            if name not in self.declarations.options:
                raise CompileError(
                    node,
                    Message("ruleset.unknown-name.option", name=name),
                    did_you_mean(name, self.declarations.options)
                    or Message("ruleset_advice.declare_option", name=name),
                )
            return Expr(("option", name))
        if isinstance(base, ast.Name) and base.id == "tables" and "tables" not in self.variables:
            if name not in self.declarations.tables:
                raise CompileError(
                    node,
                    Message("ruleset.unknown-name.table", name=name),
                    did_you_mean(name, self.declarations.tables)
                    or Message("ruleset_advice.declare_table", name=name),
                )
            return constant_expr(self.declarations.tables[name])
        return Expr(("field", self.compile(base).tree, name))

    def _bool(self, op: ast.boolop, values: list[ast.expr]) -> Expr:
        first = self.compile(values[0])
        rest = [self.compile_pure(value, "and / or") for value in values[1:]]
        kind = "and" if isinstance(op, ast.And) else "or"
        return Expr((kind, tuple(part.tree for part in (first, *rest))))

    def _function(self, node: ast.Call) -> Expr:
        name = called_name(node)
        if name in EFFECTS or name in self.declarations.rules:
            if self._pure_context:
                raise CompileError(
                    node,
                    Message("ruleset.place.inside", name=name, context=self._pure_context),
                    Message("ruleset_advice.name_it_before", name=name),
                )
            return self._lift(node, name)
        if name in STATEMENTS:
            raise CompileError(node, Message("ruleset.syntax.own_line", name=name))
        if name not in FUNCTIONS:
            hint = did_you_mean(name, [*FUNCTIONS, *EFFECTS, *STATEMENTS, *self.declarations.rules])
            raise CompileError(
                node, Message("ruleset.unknown-function.call", name=name or abbreviate(node)), hint
            )
        if node.keywords:
            raise CompileError(
                node,
                Message("ruleset.arguments.no_keywords", name=name),
                Message("ruleset_advice.equals_compares"),
            )
        expected = ARGUMENT_COUNTS.get(name, 1)
        given = len(node.args) - (len(node.args) == 2 and name in TAKES_ROW)
        if not node.args or (given != expected and name not in ("min", "max")):
            if name in TAKES_ROW:
                raise CompileError(
                    node, Message("ruleset.arguments.count_and_row", name=name, count=expected)
                )
            raise CompileError(node, Message("ruleset.arguments.count", name=name, count=expected))
        args = [self.compile(arg) for arg in node.args]
        return _call_expr(FUNCTIONS[name], *args)


def min_or_max(test: ast.expr, yes: ast.expr, no: ast.expr) -> str:
    """Return "max" or "min" if `yes if test else no` is equivalent to it, else "".

    The maximum of two symbolic numbers does not have to resolve which one is larger.
    """
    match test:
        case ast.Compare(left, [ast.Gt() | ast.GtE() | ast.Lt() | ast.LtE() as op], [right]):
            operands, branches = [ast.dump(left), ast.dump(right)], [ast.dump(yes), ast.dump(no)]
            simple = all(isinstance(operand, (ast.Name, ast.Attribute)) for operand in (left, right))
            if simple and sorted(operands) == sorted(branches) and operands[0] != operands[1]:
                larger = isinstance(op, (ast.Gt, ast.GtE)) == (operands == branches)
                return "max" if larger else "min"
    return ""


def _exact_number(node: ast.expr, text: str) -> Fraction:
    try:
        # An exponent could request a number that exhausts memory.
        return Fraction("" if "e" in text.lower() else text.replace("_", ""))
    except ValueError:
        raise CompileError(node, Message("ruleset.syntax.number", text=text)) from None


def constant_expr(value: Value) -> Expr:
    return Expr(("const", value))


def _call_expr(function: Callable[..., Value], *parts: Expr) -> Expr:
    return Expr(("call", function, tuple(part.tree for part in parts)))
