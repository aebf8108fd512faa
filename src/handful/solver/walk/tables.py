"""Joint distributions of linear forms: products of polynomials, packed into integers where that pays.

A table maps what some sources add to each of several numbers to its weight.  The work is estimated and
charged before anything is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import comb, lcm, prod
from typing import Any

from handful.solver.walk.values import Number

# Weights of the classes, and the number of dice; or one class, and the distribution of an endless number.
Source = tuple[tuple[int, ...], Any]
Vector = tuple[Any, ...]
Table = dict[Vector, int]
Spend = Callable[[int], None]
Die = dict[Vector, int]

MAX_SLOTS = 60_000  # of a packed product
ROWS_A_UNIT = 4  # rows that are made for one unit of the budget


def joint(
    sources: Mapping[int, Source], ids: Iterable[int], numbers: Sequence[Number], spend: Spend
) -> Table:
    """Return {what the sources add to each number: weight}."""
    ids = list(ids)
    keys = [tuple([number.terms.get(one) for one in ids]) for number in numbers]
    places = {key: place for place, key in reversed([*enumerate(keys)])}
    if len(places) == len(keys):
        return _joint(sources, ids, numbers, spend)
    # Numbers that differ by a constant depend on the dice alike.
    order = list(dict.fromkeys(keys))
    columns = [order.index(key) for key in keys]
    table = _joint(sources, ids, [numbers[places[key]] for key in order], spend)
    return {tuple([vector[place] for place in columns]): weight for vector, weight in table.items()}


def _joint(
    sources: Mapping[int, Source], ids: Iterable[int], numbers: Sequence[Number], spend: Spend
) -> Table:
    dice = [_die(sources[one], one, numbers) for one in ids]
    dice = [(die, n) for die, n in dice if n]
    if len(dice) == 1 and dice[0][1] == 1:
        return dice[0][0]
    zero = (0,) * len(numbers)
    if not dice:
        return {zero: 1}
    grain = _grain(dice)
    if not grain:
        return _of_integers(dice, zero, spend)
    scaled = [
        ({tuple([int(x * g) for x, g in zip(v, grain, strict=True)]): w for v, w in die.items()}, n)
        for die, n in dice
    ]
    table = _of_integers(scaled, zero, spend)
    return {tuple([_over(x, g) for x, g in zip(v, grain, strict=True)]): w for v, w in table.items()}


def _over(number: int, grain: int) -> int | Fraction:
    value = Fraction(number, grain)
    return value.numerator if value.denominator == 1 else value


def _die(source: Source, at: int, numbers: Sequence[Number]) -> tuple[Die, int]:
    weights, n = source
    nothing = (0,) * len(weights)
    columns = [number.terms.get(at, nothing) for number in numbers]
    die: Die = {}
    for vector, weight in zip(
        zip(*columns, strict=True) if columns else ((),) * len(weights), weights, strict=True
    ):
        die[vector] = die.get(vector, 0) + weight
    return die, n


def _grain(dice: list[tuple[Die, int]]) -> list[int]:
    """Return the denominators by which each number becomes whole; nothing if all are whole."""
    grain: list[int] = []
    for die, _ in dice:
        for vector in die:
            for place, value in enumerate(vector):
                if type(value) is Fraction:
                    grain = grain or [1] * len(vector)
                    grain[place] = lcm(grain[place], value.denominator)
    return grain


def _of_integers(dice: list[tuple[Die, int]], zero: Vector, spend: Spend) -> Table:
    size = len(zero)
    low = [[min([v[i] for v in die]) for i in range(size)] for die, _ in dice]
    high = [[max([v[i] for v in die]) for i in range(size)] for die, _ in dice]
    span = [
        1 + sum([n * (most[i] - least[i]) for (_, n), least, most in zip(dice, low, high, strict=True)])
        for i in range(size)
    ]
    slots = prod(span)
    multisets = prod([comb(min(n, 10**4) + len(die) - 1, len(die) - 1) for die, n in dice])
    if slots > MAX_SLOTS or slots > 8 * multisets:
        return _convolved(dice, zero, min(slots, multisets), spend)
    scale = prod([sum(die.values()) ** n for die, n in dice])
    width = (scale.bit_length() + 7) // 8
    spend(slots // ROWS_A_UNIT + (slots * width >> 9))
    strides = [prod(span[:i]) for i in range(size)]
    packed = 1
    for (die, n), least in zip(dice, low, strict=True):
        one = 0
        for vector, weight in die.items():
            at = sum([(x - lo) * stride for x, lo, stride in zip(vector, least, strides, strict=True)])
            one += weight << 8 * width * at
        packed *= one**n
    base = [sum([n * least[i] for (_, n), least in zip(dice, low, strict=True)]) for i in range(size)]
    data = packed.to_bytes(width * slots, "little")
    table: Table = {}
    for at in range(slots):
        weight = int.from_bytes(data[at * width : at * width + width], "little")
        if weight:
            values, slot = [], at
            for first, length in zip(base, span, strict=True):
                values.append(first + slot % length)
                slot //= length
            table[tuple(values)] = weight
    return table


def _convolved(dice: list[tuple[Die, int]], zero: Vector, rows: int, spend: Spend) -> Table:
    """Convolve die by die; `rows` is a bound of the table's length."""
    steps = sum([n * len(die) for die, n in dice])
    spend(1 + rows * steps * (4 + len(zero)) // (32 * ROWS_A_UNIT))
    table: Table = {zero: 1}
    for die, n in dice:
        for _ in range(n):
            following: Table = {}
            for x, p in table.items():
                for y, q in die.items():
                    z = tuple([a + b for a, b in zip(x, y, strict=True)])
                    following[z] = following.get(z, 0) + p * q
            table = following
    return table
