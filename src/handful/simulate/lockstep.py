"""Runs many rolls of one rule in lockstep (SIMT), for rules that are too big to solve.

The rule's program runs once for all rolls at the same instruction.  A test that they answer differently
splits them (`values.Diverged`), each part continues, and parts at the same instruction reconverge
(`lanes`).  The part furthest behind runs first, so that parts do meet: after an `if`, at the end of a loop,
after a call.  Decisions are answered by the policy, as in the solver.
Invariant: the same generator gives the same rolls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator

from handful.dice import Die
from handful.errors import Message, TooBig
from handful.odds.continuation import wanted_fields
from handful.roll import BoundCheck, Node, call_arguments, refusal_error
from handful.roll.landing import split_stopped
from handful.rules.operators import is_true, resolve_int
from handful.rules.program import (
    EVENTS,
    MAX_STEPS,
    VALUE_ERRORS,
    Ask,
    Call,
    Choose,
    EmitEvent,
    Jump,
    JumpUnless,
    Let,
    LoopHead,
    Program,
    Record,
    Refusal,
    Refuse,
    Reroll,
    Result,
    RollDice,
    explain_error,
    initial_env,
)
from handful.simulate.lanes import LaneFrame, Lanes, broadcast, evaluate, reconverge
from handful.simulate.outcomes import FinishedRolls
from handful.simulate.throws import reroll, throw, throw_adding, throw_exploding
from handful.simulate.values import Diverged, Numbers, Pools, per_roll
from handful.solver.plan import Plan

MAX_ITERATIONS = 10_000  # of a rule's loops; ten times the limit of an actual roll
MAX_THROWN = 2_000_000  # dice in one roll; likewise

PlanFactory = Callable[[Program, frozenset[str] | None], Plan]


class Lockstep:
    """Runs a bound check, from its start or from a paused roll."""

    def __init__(
        self,
        check: BoundCheck,
        policy: str = "usual",
        node: Node | None = None,
        plan: PlanFactory | None = None,
    ) -> None:
        """Create a run; `plan` leaves out dead code, and without it nothing of the solver is used."""
        self.check, self.never, self.node = check, policy == "never", node
        self.plan: PlanFactory = plan or _full_plan
        self.decided: set[str] = set()
        self.base = 0  # reading so far of each exploding die of the paused roll

    def run(self, rolls: int, rng: Generator) -> list[FinishedRolls]:
        """Run `rolls` rolls; return them in groups that ended at the same instruction."""
        self.rng = rng
        self.finished: list[FinishedRolls] = []
        self.queue: dict[tuple[int, ...], list[Lanes]] = {}
        self._enqueue(Lanes(np.arange(rolls), self._first_frames(rolls), self._first_events()))
        while self.queue:
            here = reconverge(self.queue.pop(min(self.queue)))
            for group in here[1:]:
                self._enqueue(group)
            self._advance(here[0])
        return self.finished

    def _first_frames(self, rolls: int) -> list[LaneFrame]:
        wanted: frozenset[str] | None = wanted_fields(self.check)
        if self.node is None:
            program = self.check.check.program
            assert program is not None
            env = initial_env(program, self.check.args, self.check.options)
            return [LaneFrame(self.plan(program, wanted), 0, env)]
        frames = []
        for paused in self.node.frames:
            plan = self.plan(paused.program, wanted)
            env = {name: broadcast(value, rolls) for name, value in paused.env.items()}
            env["@options"] = self.check.options
            frame = LaneFrame(plan, paused.pc, env)
            if paused.wave is not None:
                remaining = np.full(rolls, len(paused.wave.next), np.int64)
                step = paused.program.code[paused.pc]
                landed = paused.wave.landed
                if isinstance(step, RollDice) and step.adds:
                    landed, self.base = split_stopped(paused.wave)
                frame.wave = broadcast(landed, rolls), remaining
            frames.append(frame)
            step = paused.program.code[paused.pc]
            wanted = plan.called_fields.get(step.var) if isinstance(step, Call) else None
        return frames

    def _first_events(self) -> dict[str, Any]:
        frames = self.node.frames if self.node is not None else ()
        return {name: True for frame in frames for name in sorted(frame.env[EVENTS])}

    def _enqueue(self, group: Lanes) -> None:
        self.queue.setdefault(group.position, []).append(group)

    def _advance(self, group: Lanes) -> None:
        """Run a group until it catches up with the others, splits or ends."""
        others = min(self.queue) if self.queue else None
        while True:
            parts = self._run_instruction(group)
            if len(parts) != 1 or (others is not None and parts[0].position >= others):
                for part in parts:
                    self._enqueue(part)
                return
            (group,) = parts

    def _run_instruction(self, group: Lanes) -> list[Lanes]:
        """Run one instruction of a group; return the groups it becomes: it may split or end."""
        pending, done = [group], []
        while pending:
            one = pending.pop()
            frame = one.frames[-1]
            try:
                parts = self._step(one, frame)
            except Diverged as question:  # each part runs the instruction by itself
                pending += one.split(question.parts)[::-1]
                continue
            except Refusal as refusal:
                raise refusal_error(self.check, refusal) from None
            except VALUE_ERRORS as error:
                raise frame.plan.program.error_at(frame.pc, explain_error(error)) from error
            one.idle += 1
            if one.idle > MAX_STEPS:
                name = frame.plan.program.name
                raise TooBig(Message("simulation.too_many_steps", name=name, most=MAX_STEPS))
            done += parts
        return done

    # -- one instruction; an exception leaves the group unchanged

    def _step(self, group: Lanes, frame: LaneFrame) -> list[Lanes]:
        env = frame.env
        match frame.plan.code[frame.pc]:
            case Let(var, expr):
                env[var] = evaluate(expr, env)
            case JumpUnless(test, otherwise):
                return _branch(group, evaluate(test, env), otherwise)
            case Jump(to):
                frame.pc = to
                return [group]
            case RollDice() | Reroll() as step:
                env[step.var] = self._throw(step, group, frame)
            case Choose() | Ask() as step:
                env[step.var] = self._decide(step, group, env)
            case EmitEvent(name):
                group.events[name] = True
            case LoopHead():
                frame.iterations += 1
                if frame.iterations > MAX_ITERATIONS:
                    name = frame.plan.program.name
                    raise TooBig(Message("rule.too_many_repetitions", name=name, most=MAX_ITERATIONS))
            case Call() as step:
                self._enter(step, group, frame)
                return [group]
            case Result(fields):
                found = Record((name, evaluate(expr, env)) for name, expr in fields)
                return self._leave(found, group)
            case Refuse(word):
                raise Refusal(word)
        frame.pc += 1
        return [group]

    def _throw(self, step: RollDice | Reroll, group: Lanes, frame: LaneFrame) -> Pools:
        env, rolls = frame.env, len(group.rolls)
        die = step.die.value(env)
        if not isinstance(die, Die):
            raise TypeError("only dice can be thrown")
        if isinstance(step, Reroll):
            pool = step.pool.value(env)
            landed = reroll(self.rng, die, pool, step.keep)
        else:
            what = step.dice.value(env)
            count = per_roll(what.size() if isinstance(what, Pools) else what, rolls)
            if step.explodes_from is None:
                landed = throw(self.rng, die, count)
            else:
                threshold = resolve_int(step.explodes_from.value(env))
                base = self.base if frame.wave else 0
                before, count = frame.wave or (Pools(rolls), count)
                if step.adds:
                    further = throw_adding(self.rng, die, count, threshold, base)
                else:
                    further = throw_exploding(self.rng, die, count, threshold)
                landed = before.plus(further)
                frame.wave = None
        group.thrown += int(landed.size().numerators.max(initial=0))
        if group.thrown > MAX_THROWN:
            raise TooBig(Message("roll.too_many_throws", most=MAX_THROWN))
        group.idle = 0
        return landed

    def _decide(self, step: Choose | Ask, group: Lanes, env: dict[str, Any]) -> Any:
        """Return the policy's answer."""
        if isinstance(step, Choose):
            most, pool = step.at_most.value(env), step.pool.value(env)
            if not _is_positive(most) or not _is_positive(pool.size()):
                return Pools(len(group.rolls))  # there is no choice
            self.decided.add(step.decision)
            if self.never:
                return Pools(len(group.rolls))
            return step.usual.value(env) if step.usual else pool.lowest(most)
        options = step.choices.value(env)
        if len(options) == 1:
            return options[0]
        self.decided.add(step.decision)
        chosen = (step.never if self.never else None) or step.usual
        return chosen.value(env) if chosen else options[0]

    def _enter(self, step: Call, group: Lanes, frame: LaneFrame) -> None:
        program = self.check.ruleset.program(step.rule)
        env = initial_env(program, call_arguments(program, step, frame.env), self.check.options)
        plan = self.plan(program, frame.plan.called_fields[step.var])
        group.frames.append(LaneFrame(plan, 0, env))

    def _leave(self, fields: Record, group: Lanes) -> list[Lanes]:
        group.frames.pop()
        if not group.frames:
            self.finished.append(FinishedRolls(group.rolls, fields, group.events))
            return []
        outer = group.frames[-1]
        call = outer.plan.code[outer.pc]
        assert isinstance(call, Call)
        outer.env[call.var] = fields
        outer.pc += 1
        return [group]


def _full_plan(program: Program, wanted: frozenset[str] | None) -> Plan:
    """Return a plan without liveness analysis: all variables are live everywhere."""
    names = tuple(sorted({step.writes for step in program.code if step.writes is not None}))
    everywhere = [names] * (len(program.code) + 1)
    calls: dict[str, frozenset[str] | None] = {
        step.var: None for step in program.code if isinstance(step, Call)
    }
    return Plan(program, program.code, everywhere, calls, {}, everywhere, {}, None)


def _branch(group: Lanes, test_value: Any, otherwise: int) -> list[Lanes]:
    """Split a group into the rolls for which a test holds, and the others."""
    try:
        group.frames[-1].pc = group.frames[-1].pc + 1 if is_true(test_value) else otherwise
        return [group]
    except Diverged as question:
        yes, no = group.split(question.parts)
        yes.frames[-1].pc += 1
        no.frames[-1].pc = otherwise
        return [yes, no]


def _is_positive(number: Any) -> bool:
    return number.reaches(1) if isinstance(number, Numbers) else bool(number > 0)
