"""Odds of a check as exact figures, and as the fields of `handful odds --json`.

Hides that most figures are computed lazily, on first access.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from operator import mul
from typing import Any, Protocol

from handful.records import record
from handful.roll import BoundCheck, why_impossible
from handful.rules.params import display_value

Number = int | Fraction
Success = Fraction | tuple[Fraction, ...] | None


_set = object.__setattr__
_LAZY_FIGURES = ("success", "mean", "events", "wins", "tie")
_LISTED = ("distribution", "tail")
_ANSWER_FIGURES = {"answers": None, "answer_means": None, "answers_left_out": 0, "best": None}
COMPARED = (*_LAZY_FIGURES, *_LISTED, "policy", *_ANSWER_FIGURES)


class Distribution(Mapping[Number, Fraction]):
    """Values with their probabilities, in ascending order: integer weights over one denominator.

    >>> Distribution({0: 1, 1: 2}, 3)[1]
    Fraction(2, 3)
    """

    __slots__ = ("scale", "weights")

    def __init__(self, weights: dict[Number, int], scale: int) -> None:
        self.weights, self.scale = weights, scale

    def __getitem__(self, value: Number) -> Fraction:
        return Fraction(self.weights[value], self.scale)

    def __iter__(self) -> Iterator[Number]:
        return iter(self.weights)

    def __len__(self) -> int:
        return len(self.weights)

    def __repr__(self) -> str:
        return repr(dict(self))

    def mean(self) -> Fraction | None:
        """Return the mean of the listed values."""
        mass = sum(self.weights.values())
        if not mass:
            return None
        return Fraction(sum(map(mul, self.weights, self.weights.values())), mass)


@record()
class Tail:
    """The part of an infinite distribution that is not listed: the chance of `start` or more."""

    start: Number
    probability: Fraction


class LazyFigures(Protocol):
    """Figures that `Odds` computes on first access."""

    def list_distribution(self) -> tuple[Distribution, Tail | None]: ...
    def success(self) -> Success: ...
    def mean(self) -> Fraction | None: ...
    def events(self) -> Mapping[str, Fraction]: ...
    def wins(self) -> tuple[Fraction, ...] | None: ...
    def tie(self) -> Fraction | None: ...


class Odds:
    """Exact odds of a check.  Figures are computed on first access; the object is immutable."""

    __slots__ = (
        "_describe_policy",
        "_figures",
        "answer_means",
        "answers",
        "answers_left_out",
        "best",
        "bound",
        "distribution",
        "events",
        "mean",
        "policy",
        "success",
        "tail",
        "tie",
        "wins",
    )
    __hash__ = None  # type: ignore[assignment]

    success: Success
    distribution: Distribution
    mean: Fraction | None
    tail: Tail | None
    events: Mapping[str, Fraction]
    wins: tuple[Fraction, ...] | None
    tie: Fraction | None
    policy: Mapping[str, str]
    answers: Mapping[str, Success] | None
    answer_means: Mapping[str, Fraction | None] | None
    answers_left_out: int
    best: str | None
    bound: BoundCheck | None

    def __init__(
        self, figures: LazyFigures, describe_policy: Callable[[], Mapping[str, str]], bound: BoundCheck | None
    ) -> None:
        _set(self, "_figures", figures)
        _set(self, "_describe_policy", describe_policy)
        _set(self, "bound", bound)

    def __getattr__(self, name: str) -> Any:
        """Compute a figure on first access and store it."""
        if name in _LISTED:
            distribution, tail = self._figures.list_distribution()
            _set(self, "distribution", distribution)
            _set(self, "tail", tail)
            return distribution if name == "distribution" else tail
        if name in _ANSWER_FIGURES:
            value = _ANSWER_FIGURES[name]
        elif name in _LAZY_FIGURES:
            value = getattr(self._figures, name)()
        elif name == "policy":
            value = self._describe_policy()
        else:
            raise AttributeError(name)
        _set(self, name, value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("odds cannot be changed")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Odds):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in COMPARED)

    def __repr__(self) -> str:
        return f"Odds({', '.join(f'{name}={getattr(self, name)!r}' for name in COMPARED)})"

    def _repr_html_(self) -> str:
        """Render the odds for a notebook."""
        from handful.odds.listing import as_html  # imported late: only notebooks need it

        return as_html(self)

    def replace(self, **figures: Any) -> Odds:
        """Return a copy of the odds with some figures replaced."""
        copy = Odds(self._figures, self._describe_policy, self.bound)
        own = {name: getattr(self, name) for name in COMPARED}
        for name, value in (own | figures).items():
            _set(copy, name, value)
        return copy

    def at_least(self, value: Number) -> Fraction:
        """Return the chance that the main result is `value` or more."""
        total = sum(self.distribution.values(), Fraction(0))
        total += self.tail.probability if self.tail else 0
        return total - sum((p for v, p in self.distribution.items() if v < value), Fraction(0))

    def distribution_to_json(self) -> dict[str, Any]:
        """Return the distribution of the main result as JSON data."""
        fields: dict[str, Any] = {
            "distribution": [[_number(v), str(p)] for v, p in self.distribution.items()]
        }
        if self.tail is not None:
            fields["tail"] = {
                "from": _number(self.tail.start),
                "probability": str(self.tail.probability),
            }
        return fields

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of `handful odds --json`."""
        fields: dict[str, Any] = {"success": _success(self.success)}
        if self.wins is not None:
            fields["wins"] = [str(p) for p in self.wins]
            fields["tie"] = str(self.tie)
        fields |= self.distribution_to_json()
        fields["mean"] = None if self.mean is None else str(self.mean)
        fields["events"] = {name: str(p) for name, p in sorted(self.events.items())}
        fields["policy"] = dict(self.policy)
        if self.answers is not None:
            fields |= answers_to_json({name: getattr(self, name) for name in _ANSWER_FIGURES})
        if reason := self.reason:
            fields["reason"] = reason
        if self.bound is not None:
            fields |= describe_check(self.bound)
        return fields

    @property
    def reason(self) -> str:
        """Return the reason why the check cannot be made, in words; empty if it can."""
        bound = self.bound
        if bound is None or not any(self.events.get(one) for one in bound.ruleset.impossible):
            return ""
        return why_impossible(bound)


