"""Comparisons of independent numbers, without the table of all their pairs.

The largest of independent numbers follows from products of cumulative sums.  A number that is compared
with others that are needed no longer is weighted with their cumulative sums.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import accumulate
from math import prod
from typing import Any

from handful.rules.operators import Value
from handful.solver.walk.contests import fork_by_sign
from handful.solver.walk.graph import FlowNode
from handful.solver.walk.questions import Forked, Passed, narrow, operands_and_after
from handful.solver.walk.sources import PAIRS, SourceDraws, WalkState
from handful.solver.walk.tables import joint
from handful.solver.walk.values import Number, OpenDice, number_of, opened, sources_of

SMALL = 400  # pairs of values, for which a table is as quick
LARGE = 2000  # pairs of values, for which no table is made


def _needed(state: WalkState, live: Iterable[str]) -> set[int]:
    """Return the sources that live values depend on."""
    found: set[int] = set()
    for name in (*live, PAIRS):
        for one in opened(state.env.get(name)):
            found.update(sources_of(one))
    return found


def _held(state: WalkState, live: Iterable[str]) -> set[int]:
    pools = [one for name in live for one in opened(state.env.get(name)) if isinstance(one, OpenDice)]
    return {source for one in pools for source in one.parts}


def _values(state: WalkState, number: Number, sources: Iterable[int]) -> int:
    """Return how many values a number can have at most, as far as it depends on some sources."""
    low, high = state.bounds(Number(0, {source: number.terms[source] for source in sources}))
    return int(high - low) + 1


def fork_by_comparison(
    draws: SourceDraws, state: WalkState, node: FlowNode, difference: Value, symbol: str
) -> None:
    """Answer a comparison in two states, if only a part of what is compared is needed afterwards."""
    if not isinstance(difference, Number) or len(difference.terms) < 2:
        return
    needed = _needed(state, node.after)
    kept = [source for source in difference.terms if source in needed]
    gone = [source for source in difference.terms if source not in needed]
    if not kept or not _held(state, operands_and_after(node)).isdisjoint(kept):
        return
    if not gone:
        sizes = [_values(state, difference, (source,)) for source in kept]
        if prod(sizes) > LARGE:  # the answer is remembered until only a part of this is needed
            narrow(state, operands_and_after(node))
            raise Forked(fork_by_sign(draws, state, difference, symbol))
        return
    if _values(state, difference, kept) * _values(state, difference, gone) < SMALL:
        return
    narrow(state, node.after)
    table = joint(state.sources, gone, [difference], draws.spend)
    other = _Sums((x, weight) for (x,), weight in table.items())
    for source in gone:
        del state.sources[source]
    part: Value = Number(difference.const, {source: difference.terms[source] for source in kept})
    if len(kept) > 1 or state.sources[kept[0]][1] > 1:
        (part,) = draws.folded(state, [part], node.after)
    ((source, column),) = part.terms.items()
    weights, _ = state.sources[source]
    chances = {x: other.where(symbol, x + part.const) for x in set(column)}
    draws.spend(1 + len(chances) // 4)
    yes = [weight * chances[x] for x, weight in zip(column, weights, strict=True)]
    total = other.sums[-1]
    signs = yes, [weight * total - own for weight, own in zip(weights, yes, strict=True)]
    found = []
    for answer, new in zip((True, False), signs, strict=True):
        if any(new):
            one = state.copied()
            draws.reweigh(one, source, new)
            one.env[node.dst or ""] = answer
            found.append(one)
    raise Passed(found)


class _Sums:
    """Cumulative sums of a distribution."""

    def __init__(self, rows: Iterable[tuple[Any, int]]) -> None:
        ordered = sorted(rows)
        self.values = [value for value, _ in ordered]
        self.sums = [0, *accumulate([weight for _, weight in ordered])]

    def below(self, value: Any) -> int:
        return self.sums[bisect_left(self.values, value)]

    def upto(self, value: Any) -> int:
        return self.sums[bisect_right(self.values, value)]

    def where(self, symbol: str, x: Any) -> int:
        """Return the weight of the values y for which "x + y … 0" holds."""
        below, upto, total = self.below(-x), self.upto(-x), self.sums[-1]
        return {
            "<": below,
            "<=": upto,
            ">": total - upto,
            ">=": total - below,
            "==": upto - below,
            "!=": total - upto + below,
        }[symbol]


def extreme(
    draws: SourceDraws, state: WalkState, live: tuple[str, ...], values: list[Value], *, largest: bool
) -> Value | None:
    """Return the largest or smallest of independent numbers; None if they are not, or are needed later."""
    numbers = [value for value in values if isinstance(value, Number)]
    sources = [source for one in numbers for source in one.terms]
    if len(set(sources)) < len(sources) or any(map(state.is_endless, sources)):
        return None
    if not _needed(state, live).isdisjoint(sources):
        return None
    size = 1
    for one in numbers:
        size *= _values(state, one, one.terms)
    if size < SMALL:
        return None
    tables = [_distribution(draws, state, one) for one in numbers]
    tables += [[(value, 1)] for value in values if not isinstance(value, Number)]
    order = sorted({x for table in tables for x, _ in table}, reverse=not largest)
    draws.spend(1 + len(order) * len(tables) // 4)
    within = [1] * len(order)  # weight of the throws in which all numbers are within a value
    for table in tables:
        sums = _Sums(table)
        for place, x in enumerate(order):
            within[place] *= sums.upto(x) if largest else sums.sums[-1] - sums.below(x)
    rows = [(x, now - before) for x, now, before in zip(order, within, [0, *within], strict=False)]
    rows = [(x, weight) for x, weight in rows if weight]
    for source in sources:
        del state.sources[source]
    new = draws.new_source(state, [weight for _, weight in rows], 1)
    return number_of(0, {new: tuple([x for x, _ in rows])})


def _distribution(draws: SourceDraws, state: WalkState, number: Number) -> list[tuple[Any, int]]:
    table = joint(state.sources, number.terms, [number], draws.spend)
    return [(x + number.const, weight) for (x,), weight in table.items()]
