"""Classifies finished rolls by result, success, wins and events.

Rolls are classified as arrays: each gets an integer code, and only distinct codes become `Kind` values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from handful.odds import Number
from handful.rules.operators import normalize_number
from handful.simulate.values import Array, Booleans, Numbers

MAX_CODE = 1 << 40  # codes are compacted before they could overflow


class Kind(NamedTuple):
    """Result, success, wins and events that rolls of one kind have in common."""

    result: Number | None
    success: bool | tuple[bool, ...] | None
    wins: tuple[bool, ...] | None
    events: tuple[str, ...]


class FinishedRolls(NamedTuple):
    """Rolls that ended at the same instruction: their indices and vectorized values."""

    rolls: NDArray[np.intp]
    fields: Mapping[str, Any]
    events: Mapping[str, Any]


class RollKinds(NamedTuple):
    """The kind of each roll: `rows` has its index into `kinds`, in the order of the rolls."""

    kinds: list[Kind]
    rows: Array | NDArray[np.int32]

    def counts(self) -> dict[Kind, int]:
        counts = np.bincount(self.rows, minlength=len(self.kinds)).tolist()
        return {kind: n for kind, n in zip(self.kinds, counts, strict=True) if n}


def classify(groups: Sequence[FinishedRolls], rolls: int, main: str) -> RollKinds:
    """Classify finished rolls by kind."""
    kind_indices: dict[Kind, int] = {}
    rows = np.zeros(rolls, np.int64)
    for group in groups:
        value = group.fields.get(main), group.fields.get("success"), group.fields.get("wins")
        events = sorted(group.events.items())
        codes = _codes([*_arrays(value), *_arrays(tuple(happened for _, happened in events))])
        first_rolls: Any = [0]
        inverse: Any = 0
        if codes is not None:
            _, first_rolls, inverse = np.unique(codes, return_index=True, return_inverse=True)
        indices = []
        for index in first_rolls:
            happened = tuple(name for name, flags in events if _at(flags, index))
            kind = Kind._make((*_at(value, index), happened))
            indices.append(kind_indices.setdefault(kind, len(kind_indices)))
        rows[group.rolls] = np.array(indices)[inverse]
    return RollKinds(list(kind_indices), rows)


def _arrays(value: Any) -> Iterator[Array]:
    if isinstance(value, Numbers):
        yield np.unique(value.numerators, return_inverse=True)[1]
    elif isinstance(value, Booleans):
        yield value.flags.astype(np.int64)
    elif isinstance(value, tuple):
        for entry in value:
            yield from _arrays(entry)


def _codes(columns: Sequence[Array]) -> Array | None:
    """Return one code per roll; codes are equal exactly if all columns are."""
    codes, largest = None, 1
    for column in columns:
        size = int(column.max()) + 1
        if codes is not None and largest * size > MAX_CODE:
            codes = np.unique(codes, return_inverse=True)[1]
            largest = int(codes.max()) + 1
        codes = column if codes is None else codes * size + column
        largest *= size
    return codes


def _at(value: Any, index: int) -> Any:
    """Return the value of one roll."""
    if isinstance(value, Numbers):
        return normalize_number(Fraction(int(value.numerators[index]), value.denominator))
    if isinstance(value, Booleans):
        return bool(value.flags[index])
    return tuple(_at(entry, index) for entry in value) if isinstance(value, tuple) else value
