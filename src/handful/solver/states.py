"""States of a rule on its way, and the outcomes at its end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from handful.rules.operators import Value
from handful.rules.program import Record
from handful.solver.generating_function import point_mass
from handful.solver.linear import BranchContext, Linear
from handful.solver.weights import Weight, add_weight, substitute

DONE = -1  # the place of a state that has reached a result


class State(NamedTuple):
    """A place in a rule, the question asked there, and the values needed afterwards."""

    pc: int
    question: Any
    values: tuple[Value, ...]
    events: frozenset[str]
    accumulator: int | None = None
    booleans: Any = ()


def boolean_positions(value: Value) -> Any:
    """The places of truths in a value, to tell states apart: in Python, True is equal to 1."""
    if value is True or value is False:
        return True
    kind = type(value)
    if kind is tuple:
        return tuple([(at, mark) for at, part in enumerate(value) if (mark := boolean_positions(part))])
    if kind is Record:
        return frozenset([(name, mark) for name, part in value.items() if (mark := boolean_positions(part))])
    return ()


class Outcome(NamedTuple):
    """One kind of result of a rule: its fields, which may be open, its events and its weight."""

    fields: tuple[tuple[str, Value], ...]
    events: frozenset[str]
    weight: Weight


Frontier = dict[State, list[Weight]]


def add_state(into: Frontier, state: State, entries: Iterable[Weight]) -> None:
    """File the weights of a state among those that are there already."""
    for weight in entries:
        if weight.factor:  # some branches turn out to be impossible
            add_weight(into.setdefault(state, []), weight)


def relocate(
    fields: Iterable[tuple[str, Value]], base: int, context: BranchContext
) -> Iterable[tuple[str, Value]]:
    """The fields of a remembered outcome: at another desk, and with axes from `base` on."""

    def here(one: Linear) -> Linear:
        return Linear(context, tuple((variable + base, s) for variable, s in one.slopes), one.const)

    return ((name, substitute(value, here)) for name, value in fields)


def merge_outcomes(done: Frontier) -> list[Outcome]:
    """Outcomes as few as possible: a known number joins those that are spread in its place."""
    spread: dict[Any, list[Weight]] = {}
    known = []
    for state, entries in done.items():
        open_at = [i for i, (_, value) in enumerate(state.values[0]) if type(value) is Linear]
        if not any(weight.series for weight in entries):
            known.append((state, entries[0]))
            continue
        for weight in entries:
            key = (state.values[0], state.events, tuple(open_at), state.booleans)
            add_weight(spread.setdefault(key, []), weight)
    places = _index_by_random_field(spread)
    for state, weight in known:
        if not _add_to_random_outcome(places, state, weight):
            spread[(state.values[0], state.events, (), state.booleans)] = [weight]
    return [
        Outcome(fields, events, weight)
        for (fields, events, _, _), entries in spread.items()
        for weight in entries
    ]


Places = dict[int, dict[Any, list[Weight]]]


def _index_by_random_field(spread: dict[Any, list[Weight]]) -> Places:
    """Index spread outcomes by the one place where a number is open, then by all the rest."""
    places: Places = {}
    for (fields, events, open_at, marks), entries in spread.items():
        if len(open_at) != 1:
            continue
        (at,) = open_at
        number = fields[at][1]
        if number.slopes == ((0, 1),) and number.const == 0:
            rest = (fields[:at], fields[at + 1 :], events, marks)
            places.setdefault(at, {}).setdefault(rest, entries)
    return places


def _add_to_random_outcome(places: Places, state: State, weight: Weight) -> bool:
    """Put a known outcome into a spread one that agrees in everything else, if there is one."""
    own = state.values[0]
    for at, found in places.items():
        if at >= len(own) or type(own[at][1]) is not int:
            continue
        entries = found.get((own[:at], own[at + 1 :], state.events, state.booleans))
        if entries is not None:
            add_weight(entries, Weight(weight.factor, (point_mass(own[at][1]),)))
            return True
    return False
