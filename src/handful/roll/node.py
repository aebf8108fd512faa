"""Values of a paused roll: the question it asks, and the state to resume from.

All types are immutable by convention, so a node can be stored and resumed more than once.
"""

from __future__ import annotations

from typing import NamedTuple

from handful.dice import Die, Pool
from handful.records import record
from handful.rules.program import Env, Program, Record, Value

Reply = tuple[int, ...] | str

# -- questions


@record()
class Throw:
    """Dice to throw, by a random generator or by hand; `of` names the die each one extends or rerolls."""

    count: int
    die: Die
    role: str
    side: int
    of: tuple[int | None, ...]

    @property
    def sides(self) -> int:
        """Return the number of faces of each die."""
        return len(self.die)


class ChooseDice(NamedTuple):
    """Decision: pick up to `at_most` dice of a pool."""

    decision: str
    by: str
    side: int
    pool: Pool
    at_most: int

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(landed.number for landed in self.pool)


class PickOption(NamedTuple):
    """Decision: pick one of the options."""

    decision: str
    by: str
    side: int
    options: tuple[str, ...]


Question = Throw | ChooseDice | PickOption


# -- history and state


class ThrownDie(NamedTuple):
    """A thrown die, in order; numbers count from 1 on each side."""

    face: int
    role: str
    of: int | None
    side: int
    number: int


class Modifier(NamedTuple):
    """An amount that a rule reports as part of a side's total, with its source."""

    source: str
    amount: Value
    unit: str
    side: int


class Decided(NamedTuple):
    """An answer to a decision."""

    decision: str
    by: str
    side: int
    answer: tuple[int, ...] | str
    policy: str  # empty if a person answered


class Trace(NamedTuple):
    """History of a roll: dice, modifiers, decisions, and the options that its rules have read."""

    dice: tuple[ThrownDie, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    decisions: tuple[Decided, ...] = ()
    options: frozenset[str] = frozenset()


class Wave(NamedTuple):
    """Dice of an exploding throw so far, and the numbers of those that add another die."""

    landed: Pool
    next: tuple[int, ...]
    number: int


class Frame(NamedTuple):
    """One rule in progress; `wave` is set in the middle of an exploding throw."""

    program: Program
    pc: int
    env: Env
    wave: Wave | None = None


class Node(NamedTuple):
    """A paused roll: waiting for the answer to `ask`, or finished with an `outcome`."""

    frames: tuple[Frame, ...]
    ask: Question | None
    outcome: Record | None
    events: frozenset[str]
    trace: Trace
    work: int = 0  # units spent since the start of the roll; see `rules.work`
