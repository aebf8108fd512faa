"""Templates of a compiled rule's results: which parts are constants, and which are filled in at run time.

The compiled function returns only the run-time values; templates turn them into the fields of outcomes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from handful.rules.operators import normalize_number
from handful.rules.program import Record
from handful.solver.linear import BranchContext, Linear

CONTEXT = BranchContext()  # placeholder: `states.relocate` moves an outcome's numbers to the reader's context


class RuntimeValue(NamedTuple):
    """Placeholder for a value that the function computes, by its position in the key."""

    position: int


class RandomNumber(NamedTuple):
    """Number that depends on the outcome's random variable; its constant may be a placeholder."""

    slope: Any
    const: Any


class ResultTemplate(NamedTuple):
    """Fields of a result with placeholders; `is_random` if one of them depends on a random variable."""

    fields: tuple[tuple[str, Any], ...]
    events: frozenset[str]
    is_random: bool
    placeholders: int  # number of run-time values

    def fill(self, key: tuple[Any, ...]) -> tuple[tuple[str, Any], ...]:
        return tuple([(name, _fill(part, key)) for name, part in self.fields])


def _fill(part: Any, key: tuple[Any, ...]) -> Any:
    kind = type(part)
    if kind is RandomNumber:
        const = key[part.const.position] if type(part.const) is RuntimeValue else part.const
        return Linear(CONTEXT, ((0, part.slope),), normalize_number(const))
    if kind is RuntimeValue:
        return key[part.position]
    if kind is tuple:
        return tuple([_fill(one, key) for one in part])
    if kind is Record:
        return Record((name, _fill(one, key)) for name, one in part.items())
    return part
