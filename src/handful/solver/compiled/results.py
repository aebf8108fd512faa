"""The end of a written rule: what the function notes there."""

from __future__ import annotations

from typing import Any

from handful.rules.codegen.source import Unwritten
from handful.rules.operators import Value
from handful.rules.program import EVENTS, Env, Record, Result
from handful.solver.compiled.combining import changed, forms, join, settle_extremes
from handful.solver.compiled.result_slots import Noted, Site, Spread
from handful.solver.compiled.scope import Upper
from handful.solver.compiled.staged import Form, Number, Spelt
from handful.solver.compiled.values import RecordToken, Scribe
from handful.solver.states import boolean_positions
from handful.solver.symbolic_pool import SymbolicPool


class Results(Scribe):
    """Notes outcomes: each way to the same one is a part of its chance."""

    def __init__(self) -> None:
        super().__init__()
        self.sites: list[Site] = []
        self._places: dict[Any, int] = {}  # of the sites
        self.counters: set[str] = set()  # sites at which nothing but a chance is noted
        self.sink: tuple[str, Number] | None = None  # where a called rule's number goes

    def finish(self) -> None:
        """Write the first and the last lines of the function."""
        counters = sorted(self.counters, key=int)
        for site in counters:
            self.page.line(f"if p{site}: out[{site}, None] = p{site}")
        self.page.line("return out")
        self.page.lines[1:1] = [f"    p{site} = []" for site in counters]

    def result(self, step: Result, env: Env) -> None:
        values: tuple[Value, ...] = tuple(expr.value(env) for _, expr in step.fields)
        found = list(forms(values))
        settle_extremes(self, found)
        used = {axis for form in found for axis, _ in form.axes}
        if len(used) > 1:
            widest = max(found, key=lambda form: len(form.axes))
            change = join(self, widest, found) if len(widest.axes) == len(used) else None
            if change is None:
                raise Spelt(min(used))
            values = changed(values, change)
            used = {axis for form in forms(values) for axis, _ in form.axes}
        if self.sink is None:
            self._note([name for name, _ in step.fields], values, used, env[EVENTS])
        else:
            self._pour(*self.sink, values[0], used)

    def _chance(self, used: set[int]) -> str:
        """Numerator and denominator of what has been decided, but for the axes that are used."""
        factors = list(self.path.factors)
        for axis in self.path.series:
            if axis not in used and axis in self.path.partial:
                factors.append(self._mass(axis))
        number = " * ".join(n for n, _ in factors) or "1"
        over = " * ".join(d for _, d in factors) or "1"
        return f"{number}, {over}"

    def _pour(self, sink: str, slope: Number, value: Value, used: set[int]) -> None:
        """A called rule has come to its result, a number: one more part of how that is spread."""
        chance = self._chance(used)
        if not used:
            if slope != 1:
                raise Unwritten
            self.page.line(f"{sink}.append((point({self.text(value)}), {chance}))")
            return
        form = next(forms(value))
        ((axis, own),) = form.axes
        if own != slope or (slope != 1 and (form.locals or form.const)):
            raise Unwritten
        known = Form(self, (), form.locals, form.const)
        by = f".shifted({known.text()})" if form.locals or form.const else ""
        self.page.line(f"{sink}.append(({self.series(axis)}{by}, {chance}))")

    def _note(
        self, names: list[str], values: tuple[Value, ...], used: set[int], events: frozenset[str]
    ) -> None:
        series, chance = "None", self._chance(used)
        shift: Value = 0
        if used:
            first = next(forms(values))
            series, shift = self.series(next(iter(used))), self._shift(first)
            if isinstance(shift, Form) or shift:
                series = f"{series}.shifted({self.text(shift)})"
        note = [""]
        fields = tuple(
            (name, self._template(value, shift, note)) for name, value in zip(names, values, strict=True)
        )
        note[0] = str(self._site(Site(fields, events, bool(used), len(note) - 1)))
        told = "".join(f", *{name}" for name in self.path.told)
        key = ", ".join([*note, f"frozenset(({told[2:]},))" if told else "None"])
        if len(note) == 1 and not told:
            self.counters.add(note[0])
            self.page.line(f"p{note[0]}.append(({series}, {chance}))")
        else:
            self.page.line(f"put(out, ({key}), {series}, {chance})")

    def _site(self, site: Site) -> int:
        key = site, boolean_positions(site.fields)
        if key not in self._places:
            self._places[key] = len(self.sites)
            self.sites.append(site)
        return self._places[key]

    def _mass(self, axis: int) -> tuple[str, str]:
        held = self.path.series[axis]
        n, d = self.page.fresh("w"), self.page.fresh("w")
        if isinstance(held, Upper):
            of = "1" if held.is_total else held.series
            self.page.line(f"{n}, {d} = rest({of}, {held.lower})")
        else:
            self.page.line(f"{n}, {d} = mass({held})")
        return n, d

    def _shift(self, form: Form) -> Value:
        """By how much the axis is moved so that the number is a multiple of it."""
        ((_, slope),) = form.axes
        if abs(slope) != 1 or any(name not in self.whole for name, _ in form.locals):
            return 0
        if type(form.const) is not int:
            return 0
        known = Form(self, (), form.locals, form.const)
        return known.scaled(slope) if form.locals or form.const else 0

    def _template(self, value: Value, shift: Value, note: list[str]) -> Any:
        if isinstance(value, Form):
            form = value.settled()
            if not form.axes:
                return self._noted(form, note)
            ((_, slope),) = form.axes
            const = Form(self, (), form.locals, form.const)
            moved = const.add(shift.scaled(-slope) if isinstance(shift, Form) else -slope * shift)
            return Spread(slope, self._noted(moved, note))
        if isinstance(value, RecordToken) or id(value) in self.texts:
            note.append(self.text(value))
            return Noted(len(note) - 1)
        if type(value) is tuple:
            return tuple(self._template(part, shift, note) for part in value)
        if isinstance(value, Record):
            return Record((n, self._template(part, shift, note)) for n, part in value.items())
        if isinstance(value, SymbolicPool):
            raise Unwritten
        return value

    def _noted(self, form: Any, note: list[str]) -> Any:
        if not isinstance(form, Form):
            return form
        if not form.locals:
            return form.const
        note.append(form.text())
        return Noted(len(note) - 1)
