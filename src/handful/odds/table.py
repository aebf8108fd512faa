"""Adds up the solver's outcomes into figures.

Only here are series spelt out: a distribution without end is listed until little is left.
"""

from __future__ import annotations

from fractions import Fraction

from handful.errors import TooBig
from handful.odds.figures import Number, Success, Tail
from handful.rules.functions import Value, plain
from handful.solver.numbers import Unknown
from handful.solver.series import NOTHING, Series, point
from handful.solver.solver import Outcome

MOST_LISTED = 1024  # values of an endless distribution; the rest is its tail
REST = Fraction(1, 1_000_000)  # an endless distribution is listed until less than this is left


class Table:
    """Adds up outcomes, field by field."""

    def __init__(self, main: str) -> None:
        self.main = main
        self.points: dict[Number, Fraction] = {}
        self.spread: dict[tuple[Number, Number], Series] = {}  # (slope, const) -> series
        self.events: dict[str, Fraction] = {}
        self.wins: list[Fraction] | None = None
        self.tie = Fraction(0)
        self.successes: list[Fraction] | None = None
        self.several = False

    def add(self, outcome: Outcome) -> None:
        factor, series, _ = outcome.weight
        mass = factor
        for one in series:
            mass *= one.mass
        if not mass:
            return
        fields = dict(outcome.fields)
        for name in outcome.events:
            self.events[name] = self.events.get(name, Fraction(0)) + mass
        self._add_success(fields.get("success"), mass)
        self._add_wins(fields.get("wins"), mass)
        self._add_main(fields.get(self.main), factor, series, mass)

    def _add_success(self, success: Value, mass: Fraction) -> None:
        if success is None:
            return
        truths = success if isinstance(success, tuple) else (success,)
        self.several = isinstance(success, tuple)
        self.successes = self.successes or [Fraction(0)] * len(truths)
        for place, truth in enumerate(truths):
            self.successes[place] += mass if truth else 0

    def _add_wins(self, wins: Value, mass: Fraction) -> None:
        if wins is None:
            return
        self.wins = self.wins or [Fraction(0)] * len(wins)
        for place, truth in enumerate(wins):
            self.wins[place] += mass if truth else 0
        if len(wins) > 1 and not any(wins):
            self.tie += mass

    def _add_main(
        self, value: Value, factor: Fraction, series: tuple[Series, ...], mass: Fraction
    ) -> None:
        if value is None:
            return
        if not isinstance(value, Unknown):
            self.points[value] = self.points.get(value, Fraction(0)) + mass
            return
        if len(value.slopes) > 1:
            self._add_part_by_part(value, factor, series, mass)
            return
        ((axis, slope),) = value.slopes
        for place, one in enumerate(series):
            if place != axis:
                factor *= one.mass
        own = series[axis].scaled(factor)
        key: tuple[Number, Number] = (slope, value.const)
        if value.const and not value.const % slope:
            own, key = own.shifted(int(value.const / slope)), (slope, 0)
        self.spread[key] = self.spread.get(key, NOTHING).plus(own)

    def _add_part_by_part(
        self, value: Unknown, factor: Fraction, series: tuple[Series, ...], mass: Fraction
    ) -> None:
        """A sum of several numbers: one of them is taken value by value."""
        sizes = [(series[axis].endless, len(series[axis].num), axis) for axis, _ in value.slopes]
        endless, _, axis = min(sizes)
        if endless:
            raise TooBig("the difference of two endless numbers cannot be listed")
        slopes = dict(value.slopes)
        slope = slopes.pop(axis)
        for number, chance in series[axis].items():
            rest = value.over(slopes, value.const + slope * number)
            parts = (*series[:axis], point(0), *series[axis + 1 :])
            self._add_main(rest, factor * chance, parts, mass)

    def success(self) -> Success:
        if self.successes is None:
            return None
        return tuple(self.successes) if self.several else self.successes[0]

    def mean(self) -> Fraction | None:
        mass = sum(self.points.values(), Fraction(0))
        total = sum((v * p for v, p in self.points.items()), Fraction(0))
        for (slope, const), series in self.spread.items():
            mass += series.mass
            total += slope * series.moment + const * series.mass
        return total / mass if mass else None

    def listed(self) -> tuple[dict[Number, Fraction], Tail | None]:
        """The distribution, ascending; an endless one up to where little is left."""
        found = dict(self.points)
        endless = [key for key, series in self.spread.items() if series.endless]
        for key, series in self.spread.items():
            if key not in endless:
                _list(found, key, series, None)
        if not endless:
            return {v: found[v] for v in sorted(found) if found[v]}, None
        if any(slope < 0 for slope, _ in endless):
            raise TooBig("a main result without a lower end cannot be listed")
        whole_mass = sum(self.points.values(), Fraction(0)) + sum(
            (series.mass for series in self.spread.values()), Fraction(0)
        )
        reach = 32
        while True:
            trial = dict(found)
            for key in endless:
                series = self.spread[key]
                _list(trial, key, series, series.lo + reach)
            known = min(
                key[0] * (self.spread[key].lo + reach) + key[1] for key in endless
            )  # every value below is complete
            trial = {v: trial[v] for v in sorted(trial) if trial[v] and v < known}
            if shortest := _trimmed(trial, whole_mass):
                return shortest
            if reach >= MOST_LISTED:
                left = whole_mass - sum(trial.values(), Fraction(0))
                return trial, Tail(plain(known), left)
            reach *= 2


def _list(
    found: dict[Number, Fraction], key: tuple[Number, Number], series: Series, below: int | None
) -> None:
    slope, const = key
    for value, chance in series.items(below):
        shown_value = plain(slope * value + const)
        found[shown_value] = found.get(shown_value, Fraction(0)) + chance


def _trimmed(
    trial: dict[Number, Fraction], mass: Fraction
) -> tuple[dict[Number, Fraction], Tail] | None:
    """The shortest list that leaves less than REST over, if it is long enough for that."""
    left = mass
    kept: dict[Number, Fraction] = {}
    for value, chance in trial.items():
        if left < REST:
            return kept, Tail(value, left)
        kept[value] = chance
        left -= chance
    return None
