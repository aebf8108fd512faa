"""Emits the results of a compiled rule: for each outcome, the parts of its probability.

Hides how outcomes are keyed: a template index and the run-time values (`result_templates`).
Invariant: every path through the function adds exactly one part, with the path's probability.
"""

from __future__ import annotations

from typing import Any

from handful.rules.codegen.source import NotCompilable, Operation
from handful.rules.operators import Value
from handful.rules.program import EVENTS, Env, Record, Result
from handful.solver.compiled.combining import convolve_variables, emit_extremes, map_numbers, staged_numbers
from handful.solver.compiled.result_templates import RandomNumber, ResultTemplate, RuntimeValue
from handful.solver.compiled.scope import PackedSeries
from handful.solver.compiled.staged import StagedDie, StagedEnumeration, StagedNumber
from handful.solver.compiled.values import StagedRecord, ValueEmitter
from handful.solver.states import boolean_positions
from handful.solver.symbolic_pool import SymbolicPool

OUT = "out"  # the function's parameter that collects the parts of outcomes


class ResultEmitter(ValueEmitter):
    """Emits outcomes; every path to the same outcome adds one part."""

    def __init__(self) -> None:
        super().__init__()
        self.templates: list[ResultTemplate] = []
        self._template_index: dict[Any, int] = {}
        self.constant_templates: set[str] = set()  # templates without run-time values

    def finish(self) -> None:
        """Emit the first and the last lines of the function."""
        indices = sorted(self.constant_templates, key=int)
        for index in indices:
            self.source.line(f"if p{index}: out[{index}] = p{index}", OUT)
        self.source.line(f"return {OUT}")
        self.source.operations[:0] = [Operation(f"p{index} = []", (f"p{index}",)) for index in indices]

    def emit_result(self, step: Result, env: Env) -> None:
        values: tuple[Value, ...] = tuple(expr.value(env) for _, expr in step.fields)
        found = list(staged_numbers(values))
        emit_extremes(self, found)
        used = {variable for number in found for variable, _ in number.variables}
        if len(used) > 1:
            widest = max(found, key=lambda number: len(number.variables))
            change = convolve_variables(self, widest, found) if len(widest.variables) == len(used) else None
            if change is None:
                raise StagedEnumeration(min(used))
            values = map_numbers(values, change)
            used = {variable for number in staged_numbers(values) for variable, _ in number.variables}
        self._emit_outcome([name for name, _ in step.fields], values, used, env[EVENTS])

    def _chance(self, used: set[int]) -> tuple[str, str]:
        """Return numerator and denominator of the path's probability, without the variables `used`."""
        factors = list(self.scope.factors)
        for variable in list(self.scope.series):
            if variable not in used and variable in self.scope.partial:
                factors.append(self.mass(variable))
        number = " * ".join(n for n, _ in factors) or "1"
        over = " * ".join(d for _, d in factors if d != "1")
        return number, over

    def _part(self, variable: int | None, by: str, used: set[int]) -> str:
        """Return the expression of a part: a series moved `by`, weighted with the path's probability."""
        if variable is None:
            number, over = self._chance(used)
            return f"(1, {by}, {number}, {over or '1'})"
        series = self.scope.series[variable]
        if isinstance(series, PackedSeries):
            number, over = self._chance(used)
            low = " + ".join(one for one in (series.low, by) if one != "0") or "0"
            return (
                f"({series.packed}, {low}, {number}, {f'{series.scale} * {over}' if over else series.scale})"
            )
        name = self.series_local(variable)
        number, over = self._chance(used)
        shifted = name if by == "0" else f"{name}.shifted({by})"
        return f"({shifted}, 0, {number}, {over or '1'})"

    def _emit_outcome(
        self, names: list[str], values: tuple[Value, ...], used: set[int], events: frozenset[str]
    ) -> None:
        shift: Value = 0
        by = "0"
        if used:
            first = next(staged_numbers(values))
            shift = self._shift(first)
            by = self.text(shift)
        part = self._part(next(iter(used), None), by, used)
        parts = [""]  # template index, then the run-time values
        fields = tuple(
            (name, self._field_template(value, shift, parts))
            for name, value in zip(names, values, strict=True)
        )
        parts[0] = str(self._add_template(ResultTemplate(fields, events, bool(used), len(parts) - 1)))
        events_text = "".join(f", *{name}" for name in self.scope.event_locals)
        key = ", ".join([*parts, f"frozenset(({events_text[2:]},))" if events_text else "None"])
        if len(parts) == 1 and not events_text:
            self.constant_templates.add(parts[0])
            self.source.line(f"p{parts[0]}.append({part})", f"p{parts[0]}")
        else:
            self.source.line(f"add_part({OUT}, ({key}), {part})", OUT)

    def _add_template(self, template: ResultTemplate) -> int:
        key = template, boolean_positions(template.fields)
        if key not in self._template_index:
            self._template_index[key] = len(self.templates)
            self.templates.append(template)
        return self._template_index[key]

    def _shift(self, number: StagedNumber) -> Value:
        """Return the shift of the variable that makes the number a multiple of it."""
        ((_, slope),) = number.variables
        if abs(slope) != 1 or any(name not in self.integers for name, _ in number.locals):
            return 0
        if type(number.const) is not int:
            return 0
        offset = StagedNumber(self, (), number.locals, number.const)
        return offset.scaled(slope) if number.locals or number.const else 0

    def _field_template(self, value: Value, shift: Value, parts: list[str]) -> Any:
        if isinstance(value, StagedNumber):
            number = value.normalized()
            if not number.variables:
                return self._runtime_value(number, parts)
            ((_, slope),) = number.variables
            const = StagedNumber(self, (), number.locals, number.const)
            moved = const.add(shift.scaled(-slope) if isinstance(shift, StagedNumber) else -slope * shift)
            return RandomNumber(slope, self._runtime_value(moved, parts))
        if isinstance(value, StagedRecord) or id(value) in self.list_locals:
            parts.append(self.text(value))
            return RuntimeValue(len(parts) - 1)
        if type(value) is tuple:
            return tuple(self._field_template(part, shift, parts) for part in value)
        if isinstance(value, Record):
            return Record((n, self._field_template(part, shift, parts)) for n, part in value.items())
        if isinstance(value, (SymbolicPool, StagedDie)):
            raise NotCompilable
        return value

    def _runtime_value(self, number: Any, parts: list[str]) -> Any:
        if not isinstance(number, StagedNumber):
            return number
        if not number.locals:
            return number.const
        parts.append(number.text())
        return RuntimeValue(len(parts) - 1)
