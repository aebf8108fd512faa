"""A table of 10,000 cells: `uwr direct`, attribute by rerolls by target, inside one library.

Handful is asked for its table.  A peer has no tables, so a sweep is written by hand around its own
`rerolls`, in two ways: each cell asked by itself, as a loop over a function is first written; or
each pool solved once and read for all targets, by somebody who sees that it can be.
"""

from __future__ import annotations

import hashlib
import resource
import time
from fractions import Fraction
from itertools import product
from typing import Any

from cases import SHIPPED

EACH, ONCE = "each cell", "pools once"
WAYS = (EACH, ONCE)
DICE, AGAIN, TARGETS = range(1, 26), range(20), range(1, 21)
CELLS = len(DICE) * len(AGAIN) * len(TARGETS)
SAMPLE = len(TARGETS)  # of cells asked one by one only one in so many is: a pool costs the same
Cells = dict[tuple[int, int, int], Fraction]


def swept(library: Any, way: str) -> dict[str, Any]:
    """Seconds of processor time, the most memory of the process, and a digest of the answers."""
    whole = getattr(library, "table", None)
    if whole is not None:
        whole(range(26, 28), range(20, 22), range(21, 24))
        library.forget()
    else:
        solved_once(library, range(26, 28), range(20, 22))
    before = time.process_time()
    if whole is not None:
        found = whole(DICE, AGAIN, TARGETS)
    else:
        found = cell_by_cell(library) if way == EACH else solved_once(library, DICE, AGAIN)
    spent = time.process_time() - before
    times = SAMPLE if whole is None and way == EACH else 1
    return {
        "seconds": spent * times,
        "bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "digest": digest(found),
    }


def solved_once(library: Any, dice: range, again: range) -> Cells:
    solve, read, cells = library.solver("rerolls", SHIPPED), library.read, {}
    for pool in product(dice, again):
        weights = read(solve(6, 5, *pool))
        total = sum(weight for _, weight in weights)
        for target in TARGETS:
            reached = sum(weight for value, weight in weights if value >= target)
            cells[(*pool, target)] = Fraction(reached, total)
    return cells


def cell_by_cell(library: Any) -> Cells:
    solve, read, cells = library.solver("rerolls", SHIPPED), library.read, {}
    for cell in sample():
        *pool, target = cell
        weights = read(solve(6, 5, *pool))
        total = sum(weight for _, weight in weights)
        reached = sum(weight for value, weight in weights if value >= target)
        cells[cell] = Fraction(reached, total)
    return cells


def sample() -> list[tuple[int, int, int]]:
    """A cell of every pool, with targets that take turns."""
    return [(dice, again, TARGETS[(7 * dice + again) % len(TARGETS)]) for dice, again in product(DICE, AGAIN)]


def digest(cells: Cells) -> str:
    """The same answers have the same digest; it looks at the sample only, which all have."""
    text = ",".join(str(cells[cell]) for cell in sample())
    return hashlib.sha256(text.encode()).hexdigest()
