"""Throws as the solver sees them: lots of equal dice.

Dice with at most two readings are simple: all there is to know is how many show the higher one,
and that is one open number.  Others stay unseen until somebody looks (`heaps`, `landing`).
"""

from __future__ import annotations

from typing import Any

from handful.dice import Die
from handful.rules.program import Reroll, Roll
from handful.solver.heaps import Cast, Heap
from handful.solver.landing import two_way, weights
from handful.solver.numbers import Desk, Path, axis_number


def casts_of(step: Roll | Reroll, question: Any) -> list[Cast]:
    """The dice of a throw; of a reroll one lot for each reading that is thrown again."""
    if isinstance(step, Roll):
        count, die, endless = question
        return [Cast(0, count, die, endless)]
    groups, die, keep = question
    return [Cast(token, n, kept(die, keep, old)) for token, (old, n) in enumerate(groups)]


def simple(cast: Cast) -> bool:
    return not cast.count or (cast.endless is None and len(weights(cast.die)) <= 2)


def land(cast: Cast, path: Path, desk: Desk) -> Heap:
    """Simple dice on the table; what is open about them becomes an axis of the path."""
    if not cast.count:
        return Heap(())
    (low, _), *rest = weights(cast.die)
    if not rest:
        return Heap(((low, cast.count),))
    high = axis_number(desk, path.add(two_way(cast.die, cast.count)))
    return Heap(((low, high.scaled(-1).add(cast.count)), (rest[0][0], high)))


def kept(die: Die, keep: str, old: int) -> Die:
    if keep == "new":
        return die
    return die.at_least(old) if keep == "better" else die.at_most(old)
