"""Odds of each answer to an open decision, from what a seat knows of the roll.

Views ask for these again and again, so they are cached by the check and by the state of the roll,
regardless of which dice led there.  A seat that does not know the target has another check, without
it, and gets the distribution of the result.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import Any

from handful import odds as exact
from handful.errors import TooBig
from handful.roll import BoundCheck, ChooseDice, Node, PickOption, policy_reply, resume
from handful.table.json_types import JsonObject
from handful.table.state import TableRoll
from handful.table.view_sheets import json_value

WORK_BUDGET = 20_000  # solver steps per decision, so that a view does not take seconds
CACHE_SIZE = 2000
MAX_DICE = 60  # to pick from; beyond that even listing the answers takes long
MAX_DECISIONS = 20  # in a row, without a throw between them


class _DecisionKey:
    """A roll at a decision, as a cache key: equal if the checks are, and the states that odds depend on."""

    __slots__ = ("bound", "identity", "node")

    def __init__(self, bound: BoundCheck, node: Node) -> None:
        self.bound, self.node = bound, node
        self.identity = (bound.identity, exact.state_key(node))

    def __hash__(self) -> int:
        return hash(self.identity)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _DecisionKey) and self.identity == other.identity


def answer_odds(roll: TableRoll) -> JsonObject:
    """Return the exact odds of each answer to a roll's current decision, as JSON data."""
    assert roll.bound is not None
    assert roll.node is not None
    ask = roll.node.ask
    too_many = isinstance(ask, ChooseDice) and len(ask.pool) > MAX_DICE
    by_kind = None if too_many else _odds_by_answer(_DecisionKey(roll.bound, roll.node))
    if by_kind is None:
        return {"note": "too much work to show beside each answer"}
    figures = exact.answer_figures(roll.node, by_kind)
    data = exact.answers_to_json(figures)
    if hidden := unknown_parameters(roll):
        data["unknown"] = hidden
    if has_no_best_answer(roll, figures["answer_means"]):
        data["best"] = None
    if figures["answer_means"] is not None:
        data["spread"] = _distributions(roll.node, by_kind)
    with suppress(TooBig):  # the results are not worth more work than the odds
        data |= _option_results(roll.bound, roll.node)
    return data


def unknown_parameters(roll: TableRoll) -> list[str]:
    """Return the hidden parameters that the seat does not know: it has to beat an unknown target."""
    visible = (roll.asked.parameters, *roll.asked.sides) if roll.asked else ()
    return [name for name in roll.hidden if not any(name in one for one in visible)]


def has_no_best_answer(roll: TableRoll, means: object) -> bool:
    """Return whether an answer spends a point on a higher result of unknown use.

    For example +3 to damage, to a parry, or against a hidden Defense: then no answer is best.
    """
    return costs_points(roll) and (means is not None or bool(unknown_parameters(roll)))


def costs_points(roll: TableRoll) -> bool:
    """Return whether an answer to the current question spends a resource."""
    assert roll.bound is not None
    sheet, ask = roll.bound.ruleset.sheet, roll.ask
    resources = sheet.resources.values() if sheet else ()
    return isinstance(ask, PickOption) and any(ask.decision in one.spent for one in resources)


# Kept by the process and not by a room, because rooms that play the same game ask the same: a view would
# solve each decision again (milliseconds), and functions of the pure part take no cache.
@lru_cache(CACHE_SIZE)
def _odds_by_answer(key: _DecisionKey) -> dict[Any, exact.Odds] | None:
    """Return the odds after each kind of answer; None if that exceeds the work budget."""
    try:
        return exact.odds_by_answer(key.bound, key.node, budget=WORK_BUDGET)
    except TooBig:
        return None


def _distributions(node: Node, by_kind: dict[Any, exact.Odds]) -> JsonObject:
    """Return the distribution of the result after one answer of each kind."""
    first: dict[Any, str] = {}
    for name, _, kind in exact.answers(node):
        first.setdefault(kind, name)
    return {name: by_kind[kind].distribution_to_json() for kind, name in first.items()}


def _play_decisions(bound: BoundCheck, node: Node) -> Node:
    """Play the next decisions by the usual policy, up to a throw or the end."""
    for _ in range(MAX_DECISIONS):
        if not isinstance(node.ask, ChooseDice | PickOption):
            break
        node = resume(bound, node, policy_reply(node, "usual"))
    return node


def _option_results(bound: BoundCheck, node: Node) -> JsonObject:
    """Return the result of each option if no die follows, such as both totals of a ruling.

    Further decisions follow the usual policy: no point is spent.
    """
    if not isinstance(node.ask, PickOption):
        return {}
    ends = {name: _play_decisions(bound, resume(bound, node, name)) for name in node.ask.options}
    results = {
        name: json_value(end.outcome[bound.check.main])
        for name, end in ends.items()
        if end.outcome is not None and bound.check.main in end.outcome
    }
    return {"results": results} if results else {}
