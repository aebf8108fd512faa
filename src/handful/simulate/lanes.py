"""Lanes: rolls at the same instruction, split where they diverge and merged where they reconverge.

A value of a group of lanes is a scalar if all its rolls agree, and an array if they do not.  Groups
reconverge when they are at the same instruction and agree on everything that cannot be an array: texts,
dice, missing values, the lengths of lists.  Only live variables are compared.
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
from handful.simulate.values import Array, Booleans, Diverged, Numbers, Pools, check_denominator
from handful.solver.plan import Plan

Indices = NDArray[np.intp]
MISSING = object()  # a variable without a value


@dataclass(slots=True)
class LaneFrame:
    """One rule in progress; `wave` is an exploding throw in progress: dice so far, dice to throw."""

    plan: Plan
    pc: int
    env: Env
    iterations: int = 0  # loop iterations so far
    wave: tuple[Pools, Array] | None = None


@dataclass(slots=True)
class Lanes:
    """Rolls at one instruction; frames are listed from the outermost rule to the innermost."""

    rolls: Indices
    frames: list[LaneFrame]
    events: dict[str, Any] = field(default_factory=dict)  # name -> True or Booleans
    idle: int = 0  # steps since dice were thrown
    thrown: int = 0  # dice of the roll with the most dice

    @property
    def position(self) -> tuple[int, ...]:
        """Return the program counters of all frames; the group with the smallest one runs first."""
        return tuple([frame.pc for frame in self.frames])

    def live_variables(self, depth: int) -> tuple[str, ...]:
        """Return the live variables of a frame."""
        frame = self.frames[depth]
        innermost = depth == len(self.frames) - 1
        names = (frame.plan.live_before if innermost else frame.plan.live_after)[frame.pc]
        return frame.plan.program.params + names

    def split(self, parts: Sequence[Indices]) -> list[Lanes]:
        return [self._select(indices) for indices in parts]

    def _select(self, indices: Indices) -> Lanes:
        frames = []
        for depth, frame in enumerate(self.frames):
            env = {"@options": frame.env["@options"]}
            for name in self.live_variables(depth):
                if name in frame.env:
                    env[name] = select(frame.env[name], indices)
            wave = None
            if frame.wave is not None:
                wave = select(frame.wave[0], indices), frame.wave[1][indices]
            frames.append(LaneFrame(frame.plan, frame.pc, env, frame.iterations, wave))
        events = {name: select(value, indices) for name, value in self.events.items()}
        return Lanes(self.rolls[indices], frames, events, self.idle, self.thrown)


def reconverge(groups: list[Lanes]) -> list[Lanes]:
    """Merge groups at the same instruction into as few as possible."""
    if len(groups) == 1:
        return groups
    varying = _varying(groups)
    by_kind: dict[Any, list[Lanes]] = {}
    for group in groups:
        kinds = tuple([_kind(name, group.frames[depth].env.get(name, MISSING)) for depth, name in varying])
        by_kind.setdefault((kinds, group.frames[-1].wave is None), []).append(group)
    return [_merge(same) if len(same) > 1 else same[0] for same in by_kind.values()]


def _varying(groups: list[Lanes]) -> list[tuple[int, str]]:
    """Return the variables, by depth, that are not the identical object in all groups."""
    first, *others = groups
    return [
        (depth, name)
        for depth, frame in enumerate(first.frames)
        for name in first.live_variables(depth)
        if any(
            group.frames[depth].env.get(name, MISSING) is not frame.env.get(name, MISSING) for group in others
        )
    ]


def _kind(name: str, value: Any) -> Any:
    if value is True or value is False or isinstance(value, SymbolicBool):
        return "truth"
    if is_number(value):
        # All rolls of a group share the index of a `for` loop.
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


def _merge(groups: list[Lanes]) -> Lanes:
    first = groups[0]
    sizes = [len(group.rolls) for group in groups]
    frames = []
    for depth, frame in enumerate(first.frames):
        own_frames = [group.frames[depth] for group in groups]
        env = {"@options": frame.env["@options"]}
        for name in first.live_variables(depth):
            if name in frame.env:
                env[name] = concatenate([one.env[name] for one in own_frames], sizes)
        wave = None
        if frame.wave is not None:
            waves = [one.wave for one in own_frames if one.wave is not None]
            wave = concatenate([w[0] for w in waves], sizes), np.concatenate([w[1] for w in waves])
        frames.append(LaneFrame(frame.plan, frame.pc, env, max(one.iterations for one in own_frames), wave))
    names = dict.fromkeys(name for group in groups for name in group.events)
    events = {name: concatenate([group.events.get(name, False) for group in groups], sizes) for name in names}
    return Lanes(
        np.concatenate([group.rolls for group in groups]),
        frames,
        events,
        max(group.idle for group in groups),
        max(group.thrown for group in groups),
    )


def evaluate(expr: Expr, env: Env) -> Any:
    """Evaluate an expression for all rolls of a group, even if they take different branches in it.

    Raise `Diverged` if the values do not fit into one array: then the group has to split.
    """
    try:
        return expr.value(env)
    except Diverged as question:
        remaining = question.parts[::-1]
    names = [name for name in ("@options", *sorted(expr.reads)) if name in env]
    by_kind: dict[Any, list[tuple[Indices, Any]]] = {}
    while remaining:
        indices = remaining.pop()
        try:
            value = expr.value({name: select(env[name], indices) for name in names})
        except Diverged as question:
            remaining += [indices[part] for part in question.parts[::-1]]
        else:
            by_kind.setdefault(_kind("", value), []).append((indices, value))
    groups = [np.concatenate([indices for indices, _ in same]) for same in by_kind.values()]
    if len(groups) > 1:
        raise Diverged(groups)
    ((order, found),) = zip(groups, by_kind.values(), strict=True)
    value = concatenate([value for _, value in found], [len(indices) for indices, _ in found])
    inverse = np.empty_like(order)
    inverse[order] = np.arange(len(order))
    return select(value, inverse)


def select(value: Any, indices: Indices) -> Any:
    """Return a value restricted to some of the rolls."""
    kind = type(value)
    if kind is Numbers:
        return Numbers(value.numerators[indices], value.denominator)
    if kind is Booleans:
        return Booleans(value.flags[indices])
    if kind is Pools:
        return Pools(len(indices), ((r, n[indices]) for r, n in value.counts.items()))
    if kind is tuple:
        entries = [select(entry, indices) for entry in value]
        return tuple(entries) if _changed(entries, value) else value
    if kind is Record:
        fields = [select(entry, indices) for entry in value.values()]
        return Record(zip(value, fields, strict=True)) if _changed(fields, value.values()) else value
    return value


def _changed(new: Iterable[Any], old: Iterable[Any]) -> bool:
    return any(one is not other for one, other in zip(new, old, strict=True))


def concatenate(values: list[Any], sizes: Sequence[int]) -> Any:
    """Concatenate the values of several groups that agree in kind."""
    first = values[0]
    if all(value is first for value in values) and not isinstance(first, (SymbolicNumber, SymbolicBool)):
        return first
    if isinstance(first, (bool, SymbolicBool)):
        return _concatenate_booleans(values, sizes)
    if is_number(first) or isinstance(first, SymbolicNumber):
        return _concatenate_numbers(values, sizes)
    if isinstance(first, Pools):
        return _concatenate_pools(values)
    if type(first) is tuple:
        return tuple([concatenate(list(entries), sizes) for entries in zip(*values, strict=True)])
    if isinstance(first, dict):
        return Record((name, concatenate([v[name] for v in values], sizes)) for name in first)
    return first


def _concatenate_booleans(values: list[Any], sizes: Sequence[int]) -> Booleans:
    return Booleans(
        np.concatenate(
            [
                value.flags if isinstance(value, Booleans) else np.full(size, value)
                for value, size in zip(values, sizes, strict=True)
            ]
        )
    )


def _concatenate_numbers(values: list[Any], sizes: Sequence[int]) -> Any:
    if all(is_number(value) and value == values[0] for value in values):
        return values[0]
    denominators = (v.denominator for v in values)
    denominator = check_denominator(lcm(*denominators))
    all_numerators = []
    for value, size in zip(values, sizes, strict=True):
        if isinstance(value, Numbers):
            all_numerators.append(value.numerators * (denominator // value.denominator))
        else:
            scaled = Fraction(value) * denominator
            all_numerators.append(np.full(size, scaled.numerator, np.int64))
    return Numbers(np.concatenate(all_numerators), denominator)


def _concatenate_pools(values: list[Any]) -> Pools:
    readings = sorted({reading for pool in values for reading in pool.counts})
    zeros = [np.zeros(pool.rolls, np.int64) for pool in values]
    return Pools(
        sum(pool.rolls for pool in values),
        (
            (
                reading,
                np.concatenate(
                    [pool.counts.get(reading, zero) for pool, zero in zip(values, zeros, strict=True)]
                ),
            )
            for reading in readings
        ),
    )


def broadcast(value: Any, rolls: int) -> Any:
    """Broadcast a value of one paused roll to many rolls that continue from it."""
    if isinstance(value, Pool):
        counts: dict[int, int] = {}
        for landed in value:
            counts[landed.reading] = counts.get(landed.reading, 0) + 1
        return Pools(rolls, ((r, np.full(rolls, counts[r], np.int64)) for r in sorted(counts)))
    if type(value) is tuple:
        return tuple([broadcast(entry, rolls) for entry in value])
    if isinstance(value, Record):
        return Record((name, broadcast(entry, rolls)) for name, entry in value.items())
    return value
