"""Contribution of each die to the result of a roll: which dice hit, which add up, which count for nothing.

A roll is run again over numbers that know the dice they come from (`_Traced`), by the same program.
So it follows from any rule: `size(pool >= 8)`, a die that reads 1 on a 5 or 6, the best two of three,
or a highest die that is taken away again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from handful.dice import Die, Pool, row_value
from handful.errors import HandfulError
from handful.roll.binding import BoundCheck
from handful.roll.machine import Runner, resume, start
from handful.roll.node import Frame, Node, Reply, Throw, ThrownDie, Trace
from handful.rules.operators import SymbolicNumber
from handful.rules.program import SIDE, Value
from handful.rules.work import Meter

HIT, SUM, NONE = "hit", "sum", "none"
TRACED_WORK = 400_000  # units to trace a roll; arithmetic costs as much as its numbers have dice

_Place = tuple[int, int]  # a side and the number of one of its dice


class _Key(NamedTuple):
    """A die in a pool: a rerolled one keeps its number and takes the face that stands."""

    side: int
    number: int
    face: int


class _Part(NamedTuple):
    """Share of one die in a number; `counted` if as a hit, not by the points on its face."""

    amount: int | Fraction
    counted: bool


class _Traced(SymbolicNumber):
    """A known number, with what each die has added to it."""

    __slots__ = ("parts", "value")

    def __init__(self, value: int | Fraction, parts: Mapping[_Key, _Part]) -> None:
        self.value, self.parts = value, parts

    @property
    def work(self) -> int:
        return len(self.parts)

    def add(self, other: Value) -> Value:
        if not isinstance(other, _Traced):
            return _Traced(self.value + other, self.parts)
        parts = dict(self.parts)
        for key, (amount, counted) in other.parts.items():
            had = parts.get(key, _Part(0, False))
            parts[key] = _Part(had.amount + amount, had.counted or counted)
        return _Traced(self.value + other.value, parts)

    def scaled(self, factor: int | Fraction) -> Value:
        parts = {key: _Part(amount * factor, counted) for key, (amount, counted) in self.parts.items()}
        return _Traced(self.value * factor, parts)

    def reaches(self, number: int | Fraction) -> bool:
        return self.value >= number

    def resolve(self) -> int | Fraction:
        value = self.value
        return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


class _TracedPool(Pool):
    """A pool whose size and total know their dice."""

    side: int

    @staticmethod
    def of(pool: Iterable[Any], side: int) -> _TracedPool:
        made = _TracedPool(pool)
        made.side = side
        return made

    def passing(self, comparison: str, number: int) -> Pool:
        return self.of(super().passing(comparison, number), self.side)

    def plus(self, other: Pool) -> Pool:
        return self.of(super().plus(other), self.side)

    def minus(self, other: Pool) -> Pool:
        return self.of(super().minus(other), self.side)

    def highest(self, count: int) -> Pool:
        return self.of(super().highest(count), self.side)

    def lowest(self, count: int) -> Pool:
        return self.of(super().lowest(count), self.side)

    def widest(self) -> Pool:
        return self.of(super().widest(), self.side)

    def total(self, row: Any = None) -> Any:
        if row is None:
            return self._sum((one.reading, False) for one in self)
        return self._sum((row_value(row, one.reading), True) for one in self)

    def size(self) -> Any:
        return self._sum((1, True) for _ in self)

    def _sum(self, amounts: Iterable[tuple[int, bool]]) -> _Traced:
        parts = {
            _Key(self.side, one.number, one.face): _Part(*amount)
            for one, amount in zip(self, amounts, strict=True)
        }
        return _Traced(sum(amount for amount, _ in parts.values()), parts)


class _TracingRunner(Runner):
    """Runs a roll with traced pools, and notes which dice were ever in one."""

    def __init__(
        self, seen: set[_Place], check: BoundCheck, frames: list[Frame], trace: Trace, meter: Meter
    ) -> None:
        super().__init__(check, frames, trace, meter)
        self.seen = seen

    def store(self, value: Value) -> None:
        if isinstance(value, Pool):
            side = self.frames[-1].env.get(SIDE, 0)
            self.seen |= {(side, one.number) for one in value}
            value = _TracedPool.of(value, side)
        super().store(value)


def traced_start(bound: BoundCheck) -> Node:
    """Return the beginning of a roll, for `contributions`: the same for all rolls of a check."""
    return start(bound, partial(_TracingRunner, set()), most_work=TRACED_WORK)


def contributions(bound: BoundCheck, replies: Sequence[Reply], first: Node | None = None) -> list[str | None]:
    """Return, for each die in the order of the throws, `hit`, `sum`, `none`, or None if nobody can say yet.

    Before the end of a roll it follows from the die alone: one that reads hits has hit or missed.
    The list is empty if the roll cannot be traced.  `first`: its `traced_start`, if the caller has it,
    which is two thirds of the work.
    """
    shapes: list[Die] = []
    seen: set[_Place] = set()
    runner = partial(_TracingRunner, seen)
    try:
        node = traced_start(bound) if first is None else first
        for reply in replies:
            if isinstance(node.ask, Throw):
                shapes += [node.ask.die] * len(reply)
            node = resume(bound, node, reply, runner=runner, most_work=TRACED_WORK)
    except HandfulError:  # a rule asks what traced numbers cannot answer, or it takes too much work
        return []
    dice = node.trace.dice
    if node.outcome is None:
        return [_by_reading(shape, one.face) for shape, one in zip(shapes, dice, strict=True)]
    parts = _parts_of(node, bound.check.main)
    return [None] * len(dice) if parts is None else [*_by_result(dice, shapes, parts, seen)]


def _by_reading(shape: Die, face: int) -> str | None:
    if not _reads_hits(shape):
        return None
    return HIT if shape[face - 1] > 0 else NONE


def _reads_hits(shape: Die) -> bool:
    """Return whether a die counts something; else its faces are points or digits."""
    return len(set(shape)) * 2 <= len(shape)


def _parts_of(node: Node, main: str) -> Mapping[_Key, _Part] | None:
    """Return what each die adds to the main result, or to another result if a rule has capped that one."""
    assert node.outcome is not None
    numbers = [*_numbers(node.outcome.get(main))]
    others = [[*_numbers(one)] for name, one in node.outcome.items() if name != main]
    for found in (numbers, *others):
        parts = {key: part for one in found for key, part in one.parts.items()}
        if parts:
            return parts
    return {} if numbers else None  # no die has added to the main result, or it is not traced


def _numbers(value: Value) -> Iterator[_Traced]:
    if isinstance(value, _Traced):
        yield value
    elif type(value) is tuple:
        for one in value:
            yield from _numbers(one)


def _by_result(
    dice: Sequence[ThrownDie],
    shapes: Sequence[Die],
    parts: Mapping[_Key, _Part],
    seen: AbstractSet[_Place],
) -> Iterator[str]:
    landed = {(key.side, key.number): (key.face, part) for key, part in parts.items()}
    roots = [_root(one, seen) for one in dice]
    tossed_on = {
        root for root, one in zip(roots, dice, strict=True) if one.role == "extra" and root[1] == one.of
    }
    standing = {  # a die with its rerolls -> the place of the latest throw whose face stands
        root: place
        for place, root in enumerate(roots)
        if root in landed and landed[root][0] == dice[place].face
    }
    for place, root in enumerate(roots):
        stands = root in landed and (root in tossed_on or standing.get(root) == place)
        if not stands or not landed[root][1].amount:
            yield NONE
        else:
            yield HIT if landed[root][1].counted or _reads_hits(shapes[place]) else SUM


def _root(one: ThrownDie, seen: AbstractSet[_Place]) -> _Place:
    """Return the die that stands for this one in pools, where a reroll or a toss that adds on is not."""
    own = (one.side, one.number)
    return own if own in seen or one.of is None else (one.side, one.of)
