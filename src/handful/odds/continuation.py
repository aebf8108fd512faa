"""What is left of a roll, solved: from any pause, the innermost rule first."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from handful.odds.figures import Odds
from handful.odds.tally import Tally
from handful.roll import BoundCheck, Node
from handful.roll.landing import split_stopped
from handful.rules.operators import resolve_int
from handful.rules.program import Call, Env, Record, RollDice
from handful.rules.ruleset import Ruleset, localize
from handful.solver.solver import Outcome, Solver, to_symbolic
from handful.solver.states import boolean_positions
from handful.solver.symbolic_pool import SymbolicThrow
from handful.solver.weights import Weight


def wanted_fields(bound: BoundCheck) -> frozenset[str]:
    return frozenset((bound.check.main, "success", "wins"))


def state_key(node: Node) -> tuple[Any, ...]:
    """All that the odds from a decision on hang on, beside the check that was bound.

    Dice that read alike stand for each other, so throws that differ in their order are one.
    """
    return tuple(_frame(frame.program.name, frame.pc, frame.env) for frame in node.frames)


def _frame(rule: str, pc: int, env: Env) -> tuple[Any, ...]:
    values = Record(to_symbolic({name: env[name] for name in env if name != "@options"}))
    return rule, pc, values, boolean_positions(values)


def outcomes_from(bound: BoundCheck, solver: Solver, node: Node) -> list[Outcome]:
    """The outcomes from a pause: the innermost rule first, then the rules that called it."""
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
            inner = solver.solve_after(plan, frame.pc, env, inner=inner)
        elif frame.wave is not None:
            step = frame.program.code[frame.pc]
            assert isinstance(step, RollDice)
            assert step.explodes_from is not None
            landed, base = split_stopped(frame.wave) if step.adds else (frame.wave.landed, 0)
            throw = SymbolicThrow(
                0,
                len(frame.wave.next),
                step.die.value(frame.env),
                resolve_int(step.explodes_from.value(frame.env)),
                step.adds,
                base,
            )
            inner = solver.solve_after(plan, frame.pc, env, landed=landed, throw=throw)
        else:
            inner = solver.solve_from(plan, frame.pc, env)
    assert inner is not None
    return inner


def _wanted_by(solver: Solver, bound: BoundCheck, node: Node, depth: int) -> frozenset[str] | None:
    """The fields that the calling rule reads of the called one's result."""
    outer = node.frames[depth - 1]
    wanted = wanted_fields(bound) if depth == 1 else _wanted_by(solver, bound, node, depth - 1)
    plan = solver.plan(outer.program, wanted)
    call = outer.program.code[outer.pc]
    assert isinstance(call, Call)
    return plan.called_fields.get(call.var, frozenset())


def tally_odds(bound: BoundCheck, solver: Solver, outcomes: Iterable[Outcome], policy: str) -> Odds:
    table = Tally(bound.check.main, solver.spend)
    for outcome in outcomes:
        table.add(outcome)
    distribution, tail = table.listed()
    return Odds(table, distribution, tail, describe_policy(bound.ruleset, solver.decided, policy), bound)


def describe_policy(rules: Ruleset, decided: Iterable[str], policy: str) -> dict[str, str]:
    """How decisions are taken, in words."""
    decisions = rules.decisions
    words = {
        name: localize(decisions[name].never if policy == "never" else decisions[name].usual)
        for name in sorted(decided)
    }
    if policy == "best":
        words = {
            name: "whatever is best for the roller" if decisions[name].by == "player" else usual
            for name, usual in words.items()
        }
    return words
