"""What each answer to an open decision is worth, by what somebody knows of the roll.

A view is asked for again and again, so what was worked out is remembered: by the check and by
what lies on the table, whichever die it was.  Whoever does not know the target has another check,
without it, and gets how the result is spread.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from handful import odds as exact
from handful.errors import TooBig
from handful.roll import BoundCheck, ChooseDice, Node, PickOption, policy_reply, resume
from handful.table.state import TableRoll
from handful.table.view_sheets import json_value

MOST_WORK = 20_000  # of the solver for one decision: a view should not take seconds
MOST_REMEMBERED = 2000
MOST_DECISIONS = 20  # in a row, with no die between them


class _Asked:
    """A roll at a decision; two are the same if their checks are, and all that odds hang on."""

    __slots__ = ("bound", "node", "same")

    def __init__(self, bound: BoundCheck, node: Node) -> None:
        self.bound, self.node = bound, node
        self.same = (bound.identity, exact.state_key(node))

    def __hash__(self) -> int:
        return hash(self.same)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Asked) and self.same == other.same


def answers_of(roll: TableRoll) -> dict[str, Any]:
    """The exact odds of each answer to the decision that a roll waits for, as plain data."""
    assert roll.bound is not None
    assert roll.node is not None
    found = _weighed(_Asked(roll.bound, roll.node))
    if found is None:
        return {"note": "too much work to show beside each answer"}
    named = exact.answer_figures(roll.node, found)
    shown = exact.answers_to_json(named)
    if unknown := unknown_of(roll):
        shown["unknown"] = unknown
    if is_only_higher(roll, named["answer_means"]):
        shown["best"] = None
    if named["answer_means"] is not None:
        shown["spread"] = _spreads(roll.node, found)
    return shown | _results(roll.bound, roll.node)


def unknown_of(roll: TableRoll) -> list[str]:
    """Hidden parameters of a roll that the seat does not know: there is something to beat."""
    given = (roll.asked["parameters"], *roll.asked["sides"])
    return [name for name in roll.hidden if not any(name in one for one in given)]


def is_only_higher(roll: TableRoll, means: object) -> bool:
    """Return whether an answer buys a higher result for a point, and nobody knows what for.

    Such as +3 to damage, to a parry, or against a hidden Defense: no answer is the best one.
    """
    return costs_points(roll) and (means is not None or bool(unknown_of(roll)))


def costs_points(roll: TableRoll) -> bool:
    """Return whether an answer to what is asked now spends a resource of the sheet."""
    assert roll.bound is not None
    sheet, ask = roll.bound.ruleset.sheet, roll.ask
    resources = sheet.resources.values() if sheet else ()
    return isinstance(ask, PickOption) and any(ask.decision in one.spent for one in resources)


@lru_cache(MOST_REMEMBERED)
def _weighed(asked: _Asked) -> dict[Any, exact.Odds] | None:
    """The odds after each kind of answer; None where that is too much work."""
    try:
        return exact.odds_by_answer(asked.bound, asked.node, budget=MOST_WORK)
    except TooBig:
        return None


def _spreads(node: Node, found: dict[Any, exact.Odds]) -> dict[str, Any]:
    """How the result is spread after one answer of each kind."""
    first: dict[Any, str] = {}
    for name, _, kind in exact.answers(node):
        first.setdefault(kind, name)
    return {name: found[kind].distribution_to_json() for kind, name in first.items()}


def _decided(bound: BoundCheck, node: Node) -> Node:
    """A roll with its next decisions taken as usual, up to a throw or its end."""
    for _ in range(MOST_DECISIONS):
        if not isinstance(node.ask, ChooseDice | PickOption):
            break
        node = resume(bound, node, policy_reply(node, "usual"))
    return node


def _results(bound: BoundCheck, node: Node) -> dict[str, Any]:
    """What each option leads to, where no die follows: both totals of a ruling.

    Whatever else is asked then is answered as usual: a point that is not spent.
    """
    if not isinstance(node.ask, PickOption):
        return {}
    ends = {name: _decided(bound, resume(bound, node, name)) for name in node.ask.options}
    made = {
        name: json_value(end.outcome[bound.check.main])
        for name, end in ends.items()
        if end.outcome is not None and bound.check.main in end.outcome
    }
    return {"results": made} if made else {}
