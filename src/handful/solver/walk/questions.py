"""Questions that an operation cannot answer yet, and those that bounds answer."""

from __future__ import annotations

from typing import Any

from handful.rules.operators import is_number
from handful.rules.program import EVENTS
from handful.solver.walk.sources import WalkState
from handful.solver.walk.values import Number


class Forked(Exception):
    """The state was replaced by these, which have to run the same node again."""

    def __init__(self, states: list[WalkState]) -> None:
        super().__init__()
        self.states = states


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
    if EVENTS in env:
        state.env[EVENTS] = env[EVENTS]
