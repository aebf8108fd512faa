"""Rolls that stand at the same place of the rule, split where they differ and joined again.

A group's values are plain where all its rolls agree and arrays where they do not.  Groups are
joined when they meet at a place and agree on whatever cannot be an array there: texts, dice, what
is not given, the lengths of lists.  Only values that are still needed are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from handful.dice import AbstractPool, Pool
from handful.rules.expression_tree import Expr
from handful.rules.operators import SymbolicBool, SymbolicNumber, is_number
from handful.rules.program import Env, Record
from handful.simulate.values import Array, Numbers, Parted, Pools, Truths, denominator
from handful.solver.plan import Plan

Places = NDArray[np.intp]
MISSING = object()  # a variable that has no value yet


@dataclass(slots=True)
class Frame:
    """One rule in progress; `wave` is an endless throw in progress: what landed, what follows."""

    plan: Plan
    pc: int
    env: Env
    turns: int = 0  # of its loops
    wave: tuple[Pools, Array] | None = None


@dataclass(slots=True)
class Group:
    """Rolls at one place, the outermost rule first."""

    rolls: Places
    frames: list[Frame]
    events: dict[str, Any] = field(default_factory=dict)  # name -> True or Truths
    idle: int = 0  # steps since dice were thrown
    thrown: int = 0  # dice, of the roll with the most

    @property
    def place(self) -> tuple[int, ...]:
        """Where the group stands; whoever is furthest behind has the smallest one."""
        return tuple([frame.pc for frame in self.frames])

    def needed(self, depth: int) -> tuple[str, ...]:
        """The variables of a frame that may still be read."""
        frame = self.frames[depth]
        innermost = depth == len(self.frames) - 1
        names = (frame.plan.live_before if innermost else frame.plan.live_after)[frame.pc]
        return frame.plan.program.params + names

    def split(self, parts: Sequence[Places]) -> list[Group]:
        return [self._part(places) for places in parts]

    def _part(self, places: Places) -> Group:
        frames = []
        for depth, frame in enumerate(self.frames):
            env = {"@options": frame.env["@options"]}
            for name in self.needed(depth):
                if name in frame.env:
                    env[name] = part(frame.env[name], places)
            wave = None
            if frame.wave is not None:
                wave = part(frame.wave[0], places), frame.wave[1][places]
            frames.append(Frame(frame.plan, frame.pc, env, frame.turns, wave))
        events = {name: part(value, places) for name, value in self.events.items()}
        return Group(self.rolls[places], frames, events, self.idle, self.thrown)


def joined(groups: list[Group]) -> list[Group]:
    """Groups at the same place, as few as possible."""
    if len(groups) == 1:
        return groups
    varied = _varied(groups)
    alike: dict[Any, list[Group]] = {}
    for group in groups:
        agreement = tuple([_kind(name, group.frames[depth].env.get(name, MISSING)) for depth, name in varied])
        alike.setdefault((agreement, group.frames[-1].wave is None), []).append(group)
    return [_join(lot) if len(lot) > 1 else lot[0] for lot in alike.values()]


def _varied(groups: list[Group]) -> list[tuple[int, str]]:
    """The variables, by depth, that are not the very same object in all groups."""
    first, *others = groups
    return [
        (depth, name)
        for depth, frame in enumerate(first.frames)
        for name in first.needed(depth)
        if any(
            group.frames[depth].env.get(name, MISSING) is not frame.env.get(name, MISSING) for group in others
        )
    ]


def _kind(name: str, value: Any) -> Any:
    if value is True or value is False or isinstance(value, SymbolicBool):
        return "truth"
    if is_number(value):
        # the place in the list of a `for` is the same for all rolls of a group
        return value if name.startswith("#") else "number"
    if isinstance(value, SymbolicNumber):
        return "number"
    if isinstance(value, AbstractPool):
        return "pool"
    if type(value) is tuple:
        return tuple([_kind("", entry) for entry in value])
    if isinstance(value, dict):
        return tuple([(key, _kind("", entry)) for key, entry in value.items()])
    return type(value), value


def _join(groups: list[Group]) -> Group:
    first = groups[0]
    sizes = [len(group.rolls) for group in groups]
    frames = []
    for depth, frame in enumerate(first.frames):
        own = [group.frames[depth] for group in groups]
        env = {"@options": frame.env["@options"]}
        for name in first.needed(depth):
            if name in frame.env:
                env[name] = together([one.env[name] for one in own], sizes)
        wave = None
        if frame.wave is not None:
            waves = [one.wave for one in own if one.wave is not None]
            wave = together([w[0] for w in waves], sizes), np.concatenate([w[1] for w in waves])
        frames.append(Frame(frame.plan, frame.pc, env, max(one.turns for one in own), wave))
    names = dict.fromkeys(name for group in groups for name in group.events)
    events = {name: together([group.events.get(name, False) for group in groups], sizes) for name in names}
    return Group(
        np.concatenate([group.rolls for group in groups]),
        frames,
        events,
        max(group.idle for group in groups),
        max(group.thrown for group in groups),
    )


def evaluated(expr: Expr, env: Env) -> Any:
    """The value of an expression for all rolls of a group, also where parts take other ways in it.

    Parts whose values cannot stand in one array stay apart: then the group has to split.
    """
    try:
        return expr.value(env)
    except Parted as question:
        left = question.parts[::-1]
    names = [name for name in ("@options", *sorted(expr.reads)) if name in env]
    alike: dict[Any, list[tuple[Places, Any]]] = {}
    while left:
        places = left.pop()
        try:
            value = expr.value({name: part(env[name], places) for name in names})
        except Parted as question:
            left += [places[own] for own in question.parts[::-1]]
        else:
            alike.setdefault(_kind("", value), []).append((places, value))
    lots = [np.concatenate([places for places, _ in lot]) for lot in alike.values()]
    if len(lots) > 1:
        raise Parted(lots)
    ((order, found),) = zip(lots, alike.values(), strict=True)
    value = together([value for _, value in found], [len(places) for places, _ in found])
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return part(value, back)


def part(value: Any, places: Places) -> Any:
    """A value for some of the rolls."""
    kind = type(value)
    if kind is Numbers:
        return Numbers(value.top[places], value.bottom)
    if kind is Truths:
        return Truths(value.each[places])
    if kind is Pools:
        return Pools(len(places), ((r, n[places]) for r, n in value.counts.items()))
    if kind is tuple:
        entries = [part(entry, places) for entry in value]
        return tuple(entries) if _changed(entries, value) else value
    if kind is Record:
        fields = [part(entry, places) for entry in value.values()]
        return Record(zip(value, fields, strict=True)) if _changed(fields, value.values()) else value
    return value


def _changed(new: Iterable[Any], old: Iterable[Any]) -> bool:
    return any(one is not other for one, other in zip(new, old, strict=True))


def together(values: list[Any], sizes: Sequence[int]) -> Any:
    """One value for the rolls of several groups that agree as far as they must."""
    first = values[0]
    if all(value is first for value in values) and not isinstance(first, (SymbolicNumber, SymbolicBool)):
        return first
    if isinstance(first, (bool, SymbolicBool)):
        return _truths(values, sizes)
    if is_number(first) or isinstance(first, SymbolicNumber):
        return _numbers(values, sizes)
    if isinstance(first, Pools):
        return _pools(values)
    if type(first) is tuple:
        return tuple([together(list(entries), sizes) for entries in zip(*values, strict=True)])
    if isinstance(first, dict):
        return Record((name, together([v[name] for v in values], sizes)) for name in first)
    return first


def _truths(values: list[Any], sizes: Sequence[int]) -> Truths:
    return Truths(
        np.concatenate(
            [
                value.each if isinstance(value, Truths) else np.full(size, value)
                for value, size in zip(values, sizes, strict=True)
            ]
        )
    )


def _numbers(values: list[Any], sizes: Sequence[int]) -> Any:
    if all(is_number(value) and value == values[0] for value in values):
        return values[0]
    bottoms = (v.bottom if isinstance(v, Numbers) else v.denominator for v in values)
    bottom = denominator(lcm(*bottoms))
    tops = []
    for value, size in zip(values, sizes, strict=True):
        if isinstance(value, Numbers):
            tops.append(value.top * (bottom // value.bottom))
        else:
            top = Fraction(value) * bottom
            tops.append(np.full(size, top.numerator, np.int64))
    return Numbers(np.concatenate(tops), bottom)


def _pools(values: list[Any]) -> Pools:
    readings = sorted({reading for pool in values for reading in pool.counts})
    nothing = [np.zeros(pool.rolls, np.int64) for pool in values]
    return Pools(
        sum(pool.rolls for pool in values),
        (
            (
                reading,
                np.concatenate(
                    [pool.counts.get(reading, none) for pool, none in zip(values, nothing, strict=True)]
                ),
            )
            for reading in readings
        ),
    )


def spread_out(value: Any, rolls: int) -> Any:
    """A value of one played roll, for many rolls that go on from there."""
    if isinstance(value, Pool):
        counts: dict[int, int] = {}
        for landed in value:
            counts[landed.reading] = counts.get(landed.reading, 0) + 1
        return Pools(rolls, ((r, np.full(rolls, counts[r], np.int64)) for r in sorted(counts)))
    if type(value) is tuple:
        return tuple([spread_out(entry, rolls) for entry in value])
    if isinstance(value, Record):
        return Record((name, spread_out(entry, rolls)) for name, entry in value.items())
    return value
