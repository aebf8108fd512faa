"""Weights of outcomes, and the symbolic numbers inside their values.

A `Weight` is a probability times one generating function per random variable of the outcome.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from handful.dice import Pool
from handful.rules.operators import Value
from handful.rules.program import Record
from handful.solver.generating_function import GeneratingFunction
from handful.solver.linear import Linear
from handful.solver.symbolic_pool import SymbolicPool, to_symbolic_pool

ONE = Fraction(1)


class Weight(NamedTuple):
    """Probability of an outcome: a factor, and the generating functions of its random variables."""

    factor: Fraction
    series: tuple[GeneratingFunction, ...]

    @property
    def work(self) -> int:
        """Return the work of handling these series once, in units of the budget."""
        return sum([one.work for one in self.series])


def substitute(value: Value, change: Callable[[Linear], Value]) -> Value:
    """Return a value with its symbolic numbers replaced, and pools as symbolic pools."""
    kind = type(value)
    if kind is int or kind is str or kind is bool:
        return value
    if kind is Linear:
        return change(value)
    if isinstance(value, SymbolicPool):
        counts = tuple((r, substitute(n, change)) for r, n in value.counts)
        statistics = {statistic: substitute(number, change) for statistic, number in value.statistics.items()}
        return SymbolicPool(counts, value.throws, statistics)
    if isinstance(value, Pool):
        return to_symbolic_pool(value)
    if isinstance(value, Record):
        fields = {name: substitute(part, change) for name, part in value.items()}
        return Record(fields) if any(fields[n] is not part for n, part in value.items()) else value
    if type(value) is tuple:
        parts = tuple([substitute(part, change) for part in value])
        return parts if any(new is not old for new, old in zip(parts, value, strict=True)) else value
    return value


def add_weight(entries: list[Weight], new: Weight) -> None:
    """Add a weight to those of a state; weights that differ only in their first series are merged."""
    if not new.factor:
        return
    if not new.series:
        if entries:
            entries[0] = Weight(entries[0].factor + new.factor, ())
        else:
            entries.append(new)
        return
    for place, old in enumerate(entries):
        if all(a is b for a, b in zip(old.series[1:], new.series[1:], strict=True)):
            first = old.series[0].scaled(old.factor).plus(new.series[0].scaled(new.factor))
            entries[place] = Weight(Fraction(1), (first, *old.series[1:]))
            return
    entries.append(new)
