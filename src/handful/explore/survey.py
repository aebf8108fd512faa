"""Surveys one check: odds, curves, spread, every difficulty, and its command line.

The explorer page requests it at each step of a slider, so everything is in one answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

from handful import odds as exact
from handful.errors import Refused, TooBig
from handful.explore.figures import Figure, default_measure, fraction_text, measure
from handful.odds import Odds
from handful.odds.figures import Number
from handful.odds.listing import window
from handful.records import record
from handful.roll import BoundCheck, bind
from handful.roll.formatting import format_command
from handful.rules.name_resolution import resolve_parameters
from handful.rules.params import Param
from handful.rules.ruleset import Check, Ruleset
from handful.solver.solver import BUDGET, SolvedRules

Curve = tuple[Number, Fraction, Fraction, Fraction]  # value, chance of exactly, at least, at most


@record(eq=False)
class Survey:
    """The odds of a check with its curves, and its success at every difficulty."""

    odds: Odds
    bound: BoundCheck
    policy: str
    rungs: tuple[tuple[str, Figure], ...]

    @property
    def curves(self) -> list[Curve]:
        """Each value with its three chances; the tail of an endless list counts as more."""
        above = sum(self.odds.distribution.values(), Fraction(0))
        above += self.odds.tail.probability if self.odds.tail else 0
        below, rows = Fraction(0), []
        for value, chance in self.odds.distribution.items():
            below += chance
            rows.append((value, chance, above, below))
            above -= chance
        return rows

    @property
    def deviation(self) -> float | None:
        """Standard deviation; of an endless list, that of its listed part."""
        mass = sum(self.odds.distribution.values(), Fraction(0))
        mean = self.odds.mean
        if mean is None or not mass:
            return None
        square = sum(
            (chance * (value - mean) ** 2 for value, chance in self.odds.distribution.items()), Fraction(0)
        )
        return sqrt(square / mass)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of `handful odds --json` with those of the survey."""
        first, last = window([chance for _, chance, _, _ in self.curves])
        shows = default_measure(self.odds)
        return {
            **self.odds.to_dict(),
            "shows": shows,
            "figure": fraction_text(measure(shows, self.odds)),
            "curves": [[_json_number(value), *map(str, rest)] for value, *rest in self.curves],
            "window": [first, last],
            "deviation": self.deviation,
            "rungs": [[name, fraction_text(figure)] for name, figure in self.rungs],
            "command": format_command(self.bound, self.policy),
        }


def _json_number(value: Number) -> Any:
    return value if isinstance(value, int) else str(value)


def survey(
    rules: Ruleset,
    check_name: str,
    sides: Sequence[Mapping[str, Any]] = (),
    params: Mapping[str, Any] | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    policy: str = "usual",
    budget: int = BUDGET,
    solved: SolvedRules | None = None,
) -> Survey:
    """Survey a check: its odds, and its success at every difficulty of the ladder."""
    given = params or {}
    bound = bind(rules, check_name, sides, given, options)
    own = SolvedRules.of(rules, solved)
    found = exact.odds(bound, policy=policy, budget=budget, solved=own)

    def at(goals: Mapping[str, Any]) -> Figure:
        """Return the success with other goals."""
        one = bind(rules, check_name, sides, goals, options)
        return measure("success", exact.odds(one, policy=policy, budget=budget, solved=own))

    return Survey(found, bound, policy, tuple(_rungs(rules, bound.check, given, at)))


def _rungs(rules: Ruleset, check: Check, given: Mapping[str, Any], at: Any) -> Any:
    """Yield each difficulty with its success; None if it is refused or too big."""
    ladder = _ladder(check)
    if ladder is None:
        return
    typed = resolve_parameters(rules, check, given)
    others = {name: value for name, value in typed.items() if name != ladder.name}
    bare = {name: value for name, value in others.items() if not _is_goal(check, name)}
    for rung in rules.ladder:
        yield rung, _first(at, ({**others, ladder.name: rung}, {**bare, ladder.name: rung}))


def _ladder(check: Check) -> Param | None:
    """Return the difficulty parameter, if it applies to the whole check."""
    found = next((one for one in check.params.values() if one.type == "ladder"), None)
    return found if found and (check.sides is None or found.whole) else None


def _is_goal(check: Check, name: str) -> bool:
    """Return whether a parameter is a goal as a number: the rules take it or a difficulty."""
    return check.params[name].unit == check.main


def _first(at: Any, tries: Sequence[Mapping[str, Any]]) -> Figure:
    for goals in tries:
        try:
            return at(goals)  # type: ignore[no-any-return]
        except TooBig:
            return None
        except Refused:
            continue
    return None
