"""A rule as a flat list of instructions.

`run` executes until something must be answered from outside (dice, people, another rule) or a
result is reached; who answers is not its business, and that is what play and odds share.
Expressions are trees (`rules.expression_tree`), made once per rule by `rules.compiler`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from handful.errors import HandfulError, RuleError, TooBig
from handful.records import field, record
from handful.rules.expression_tree import Expr
from handful.rules.operators import Unresolved, are_equal, is_true

MAX_STEPS = 20_000  # instructions between two stops; a rule that needs more is broken
MAX_REPEATS = 1000  # of a `while` in play: a tie that never ends
EVENTS = "@events"
SIDE = "@side"
REPEATS = "@repeats"

# What a wrong value makes of an expression: a mistake of the rule, not of the machine.
VALUE_ERRORS = (TypeError, ValueError, ZeroDivisionError, IndexError, KeyError, AttributeError)

Value = Any  # int, Fraction, bool, str, None, tuple, Record, Die, or a pool
Env = dict[str, Value]


@record(eq=False, frozen=False)
class Instruction:
    """One step of a rule; `line` and `column` are its place in the rule's text."""

    line: int = field(default=0, kw_only=True)
    column: int = field(default=0, kw_only=True)

    def expressions(self) -> Iterator[Expr]:
        """Every expression that the instruction evaluates."""
        own: tuple[str, ...] = self.__match_args__
        for name in own:
            yield from _nested_expressions(getattr(self, name))

    @property
    def writes(self) -> str | None:
        """The variable that the instruction gives a value, if any."""
        return getattr(self, "var", None)


def _nested_expressions(value: object) -> Iterator[Expr]:
    if isinstance(value, Expr):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _nested_expressions(part)


@record(eq=False, frozen=False)
class Let(Instruction):
    var: str
    expr: Expr


@record(eq=False, frozen=False)
class JumpUnless(Instruction):
    test: Expr
    target: int = -1


@record(eq=False, frozen=False)
class Jump(Instruction):
    target: int = -1


@record(eq=False, frozen=False)
class LoopHead(Instruction):
    """The head of a `while`: where histories of a repeated roll can meet again."""


@record(eq=False, frozen=False)
class LoopExit(Instruction):
    """Behind a `while` that is inside no other: its turns are over."""


@record(eq=False, frozen=False)
class RollDice(Instruction):
    """Throw dice: a number of them, or one for each die of a pool."""

    var: str
    dice: Expr
    die: Expr
    role: str
    explodes_from: Expr | None  # readings from here on bring another die
    same_die: bool = False  # ... which is the same die thrown again
    adds: bool = False  # ... and its readings add up to one


@record(eq=False, frozen=False)
class Reroll(Instruction):
    var: str
    pool: Expr
    die: Expr
    keep: str


@record(eq=False, frozen=False)
class Choose(Instruction):
    var: str
    decision: str
    pool: Expr
    at_most: Expr
    usual: Expr | None


@record(eq=False, frozen=False)
class Ask(Instruction):
    var: str
    decision: str
    choices: Expr
    usual: Expr | None
    never: Expr | None


@record(eq=False, frozen=False)
class Call(Instruction):
    var: str
    rule: str
    args: tuple[tuple[str, Expr], ...]
    spread: tuple[Expr, ...] = ()


@record(eq=False, frozen=False)
class Modify(Instruction):
    source: str
    amount: Expr
    unit: str


@record(eq=False, frozen=False)
class EmitEvent(Instruction):
    name: str


@record(eq=False, frozen=False)
class SetSide(Instruction):
    number: Expr


@record(eq=False, frozen=False)
class Refuse(Instruction):
    word: str


@record(eq=False, frozen=False)
class Result(Instruction):
    fields: tuple[tuple[str, Expr], ...]


Code = list[Instruction]


