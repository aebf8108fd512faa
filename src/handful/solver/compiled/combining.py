"""Emits code that combines random variables into one: sums, and the maximum or minimum of two.

Invariant: variables are combined only if every number in scope depends on their combination alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

from handful.rules.codegen.source import NotCompilable
from handful.rules.operators import Value
from handful.rules.program import Record
from handful.solver.compiled.scope import OpenSeries, PackedSeries, Series
from handful.solver.compiled.staged import StagedNumber
from handful.solver.compiled.values import ValueEmitter
from handful.solver.symbolic_pool import SymbolicPool

Change = Callable[[StagedNumber], Value]


def staged_numbers(value: Any) -> Iterator[StagedNumber]:
    """Yield the staged numbers inside a value that depend on random variables."""
    if isinstance(value, StagedNumber):
        one = value.normalized()
        if one.variables:
            yield one
    elif isinstance(value, SymbolicPool):
        for _, n in value.counts:
            yield from staged_numbers(n)
        for n in value.statistics.values():
            yield from staged_numbers(n)
    elif type(value) is tuple:
        for part in value:
            yield from staged_numbers(part)
    elif isinstance(value, Record):
        for part in value.values():
            yield from staged_numbers(part)


def map_numbers(value: Value, change: Change) -> Value:
    """Return a value with its staged numbers replaced."""
    if isinstance(value, StagedNumber):
        return change(value)
    if isinstance(value, SymbolicPool):
        counts = tuple((reading, map_numbers(n, change)) for reading, n in value.counts)
        statistics = {statistic: map_numbers(n, change) for statistic, n in value.statistics.items()}
        return SymbolicPool(counts, value.throws, statistics)
    if type(value) is tuple and any(staged_numbers(value)):
        return tuple(map_numbers(part, change) for part in value)
    if isinstance(value, Record):
        return Record((name, map_numbers(part, change)) for name, part in value.items())
    return value


def convolve_variables(
    emitter: ValueEmitter, number: StagedNumber, found: Iterable[StagedNumber]
) -> Change | None:
    """Emit the convolution of a number's variables, if all numbers `found` use only their sum.

    Returns the substitution of the new variable for the old ones, or None.
    """
    slopes, size = dict(number.variables), abs(number.variables[0][1])
    if any(abs(slope) != size for slope in slopes.values()):
        return None
    for other in found:
        own = {variable: slope for variable, slope in other.variables if variable in slopes}
        ratios = {slope / Fraction(slopes[variable]) for variable, slope in own.items()}
        if own and (len(own) != len(slopes) or len(ratios) > 1):
            return None
    new = emitter.new_variable()
    if all(isinstance(emitter.scope.series[variable], PackedSeries) for variable in slopes):
        joint: Series = _packed_product(emitter, number)
    else:
        joint = _open_product(emitter, number)
    _replace_variables(emitter, slopes, new, joint)
    first, first_slope = number.variables[0]
    sign = 1 if first_slope > 0 else -1

    def change(one: StagedNumber) -> Value:
        one = one.normalized()
        own = dict(one.variables)
        if first not in own:
            return one
        others = [(variable, slope) for variable, slope in one.variables if variable not in slopes]
        variables = tuple(sorted([*others, (new, own[first] * sign)]))
        return StagedNumber(emitter, variables, one.locals, one.const)

    return change


def _packed_product(emitter: ValueEmitter, number: StagedNumber) -> PackedSeries:
    source, factors = emitter.source, []
    for variable, slope in number.variables:
        series = emitter.packed(variable)
        if slope < 0:
            packed, low = source.fresh("s"), source.fresh("l")
            source.line(f"{packed}, {low} = negated(run, {series.packed}, {series.low})", packed, low)
            series = PackedSeries(packed, low, series.scale)
        factors.append(series)
    scale = source.assign(source.fresh("d"), " * ".join(one.scale for one in factors))
    emitter.require_width(scale)
    packed = source.assign(source.fresh("s"), " * ".join(one.packed for one in factors))
    lows = [one.low for one in factors if one.low != "0"]
    low = source.assign(source.fresh("l"), " + ".join(lows)) if len(lows) > 1 else (lows or ["0"])[0]
    return PackedSeries(packed, low, scale)


def _open_product(emitter: ValueEmitter, number: StagedNumber) -> OpenSeries:
    parts = []
    for variable, slope in number.variables:
        if slope < 0:  # only a finite variable can be negated
            series = emitter.packed(variable)
            parts.append(f"unpacked(W, *negated(run, {series.packed}, {series.low}), {series.scale})")
        else:
            parts.append(emitter.series_local(variable))
    text = f"{parts[0]}{''.join(f'.convolve({part})' for part in parts[1:])}"
    return OpenSeries(emitter.source.assign(emitter.source.fresh("s"), text))


def emit_extremes(emitter: ValueEmitter, found: list[StagedNumber]) -> None:
    """Emit the series of pending maxima and minima that are used; their operands must be unused."""
    pending, emitter.scope.pending = emitter.scope.pending, {}
    used = {variable for number in found for variable, _ in number.variables}
    inside = {variable for _, *two in pending.values() for number in two for variable, _ in number.variables}
    for variable, (which, a, b) in pending.items():
        if variable not in used | inside:
            continue  # a question came in between: the rule will ask for it again
        own = {a.variables[0][0]: 1, b.variables[0][0]: 1}
        if own.keys() & used:
            raise NotCompilable
        terms = []
        for number in (a, b):
            series = emitter.packed(number.variables[0][0])
            by = StagedNumber(emitter, (), number.locals, number.const)
            low = f"{series.low} + {by.text()}" if number.locals or number.const else series.low
            terms += [series.packed, low, series.scale]
        _replace_variables(emitter, own, variable, emitter.new_packed(f"{which}(run, {', '.join(terms)})"))


def _replace_variables(emitter: ValueEmitter, old: Iterable[int], new: int, series: Series) -> None:
    scope = emitter.scope
    if any(variable in scope.partial for variable in old):
        scope.partial |= {new}
    for variable in old:
        del scope.series[variable]
    scope.series[new] = series