def answers_to_json(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures for each answer to a decision as JSON data."""
    fields = {
        "answers": {name: _success(p) for name, p in figures["answers"].items()},
        "best": figures["best"],
    }
    if figures["answers_left_out"]:
        fields["answers_left_out"] = figures["answers_left_out"]
    if figures["answer_means"] is not None:
        fields["answer_means"] = {
            name: None if mean is None else str(mean) for name, mean in figures["answer_means"].items()
        }
    return fields


def describe_check(bound: BoundCheck) -> dict[str, Any]:
    """Return ruleset, check, parameters and options as JSON data."""
    parameters = {name: display_value(value) for name, value in bound.args.items() if name != "sides"}
    if "sides" in bound.args:
        parameters["sides"] = [
            {name: display_value(value) for name, value in side.items() if name != "number"}
            for side in bound.args["sides"]
        ]
    return {
        "ruleset": {"id": bound.ruleset.id, "hash": bound.ruleset.hash},
        "check": bound.check.name,
        "parameters": parameters,
        "options": {name: display_value(value) for name, value in bound.options.items()},
    }


def _number(value: Number) -> Any:
    return value if isinstance(value, int) else str(value)


def _success(success: Success) -> Any:
    if isinstance(success, tuple):
        return [str(p) for p in success]
    return None if success is None else str(success)


def objective(odds: Odds, side: int) -> Fraction:
    """Return the figure that a side maximizes: chance to win, else chance of success, else the mean."""
    if odds.wins is not None and side:
        return odds.wins[side - 1]
    if isinstance(odds.success, tuple):
        return sum(odds.success, Fraction(0))
    if odds.success is not None:
        return odds.success
    return odds.mean or Fraction(0)
