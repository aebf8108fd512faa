"""A rule compiled for arguments of one kind, and the parts of outcomes that its function returns.

Invariant: a function returns None for arguments of another kind, and parts that add up to one otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from handful.rules.codegen.source import NotCompilable
from handful.solver.compiled.packed_fields import Part
from handful.solver.compiled.result_templates import RandomNumber, ResultTemplate, RuntimeValue

Number = int | Fraction
NO_EVENTS: frozenset[str] = frozenset()


class OutcomeParts(NamedTuple):
    """An outcome of a compiled rule: its template, the run-time values in it, its events, its parts."""

    template: ResultTemplate
    key: tuple[Any, ...]
    events: frozenset[str]
    parts: list[Part]

    def field(self, name: str) -> Any:
        """Return the value of a field, None if there is none; a random number as its template."""
        for own, value in self.template.fields:
            if own == name:
                if type(value) is RuntimeValue:
                    return self.key[value.position]
                return value if type(value) is not tuple else tuple(_filled(one, self.key) for one in value)
        return None


def _filled(value: Any, key: tuple[Any, ...]) -> Any:
    return key[value.position] if type(value) is RuntimeValue else value


class Specialization:
    """A rule compiled for arguments of one kind."""

    def __init__(self, compiler: Any) -> None:
        self.compiler, self.source = compiler, compiler.source
        self.templates: list[ResultTemplate] = compiler.templates
        self.solve = self.source.compile_function()
        self.work = self.source.size
        self.plain_slope = self._plain_slope()
        self._sweeps: dict[str, Callable[..., Any] | None] = {}  # by the argument that varies

    def outcomes(self, out: Mapping[Any, list[Part]]) -> list[OutcomeParts]:
        """Return what the function found as outcomes."""
        found = []
        for key, parts in out.items():
            if type(key) is int:
                template = self.templates[key]
                found.append(OutcomeParts(template, (), template.events, parts))
            else:
                template, events = self.templates[key[0]], key[-1]
                events = template.events if events is None else template.events | events
                found.append(OutcomeParts(template, key, events, parts))
        return found

    def _plain_slope(self) -> Number | None:
        """Return the slope of the result if it is one random number without events; else None."""
        slopes = set()
        for template in self.templates:
            value = template.fields[0][1] if len(template.fields) == 1 else None
            if type(value) is not RandomNumber or template.placeholders or template.events or value.const:
                return None
            slopes.add(value.slope)
        return slopes.pop() if len(slopes) == 1 else None

    def sweep(self, argument: str) -> Callable[..., Any] | None:
        """Return the function that solves the rule for many values of an argument; None if there is none."""
        if argument not in self._sweeps:
            from handful.solver.compiled.sweep import compile_sweep  # imported late: only tables need it

            try:
                self._sweeps[argument] = compile_sweep(self, argument)
            except NotCompilable:
                self._sweeps[argument] = None
        return self._sweeps[argument]


def result_slope(outcomes: list[OutcomeParts]) -> Number:
    """Return the slope of the single numeric field of some outcomes; 1 if it is constant."""
    for outcome in outcomes:
        ((_, value),) = outcome.template.fields
        if type(value) is RandomNumber:
            slope: Number = abs(value.slope)
            return slope
    return 1


def number_parts(outcome: OutcomeParts, slope: Number) -> list[Part]:
    """Return the parts of the single numeric field, as multiples of `slope`."""
    ((_, value),) = outcome.template.fields
    if type(value) is RuntimeValue:
        value = outcome.key[value.position]
    if type(value) is int and slope == 1:
        return [(1, value, n, d) for _, _, n, d in outcome.parts]
    if type(value) is RandomNumber and value.slope == slope and value.const == 0:
        return outcome.parts
    raise NotCompilable
