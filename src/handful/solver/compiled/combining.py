"""Several unknown numbers as one: sums, and the largest or smallest of two."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

from handful.rules.codegen.source import Unwritten
from handful.rules.operators import Value
from handful.rules.program import Record
from handful.solver.compiled.staged import Form
from handful.solver.compiled.values import Scribe
from handful.solver.symbolic_pool import SymbolicPool

Change = Callable[[Form], Value]


def forms(value: Any) -> Iterator[Form]:
    """The numbers inside a value, as far as they have open axes."""
    if isinstance(value, Form):
        one = value.settled()
        if one.axes:
            yield one
    elif isinstance(value, SymbolicPool):
        for _, n in value.counts:
            yield from forms(n)
        for n in value.statistics.values():
            yield from forms(n)
    elif type(value) is tuple:
        for part in value:
            yield from forms(part)
    elif isinstance(value, Record):
        for part in value.values():
            yield from forms(part)


def changed(value: Value, change: Change) -> Value:
    """The value with its numbers changed."""
    if isinstance(value, Form):
        return change(value)
    if isinstance(value, SymbolicPool):
        counts = tuple((reading, changed(n, change)) for reading, n in value.counts)
        views = {view: changed(n, change) for view, n in value.statistics.items()}
        return SymbolicPool(counts, value.throws, views)
    if type(value) is tuple and any(forms(value)):
        return tuple(changed(part, change) for part in value)
    if isinstance(value, Record):
        return Record((name, changed(part, change)) for name, part in value.items())
    return value


def join(scribe: Scribe, form: Form, found: Iterable[Form]) -> Change | None:
    """Make the sum of a form's axes one axis, if no number found needs them in another way."""
    slopes, size = dict(form.axes), abs(form.axes[0][1])
    if any(abs(slope) != size for slope in slopes.values()):
        return None
    for other in found:
        own = {axis: slope for axis, slope in other.axes if axis in slopes}
        ratios = {slope / Fraction(slopes[axis]) for axis, slope in own.items()}
        if own and (len(own) != len(slopes) or len(ratios) > 1):
            return None
    parts = []
    for axis, slope in form.axes:
        name = scribe.series(axis)
        parts.append(name if slope > 0 else f"flipped({name})")
    joint, new, path = scribe.page.fresh("s"), scribe.axis(), scribe.path
    scribe.page.line(f"{joint} = {parts[0]}{''.join(f'.convolve({part})' for part in parts[1:])}")
    _replace(scribe, slopes, new, joint)
    first, first_slope = form.axes[0]
    sign = 1 if first_slope > 0 else -1

    def change(one: Form) -> Value:
        one = one.settled()
        own = dict(one.axes)
        if first not in own:
            return one
        left = [(axis, slope) for axis, slope in one.axes if axis not in slopes]
        axes = tuple(sorted([*left, (new, own[first] * sign)]))
        return Form(scribe, axes, one.locals, one.const)

    assert path is scribe.path
    return change


def settle_extremes(scribe: Scribe, found: list[Form]) -> None:
    """Extremes that are needed get their series; the numbers they are of must be done with."""
    pending, scribe.path.pending = scribe.path.pending, {}
    used = {axis for form in found for axis, _ in form.axes}
    inside = {axis for _, *two in pending.values() for form in two for axis, _ in form.axes}
    for axis, (which, a, b) in pending.items():
        if axis not in used | inside:
            continue  # a question came in between, so it will be made again
        own = {a.axes[0][0]: 1, b.axes[0][0]: 1}
        if own.keys() & used:
            raise Unwritten
        terms = []
        for form in (a, b):
            known = Form(scribe, (), form.locals, form.const)
            terms += [scribe.series(form.axes[0][0]), known.text()]
        name = scribe.page.fresh("s")
        scribe.page.line(f"{name} = {which}({', '.join(terms)})")
        _replace(scribe, own, axis, name)


def _replace(scribe: Scribe, old: Iterable[int], new: int, series: str) -> None:
    path = scribe.path
    if any(axis in path.partial for axis in old):
        path.partial |= {new}
    for axis in old:
        del path.series[axis]
    path.series[new] = series
