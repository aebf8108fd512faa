"""What comes of rolls, as far as it is counted: results, successes, victories and events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from handful.odds import Number
from handful.rules.operators import normalize_number
from handful.simulate.values import Array, Numbers, Truths

MOST_CODES = 1 << 40  # codes are made smaller before they could grow beyond an entry


class Kind(NamedTuple):
    """Rolls of one kind agree in all of this."""

    result: Number | None
    success: bool | tuple[bool, ...] | None
    wins: tuple[bool, ...] | None
    events: tuple[str, ...]


class Finished(NamedTuple):
    """Rolls that ended at the same place: which ones, and values for them all."""

    rolls: NDArray[np.intp]
    fields: Mapping[str, Any]
    events: Mapping[str, Any]


class Rows(NamedTuple):
    """For each roll, in order, which of the kinds it is."""

    kinds: list[Kind]
    rows: Array | NDArray[np.int32]

    def counts(self) -> dict[Kind, int]:
        numbers = np.bincount(self.rows, minlength=len(self.kinds)).tolist()
        return {kind: n for kind, n in zip(self.kinds, numbers, strict=True) if n}


def told_apart(lots: Sequence[Finished], rolls: int, main: str) -> Rows:
    """Finished rolls by kind."""
    places: dict[Kind, int] = {}
    rows = np.zeros(rolls, np.int64)
    for lot in lots:
        value = lot.fields.get(main), lot.fields.get("success"), lot.fields.get("wins")
        events = sorted(lot.events.items())
        codes = _codes([*_arrays(value), *_arrays(tuple(happened for _, happened in events))])
        own: Any = [0]
        inverse: Any = 0
        if codes is not None:
            _, own, inverse = np.unique(codes, return_index=True, return_inverse=True)
        numbers = []
        for place in own:
            happened = tuple(name for name, truth in events if _at(truth, place))
            kind = Kind._make((*_at(value, place), happened))
            numbers.append(places.setdefault(kind, len(places)))
        rows[lot.rolls] = np.array(numbers)[inverse]
    return Rows(list(places), rows)


def _arrays(value: Any) -> Iterator[Array]:
    if isinstance(value, Numbers):
        yield np.unique(value.top, return_inverse=True)[1]
    elif isinstance(value, Truths):
        yield value.each.astype(np.int64)
    elif isinstance(value, tuple):
        for entry in value:
            yield from _arrays(entry)


def _codes(columns: Sequence[Array]) -> Array | None:
    """One number per roll that tells apart what the columns tell apart."""
    codes, largest = None, 1
    for column in columns:
        size = int(column.max()) + 1
        if codes is not None and largest * size > MOST_CODES:
            codes = np.unique(codes, return_inverse=True)[1]
            largest = int(codes.max()) + 1
        codes = column if codes is None else codes * size + column
        largest *= size
    return codes


def _at(value: Any, place: int) -> Any:
    """The value of one roll."""
    if isinstance(value, Numbers):
        return normalize_number(Fraction(int(value.top[place]), value.bottom))
    if isinstance(value, Truths):
        return bool(value.each[place])
    return tuple(_at(entry, place) for entry in value) if isinstance(value, tuple) else value
