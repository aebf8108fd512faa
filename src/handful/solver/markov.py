"""Solves unbounded loops exactly, as absorbing Markov chains.

The states in which a rule reaches the head of a `while` are the nodes of a finite graph, once the
accumulator that grows with each iteration is factored out: a free random variable stands for it, and what
an iteration adds is a generating function on the edge.  Expected visits of the nodes are the solution of
linear equations (`expected_visits`), over fractions for probabilities and over rational functions for
accumulators.  Invariant: the result is exact; no iteration is ever truncated.

A comparison of the accumulator inside the loop (`while total < 20`) means that iterations differ: below the
threshold the accumulator is part of the state, from the threshold on it is free.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from handful.errors import Message, TooBig
from handful.rules.program import LoopExit, LoopHead
from handful.solver import expected_visits
from handful.solver.generating_function import ZERO, GeneratingFunction, point_mass
from handful.solver.linear import Linear, random_variable
from handful.solver.states import DONE, Frontier, State
from handful.solver.weights import Weight, add_weight, linears_in, substitute

if TYPE_CHECKING:
    from handful.solver.execution import SymbolicExecution

MAX_NODES = 3000
MAX_ATTEMPTS = 200


class AccumulatorObserved(Exception):
    """The loop reads its accumulator; `at` is the threshold if it compares it with a constant."""

    def __init__(self, at: int | None, alone: bool) -> None:
        super().__init__()
        self.at, self.alone = at, alone


class LoopNode(NamedTuple):
    """A state at the head of a loop; `least` is the lower bound of its free accumulator."""

    state: State
    least: int | None


class _GraphChanged(Exception):
    """A threshold was found that changes the graph: build it again."""


def solve(run: SymbolicExecution, start: Frontier) -> tuple[Frontier, Frontier]:
    """Solve one loop; return the finished states, and the states to continue from after the loop."""
    graph = _Graph(run)
    for _ in range(MAX_ATTEMPTS):
        try:
            return graph.solve(start)
        except _GraphChanged:
            continue
    raise TooBig(Message("solver.loop_not_exact"))


class _Graph:
    """Graph of one loop's states; what is learned about accumulators is kept when it is built again."""

    def __init__(self, run: SymbolicExecution) -> None:
        self.run = run
        self.thresholds: dict[State, int] = {}  # from here on the accumulator of a state is free
        self.bound: set[State] = set()  # states whose accumulator cannot be free
        self.fixed: set[tuple[int, str]] = set()  # (head, variable) that cannot be an accumulator

    def solve(self, start: Frontier) -> tuple[Frontier, Frontier]:
        self.nodes: dict[LoopNode, int] = {}
        self.order: list[LoopNode] = []
        self.edges: list[dict[int, GeneratingFunction]] = []
        self.resets: list[dict[int, GeneratingFunction]] = []  # edges on which the accumulator is reset
        self.exits: list[Frontier] = []
        done, arrived = self.run.advance(start)
        _, inflow = self._arrivals(arrived)
        while len(self.edges) < len(self.order):
            self._explore(self.order[len(self.edges)])
        chances = [expected_visits.chances(*edges) for edges in zip(self.edges, self.resets, strict=True)]
        masses = expected_visits.masses(chances, {i: s.mass for i, s in inflow.items()})
        flows = self._flows(inflow, masses)
        left: Frontier = {}
        for i, exits in enumerate(self.exits):
            self._add_exits(exits, masses[i], flows.get(i), done, left)
        return done, left

    # -- exploring

    def _explore(self, node: LoopNode) -> None:
        if len(self.order) > MAX_NODES:
            raise TooBig(Message("solver.too_many_turns"))
        self.run.solver.spend(10)
        self.run.least = node.least
        accumulator = node.state.accumulator
        series = (point_mass(0),) if accumulator is not None else ()
        first: Frontier = {}
        try:
            self.run.enter(node.state, Weight(Fraction(1), series, accumulator), first)
            exits, arrived = self.run.advance(first, (LoopHead, LoopExit))
        except AccumulatorObserved as question:
            self._learn_threshold(node, question)
            raise _GraphChanged from None
        finally:
            self.run.least = None
        for state in [state for state in arrived if self._is_after_loop(state)]:
            exits[state] = arrived.pop(state)
        self.exits.append(exits)
        onward, reset = self._arrivals(arrived, node)
        self.edges.append(onward)
        self.resets.append(reset)

    def _is_after_loop(self, state: State) -> bool:
        return isinstance(self.run.plan.code[state.pc], LoopExit)

    def _learn_threshold(self, node: LoopNode, question: AccumulatorObserved) -> None:
        """Record that the loop reads the accumulator of a node: at a threshold, or in general."""
        state = node.state
        variable_name = next((pair for pair in self._accumulator_variables(state)), None)
        if question.at is None or not question.alone:
            self.bound.add(state)
            if variable_name:
                self.fixed.add(variable_name)
            return
        threshold = question.at
        if node.least is not None and threshold <= node.least:
            self.bound.add(state)
            return
        self.thresholds[state] = threshold

    def _accumulator_variables(self, state: State) -> Iterator[tuple[int, str]]:
        names = self.run.plan.live_after[state.pc]
        for name, value in zip(names, state.values, strict=True):
            if any(True for _ in linears_in(value)):
                yield state.pc, name

    # -- arriving at a head

    def _arrivals(
        self, arrived: Frontier, source: LoopNode | None = None
    ) -> tuple[dict[int, GeneratingFunction], dict[int, GeneratingFunction]]:
        """Return the edges to the nodes of these states: with the accumulator carried on, and reset."""
        onward: dict[int, GeneratingFunction] = {}
        reset: dict[int, GeneratingFunction] = {}
        for state, entries in arrived.items():
            for weight in entries:
                edges = reset if weight.accumulator is None else onward
                for node, series in self._nodes_of(state, weight, source):
                    at = self.nodes.setdefault(node, len(self.order))
                    if at == len(self.order):
                        self.order.append(node)
                    edges[at] = edges.get(at, ZERO).plus(series)
        return onward, reset

    def _nodes_of(
        self, state: State, weight: Weight, source: LoopNode | None
    ) -> Iterator[tuple[LoopNode, GeneratingFunction]]:
        """Yield the nodes that a state belongs to, each with the series of the edge that leads there."""
        if len(weight.series) > 1 or (weight.series and self._is_loop_invariant(state, weight)):
            for single in _enumerate_shortest(state, weight):
                yield from self._nodes_of(*single, source)
        elif weight.series:
            canonical, series = _canonical(state, weight)
            if weight.accumulator is not None:
                yield from self._carry_accumulator(canonical, series, source)
            elif canonical in self.bound:
                yield from self._with_constant(canonical, series)
            else:
                yield from self._split_at_threshold(canonical, series)
        else:
            yield from self._free_constant(
                state, GeneratingFunction(0, [weight.factor.numerator], weight.factor.denominator)
            )

    def _is_loop_invariant(self, state: State, weight: Weight) -> bool:
        """Return True if the loop never changes the state's one random number.

        It is then enumerated, which frees the one random variable of a node for the accumulator.
        """
        if weight.accumulator is not None or weight.series[0].is_infinite:
            return False
        changed = self.run.plan.loops.get(state.pc, frozenset())
        return not any(
            name in changed and type(value) is Linear
            for name, value in zip(self.run.plan.live_after[state.pc], state.values, strict=True)
        )

    def _carry_accumulator(
        self, state: State, contribution: GeneratingFunction, source: LoopNode | None
    ) -> Iterator[tuple[LoopNode, GeneratingFunction]]:
        """Yield the node of a state whose accumulator is still free after one iteration."""
        assert source is not None
        threshold = self.thresholds.get(state)
        least = None if source.least is None else source.least + contribution.minimum
        if state in self.bound:
            self.bound.add(source.state)
            raise _GraphChanged
        if threshold is not None and (least is None or least < threshold):
            # An iteration may lead below the threshold, so the source needs distinct states up to there.
            if self.thresholds.get(source.state) == max(threshold, threshold - contribution.minimum):
                raise TooBig(Message("solver.falling_tally"))
            self.thresholds[source.state] = max(threshold, threshold - contribution.minimum)
            raise _GraphChanged
        yield LoopNode(state, threshold), contribution

    def _split_at_threshold(
        self, state: State, series: GeneratingFunction
    ) -> Iterator[tuple[LoopNode, GeneratingFunction]]:
        """Yield constant accumulators below the state's threshold, and a free one from there on."""
        threshold = self.thresholds.get(state)
        if threshold is None:
            yield LoopNode(state, None), series
            return
        yield from self._with_constant(state, series.below(threshold))
        if upper := series.at_least(threshold):
            yield LoopNode(state, threshold), upper

    def _with_constant(
        self, state: State, series: GeneratingFunction
    ) -> Iterator[tuple[LoopNode, GeneratingFunction]]:
        """Make the accumulator part of the state: one node per value."""
        if series.is_infinite:
            raise TooBig(Message("solver.endless_tally"))
        for value, chance in series.items():
            yield LoopNode(_with_accumulator(state, value), None), point_mass(0).scaled(chance)

    def _free_constant(
        self, state: State, chance: GeneratingFunction
    ) -> Iterator[tuple[LoopNode, GeneratingFunction]]:
        """Turn a constant that the loop changes into a free accumulator, if one can be."""
        names = self.run.plan.live_after[state.pc]
        changed = self.run.plan.loops.get(state.pc, frozenset())
        for place, name in enumerate(names):
            value = state.values[place]
            if name in changed and type(value) is int and (state.pc, name) not in self.fixed:
                values = list(state.values)
                values[place] = random_variable(self.run.solver.context, 0)
                lifted = state._replace(values=tuple(values), accumulator=0)
                threshold = self.thresholds.get(lifted)
                if lifted not in self.bound and (threshold is None or value >= threshold):
                    yield LoopNode(lifted, threshold), chance.shifted(value)
                    return
        yield LoopNode(state, None), chance

    # -- solving

    def _flows(
        self, inflow: dict[int, GeneratingFunction], masses: list[Fraction]
    ) -> dict[int, GeneratingFunction]:
        """Return the expected visits of each node with a free accumulator, by accumulator value."""
        accumulator = [i for i, node in enumerate(self.order) if node.state.accumulator is not None]
        into = {i: inflow.get(i, ZERO) for i in accumulator}
        for mass, reset in zip(masses, self.resets, strict=True):
            for j, series in reset.items():
                if j in into:
                    into[j] = into[j].plus(series.scaled(mass))
        edges_between = {i: {j: s for j, s in self.edges[i].items() if j in into} for i in accumulator}
        return expected_visits.flows(accumulator, edges_between, into)

    def _add_exits(
        self,
        exits: Frontier,
        mass: Fraction,
        flow: GeneratingFunction | None,
        done: Frontier,
        left: Frontier,
    ) -> None:
        for state, entries in exits.items():
            into = done if state.pc == DONE else left
            weights = into.setdefault(state._replace(accumulator=None), [])
            for weight in entries:
                if weight.accumulator is None or flow is None:
                    add_weight(weights, weight._replace(factor=weight.factor * mass))
                else:
                    series = list(weight.series)
                    series[weight.accumulator] = series[weight.accumulator].convolve(flow)
                    add_weight(weights, Weight(weight.factor, tuple(series)))


