"""Adds up the solver's outcomes into figures.

Only here are series spelt out: a distribution without end is listed until little is left.
Everything is added up as whole numbers over one denominator; fractions are made at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import lcm

from handful.errors import Refused, TooBig
from handful.odds.figures import Distribution, Number, Success, Tail
from handful.rules.operators import Value, describe_value, is_number, normalize_number
from handful.solver.generating_function import ZERO, GeneratingFunction, point_mass
from handful.solver.linear import Linear
from handful.solver.solver import Outcome

MOST_LISTED = 1024  # values of an endless distribution; the rest is its tail
REST = 1_000_000  # an endless distribution is listed until less than one in so many is left

Share = tuple[int, int]  # a chance: numerator and denominator, not reduced
Part = tuple[Number, Number, GeneratingFunction]  # a spread number: slope * K + constant
LITTLE: Share = (0, 1)


def total(shares: Iterable[Share]) -> Fraction:
    """The sum of chances."""
    known = list(shares)
    over = common([d for _, d in known])
    return Fraction(sum([n * (over // d) for n, d in known]), over)


def common(scales: list[int]) -> int:
    """A denominator for all; most often the largest is one."""
    largest = max(scales, default=1)
    for scale in scales:
        if largest % scale:
            return lcm(*scales)
    return largest


def _times(number: Number, share: Share) -> Share:
    return share[0] * number.numerator, share[1] * number.denominator


class Tally:
    """Adds up outcomes, field by field."""

    def __init__(self, main: str, spend: Callable[[int], None] = lambda work: None) -> None:
        self.main, self.spend = main, spend
        self.points: list[tuple[Number, Share]] = []
        self.parts: list[Part] = []
        self.told: dict[str, list[Share]] = {}
        self.won: list[list[Share]] | None = None
        self.tied: list[Share] = [LITTLE]
        self.successes: list[list[Share]] | None = None
        self.distribution = Distribution({}, 1)
        self.tail: Tail | None = None
        self.several = False

    def add(self, outcome: Outcome) -> None:
        factor, series, _ = outcome.weight
        fields = dict(outcome.fields)
        main, success, wins = fields.get(self.main), fields.get("success"), fields.get("wins")
        if not factor.numerator or not all(series):
            return
        spread = isinstance(main, Linear)
        if not spread or success is not None or wins is not None or outcome.events:
            n, d = factor.numerator, factor.denominator
            for one in series:
                more, over = one.mass_ratio
                n, d = n * more, d * over
            share = (n, d)
            for name in outcome.events:
                self.told.setdefault(name, []).append(share)
            self._add_success(success, share)
            self._add_wins(wins, share)
            if main is not None and not spread:
                if not isinstance(main, bool) and not is_number(main):
                    raise Refused(f"the main result is {describe_value(main)}: it has no odds")
                self.points.append((main, share))
        if isinstance(main, Linear):
            self._add_spread(main, factor, series)

    def _add_success(self, success: Value, share: Share) -> None:
        if success is None:
            return
        self.several = isinstance(success, tuple)
        truths = success if self.several else (success,)
        self.successes = self.successes or [[LITTLE] for _ in truths]
        for place, truth in enumerate(truths):
            if truth:
                self.successes[place].append(share)

    def _add_wins(self, wins: Value, share: Share) -> None:
        if wins is None:
            return
        self.won = self.won or [[LITTLE] for _ in wins]
        for place, truth in enumerate(wins):
            if truth:
                self.won[place].append(share)
        if len(wins) > 1 and not any(wins):
            self.tied.append(share)

    def _add_spread(self, value: Linear, factor: Fraction, series: tuple[GeneratingFunction, ...]) -> None:
        if len(value.slopes) > 1:
            self._add_part_by_part(value, factor, series)
            return
        ((variable, slope),) = value.slopes
        for place, one in enumerate(series if len(series) > 1 else ()):
            if place != variable:
                factor *= one.mass
        self.parts.append((slope, value.const, series[variable].scaled(factor)))

    def _add_part_by_part(
        self, value: Linear, factor: Fraction, series: tuple[GeneratingFunction, ...]
    ) -> None:
        """A sum of several numbers: one of them is taken value by value."""
        sizes = [
            (series[variable].is_infinite, len(series[variable].numerator), variable)
            for variable, _ in value.slopes
        ]
        endless, _, variable = min(sizes)
        if endless:
            raise TooBig("the difference of two endless numbers cannot be listed")
        slopes = dict(value.slopes)
        slope = slopes.pop(variable)
        work = 20 + sum([len(one.numerator) for one in series])
        for number, chance in series[variable].items():
            self.spend(work)
            rest = value.with_terms(slopes, value.const + slope * number)
            parts = (*series[:variable], point_mass(0), *series[variable + 1 :])
            if isinstance(rest, Linear):
                self._add_spread(rest, factor * chance, parts)
                continue
            mass = factor * chance
            for one in parts:
                mass *= one.mass
            self.points.append((rest, (mass.numerator, mass.denominator)))

    # -- figures

    def success(self) -> Success:
        if self.successes is None:
            return None
        made = tuple(total(shares) for shares in self.successes)
        return made if self.several else made[0]

    def events(self) -> dict[str, Fraction]:
        return {name: total(shares) for name, shares in self.told.items()}

    def wins(self) -> tuple[Fraction, ...] | None:
        return None if self.won is None else tuple(total(shares) for shares in self.won)

    def tie(self) -> Fraction | None:
        return None if self.won is None else total(self.tied)

    def mean(self) -> Fraction | None:
        if self.tail is None:
            return self.distribution.mean()
        moments: list[Share] = [_times(value, share) for value, share in self.points]
        for slope, const, series in self.parts:
            moments.append(_times(slope, series.first_moment))
            if const:
                moments.append(_times(const, series.mass_ratio))
        mass = self.mass()
        return total(moments) / mass if mass else None

    def mass(self) -> Fraction:
        """The chance that there is a main result at all."""
        shares = [share for _, share in self.points]
        return total(shares + [series.mass_ratio for _, _, series in self.parts])

    def listed(self) -> tuple[Distribution, Tail | None]:
        """The distribution, ascending; an endless one up to where little is left."""
        self.distribution, self.tail = self._listed()
        return self.distribution, self.tail

    def _listed(self) -> tuple[Distribution, Tail | None]:
        finite = [part for part in self.parts if not part[2].denominator]
        if len(finite) == len(self.parts):
            return _added(self.points, [(*part, part[2].numerator) for part in finite]), None
        endless = self._without_end()
        whole = self.mass()
        reach = 8 + max([len(series.numerator) + len(series.denominator[0][0]) for _, _, series in endless])
        while True:
            spelt = [(*part, part[2].numerator) for part in finite]
            known: Number | None = None  # every value below is complete
            for slope, const, series in endless:
                num, scale = series.expand(series.minimum + reach)
                spelt.append((slope, const, GeneratingFunction(series.minimum, num, scale), num))
                end = slope * (series.minimum + reach) + const
                known = end if known is None else min(known, end)
            assert known is not None
            trial = _added(self.points, spelt)
            if shortest := _trimmed(trial, whole, normalize_number(known), reach >= MOST_LISTED):
                return shortest
            reach *= 2

    def _without_end(self) -> list[Part]:
        """The endless parts, those of one kind together."""
        together: dict[tuple[Number, Number], GeneratingFunction] = {}
        for slope, const, series in self.parts:
            if not series.denominator:
                continue
            if slope < 0:
                raise TooBig("a main result without a lower end cannot be listed")
            if const and not const % slope:
                series, const = series.shifted(int(const / slope)), 0
            together[slope, const] = together.get((slope, const), ZERO).plus(series)
        return [(slope, const, series) for (slope, const), series in together.items()]


def _added(
    points: list[tuple[Number, Share]], parts: list[tuple[Number, Number, GeneratingFunction, list[int]]]
) -> Distribution:
    """Known and spread numbers as one distribution.

    Values are multiples of one fraction, so that they too are whole numbers until the end.
    """
    if len(parts) == 1 and not points and parts[0][:2] == (1, 0):
        _, _, series, num = parts[0]
        return Distribution({v: w for v, w in enumerate(num, series.minimum) if w}, series.scale)
    scale = common([d for _, (_, d) in points] + [series.scale for _, _, series, _ in parts])
    grain = lcm(*[value.denominator for value, _ in points])
    for slope, const, _, _ in parts:
        grain = lcm(grain, slope.denominator, const.denominator)
    weights: dict[int, int] = {}
    for slope, const, series, num in parts:
        step, by = int(slope * grain), scale // series.scale
        first = step * series.minimum + int(const * grain)
        values = range(first, first + step * len(num), step)
        own = {value: weight * by for value, weight in zip(values, num, strict=True) if weight}
        if weights.keys().isdisjoint(own):
            weights.update(own)
            continue
        for value, weight in own.items():
            weights[value] = weights.get(value, 0) + weight
    for known, (n, d) in points:
        value = int(known * grain)
        weights[value] = weights.get(value, 0) + n * (scale // d)
    values_up = sorted(weights)
    if grain == 1:
        return Distribution({value: weights[value] for value in values_up}, scale)
    return Distribution({normalize_number(Fraction(v, grain)): weights[v] for v in values_up}, scale)


def _trimmed(
    trial: Distribution, whole: Fraction, known: Number, at_any_rate: bool
) -> tuple[Distribution, Tail] | None:
    """The shortest list that leaves little over, if it is long enough for that."""
    scale = lcm(trial.scale, whole.denominator)
    by = scale // trial.scale
    left = whole.numerator * (scale // whole.denominator)
    kept: dict[Number, int] = {}
    for value, weight in trial.weights.items():
        if value >= known:
            break
        if left * REST < scale:
            return Distribution(kept, trial.scale), Tail(value, Fraction(left, scale))
        kept[value] = weight
        left -= weight * by
    if not at_any_rate:
        return None
    return Distribution(kept, trial.scale), Tail(known, Fraction(left, scale))
