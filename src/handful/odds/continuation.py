"""Solves the rest of a paused roll: the innermost rule first, then the rules that called it.

Hides that a roll consists of nested frames: callers pass a node and get outcomes of the check.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from handful.odds.figures import Odds
from handful.odds.tally import OutcomeTally
from handful.roll import BoundCheck, Node
from handful.roll.landing import split_stopped
from handful.rules.program import Call, Env, Record, RollDice
from handful.rules.ruleset import Ruleset, localize
from handful.solver.solver import Outcome, Solver, to_symbolic
from handful.solver.states import boolean_positions
from handful.solver.weights import Weight


def wanted_fields(bound: BoundCheck) -> frozenset[str]:
    """Return the result fields that odds are computed from."""
    return frozenset((bound.check.main, "success", "wins"))


def state_key(node: Node) -> tuple[Any, ...]:
    """Return everything that the odds from a decision depend on, other than the bound check.

    Dice are counted by reading, so throws that differ only in their order have the same key.
    """
    return tuple(_frame(frame.program.name, frame.pc, frame.env) for frame in node.frames)


def _frame(rule: str, pc: int, env: Env) -> tuple[Any, ...]:
    values = Record(to_symbolic({name: env[name] for name in env if name != "@options"}))
    return rule, pc, values, boolean_positions(values)


def outcomes_from(bound: BoundCheck, solver: Solver, node: Node) -> list[Outcome]:
    """Return the outcomes from a paused roll, solving its frames from the innermost to the outermost."""
    if node.outcome is not None:
        wanted = wanted_fields(bound)
        fields = tuple((name, v) for name, v in node.outcome.items() if name in wanted)
        return [Outcome(fields, node.events, Weight(Fraction(1), ()))]
    inner: list[Outcome] | None = None
    for depth in reversed(range(len(node.frames))):
        frame = node.frames[depth]
        wanted_here = wanted_fields(bound) if depth == 0 else _wanted_by(solver, bound, node, depth)
        plan = solver.plan(frame.program, wanted_here)
        env = to_symbolic(frame.env)
        if inner is not None:
            inner = solver.solve_from(plan, frame.pc, env, called=inner)
        elif frame.wave is not None:
            step = frame.program.code[frame.pc]
            assert isinstance(step, RollDice)
            landed, base = split_stopped(frame.wave) if step.adds else (frame.wave.landed, 0)
            wave = landed, len(frame.wave.next), base
            inner = solver.solve_from(plan, frame.pc, env, wave=wave)
        else:
            inner = solver.solve_from(plan, frame.pc, env)
    assert inner is not None
    return inner


def _wanted_by(solver: Solver, bound: BoundCheck, node: Node, depth: int) -> frozenset[str] | None:
    """Return the fields of a called rule's result that the calling rule reads."""
    outer = node.frames[depth - 1]
    wanted = wanted_fields(bound) if depth == 1 else _wanted_by(solver, bound, node, depth - 1)
    plan = solver.plan(outer.program, wanted)
    call = outer.program.code[outer.pc]
    assert isinstance(call, Call)
    return plan.called_fields.get(call.var, frozenset())


def tally_odds(bound: BoundCheck, solver: Solver, outcomes: Iterable[Outcome], policy: str) -> Odds:
    """Add up outcomes into odds."""
    tally = OutcomeTally(bound.check.main, solver.spend)
    for outcome in outcomes:
        tally.add(outcome)
    tally.list_distribution()  # now, because it may be refused
    decided = frozenset(solver.decided)
    return Odds(tally, lambda: describe_policy(bound.ruleset, decided, policy), bound)


def describe_policy(rules: Ruleset, decided: Iterable[str], policy: str) -> dict[str, str]:
    """Describe how the policy answers each decision, in the ruleset's words."""
    decisions = rules.decisions
    descriptions = {
        name: localize(decisions[name].never if policy == "never" else decisions[name].usual)
        for name in sorted(decided)
    }
    if policy == "best":
        descriptions = {
            name: "whatever is best for the roller" if decisions[name].by == "player" else usual
            for name, usual in descriptions.items()
        }
    return descriptions
