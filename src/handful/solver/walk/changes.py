"""Changes of open values when their dice are drawn: substitution, and the ways in which dice fall."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import comb
from typing import Any

from handful.rules.operators import Value
from handful.solver.walk.values import Number, OpenDice


def substitution(
    source: int, parts: list[tuple[int, list[int]]], sure: list[tuple[int, int]]
) -> Callable[[Any], Value]:
    """Return how a value changes when a source is replaced by new ones and by dice of known classes."""

    def change(one: Any) -> Value:
        if isinstance(one, Number):
            column = one.terms.get(source)
            if column is None:
                return one
            terms = {other: own for other, own in one.terms.items() if other != source}
            for new, group in parts:
                terms[new] = tuple([column[j] for j in group])
            return one.with_terms(one.const + sum([column[j] * n for j, n in sure]), terms)
        part = one.parts.get(source)
        if part is None:
            return one
        left = {other: own for other, own in one.parts.items() if other != source}
        for new, group in parts:
            left[new] = tuple([part[j] for j in group])
        known = dict(one.known)
        for j, n in sure:
            for reading in part[j]:
                known[reading] = known.get(reading, 0) + n
        return OpenDice(left, known)

    return change


def stretched(one: Any, source: int, back: Sequence[int]) -> Value:
    """Return a value over a source whose classes have become those of `back`."""
    if isinstance(one, Number):
        column = one.terms.get(source)
        if column is None:
            return one
        return one.with_terms(one.const, {**one.terms, source: tuple([column[j] for j in back])})
    part = one.parts.get(source)
    if part is None:
        return one
    return OpenDice({**one.parts, source: tuple([part[j] for j in back])}, one.known)


def occupancies(n: int, k: int, first: int = 0) -> Iterator[tuple[tuple[tuple[int, int], ...], int]]:
    """Yield the ways in which n dice fall into k groups: the groups that are hit, with their numbers.

    Each comes with its multinomial coefficient.
    """
    if not n:
        yield (), 1
        return
    for at in range(first, k):
        for count in range(1 if at < k - 1 else n, n + 1):
            chosen = comb(n, count)
            for rest, ways in occupancies(n - count, k, at + 1):
                yield ((at, count), *rest), chosen * ways
