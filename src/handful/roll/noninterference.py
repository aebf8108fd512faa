"""Whether somebody could tell two rolls apart: by what they ask, and by what comes of them.

Theory of operation.  Two rolls of one check that differ in some values (a target, and no target)
are run to their first question.  From there on the rule is walked once, for both: a value is
`Known` and the same in both, OPEN (the same in both, but dice or people decide it), or SECRET (it
may differ).  A test that is SECRET parts the two: until its ways meet again nothing may be asked,
and what is set there is SECRET behind it, unless both ways set the same.
Whatever is uncertain counts as SECRET, so what asks alike surely does; the opposite may be too
careful.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from handful.roll.abstract_values import (
    OPEN,
    Env,
    Known,
    Seen,
    field,
    joined,
    paired,
    secret,
    value,
    whole,
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
    """Something is asked, or not, depending on what may differ."""


class RollComparison(NamedTuple):
    """How far two rolls are the same."""

    same_questions: bool  # the same is asked to their ends, whatever is replied
    differing_fields: tuple[str, ...] = ()  # fields of the result that the second states otherwise


def compare_rolls(one: BoundCheck, other: BoundCheck) -> RollComparison:
    """Compares two rolls of a check; what the second leaves open (None) it does not state."""
    if one.check is not other.check or one.options != other.options:
        return RollComparison(same_questions=False)
    a, b = start(one), start(other)
    if a.ask != b.ask or list(map(_place, a.frames)) != list(map(_place, b.frames)):
        return RollComparison(same_questions=False)
    if a.outcome is not None and b.outcome is not None:
        own, others = a.outcome, b.outcome
        return RollComparison(True, tuple(n for n in others if others[n] not in (None, own.get(n))))
    try:
        both, alone = _results(one, a.frames, b.frames), _results(other, b.frames, b.frames)
    except Distinguishable:
        return RollComparison(same_questions=False)
    stated = {n for fields in alone for n, seen in fields.items() if seen != Known(None)}
    return RollComparison(True, tuple(sorted({n for f in both for n in stated & {*f} if secret(f[n])})))


def _results(
    bound: BoundCheck, frames: tuple[Frame, ...], others: tuple[Frame, ...]
) -> list[dict[str, Seen]]:
    """What is known of each result that the check can come to."""
    walk, back = _Walk(bound.ruleset, bound.options), None
    for own, other in zip(reversed(frames), reversed(others), strict=True):
        back = walk.rest(own, _both(own.env, other.env), back)
    return [walk.results[step] for step in frames[0].program.code if step in walk.results]


def _place(frame: Frame) -> tuple[int, int]:
    return id(frame.program), frame.pc


def _both(a: dict[str, Value], b: dict[str, Value]) -> Env:
    own = [name for name in {**a, **b} if name == SIDE or not name.startswith("@")]
    hidden = object()
    return {name: paired(a.get(name, hidden), b.get(name, hidden)) for name in own}


class _Walk:
    """Walks rules with what is known of their values."""

    def __init__(self, ruleset: Ruleset, options: Record) -> None:
        self.ruleset, self.options = ruleset, options
        self.results: dict[Instruction, dict[str, Seen]] = {}

    def rest(self, frame: Frame, env: Env, back: Seen | None) -> Seen:
        """What a rule in progress gives; `back` is what the rule that it called gave."""
        if back is None:
            return self.walk(frame.program, frame.pc, env, quiet=False)
        called = frame.program.code[frame.pc]
        return self.walk(frame.program, frame.pc + 1, {**env, called.writes or "": back}, quiet=False)

    def _value(self, expr: Expr, env: Env) -> Seen:
        return value(expr, env, self.options)

    def walk(self, program: Program, pc: int, env: Env, *, quiet: bool) -> Seen:
        """What a rule gives from a place on; a `quiet` one may ask nothing at all."""
        parted = _Parted(program)
        while True:
            found = self._settled(program, pc, env, quiet, parted)
            if not parted.grown:
                return found
            parted.grown = False

    def _settled(self, program: Program, first: int, env: Env, quiet: bool, parted: _Parted) -> Seen:
        """The states at all places, until nothing new comes up."""
        states: dict[int, Env] = {first: env}
        todo = [first]
        while todo:
            pc = todo.pop()
            if pc >= len(program.code):
                continue
            step, own = program.code[pc], dict(states[pc])
            for after in self._step(step, pc, own, quiet or pc in parted.inside, parted):
                met = _met(states.get(after), own, parted.at.get(after, set()))
                if met != states.get(after):
                    states[after] = met
                    todo.append(after)
        return states.get(len(program.code), {}).get(RESULT, OPEN)

    def _step(self, step: Instruction, pc: int, env: Env, quiet: bool, parted: _Parted) -> Iterable[int]:
        """Where it goes on; `env` is changed."""
        match step:
            case JumpUnless(test, otherwise):
                match self._value(test, env):
                    case Known(truth):
                        return (pc + 1 if is_true(truth) else otherwise,)
                    case found:
                        if found is not OPEN:
                            parted.part(pc)
                        return pc + 1, otherwise
            case Let(var, expr):
                env[var] = self._value(expr, env)
            case SetSide(number):
                env[SIDE] = self._value(number, env)
            case RollDice() | Reroll() | Choose() | Ask():
                env[step.var] = self._asked(step, env, quiet)
            case Call():
                env[step.var] = self._called(step, env, quiet)
            case Result(fields):
                self.results[step] = {name: self._value(one, env) for name, one in fields}
                env[RESULT] = whole(self.results[step])
        return _after(step, pc, len(parted.program.code))

    def _asked(self, step: RollDice | Reroll | Choose | Ask, env: Env, quiet: bool) -> Seen:
        match step:
            case RollDice(_, what, die, _, endless):
                looks = [what, die, *([endless] if endless else [])]
            case Reroll(_, pool, die) | Choose(_, _, pool, die):
                looks = [pool, die]
            case Ask(_, _, choices):
                looks = [choices]
        seen = [self._value(one, env) for one in looks]
        if isinstance(step, RollDice) and seen[0] == Known(0):
            return OPEN
        if quiet or any(secret(one) for one in [*seen, env.get(SIDE, OPEN)]):
            raise Distinguishable
        return OPEN

    def _called(self, step: Call, env: Env, quiet: bool) -> Seen:
        program = self.ruleset.program(step.rule)
        args: Env = {SIDE: env.get(SIDE, Known(0))}
        for spread in step.spread:
            for name in program.params:
                found = field(self._value(spread, env), name)
                if found is not None:
                    args[name] = found
        args |= {name: self._value(expr, env) for name, expr in step.args}
        return self.walk(program, 0, args, quiet=quiet)


def _met(before: Env | None, new: Env, parted: set[str]) -> Env:
    """What is known where ways meet; variables that were `parted` may differ by their way."""
    if before is None:
        return {name: joined(one, one, secretly=name in parted) for name, one in new.items()}
    return {
        name: joined(
            before.get(name, new.get(name, OPEN)),
            new.get(name, before.get(name, OPEN)),
            secretly=name in parted,
        )
        for name in {**before, **new}
    }


# -- ways through a rule


def _after(step: Instruction, pc: int, end: int) -> tuple[int, ...]:
    match step:
        case Jump(to):
            return (to,)
        case Result() | Refuse():
            return (end,)
        case JumpUnless(_, otherwise):
            return pc + 1, otherwise
    return (pc + 1,)


class _Parted:
    """Where the ways of the two rolls through a rule may part, and where they meet again."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.inside: set[int] = set()  # places that only one of the two may come to
        self.at: dict[int, set[str]] = {}  # where they meet: what was set in between
        self.grown = False

    def part(self, pc: int) -> None:
        code, end = self.program.code, len(self.program.code)
        meets = self._meeting(pc)
        region: set[int] = set()
        todo = list(_after(code[pc], pc, end))
        while todo:
            place = todo.pop()
            if place not in region and place not in (meets, end):
                region.add(place)
                todo.extend(_after(code[place], place, end))
        steps = [code[place] for place in region]
        set_there = {step.writes for step in steps if step.writes}
        set_there |= {RESULT for step in steps if isinstance(step, Result)}
        set_there |= {SIDE for step in steps if isinstance(step, SetSide)}
        known = self.at.setdefault(meets, set())
        if not (region <= self.inside and set_there <= known):
            self.inside |= region
            known |= set_there
            self.grown = True

    def _meeting(self, pc: int) -> int:
        """The first place that every way from here comes to."""
        code, end = self.program.code, len(self.program.code)
        everywhere = set(range(end + 1))
        beyond = dict.fromkeys(range(end), everywhere) | {end: {end}}
        changed = True
        while changed:
            changed = False
            for place in reversed(range(end)):
                ways = [beyond[after] for after in _after(code[place], place, end)]
                found = {place} | set.intersection(*ways)
                if found != beyond[place]:
                    beyond[place], changed = found, True
        return max(beyond[pc] - {pc}, key=lambda place: len(beyond[place]))
