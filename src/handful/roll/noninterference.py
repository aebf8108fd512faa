"""Non-interference analysis: could an observer tell two rolls of one check apart?

Theory of operation.  Two rolls that differ in some values (a target, and no target) are run to their first
question.  From there the rule is interpreted once for both, over abstract values (`abstract_values`): a
value is `Known` and equal in both, OPEN (equal in both, but dice or people decide it), or SECRET (it may
differ).  At a branch on a SECRET test the two may diverge: up to the immediate postdominator no question
may be asked, and variables assigned in between are SECRET after it, unless both paths assign the same.

Invariant: sound but not complete.  Whatever is uncertain counts as SECRET, so rolls reported as having the
same questions have them; rolls reported as different may still be alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from handful.roll.abstract_values import (
    OPEN,
    AbstractValue,
    Env,
    Known,
    field,
    from_pair,
    is_secret,
    join,
    record_of,
    value,
)
from handful.roll.binding import BoundCheck
from handful.roll.machine import start
from handful.roll.node import Frame
from handful.rules.expression_tree import Expr
from handful.rules.operators import is_true
from handful.rules.program import (
    SIDE,
    Ask,
    Call,
    Choose,
    Instruction,
    Jump,
    JumpUnless,
    Let,
    Program,
    Record,
    Refuse,
    Reroll,
    Result,
    RollDice,
    SetSide,
    Value,
)
from handful.rules.ruleset import Ruleset

RESULT = "@result"


class Distinguishable(Exception):
    """A question, or its absence, depends on a secret value."""


class RollComparison(NamedTuple):
    """Result of comparing two rolls."""

    same_questions: bool  # both ask the same questions to their ends, whatever the replies
    differing_fields: tuple[str, ...] = ()  # result fields that may differ and that the second roll sets


def compare_rolls(one: BoundCheck, other: BoundCheck) -> RollComparison:
    """Compare two rolls of a check; fields that are None in the second are not compared."""
    if one.check is not other.check or one.options != other.options:
        return RollComparison(same_questions=False)
    a, b = start(one), start(other)
    if a.ask != b.ask or list(map(_position, a.frames)) != list(map(_position, b.frames)):
        return RollComparison(same_questions=False)
    if a.outcome is not None and b.outcome is not None:
        own, others = a.outcome, b.outcome
        return RollComparison(True, tuple(n for n in others if others[n] not in (None, own.get(n))))
    try:
        both, alone = _results(one, a.frames, b.frames), _results(other, b.frames, b.frames)
    except Distinguishable:
        return RollComparison(same_questions=False)
    stated = {n for fields in alone for n, found in fields.items() if found != Known(None)}
    return RollComparison(True, tuple(sorted({n for f in both for n in stated & {*f} if is_secret(f[n])})))


def _results(
    bound: BoundCheck, frames: tuple[Frame, ...], others: tuple[Frame, ...]
) -> list[dict[str, AbstractValue]]:
    """Return the abstract fields of each result that the check can reach."""
    interpreter, called_result = _AbstractInterpreter(bound.ruleset, bound.options), None
    for own, other in zip(reversed(frames), reversed(others), strict=True):
        called_result = interpreter.resume_frame(own, _pair_envs(own.env, other.env), called_result)
    return [interpreter.results[step] for step in frames[0].program.code if step in interpreter.results]


def _position(frame: Frame) -> tuple[int, int]:
    return id(frame.program), frame.pc


def _pair_envs(a: dict[str, Value], b: dict[str, Value]) -> Env:
    own = [name for name in {**a, **b} if name == SIDE or not name.startswith("@")]
    missing = object()
    return {name: from_pair(a.get(name, missing), b.get(name, missing)) for name in own}


class _AbstractInterpreter:
    """Abstract interpreter of rules."""

    def __init__(self, ruleset: Ruleset, options: Record) -> None:
        self.ruleset, self.options = ruleset, options
        self.results: dict[Instruction, dict[str, AbstractValue]] = {}

    def resume_frame(self, frame: Frame, env: Env, called_result: AbstractValue | None) -> AbstractValue:
        """Return a rule's abstract result from its pause on, given the result of the rule it called."""
        if called_result is None:
            return self.walk(frame.program, frame.pc, env, secret_path=False)
        called = frame.program.code[frame.pc]
        return self.walk(
            frame.program, frame.pc + 1, {**env, called.writes or "": called_result}, secret_path=False
        )

    def _value(self, expr: Expr, env: Env) -> AbstractValue:
        return value(expr, env, self.options)

    def walk(self, program: Program, pc: int, env: Env, *, secret_path: bool) -> AbstractValue:
        """Return a rule's abstract result from an instruction on; if `secret_path`, it must ask nothing."""
        divergence = _Divergence(program)
        while True:
            found = self._fixed_point(program, pc, env, secret_path, divergence)
            if not divergence.has_grown:
                return found
            divergence.has_grown = False

    def _fixed_point(
        self, program: Program, first: int, env: Env, secret_path: bool, divergence: _Divergence
    ) -> AbstractValue:
        """Compute the abstract state at every instruction, by fixed-point iteration."""
        states: dict[int, Env] = {first: env}
        todo = [first]
        while todo:
            pc = todo.pop()
            if pc >= len(program.code):
                continue
            step, own = program.code[pc], dict(states[pc])
            for after in self._step(step, pc, own, secret_path or pc in divergence.inside, divergence):
                joined_state = _join_states(states.get(after), own, divergence.at.get(after, set()))
                if joined_state != states.get(after):
                    states[after] = joined_state
                    todo.append(after)
        return states.get(len(program.code), {}).get(RESULT, OPEN)

    def _step(
        self, step: Instruction, pc: int, env: Env, secret_path: bool, divergence: _Divergence
    ) -> Iterable[int]:
        """Interpret one instruction: update `env` in place, return the next instructions."""
        match step:
            case JumpUnless(test, otherwise):
                match self._value(test, env):
                    case Known(test_value):
                        return (pc + 1 if is_true(test_value) else otherwise,)
                    case found:
                        if found is not OPEN:
                            divergence.diverge(pc)
                        return pc + 1, otherwise
            case Let(var, expr):
                env[var] = self._value(expr, env)
            case SetSide(number):
                env[SIDE] = self._value(number, env)
            case RollDice() | Reroll() | Choose() | Ask():
                env[step.var] = self._ask(step, env, secret_path)
            case Call():
                env[step.var] = self._call(step, env, secret_path)
            case Result(fields):
                self.results[step] = {name: self._value(one, env) for name, one in fields}
                env[RESULT] = record_of(self.results[step])
        return _after(step, pc, len(divergence.program.code))

    def _ask(self, step: RollDice | Reroll | Choose | Ask, env: Env, secret_path: bool) -> AbstractValue:
        match step:
            case RollDice(_, what, die, _, explodes_from):
                operands = [what, die, *([explodes_from] if explodes_from else [])]
            case Reroll(_, pool, die) | Choose(_, _, pool, die):
                operands = [pool, die]
            case Ask(_, _, choices):
                operands = [choices]
        values = [self._value(one, env) for one in operands]
        if isinstance(step, RollDice) and values[0] == Known(0):
            return OPEN
        if secret_path or any(is_secret(one) for one in [*values, env.get(SIDE, OPEN)]):
            raise Distinguishable
        return OPEN

    def _call(self, step: Call, env: Env, secret_path: bool) -> AbstractValue:
        program = self.ruleset.program(step.rule)
        args: Env = {SIDE: env.get(SIDE, Known(0))}
        for spread in step.spread:
            for name in program.params:
                found = field(self._value(spread, env), name)
                if found is not None:
                    args[name] = found
        args |= {name: self._value(expr, env) for name, expr in step.args}
        return self.walk(program, 0, args, secret_path=secret_path)


