"""Questions that an operation cannot answer yet, and those that bounds answer."""

from __future__ import annotations

from typing import Any

from handful.rules.operators import is_number
from handful.rules.program import EVENTS
from handful.solver.walk.flat import Var
from handful.solver.walk.graph import FlowNode
from handful.solver.walk.sources import PAIRS, WalkState
from handful.solver.walk.values import Number

ALWAYS = (EVENTS, PAIRS)  # parts of every state


class Forked(Exception):
    """The state was replaced by these, which have to run the same node again."""

    def __init__(self, states: list[WalkState]) -> None:
        super().__init__()
        self.states = states


class OpenArguments(Exception):
    """A rule is called with open arguments: it has to become part of the graph."""

    def __init__(self, site: str) -> None:
        super().__init__()
        self.site = site


class Passed(Exception):
    """The node is done, in several states."""

    def __init__(self, states: list[WalkState]) -> None:
        super().__init__()
        self.states = states


def are_numbers(values: Any) -> bool:
    return all(is_number(value) or type(value) is Number for value in values)


def certain(symbol: str, low: Any, high: Any) -> bool | None:
    """Return whether a number between two bounds compares so with 0, if that is certain."""
    if symbol in ("==", "!="):
        if low > 0 or high < 0:
            return symbol == "!="
        return symbol == "==" if low == high == 0 else None
    if symbol in ("<", ">="):
        return (symbol == ">=") if low >= 0 else (symbol == "<") if high < 0 else None
    return (symbol == ">") if low > 0 else (symbol == "<=") if high <= 0 else None


def narrow(state: WalkState, live: tuple[str, ...]) -> None:
    """Forget the variables that are not live."""
    env = state.env
    state.env = {name: env[name] for name in live if name in env}
    for name in ALWAYS:
        if name in env:
            state.env[name] = env[name]


def operands_and_after(node: FlowNode) -> tuple[str, ...]:
    """Return the variables that a node reads, and those that are live after it."""
    return tuple(dict.fromkeys([*node.after, *[str(one) for one in node.args if type(one) is Var]]))
