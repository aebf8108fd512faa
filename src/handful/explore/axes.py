"""Parses ranges of parameters: `1..8`, `1..4/0.5`, `2D..6D`, `easy..heroic`, `cursed|lucky`, `..`.

A range becomes a list of values as typed; the parameter itself parses each of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from handful.errors import Message, Refused
from handful.records import record
from handful.rules.params import Param
from handful.rules.ruleset import Check

MOST_CELLS = 1_000_000
MOST_VALUES = 10_000  # of one parameter
DOTS, OR, STEP = "..", "|", "/"


@record()
class Axis:
    """A parameter with several values; `side` counts from 1, 0 is the whole check."""

    name: str
    side: int
    values: tuple[Any, ...]  # as typed

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(map(str, self.values))


def parse_range(param: Param, typed: Any) -> tuple[Any, ...] | None:
    """Return the values of a range; None if it is a single value."""
    if isinstance(typed, range):
        return _checked(param, list(typed))
    if isinstance(typed, (list, tuple)) and not param.separators:
        return _checked(param, list(typed))
    if not isinstance(typed, str) or not (DOTS in typed or OR in typed):
        return None
    values: list[Any] = []
    for part in typed.split(OR):
        values += _range(param, part.strip()) if DOTS in part else [part.strip()]
    return _checked(param, values)


def _checked(param: Param, values: list[Any]) -> tuple[Any, ...]:
    if not values:
        raise Refused(Message("range.empty", name=param.name))
    if len(values) > MOST_VALUES:
        raise Refused(Message("range.too_many_values", name=param.name, values=len(values), most=MOST_VALUES))
    for value in values:
        param.read(value)
    return tuple(values)


def _range(param: Param, typed: str) -> list[Any]:
    first, _, rest = typed.partition(DOTS)
    last, _, step = rest.partition(STEP)
    first, last = first.strip(), last.strip()
    names = _names(param)
    if names and not _is_number(param, first or names[0]):
        return _between(param, names, first, last)
    if param.type == "die_code":
        return _dice(param, first, last, step)
    low, high = (_number(param, one) for one in (first, last))
    by = _number(param, step) if step else Fraction(1)
    if by <= 0:
        raise Refused(Message("range.step_not_positive", name=param.name))
    if low > high:
        raise Refused(Message("range.backwards", name=param.name, first=first, last=last))
    if (high - low) / by > MOST_VALUES:
        raise Refused(Message("range.too_long", name=param.name, most=MOST_VALUES))
    return [_as_number(low + by * at) for at in range(int((high - low) // by) + 1)]


def _names(param: Param) -> list[str]:
    return [*param.values] or ([*param.ladder] if param.type == "ladder" else [])


def _is_number(param: Param, typed: str) -> bool:
    return typed.lstrip("+-").replace(".", "", 1).isdigit()


def _between(param: Param, names: Sequence[str], first: str, last: str) -> list[Any]:
    """Return the names from one to another in the game's order; an open end is the first or last."""
    ends = []
    for typed, usual in ((first, names[0]), (last, names[-1])):
        name = typed.lower().replace(" ", "_").replace("-", "_") if typed else usual
        matches = [one for one in names if one.lower().replace("-", "_") == name.replace("-", "_")]
        if not matches:
            raise Refused(Message("range.unknown_name", name=param.name, typed=typed[:40], names=names))
        ends.append(names.index(matches[0]))
    if ends[0] > ends[1]:
        raise Refused(Message("range.names_backwards", name=param.name, first=first, last=last))
    return list(names[ends[0] : ends[1] + 1])


def _dice(param: Param, first: str, last: str, step: str) -> list[Any]:
    low, high = (param.read(one) for one in (first, last))
    if step not in ("", "1", "1D"):
        raise Refused(Message("range.die_code_step", name=param.name))
    if low["pips"] != high["pips"] or low["dice"] > high["dice"]:
        raise Refused(Message("range.die_code_pips", name=param.name))
    pips = f"+{low['pips']}" if low["pips"] else ""
    return [f"{dice}D{pips}" for dice in range(low["dice"], high["dice"] + 1)]


def _number(param: Param, typed: str) -> Fraction:
    share = typed.endswith("%")
    try:
        found = Fraction(typed.rstrip("%"))
    except (ValueError, ZeroDivisionError):
        raise Refused(
            Message("range.not_a_number", name=param.name, typed=typed[:40]),
            Message("range.example", example=_example(param)),
        ) from None
    return found / 100 if share else found


def _example(param: Param) -> str:
    return "2D..6D" if param.type == "die_code" else "1..8, or 1..4/0.5"


def _as_number(value: Fraction) -> Any:
    return int(value) if value.denominator == 1 else float(value)


def split_axes(
    check: Check, sides: Sequence[Mapping[str, Any]], params: Mapping[str, Any]
) -> tuple[list[Axis], list[dict[str, Any]], dict[str, Any]]:
    """Split typed values into axes, and fixed values for each side and for the whole check."""
    axes: list[Axis] = []
    fixed: list[dict[str, Any]] = []
    for number, part in enumerate((params, *sides)):
        own: dict[str, Any] = {}
        for name, typed in part.items():
            param = check.params[name]
            values = parse_range(param, typed)
            if values is None:
                own[name] = typed
            else:
                of_a_side = check.sides is not None and not param.whole
                axes.append(Axis(name, max(number, 1) if of_a_side else number, values))
        fixed.append(own)
    return axes, fixed[1:], fixed[0]
