"""States of a rule's symbolic execution, and the outcomes at its end.

A `State` is an instruction and the values that are still live there; a `Frontier` maps the states of one
layer to their weights.  Invariant: states that are equal are merged, so a frontier holds each state once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from handful.rules.operators import Value
from handful.rules.program import Record
from handful.solver.generating_function import point_mass
from handful.solver.linear import BranchContext, Linear
from handful.solver.weights import Weight, add_weight, substitute

DONE = -1  # program counter of a state that has reached its result


class State(NamedTuple):
    """An instruction, the question it asks (dice, arguments), and the values live after it.

    `accumulator` is the random variable that stands for a loop's running total (see `markov`).
    """

    pc: int
    question: Any
    values: tuple[Value, ...]
    events: frozenset[str]
    accumulator: int | None = None
    booleans: Any = ()


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


Frontier = dict[State, list[Weight]]


def add_state(into: Frontier, state: State, entries: Iterable[Weight]) -> None:
    """Add weights to a state of the frontier; zero weights (impossible branches) are dropped."""
    for weight in entries:
        if weight.factor:
            add_weight(into.setdefault(state, []), weight)


def relocate(
    fields: Iterable[tuple[str, Value]], base: int, context: BranchContext
) -> Iterable[tuple[str, Value]]:
    """Return a memoized outcome's fields in another context, with its variables renumbered from `base`."""

    def rebase(one: Linear) -> Linear:
        return Linear(context, tuple((variable + base, s) for variable, s in one.slopes), one.const)

    return ((name, substitute(value, rebase)) for name, value in fields)


def merge_outcomes(done: Frontier) -> list[Outcome]:
    """Merge final states into as few outcomes as possible.

    A constant joins an outcome that has a random number in the same field and agrees elsewhere.
    """
    random_outcomes: dict[Any, list[Weight]] = {}
    constant_states = []
    for state, entries in done.items():
        random_at = [i for i, (_, value) in enumerate(state.values[0]) if type(value) is Linear]
        if not any(weight.series for weight in entries):
            constant_states.append((state, entries[0]))
            continue
        for weight in entries:
            key = (state.values[0], state.events, tuple(random_at), state.booleans)
            add_weight(random_outcomes.setdefault(key, []), weight)
    index = _index_by_random_field(random_outcomes)
    for state, weight in constant_states:
        if not _add_to_random_outcome(index, state, weight):
            random_outcomes[(state.values[0], state.events, (), state.booleans)] = [weight]
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


def _add_to_random_outcome(index: RandomFieldIndex, state: State, weight: Weight) -> bool:
    """Add a constant outcome to a random one that agrees in everything else, if there is one."""
    fields = state.values[0]
    for at, by_rest in index.items():
        if at >= len(fields) or type(fields[at][1]) is not int:
            continue
        entries = by_rest.get((fields[:at], fields[at + 1 :], state.events, state.booleans))
        if entries is not None:
            add_weight(entries, Weight(weight.factor, (point_mass(fields[at][1]),)))
            return True
    return False
