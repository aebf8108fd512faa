"""How often each node of a loop is visited: linear equations, solved by elimination.

Over fractions where only chances matter, over series where a tally grows from turn to turn.
"""

from __future__ import annotations

from fractions import Fraction

from handful.errors import TooBig
from handful.solver.generating_function import ZERO, GeneratingFunction, point_mass


def chances(*ways: dict[int, GeneratingFunction]) -> dict[int, Fraction]:
    """The chance to go from a node to each of those that follow."""
    chances: dict[int, Fraction] = {}
    for edges in ways:
        for j, series in edges.items():
            chances[j] = chances.get(j, Fraction(0)) + series.mass
    return chances


def masses(chance: list[dict[int, Fraction]], inflow: dict[int, Fraction]) -> list[Fraction]:
    """Expected visits of each node: v = inflow + v * edges, by elimination."""
    into = [inflow.get(i, Fraction(0)) for i in range(len(chance))]
    sources: list[set[int]] = [set() for _ in chance]
    for i, out in enumerate(chance):
        for j in out:
            sources[j].add(i)
    later: list[tuple[int, dict[int, Fraction], Fraction]] = []
    for k in reversed(range(len(chance))):
        stay = 1 - chance[k].pop(k, Fraction(0))
        if not stay:
            raise TooBig("a loop of this rule never ends")
        from_ = {i: chance[i].pop(k) for i in sources[k] if i < k and k in chance[i]}
        later.append((k, from_, stay))
        for j, onward in chance[k].items():
            if j >= k:
                continue
            into[j] += into[k] * onward / stay
            for i, share in from_.items():
                chance[i][j] = chance[i].get(j, Fraction(0)) + share * onward / stay
                sources[j].add(i)
    visits = [Fraction(0)] * len(chance)
    for k, from_, stay in reversed(later):
        visits[k] = (into[k] + sum((visits[i] * s for i, s in from_.items()), Fraction(0))) / stay
    return visits


def flows(
    nodes: list[int], turns: dict[int, dict[int, GeneratingFunction]], into: dict[int, GeneratingFunction]
) -> dict[int, GeneratingFunction]:
    """The same over series: a turn back to the same node is a geometric series."""
    later = []
    left = set(nodes)
    for k in reversed(nodes):
        left.discard(k)
        again = turns[k].pop(k, None)
        star = again.geometric() if again else point_mass(0)
        from_ = {i: turns[i].pop(k) for i in left if k in turns[i]}
        later.append((k, from_, star))
        for j, onward in turns[k].items():
            if j not in left:
                continue
            step = star.convolve(onward)
            into[j] = into[j].plus(into[k].convolve(step))
            for i, share in from_.items():
                turns[i][j] = turns[i].get(j, ZERO).plus(share.convolve(step))
    found: dict[int, GeneratingFunction] = {}
    for k, from_, star in reversed(later):
        total = into[k]
        for i, share in from_.items():
            total = total.plus(found[i].convolve(share))
        found[k] = total.convolve(star)
    return found
