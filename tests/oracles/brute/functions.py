"""Functions and operators of the rule language, on plain values."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from .values import Die, Landed, OracleError, Pool, number, whole

COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
LARGEST_DIE = 1000


def compare(test: Callable[[Any, Any], bool], left: Any, right: Any) -> Any:
    """Return a truth, or for a die or a pool the die or the dice for which the test holds."""
    if isinstance(left, Die):
        bound = whole(right)
        return Die(int(test(reading, bound)) for reading in left)
    if isinstance(left, Pool):
        bound = whole(right)
        return Pool(landed for landed in left if test(landed.reading, bound))
    if test in (operator.eq, operator.ne):
        return equal(left, right) == (test is operator.eq)
    return test(left, right)


def equal(left: Any, right: Any) -> bool:
    """Tell if two values are the same; a truth is no number."""
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(equal, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(equal(left[key], right[key]) for key in left)
    return bool(left == right) and isinstance(left, bool) == isinstance(right, bool)


def add(left: Any, right: Any) -> Any:
    """Add numbers, join lists, put pools together."""
    if isinstance(left, Pool) and isinstance(right, Pool):
        return Pool((*left, *right))
    if type(left) is tuple and type(right) is tuple:
        return left + right
    return number(_numeric(left) + _numeric(right))


def subtract(left: Any, right: Any) -> Any:
    """Subtract numbers; take the dice of the right pool out of the left one."""
    if not isinstance(left, Pool):
        return number(_numeric(left) - _numeric(right))
    rest = list(left)
    for landed in right:
        if landed not in rest:
            raise OracleError("these dice are not all in the pool they are taken from")
        rest.remove(landed)
    return Pool(rest)


def multiply(left: Any, right: Any) -> Any:
    return number(_numeric(left) * _numeric(right))


def divide(left: Any, right: Any) -> Any:
    return number(Fraction(_numeric(left)) / _divisor(right))


def floor_divide(left: Any, right: Any) -> Any:
    return math.floor(Fraction(_numeric(left)) / _divisor(right))


def remainder(left: Any, right: Any) -> Any:
    return number(_numeric(left) - floor_divide(left, right) * _numeric(right))


OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: add,
    ast.Sub: subtract,
    ast.Mult: multiply,
    ast.Div: divide,
    ast.FloorDiv: floor_divide,
    ast.Mod: remainder,
}


def _numeric(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
        raise OracleError(f"a number is needed, not {value!r}")
    return value


def _divisor(value: Any) -> Any:
    if _numeric(value) == 0:
        raise OracleError("division by zero")
    return value


def negative(value: Any) -> Any:
    return -_numeric(value)


def truth(value: Any) -> bool:
    """Return a truth, or raise: nothing else is one."""
    if not isinstance(value, bool):
        raise OracleError(f"a test needs a truth, not {value!r}")
    return value


def entry(value: Any, place: Any) -> Any:
    """Return an entry of a list, counted from 0, or a row of a table."""
    if isinstance(value, Mapping):
        if place not in value:
            raise OracleError(f"there is no row {place!r}")
        return value[place]
    place = whole(place)
    if not 0 <= place < len(value):
        raise OracleError("a list has no entry at that place")
    return value[place]


# -- functions


def sided(sides: Any) -> Die:
    """Return a die with that many sides."""
    if not 2 <= whole(sides) <= LARGEST_DIE:
        raise OracleError(f"a die has 2 to {LARGEST_DIE} sides, not {sides}")
    return Die(range(1, sides + 1))


def read(die: Die, row: tuple[Any, ...]) -> Die:
    """Return the die whose faces read the numbers of the row."""
    if len(row) != len(die):
        raise OracleError(f"a die with {len(die)} sides needs as many numbers")
    return Die(whole(value) for value in row)


def highest(pool: Pool, count: Any) -> Pool:
    """Return the highest dice; of equal ones those that come first."""
    ordered = sorted(pool, key=lambda landed: -landed.reading)
    return Pool(ordered[: max(whole(count), 0)])


def lowest(pool: Pool, count: Any) -> Pool:
    """Return the lowest dice; of equal ones those that come first."""
    ordered = sorted(pool, key=lambda landed: landed.reading)
    return Pool(ordered[: max(whole(count), 0)])


def widest(pool: Pool) -> Pool:
    """Return the largest set of equal dice, of several the highest."""
    sets: dict[int, list[Landed]] = {}
    for landed in pool:
        sets.setdefault(landed.reading, []).append(landed)
    return Pool(max(sets.items(), key=lambda item: (len(item[1]), item[0]))[1] if sets else ())


def add_up(values: Any, row: Any = None) -> Any:
    """Add up a list, the readings of a pool, or what a row has for each of its dice."""
    if not isinstance(values, Pool):
        return number(sum(map(_numeric, values)))
    readings = [landed.reading for landed in values]
    if row is None:
        return sum(readings)
    if any(not 1 <= reading <= len(row) for reading in readings):
        raise OracleError(f"a row of {len(row)} numbers has none for one of {readings}")
    return sum(row[reading - 1] for reading in readings)


def _extreme(pick: Callable[..., Any]) -> Callable[..., Any]:
    def extreme(*values: Any) -> Any:
        entries = values[0] if len(values) == 1 and isinstance(values[0], tuple) else values
        if not entries:
            raise OracleError("the smallest or largest of nothing")
        return pick(map(_numeric, entries))

    return extreme


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "min": _extreme(min),
    "max": _extreme(max),
    "clamp": lambda value, low, high: max(low, min(value, high)),
    "abs": lambda value: abs(_numeric(value)),
    "floor": lambda value: math.floor(_numeric(value)),
    "ceil": lambda value: math.ceil(_numeric(value)),
    "sum": add_up,
    "size": len,
    "len": len,
    "highest": highest,
    "lowest": lowest,
    "widest": widest,
    "range": lambda count: tuple(range(whole(count))),
    "given": lambda value: value is not None,
    "read": read,
    "sided": sided,
}
