"""Rules that compiled code calls at run time, and the distribution of their result.

A called rule is compiled by itself, once for all who call it; what cannot be compiled is interpreted.
Invariant: the slope and the kind of its result were found with a sample, and are checked in each call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.rules.codegen.source import NotCompilable
from handful.rules.operators import is_number
from handful.rules.program import Record
from handful.solver.compiled.compiled_rule import CompiledRule
from handful.solver.compiled.packed_fields import Packed, Part, finite, mixture, series_mixture
from handful.solver.compiled.run import Run
from handful.solver.compiled.specialization import NO_EVENTS, Number, number_parts, result_slope
from handful.solver.generating_function import GeneratingFunction, point_mass
from handful.solver.linear import Linear
from handful.solver.states import Outcome
from handful.solver.weights import ONE

CALL_PRICE = 20  # units of work
_MEMOIZED = (int, bool, str, type(None))  # types of arguments with which a call is memoized


class CalledRule:
    """A rule with one wanted field, as compiled code calls it."""

    def __init__(self, rule: CompiledRule, sample: Record | None, run: Run) -> None:
        self.rule, self.is_open = rule, False
        self.slope: Number = 1
        self._samples(sample, run)

    def _samples(self, sample: Record | None, run: Run) -> None:
        """Find slope and kind of the result by a sample of the arguments."""
        if sample is None:
            return
        found = self.rule.solve(run, sample)
        if found is None:
            outcomes = run.interpret(self.rule.name, sample, self.rule.wanted, set())
            self.slope = _interpreted_slope(outcomes)
            series = _distributions(outcomes, self.slope).values()
            self.is_open = any(bool(one.denominator) for one in series)
        else:
            one, out = found
            self.slope = result_slope(one.outcomes(out))
            self.is_open = any(type(part[0]) is not int for parts in out.values() for part in parts)

    def packed(self, run: Run, args: Mapping[str, Any]) -> Packed:
        """Return the distribution of a rule without events."""
        if run.memo is None or not all(type(value) in _MEMOIZED for value in args.values()):
            ((_, parts),) = self._parts(run, args).items()
            return mixture(run, parts)
        key = self, run.width, *args.values(), *map(type, args.values())
        if key not in run.memo:
            outer, run.decided = run.decided, set()
            ((_, parts),) = self._parts(run, args).items()
            run.remember(key, (mixture(run, parts), run.decided))
            run.decided = outer
        answer, decided = run.memo[key]
        run.decided |= decided
        return answer  # type: ignore[no-any-return]

    def series(self, run: Run, args: Mapping[str, Any]) -> GeneratingFunction:
        """Return the distribution of a rule without events as a series that may be endless."""
        ((_, parts),) = self._parts(run, args).items()
        return series_mixture(run, parts)

    def by_events(self, run: Run, args: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Return the events with which the rule may end, each with its part of the distribution."""
        if self.is_open:
            return [(events, series_mixture(run, parts)) for events, parts in self._parts(run, args).items()]
        return [(events, *mixture(run, parts)) for events, parts in self._parts(run, args).items()]

    def _parts(self, run: Run, args: Mapping[str, Any]) -> dict[frozenset[str], list[Part]]:
        run.spend(CALL_PRICE)
        found = self.rule.solve(run, args)
        if found is None:
            outcomes = run.interpret(self.rule.name, Record(args), self.rule.wanted, run.decided)
            return {
                events: [_part(run, series)]
                for events, series in _distributions(outcomes, self.slope).items()
            }
        one, out = found
        if one.plain_slope == self.slope and len(out) == 1:
            ((_, only),) = out.items()
            return {NO_EVENTS: only}
        parts: dict[frozenset[str], list[Part]] = {}
        for outcome in one.outcomes(out):
            own = number_parts(outcome, self.slope)
            parts[outcome.events] = parts[outcome.events] + own if outcome.events in parts else own
        return parts or {NO_EVENTS: []}


def _part(run: Run, series: GeneratingFunction) -> Part:
    if series.denominator:
        return series, 0, 1, 1
    packed, low, scale = finite(run, series)
    return packed, low, 1, scale


# -- results of the interpreter


def _interpreted_slope(outcomes: list[Outcome]) -> Number:
    for outcome in outcomes:
        ((_, value),) = outcome.fields
        if isinstance(value, Linear):
            slope: Number = value.slopes[0][1]
            return slope if slope > 0 else -slope
    return 1


def _distributions(outcomes: list[Outcome], slope: Number) -> dict[frozenset[str], GeneratingFunction]:
    """Return the distribution of the single numeric field as a multiple of `slope`, by events."""
    found: dict[frozenset[str], GeneratingFunction] = {}
    for outcome in outcomes:
        series = _distribution(outcome, slope)
        before = found.get(outcome.events)
        found[outcome.events] = series if before is None else before.plus(series)
    return found


def _distribution(outcome: Outcome, slope: Number) -> GeneratingFunction:
    ((_, value),) = outcome.fields
    factor, all_series = outcome.weight
    if is_number(value) and value % slope == 0:
        for one in all_series:
            factor *= one.mass
        return point_mass(int(value / slope)).scaled(factor)
    if type(value) is not Linear or len(all_series) != 1 or (value.const and value.const % slope):
        raise NotCompilable
    (series,) = all_series
    if value.slopes == ((0, slope),) and not value.const and factor is ONE:
        return series
    if value.slopes == ((0, -slope),) and not series.denominator:
        series = series.negated()
    elif value.slopes != ((0, slope),):
        raise NotCompilable
    series = series.shifted(int(value.const / slope)) if value.const else series
    return series.scaled(factor)
