"""The largest set of equal readings among some equal dice.

Readings are gone through, lowest first.  What has to be remembered on the way is how many dice are
left, the largest set so far, and what else somebody wants to know of the dice.
"""

from __future__ import annotations

from math import comb

from handful.errors import TooBig
from handful.solver.generating_function import GeneratingFunction
from handful.solver.kronecker import JointRow, contribution, face_counts
from handful.solver.order_statistics import NeedsEnumeration
from handful.solver.symbolic_pool import WIDEST, Statistic, SymbolicThrow

MAX_STATES = 20_000

# Dice left, width and height of the largest set so far, sums and numbers of all dice so far.
Progress = tuple[int, int, int, tuple[int, ...]]


def largest_set(throw: SymbolicThrow, statistics: tuple[Statistic, ...]) -> list[JointRow]:
    """Views of the largest set, beside views of all dice; the first view is the axis."""
    sets = [statistic for statistic in statistics if statistic.keep is not None]
    if any(statistic.keep != WIDEST or statistic.readings != sets[0].readings for statistic in sets):
        raise NeedsEnumeration
    others = [statistic for statistic in statistics if statistic.keep is None]
    states: dict[Progress, int] = {(throw.count, 0, 0, (0,) * len(others)): 1}
    faces = face_counts(throw.die)
    for place, (reading, weight) in enumerate(faces):
        last, matches = place == len(faces) - 1, reading in sets[0].readings
        gains = [contribution(statistic, reading) for statistic in others]
        states = _add_reading(states, reading if matches else None, weight, gains, last=last)
        if len(states) > MAX_STATES:
            raise TooBig("there are too many sets of these dice to tell them apart")
    spread: dict[tuple[int, ...], dict[int, int]] = {}
    for (_, width, height, sums), ways in states.items():
        beside = dict(zip(others, sums, strict=True))
        first, *rest = [
            _set_statistic(statistic, width, height) if statistic.keep else beside[statistic]
            for statistic in statistics
        ]
        along = spread.setdefault(tuple(rest), {})
        along[first] = along.get(first, 0) + ways
    scale = len(throw.die) ** throw.count
    return [
        JointRow(tuple(zip(statistics[1:], known, strict=True)), statistics[0], _series(along, scale))
        for known, along in sorted(spread.items())
    ]


def _add_reading(
    states: dict[Progress, int], reading: int | None, weight: int, gains: list[int], *, last: bool
) -> dict[Progress, int]:
    """The states after some dice have shown a reading; None stands for one that makes no set."""
    following: dict[Progress, int] = {}
    for (left, width, height, sums), ways in states.items():
        for n in (left,) if last else range(left + 1):
            wider = reading is not None and n > 0 and n >= width
            key = (
                left - n,
                n if wider else width,
                reading if wider and reading is not None else height,
                tuple([before + n * own for before, own in zip(sums, gains, strict=True)]),
            )
            following[key] = following.get(key, 0) + ways * comb(left, n) * weight**n
    return following


def _set_statistic(statistic: Statistic, width: int, height: int) -> int:
    return width * contribution(statistic, height) if width else 0


def _series(along: dict[int, int], scale: int) -> GeneratingFunction:
    low = min(along)
    return GeneratingFunction(low, [along.get(value, 0) for value in range(low, max(along) + 1)], scale)
