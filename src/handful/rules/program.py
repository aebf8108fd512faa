"""Instruction set of compiled rules, and the interpreter loop.

`run` executes until an instruction needs an answer from outside (dice, a decision, another rule) or a
result is reached.  It does not know who answers: play and odds share it.
Expressions are trees (`rules.expression_tree`), built once per rule by `rules.compiler`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from handful.errors import HandfulError, Message, RuleError, Text, TooBig, as_message
from handful.records import field, record
from handful.rules.expression_tree import Expr, count_parts
from handful.rules.operators import MAX_NESTED_ENTRIES, Unresolved, are_equal, count_entries, is_true
from handful.rules.work import INSTRUCTION_WORK, Meter

MAX_STEPS = 20_000  # instructions between two stops; a correct rule never needs more
MAX_REPEATS = 1000  # iterations of a `while` in play; stops a tie that never ends
EVENTS = "@events"
SIDE = "@side"
REPEATS = "@repeats"

# Raised by an expression on a wrong value: an error in the rule, not in this program.
VALUE_ERRORS = (TypeError, ValueError, ZeroDivisionError, IndexError, KeyError, AttributeError)

Value = Any  # int, Fraction, bool, str, None, tuple, Record, Die, or a pool
Env = dict[str, Value]


@record(eq=False, frozen=False)
class Instruction:
    """One instruction; `line` and `column` are its position in the rule's source."""

    line: int = field(default=0, kw_only=True)
    column: int = field(default=0, kw_only=True)

    def expressions(self) -> Iterator[Expr]:
        """Yield every expression that the instruction evaluates."""
        names: tuple[str, ...] = self.__match_args__
        for name in names:
            yield from _nested_expressions(getattr(self, name))

    @property
    def writes(self) -> str | None:
        """Name of the variable that the instruction assigns, if any."""
        return getattr(self, "var", None)


def _nested_expressions(value: object) -> Iterator[Expr]:
    if isinstance(value, Expr):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _nested_expressions(part)


@record(eq=False, frozen=False)
class Let(Instruction):
    """Assign the value of an expression."""

    var: str
    expr: Expr


@record(eq=False, frozen=False)
class JumpUnless(Instruction):
    """Jump to `target` if the test is false."""

    test: Expr
    target: int = -1


@record(eq=False, frozen=False)
class Jump(Instruction):
    """Jump to `target`."""

    target: int = -1


@record(eq=False, frozen=False)
class LoopHead(Instruction):
    """Head of a `while`: the point where paths of a repeated roll can merge."""


@record(eq=False, frozen=False)
class LoopExit(Instruction):
    """End of an outermost `while`: its iterations are over."""


@record(eq=False, frozen=False)
class RollDice(Instruction):
    """Roll dice: a number of them, or one for each die of a pool."""

    var: str
    dice: Expr
    die: Expr
    role: str
    explodes_from: Expr | None  # a reading of at least this adds another die
    same_die: bool = False  # the added die is the same die rolled again
    adds: bool = False  # and its readings add up to one


@record(eq=False, frozen=False)
class Reroll(Instruction):
    """Roll the dice of a pool again; `keep` decides which reading stays."""

    var: str
    pool: Expr
    die: Expr
    keep: str


@record(eq=False, frozen=False)
class Choose(Instruction):
    """Ask for a decision: up to `at_most` dice of a pool."""

    var: str
    decision: str
    pool: Expr
    at_most: Expr
    usual: Expr | None


@record(eq=False, frozen=False)
class Ask(Instruction):
    """Ask for a decision: one of several answers."""

    var: str
    decision: str
    choices: Expr
    usual: Expr | None
    never: Expr | None


@record(eq=False, frozen=False)
class Call(Instruction):
    """Call another rule; `spread` are records whose fields become arguments."""

    var: str
    rule: str
    args: tuple[tuple[str, Expr], ...]
    spread: tuple[Expr, ...] = ()


@record(eq=False, frozen=False)
class Modify(Instruction):
    """Add a line to the breakdown."""

    source: str
    amount: Expr
    unit: str


@record(eq=False, frozen=False)
class EmitEvent(Instruction):
    """Report an event."""

    name: str


@record(eq=False, frozen=False)
class SetSide(Instruction):
    """Assign further dice and decisions to a side."""

    number: Expr


@record(eq=False, frozen=False)
class Refuse(Instruction):
    """Refuse the check; `word` is the reason."""

    word: str


@record(eq=False, frozen=False)
class Result(Instruction):
    """End the rule with these fields."""

    fields: tuple[tuple[str, Expr], ...]


