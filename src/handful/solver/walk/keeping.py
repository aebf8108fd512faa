"""Sums of the highest or lowest dice of a pool that nothing else depends on.

Equal dice have a closed form (`order_statistics`).  For others, readings are peeled from the best one
down: a state is how many dice of each source are left and how many are still to be kept, with the
polynomial of the sums so far.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import comb, prod

from handful.dice import Die
from handful.solver.order_statistics import order_statistics
from handful.solver.symbolic_pool import Statistic, SymbolicThrow
from handful.solver.walk.tables import ROWS_A_UNIT, Source, Spend
from handful.solver.walk.values import OpenDice

Poly = dict[int, int]
Left = dict[tuple[tuple[int, ...], int], Poly]  # (dice left of each source, dice to keep) -> sums
MAX_FACES = 2000  # of a die with repeated faces


def kept_sums(
    sources: Mapping[int, Source], pool: OpenDice, count: int, *, highest: bool, spend: Spend
) -> Poly | None:
    """Return {sum of the best or worst dice: weight}; None if a die has several readings."""
    if any(len(readings) > 1 for part in pool.parts.values() for readings in part):
        return None
    if len(pool.parts) == 1 and not pool.known:
        ((source, part),) = pool.parts.items()
        weights, n = sources[source]
        if all(part) and sum(weights) <= MAX_FACES and min([r for (r,) in part]) >= -(10**6):
            return _of_equal_dice(
                [(r, w) for (r,), w in zip(part, weights, strict=True)], n, count, highest, spend
            )
    return _peeled(sources, pool, count, highest, spend)


def _of_equal_dice(faces: list[tuple[int, int]], n: int, count: int, highest: bool, spend: Spend) -> Poly:
    die = Die([reading for reading, weight in sorted(faces) for _ in range(weight)])
    spend(min(count, n) * len(faces))
    statistic = Statistic(0, "sum", frozenset(die), ("highest" if highest else "lowest", min(count, n)))
    ((_, _, series),) = order_statistics(SymbolicThrow(0, n, die), [statistic], ())
    spend(series.work)
    factor = len(die) ** n // series.scale
    return {series.minimum + i: w * factor for i, w in enumerate(series.numerator) if w}


def _peeled(sources: Mapping[int, Source], pool: OpenDice, count: int, highest: bool, spend: Spend) -> Poly:
    dice: list[tuple[int, dict[int | None, int]]] = []
    for source, part in pool.parts.items():
        weights, n = sources[source]
        die: dict[int | None, int] = {}
        for readings, weight in zip(part, weights, strict=True):
            reading = readings[0] if readings else None
            die[reading] = die.get(reading, 0) + weight
        dice.append((n, die))
    left = [sum(die.values()) for _, die in dice]
    todo: Left = {(tuple([n for n, _ in dice]), count): {0: 1}}
    for place, (_, die) in enumerate(dice):
        if None in die:  # dice of the source that are not in the pool
            left[place] -= die[None]
            todo = _fallen(todo, place, die[None], 0, last=left[place] == 0, counts=False, spend=spend)
    done: Poly = {}
    order = {r for _, die in dice for r in die if r is not None} | set(pool.known)
    for reading in sorted(order, reverse=highest):
        todo = _with_known(todo, pool.known.get(reading, 0), reading)
        for place, (_, die) in enumerate(dice):
            if reading in die:
                left[place] -= die[reading]
                todo = _fallen(
                    todo, place, die[reading], reading, last=left[place] == 0, counts=True, spend=spend
                )
        for key in [key for key in todo if key[1] == 0]:
            mass = prod([weight**n for weight, n in zip(left, key[0], strict=True)])
            _add(done, todo.pop(key), 0, mass)
    for (ns, _), poly in todo.items():
        if not any(ns):
            _add(done, poly, 0, 1)
    return {value: weight for value, weight in done.items() if weight}


def _add(into: Poly, poly: Poly, shift: int, factor: int) -> None:
    for value, weight in poly.items():
        into[value + shift] = into.get(value + shift, 0) + weight * factor


def _with_known(todo: Left, dice: int, reading: int) -> Left:
    if not dice:
        return todo
    following: Left = {}
    for (ns, keep), poly in todo.items():
        taken = min(keep, dice)
        _add(following.setdefault((ns, keep - taken), {}), poly, taken * reading, 1)
    return following


def _fallen(
    todo: Left, place: int, weight: int, reading: int, *, last: bool, counts: bool, spend: Spend
) -> Left:
    """Return the states after it is known how many dice of a source show a reading."""
    following: Left = {}
    for (ns, keep), poly in todo.items():
        n = ns[place]
        spend(1 + (1 if last else n + 1) * len(poly) // ROWS_A_UNIT)
        for count in (n,) if last else range(n + 1):
            taken = min(keep, count) if counts else 0
            key = (*ns[:place], n - count, *ns[place + 1 :]), keep - taken
            _add(following.setdefault(key, {}), poly, taken * reading, comb(n, count) * weight**count)
    return following
