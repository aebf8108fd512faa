"""One branch of a step: runs a rule to its next stop, with what its path knows.

Decisions are answered by the policy and rules without dice are computed on the way; neither is a
stop.  At a stop the branch becomes a state: the question asked, and the values needed afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from handful.dice import Die, Pool, check_adds_up
from handful.errors import TooBig
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
    explain_fault,
    initial_env,
    run,
)
from handful.solver.canonical import canonicalize
from handful.solver.linear import PathCondition
from handful.solver.plan import Plan
from handful.solver.policy import decided
from handful.solver.states import DONE, State, boolean_positions, relocate
from handful.solver.symbolic_pool import StatisticNeeded, SymbolicPool, renumber_throws, throws_in
from handful.solver.throws import land, simple, throws_of
from handful.solver.weights import ONE, Weight, substitute

if TYPE_CHECKING:
    from handful.solver.solver import Solver

MOST_AXES = 1  # open numbers that a branch may have and still pass a throw or a call


class Branch:
    """A place in a rule, its values there, and the path that led to it.

    A question that the path cannot answer leaves the branch where it was asked; `split` gives the
    branches of the answers, which go on from there.
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
        self.stands_for = 1.0  # branches, when only a sample is run (`estimate`)

    def split(self, paths: Iterable[PathCondition]) -> list[Branch]:
        """A branch for each path, from the same place on."""
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
        """The state in which the branch stops, and its weight."""
        self.solver.context.path = self.path
        plan, env = self.plan, self.env
        while True:
            try:
                self.pc = pc = run(plan.program, plan.code, self.pc, env)
            except Unresolved as question:
                self.pc = question.place
                raise
            step = plan.code[pc]
            try:
                if isinstance(step, Result):
                    return self._stopped(step, pc, env)
                if isinstance(step, (Choose, Ask)):
                    env[step.var], asked = decided(step, env, self.solver.policy)
                    if asked:
                        self.solver.decided.add(step.decision)
                elif isinstance(step, Call) and self.solver.compiled_rules.is_quiet(step.rule):
                    self._compute(plan, step, env)
                elif not self._passes(step, pc, env):
                    return self._stopped(step, pc, env)
            except VALUE_ERRORS as error:
                raise plan.program.error_at(pc, explain_fault(error)) from error
            self.pc += 1

    def _passes(self, step: Instruction, pc: int, env: Env) -> bool:
        """Whether a throw or a call just brings a further open number: then it is no stop.

        With more than a few numbers open it is a stop after all, so that branches can meet.
        """
        if self.accumulator is not None or len(self.path.series) > MOST_AXES:
            return False
        if isinstance(step, (RollDice, Reroll)):
            throws = throws_of(step, self._question(step, env))
            if not all(simple(throw) for throw in throws):
                return False
            pool = SymbolicPool(())
            for throw in throws:
                pool = pool.plus(land(throw, self.path, self.solver.context))
            env[step.var] = pool
        elif not isinstance(step, Call) or pc in self.plan.tail_calls or not self._calls(step, env):
            return False
        return True

    def _calls(self, step: Call, env: Env) -> bool:
        args = self._question(step, env)
        outcomes = self.solver.solve_rule(step.rule, args, self.plan.called_fields[step.var])
        self.solver.context.path = self.path  # solving the other rule has left its own there
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
        """A called rule without dice and questions is part of the same step."""
        program = self.solver.ruleset.program(call.rule)
        plan = self.solver.plan(program, outer.called_fields[call.var])
        own = initial_env(program, call_arguments(program, call, env), self.solver.options)
        pc = 0
        for _ in range(MAX_STEPS):
            pc = run(program, plan.code, pc, own)
            step = plan.code[pc]
            try:
                if isinstance(step, Result):
                    env[call.var] = Record((name, expr.value(own)) for name, expr in step.fields)
                    env[EVENTS] = env[EVENTS] | own[EVENTS]
                    return
                if isinstance(step, Call):
                    self._compute(plan, step, own)
            except VALUE_ERRORS as error:
                raise program.error_at(pc, explain_fault(error)) from error
            pc += 1
        raise TooBig(f"the rule {program.name!r} goes on without end")

    def _stopped(self, step: Instruction, pc: int, env: Env) -> tuple[State, Weight]:
        events = env[EVENTS]
        if isinstance(step, Result):
            fields = tuple((name, expr.value(env)) for name, expr in step.fields)
            for token in throws_in(fields):
                raise StatisticNeeded(token, None)
            values, weight = self._condensed((fields,))
            return State(DONE, None, values, events, weight.accumulator, boolean_positions(values)), weight
        question = self._question(step, env)
        values = self._carried(tuple(env[name] for name in self.plan.live_after[pc]))
        values, weight = self._condensed(values)
        marks = boolean_positions((question, values))
        return State(pc, question, values, events, weight.accumulator, marks), weight

    def _condensed(self, values: tuple[Value, ...]) -> tuple[tuple[Value, ...], Weight]:
        values, weight = canonicalize(values, self.path, self.accumulator)
        if self.factor is not ONE:
            weight = weight._replace(factor=weight.factor * self.factor)
        return values, weight

    def _carried(self, values: tuple[Value, ...]) -> tuple[Value, ...]:
        """Throws that nobody looked at go on as they are; of others the dice must be known."""
        tokens = throws_in(values)
        if not tokens:
            return values
        for token in tokens:
            if token in self.observed:
                raise StatisticNeeded(token, None)
        return tuple(renumber_throws(values, {old: new for new, old in enumerate(tokens)}))

    def _question(self, step: Instruction, env: Env) -> Any:
        match step:
            case RollDice(_, what, die, _, endless):
                asked = what.value(env)
                count = resolve_int(asked.size() if isinstance(asked, (SymbolicPool, Pool)) else asked)
                shape = die.value(env)
                if not isinstance(shape, Die):
                    raise TypeError("only dice can be thrown")
                if count < 0:
                    raise ValueError(f"{count} dice cannot be thrown")
                if count > MAX_DICE:
                    raise TooBig(f"at most {MAX_DICE} dice can be thrown at once, not {count}")
                self.solver.spend(count)
                if step.adds and endless is not None:
                    check_adds_up(shape, resolve_int(endless.value(env)))
                return count, shape, None if endless is None else resolve_int(endless.value(env))
            case Reroll(_, pool, die, keep):
                spread = pool.value(env).spread()
                groups = tuple((reading, resolve_int(n)) for reading, n in spread)
                return tuple(g for g in groups if g[1]), die.value(env), keep
            case Call():
                program = self.solver.ruleset.program(step.rule)
                args = call_arguments(program, step, env)
                return Record((name, _settled(value)) for name, value in args.items())
        return None


def _settled(value: Value) -> Value:
    """A value for another rule: its numbers must be known."""
    if isinstance(value, SymbolicPool):
        return SymbolicPool(tuple((r, resolve_int(n)) for r, n in value.spread()))
    return substitute(value, lambda one: one.resolve())
