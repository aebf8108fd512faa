"""Interpreter that runs a bound check from question to question.

Pure: dice come in as replies.  Invariant: `resume` never changes its node; after an illegal reply it can be
resumed with another one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handful.dice import Die, LandedDie, Pool, check_adds_up
from handful.errors import BadReply, Message, TooBig, did_you_mean
from handful.roll.binding import BoundCheck, refusal_error
from handful.roll.landing import MAX_DICE, MAX_THROWN, MAX_WAVES, add_tosses, exploding_dice, keep_readings
from handful.roll.node import (
    ChooseDice,
    Decided,
    Frame,
    Modifier,
    Node,
    PickOption,
    Question,
    Reply,
    Throw,
    ThrownDie,
    Trace,
    Wave,
)
from handful.rules.operators import resolve_int
from handful.rules.params import match_name
from handful.rules.program import (
    EVENTS,
    SIDE,
    VALUE_ERRORS,
    Ask,
    Call,
    Choose,
    Env,
    Program,
    Record,
    Refusal,
    Reroll,
    Result,
    RollDice,
    TracedOptions,
    TraceSink,
    Value,
    explain_error,
    initial_env,
    run,
)
from handful.rules.ruleset import localize
from handful.rules.work import CHARACTER_WORK, DIE_WORK, MAX_WORK, WORK, Meter, written_size

MAX_CALL_DEPTH = 16

MakeRunner = Callable[[BoundCheck, "list[Frame]", Trace, Meter], "Runner"]


def start(check: BoundCheck, runner: MakeRunner | None = None, *, most_work: int | None = MAX_WORK) -> Node:
    """Run a check to its first question; raise TooBig if the roll takes more work than `most_work`."""
    assert check.check.program is not None
    frame = Frame(check.check.program, 0, initial_env(check.check.program, check.args, check.options))
    return (runner or Runner)(check, [frame], Trace(), Meter(most_work)).advance()


def resume(
    check: BoundCheck,
    node: Node,
    reply: Reply,
    policy: str = "",
    runner: MakeRunner | None = None,
    *,
    most_work: int | None = MAX_WORK,
) -> Node:
    """Run a roll on from a reply to its next question; raise BadReply if the rules forbid the reply.

    `most_work` limits the work of the whole roll, from its start on; None: a recorded reply is replayed.
    """
    copies = [Frame(program, pc, dict(env), wave) for program, pc, env, wave in node.frames]
    running = (runner or Runner)(check, copies, node.trace, Meter(most_work, node.work))
    match node.ask:
        case Throw() as ask:
            running.land(ask, _faces(ask, reply))
        case ChooseDice() as ask:
            running.answer_dice(ask, _numbers(check, ask, reply), policy)
        case PickOption() as ask:
            running.answer_option(ask, _option(ask, reply), policy)
        case None:
            raise BadReply(Message("roll.finished"))
    return running.advance()


def _faces(ask: Throw, reply: Reply) -> tuple[int, ...]:
    if isinstance(reply, str) or len(reply) != ask.count:
        given = "none" if isinstance(reply, str) else len(reply)
        raise BadReply(
            Message("roll.number_of_faces", count=Message("count.face", count=ask.count), given=given)
        )
    for face in reply:
        if isinstance(face, bool) or not isinstance(face, int) or not 1 <= face <= ask.sides:
            raise BadReply(Message("roll.impossible_face", sides=ask.sides, face=face))
    return tuple(reply)


def _numbers(check: BoundCheck, ask: ChooseDice, reply: Reply) -> tuple[int, ...]:
    if isinstance(reply, str):
        raise BadReply(Message("roll.pick_dice_by_number"))
    allowed = ask.numbers
    for number in reply:
        if type(number) is not int:
            raise BadReply(Message("roll.die_needs_number", number=number))
        if number not in allowed:
            why = localize(check.ruleset.decisions[ask.decision].only)
            if not why:
                raise BadReply(Message("roll.die_not_allowed", number=number, allowed=allowed))
            raise BadReply(Message("roll.die_not_allowed_because", number=number, why=why, allowed=allowed))
    if len(set(reply)) < len(reply):
        raise BadReply(Message("roll.die_picked_twice"))
    if len(reply) > ask.at_most:
        raise BadReply(Message("roll.too_many_picked", most=ask.at_most, picked=len(reply)))
    return tuple(reply)


def _option(ask: PickOption, reply: Reply) -> str:
    found = match_name(reply, ask.options) if isinstance(reply, str) else None
    if found is None:
        raise BadReply(
            Message("roll.impossible_answer", answer=reply, options=ask.options),
            did_you_mean(str(reply), ask.options),
        )
    return found


class Runner:
    """Runs a roll from one reply to the next question; used for one call only."""

    def __init__(self, check: BoundCheck, frames: list[Frame], trace: Trace, meter: Meter) -> None:
        self.check, self.frames, self.trace, self.meter = check, frames, trace, meter
        self.consulted = TracedOptions(check.options, trace.options)
        for frame in frames:
            frame.env["@options"], frame.env[WORK] = self.consulted, meter

    # -- answers

    def land(self, ask: Throw, faces: tuple[int, ...]) -> None:
        """Add thrown dice to the trace and to the rule's variables."""
        numbers_before = (die.number for die in reversed(self.trace.dice) if die.side == ask.side)
        before = next(numbers_before, 0)
        numbers = range(before + 1, before + 1 + len(faces))
        self.meter.spend(DIE_WORK * len(faces) + len(self.trace.dice))
        role, side = ask.role, ask.side
        thrown = [
            ThrownDie(face, role, of, side, number)
            for face, of, number in zip(faces, ask.of, numbers, strict=True)
        ]
        dice, modifiers, decisions, options = self.trace
        self.trace = Trace((*dice, *thrown), modifiers, decisions, options)
        if len(self.trace.dice) > MAX_THROWN:
            raise TooBig(Message("roll.too_many_throws", most=MAX_THROWN))
        landed = Pool(
            [LandedDie(number, ask.die[face - 1], face) for face, number in zip(faces, numbers, strict=True)]
        )
        step = self.frames[-1].program.code[self.frames[-1].pc]
        if isinstance(step, Reroll):
            pool = step.pool.value(self.frames[-1].env)
            self.store(keep_readings(step.keep, pool, ask.die, faces))
        elif isinstance(step, RollDice):
            self._store_thrown(step, ask, landed)

    def _store_thrown(self, step: RollDice, ask: Throw, landed: Pool) -> None:
        if step.explodes_from is None:
            self.store(landed)
            return
        frame = self.frames[-1]
        threshold = resolve_int(step.explodes_from.value(frame.env))
        before = frame.wave or Wave(Pool(), (), 0)
        of = ask.of if frame.wave or not step.adds else None
        again = exploding_dice(landed, of, threshold, same_die=step.same_die)
        if step.adds and frame.wave:
            all_ = add_tosses(before.landed, landed, ask.of)
        else:
            all_ = before.landed.plus(landed)
        wave = Wave(all_, again, before.number + 1)
        if not again:
            self.store(wave.landed)
        elif wave.number < MAX_WAVES and min(ask.die) < threshold:
            self.frames[-1] = frame._replace(wave=wave)
        else:
            raise TooBig(Message("roll.rethrown_forever"))

    def answer_dice(self, ask: ChooseDice, numbers: tuple[int, ...], policy: str) -> None:
        by_number = {landed.number: landed for landed in ask.pool}
        self._record_decision(ask, numbers, policy)
        self.store(Pool([by_number[number] for number in numbers]))

    def answer_option(self, ask: PickOption, option: str, policy: str) -> None:
        self._record_decision(ask, option, policy)
        self.store(option)

    def _record_decision(self, ask: ChooseDice | PickOption, answer: Any, policy: str) -> None:
        decided = Decided(ask.decision, ask.by, ask.side, answer, policy)
        dice, modifiers, decisions, options = self.trace
        self.meter.spend(len(decisions))
        self.trace = Trace(dice, modifiers, (*decisions, decided), options)

    def store(self, value: Value) -> None:
        """Give the rule the value that it waits for, and go on with its next instruction."""
        program, pc, env, _ = self.frames[-1]
        env[program.code[pc].var] = value  # type: ignore[attr-defined]
        self.frames[-1] = Frame(program, pc + 1, env)

    # -- running

    def advance(self) -> Node:
        """Run to the next question or to the end."""
        while True:
            program, pc, env, wave = self.frames[-1]
            sink = TraceSink()
            try:
                pc = run(program, program.code, pc, env, sink, self.meter)
            except Refusal as refusal:
                raise refusal_error(self.check, refusal) from None
            if sink.modifiers:
                self._record_modifiers(sink)
            self.frames[-1] = frame = Frame(program, pc, env, wave)
            try:
                done = self._stop(program.code[pc], frame)
            except VALUE_ERRORS as error:
                raise program.error_at(pc, explain_error(error)) from error
            if done is not None:
                return done

    def _record_modifiers(self, sink: TraceSink) -> None:
        dice, modifiers, decisions, options = self.trace
        self.meter.spend(len(modifiers) + CHARACTER_WORK * written_size(tuple(sink.modifiers)))
        modifiers_added = [Modifier(*line) for line in sink.modifiers]
        self.trace = Trace(dice, (*modifiers, *modifiers_added), decisions, options)

    def _stop(self, step: Any, frame: Frame) -> Node | None:
        env = frame.env
        match step:
            case Call():
                self._enter(step, env)
                return None
            case Result(fields):
                return self._leave(Record({name: expr.value(env) for name, expr in fields}), env)
            case RollDice() | Reroll():
                return self._throw(step, frame)
            case Choose(_, decision, pool, at_most):
                dice, most = pool.value(env), resolve_int(at_most.value(env))
                if not dice or most <= 0:
                    self.store(Pool())
                    return None
                most = min(most, len(dice))
                return self._pause(ChooseDice(decision, *self._asked_of(decision, env), dice, most))
            case Ask(_, decision, choices):
                options = choices.value(env)
                if len(options) == 1:
                    self.store(options[0])
                    return None
                return self._pause(PickOption(decision, *self._asked_of(decision, env), options))
        raise AssertionError(step)

    def _asked_of(self, decision: str, env: Env) -> tuple[str, int]:
        """Return the role that decides, and the side it decides for."""
        return self.check.ruleset.decisions[decision].by, env.get(SIDE, 0)

    def _throw(self, step: RollDice | Reroll, frame: Frame) -> Node | None:
        env, side = frame.env, frame.env.get(SIDE, 0)
        die = step.die.value(env)
        if not isinstance(die, Die):
            raise TypeError(Message("rule.only_dice"))
        if isinstance(step, RollDice) and step.adds and step.explodes_from is not None:
            check_adds_up(die, resolve_int(step.explodes_from.value(env)))
        of: tuple[int | None, ...]
        if frame.wave is not None:
            return self._pause(Throw(len(frame.wave.next), die, "extra", side, frame.wave.next))
        if isinstance(step, Reroll):
            what, role = step.pool.value(env), "reroll"
        else:
            what, role = step.dice.value(env), step.role
        if isinstance(what, Pool):
            of = tuple(landed.number for landed in what)
        else:
            count = resolve_int(what)
            if count < 0:
                raise ValueError(Message("rule.negative_dice", count=count))
            if count > MAX_DICE:
                raise TooBig(Message("roll.too_many_dice", most=MAX_DICE, count=count))
            of = (None,) * count
        if not of:
            self.store(Pool())
            return None
        return self._pause(Throw(len(of), die, role, side, of))

    def _pause(self, ask: Question) -> Node:
        if isinstance(ask, PickOption):
            self.meter.spend(CHARACTER_WORK * written_size(ask.options))
        for frame in self.frames:
            del frame.env[WORK]
        return Node(tuple(self.frames), ask, None, frozenset(), self._complete(), self.meter.spent)

    def _complete(self) -> Trace:
        """Return the trace with all options that the rules have read."""
        dice, modifiers, decisions, _ = self.trace
        return Trace(dice, modifiers, decisions, frozenset(self.consulted.names))

    def _enter(self, step: Call, env: Env) -> None:
        if len(self.frames) >= MAX_CALL_DEPTH:
            raise TooBig(Message("roll.calls_too_deep"))
        program = self.check.ruleset.program(step.rule)
        frame = Frame(program, 0, initial_env(program, call_arguments(program, step, env), self.consulted))
        frame.env[SIDE], frame.env[WORK] = env.get(SIDE, 0), self.meter
        self.frames.append(frame)

    def _leave(self, fields: Record, env: Env) -> Node | None:
        events = env[EVENTS]
        self.frames.pop()
        if not self.frames:
            self.meter.spend(CHARACTER_WORK * written_size(fields))
            return Node((), None, fields, events, self._complete(), self.meter.spent)
        outer = self.frames[-1].env
        outer[EVENTS] = outer[EVENTS] | events
        self.store(fields)
        return None


