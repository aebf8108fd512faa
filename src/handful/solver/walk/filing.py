"""Canonical states: where ways meet, states with an equal future become one.

The key of a state is its place, its live values in canonical form, and the sources they depend on.  One
group of sources that only numbers depend on stays out of the key: states that differ only there are
*mixed*, as distributions add up.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from math import gcd
from typing import Any

from handful.rules.operators import Value
from handful.rules.program import Record
from handful.solver.walk.futures import matters
from handful.solver.walk.graph import FlowNode
from handful.solver.walk.sources import PAIRS, Free, SourceDraws, WalkState, add_mass
from handful.solver.walk.tables import Table, joint
from handful.solver.walk.values import Number, OpenDice, is_open, opened

MAX_AXIS = 8  # sources of one number that stay apart
CLASSES_A_UNIT = 4
Bucket = list[tuple[WalkState, tuple[int, ...]]]


class Filing:
    """States that wait at one node, by key."""

    def __init__(
        self, node: FlowNode, live: tuple[str, ...], questions: dict[str, Any], draws: SourceDraws
    ) -> None:
        self.node, self.live, self.questions, self.draws = node, live, questions, draws
        self.buckets: dict[Any, Bucket] = {}
        self._matters: dict[tuple[str, int], bool] = {}

    def add(self, state: WalkState) -> None:
        env = state.env
        state.env = {name: self._forget(name, env[name]) for name in self.live if name in env}
        classes = sum([len(weights) for weights, _ in state.sources.values()])
        self.draws.spend(2 + len(state.sources) + classes // CLASSES_A_UNIT)
        self.draws.drop_unused(state)
        axis = _axis(state)
        if len(axis) > MAX_AXIS and len(_touching(state, set(axis))) == 1:
            axis = self._folded(state, axis)
        key = self.key_of(state, set(axis)), bool(axis)
        bucket = self.buckets.get(key)
        if bucket is None:
            self.buckets[key] = [(state, axis)]
        elif not axis:
            add_mass(bucket[0][0], state.num, state.den)
        else:
            bucket.append((state, axis))

    def states(self) -> list[WalkState]:
        """Return the states, mixed."""
        return [self._mixed(bucket) for bucket in self.buckets.values()]

    def _folded(self, state: WalkState, axis: tuple[int, ...]) -> tuple[int, ...]:
        """Fold the many sources of one number into one draw."""
        (number,) = _touching(state, set(axis))
        others = {id(number): number}
        table = joint(state.sources, axis, [number], self.draws.spend)
        self.draws.settled(state, axis, others, table, [])
        return _axis(state)

    def _forget(self, name: str, value: Value) -> Value:
        """Return a pool without the dice that no later question reaches."""
        if type(value) is not OpenDice:
            return value
        asked = self.questions.get(name, ())

        def reached(reading: int) -> bool:
            key = name, reading
            if key not in self._matters:
                self._matters[key] = matters(asked, reading)
            return self._matters[key]

        return value.only(reached)

    def key_of(self, state: WalkState, axis: set[int]) -> Any:
        """Return a key that is equal for states with an equal future; sources of the axis stay out of it."""
        numbers: dict[int, int] = {}

        def name(source: int) -> Any:
            if source not in numbers:
                numbers[source] = len(numbers)
                return numbers[source], _normalised(state, source)
            return numbers[source]

        def canonical(value: Value) -> Any:
            kind = type(value)
            if kind is int or kind is str or value is None:
                return value
            if kind is bool:
                return ("truth", value)
            if isinstance(value, Number):
                terms = tuple([(name(s), column) for s, column in value.terms.items() if s not in axis])
                mixed = len(terms) < len(value.terms)
                return kind, None if mixed else value.const, mixed, terms
            if kind is OpenDice:
                parts = tuple([(name(s), part) for s, part in sorted(value.parts.items())])
                return kind, parts, tuple(value.known.items())
            if kind is tuple:
                return kind, tuple([canonical(part) for part in value])
            if kind is Record:
                return kind, tuple([(field, canonical(part)) for field, part in value.items()])
            return value

        return tuple([canonical(value) for value in state.env.values()])

    def _mixed(self, bucket: Bucket) -> WalkState:
        first, axis = bucket[0]
        if len(bucket) == 1:
            return first
        den = 1
        for state, _ in bucket:
            den = den * state.den // gcd(den, state.den)
        rows: Table = {}
        for state, own in bucket:
            gone = set(own)
            numbers = _touching(state, gone)
            factor, base = state.num * (den // state.den), [one.const for one in numbers]
            table = joint(state.sources, own, numbers, self.draws.spend)
            self.draws.spend(1 + len(table) // 4)
            for vector, weight in table.items():
                place = tuple([x + c for x, c in zip(vector, base, strict=True)])
                rows[place] = rows.get(place, 0) + weight * factor
        first.num, first.den = 1, den
        _settle(first, axis, rows, self.draws)
        return first


def _touching(state: WalkState, axis: set[int]) -> list[Number]:
    """Return the numbers that depend on some sources, in order, each occurrence."""
    return [
        one
        for value in state.env.values()
        for one in opened(value)
        if isinstance(one, Number) and not axis.isdisjoint(one.terms)
    ]


def _settle(state: WalkState, axis: Iterable[int], rows: Table, draws: SourceDraws) -> None:
    """Replace the sources of the axis by one draw; rows hold the whole values of the numbers."""
    ordered = sorted(rows.items())
    gone = set(axis)
    for source in gone:
        del state.sources[source]
    new = draws.new_source(state, [weight for _, weight in ordered], 1)
    places = count()

    def change(one: Any) -> Value:
        if not isinstance(one, Number) or gone.isdisjoint(one.terms):
            return one
        place = next(places)
        terms = {source: column for source, column in one.terms.items() if source not in gone}
        terms[new] = tuple([vector[place] for vector, _ in ordered])
        return one.with_terms(0, terms)

    state.change(change)


def _axis(state: WalkState) -> tuple[int, ...]:
    """Return the youngest source that no pool depends on, with those that share a number with it."""
    held: set[int] = set()
    numbers: list[Number] = []
    for value in state.env.values():
        for one in opened(value) if is_open(value) else ():
            if isinstance(one, OpenDice):
                held.update(one.parts)
            else:
                numbers.append(one)
    held.update([source for source in state.sources if state.is_endless(source)])
    held.update([source for number, _, _ in state.env.get(PAIRS, ()) for source in number.terms])
    free = [source for source in state.sources if source not in held]
    if not free:
        return ()
    axis = {max(free)}
    grown = True
    while grown:
        grown = False
        for one in numbers:
            if not axis.isdisjoint(one.terms):
                more = {source for source in one.terms if source not in held} - axis
                if more:
                    axis |= more
                    grown = True
    return tuple(sorted(axis))


def _normalised(state: WalkState, source: int) -> Any:
    """Return a source with weights in lowest terms, so that equal distributions have equal keys."""
    weights, n = state.sources[source]
    if type(n) is Free:
        return n.minimum
    if type(n) is not int:
        return weights, n.minimum, tuple(n.numerator), n.scale, n.denominator, type(n)
    shared = gcd(*weights)
    if shared > 1:
        state.num *= shared**n
        weights = tuple([weight // shared for weight in weights])
        state.sources[source] = weights, n
    return weights, n
