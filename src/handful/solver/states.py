"""Outcomes at the end of a rule.

Invariant: outcomes that are equal are merged, so a rule has each once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from handful.rules.operators import Value
from handful.rules.program import Record
from handful.solver.generating_function import point_mass
from handful.solver.linear import Linear
from handful.solver.weights import Weight, add_weight


def boolean_positions(value: Value) -> Any:
    """Return the positions of booleans in a value: states that differ only in True and 1 are not equal."""
    if value is True or value is False:
        return True
    kind = type(value)
    if kind is tuple:
        return tuple([(at, inner) for at, part in enumerate(value) if (inner := boolean_positions(part))])
    if kind is Record:
        return frozenset(
            [(name, inner) for name, part in value.items() if (inner := boolean_positions(part))]
        )
    return ()


class Outcome(NamedTuple):
    """One result of a rule: its fields (numbers may be symbolic), its events and its weight."""

    fields: tuple[tuple[str, Value], ...]
    events: frozenset[str]
    weight: Weight


Fields = tuple[tuple[str, Value], ...]
Ends = dict[tuple[Fields, frozenset[str], Any], list[Weight]]  # by fields, events and places of booleans


def add_end(into: Ends, fields: Fields, events: frozenset[str], weight: Weight) -> None:
    """Add a weight to an end; an impossible one is dropped."""
    if weight.factor:
        add_weight(into.setdefault((fields, events, boolean_positions(fields)), []), weight)


def merge_outcomes(ends: Ends) -> list[Outcome]:
    """Merge ends into as few outcomes as possible.

    A constant joins an outcome that has a random number in the same field and agrees elsewhere.
    """
    random_outcomes: dict[Any, list[Weight]] = {}
    constants = []
    for (fields, events, booleans), entries in ends.items():
        random_at = [i for i, (_, value) in enumerate(fields) if type(value) is Linear]
        if not any(weight.series for weight in entries):
            constants.append((fields, events, booleans, entries[0]))
            continue
        for weight in entries:
            key = (fields, events, tuple(random_at), booleans)
            add_weight(random_outcomes.setdefault(key, []), weight)
    index = _index_by_random_field(random_outcomes)
    for fields, events, booleans, weight in constants:
        if not _add_to_random_outcome(index, fields, (events, booleans), weight):
            random_outcomes[(fields, events, (), booleans)] = [weight]
    return [
        Outcome(fields, events, weight)
        for (fields, events, _, _), entries in random_outcomes.items()
        for weight in entries
    ]


RandomFieldIndex = dict[int, dict[Any, list[Weight]]]


def _index_by_random_field(random_outcomes: dict[Any, list[Weight]]) -> RandomFieldIndex:
    """Index outcomes by the position of their only random field, then by everything else."""
    index: RandomFieldIndex = {}
    for (fields, events, random_at, booleans), entries in random_outcomes.items():
        if len(random_at) != 1:
            continue
        (at,) = random_at
        number = fields[at][1]
        if number.slopes == ((0, 1),) and number.const == 0:
            rest = (fields[:at], fields[at + 1 :], events, booleans)
            index.setdefault(at, {}).setdefault(rest, entries)
    return index


def _add_to_random_outcome(
    index: RandomFieldIndex, fields: Fields, rest: tuple[frozenset[str], Any], weight: Weight
) -> bool:
    """Add a constant outcome to a random one that agrees in everything else, if there is one."""
    for at, by_rest in index.items():
        if at >= len(fields) or type(fields[at][1]) is not int:
            continue
        entries = by_rest.get((fields[:at], fields[at + 1 :], *rest))
        if entries is not None:
            add_weight(entries, Weight(weight.factor, (point_mass(fields[at][1]),)))
            return True
    return False
