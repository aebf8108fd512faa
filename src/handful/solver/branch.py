"""One branch of a step: runs a rule to its next stop under a path condition.

Stops are chance nodes, loop heads and results.  Decisions are answered by the policy and pure rules are
computed in place; neither is a stop.  At a stop the branch becomes a state: the question that the
instruction asks, and the values that are live after it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from handful.dice import Die, Pool, check_adds_up
from handful.errors import Message, TooBig
from handful.roll import MAX_DICE, call_arguments
from handful.rules.operators import Unresolved, Value, resolve_int
from handful.rules.program import (
    EVENTS,
    MAX_STEPS,
    VALUE_ERRORS,
    Ask,
    Call,
    Choose,
    Env,
    Instruction,
    Record,
    Reroll,
    Result,
    RollDice,
    explain_error,
    initial_env,
    run,
)
from handful.solver.canonical import canonicalize
from handful.solver.linear import PathCondition
from handful.solver.plan import Plan
from handful.solver.policy import decide
from handful.solver.states import DONE, State, boolean_positions, relocate
from handful.solver.symbolic_pool import StatisticNeeded, SymbolicPool, renumber_throws, throws_in
from handful.solver.throws import land, simple, throws_of
from handful.solver.weights import ONE, Weight, substitute

if TYPE_CHECKING:
    from handful.solver.solver import Solver

MAX_VARIABLES = 1  # random variables that a branch may have and still run through a throw or a call


class Branch:
    """An instruction, the values there, and the path condition that led to it.

    A comparison that the path cannot answer leaves the branch at its instruction; `split` creates one
    branch per answer, which continue from there.
    """

    def __init__(
        self,
        solver: Solver,
        plan: Plan,
        pc: int,
        env: Env,
        *,
        path: PathCondition,
        accumulator: int | None,
        observed: set[int],
    ) -> None:
        self.solver, self.plan = solver, plan
        self.pc, self.env = pc, env
        self.path, self.accumulator, self.observed = path, accumulator, observed
        self.factor = ONE
        self.stands_for = 1.0  # number of branches that it represents in a sample (`estimate`)

    def split(self, paths: Iterable[PathCondition]) -> list[Branch]:
        """Return one branch per path, all at the same instruction."""
        branches = []
        for path in paths:
            branch = Branch(
                self.solver,
                self.plan,
                self.pc,
                dict(self.env),
                path=path,
                accumulator=self.accumulator,
                observed=self.observed,
            )
            branch.factor, branch.stands_for = self.factor, self.stands_for
            branches.append(branch)
        return branches

    def run(self) -> tuple[State, Weight]:
        """Run to the next stop; return the state there and its weight."""
        self.solver.context.path = self.path
        plan, env = self.plan, self.env
        while True:
            try:
                self.pc = pc = run(plan.program, plan.code, self.pc, env)
            except Unresolved as question:
                self.pc = question.pc
                raise
            step = plan.code[pc]
            try:
                if isinstance(step, Result):
                    return self._state_at(step, pc, env)
                if isinstance(step, (Choose, Ask)):
                    env[step.var], is_choice = decide(step, env, self.solver.policy)
                    if is_choice:
                        self.solver.decided.add(step.decision)
                elif isinstance(step, Call) and self.solver.is_pure(step.rule):
                    self._compute(plan, step, env)
                elif not self._try_run_through(step, pc, env):
                    return self._state_at(step, pc, env)
            except VALUE_ERRORS as error:
                raise plan.program.error_at(pc, explain_error(error)) from error
            self.pc += 1

    def _try_run_through(self, step: Instruction, pc: int, env: Env) -> bool:
        """Run through a throw or a call that only adds a random variable; return False if it is a stop.

        A branch that already has more than MAX_VARIABLES stops, so that equal states can be merged.
        """
        if self.accumulator is not None or len(self.path.series) > MAX_VARIABLES:
            return False
        if isinstance(step, (RollDice, Reroll)):
            throws = throws_of(step, self._question(step, env))
            if not all(simple(throw) for throw in throws):
                return False
            pool = SymbolicPool(())
            for throw in throws:
                pool = pool.plus(land(throw, self.path, self.solver.context))
            env[step.var] = pool
        elif not isinstance(step, Call) or pc in self.plan.tail_calls or not self._try_run_call(step, env):
            return False
        return True

    def _try_run_call(self, step: Call, env: Env) -> bool:
        args = self._question(step, env)
        outcomes = self.solver.solve_rule(step.rule, args, self.plan.called_fields[step.var])
        self.solver.context.path = self.path  # solving the called rule has replaced it
        if len(outcomes) != 1:
            return False
        ((fields, events, weight),) = outcomes
        env[step.var] = Record(relocate(fields, len(self.path.series), self.solver.context))
        env[EVENTS] = env[EVENTS] | events
        for series in weight.series:
            self.path.add_variable(series)
        self.factor *= weight.factor
        return True

    def _compute(self, outer: Plan, call: Call, env: Env) -> None:
        """Compute a pure rule (no dice, no decisions) within the same step."""
        program = self.solver.ruleset.program(call.rule)
        plan = self.solver.plan(program, outer.called_fields[call.var])
        own_env = initial_env(program, call_arguments(program, call, env), self.solver.options)
        pc = 0
        for _ in range(MAX_STEPS):
            pc = run(program, plan.code, pc, own_env)
            step = plan.code[pc]
            try:
                if isinstance(step, Result):
                    env[call.var] = Record((name, expr.value(own_env)) for name, expr in step.fields)
                    env[EVENTS] = env[EVENTS] | own_env[EVENTS]
                    return
                if isinstance(step, Call):
                    self._compute(plan, step, own_env)
            except VALUE_ERRORS as error:
                raise program.error_at(pc, explain_error(error)) from error
            pc += 1
        raise TooBig(Message("solver.endless_rule", name=program.name))

    def _state_at(self, step: Instruction, pc: int, env: Env) -> tuple[State, Weight]:
        events = env[EVENTS]
        if isinstance(step, Result):
            fields = tuple((name, expr.value(env)) for name, expr in step.fields)
            for token in throws_in(fields):
                raise StatisticNeeded(token, None)
            values, weight = self._canonical((fields,))
            return State(DONE, None, values, events, weight.accumulator, boolean_positions(values)), weight
        question = self._question(step, env)
        values = self._carry_throws(tuple(env[name] for name in self.plan.live_after[pc]))
        values, weight = self._canonical(values)
        booleans = boolean_positions((question, values))
        return State(pc, question, values, events, weight.accumulator, booleans), weight

    def _canonical(self, values: tuple[Value, ...]) -> tuple[tuple[Value, ...], Weight]:
        values, weight = canonicalize(values, self.path, self.accumulator)
        if self.factor is not ONE:
            weight = weight._replace(factor=weight.factor * self.factor)
        return values, weight

    def _carry_throws(self, values: tuple[Value, ...]) -> tuple[Value, ...]:
        """Renumber unsampled throws to carry them on; a throw with sampled statistics needs its dice."""
        tokens = throws_in(values)
        if not tokens:
            return values
        for token in tokens:
            if token in self.observed:
                raise StatisticNeeded(token, None)
        return tuple(renumber_throws(values, {old: new for new, old in enumerate(tokens)}))

    def _question(self, step: Instruction, env: Env) -> Any:
        match step:
            case RollDice(_, what, die, _, explodes_from):
                dice = what.value(env)
                count = resolve_int(dice.size() if isinstance(dice, (SymbolicPool, Pool)) else dice)
                shape = die.value(env)
                if not isinstance(shape, Die):
                    raise TypeError("only dice can be thrown")
                if count < 0:
                    raise ValueError(f"{count} dice cannot be thrown")
                if count > MAX_DICE:
                    raise TooBig(Message("roll.too_many_dice", most=MAX_DICE, count=count))
                self.solver.spend(count)
                if step.adds and explodes_from is not None:
                    check_adds_up(shape, resolve_int(explodes_from.value(env)))
                return count, shape, None if explodes_from is None else resolve_int(explodes_from.value(env))
            case Reroll(_, pool, die, keep):
                counts_by_reading = pool.value(env).counts_by_reading()
                groups = tuple((reading, resolve_int(n)) for reading, n in counts_by_reading)
                return tuple(g for g in groups if g[1]), die.value(env), keep
            case Call():
                program = self.solver.ruleset.program(step.rule)
                args = call_arguments(program, step, env)
                return Record((name, _resolve_argument(value)) for name, value in args.items())
        return None


def _resolve_argument(value: Value) -> Value:
    """Return an argument of a call with its symbolic numbers resolved: rules are solved for constants."""
    if isinstance(value, SymbolicPool):
        return SymbolicPool(tuple((r, resolve_int(n)) for r, n in value.counts_by_reading()))
    return substitute(value, lambda one: one.resolve())
