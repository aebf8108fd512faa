"""Work of a rule, counted in units, so that a budget means the same on every machine.

A unit is about a tenth of a microsecond: an expression costs one unit for each of its parts, and an
operation on n dice or entries costs n more, or n log n if it sorts them.
Invariant: the count follows from the rule and its replies alone, never from time.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from handful.dice import AbstractPool, Die
from handful.errors import Message, TooBig
from handful.rules import operators
from handful.rules.functions import FUNCTIONS

WORK = "@work"  # name of the meter in a rule's environment
MAX_WORK = 2_000_000  # units of one roll, from its start to its result: some tenths of a second
INSTRUCTION_WORK = 4  # units of an instruction, beside its expressions
DIE_WORK = 10  # units of a thrown die: it is numbered, read and recorded
ENTRY_WORK = 4  # units of comparing an entry of a list with another
CHARACTER_WORK = 20  # units of each character of a result, a modifier or an answer: it is stored and shown

Cost = Callable[..., int]


class Meter:
    """Counts the work of a roll and refuses what exceeds its limit."""

    __slots__ = ("limit", "spent")

    def __init__(self, limit: int | None = MAX_WORK, spent: int = 0) -> None:
        """`limit`: None for a roll that is replayed, because a log that was accepted stays readable."""
        self.limit: float = inf if limit is None else limit
        self.spent = spent
        self.spend(0)

    def spend(self, units: int) -> None:
        self.spent += units
        if self.spent > self.limit:
            message = Message("roll.too_much_work", most=int(self.limit))
            raise TooBig(message, Message("roll.less_work"), cost=self.spent)


def size_of(value: Any) -> int:
    """Return the number of dice or entries of a value, nested ones included; 0 for a plain number."""
    if type(value) is tuple:
        return len(value) + sum([size_of(one) for one in value if isinstance(one, (tuple, dict))])
    if isinstance(value, dict):
        return len(value) + sum([size_of(one) for one in value.values() if isinstance(one, (tuple, dict))])
    if isinstance(value, tuple):
        return len(value)
    return value.work if isinstance(value, operators.SymbolicNumber) else 0


def compared_work(value: Any) -> int:
    """Return the work of comparing a die, a pool, a list or a record."""
    return size_of(value) * (1 if isinstance(value, (Die, AbstractPool)) else ENTRY_WORK)


def written_size(value: Any) -> int:
    """Return about how many characters a value takes as text; more than that only if it holds few."""
    if isinstance(value, str):
        return len(value) + 4
    if isinstance(value, dict):
        return 4 + sum([len(name) + 4 + written_size(one) for name, one in value.items()])
    if isinstance(value, tuple):
        return 4 + sum([written_size(one) for one in value])
    return 8


def _visits(*values: Any) -> int:
    return sum(map(size_of, values))


def _sorts(pool: Any, *_: Any) -> int:
    count = size_of(pool)
    return count * count.bit_length()


def _counts_to(number: Any) -> int:
    return max(number, 0) if type(number) is int else 0


COSTS: dict[Callable[..., Any], Cost] = {
    operators.add: _visits,
    operators.subtract: _visits,
    operators.multiply: _visits,
    operators.divide: _visits,
    operators.negate: _visits,
    operators.make_list: _visits,
    **{FUNCTIONS[name]: _visits for name in ("min", "max", "clamp", "sum", "size", "widest", "read")},
    **{FUNCTIONS[name]: _sorts for name in ("highest", "lowest")},
    FUNCTIONS["range"]: _counts_to,
    FUNCTIONS["sided"]: _counts_to,
}
