"""Emits the results of a compiled rule: for each outcome, the parts of its probability.

Hides how outcomes are keyed: a template index and the run-time values (`result_templates`).
Invariant: every path through the function adds exactly one part, with the path's probability.
"""

from __future__ import annotations

from typing import Any

from handful.rules.codegen.source import NotCompilable
from handful.rules.operators import Value
from handful.rules.program import EVENTS, Env, Record, Result
from handful.solver.compiled.combining import convolve_variables, emit_extremes, map_numbers, staged_numbers
from handful.solver.compiled.result_templates import RandomNumber, ResultTemplate, RuntimeValue
from handful.solver.compiled.scope import UpperPart
from handful.solver.compiled.staged import Number, StagedEnumeration, StagedNumber
from handful.solver.compiled.values import StagedRecord, ValueEmitter
from handful.solver.states import boolean_positions
from handful.solver.symbolic_pool import SymbolicPool


class ResultEmitter(ValueEmitter):
    """Emits outcomes; every path to the same outcome adds one part."""

    def __init__(self) -> None:
        super().__init__()
        self.templates: list[ResultTemplate] = []
        self._template_index: dict[Any, int] = {}
        self.constant_templates: set[str] = set()  # templates without run-time values
        self.inlined_sum: tuple[str, Number] | None = None  # list for an inlined rule's parts, and slope

    def finish(self) -> None:
        """Emit the first and the last lines of the function."""
        indices = sorted(self.constant_templates, key=int)
        for index in indices:
            self.source.line(f"if p{index}: out[{index}, None] = p{index}")
        self.source.line("return out")
        self.source.lines[1:1] = [f"    p{index} = []" for index in indices]

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
        if self.inlined_sum is None:
            self._emit_outcome([name for name, _ in step.fields], values, used, env[EVENTS])
        else:
            self._emit_inlined_part(*self.inlined_sum, values[0], used)

    def _chance(self, used: set[int]) -> str:
        """Return numerator and denominator of the path's probability, without the variables `used`."""
        factors = list(self.scope.factors)
        for variable in self.scope.series:
            if variable not in used and variable in self.scope.partial:
                factors.append(self._mass(variable))
        number = " * ".join(n for n, _ in factors) or "1"
        over = " * ".join(d for _, d in factors) or "1"
        return f"{number}, {over}"

    def _emit_inlined_part(self, parts: str, slope: Number, value: Value, used: set[int]) -> None:
        """Emit the numeric result of an inlined rule: one more part of its distribution."""
        chance = self._chance(used)
        if not used:
            if slope != 1:
                raise NotCompilable
            self.source.line(f"{parts}.append((constant_series({self.text(value)}), {chance}))")
            return
        number = next(staged_numbers(value))
        ((variable, own_slope),) = number.variables
        if own_slope != slope or (slope != 1 and (number.locals or number.const)):
            raise NotCompilable
        offset = StagedNumber(self, (), number.locals, number.const)
        by = f".shifted({offset.text()})" if number.locals or number.const else ""
        self.source.line(f"{parts}.append(({self.series(variable)}{by}, {chance}))")

    def _emit_outcome(
        self, names: list[str], values: tuple[Value, ...], used: set[int], events: frozenset[str]
    ) -> None:
        series, chance = "None", self._chance(used)
        shift: Value = 0
        if used:
            first = next(staged_numbers(values))
            series, shift = self.series(next(iter(used))), self._shift(first)
            if isinstance(shift, StagedNumber) or shift:
                series = f"{series}.shifted({self.text(shift)})"
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
            self.source.line(f"p{parts[0]}.append(({series}, {chance}))")
        else:
            self.source.line(f"add_part(out, ({key}), {series}, {chance})")

    def _add_template(self, template: ResultTemplate) -> int:
        key = template, boolean_positions(template.fields)
        if key not in self._template_index:
            self._template_index[key] = len(self.templates)
            self.templates.append(template)
        return self._template_index[key]

    def _mass(self, variable: int) -> tuple[str, str]:
        held = self.scope.series[variable]
        n, d = self.source.fresh("w"), self.source.fresh("w")
        if isinstance(held, UpperPart):
            of = "1" if held.is_total else held.series
            self.source.line(f"{n}, {d} = upper_mass({of}, {held.lower})")
        else:
            self.source.line(f"{n}, {d} = mass({held})")
        return n, d

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
        if isinstance(value, SymbolicPool):
            raise NotCompilable
        return value

    def _runtime_value(self, number: Any, parts: list[str]) -> Any:
        if not isinstance(number, StagedNumber):
            return number
        if not number.locals:
            return number.const
        parts.append(number.text())
        return RuntimeValue(len(parts) - 1)
