"""A solved check as a table to draw from.

Every kind of roll gets its share of 2**64 whole numbers, so that its chance is the exact one to
within 2**-64: closer than any count of rolls could tell.  A draw takes 16 bits; only where they
leave open which of two kinds it is, 48 more decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np
from numpy.random import Generator

from handful.errors import TooBig
from handful.odds import Number, Odds, solve_odds
from handful.odds.best import Best
from handful.odds.continuation import tally_odds, wanted_fields
from handful.odds.tally import Tally
from handful.roll import BoundCheck, start
from handful.rules.operators import normalize_number
from handful.simulate.outcomes import Kind, Rows
from handful.solver.generating_function import GeneratingFunction
from handful.solver.solver import BUDGET, Outcome, Solver

SCALE = 1 << 64
BUCKETS = 1 << 16
AT_ONCE = 1 << 16  # draws in one go: the arrays stay near the processor
MOST_KINDS = 1 << 20
MOST_TERMS = 4096  # of an endless distribution


class Drawer:
    """Draws kinds of rolls by their exact chances."""

    def __init__(self, chances: dict[Kind, Fraction]) -> None:
        shared = {kind: p.numerator * SCALE // p.denominator for kind, p in chances.items()}
        self.kinds = [kind for kind, share in shared.items() if share]
        shares = [shared[kind] for kind in self.kinds]
        # what rounding down has left over, less than one for each kind
        shares[shares.index(max(shares))] += SCALE - sum(shares)
        ends = list(accumulate(shares))[:-1]
        width = SCALE // BUCKETS
        self._ends = np.array(ends, np.uint64)
        full = np.array([-(-end // width) for end in ends], np.int64)
        self._guide = np.searchsorted(full, np.arange(BUCKETS), side="right").astype(np.int32)
        self._guide[[end // width for end in ends if end % width]] = -1

    def draw(self, count: int, rng: Generator) -> Rows:
        """So many draws, one after the other."""
        rows = np.empty(count, np.int32)
        for first in range(0, count, AT_ONCE):
            self._fill(rows[first : first + AT_ONCE], rng)
        return Rows(self.kinds, rows)

    def counts(self, count: int, rng: Generator) -> dict[Kind, int]:
        """The same draws, counted."""
        found = np.zeros(len(self.kinds), np.int64)
        rows = np.empty(min(count, AT_ONCE), np.int32)
        for first in range(0, count, AT_ONCE):
            own = rows[: count - first]
            self._fill(own, rng)
            found += np.bincount(own, minlength=len(self.kinds))
        return {kind: n for kind, n in zip(self.kinds, found.tolist(), strict=True) if n}

    def _fill(self, rows: Any, rng: Generator) -> None:
        buckets = rng.integers(0, BUCKETS, len(rows), np.uint16)
        np.take(self._guide, buckets, out=rows, mode="clip")
        (unsure,) = np.nonzero(rows < 0)
        if len(unsure):
            fine = rng.integers(0, SCALE // BUCKETS, len(unsure), np.uint64)
            exact = (buckets[unsure].astype(np.uint64) << np.uint64(48)) | fine
            rows[unsure] = np.searchsorted(self._ends, exact, side="right")


def solved(check: BoundCheck, policy: str, budget: int = BUDGET) -> tuple[Odds, Drawer | None]:
    """The exact odds of a check, and a table to draw from if it can be listed."""
    # Never by a compiled rule: whether there is a table must not depend on what was asked before.
    own = "usual" if policy == "best" else policy
    solver = Solver(check.ruleset, check.options, own, budget, compiles=False)
    if policy == "best":
        outcomes = Best(check, solver).outcomes(start(check))
        exact = tally_odds(check, solver, outcomes, policy)
    else:
        exact = solve_odds(solver, check, None, policy)
        # Once more, all figures together: where they had to be solved one by one there is no table.
        solver.reset(budget)
        try:
            outcomes = solver.solve_rule(check.check.name, check.args, wanted_fields(check))
        except TooBig:
            return exact, None
    try:
        return exact, Drawer(kinds_of(outcomes, check.check.main))
    except TooBig:
        return exact, None


def kinds_of(outcomes: list[Outcome], main: str) -> dict[Kind, Fraction]:
    """Every kind of roll with its chance, listed one by one."""
    chances: dict[Kind, Fraction] = {}
    tables: dict[Any, Tally] = {}
    for outcome in outcomes:
        fields = dict(outcome.fields)
        key = fields.get("success"), fields.get("wins"), tuple(sorted(outcome.events))
        if fields.get(main) is not None:
            tables.setdefault(key, Tally(main)).add(outcome)
        elif mass := prod((one.mass for one in outcome.weight.series), start=outcome.weight.factor):
            kind = Kind(None, *key)
            chances[kind] = chances.get(kind, Fraction(0)) + mass
    for key, table in tables.items():
        for value, chance in _listed(table):
            kind = Kind(value, *key)
            chances[kind] = chances.get(kind, Fraction(0)) + chance
            if len(chances) > MOST_KINDS:
                raise TooBig("there are too many kinds of results for a table")
    return dict(sorted(chances.items(), key=lambda pair: _order(pair[0])))


def _order(kind: Kind) -> Any:
    """The place of a kind in the table: the same seed draws the same, however it was solved."""
    return kind.result is not None, kind.result or 0, repr(kind[1:])


def _listed(table: Tally) -> Iterator[tuple[Number, Fraction]]:
    for number, (n, d) in table.points:
        yield number, Fraction(n, d)
    for slope, const, series in table.parts:
        for value, chance in series.items() if not series.is_infinite else _until_little_left(series):
            yield normalize_number(slope * value + const), chance


def _until_little_left(series: GeneratingFunction) -> Iterator[tuple[int, Fraction]]:
    """An endless series up to where less is left than a draw could tell; the last term has it."""
    reach = 64
    while reach <= MOST_TERMS:
        terms = series.items(series.minimum + reach)
        left = series.mass - sum((chance for _, chance in terms), Fraction(0))
        if left * SCALE < 1:
            (value, chance) = terms.pop()
            yield from terms
            yield value, chance + left
            return
        reach *= 2
    raise TooBig("a distribution without end falls too slowly to be listed")
