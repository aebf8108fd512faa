"""One branch of a step: runs a rule to its next stop, with what its path knows.

Decisions are answered by the policy and rules without dice are computed on the way; neither is a
stop.  At a stop the branch becomes a state: the question asked, and the values needed afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handful.dice import Die, Pool
from handful.errors import TooBig
from handful.roll import MOST_DICE, arguments
from handful.rules.functions import Value, whole
from handful.rules.program import (
    EVENTS,
    FUEL,
    Ask,
    Call,
    Choose,
    Env,
    Instruction,
    Record,
    Reroll,
    Result,
    Roll,
    bound,
    run,
)
from handful.solver.heaps import Heap, Wanted, casts_in, renamed
from handful.solver.numbers import Path
from handful.solver.plan import Plan
from handful.solver.states import DONE, State
from handful.solver.weights import Weight, condense, rewritten

if TYPE_CHECKING:
    from handful.solver.solver import Solver


class Branch:
    """Lives for one run; `looked` are the throws that this step has looked at."""

    def __init__(
        self,
        solver: Solver,
        plan: Plan,
        fixed: Env,
        *,
        path: Path,
        free: int | None,
        looked: set[int],
    ) -> None:
        self.solver, self.plan, self.fixed = solver, plan, fixed
        self.path, self.free, self.looked = path, free, looked

    def run(self, pc: int, env: Env) -> tuple[State, Weight]:
        """The state in which the branch stops, and its weight."""
        own = env | self.fixed
        self.solver.desk.path = self.path
        plan = self.plan
        while True:
            pc = run(plan.program, plan.code, pc, own)
            step = plan.code[pc]
            if isinstance(step, (Choose, Ask)):
                own[step.var] = self._decide(step, own)
                pc += 1
                continue
            if isinstance(step, Call) and self.solver.quiet(step.rule):
                self._compute(plan, step, pc, own)
                pc += 1
                continue
            try:
                return self._stopped(step, pc, own)
            except (TypeError, ValueError, KeyError, IndexError) as error:
                raise plan.program.fault(pc, str(error)) from error

    def _compute(self, outer: Plan, call: Call, at: int, env: Env) -> None:
        """A called rule without dice and questions is part of the same step."""
        program = self.solver.ruleset.program(call.rule)
        plan = self.solver.plan(program, outer.fields[call.var])
        try:
            own = bound(program, arguments(program, call, env), self.solver.options)
        except (TypeError, KeyError) as error:
            raise outer.program.fault(at, str(error)) from error
        pc = 0
        for _ in range(FUEL):
            pc = run(program, plan.code, pc, own)
            step = plan.code[pc]
            if isinstance(step, Result):
                env[call.var] = Record((name, expr.value(own)) for name, expr in step.fields)
                env[EVENTS] = env[EVENTS] | own[EVENTS]
                return
            if isinstance(step, Call):
                self._compute(plan, step, pc, own)
            pc += 1
        raise TooBig(f"the rule {program.name!r} goes on without end")

    def _stopped(self, step: Instruction, pc: int, env: Env) -> tuple[State, Weight]:
        events = env[EVENTS]
        if isinstance(step, Result):
            fields = tuple((name, expr.value(env)) for name, expr in step.fields)
            for token in casts_in(fields):
                raise Wanted(token, None)
            values, weight = condense((fields,), self.path, self.free)
            return State(DONE, None, values, events, weight.free), weight
        question = self._question(step, env)
        values = self._carried(tuple(env[name] for name in self.plan.needed_after(pc)))
        values, weight = condense(values, self.path, self.free)
        return State(pc, question, values, events, weight.free), weight

    def _carried(self, values: tuple[Value, ...]) -> tuple[Value, ...]:
        """Throws that nobody looked at go on as they are; of others the dice must be known."""
        tokens = casts_in(values)
        if not tokens:
            return values
        for token in tokens:
            if token in self.looked:
                raise Wanted(token, None)
        return tuple(renamed(values, {old: new for new, old in enumerate(tokens)}))

    def _question(self, step: Instruction, env: Env) -> Any:
        match step:
            case Roll(_, what, die, _, endless):
                asked = what.value(env)
                count = whole(asked.size() if isinstance(asked, (Heap, Pool)) else asked)
                shape = die.value(env)
                if not isinstance(shape, Die):
                    raise TypeError("only dice can be thrown")
                if count < 0:
                    raise ValueError(f"{count} dice cannot be thrown")
                if count > MOST_DICE:
                    raise TooBig(f"at most {MOST_DICE} dice can be thrown at once, not {count}")
                self.solver.spend(count)
                return count, shape, None if endless is None else whole(endless.value(env))
            case Reroll(_, pool, die, keep):
                spread = pool.value(env).spread()
                groups = tuple((reading, whole(n)) for reading, n in spread)
                return tuple(g for g in groups if g[1]), die.value(env), keep
            case Call():
                program = self.solver.ruleset.program(step.rule)
                args = arguments(program, step, env)
                return Record((name, _settled(value)) for name, value in args.items())
        return None

    def _decide(self, step: Choose | Ask, env: Env) -> Value:
        """What the policy answers; decisions are part of the rule as far as odds go."""
        never = self.solver.policy == "never"
        if isinstance(step, Choose):
            most = step.at_most.value(env)
            if isinstance(most, int) and most <= 0:
                return Heap(())
            self.solver.decided.add(step.decision)
            if never:
                return Heap(())
            return step.usual.value(env) if step.usual else step.pool.value(env).lowest(most)
        options = step.choices.value(env)
        if len(options) == 1:
            return options[0]
        self.solver.decided.add(step.decision)
        chosen = (step.never if never else None) or step.usual
        return chosen.value(env) if chosen else options[0]


def _settled(value: Value) -> Value:
    """A value for another rule: its numbers must be known."""
    if isinstance(value, Heap):
        return Heap(tuple((r, whole(n)) for r, n in value.spread()))
    return rewritten(value, lambda one: one.known())