def call_arguments(program: Program, call: Call, env: Env) -> dict[str, Value]:
    """Return the arguments of a called rule: named ones override those of spread records."""
    args: dict[str, Value] = {}
    for spread in call.spread:
        record = spread.value(env)
        if not isinstance(record, dict):
            raise TypeError(Message("rule.only_records"))
        args.update((name, record[name]) for name in program.params if name in record)
    args.update((name, expr.value(env)) for name, expr in call.args)
    if missing := [name for name in program.params if name not in args]:
        raise TypeError(Message("rule.also_needs", name=program.name, missing=missing))
    return args


def policy_reply(node: Node, policy: str) -> Reply:
    """Return the answer of a policy (`usual` or `never`) to the current decision."""
    frame = node.frames[-1]
    step, env = frame.program.code[frame.pc], {**frame.env, WORK: Meter()}
    match node.ask:
        case ChooseDice(_, _, _, pool, at_most):
            assert isinstance(step, Choose)
            if policy == "never":
                return ()
            chosen = step.usual.value(env) if step.usual else pool.lowest(at_most)
            return tuple(landed.number for landed in chosen)
        case PickOption(_, _, _, options):
            assert isinstance(step, Ask)
            expr = (step.never if policy == "never" else None) or step.usual
            return str(expr.value(env)) if expr else options[0]
    raise BadReply(Message("roll.nothing_to_decide"))
