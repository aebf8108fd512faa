"""Exact odds of a check: from the start or from any pause, under a named policy.

`odds` asks the solver for the fields that matter and turns its outcomes into fractions.
How outcomes are represented is the solver's business; here there are only numbers and chances.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log10
from typing import Any

from handful.errors import Refused, TooBig
from handful.odds.answers import answers, count_left_out
from handful.odds.best import Best
from handful.odds.continuation import outcomes_from, state_key, tally_odds, wanted_fields
from handful.odds.figures import Number, Odds, Success, Tail, answers_to_json, describe_check, objective
from handful.odds.self_check import cross_check
from handful.roll import BoundCheck, ChooseDice, Node, PickOption, refusal_error, resume, start
from handful.rules.program import Refusal
from handful.solver.solver import BUDGET, Solver

POLICIES = ("usual", "best", "never")
SOON = 100_000  # units of work: what is not solved by then is estimated first
HOPELESS = 10  # times the budget: estimates are rough


def odds(bound: BoundCheck, node: Node | None = None, *, policy: str = "usual", budget: int = BUDGET) -> Odds:
    """The odds from the start, or from where a roll stands."""
    if policy not in POLICIES:
        raise Refused(f"there is no policy {policy!r}; it is usual, best or never")

    def by(**how: Any) -> Odds:
        way = "never" if policy == "never" else "usual"
        return solve_odds(Solver(bound.ruleset, bound.options, way, budget, **how), bound, node, policy)

    return cross_check(by, lambda: by(compiles=False, entries={}))


def solve_odds(solver: Solver, bound: BoundCheck, node: Node | None, policy: str) -> Odds:
    """The same by a given solver, within its budget."""
    if node is None and policy != "best":
        try:
            return _from_the_start(bound, solver, policy)
        except Refusal as refusal:
            raise refusal_error(bound, refusal) from None
    node = node or start(bound)
    made = _solved(bound, node, solver, policy)
    if isinstance(node.ask, (ChooseDice, PickOption)):
        return made.replace(**answer_figures(node, _weighed(bound, node, solver, policy)))
    return made


def odds_by_answer(bound: BoundCheck, node: Node, *, budget: int = BUDGET) -> dict[Any, Odds]:
    """The odds after each answer to a decision; once for all that amount to the same.

    They hang on `state_key` of the node alone.
    """

    def by(**how: Any) -> dict[Any, Odds]:
        solver = Solver(bound.ruleset, bound.options, "usual", budget, **how)
        return _weighed(bound, node, solver, "usual")

    return cross_check(by, lambda: by(compiles=False, entries={}))


def answer_figures(node: Node, by_kind: Mapping[Any, Odds]) -> dict[str, Any]:
    """What each answer is worth, by its name: the figures that odds have at a decision."""
    kinds = {name: kind for name, _, kind in answers(node)}
    side = node.ask.side if node.ask is not None else 0
    goals = {kind: objective(one, side) for kind, one in by_kind.items()}
    means = None
    if all(one.success is None for one in by_kind.values()):
        means = {name: by_kind[kind].mean for name, kind in kinds.items()}
    return {
        "answers": {name: by_kind[kind].success for name, kind in kinds.items()},
        "answer_means": means,
        "answers_left_out": count_left_out(node),
        # among answers of equal worth the first: the shortest, which spends least
        "best": max(kinds, key=lambda name: goals[kinds[name]], default=None),
    }


def _from_the_start(bound: BoundCheck, solver: Solver, policy: str) -> Odds:
    """All figures at once; what is much work for that is estimated before it is gone on with.

    Together the figures may need every combination of who beats whom and by how much; each by
    itself does not, so that is tried with the second half of the budget.
    """
    rule, together = (bound.check.name, bound.args), wanted_fields(bound)

    def compiled() -> Odds | None:
        outcomes = solver.compiled_rules.outcomes(solver, *rule, together)
        return None if outcomes is None else tally_odds(bound, solver, outcomes, policy)

    made = solver.try_compiled(compiled)
    return _interpreted(bound, solver, policy) if made is None else made


def _interpreted(bound: BoundCheck, solver: Solver, policy: str) -> Odds:
    budget, rule = solver.remaining, (bound.check.name, bound.args)
    together, half = wanted_fields(bound), solver.remaining // 2
    cost = 0
    for work in (SOON, half) if half > SOON else (half,):
        solver.reset(work)
        try:
            return tally_odds(bound, solver, solver.solve_rule(*rule, together), policy)
        except TooBig:
            if solver.remaining >= 0:  # not for want of work
                raise
        from handful.solver.estimate import estimate_work  # seldom needed, so not loaded at once

        cost = max(cost or estimate_work(solver, *rule, together, budget), work)
        if cost > HOPELESS * budget:
            raise _too_much(cost, budget)
    solver.reset(half)
    try:
        main, success, wins = (
            tally_odds(bound, solver, solver.solve_rule(*rule, frozenset((one,))), policy)
            for one in (bound.check.main, "success", "wins")
        )
    except TooBig:
        if solver.remaining >= 0:
            raise
        raise _too_much(max(cost, half), budget) from None
    return main.replace(success=success.success, wins=wins.wins, tie=wins.tie, policy=wins.policy)


def _too_much(cost: int, budget: int) -> TooBig:
    steps = f"about {_round(cost)} steps" if cost > budget else f"more than {_round(budget)} steps"
    return TooBig(
        f"this would take {steps} of work; the budget is {_round(budget)}",
        "fewer dice, sides or decisions can be solved",
        cost=cost,
    )


def _round(number: float) -> str:
    """A large number as far as it matters."""
    if number >= 1e12:
        return f"10^{round(log10(number))}"
    digits = max(len(str(int(number))) - 2, 0)
    return f"{round(number, -digits):,.0f}"


def _solved(bound: BoundCheck, node: Node, solver: Solver, policy: str) -> Odds:
    if policy == "best":
        return tally_odds(bound, solver, Best(bound, solver).outcomes(node), policy)
    return tally_odds(bound, solver, outcomes_from(bound, solver, node), policy)


def _weighed(bound: BoundCheck, node: Node, solver: Solver, policy: str) -> dict[Any, Odds]:
    made: dict[Any, Odds] = {}
    for _, reply, kind in answers(node):
        if kind not in made:
            made[kind] = _solved(bound, resume(bound, node, reply), solver, policy)
    return made


__all__ = [
    "POLICIES",
    "Number",
    "Odds",
    "Success",
    "Tail",
    "answer_figures",
    "answers",
    "answers_to_json",
    "describe_check",
    "odds",
    "odds_by_answer",
    "solve_odds",
    "state_key",
]
