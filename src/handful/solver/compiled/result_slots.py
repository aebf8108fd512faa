"""Where a written rule ends: how an outcome is put together from what the function noted."""

from __future__ import annotations

from typing import Any, NamedTuple

from handful.rules.operators import normalize_number
from handful.rules.program import Record
from handful.solver.linear import BranchContext, Linear

DESK = BranchContext()  # numbers of outcomes are moved to the desk of whoever reads them


class Noted(NamedTuple):
    """A value that the function notes, by its place in the note."""

    place: int


class Spread(NamedTuple):
    """A number on the outcome's axis; its constant may be noted."""

    slope: Any
    const: Any


class Site(NamedTuple):
    """The fields of a result, with places for what is noted; `spread` if one of them is open."""

    fields: tuple[tuple[str, Any], ...]
    events: frozenset[str]
    spread: bool
    notes: int  # how many values are noted

    def filled(self, note: tuple[Any, ...]) -> tuple[tuple[str, Any], ...]:
        return tuple([(name, _filled(part, note)) for name, part in self.fields])


def _filled(part: Any, note: tuple[Any, ...]) -> Any:
    kind = type(part)
    if kind is Spread:
        const = note[part.const.place] if type(part.const) is Noted else part.const
        return Linear(DESK, ((0, part.slope),), normalize_number(const))
    if kind is Noted:
        return note[part.place]
    if kind is tuple:
        return tuple([_filled(one, note) for one in part])
    if kind is Record:
        return Record((name, _filled(one, note)) for name, one in part.items())
    return part
