"""Loops that may return, as absorbing Markov chains.

The states in which a walk comes to the head of a loop are the nodes of a finite graph, once the *tally*
that grows with each turn is factored out: a free number stands for it (`Free`), and what a turn adds is
a generating function on the edge.  All other values are known at a head.  Expected visits of the nodes
are the solution of linear equations (`expected_visits`), over fractions for probabilities and over
rational functions for tallies.

A question about the tally inside the loop (`while total < 20`) means that turns differ: below the
threshold the tally is part of the node, from the threshold on it is free.
Invariant: the result is exact; no turn is ever left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

from handful.errors import Message, TooBig
from handful.rules.operators import Value, add, get_field, subtract
from handful.solver import expected_visits
from handful.solver.generating_function import ZERO, GeneratingFunction, point_mass
from handful.solver.walk.flat import Var, copy, make_record
from handful.solver.walk.graph import FlowNode
from handful.solver.walk.separation import split_tally, untied
from handful.solver.walk.sources import TALLY, Free, TallyObserved, WalkState
from handful.solver.walk.values import Number, rewritten

if TYPE_CHECKING:
    from handful.solver.walk.machine import Arrival, Machine

MAX_NODES = 3000
MAX_ATTEMPTS = 400
NODE_PRICE = 10  # units
ADDITIVE = frozenset((add, subtract, copy, make_record, get_field))


class _GraphChanged(Exception):
    """Something was learned about the tallies: build the graph again."""


class Place:
    """A node of the chain: a state at the head of a loop, with mass 1 and maybe a free tally."""

    __slots__ = ("base", "head", "least", "state")

    def __init__(self, head: FlowNode, state: WalkState, base: Any, least: int | None) -> None:
        self.head, self.state, self.base, self.least = head, state, base, least

    @property
    def key(self) -> Any:
        return self.base, self.least

    @property
    def is_free(self) -> bool:
        return TALLY in self.state.sources


Step = tuple[Place, GeneratingFunction]


def solve_loop(machine: Machine, entries: list[Arrival]) -> list[Arrival]:
    """Return the states after a loop that is entered in some states, with the nodes they have come to."""
    chain = _Chain(machine, entries[0][0].loop)
    for _ in range(MAX_ATTEMPTS):
        try:
            return chain.solve(entries)
        except _GraphChanged:
            continue
    raise TooBig(Message("solver.loop_not_exact"))


class _Chain:
    """The chain of one loop; what is learned about tallies is kept when it is built again."""

    def __init__(self, machine: Machine, loop: int) -> None:
        self.machine = machine
        self.tallies = _tallies([node for node in machine.residual.nodes if node.loop == loop])
        self.thresholds: dict[Any, int] = {}  # from here on the tally of a node is free
        self.bound: set[Any] = set()  # nodes whose tally cannot be free
        self.fixed: set[tuple[int, str]] = set()  # (head, variable) that cannot be a free tally
        self.turns: dict[Any, tuple[list[Arrival], list[Arrival]]] = {}

    def solve(self, entries: list[Arrival]) -> list[Arrival]:
        self.numbers: dict[Any, int] = {}
        self.places: list[Place] = []
        self.edges: list[dict[int, GeneratingFunction]] = []
        self.resets: list[dict[int, GeneratingFunction]] = []  # edges on which the tally starts anew
        exits: list[list[Arrival]] = []
        inside: list[Arrival] = []
        left: list[Arrival] = []
        for node, state in entries:
            if node.head:
                inside.append((node, state))
            else:  # a way into the middle of the loop
                heads, out = self.machine.turn(node, state.copied())
                inside += heads
                left += out
        inflow = self._edges(inside, None)[1]
        while len(self.edges) < len(self.places):
            place = self.places[len(self.edges)]
            heads, out = self._turned(place)
            exits.append(out)
            onward, reset = self._edges(heads, place)
            self.edges.append(onward)
            self.resets.append(reset)
        return left + self._exits(inflow, exits)

    # -- exploring

    def _turned(self, place: Place) -> tuple[list[Arrival], list[Arrival]]:
        if len(self.places) > MAX_NODES:
            raise TooBig(Message("solver.too_many_turns"))
        self.machine.draws.spend(NODE_PRICE)
        if place.key not in self.turns:
            try:
                self.turns[place.key] = self.machine.turn(place.head, place.state.copied())
            except TallyObserved as question:
                self._learn(place, question.at)
                raise _GraphChanged from None
        return self.turns[place.key]

    def _learn(self, place: Place, at: int | None) -> None:
        """Note that the loop reads the tally of a node: at a threshold, or in general."""
        if at is not None and (place.least is None or at > place.least):
            self.thresholds[place.base] = at
            return
        self.bound.add(place.base)
        if at is None:
            for name, value in place.state.env.items():
                if isinstance(value, Number) and TALLY in value.terms:
                    self.fixed.add((place.head.rank, name))

    def _edges(
        self, arrived: list[Arrival], origin: Place | None
    ) -> tuple[dict[int, GeneratingFunction], dict[int, GeneratingFunction]]:
        """Return the edges to the nodes of these states: with the tally carried on, and reset."""
        onward: dict[int, GeneratingFunction] = {}
        reset: dict[int, GeneratingFunction] = {}
        for head, state in arrived:
            for one in untied(self.machine.draws, state.copied(), self._candidates(head)):
                carried = TALLY in one.sources
                edges = onward if carried else reset
                for place, series in self._carried(head, one, origin) if carried else self._begun(head, one):
                    at = self.numbers.setdefault(place.key, len(self.places))
                    if at == len(self.places):
                        self.places.append(place)
                    edges[at] = edges.get(at, ZERO).plus(series)
        return onward, reset

    def _candidates(self, head: FlowNode) -> tuple[str, ...]:
        return tuple(name for name in self.tallies if (head.rank, name) not in self.fixed)

    # -- arriving at a head

    def _place(self, head: FlowNode, state: WalkState, least: int | None) -> Place:
        """Return the node of a state whose mass has been taken out of it."""
        state.num = state.den = 1
        if TALLY in state.sources:
            state.sources[TALLY] = (1,), Free(None)
        base = head.rank, self.machine.key_of(head, state)
        if TALLY in state.sources:
            state.sources[TALLY] = (1,), Free(least)
        return Place(head, state, base, least)

    def _carried(self, head: FlowNode, state: WalkState, origin: Place | None) -> Iterator[Step]:
        """Yield the node of a state whose tally is still free after a turn."""
        assert origin is not None
        gain = split_tally(state)
        if gain is None:
            self._never_free(origin)
        place = self._place(head, state, None)
        if place.base in self.bound or (
            gain.minimum < 0 and (gain.is_infinite or place.base in self.thresholds)
        ):
            self._never_free(origin)
        threshold = self.thresholds.get(place.base)
        if threshold is not None and (origin.least is None or origin.least + gain.minimum < threshold):
            # A turn may lead below the threshold, so the origin needs distinct nodes up to there.
            self.thresholds[origin.base] = threshold - min(gain.minimum, 0)
            raise _GraphChanged
        yield self._place(head, place.state, threshold), gain

    def _never_free(self, origin: Place) -> NoReturn:
        self.bound.add(origin.base)
        self._learn(origin, None)
        raise _GraphChanged

    def _begun(self, head: FlowNode, state: WalkState, tried: tuple[str, ...] = ()) -> Iterator[Step]:
        """Yield the nodes of a state without a tally: with a free one, if there can be one."""
        name = self._tally(head, state, tried)
        if name is None:
            chance = Fraction(state.num, state.den)
            yield self._place(head, state, None), point_mass(0).scaled(chance)
            return
        free = state.copied()
        series = _freed(free, name)
        if series is None:
            if any(map(state.is_endless, state.env[name].terms)):
                raise TooBig(Message("solver.endless_tally"))
            self.fixed.add((head.rank, name))
            raise _GraphChanged
        place = self._place(head, free, None)
        low, high, threshold = self._split(place, series)
        for value, chance in low.items():
            known = _with_tally(place.state, value)
            known.num, known.den = chance.numerator, chance.denominator
            yield from self._begun(head, known, (*tried, name))
        if high:
            yield self._place(head, place.state, threshold), high

    def _split(
        self, place: Place, series: GeneratingFunction
    ) -> tuple[GeneratingFunction, GeneratingFunction, int | None]:
        """Return the part of a tally that is told apart by value, the part that is free, and from where."""
        if place.base in self.bound:
            if series.is_infinite:
                raise TooBig(Message("solver.endless_tally"))
            return series, ZERO, None
        threshold = self.thresholds.get(place.base)
        if threshold is None:
            return ZERO, series, None
        return series.below(threshold), series.at_least(threshold), threshold

    def _tally(self, head: FlowNode, state: WalkState, tried: tuple[str, ...]) -> str | None:
        """Return the variable that becomes the free tally: an open one, or one that the loop adds to."""
        names = [name for name in state.env if name not in tried]
        for name in names:
            if isinstance(state.env[name], Number):
                return name
        for name in self._candidates(head):
            if name in names and type(state.env[name]) is int:
                return name
        return None

    # -- solving

    def _exits(self, inflow: dict[int, GeneratingFunction], exits: list[list[Arrival]]) -> list[Arrival]:
        chances = [expected_visits.chances(*edges) for edges in zip(self.edges, self.resets, strict=True)]
        self.machine.draws.spend(sum([len(one) for one in chances]))
        masses = expected_visits.masses(chances, {i: s.mass for i, s in inflow.items()})
        free = [i for i, place in enumerate(self.places) if place.is_free]
        into = {i: inflow.get(i, ZERO) for i in free}
        for mass, reset in zip(masses, self.resets, strict=True):
            for j, series in reset.items():
                if j in into:
                    into[j] = into[j].plus(series.scaled(mass))
        between = {i: {j: s for j, s in self.edges[i].items() if j in into} for i in free}
        flows = expected_visits.flows(free, between, into)
        found: list[Arrival] = []
        for i, out in enumerate(exits):
            for node, state in out:
                after = state.copied()
                if TALLY in after.sources:
                    if flows[i]:
                        self.machine.draws.replace_endless(after, TALLY, flows[i])
                        found.append((node, after))
                elif masses[i]:
                    after.num *= masses[i].numerator
                    after.den *= masses[i].denominator
                    found.append((node, after))
        return found


def _tallies(nodes: Iterable[FlowNode]) -> tuple[str, ...]:
    """Return the variables to which a turn of the loop adds."""
    passed: dict[str, set[str]] = {}  # variable -> what is made of it by adding
    for node in nodes:
        if node.kind == "op" and node.fn in ADDITIVE and node.dst is not None:
            for one in node.args:
                if type(one) is Var:
                    passed.setdefault(str(one), set()).add(node.dst)
    found = []
    for name in sorted(passed):
        reached, todo = set(), [name]
        while todo:
            for other in passed.get(todo.pop(), ()):
                if other not in reached:
                    reached.add(other)
                    todo.append(other)
        if name in reached:
            found.append(name)
    return tuple(found)


def _freed(state: WalkState, name: str) -> GeneratingFunction | None:
    """Make a variable a free tally; return its distribution, None if it is no whole number."""
    value = state.env[name]
    state.sources[TALLY] = (1,), Free(None)
    if not isinstance(value, Number):
        state.env[name] = Number(0, {TALLY: (1,)})
        return GeneratingFunction(value, [state.num], state.den)
    first, endless = value, [source for source in value.terms if state.is_endless(source)]
    if len(endless) == 1 and len(value.terms) == 1:
        # Other numbers may depend on the same endless number.
        ((source, column),) = value.terms.items()
        if column != (1,) or type(value.const) is not int:
            return None
        series: GeneratingFunction = (
            state.sources.pop(source)[1].scaled(Fraction(state.num, state.den)).shifted(value.const)
        )

        def change(one: Any) -> Value:
            if not isinstance(one, Number) or source not in one.terms:
                return one
            (own,) = one.terms[source]
            terms = {other: column for other, column in one.terms.items() if other != source}
            return one.with_terms(one.const - own * first.const, {**terms, TALLY: (own,)})

        state.change(change)
        return series
    state.env[name] = Number(value.const, {TALLY: (1,), **value.terms})
    return split_tally(state)


def _with_tally(state: WalkState, total: int) -> WalkState:
    """Return a state with a known tally."""
    known = state.copied()
    del known.sources[TALLY]

    def change(one: Any) -> Value:
        if not isinstance(one, Number) or TALLY not in one.terms:
            return one
        (slope,) = one.terms[TALLY]
        return one.with_terms(one.const + slope * total, {s: c for s, c in one.terms.items() if s != TALLY})

    for name, value in known.env.items():
        known.env[name] = rewritten(value, change)
    return known
