"""Adds up the solver's outcomes into figures.

Only here are generating functions expanded; an infinite distribution is listed until little is left.
Invariant: sums are kept as integers over a common denominator; fractions are created at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import ceil, lcm, log
from typing import NamedTuple

from handful.errors import Message, Refused, TooBig
from handful.odds.figures import Distribution, Number, Success, Tail
from handful.rules.operators import Value, describe_value, is_number, normalize_number
from handful.solver.generating_function import ZERO, GeneratingFunction, point_mass
from handful.solver.linear import Linear
from handful.solver.solver import Outcome

MAX_LISTED = 1024  # values of an infinite distribution; the rest is its tail
TAIL_INVERSE = 1_000_000  # an infinite distribution is listed until its tail is below 1 / this

Share = tuple[int, int]  # a probability: numerator and denominator, not reduced
Part = tuple[Number, Number, GeneratingFunction]  # a random number: slope * K + constant
NO_SHARE: Share = (0, 1)


def total(shares: Iterable[Share]) -> Fraction:
    """Return the sum of probabilities."""
    terms = list(shares)
    over = common([d for _, d in terms])
    return Fraction(sum([n * (over // d) for n, d in terms]), over)


def common(scales: list[int]) -> int:
    """Return a common denominator; usually the largest one."""
    largest = max(scales, default=1)
    for scale in scales:
        if largest % scale:
            return lcm(*scales)
    return largest


def _times(number: Number, share: Share) -> Share:
    return share[0] * number.numerator, share[1] * number.denominator


class OutcomeTally:
    """Accumulates outcomes, field by field."""

    def __init__(self, main: str, spend: Callable[[int], None] = lambda work: None) -> None:
        self.main, self.spend = main, spend
        self.points: list[tuple[Number, Share]] = []
        self.parts: list[Part] = []
        self.event_shares: dict[str, list[Share]] = {}
        self.won: list[list[Share]] | None = None
        self.tied: list[Share] = [NO_SHARE]
        self.successes: list[list[Share]] | None = None
        self.distribution = Distribution({}, 1)
        self.tail: Tail | None = None
        self.several = False
        self._listed = False

    def add(self, outcome: Outcome) -> None:
        """Add one outcome of the solver."""
        factor, series = outcome.weight
        fields = dict(outcome.fields)
        main, success, wins = fields.get(self.main), fields.get("success"), fields.get("wins")
        if not factor.numerator or not all(series):
            return
        is_random = isinstance(main, Linear)
        if not is_random or success is not None or wins is not None or outcome.events:
            n, d = factor.numerator, factor.denominator
            for one in series:
                more, over = one.mass_ratio
                n, d = n * more, d * over
            share = (n, d)
            self.add_share(success, wins, outcome.events, share)
            if main is not None and not is_random:
                if not isinstance(main, bool) and not is_number(main):
                    raise Refused(Message("odds.no_number", value=describe_value(main)))
                self.points.append((main, share))
        if isinstance(main, Linear):
            self._add_random(main, factor, series)

    def add_share(self, success: Value, wins: Value, events: frozenset[str], share: Share) -> None:
        """Add the probability of an outcome to what its fields other than the main one say."""
        for name in events:
            self.event_shares.setdefault(name, []).append(share)
        self._add_success(success, share)
        self._add_wins(wins, share)

    def _add_success(self, success: Value, share: Share) -> None:
        if success is None:
            return
        self.several = isinstance(success, tuple)
        booleans = success if self.several else (success,)
        self.successes = self.successes or [[NO_SHARE] for _ in booleans]
        for place, holds in enumerate(booleans):
            if holds:
                self.successes[place].append(share)

    def _add_wins(self, wins: Value, share: Share) -> None:
        if wins is None:
            return
        self.won = self.won or [[NO_SHARE] for _ in wins]
        for place, holds in enumerate(wins):
            if holds:
                self.won[place].append(share)
        if len(wins) > 1 and not any(wins):
            self.tied.append(share)

    def _add_random(self, value: Linear, factor: Fraction, series: tuple[GeneratingFunction, ...]) -> None:
        if len(value.slopes) > 1:
            self._add_sum(value, factor, series)
            return
        ((variable, slope),) = value.slopes
        for place, one in enumerate(series if len(series) > 1 else ()):
            if place != variable:
                factor *= one.mass
        self.parts.append((slope, value.const, series[variable].scaled(factor)))

    def _add_sum(self, value: Linear, factor: Fraction, series: tuple[GeneratingFunction, ...]) -> None:
        """Add a sum of several random variables: enumerate the shortest one."""
        sizes = [
            (series[variable].is_infinite, len(series[variable].numerator), variable)
            for variable, _ in value.slopes
        ]
        is_infinite, _, variable = min(sizes)
        if is_infinite:
            raise TooBig(Message("odds.endless_difference"))
        slopes = dict(value.slopes)
        slope = slopes.pop(variable)
        work = 20 + sum([len(one.numerator) for one in series])
        for number, chance in series[variable].items():
            self.spend(work)
            rest = value.with_terms(slopes, value.const + slope * number)
            parts = (*series[:variable], point_mass(0), *series[variable + 1 :])
            if isinstance(rest, Linear):
                self._add_random(rest, factor * chance, parts)
                continue
            mass = factor * chance
            for one in parts:
                mass *= one.mass
            self.points.append((rest, (mass.numerator, mass.denominator)))

    # -- figures

    def success(self) -> Success:
        if self.successes is None:
            return None
        chances = tuple(total(shares) for shares in self.successes)
        return chances if self.several else chances[0]

    def events(self) -> dict[str, Fraction]:
        return {name: total(shares) for name, shares in self.event_shares.items()}

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
        """Return the probability that there is a main result at all."""
        shares = [share for _, share in self.points]
        return total(shares + [series.mass_ratio for _, _, series in self.parts])

    def list_distribution(self) -> tuple[Distribution, Tail | None]:
        """Return the distribution in ascending order; an infinite one with the tail that is not listed."""
        if not self._listed:
            self.distribution, self.tail = self._list()
            self._listed = True
        return self.distribution, self.tail

    def _list(self) -> tuple[Distribution, Tail | None]:
        finite = [part for part in self.parts if not part[2].denominator]
        if len(finite) == len(self.parts):
            return combine(self.points, [listed_part(*part) for part in finite]), None
        infinite = self._infinite_parts()
        mass = self.mass()
        length = max([_listed_length(series) for _, _, series in infinite])
        while True:
            expanded = [listed_part(*part) for part in finite]
            complete: Number | None = None  # all values below this have their full weight
            for slope, const, series in infinite:
                num, scale = series.expand(series.minimum + length)
                expanded.append(ListedPart(slope, const, series.minimum, num, scale))
                end = slope * (series.minimum + length) + const
                complete = end if complete is None else min(complete, end)
            assert complete is not None
            trial = combine(self.points, expanded)
            if shortest := _trimmed(trial, mass, normalize_number(complete), length >= MAX_LISTED):
                return shortest
            length *= 2

    def _infinite_parts(self) -> list[Part]:
        """Return the parts with infinite support; parts with the same slope and constant are merged."""
        merged: dict[tuple[Number, Number], GeneratingFunction] = {}
        for slope, const, series in self.parts:
            if not series.denominator:
                continue
            if slope < 0:
                raise TooBig(Message("odds.no_lower_end"))
            if const and not const % slope:
                series, const = series.shifted(int(const / slope)), 0
            merged[slope, const] = merged.get((slope, const), ZERO).plus(series)
        return [(slope, const, series) for (slope, const), series in merged.items()]


def _listed_length(series: GeneratingFunction) -> int:
    """Return a first guess of how many values of an endless series have to be listed."""
    factor, times = series.denominator[0]
    length = 8 + len(series.numerator) + len(factor)
    if times == 1 and 0 < -factor[-1] < factor[0]:  # each repetition is so much less likely
        repetitions = log(TAIL_INVERSE) / log(factor[0] / -factor[-1])
        length += (len(factor) - 1) * ceil(min(repetitions, MAX_LISTED))
    return length


class ListedPart(NamedTuple):
    """A random number slope * K + const, with the weights of K = minimum, minimum + 1, … over a scale."""

    slope: Number
    const: Number
    minimum: int
    weights: list[int]
    scale: int


def listed_part(slope: Number, const: Number, series: GeneratingFunction) -> ListedPart:
    return ListedPart(slope, const, series.minimum, series.numerator, series.scale)


def combine(points: list[tuple[Number, Share]], parts: list[ListedPart]) -> Distribution:
    """Return constants and random numbers as one distribution.

    Values are counted in multiples of one fraction (`grain`), so that they too stay integers until the end.
    """
    if len(parts) == 1 and not points and parts[0][:2] == (1, 0):
        _, _, minimum, num, scale = parts[0]
        return Distribution({v: w for v, w in enumerate(num, minimum) if w}, scale)
    scale = common([d for _, (_, d) in points] + [part.scale for part in parts])
    grain = lcm(*[value.denominator for value, _ in points])
    for slope, const, _, _, _ in parts:
        grain = lcm(grain, slope.denominator, const.denominator)
    weights: dict[int, int] = {}
    for constant, (n, d) in points:
        value = int(constant * grain)
        weights[value] = weights.get(value, 0) + n * (scale // d)
    for slope, const, minimum, num, own_scale in parts:
        step, by = int(slope * grain), scale // own_scale
        first = step * minimum + int(const * grain)
        values = range(first, first + step * len(num), step)
        own_weights = {value: weight * by for value, weight in zip(values, num, strict=True) if weight}
        if weights.keys().isdisjoint(own_weights):
            weights.update(own_weights)
            continue
        for value, weight in own_weights.items():
            weights[value] = weights.get(value, 0) + weight
    ascending = sorted(weights)
    if grain == 1:
        if ascending != list(weights):
            weights = {value: weights[value] for value in ascending}
        return Distribution(weights, scale)  # type: ignore[arg-type]
    return Distribution({normalize_number(Fraction(v, grain)): weights[v] for v in ascending}, scale)


def _trimmed(
    trial: Distribution, mass: Fraction, complete: Number, forced: bool
) -> tuple[Distribution, Tail] | None:
    """Return the shortest list whose tail is negligible; None if it is too short and not `forced`."""
    scale = lcm(trial.scale, mass.denominator)
    by = scale // trial.scale
    left = mass.numerator * (scale // mass.denominator)
    listed: dict[Number, int] = {}
    for value, weight in trial.weights.items():
        if value >= complete:
            break
        if left * TAIL_INVERSE < scale:
            return Distribution(listed, trial.scale), Tail(value, Fraction(left, scale))
        listed[value] = weight
        left -= weight * by
    if not forced:
        return None
    return Distribution(listed, trial.scale), Tail(complete, Fraction(left, scale))