def _join_states(before: Env | None, new: Env, diverged: set[str]) -> Env:
    """Join two states where paths meet; the variables `diverged` may differ by path."""
    if before is None:
        return {name: join(one, one, secretly=name in diverged) for name, one in new.items()}
    return {
        name: join(
            before.get(name, new.get(name, OPEN)),
            new.get(name, before.get(name, OPEN)),
            secretly=name in diverged,
        )
        for name in {**before, **new}
    }


# -- control flow


def _after(step: Instruction, pc: int, end: int) -> tuple[int, ...]:
    match step:
        case Jump(to):
            return (to,)
        case Result() | Refuse():
            return (end,)
        case JumpUnless(_, otherwise):
            return pc + 1, otherwise
    return (pc + 1,)


class _Divergence:
    """Tracks where the two rolls' paths through a rule may diverge, and where they meet again."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.inside: set[int] = set()  # instructions that only one of the two may reach
        self.at: dict[int, set[str]] = {}  # meeting point -> variables assigned in between
        self.has_grown = False

    def diverge(self, pc: int) -> None:
        """Record a branch at which the two rolls may take different paths."""
        code, end = self.program.code, len(self.program.code)
        meeting = self._postdominator(pc)
        region: set[int] = set()
        todo = list(_after(code[pc], pc, end))
        while todo:
            instruction = todo.pop()
            if instruction not in region and instruction not in (meeting, end):
                region.add(instruction)
                todo.extend(_after(code[instruction], instruction, end))
        steps = [code[instruction] for instruction in region]
        assigned = {step.writes for step in steps if step.writes}
        assigned |= {RESULT for step in steps if isinstance(step, Result)}
        assigned |= {SIDE for step in steps if isinstance(step, SetSide)}
        variables = self.at.setdefault(meeting, set())
        if not (region <= self.inside and assigned <= variables):
            self.inside |= region
            variables |= assigned
            self.has_grown = True

    def _postdominator(self, pc: int) -> int:
        """Return the immediate postdominator: the first instruction on every path from here."""
        code, end = self.program.code, len(self.program.code)
        everywhere = set(range(end + 1))
        postdominators = dict.fromkeys(range(end), everywhere) | {end: {end}}
        changed = True
        while changed:
            changed = False
            for instruction in reversed(range(end)):
                paths = [postdominators[after] for after in _after(code[instruction], instruction, end)]
                found = {instruction} | set.intersection(*paths)
                if found != postdominators[instruction]:
                    postdominators[instruction], changed = found, True
        return max(postdominators[pc] - {pc}, key=lambda instruction: len(postdominators[instruction]))