def _enumerate_shortest(state: State, weight: Weight) -> Iterator[tuple[State, Weight]]:
    """Enumerate the values of a state's random variable with the shortest distribution."""
    sizes = [
        (float("inf") if s.is_infinite or i == weight.accumulator else len(s.numerator), i)
        for i, s in enumerate(weight.series)
    ]
    size, variable = min(sizes)
    if size == float("inf"):
        raise TooBig(Message("solver.two_endless_tallies"))

    for value, chance in weight.series[variable].items():

        def substitute_value(one: Linear, value: int = value) -> object:
            const = one.const + dict(one.slopes).get(variable, 0) * value
            slopes = tuple((a - (a > variable), s) for a, s in one.slopes if a != variable)
            return one.with_terms(dict(slopes), const)

        rest = weight.series[:variable] + weight.series[variable + 1 :]
        accumulator = (
            None if weight.accumulator is None else weight.accumulator - (weight.accumulator > variable)
        )
        values = tuple(substitute(v, substitute_value) for v in state.values)
        yield (
            state._replace(values=values, accumulator=accumulator),
            Weight(weight.factor * chance, rest, accumulator),
        )


def _canonical(state: State, weight: Weight) -> tuple[State, GeneratingFunction]:
    """Rewrite a state so that its accumulator is the variable itself; the offset moves into the series."""
    first = next(one for value in state.values for one in linears_in(value))
    ((_, slope),) = first.slopes
    shift = Fraction(first.const) / slope
    if shift.denominator != 1:
        shift = Fraction(0)

    def shift_variable(one: Linear) -> object:
        ((variable, own),) = one.slopes
        return Linear(one.context, ((variable, own),), one.const - own * int(shift))

    values = tuple(substitute(value, shift_variable) for value in state.values)
    series = weight.series[0].scaled(weight.factor).shifted(int(shift))
    return state._replace(values=values, accumulator=0), series


def _with_accumulator(state: State, total: int) -> State:
    def substitute_value(one: Linear) -> object:
        ((_, slope),) = one.slopes
        return one.const + slope * total

    values = tuple(substitute(value, substitute_value) for value in state.values)
    return state._replace(values=values, accumulator=None)
