"""Exact odds of a check: from the start or from any pause, under a named policy.

`odds` asks the solver for the fields that matter and turns its outcomes into fractions.
How outcomes are represented is the solver's business; here there are only numbers and chances.
"""

from __future__ import annotations

from typing import Any

from handful.errors import Refused, TooBig
from handful.odds.answers import answers, left_out
from handful.odds.best import Best
from handful.odds.figures import Number, Odds, Success, Tail, described, goal
from handful.odds.rest import outcomes_from, read, wanted_fields
from handful.records import changed
from handful.roll import Bound, ChooseDice, Node, PickOption, refused, resume, start
from handful.rules.program import Refusal
from handful.solver.solver import BUDGET, Solver

POLICIES = ("usual", "best", "never")


def odds(
    bound: Bound, node: Node | None = None, *, policy: str = "usual", budget: int = BUDGET
) -> Odds:
    """The odds from the start, or from where a roll stands."""
    if policy not in POLICIES:
        raise Refused(f"there is no policy {policy!r}; it is usual, best or never")
    solver = Solver(bound.ruleset, bound.options, "never" if policy == "never" else "usual", budget)
    if node is None and policy != "best":
        try:
            return _from_the_start(bound, solver, policy)
        except Refusal as refusal:
            raise refused(bound, refusal) from None
    node = node or start(bound)
    made = _solved(bound, node, solver, policy)
    if isinstance(node.ask, (ChooseDice, PickOption)):
        return _with_answers(bound, node, made, policy, solver)
    return made


def _from_the_start(bound: Bound, solver: Solver, policy: str) -> Odds:
    """All figures at once, or else, with the second half of the budget, one after the other.

    Together they may need every combination of who beats whom and by how much; each by itself
    does not.
    """
    reserve = solver.left // 2
    solver.left -= reserve
    try:
        outcomes = solver.rule(bound.check.name, bound.args, wanted_fields(bound))
        return read(bound, solver, outcomes, policy)
    except TooBig:
        if solver.left >= 0:  # not for want of work
            raise
    solver.left = reserve
    main, success, wins = (
        read(bound, solver, solver.rule(bound.check.name, bound.args, frozenset((field,))), policy)
        for field in (bound.check.main, "success", "wins")
    )
    return changed(main, success=success.success, wins=wins.wins, tie=wins.tie, policy=wins.policy)


def _solved(bound: Bound, node: Node, solver: Solver, policy: str) -> Odds:
    if policy == "best":
        return read(bound, solver, Best(bound, solver).outcomes(node), policy)
    return read(bound, solver, outcomes_from(bound, solver, node), policy)


def _with_answers(bound: Bound, node: Node, made: Odds, policy: str, solver: Solver) -> Odds:
    values: dict[str, Odds] = {}
    by_kind: dict[Any, Odds] = {}
    for name, reply, kind in answers(node):
        if kind not in by_kind:
            by_kind[kind] = _solved(bound, resume(bound, node, reply), solver, policy)
        values[name] = by_kind[kind]
    side = node.ask.side if node.ask is not None else 0
    # among answers of equal worth the first: the shortest, which spends least
    best = max(values, key=lambda name: goal(values[name], side), default=None)
    means = None
    if made.success is None:
        means = {name: value.mean for name, value in values.items()}
    return changed(
        made,
        answers={name: value.success for name, value in values.items()},
        answer_means=means,
        answers_left_out=left_out(node),
        best=best,
    )


__all__ = [
    "POLICIES",
    "Number",
    "Odds",
    "Success",
    "Tail",
    "answers",
    "described",
    "odds",
]
