"""Exact odds of a check, from its start or from any point of a roll, under a named policy.

`odds` asks the solver for the fields that odds are computed from and turns its outcomes into fractions.
Hides how the solver represents outcomes: callers see only numbers and probabilities.
Invariant: all figures are exact; what takes too much work is refused (`TooBig`), never approximated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import log10
from typing import Any, TypeVar

from handful.errors import Message, Refused, TooBig
from handful.odds.answers import answers, count_left_out
from handful.odds.best import BestPolicy
from handful.odds.compiled_odds import compiled_odds
from handful.odds.continuation import outcomes_from, state_key, tally_odds, wanted_fields
from handful.odds.figures import Number, Odds, Success, Tail, answers_to_json, describe_check, objective
from handful.odds.self_check import cross_check
from handful.roll import BoundCheck, ChooseDice, Node, PickOption, refusal_error, resume, start
from handful.rules.program import Refusal
from handful.solver.solver import BUDGET, SolvedRules, Solver

Answer = TypeVar("Answer")
POLICIES = ("usual", "best", "never")
WORK_BEFORE_ESTIMATE = 200_000  # units; if it is not solved by then, the work is estimated first
REFUSAL_FACTOR = 10  # refuse if the estimate exceeds so many budgets; estimates are rough


def odds(
    bound: BoundCheck,
    node: Node | None = None,
    *,
    policy: str = "usual",
    budget: int = BUDGET,
    solved: SolvedRules | None = None,
) -> Odds:
    """Return the odds from the start of a check, or from a paused roll.

    `solved` makes further questions about the same ruleset faster; the answer is the same without.
    """
    if policy not in POLICIES:
        raise Refused(Message("odds.unknown_policy", policy=policy))

    def solve(own: SolvedRules, *, compiles: bool = True) -> Odds:
        if compiles and node is None and policy != "best":
            found = compiled_odds(own, bound, policy, budget)
            if found is not None:
                return found
        solver = Solver(own, bound.options, "never" if policy == "never" else "usual", budget)
        return solve_odds(solver, bound, node, policy)

    return _solve_and_check(bound, solve, solved)


def _solve_and_check(bound: BoundCheck, solve: Callable[..., Answer], solved: SolvedRules | None) -> Answer:
    """Return the answer of `solve(solved, compiles=…)`, cross-checked without what is solved already."""
    return cross_check(
        lambda: solve(SolvedRules.of(bound.ruleset, solved)),
        lambda: solve(SolvedRules(bound.ruleset), compiles=False),
    )


def solve_odds(solver: Solver, bound: BoundCheck, node: Node | None, policy: str) -> Odds:
    """Return the odds computed by a given solver, within its budget."""
    if node is None and policy != "best":
        try:
            return _interpret(bound, solver, policy)
        except Refusal as refusal:
            raise refusal_error(bound, refusal) from None
    node = node or start(bound)
    found = _solve_node(bound, node, solver, policy)
    if isinstance(node.ask, (ChooseDice, PickOption)):
        return found.replace(**answer_figures(node, _solve_answers(bound, node, solver, policy)))
    return found


def odds_by_answer(
    bound: BoundCheck, node: Node, *, budget: int = BUDGET, solved: SolvedRules | None = None
) -> dict[Any, Odds]:
    """Return the odds after each answer to a decision; equivalent answers are solved once.

    The result depends only on `state_key(node)`, so callers may cache by it.
    """

    def solve(own: SolvedRules, *, compiles: bool = True) -> dict[Any, Odds]:
        solver = Solver(own, bound.options, "usual", budget)
        return _solve_answers(bound, node, solver, "usual")

    return _solve_and_check(bound, solve, solved)


def answer_figures(node: Node, by_kind: Mapping[Any, Odds]) -> dict[str, Any]:
    """Return the figures of `Odds` that compare the answers to a decision, by answer."""
    kinds = {name: kind for name, _, kind in answers(node)}
    side = node.ask.side if node.ask is not None else 0
    objectives = {kind: objective(one, side) for kind, one in by_kind.items()}
    means = None
    if all(one.success is None for one in by_kind.values()):
        means = {name: by_kind[kind].mean for name, kind in kinds.items()}
    return {
        "answers": {name: by_kind[kind].success for name, kind in kinds.items()},
        "answer_means": means,
        "answers_left_out": count_left_out(node),
        # Among equally good answers, the first one is the shortest and spends least.
        "best": max(kinds, key=lambda name: objectives[kinds[name]], default=None),
    }


def _interpret(bound: BoundCheck, solver: Solver, policy: str) -> Odds:
    """Solve a check: all figures at once, or each by itself; estimate the work before spending much of it.

    The joint distribution of all figures may need every combination of who beats whom and by how much; each
    figure alone does not, so that is tried with the second half of the budget.
    """
    budget, rule = solver.remaining, (bound.check.name, bound.args)
    wanted, half = wanted_fields(bound), solver.remaining // 2
    cost = 0
    for work in (WORK_BEFORE_ESTIMATE, half) if half > WORK_BEFORE_ESTIMATE else (half,):
        solver.reset(work)
        solver.projected_growth = 1.0
        try:
            return tally_odds(bound, solver, solver.solve_rule(*rule, wanted), policy)
        except TooBig:
            if solver.remaining >= 0:  # refused for another reason than the budget
                raise
        cost = max(cost or int(work * solver.projected_growth), work)
        if cost > REFUSAL_FACTOR * budget:
            raise _too_much_work(cost, budget)
    solver.reset(half)
    try:
        main, success, wins = (
            tally_odds(bound, solver, solver.solve_rule(*rule, frozenset((one,))), policy)
            for one in (bound.check.main, "success", "wins")
        )
    except TooBig:
        if solver.remaining >= 0:
            raise
        raise _too_much_work(max(cost, half), budget) from None
    return main.replace(success=success.success, wins=wins.wins, tie=wins.tie, policy=wins.policy)


def _too_much_work(cost: int, budget: int) -> TooBig:
    steps = f"about {_round(cost)} steps" if cost > budget else f"more than {_round(budget)} steps"
    return TooBig(
        Message("odds.over_budget", steps=steps, budget=_round(budget)),
        Message("odds.smaller_question"),
        cost=cost,
    )


def _round(number: float) -> str:
    """Format a large number with two significant digits, or as a power of ten."""
    if number >= 1e12:
        return f"10^{round(log10(number))}"
    digits = max(len(str(int(number))) - 2, 0)
    return f"{round(number, -digits):,.0f}"


def _solve_node(bound: BoundCheck, node: Node, solver: Solver, policy: str) -> Odds:
    if policy == "best":
        return tally_odds(bound, solver, BestPolicy(bound, solver).outcomes(node), policy)
    return tally_odds(bound, solver, outcomes_from(bound, solver, node), policy)


def _solve_answers(bound: BoundCheck, node: Node, solver: Solver, policy: str) -> dict[Any, Odds]:
    by_kind: dict[Any, Odds] = {}
    for _, reply, kind in answers(node):
        if kind not in by_kind:
            by_kind[kind] = _solve_node(bound, resume(bound, node, reply), solver, policy)
    return by_kind


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