Code = list[Instruction]


@record(eq=False)
class Program:
    """A compiled rule."""

    name: str
    params: tuple[str, ...]
    code: Code
    text: str = ""
    file: str = ""
    first_line: int = 0  # line of the file where the text starts
    _weights: list[int] = field(default_factory=list, repr=False)  # filled on first use

    @property
    def weights(self) -> list[int]:
        """The work of each instruction, apart from what depends on the number of dice."""
        if not self._weights:
            self._weights.extend(_weight(one) for one in self.code)
        return self._weights

    def error_at(self, pc: int, message: Message, hint: Text = "") -> RuleError:
        """Build an error at an instruction, with its position in the file."""
        instruction = self.code[pc]
        lines = self.text.splitlines()
        return RuleError(
            message,
            hint=hint,
            file=self.file,
            rule=self.name,
            line=self.first_line + instruction.line if self.first_line else instruction.line,
            column=instruction.column,
            source=lines[instruction.line - 1] if 0 < instruction.line <= len(lines) else "",
        )


def _weight(instruction: Instruction) -> int:
    return INSTRUCTION_WORK + sum(count_parts(expr.tree) for expr in instruction.expressions())


class TracedOptions:
    """Options that record which of them a rule has read."""

    __slots__ = ("_options", "names")

    def __init__(self, options: Mapping[str, Value], names: Iterable[str] = ()) -> None:
        self._options, self.names = options, set(names)

    def __getitem__(self, name: str) -> Value:
        self.names.add(name)
        return self._options[name]


class Record(dict[str, Value]):
    """Hashable mapping of named fields; treated as read-only, so that it can be part of a state."""

    __slots__ = ("_entries", "_hash")

    _entries: int
    _hash: int

    def count_entries(self) -> int:
        """Return the number of entries, including those of nested lists and records."""
        try:
            return self._entries
        except AttributeError:
            self._entries = count_entries(self.values(), MAX_NESTED_ENTRIES)
            return self._entries

    def __hash__(self) -> int:  # type: ignore[override]
        try:
            return self._hash
        except AttributeError:
            self._hash = hash(frozenset(self.items()))
            return self._hash


@record(frozen=False)
class TraceSink:
    """Collects the modifiers of a run for its trace; odds run without one."""

    modifiers: list[tuple[str, Value, str, int]] = field(default_factory=list)


class Refusal(HandfulError):
    """Raised by `refuse(…)` in a rule; the message is the key of a word."""


def run(
    program: Program,
    code: Code,
    pc: int,
    env: Env,
    trace: TraceSink | None = None,
    meter: Meter | None = None,
) -> int:
    """Execute until the next stop and return its index; `env` is updated in place.

    With a meter, the instructions of the program are charged to it, the one of the stop included.
    """
    steps_left = MAX_STEPS
    weights = None if meter is None else program.weights
    try:
        while steps_left:
            steps_left -= 1
            if weights is not None:
                meter.spend(weights[pc])  # type: ignore[union-attr]
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
        question.pc = pc  # nothing has changed yet: execution can resume at this instruction
        raise
    except VALUE_ERRORS as error:
        raise program.error_at(pc, explain_error(error)) from error
    raise TooBig(
        Message("rule.too_many_steps", name=program.name, most=MAX_STEPS),
        Message("rule.endless_loop"),
    )


def _count_repeat(program: Program, env: Env) -> None:
    times = env.get(REPEATS, 0) + 1
    env[REPEATS] = times
    if times > MAX_REPEATS:
        raise TooBig(Message("rule.too_many_repetitions", name=program.name, most=MAX_REPEATS))


def _record_modifier(step: Modify, env: Env, trace: TraceSink) -> None:
    amount = step.amount.value(env)
    if not are_equal(amount, 0):
        trace.modifiers.append((step.source, amount, step.unit, env.get(SIDE, 0)))


def explain_error(error: Exception) -> Message:
    """Describe one of VALUE_ERRORS in the terms of the language."""
    if isinstance(error, KeyError):
        return Message("rule.no_such_name", name=error.args[0])
    if isinstance(error, IndexError):
        return Message("rule.no_such_entry")
    if isinstance(error, ZeroDivisionError):
        return Message("rule.division_by_zero")
    reason = error.args[0] if error.args else ""
    return reason if isinstance(reason, Message) else as_message(str(error))


def initial_env(
    program: Program, args: Mapping[str, Value], options: Mapping[str, Value] | TracedOptions
) -> Env:
    """Return the environment in which a rule starts."""
    return {**args, "@options": options, EVENTS: frozenset()}
