"""Expected visits of the transient states of an absorbing Markov chain, by Gaussian elimination.

Solves v = inflow + v * edges exactly: over fractions where only probabilities matter, over generating
functions where an accumulator grows with each iteration.
"""

from __future__ import annotations

from fractions import Fraction

from handful.errors import Message, TooBig
from handful.solver.generating_function import ZERO, GeneratingFunction, point_mass


def chances(*edge_maps: dict[int, GeneratingFunction]) -> dict[int, Fraction]:
    """Return the transition probabilities from one node to its successors."""
    chances: dict[int, Fraction] = {}
    for edges in edge_maps:
        for j, series in edges.items():
            chances[j] = chances.get(j, Fraction(0)) + series.mass
    return chances


def masses(chance: list[dict[int, Fraction]], inflow: dict[int, Fraction]) -> list[Fraction]:
    """Return the expected visits of each node: v = inflow + v * edges, by elimination."""
    into = [inflow.get(i, Fraction(0)) for i in range(len(chance))]
    sources: list[set[int]] = [set() for _ in chance]
    for i, out in enumerate(chance):
        for j in out:
            sources[j].add(i)
    eliminated: list[tuple[int, dict[int, Fraction], Fraction]] = []
    for k in reversed(range(len(chance))):
        stay = 1 - chance[k].pop(k, Fraction(0))
        if not stay:
            raise TooBig(Message("solver.endless_loop"))
        incoming = {i: chance[i].pop(k) for i in sources[k] if i < k and k in chance[i]}
        eliminated.append((k, incoming, stay))
        for j, onward in chance[k].items():
            if j >= k:
                continue
            into[j] += into[k] * onward / stay
            for i, edge in incoming.items():
                chance[i][j] = chance[i].get(j, Fraction(0)) + edge * onward / stay
                sources[j].add(i)
    visits = [Fraction(0)] * len(chance)
    for k, incoming, stay in reversed(eliminated):
        visits[k] = (into[k] + sum((visits[i] * s for i, s in incoming.items()), Fraction(0))) / stay
    return visits


def flows(
    nodes: list[int], turns: dict[int, dict[int, GeneratingFunction]], into: dict[int, GeneratingFunction]
) -> dict[int, GeneratingFunction]:
    """Return the visits by accumulator value: like `masses`, but over generating functions.

    An edge from a node to itself becomes a geometric series.
    """
    eliminated = []
    remaining = set(nodes)
    for k in reversed(nodes):
        remaining.discard(k)
        self_loop = turns[k].pop(k, None)
        geometric = self_loop.geometric() if self_loop else point_mass(0)
        incoming = {i: turns[i].pop(k) for i in remaining if k in turns[i]}
        eliminated.append((k, incoming, geometric))
        for j, onward in turns[k].items():
            if j not in remaining:
                continue
            step = geometric.convolve(onward)
            into[j] = into[j].plus(into[k].convolve(step))
            for i, edge in incoming.items():
                turns[i][j] = turns[i].get(j, ZERO).plus(edge.convolve(step))
    found: dict[int, GeneratingFunction] = {}
    for k, incoming, geometric in reversed(eliminated):
        total = into[k]
        for i, edge in incoming.items():
            total = total.plus(found[i].convolve(edge))
        found[k] = total.convolve(geometric)
    return found
