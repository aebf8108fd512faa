"""Dice that are thrown again without end, summed up by hand: the first chances of their totals."""

from __future__ import annotations

from fractions import Fraction


def exploding(sides: int, reach: int) -> list[Fraction]:
    """P(total = n), n < reach, of one die that is thrown again on its highest face."""
    chances = [Fraction(0)] * reach
    stay = Fraction(1)
    for base in range(0, reach, sides):
        stay /= sides
        for face in range(1, sides):
            if base + face < reach:
                chances[base + face] = stay
    return chances


def convolved(one: list[Fraction], other: list[Fraction]) -> list[Fraction]:
    total = [Fraction(0)] * len(one)
    for i, p in enumerate(one):
        for j, q in enumerate(other[: len(one) - i]):
            total[i + j] += p * q
    return total


def left_over(chances: list[Fraction]) -> Fraction:
    """The chance of all totals that are not listed."""
    return 1 - sum(chances)
