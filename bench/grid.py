"""Measures a table of 10,000 cells in one library: `uwr direct`, attribute by rerolls by target.

Handful has a function for tables.  Peers have none, so the sweep is written by hand around their
`rerolls`, with two strategies: solve each cell by itself, as one would write the loop first; or solve each
pool once and read it for all targets, as an expert would.
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
STRATEGIES = (EACH, ONCE)
DICE, AGAIN, TARGETS = range(1, 26), range(20), range(1, 21)
CELLS = len(DICE) * len(AGAIN) * len(TARGETS)
SAMPLE = len(TARGETS)  # with EACH only one in so many cells is solved: all targets of a pool cost the same
Cells = dict[tuple[int, int, int], Fraction]


def measure_sweep(library: Any, strategy: str) -> dict[str, Any]:
    """Measure CPU seconds and the peak memory of the process; return them with a digest of the answers."""
    table = getattr(library, "table", None)
    if table is not None:
        table(range(26, 28), range(20, 22), range(21, 24))
        library.forget()
    else:
        solve_pools(library, range(26, 28), range(20, 22))
    before = time.process_time()
    if table is not None:
        found = table(DICE, AGAIN, TARGETS)
    else:
        found = solve_cells(library) if strategy == EACH else solve_pools(library, DICE, AGAIN)
    spent = time.process_time() - before
    times = SAMPLE if table is None and strategy == EACH else 1
    return {
        "seconds": spent * times,
        "bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "digest": digest(found),
    }


def solve_pools(library: Any, dice: range, rerolls: range) -> Cells:
    solve, read, cells = library.solver("rerolls", SHIPPED), library.read, {}
    for pool in product(dice, rerolls):
        weights = read(solve(6, 5, *pool))
        total = sum(weight for _, weight in weights)
        for target in TARGETS:
            reached = sum(weight for value, weight in weights if value >= target)
            cells[(*pool, target)] = Fraction(reached, total)
    return cells


def solve_cells(library: Any) -> Cells:
    solve, read, cells = library.solver("rerolls", SHIPPED), library.read, {}
    for cell in sample():
        *pool, target = cell
        weights = read(solve(6, 5, *pool))
        total = sum(weight for _, weight in weights)
        reached = sum(weight for value, weight in weights if value >= target)
        cells[cell] = Fraction(reached, total)
    return cells


def sample() -> list[tuple[int, int, int]]:
    """Return one cell of every pool, with varying targets."""
    return [
        (dice, rerolls, TARGETS[(7 * dice + rerolls) % len(TARGETS)])
        for dice, rerolls in product(DICE, AGAIN)
    ]


def digest(cells: Cells) -> str:
    """Return a digest of the answers in the sample, the cells that every strategy solves."""
    text = ",".join(str(cells[cell]) for cell in sample())
    return hashlib.sha256(text.encode()).hexdigest()
