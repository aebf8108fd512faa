"""Figures of a simulation with their errors.

An error is half the width of the 95% confidence interval.  For chances it is the interval of Agresti and
Coull, which stays sensible for events that never or always happened: a thousand rolls without a success do
not show that success is impossible.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from math import sqrt
from typing import Any

from handful.odds import Number, Odds, describe_check
from handful.roll import BoundCheck
from handful.simulate.outcomes import Kind

CONFIDENCE = "95%"
Z_95 = 1.959963984540054  # 95% of a normal distribution lie within so many standard deviations


@dataclass(frozen=True, slots=True)
class Estimate:
    """Number of rolls in which something happened, its relative frequency, and the error of that."""

    count: int
    chance: float
    error: float


@dataclass(frozen=True, slots=True)
class Mean:
    """Mean of the results, and its error; None for a single result, which has no sample variance."""

    value: float
    error: float | None


def estimate(count: int, of: int) -> Estimate:
    """Return the relative frequency of `count` rolls among `of` rolls, with its error."""
    squared = Z_95**2
    centre = (count + squared / 2) / (of + squared)
    error = Z_95 * sqrt(centre * (1 - centre) / (of + squared))
    return Estimate(count, count / of, error)


@dataclass(frozen=True)
class Simulation:
    """Counts of simulated rolls of one check, by kind.

    `method` is `table` for draws from the exact odds, `dice` for rolls thrown die by die.
    `exact` holds the exact odds, None if the check is too big for them.
    """

    count: int
    seed: int
    method: str
    kinds: Mapping[Kind, int] = field(repr=False)
    policy: Mapping[str, str]
    exact: Odds | None = field(default=None, repr=False)
    bound: BoundCheck | None = field(default=None, repr=False, compare=False)

    @cached_property
    def success(self) -> Estimate | tuple[Estimate, ...] | None:
        """Estimate the chance of success; with several reactors, one estimate each."""
        for kind in self.kinds:
            if isinstance(kind.success, tuple):
                return self._estimate_each("success", len(kind.success))
        if all(kind.success is None for kind in self.kinds):
            return None
        return self._estimate(sum(n for kind, n in self.kinds.items() if kind.success is True))

    @cached_property
    def wins(self) -> tuple[Estimate, ...] | None:
        """Estimate each side's chance to win; None for a check without sides."""
        sides = [len(kind.wins) for kind in self.kinds if kind.wins is not None]
        return self._estimate_each("wins", sides[0]) if sides else None

    @cached_property
    def tie(self) -> Estimate | None:
        """Estimate the chance of a tie; None for a check without sides."""
        if self.wins is None:
            return None
        ties = [
            n
            for kind, n in self.kinds.items()
            if kind.wins is not None and len(kind.wins) > 1 and not any(kind.wins)
        ]
        return self._estimate(sum(ties))

    @cached_property
    def distribution(self) -> Mapping[Number, Estimate]:
        """Estimate the chance of each main result, in ascending order."""
        counts: dict[Number, int] = {}
        for kind, n in self.kinds.items():
            if kind.result is not None:
                counts[kind.result] = counts.get(kind.result, 0) + n
        return {value: self._estimate(counts[value]) for value in sorted(counts)}

    @cached_property
    def mean(self) -> Mean | None:
        """Estimate the mean of the main results; None if there were none."""
        counts = [(float(value), one.count) for value, one in self.distribution.items()]
        rolls = sum(n for _, n in counts)
        if not rolls:
            return None
        mean = sum(value * n for value, n in counts) / rolls
        if rolls == 1:
            return Mean(mean, None)
        variance = sum((value - mean) ** 2 * n for value, n in counts) / (rolls - 1)
        return Mean(mean, Z_95 * sqrt(variance / rolls))

    @cached_property
    def events(self) -> Mapping[str, Estimate]:
        """Estimate the chance of each event; one that never happened is listed if the exact odds have it."""
        counts = dict.fromkeys(self.exact.events if self.exact else (), 0)
        for kind, n in self.kinds.items():
            for name in kind.events:
                counts[name] = counts.get(name, 0) + n
        return {name: self._estimate(counts[name]) for name in sorted(counts)}

    def _estimate_each(self, name: str, count: int) -> tuple[Estimate, ...]:
        counts = [0] * count
        for kind, n in self.kinds.items():
            for place, flag in enumerate(getattr(kind, name) or ()):
                counts[place] += n if flag else 0
        return tuple(map(self._estimate, counts))

    def _estimate(self, count: int) -> Estimate:
        return estimate(count, self.count)

    def figures(self) -> dict[str, Any]:
        """Return the counted figures as JSON data; chances are relative frequencies."""
        fields: dict[str, Any] = {
            "count": self.count,
            "seed": self.seed,
            "method": self.method,
            "confidence": CONFIDENCE,
            "success": _to_json(self.success),
        }
        if self.wins is not None:
            fields["wins"] = _to_json(self.wins)
            fields["tie"] = _to_json(self.tie)
        fields["distribution"] = [
            [value if isinstance(value, int) else str(value), _to_json(one)]
            for value, one in self.distribution.items()
        ]
        fields["mean"] = _to_json(self.mean)
        fields["events"] = {name: _to_json(one) for name, one in self.events.items()}
        return fields

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of `handful simulate --json`."""
        exact = None
        if self.exact is not None:
            names = ("success", "wins", "tie", "distribution", "tail", "mean", "events")
            solved = self.exact.to_dict()
            exact = {name: solved[name] for name in names if name in solved}
        check_fields = {} if self.bound is None else describe_check(self.bound)
        return {**self.figures(), "exact": exact, "policy": dict(self.policy), **check_fields}


def _to_json(figure: Any) -> Any:
    if isinstance(figure, (Estimate, Mean)):
        return asdict(figure)
    return None if figure is None else [_to_json(one) for one in figure]
