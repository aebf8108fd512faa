"""Values of the rule language, and the reading of what people type for parameters and options.

Numbers are `int` or `Fraction`, texts `str`, lists `tuple`, records `dict`. A die is the tuple of
what its faces read; a pool is a tuple of tosses, each with the number of its die. Values never
change once they exist, so that copies of a state may share them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

Table = Mapping[str, Any]

TRUTHS = {"yes": True, "true": True, "no": False, "false": False}
TERM = re.compile(r"[+-]?[^+-]+")
SUM = re.compile(f"({TERM.pattern})+")
DIE_CODE = re.compile(r"([+-]?\d+)d([+-]\d+)?", re.IGNORECASE)


class OracleError(Exception):
    """A rule or a reply for which the language has no answer."""


class Refusal(OracleError):
    """A check that the rules do not allow with these parameters."""


class Landed(NamedTuple):
    """One die of a pool: its number, counted over all tosses, and what it reads."""

    number: int
    reading: int


class Die(tuple[int, ...]):
    """Reading of each face of a die, in the order of the faces."""

    __slots__ = ()


class Pool(tuple[Landed, ...]):
    """Dice that have landed, in the order in which they came together."""

    __slots__ = ()


def number(value: Fraction | int) -> Fraction | int:
    """Return a whole number as an `int`."""
    return int(value) if value.denominator == 1 else value


def whole(value: Any) -> int:
    """Return a whole number, or raise."""
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)) or value.denominator != 1:
        raise OracleError(f"a whole number is needed, not {value!r}")
    return int(value)


def plain(value: Any) -> Any:
    """Return a value of a result in a form that can be hashed and compared."""
    if isinstance(value, Pool):
        return tuple(sorted(landed.reading for landed in value))
    if isinstance(value, Mapping):
        return tuple(sorted((name, plain(entry)) for name, entry in value.items()))
    if isinstance(value, tuple):
        return tuple(plain(entry) for entry in value)
    return value


def same_name(typed: str) -> str:
    """Return a name as names are compared: case, `-`, `_` and spaces make no difference."""
    return " ".join(re.split(r"[-_\s]+", typed.strip().lower()))


# -- parameters


def read_params(specs: Table, given: Table, ladder: Table) -> dict[str, Any]:
    """Return the value of each parameter, typed or by its default."""
    if unknown := set(given) - set(specs):
        raise Refusal(f"there is no parameter {sorted(unknown)}")
    return {name: _param(name, spec, given, ladder) for name, spec in specs.items()}


def _param(name: str, spec: Table, given: Table, ladder: Table) -> Any:
    if given.get(name) is not None:
        return read_value(spec, given[name], ladder)
    if "default" in spec:
        return read_value(spec, spec["default"], ladder)
    if spec.get("optional"):
        return None
    raise Refusal(f"{name} must be given")


def read_value(spec: Table, typed: Any, ladder: Table) -> Any:
    """Return the value of a parameter as the rule sees it."""
    signs = spec.get("list", ())
    return _read_list([signs] if isinstance(signs, str) else list(signs), spec, typed, ladder)


def _read_list(signs: Sequence[str], spec: Table, typed: Any, ladder: Table) -> Any:
    if not signs:
        return _read_one(spec, typed, ladder)
    if isinstance(typed, str):
        entries: Sequence[Any] = typed.split(signs[0])
    else:
        entries = typed if isinstance(typed, (list, tuple)) else [typed]
    return tuple(_read_list(signs[1:], spec, entry, ladder) for entry in entries)


def _read_one(spec: Table, typed: Any, ladder: Table) -> Any:
    match spec["type"]:
        case "number" | "halves" | "share":
            return _in_range(spec, _read_number(spec, typed))
        case "truth":
            return typed if isinstance(typed, bool) else _look_up(TRUTHS, str(typed))
        case "choice":
            return _look_up({str(value): value for value in spec["values"]}, str(typed))
        case "text":
            return same_name(str(typed))
        case "die_code":
            return _read_die_code(spec, str(typed))
        case "ladder":
            return _read_rung(spec, typed, ladder)
    raise OracleError(f"there is no type {spec['type']!r}")


def _look_up(names: Mapping[str, Any], typed: str) -> Any:
    for name, value in names.items():
        if same_name(name) == same_name(typed):
            return value
    raise Refusal(f"{typed!r} is none of {list(names)}")


def _read_number(spec: Table, typed: Any) -> Fraction | int:
    text = str(typed).strip()
    for name, value in spec.get("words", {}).items():
        if same_name(name) == same_name(text):
            return int(value)
    if spec.get("sum") and SUM.fullmatch(text):
        return number(sum(_fraction(term) for term in TERM.findall(text)))
    value = number(_fraction(text))
    if value.denominator > {"number": 1, "halves": 2}.get(spec["type"], value.denominator):
        raise Refusal(f"{text!r} is no {spec['type']}")
    return value


def _fraction(text: str) -> Fraction:
    try:
        return Fraction(text[:-1]) / 100 if text.endswith("%") else Fraction(text)
    except ValueError:
        raise Refusal(f"{text!r} is no number") from None


def _in_range(spec: Table, value: Fraction | int) -> Fraction | int:
    if value in spec.get("words", {}).values():
        return value
    if value < spec.get("min", value) or value > spec.get("max", value):
        raise Refusal(f"{value} is out of range")
    return value


def _read_die_code(spec: Table, text: str) -> dict[str, Any]:
    if match := DIE_CODE.fullmatch(text.replace(" ", "")):
        dice = _in_range(spec, int(match[1]))
        return {"dice": dice, "pips": int(match[2] or 0)}
    if spec.get("number"):
        return {"dice": 0, "pips": whole(number(_fraction(text)))}
    raise Refusal(f"{text!r} is no die code")


def _read_rung(spec: Table, typed: Any, ladder: Table) -> dict[str, Any]:
    fields = {name for rung in ladder.values() for name, value in rung.items() if _is_whole(value)}
    for name, rung in ladder.items():
        if same_name(name) == same_name(str(typed)):
            return {"name": name, **{field: rung[field] for field in fields}}
    if "number" not in spec:
        raise Refusal(f"{typed!r} is none of {list(ladder)}")
    value = _in_range(spec, whole(number(_fraction(str(typed)))))
    return {"name": "", **dict.fromkeys(fields, 0), spec["number"]: value}


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


# -- options


def read_options(specs: Table, given: Table) -> dict[str, Any]:
    """Return the value of each house rule."""
    if unknown := set(given) - set(specs):
        raise Refusal(f"there is no option {sorted(unknown)}")
    return {name: _option(spec, given.get(name, spec["default"])) for name, spec in specs.items()}


def _option(spec: Table, typed: Any) -> Any:
    if "length" in spec:
        entries = typed.split(",") if isinstance(typed, str) else typed
        if len(entries) != spec["length"]:
            raise Refusal(f"{spec['length']} numbers are needed, not {len(entries)}")
        return tuple(whole(_in_range(spec, int(entry))) for entry in entries)
    if "values" not in spec:
        return whole(_in_range(spec, int(typed)))
    if all(isinstance(value, bool) for value in spec["values"]):
        return typed if isinstance(typed, bool) else _look_up(TRUTHS, str(typed))
    return _look_up({str(value): value for value in spec["values"]}, str(typed))
