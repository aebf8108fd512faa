"""Distribution of the largest set of equal readings among equal dice.

A dynamic program over the readings, lowest first.  Its state is the number of dice left, the largest set
so far, and the other statistics so far.
"""

from __future__ import annotations

from math import comb

from handful.errors import Message, TooBig
from handful.solver.generating_function import GeneratingFunction
from handful.solver.kronecker import JointRow, contribution, face_counts
from handful.solver.order_statistics import NeedsEnumeration
from handful.solver.symbolic_pool import WIDEST, Statistic, SymbolicThrow

MAX_STATES = 20_000

# Dice left, width and height of the largest set so far, other statistics so far.
Progress = tuple[int, int, int, tuple[int, ...]]


def largest_set(throw: SymbolicThrow, statistics: tuple[Statistic, ...]) -> list[JointRow]:
    """Return the joint distribution of statistics of the largest set and of all dice.

    The first statistic is the random variable of each row, the others are constants.
    """
    sets = [statistic for statistic in statistics if statistic.keep is not None]
    if any(statistic.keep != WIDEST or statistic.readings != sets[0].readings for statistic in sets):
        raise NeedsEnumeration
    others = [statistic for statistic in statistics if statistic.keep is None]
    states: dict[Progress, int] = {(throw.count, 0, 0, (0,) * len(others)): 1}
    faces = face_counts(throw.die)
    for place, (reading, weight) in enumerate(faces):
        last, matches = place == len(faces) - 1, reading in sets[0].readings
        values = [contribution(statistic, reading) for statistic in others]
        states = _add_reading(states, reading if matches else None, weight, values, last=last)
        if len(states) > MAX_STATES:
            raise TooBig(Message("solver.too_many_sets"))
    distributions: dict[tuple[int, ...], dict[int, int]] = {}
    for (_, width, height, sums), outcomes in states.items():
        other_values = dict(zip(others, sums, strict=True))
        first, *rest = [
            _set_statistic(statistic, width, height) if statistic.keep else other_values[statistic]
            for statistic in statistics
        ]
        distribution = distributions.setdefault(tuple(rest), {})
        distribution[first] = distribution.get(first, 0) + outcomes
    scale = len(throw.die) ** throw.count
    return [
        JointRow(
            tuple(zip(statistics[1:], constants, strict=True)), statistics[0], _series(distribution, scale)
        )
        for constants, distribution in sorted(distributions.items())
    ]


def _add_reading(
    states: dict[Progress, int], reading: int | None, weight: int, values: list[int], *, last: bool
) -> dict[Progress, int]:
    """Advance the states by one reading; None is a reading that is not part of any set."""
    following: dict[Progress, int] = {}
    for (left, width, height, sums), outcomes in states.items():
        for n in (left,) if last else range(left + 1):
            wider = reading is not None and n > 0 and n >= width
            key = (
                left - n,
                n if wider else width,
                reading if wider and reading is not None else height,
                tuple([before + n * value for before, value in zip(sums, values, strict=True)]),
            )
            following[key] = following.get(key, 0) + outcomes * comb(left, n) * weight**n
    return following


def _set_statistic(statistic: Statistic, width: int, height: int) -> int:
    return width * contribution(statistic, height) if width else 0


def _series(distribution: dict[int, int], scale: int) -> GeneratingFunction:
    low = min(distribution)
    return GeneratingFunction(
        low, [distribution.get(value, 0) for value in range(low, max(distribution) + 1)], scale
    )
