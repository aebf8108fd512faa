"""Many rolls through one rule, side by side: for rules that are too big to solve.

The rule's own program runs once for all rolls that stand at the same place.  A test that they
answer differently splits them (`values.Parted`), each part runs on, and parts that meet again are
joined (`groups`).  Whoever is furthest behind goes first, so that parts do meet: behind an `if`,
at the end of a loop, after a call.  Decisions are answered by the policy, as in the solver.
Chance comes in as one generator; the same generator gives the same rolls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator

from handful.dice import Die
from handful.errors import TooBig
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
from handful.simulate.groups import Frame, Group, evaluated, joined, spread_out
from handful.simulate.outcomes import Finished
from handful.simulate.throws import throw, throw_adding, throw_again, throw_on
from handful.simulate.values import Numbers, Parted, Pools, per_roll
from handful.solver.plan import Plan
from handful.solver.solver import Solver

MOST_TURNS = 10_000  # of a rule's loops; ten times what play allows
MOST_THROWN = 2_000_000  # dice in one roll; likewise

Planned = Callable[[Program, frozenset[str] | None], Plan]


class Lockstep:
    """Runs a bound check, from its start or from where a roll stands."""

    def __init__(
        self,
        check: BoundCheck,
        policy: str = "usual",
        node: Node | None = None,
        *,
        independent: bool = False,
    ) -> None:
        """`independent`: nothing of the solver is used; values nobody reads are computed, too."""
        self.check, self.never, self.node = check, policy == "never", node
        self.plan: Planned = _whole
        if not independent:  # the solver knows what is never read
            self.plan = Solver(check.ruleset, check.options, policy).plan
        self.decided: set[str] = set()
        self.base = 0  # what each die has that goes on adding where the roll stands

    def run(self, rolls: int, rng: Generator) -> list[Finished]:
        """So many rolls, in lots that ended alike."""
        self.rng = rng
        self.finished: list[Finished] = []
        self.waiting: dict[tuple[int, ...], list[Group]] = {}
        self._wait(Group(np.arange(rolls), self._first_frames(rolls), self._first_events()))
        while self.waiting:
            here = joined(self.waiting.pop(min(self.waiting)))
            for group in here[1:]:
                self._wait(group)
            self._advance(here[0])
        return self.finished

    def _first_frames(self, rolls: int) -> list[Frame]:
        wanted: frozenset[str] | None = wanted_fields(self.check)
        if self.node is None:
            program = self.check.check.program
            assert program is not None
            env = initial_env(program, self.check.args, self.check.options)
            return [Frame(self.plan(program, wanted), 0, env)]
        frames = []
        for played in self.node.frames:
            plan = self.plan(played.program, wanted)
            env = {name: spread_out(value, rolls) for name, value in played.env.items()}
            env["@options"] = self.check.options
            frame = Frame(plan, played.pc, env)
            if played.wave is not None:
                again = np.full(rolls, len(played.wave.next), np.int64)
                step = played.program.code[played.pc]
                landed = played.wave.landed
                if isinstance(step, RollDice) and step.adds:
                    landed, self.base = split_stopped(played.wave)
                frame.wave = spread_out(landed, rolls), again
            frames.append(frame)
            step = played.program.code[played.pc]
            wanted = plan.called_fields.get(step.var) if isinstance(step, Call) else None
        return frames

    def _first_events(self) -> dict[str, Any]:
        frames = self.node.frames if self.node is not None else ()
        return {name: True for frame in frames for name in sorted(frame.env[EVENTS])}

    def _wait(self, group: Group) -> None:
        self.waiting.setdefault(group.place, []).append(group)

    def _advance(self, group: Group) -> None:
        """Run a group until it has caught up with the others, splits or ends."""
        others = min(self.waiting) if self.waiting else None
        while True:
            parts = self._stepped(group)
            if len(parts) != 1 or (others is not None and parts[0].place >= others):
                for part in parts:
                    self._wait(part)
                return
            (group,) = parts

    def _stepped(self, group: Group) -> list[Group]:
        """What becomes of a group after one instruction: it may split, or be finished."""
        left, done = [group], []
        while left:
            one = left.pop()
            frame = one.frames[-1]
            try:
                parts = self._step(one, frame)
            except Parted as question:  # each part has to pass the instruction by itself
                left += one.split(question.parts)[::-1]
                continue
            except Refusal as refusal:
                raise refusal_error(self.check, refusal) from None
            except VALUE_ERRORS as error:
                raise frame.plan.program.error_at(frame.pc, explain_error(error)) from error
            one.idle += 1
            if one.idle > MAX_STEPS:
                name = frame.plan.program.name
                raise TooBig(f"the rule {name!r} goes on for more than {MAX_STEPS} steps without dice")
            done += parts
        return done

    # -- one instruction; nothing has changed when it raises

    def _step(self, group: Group, frame: Frame) -> list[Group]:
        env = frame.env
        match frame.plan.code[frame.pc]:
            case Let(var, expr):
                env[var] = evaluated(expr, env)
            case JumpUnless(test, otherwise):
                return _branched(group, evaluated(test, env), otherwise)
            case Jump(to):
                frame.pc = to
                return [group]
            case RollDice() | Reroll() as step:
                env[step.var] = self._thrown(step, group, frame)
            case Choose() | Ask() as step:
                env[step.var] = self._decided(step, group, env)
            case EmitEvent(name):
                group.events[name] = True
            case LoopHead():
                frame.turns += 1
                if frame.turns > MOST_TURNS:
                    name = frame.plan.program.name
                    raise TooBig(f"the rule {name!r} was stopped after {MOST_TURNS} repetitions")
            case Call() as step:
                self._enter(step, group, frame)
                return [group]
            case Result(fields):
                found = Record((name, evaluated(expr, env)) for name, expr in fields)
                return self._leave(found, group)
            case Refuse(word):
                raise Refusal(word)
        frame.pc += 1
        return [group]

    def _thrown(self, step: RollDice | Reroll, group: Group, frame: Frame) -> Pools:
        env, rolls = frame.env, len(group.rolls)
        die = step.die.value(env)
        if not isinstance(die, Die):
            raise TypeError("only dice can be thrown")
        if isinstance(step, Reroll):
            pool = step.pool.value(env)
            landed = throw_again(self.rng, die, pool, step.keep)
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
                    further = throw_on(self.rng, die, count, threshold)
                landed = before.plus(further)
                frame.wave = None
        group.thrown += int(landed.size().top.max(initial=0))
        if group.thrown > MOST_THROWN:
            raise TooBig(f"a roll may throw at most {MOST_THROWN:,} dice")
        group.idle = 0
        return landed

    def _decided(self, step: Choose | Ask, group: Group, env: dict[str, Any]) -> Any:
        """What the policy answers."""
        if isinstance(step, Choose):
            most, pool = step.at_most.value(env), step.pool.value(env)
            if not _positive(most) or not _positive(pool.size()):
                return Pools(len(group.rolls))  # nobody is asked
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

    def _enter(self, step: Call, group: Group, frame: Frame) -> None:
        program = self.check.ruleset.program(step.rule)
        env = initial_env(program, call_arguments(program, step, frame.env), self.check.options)
        plan = self.plan(program, frame.plan.called_fields[step.var])
        group.frames.append(Frame(plan, 0, env))

    def _leave(self, fields: Record, group: Group) -> list[Group]:
        group.frames.pop()
        if not group.frames:
            self.finished.append(Finished(group.rolls, fields, group.events))
            return []
        outer = group.frames[-1]
        call = outer.plan.code[outer.pc]
        assert isinstance(call, Call)
        outer.env[call.var] = fields
        outer.pc += 1
        return [group]


def _whole(program: Program, wanted: frozenset[str] | None) -> Plan:
    """The plan of a rule from which nothing is left out."""
    names = tuple(sorted({step.writes for step in program.code if step.writes is not None}))
    everywhere = [names] * (len(program.code) + 1)
    calls: dict[str, frozenset[str] | None] = {
        step.var: None for step in program.code if isinstance(step, Call)
    }
    return Plan(program, program.code, everywhere, calls, {}, everywhere, {}, None)


def _branched(group: Group, truth: Any, otherwise: int) -> list[Group]:
    """The rolls for which a test holds, and the others."""
    try:
        group.frames[-1].pc = group.frames[-1].pc + 1 if is_true(truth) else otherwise
        return [group]
    except Parted as question:
        yes, no = group.split(question.parts)
        yes.frames[-1].pc += 1
        no.frames[-1].pc = otherwise
        return [yes, no]


def _positive(number: Any) -> bool:
    return number.reaches(1) if isinstance(number, Numbers) else bool(number > 0)
