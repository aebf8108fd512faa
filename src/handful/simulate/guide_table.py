"""Guide table of a solved check: draws rolls from its exact distribution.

Every kind of roll gets its share of 2**64 integers, so its probability is exact to within 2**-64, which no
number of rolls could detect.  A draw takes 16 bits, which index the guide; only where a bucket is shared
by several kinds, 48 more bits decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np
from numpy.random import Generator

from handful.errors import Message, TooBig
from handful.odds import Number, Odds, solve_odds
from handful.odds.best import BestPolicy
from handful.odds.continuation import tally_odds, wanted_fields
from handful.odds.tally import OutcomeTally
from handful.roll import BoundCheck, start
from handful.rules.operators import normalize_number
from handful.simulate.outcomes import Kind, RollKinds
from handful.solver.generating_function import GeneratingFunction
from handful.solver.solver import BUDGET, Outcome, SolvedRules, Solver

SCALE = 1 << 64
BUCKETS = 1 << 16
BATCH = 1 << 16  # draws at once: the arrays fit into the processor's cache
MAX_KINDS = 1 << 20
MAX_TERMS = 4096  # of an infinite distribution


class GuideTable:
    """Draws kinds of rolls by their exact probabilities."""

    def __init__(self, chances: dict[Kind, Fraction]) -> None:
        shares_by_kind = {kind: p.numerator * SCALE // p.denominator for kind, p in chances.items()}
        self.kinds = [kind for kind, share in shares_by_kind.items() if share]
        shares = [shares_by_kind[kind] for kind in self.kinds]
        # Rounding down leaves less than one integer per kind; the most likely kind gets them.
        shares[shares.index(max(shares))] += SCALE - sum(shares)
        ends = list(accumulate(shares))[:-1]
        width = SCALE // BUCKETS
        self._ends = np.array(ends, np.uint64)
        full = np.array([-(-end // width) for end in ends], np.int64)
        self._guide = np.searchsorted(full, np.arange(BUCKETS), side="right").astype(np.int32)
        self._guide[[end // width for end in ends if end % width]] = -1

    def draw(self, count: int, rng: Generator) -> RollKinds:
        """Return single draws, in order."""
        rows = np.empty(count, np.int32)
        for first in range(0, count, BATCH):
            self._fill(rows[first : first + BATCH], rng)
        return RollKinds(self.kinds, rows)

    def counts(self, count: int, rng: Generator) -> dict[Kind, int]:
        """Return the counts of the draws that `draw` returns for the same generator."""
        totals = np.zeros(len(self.kinds), np.int64)
        rows = np.empty(min(count, BATCH), np.int32)
        for first in range(0, count, BATCH):
            batch = rows[: count - first]
            self._fill(batch, rng)
            totals += np.bincount(batch, minlength=len(self.kinds))
        return {kind: n for kind, n in zip(self.kinds, totals.tolist(), strict=True) if n}

    def _fill(self, rows: Any, rng: Generator) -> None:
        buckets = rng.integers(0, BUCKETS, len(rows), np.uint16)
        np.take(self._guide, buckets, out=rows, mode="clip")
        (unsure,) = np.nonzero(rows < 0)
        if len(unsure):
            fine = rng.integers(0, SCALE // BUCKETS, len(unsure), np.uint64)
            exact = (buckets[unsure].astype(np.uint64) << np.uint64(48)) | fine
            rows[unsure] = np.searchsorted(self._ends, exact, side="right")


def solve_table(
    check: BoundCheck, policy: str, budget: int = BUDGET, solved: SolvedRules | None = None
) -> tuple[Odds, GuideTable | None]:
    """Return the exact odds of a check, and its guide table if all kinds of rolls can be listed."""
    # Never use compiled rules here: whether there is a table must not depend on earlier queries.
    solver_policy = "usual" if policy == "best" else policy
    own = SolvedRules.of(check.ruleset, solved)
    solver = Solver(own, check.options, solver_policy, budget)
    if policy == "best":
        outcomes = BestPolicy(check, solver).outcomes(start(check))
        exact = tally_odds(check, solver, outcomes, policy)
    else:
        exact = solve_odds(solver, check, None, policy)
        # The table needs the joint distribution; there is none if the figures had to be solved separately.
        solver.reset(budget)
        try:
            outcomes = solver.solve_rule(check.check.name, check.args, wanted_fields(check))
        except TooBig:
            return exact, None
    try:
        return exact, GuideTable(kind_probabilities(outcomes, check.check.main))
    except TooBig:
        return exact, None


def kind_probabilities(outcomes: list[Outcome], main: str) -> dict[Kind, Fraction]:
    """Return every kind of roll with its probability."""
    chances: dict[Kind, Fraction] = {}
    tallies: dict[Any, OutcomeTally] = {}
    for outcome in outcomes:
        fields = dict(outcome.fields)
        key = fields.get("success"), fields.get("wins"), tuple(sorted(outcome.events))
        if fields.get(main) is not None:
            tallies.setdefault(key, OutcomeTally(main)).add(outcome)
        elif mass := prod((one.mass for one in outcome.weight.series), start=outcome.weight.factor):
            kind = Kind(None, *key)
            chances[kind] = chances.get(kind, Fraction(0)) + mass
    for key, tally in tallies.items():
        for value, chance in _list_values(tally):
            kind = Kind(value, *key)
            chances[kind] = chances.get(kind, Fraction(0)) + chance
            if len(chances) > MAX_KINDS:
                raise TooBig(Message("simulation.too_many_results"))
    return dict(sorted(chances.items(), key=lambda pair: _sort_key(pair[0])))


def _sort_key(kind: Kind) -> Any:
    """Sort key of a kind, so that a seed draws the same rolls however the check was solved."""
    return kind.result is not None, kind.result or 0, repr(kind[1:])


def _list_values(tally: OutcomeTally) -> Iterator[tuple[Number, Fraction]]:
    for number, (n, d) in tally.points:
        yield number, Fraction(n, d)
    for slope, const, series in tally.parts:
        for value, chance in series.items() if not series.is_infinite else _truncate(series):
            yield normalize_number(slope * value + const), chance


def _truncate(series: GeneratingFunction) -> Iterator[tuple[int, Fraction]]:
    """Truncate an infinite series where its tail is below 2**-64; the last term includes the tail."""
    length = 64
    while length <= MAX_TERMS:
        terms = series.items(series.minimum + length)
        tail = series.mass - sum((chance for _, chance in terms), Fraction(0))
        if tail * SCALE < 1:
            (value, chance) = terms.pop()
            yield from terms
            yield value, chance + tail
            return
        length *= 2
    raise TooBig(Message("simulation.falls_too_slowly"))
