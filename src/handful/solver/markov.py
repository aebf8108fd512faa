"""Loops without end, exactly.

The states in which a rule reaches the head of a `while` are the nodes of a finite graph, if the
tally that grows from turn to turn is taken out: a *free* axis stands for it, and what a turn adds
is a series on the edge.  How often each node is visited is then the solution of linear equations,
over fractions for chances and over rational functions for tallies; no turn is ever cut off.

A question about the tally inside the loop (`while total < 20`) means that turns differ: below the
threshold the tally is kept as a known number, from the threshold on it is free.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from handful.errors import TooBig
from handful.rules.program import LoopExit, LoopHead
from handful.solver import expected_visits
from handful.solver.generating_function import ZERO, GeneratingFunction, point_mass
from handful.solver.linear import Linear, random_variable
from handful.solver.states import DONE, Frontier, State
from handful.solver.weights import Weight, add_weight, linears_in, substitute

if TYPE_CHECKING:
    from handful.solver.execution import SymbolicExecution

MOST_NODES = 3000
MOST_TRIES = 200


class AccumulatorObserved(Exception):
    """The tally was asked about; `at` is the threshold if it was a plain comparison."""

    def __init__(self, at: int | None, alone: bool) -> None:
        super().__init__()
        self.at, self.alone = at, alone


class Node(NamedTuple):
    """A state at the head of a loop; `least` is the lower limit of its free tally."""

    state: State
    least: int | None


class _Redo(Exception):
    """Something was learned about a loop that changes its graph."""


def solve(run: SymbolicExecution, start: Frontier) -> tuple[Frontier, Frontier]:
    """What comes of a rule that repeats itself: what is done, and what is behind its loop."""
    graph = _Graph(run)
    for _ in range(MOST_TRIES):
        try:
            return graph.solve(start)
        except _Redo:
            continue
    raise TooBig("this loop cannot be solved exactly")


class _Graph:
    def __init__(self, run: SymbolicExecution) -> None:
        self.run = run
        self.cuts: dict[State, int] = {}  # from here on the tally of a state is free
        self.bound: set[State] = set()  # states whose tally cannot be free
        self.fixed: set[tuple[int, str]] = set()  # (head, variable) that cannot be a tally

    def solve(self, start: Frontier) -> tuple[Frontier, Frontier]:
        self.nodes: dict[Node, int] = {}
        self.order: list[Node] = []
        self.edges: list[dict[int, GeneratingFunction]] = []
        self.resets: list[dict[int, GeneratingFunction]] = []  # edges on which the tally begins anew
        self.exits: list[Frontier] = []
        done, arrived = self.run.push(start)
        _, inflow = self._arrivals(arrived)
        while len(self.edges) < len(self.order):
            self._explore(self.order[len(self.edges)])
        chances = [expected_visits.chances(*ways) for ways in zip(self.edges, self.resets, strict=True)]
        masses = expected_visits.masses(chances, {i: s.mass for i, s in inflow.items()})
        flows = self._flows(inflow, masses)
        left: Frontier = {}
        for i, exits in enumerate(self.exits):
            self._leave(exits, masses[i], flows.get(i), done, left)
        return done, left

    # -- exploring

    def _explore(self, node: Node) -> None:
        if len(self.order) > MOST_NODES:
            raise TooBig("this loop has too many different turns to be solved")
        self.run.solver.spend(10)
        self.run.least = node.least
        accumulator = node.state.accumulator
        series = (point_mass(0),) if accumulator is not None else ()
        first: Frontier = {}
        try:
            self.run.enter(node.state, Weight(Fraction(1), series, accumulator), first)
            exits, arrived = self.run.push(first, (LoopHead, LoopExit))
        except AccumulatorObserved as question:
            self._learn(node, question)
            raise _Redo from None
        finally:
            self.run.least = None
        for state in [state for state in arrived if self._behind(state)]:
            exits[state] = arrived.pop(state)
        self.exits.append(exits)
        onward, anew = self._arrivals(arrived, node)
        self.edges.append(onward)
        self.resets.append(anew)

    def _behind(self, state: State) -> bool:
        return isinstance(self.run.plan.code[state.pc], LoopExit)

    def _learn(self, node: Node, question: AccumulatorObserved) -> None:
        """The tally of this node was asked about."""
        state = node.state
        lifted = next((pair for pair in self._lifted(state)), None)
        if question.at is None or not question.alone:
            self.bound.add(state)
            if lifted:
                self.fixed.add(lifted)
            return
        threshold = question.at
        if node.least is not None and threshold <= node.least:
            self.bound.add(state)
            return
        self.cuts[state] = threshold

    def _lifted(self, state: State) -> Iterator[tuple[int, str]]:
        names = self.run.plan.live_after[state.pc]
        for name, value in zip(names, state.values, strict=True):
            if any(True for _ in linears_in(value)):
                yield state.pc, name

    # -- arriving at a head

    def _arrivals(
        self, arrived: Frontier, source: Node | None = None
    ) -> tuple[dict[int, GeneratingFunction], dict[int, GeneratingFunction]]:
        """Edges to the nodes where these states belong: with the tally going on, and anew."""
        onward: dict[int, GeneratingFunction] = {}
        anew: dict[int, GeneratingFunction] = {}
        for state, entries in arrived.items():
            for weight in entries:
                edges = anew if weight.accumulator is None else onward
                for node, series in self._placed(state, weight, source):
                    at = self.nodes.setdefault(node, len(self.order))
                    if at == len(self.order):
                        self.order.append(node)
                    edges[at] = edges.get(at, ZERO).plus(series)
        return onward, anew

    def _placed(
        self, state: State, weight: Weight, source: Node | None
    ) -> Iterator[tuple[Node, GeneratingFunction]]:
        if len(weight.series) > 1 or (weight.series and self._passive(state, weight)):
            for single in _spelt(state, weight):
                yield from self._placed(*single, source)
        elif weight.series:
            canonical, series = _canonical(state, weight)
            if weight.accumulator is not None:
                yield from self._still_free(canonical, series, source)
            elif canonical in self.bound:
                yield from self._known(canonical, series)
            else:
                yield from self._divided(canonical, series)
        else:
            yield from self._lift(
                state, GeneratingFunction(0, [weight.factor.numerator], weight.factor.denominator)
            )

    def _passive(self, state: State, weight: Weight) -> bool:
        """Whether the one open number of a state is none that the loop changes.

        Then it is better known, to make room for one that does: the tally.
        """
        if weight.accumulator is not None or weight.series[0].is_infinite:
            return False
        changed = self.run.plan.loops.get(state.pc, frozenset())
        return not any(
            name in changed and type(value) is Linear
            for name, value in zip(self.run.plan.live_after[state.pc], state.values, strict=True)
        )

    def _still_free(
        self, state: State, contribution: GeneratingFunction, source: Node | None
    ) -> Iterator[tuple[Node, GeneratingFunction]]:
        assert source is not None
        cut = self.cuts.get(state)
        least = None if source.least is None else source.least + contribution.minimum
        if state in self.bound:
            self.bound.add(source.state)
            raise _Redo
        if cut is not None and (least is None or least < cut):
            # a turn may lead below the threshold: the source has to be told apart up to there
            if self.cuts.get(source.state) == max(cut, cut - contribution.minimum):
                raise TooBig("a tally that can fall again cannot be solved exactly")
            self.cuts[source.state] = max(cut, cut - contribution.minimum)
            raise _Redo
        yield Node(state, cut), contribution

    def _divided(self, state: State, series: GeneratingFunction) -> Iterator[tuple[Node, GeneratingFunction]]:
        cut = self.cuts.get(state)
        if cut is None:
            yield Node(state, None), series
            return
        yield from self._known(state, series.below(cut))
        if upper := series.at_least(cut):
            yield Node(state, cut), upper

    def _known(self, state: State, series: GeneratingFunction) -> Iterator[tuple[Node, GeneratingFunction]]:
        """The tally as a known number, one node for each value."""
        if series.is_infinite:
            raise TooBig("a tally without end is asked about again and again")
        for value, chance in series.items():
            yield Node(_with_tally(state, value), None), point_mass(0).scaled(chance)

    def _lift(self, state: State, chance: GeneratingFunction) -> Iterator[tuple[Node, GeneratingFunction]]:
        """A known number that the loop changes may be the tally: try to free it."""
        names = self.run.plan.live_after[state.pc]
        changed = self.run.plan.loops.get(state.pc, frozenset())
        for place, name in enumerate(names):
            value = state.values[place]
            if name in changed and type(value) is int and (state.pc, name) not in self.fixed:
                values = list(state.values)
                values[place] = random_variable(self.run.solver.context, 0)
                freed = state._replace(values=tuple(values), accumulator=0)
                cut = self.cuts.get(freed)
                if freed not in self.bound and (cut is None or value >= cut):
                    yield Node(freed, cut), chance.shifted(value)
                    return
        yield Node(state, None), chance

    # -- solving

    def _flows(
        self, inflow: dict[int, GeneratingFunction], masses: list[Fraction]
    ) -> dict[int, GeneratingFunction]:
        """How often each node with a free tally is visited, by tally."""
        accumulator = [i for i, node in enumerate(self.order) if node.state.accumulator is not None]
        into = {i: inflow.get(i, ZERO) for i in accumulator}
        for mass, anew in zip(masses, self.resets, strict=True):
            for j, series in anew.items():
                if j in into:
                    into[j] = into[j].plus(series.scaled(mass))
        turns = {i: {j: s for j, s in self.edges[i].items() if j in into} for i in accumulator}
        return expected_visits.flows(accumulator, turns, into)

    def _leave(
        self,
        exits: Frontier,
        mass: Fraction,
        flow: GeneratingFunction | None,
        done: Frontier,
        left: Frontier,
    ) -> None:
        for state, entries in exits.items():
            into = done if state.pc == DONE else left
            kept = into.setdefault(state._replace(accumulator=None), [])
            for weight in entries:
                if weight.accumulator is None or flow is None:
                    add_weight(kept, weight._replace(factor=weight.factor * mass))
                else:
                    series = list(weight.series)
                    series[weight.accumulator] = series[weight.accumulator].convolve(flow)
                    add_weight(kept, Weight(weight.factor, tuple(series)))


def _spelt(state: State, weight: Weight) -> Iterator[tuple[State, Weight]]:
    """The state with its shortest axis taken value by value."""
    sizes = [
        (float("inf") if s.is_infinite or i == weight.accumulator else len(s.numerator), i)
        for i, s in enumerate(weight.series)
    ]
    size, variable = min(sizes)
    if size == float("inf"):
        raise TooBig("a loop with two endless tallies cannot be solved exactly")

    for value, chance in weight.series[variable].items():

        def known(one: Linear, value: int = value) -> object:
            const = one.const + dict(one.slopes).get(variable, 0) * value
            slopes = tuple((a - (a > variable), s) for a, s in one.slopes if a != variable)
            return one.with_terms(dict(slopes), const)

        rest = weight.series[:variable] + weight.series[variable + 1 :]
        accumulator = (
            None if weight.accumulator is None else weight.accumulator - (weight.accumulator > variable)
        )
        values = tuple(substitute(v, known) for v in state.values)
        yield (
            state._replace(values=values, accumulator=accumulator),
            Weight(weight.factor * chance, rest, accumulator),
        )


def _canonical(state: State, weight: Weight) -> tuple[State, GeneratingFunction]:
    """The state with its tally written as the axis itself, and the shift in the series."""
    first = next(one for value in state.values for one in linears_in(value))
    ((_, slope),) = first.slopes
    shift = Fraction(first.const) / slope
    if shift.denominator != 1:
        shift = Fraction(0)

    def moved(one: Linear) -> object:
        ((variable, own),) = one.slopes
        return Linear(one.context, ((variable, own),), one.const - own * int(shift))

    values = tuple(substitute(value, moved) for value in state.values)
    series = weight.series[0].scaled(weight.factor).shifted(int(shift))
    return state._replace(values=values, accumulator=0), series


def _with_tally(state: State, tally: int) -> State:
    def known(one: Linear) -> object:
        ((_, slope),) = one.slopes
        return one.const + slope * tally

    values = tuple(substitute(value, known) for value in state.values)
    return state._replace(values=values, accumulator=None)
