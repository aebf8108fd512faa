"""A roll at rest: what it asks, and what it remembers."""

from __future__ import annotations

from typing import NamedTuple

from handful.dice import Die, Pool
from handful.records import record
from handful.rules.program import Env, Program, Record, Value

Reply = tuple[int, ...] | str

# -- what a roll asks


@record()
class Throw:
    """Dice to be thrown: asked of chance, or of whoever holds the real dice."""

    count: int
    die: Die
    role: str
    side: int
    of: tuple[int | None, ...]

    @property
    def sides(self) -> int:
        """The number of faces of each die."""
        return len(self.die)


class ChooseDice(NamedTuple):
    """Pick at most so many dice of a pool."""

    decision: str
    by: str
    side: int
    pool: Pool
    at_most: int

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(landed.number for landed in self.pool)


class PickOption(NamedTuple):
    """Pick one of some options."""

    decision: str
    by: str
    side: int
    options: tuple[str, ...]


Question = Throw | ChooseDice | PickOption


# -- what a roll remembers


class ThrownDie(NamedTuple):
    """A die in the order thrown; numbers count from 1 on each side."""

    face: int
    role: str
    of: int | None
    side: int
    number: int


class Modifier(NamedTuple):
    source: str
    amount: Value
    unit: str
    side: int


class Decided(NamedTuple):
    """An answer that was given, by whom, or by which policy."""

    decision: str
    by: str
    side: int
    answer: tuple[int, ...] | str
    policy: str  # empty when somebody answered


class Trace(NamedTuple):
    dice: tuple[ThrownDie, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    decisions: tuple[Decided, ...] = ()
    options: frozenset[str] = frozenset()


class Wave(NamedTuple):
    """Dice of an endless throw that have landed, and those that bring another die."""

    landed: Pool
    next: tuple[int, ...]
    number: int


class Frame(NamedTuple):
    """One rule in progress; `wave` is set in the middle of an endless throw."""

    program: Program
    pc: int
    env: Env
    wave: Wave | None = None


class Node(NamedTuple):
    """A roll at rest: waiting for the answer to `ask`, or finished with an `outcome`."""

    frames: tuple[Frame, ...]
    ask: Question | None
    outcome: Record | None
    events: frozenset[str]
    trace: Trace
