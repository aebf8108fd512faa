"""Known values at the head of a loop: what dice have decided is drawn, except the tally."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from handful.errors import Message, TooBig
from handful.rules.operators import Value
from handful.solver.generating_function import GeneratingFunction
from handful.solver.walk.sources import TALLY, SourceDraws, WalkState
from handful.solver.walk.values import Number, OpenDice, opened


def untied(draws: SourceDraws, state: WalkState, tallies: tuple[str, ...]) -> Iterator[WalkState]:
    """Yield the states in which all values are known, except one number that may be a tally.

    That number stays open: the free tally of the state, an endless number, or an open variable of
    `tallies`.  Everything else that depends on the same dice is told apart.
    """
    draws.drop_unused(state)
    pool = next((one for one in _opened(state) if isinstance(one, OpenDice)), None)
    if pool is not None:
        source = next(iter(pool.parts))
        for drawn in draws.refined(state, source, range(len(pool.parts[source]))):
            yield from untied(draws, drawn, tallies)
        return
    numbers = [one for one in _opened(state) if isinstance(one, Number)]
    if not numbers:
        yield state
        return
    kept = _kept(state, numbers, tallies)
    finite = list(dict.fromkeys(s for one in numbers for s in one.terms if not state.is_endless(s)))
    for one in numbers:
        if one is not kept and any(state.is_endless(s) and not _follows(one, kept) for s in one.terms):
            raise TooBig(Message("solver.two_endless_tallies"))
    if not finite:
        yield state
        return
    roots = [
        Number(one.const, {s: c for s, c in one.terms.items() if s in finite})
        for one in numbers
        if not one.terms.keys().isdisjoint(finite)
    ]
    if len(finite) > 1 or state.sources[finite[0]][1] > 1:
        draws.folded(state, roots, list(state.env))
        numbers = [one for one in _opened(state) if isinstance(one, Number)]
        kept = _kept(state, numbers, tallies)
        finite = list(dict.fromkeys(s for one in numbers for s in one.terms if not state.is_endless(s)))
        if not finite:
            yield state
            return
    (source,) = finite
    nothing = (0,) * len(state.sources[source][0])
    own = nothing if kept is None else kept.terms.get(source, nothing)
    columns = []
    for one in numbers:
        if one is not kept and source in one.terms:
            slope = one.terms[TALLY][0] if TALLY in one.terms else 0
            columns.append([x - slope * y for x, y in zip(one.terms[source], own, strict=True)])
        elif one is not kept and kept is not None and TALLY in one.terms:
            columns.append([-one.terms[TALLY][0] * y for y in own])
    signs = [tuple(row) for row in zip(*columns, strict=True)] if columns else [()] * len(nothing)
    for drawn in draws.refined(state, source, signs):
        draws.drop_unused(drawn)
        yield drawn


def _opened(state: WalkState) -> list[Any]:
    found = {id(one): one for value in state.env.values() for one in opened(value)}
    return list(found.values())


def _kept(state: WalkState, numbers: list[Number], tallies: tuple[str, ...]) -> Number | None:
    """Return the number that stays open."""
    for one in numbers:
        if TALLY in one.terms:
            return one
    for one in numbers:
        if any(map(state.is_endless, one.terms)):
            return one
    for name in tallies:
        if type(state.env.get(name)) is Number:
            return state.env[name]  # type: ignore[no-any-return]
    return None


def _follows(one: Number, kept: Number | None) -> bool:
    """Return True if a number depends on endless numbers as the kept one does, up to a factor."""
    if kept is None:
        return False
    return TALLY in one.terms or one.terms.keys() <= kept.terms.keys()


def split_tally(state: WalkState) -> GeneratingFunction | None:
    """Take what a turn has added to the free tally out of a state, with its mass.

    Return None if that is no whole number, or if another number depends on it otherwise.
    """
    numbers = [one for one in _opened(state) if isinstance(one, Number)]
    first = next(one for one in numbers if TALLY in one.terms)
    if first.terms[TALLY] != (1,) or type(first.const) is not int:
        return None
    series = GeneratingFunction(first.const, [state.num], state.den)
    gone = [source for source in first.terms if source != TALLY]
    for source in gone:
        weights, n = state.sources[source]
        column = first.terms[source]
        if type(n) is not int:
            if type(column[0]) is not int or column[0] <= 0:
                return None
            series = series.convolve(n.stretched(column[0]))
            continue
        if n != 1 or any(type(x) is not int for x in column):
            return None
        low = min(column)
        numerator = [0] * (max(column) - low + 1)
        for x, weight in zip(column, weights, strict=True):
            numerator[x - low] += weight
        series = series.convolve(GeneratingFunction(low, numerator))
    for one in numbers:
        if one is not first and not one.terms.keys().isdisjoint(first.terms):
            slope = one.terms.get(TALLY, (0,))[0]
            own = {s: tuple([slope * x for x in c]) for s, c in first.terms.items()}
            if one.terms != own:
                return None

    def change(one: Any) -> Value:
        if not isinstance(one, Number) or TALLY not in one.terms:
            return one
        (slope,) = one.terms[TALLY]
        return one.with_terms(one.const - slope * first.const, {TALLY: (slope,)})

    state.change(change)
    for source in gone:
        del state.sources[source]
    state.num = state.den = 1
    return series
