"""The largest set of equal readings among some equal dice.

Readings are gone through, lowest first.  What has to be remembered on the way is how many dice are
left, the largest set so far, and what else somebody wants to know of the dice.
"""

from __future__ import annotations

from math import comb

from handful.errors import TooBig
from handful.solver.generating_function import GeneratingFunction
from handful.solver.kronecker import Row, gain, weights
from handful.solver.order_statistics import NeedsWhole
from handful.solver.symbolic_pool import WIDEST, Statistic, SymbolicThrow

MOST_STATES = 20_000

# Dice left, width and height of the largest set so far, sums and numbers of all dice so far.
State = tuple[int, int, int, tuple[int, ...]]


def matching(cast: SymbolicThrow, views: tuple[Statistic, ...]) -> list[Row]:
    """Views of the largest set, beside views of all dice; the first view is the axis."""
    sets = [view for view in views if view.keep is not None]
    if any(view.keep != WIDEST or view.readings != sets[0].readings for view in sets):
        raise NeedsWhole
    others = [view for view in views if view.keep is None]
    states: dict[State, int] = {(cast.count, 0, 0, (0,) * len(others)): 1}
    faces = weights(cast.die)
    for place, (reading, weight) in enumerate(faces):
        last, matches = place == len(faces) - 1, reading in sets[0].readings
        gains = [gain(view, reading) for view in others]
        states = _further(states, reading if matches else None, weight, gains, last=last)
        if len(states) > MOST_STATES:
            raise TooBig("there are too many sets of these dice to tell them apart")
    spread: dict[tuple[int, ...], dict[int, int]] = {}
    for (_, width, height, sums), ways in states.items():
        beside = dict(zip(others, sums, strict=True))
        first, *rest = [_of_set(view, width, height) if view.keep else beside[view] for view in views]
        along = spread.setdefault(tuple(rest), {})
        along[first] = along.get(first, 0) + ways
    scale = len(cast.die) ** cast.count
    return [
        Row(tuple(zip(views[1:], known, strict=True)), views[0], _series(along, scale))
        for known, along in sorted(spread.items())
    ]


def _further(
    states: dict[State, int], reading: int | None, weight: int, gains: list[int], *, last: bool
) -> dict[State, int]:
    """The states after some dice have shown a reading; None stands for one that makes no set."""
    following: dict[State, int] = {}
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


def _of_set(view: Statistic, width: int, height: int) -> int:
    return width * gain(view, height) if width else 0


def _series(along: dict[int, int], scale: int) -> GeneratingFunction:
    low = min(along)
    return GeneratingFunction(low, [along.get(value, 0) for value in range(low, max(along) + 1)], scale)
