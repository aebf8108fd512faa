"""What a simulation has counted, as figures with their errors.

An error is half the width of the interval that covers the exact figure in 95 of 100 simulations.
For chances it is that of Agresti and Coull, which stays honest where something happened never or
always: of a thousand rolls without a success one may not conclude that there is none.
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
DEVIATIONS = 1.959963984540054  # standard deviations of a normal distribution that hold 95 %


@dataclass(frozen=True, slots=True)
class Estimate:
    """How often something happened, its share of all rolls, and the error of that share."""

    count: int
    chance: float
    error: float


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of the results, and its error; None where there was one result only.

    How far results lie apart cannot be told from one of them.
    """

    value: float
    error: float | None


def estimate(count: int, of: int) -> Estimate:
    """The share of `count` rolls among `of` rolls."""
    squared = DEVIATIONS**2
    centre = (count + squared / 2) / (of + squared)
    error = DEVIATIONS * sqrt(centre * (1 - centre) / (of + squared))
    return Estimate(count, count / of, error)


@dataclass(frozen=True)
class Simulation:
    """Many rolls of one check: how many there were of each kind.

    `method` is `table` for draws from the exact odds, `dice` for rolls thrown die by die.
    `exact` has the exact odds, None where the check is too big for them.
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
        """How often the check succeeded; with several reactors one estimate for each."""
        for kind in self.kinds:
            if isinstance(kind.success, tuple):
                return self._truths("success", len(kind.success))
        if all(kind.success is None for kind in self.kinds):
            return None
        return self._share(sum(n for kind, n in self.kinds.items() if kind.success is True))

    @cached_property
    def wins(self) -> tuple[Estimate, ...] | None:
        """How often each side won; None where there are no sides."""
        sides = [len(kind.wins) for kind in self.kinds if kind.wins is not None]
        return self._truths("wins", sides[0]) if sides else None

    @cached_property
    def tie(self) -> Estimate | None:
        """How often nobody won; None where there are no sides."""
        if self.wins is None:
            return None
        ties = [
            n
            for kind, n in self.kinds.items()
            if kind.wins is not None and len(kind.wins) > 1 and not any(kind.wins)
        ]
        return self._share(sum(ties))

    @cached_property
    def distribution(self) -> Mapping[Number, Estimate]:
        """How often each main result came out, ascending."""
        counts: dict[Number, int] = {}
        for kind, n in self.kinds.items():
            if kind.result is not None:
                counts[kind.result] = counts.get(kind.result, 0) + n
        return {value: self._share(counts[value]) for value in sorted(counts)}

    @cached_property
    def mean(self) -> Mean | None:
        """The mean of the main results; None where there were none."""
        counts = [(float(value), one.count) for value, one in self.distribution.items()]
        rolls = sum(n for _, n in counts)
        if not rolls:
            return None
        mean = sum(value * n for value, n in counts) / rolls
        if rolls == 1:
            return Mean(mean, None)
        spread = sum((value - mean) ** 2 * n for value, n in counts) / (rolls - 1)
        return Mean(mean, DEVIATIONS * sqrt(spread / rolls))

    @cached_property
    def events(self) -> Mapping[str, Estimate]:
        """How often each event happened; those that never did are listed if they can happen."""
        counts = dict.fromkeys(self.exact.events if self.exact else (), 0)
        for kind, n in self.kinds.items():
            for name in kind.events:
                counts[name] = counts.get(name, 0) + n
        return {name: self._share(counts[name]) for name in sorted(counts)}

    def _truths(self, name: str, places: int) -> tuple[Estimate, ...]:
        counts = [0] * places
        for kind, n in self.kinds.items():
            for place, truth in enumerate(getattr(kind, name) or ()):
                counts[place] += n if truth else 0
        return tuple(map(self._share, counts))

    def _share(self, count: int) -> Estimate:
        return estimate(count, self.count)

    def figures(self) -> dict[str, Any]:
        """What was counted, as it stands in JSON; chances are shares of rolls, not exact."""
        fields: dict[str, Any] = {
            "count": self.count,
            "seed": self.seed,
            "method": self.method,
            "confidence": CONFIDENCE,
            "success": _shown(self.success),
        }
        if self.wins is not None:
            fields["wins"] = _shown(self.wins)
            fields["tie"] = _shown(self.tie)
        fields["distribution"] = [
            [value if isinstance(value, int) else str(value), _shown(one)]
            for value, one in self.distribution.items()
        ]
        fields["mean"] = _shown(self.mean)
        fields["events"] = {name: _shown(one) for name, one in self.events.items()}
        return fields

    def to_dict(self) -> dict[str, Any]:
        """The fields of `handful simulate --json`."""
        exact = None
        if self.exact is not None:
            names = ("success", "wins", "tie", "distribution", "tail", "mean", "events")
            solved = self.exact.to_dict()
            exact = {name: solved[name] for name in names if name in solved}
        asked = {} if self.bound is None else describe_check(self.bound)
        return {**self.figures(), "exact": exact, "policy": dict(self.policy), **asked}


def _shown(figure: Any) -> Any:
    if isinstance(figure, (Estimate, Mean)):
        return asdict(figure)
    return None if figure is None else [_shown(one) for one in figure]
