"""Compiler from the text of a rule to a list of steps, each a function of the running state."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from . import functions, state
from .expressions import Expression, Expressions
from .state import State, Step
from .values import Refusal


class Program:
    """The rules of a game, each compiled when it is first called."""

    def __init__(self, rules: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        self.rules = rules
        self.shared = shared
        self.compiled: dict[str, list[Step]] = {}

    def compile(self, text: str) -> list[Step]:
        """Return the steps of the text of a rule."""
        statements = Statements(self.rules, self.shared, self.called)
        statements.block(ast.parse(text).body)
        return statements.steps

    def called(self, rule: str) -> list[Step]:
        """Return the steps of a rule that others call."""
        if rule not in self.compiled:
            self.compiled[rule] = self.compile(self.rules[rule]["does"])
        return self.compiled[rule]


class Statements(Expressions):
    """Statements of one rule, compiled one after the other."""

    def block(self, body: list[ast.stmt]) -> None:
        for statement in body:
            getattr(self, f"do_{type(statement).__name__}", self.unknown)(statement)

    def do_Pass(self, node: ast.Pass) -> None:  # noqa: N802
        pass

    def do_Assign(self, node: ast.Assign) -> None:  # noqa: N802
        (target,) = node.targets
        assert isinstance(target, ast.Name)
        self.set(target.id, self.value(node.value))

    def do_AugAssign(self, node: ast.AugAssign) -> None:  # noqa: N802
        assert isinstance(node.target, ast.Name)
        name, value = node.target.id, self.value(node.value)
        operate = functions.OPERATORS[type(node.op)]
        self.set(name, lambda variables: operate(variables[name], value(variables)))

    def set(self, name: str, value: Expression) -> None:
        def step(running: State) -> None:
            running.variables[name] = value(running.variables)

        self.steps.append(step)

    def jump(self, test: Expression | None = None) -> Callable[[], None]:
        """Leave room for a jump that is taken unless the test holds; return what sets its goal."""
        goal = -1

        def step(running: State) -> None:
            if test is None or not functions.truth(test(running.variables)):
                running.frames[-1].at = goal

        def aim() -> None:
            nonlocal goal
            goal = len(self.steps)

        self.steps.append(step)
        return aim

    def back(self, goal: int) -> None:
        def step(running: State) -> None:
            running.frames[-1].at = goal

        self.steps.append(step)

    def do_If(self, node: ast.If) -> None:  # noqa: N802
        otherwise = self.jump(self.value(node.test))
        self.block(node.body)
        done = self.jump()
        otherwise()
        self.block(node.orelse)
        done()

    def do_While(self, node: ast.While) -> None:  # noqa: N802
        start = len(self.steps)
        done = self.jump(self.pure(node.test))
        self.block(node.body)
        self.back(start)
        done()

    def do_For(self, node: ast.For) -> None:  # noqa: N802
        assert isinstance(node.target, ast.Name)
        entries, place = self.hide(), self.hide()
        self.set(entries, self.value(node.iter))
        self.set(place, lambda _: 0)
        start = len(self.steps)
        done = self.jump(lambda variables: variables[place] < len(variables[entries]))
        self.set(node.target.id, lambda variables: variables[entries][variables[place]])
        self.set(place, lambda variables: variables[place] + 1)
        self.block(node.body)
        self.back(start)
        done()

    def do_Expr(self, node: ast.Expr) -> None:  # noqa: N802
        call = node.value
        assert isinstance(call, ast.Call)
        assert isinstance(call.func, ast.Name)
        getattr(self, f"say_{call.func.id}", self.unknown)(call)

    def say_result(self, node: ast.Call) -> None:
        fields = self.named(node)
        self.steps.append(
            lambda running: state.end(
                running, {name: value(running.variables) for name, value in fields.items()}
            )
        )

    def say_event(self, node: ast.Call) -> None:
        name = {ast.literal_eval(node.args[0])}

        def step(running: State) -> None:
            running.events |= name

        self.steps.append(step)

    def say_modify(self, node: ast.Call) -> None:
        """A line of the breakdown is told to people only, but its amount must exist."""
        self.set(self.hide(), self.value(node.args[1]))

    def say_turn(self, node: ast.Call) -> None:
        side = self.value(node.args[0])

        def step(running: State) -> None:
            running.side = side(running.variables)

        self.steps.append(step)

    def say_refuse(self, node: ast.Call) -> None:
        word = ast.literal_eval(node.args[0])

        def step(running: State) -> None:
            raise Refusal(word)

        self.steps.append(step)
