"""Compiler from expressions of a rule to closures on its variables.

A throw, a question or a call inside an expression becomes a step of its own before it, with its
value in a variable that no rule can name. That is the order of the language: such calls happen
from left to right and never depend on a condition inside the expression.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from . import functions, state
from .state import State, Step
from .values import OracleError, number

Variables = dict[str, Any]
Expression = Callable[[Variables], Any]
DIE = re.compile(r"d[1-9]\d*")
WAVES = ("more", "again", "add")


def _always(value: Any) -> Expression:
    return lambda _: value


class Expressions:
    """Steps of one rule, as far as they are compiled, and the expressions in them."""

    def __init__(
        self,
        rules: Mapping[str, Any],
        shared: Mapping[str, Any],
        called: Callable[[str], list[Step]],
    ) -> None:
        self.rules = rules
        self.shared = shared  # `options` and `tables`
        self.called = called  # the steps of a rule by its name
        self.steps: list[Step] = []
        self.hidden = 0

    def unknown(self, node: ast.AST, *_: Any) -> Any:
        raise OracleError(f"a rule cannot say {ast.unparse(node)!r}")

    def hide(self) -> str:
        """Return the name of a variable that no rule can name."""
        self.hidden += 1
        return f"${self.hidden}"

    def value(self, node: ast.expr) -> Expression:
        found: Expression = getattr(self, f"of_{type(node).__name__}", self.unknown)(node)
        return found

    def pure(self, node: ast.expr) -> Expression:
        """Compile an expression in which nothing may be thrown or asked."""
        before = len(self.steps)
        value = self.value(node)
        if len(self.steps) > before:
            raise OracleError(f"nothing may be thrown or asked in {ast.unparse(node)!r}")
        return value

    def named(self, node: ast.Call) -> dict[str, Expression]:
        return {word.arg: self.value(word.value) for word in node.keywords if word.arg}

    def of_Constant(self, node: ast.Constant) -> Expression:  # noqa: N802
        value: Any = node.value
        if isinstance(value, float):
            value = number(Fraction(str(value)))
        return lambda _: value

    def of_Name(self, node: ast.Name) -> Expression:  # noqa: N802
        name = node.id
        if DIE.fullmatch(name):
            die = functions.sided(int(name[1:]))
            return lambda _: die
        if name in self.shared:
            shared = self.shared[name]
            return lambda _: shared
        return lambda variables: variables[name]

    def of_List(self, node: ast.List) -> Expression:  # noqa: N802
        entries = [self.value(entry) for entry in node.elts]
        return lambda variables: tuple(entry(variables) for entry in entries)

    def of_Attribute(self, node: ast.Attribute) -> Expression:  # noqa: N802
        record, field = self.value(node.value), node.attr
        return lambda variables: functions.entry(record(variables), field)

    def of_Subscript(self, node: ast.Subscript) -> Expression:  # noqa: N802
        entries, place = self.value(node.value), self.value(node.slice)
        return lambda variables: functions.entry(entries(variables), place(variables))

    def of_UnaryOp(self, node: ast.UnaryOp) -> Expression:  # noqa: N802
        operand = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            return lambda variables: not functions.truth(operand(variables))
        if isinstance(node.op, ast.USub):
            return lambda variables: functions.negative(operand(variables))
        return operand

    def of_BinOp(self, node: ast.BinOp) -> Expression:  # noqa: N802
        left, right = self.value(node.left), self.value(node.right)
        operate = functions.OPERATORS[type(node.op)]
        return lambda variables: operate(left(variables), right(variables))

    def of_Compare(self, node: ast.Compare) -> Expression:  # noqa: N802
        ((operator,), (comparator,)) = node.ops, node.comparators
        left, right = self.value(node.left), self.value(comparator)
        test = functions.COMPARISONS[type(operator)]
        return lambda variables: functions.compare(test, left(variables), right(variables))

    def of_BoolOp(self, node: ast.BoolOp) -> Expression:  # noqa: N802
        tests = [self.pure(value) for value in node.values]
        every = all if isinstance(node.op, ast.And) else any
        return lambda variables: every(functions.truth(test(variables)) for test in tests)

    def of_IfExp(self, node: ast.IfExp) -> Expression:  # noqa: N802
        test, body, orelse = (self.pure(part) for part in (node.test, node.body, node.orelse))
        return lambda variables: body(variables) if functions.truth(test(variables)) else orelse(variables)

    # -- calls

    def of_Call(self, node: ast.Call) -> Expression:  # noqa: N802
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        if name in functions.FUNCTIONS:
            function, values = functions.FUNCTIONS[name], [self.value(arg) for arg in node.args]
            return lambda variables: function(*(value(variables) for value in values))
        into = self.hide()
        if name in self.rules:
            self.steps.append(self.call(name, node, into))
        else:
            getattr(self, f"ask_{name}", self.unknown)(node, into)
        return lambda variables: variables[into]

    def call(self, name: str, node: ast.Call, into: str) -> Step:
        params = self.rules[name]["params"]
        records = [self.value(word.value) for word in node.keywords if word.arg is None]
        given = self.named(node)

        def step(running: State) -> None:
            outer = running.variables
            inner: Variables = {}
            for record in records:
                inner |= {n: value for n, value in record(outer).items() if n in params}
            inner |= {n: value(outer) for n, value in given.items()}
            if missing := set(params) - set(inner):
                raise OracleError(f"the rule {name} also needs {sorted(missing)}")
            state.call(running, into, steps=self.called(name), variables=inner)

        return step

    def ask_roll(self, node: ast.Call, into: str) -> None:
        count, die = self.value(node.args[0]), self.value(node.args[1])
        waves = {name: value for name, value in self.named(node).items() if name in WAVES}

        def step(running: State) -> None:
            own = running.variables
            limits = {name: value(own) for name, value in waves.items()}
            state.throw(running, into, count=count(own), die=die(own), waves=limits)

        self.steps.append(step)

    def ask_reroll(self, node: ast.Call, into: str) -> None:
        pool, die = self.value(node.args[0]), self.value(node.args[1])
        keep = self.named(node).get("keep", _always("better"))

        def step(running: State) -> None:
            own = running.variables
            state.reroll(running, into, pool=pool(own), die=die(own), keep=keep(own))

        self.steps.append(step)

    def ask_choose(self, node: ast.Call, into: str) -> None:
        decision = ast.literal_eval(node.args[0])
        pool, at_most = self.value(node.args[1]), self.value(node.args[2])
        usual = self.named(node).get("usual", _always(None))

        def step(running: State) -> None:
            own = running.variables
            state.choose(
                running, into, decision=decision, pool=pool(own), at_most=at_most(own), usual=usual(own)
            )

        self.steps.append(step)

    def ask_ask(self, node: ast.Call, into: str) -> None:
        decision, options = ast.literal_eval(node.args[0]), self.value(node.args[1])
        named = self.named(node)
        usual, never = (named.get(word, _always(None)) for word in ("usual", "never"))

        def step(running: State) -> None:
            own = running.variables
            state.ask(
                running, into, decision=decision, options=options(own), usual=usual(own), never=never(own)
            )

        self.steps.append(step)