@record(eq=False)
class Program:
    """A compiled rule: its name, its parameters, its instructions."""

    name: str
    params: tuple[str, ...]
    code: Code
    text: str = ""
    file: str = ""
    first_line: int = 0  # where the text starts in its file

    def error_at(self, pc: int, message: str, hint: str = "") -> RuleError:
        """A mistake met at an instruction, with its place."""
        at = self.code[pc]
        lines = self.text.splitlines()
        return RuleError(
            message,
            hint=hint,
            file=self.file,
            rule=self.name,
            line=self.first_line + at.line if self.first_line else at.line,
            column=at.column,
            source=lines[at.line - 1] if 0 < at.line <= len(lines) else "",
        )


class TracedOptions:
    """House rules that remember which of them a rule has looked at."""

    __slots__ = ("_options", "names")

    def __init__(self, options: Mapping[str, Value], names: Iterable[str] = ()) -> None:
        self._options, self.names = options, set(names)

    def __getitem__(self, name: str) -> Value:
        self.names.add(name)
        return self._options[name]


class Record(dict[str, Value]):
    """Named fields that can be part of a state: read-only and hashable."""

    __slots__ = ("_hash",)

    _hash: int

    def __hash__(self) -> int:  # type: ignore[override]
        try:
            return self._hash
        except AttributeError:
            self._hash = hash(frozenset(self.items()))
            return self._hash


@record(frozen=False)
class TraceSink:
    """What a run leaves for the trace; odds run without."""

    modifiers: list[tuple[str, Value, str, int]] = field(default_factory=list)


class Refusal(HandfulError):
    """A rule refused; the message is the key of a word."""


def run(program: Program, code: Code, pc: int, env: Env, trace: TraceSink | None = None) -> int:
    """Execute until the next stop and give its place; `env` is changed on the way."""
    left = MAX_STEPS
    try:
        while left:
            left -= 1
            step = code[pc]
            kind = type(step)
            if kind is Let:
                env[step.var] = step.expr.value(env)  # type: ignore[attr-defined]
                pc += 1
            elif kind is JumpUnless:
                pc = pc + 1 if is_true(step.test.value(env)) else step.target  # type: ignore[attr-defined]
            elif kind is Jump:
                pc = step.target  # type: ignore[attr-defined]
            elif kind is EmitEvent:
                env[EVENTS] = env.get(EVENTS, frozenset()) | {step.name}  # type: ignore[attr-defined]
                pc += 1
            elif kind is SetSide:
                env[SIDE] = step.number.value(env)  # type: ignore[attr-defined]
                pc += 1
            elif kind is Modify:
                if trace is not None:
                    _record_modifier(step, env, trace)  # type: ignore[arg-type]
                pc += 1
            elif kind is LoopHead and trace is not None:
                _count_repeat(program, env)
                pc += 1
            elif kind is LoopExit and trace is not None:
                pc += 1
            elif kind is Refuse:
                raise Refusal(step.word)  # type: ignore[attr-defined]
            else:
                return pc
    except Unresolved as question:
        question.place = pc  # nothing has changed yet: it can be run again from here
        raise
    except VALUE_ERRORS as error:
        raise program.error_at(pc, explain_error(error)) from error
    raise TooBig(
        f"the rule {program.name!r} goes on for more than {MAX_STEPS} steps without throwing a die",
        "a loop in it never ends",
    )


def _count_repeat(program: Program, env: Env) -> None:
    times = env.get(REPEATS, 0) + 1
    env[REPEATS] = times
    if times > MAX_REPEATS:
        raise TooBig(f"the rule {program.name!r} was stopped after {MAX_REPEATS} repetitions")


def _record_modifier(step: Modify, env: Env, notes: TraceSink) -> None:
    amount = step.amount.value(env)
    if not are_equal(amount, 0):
        notes.modifiers.append((step.source, amount, step.unit, env.get(SIDE, 0)))


def explain_error(error: Exception) -> str:
    """One of FAULTS, in the words of the language."""
    if isinstance(error, KeyError):
        return f"there is no {error.args[0]!r} here"
    if isinstance(error, IndexError):
        return "a list has no entry at that place"
    if isinstance(error, ZeroDivisionError):
        return "division by zero"
    return str(error)


def initial_env(
    program: Program, args: Mapping[str, Value], options: Mapping[str, Value] | TracedOptions
) -> Env:
    """The environment that a rule starts with."""
    return {**args, "@options": options, EVENTS: frozenset()}
