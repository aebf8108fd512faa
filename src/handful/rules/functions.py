"""Built-in functions of the rule language.

Pure functions of values, like the operators.  A symbolic number is resolved only where its exact
value is needed, so that odds can keep it symbolic.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from handful.dice import AbstractPool, Die, die
from handful.errors import Message, TooBig
from handful.rules.operators import (
    MAX_LIST_LENGTH,
    SymbolicNumber,
    Value,
    add,
    compare,
    describe_value,
    negate,
    normalize_number,
    resolve_int,
    resolve_number,
)


def _items(values: tuple[Value, ...]) -> tuple[Value, ...]:
    if len(values) == 1 and isinstance(values[0], tuple):
        values = values[0]
    if not values:
        raise ValueError(Message("rule.smallest_of_nothing"))
    return values


def _min(*values: Value) -> Value:
    first, *rest = _items(values)
    for value in rest:
        if type(first) is int and type(value) is int:
            first = value if value < first else first
        elif isinstance(first, SymbolicNumber) and isinstance(value, SymbolicNumber):
            first = first.smaller(value)
        else:
            first = first if compare("<=", first, value) else value
    return first


def _max(*values: Value) -> Value:
    first, *rest = _items(values)
    for value in rest:
        if type(first) is int and type(value) is int:
            first = value if value > first else first
        elif isinstance(first, SymbolicNumber) and isinstance(value, SymbolicNumber):
            first = first.larger(value)
        else:
            first = first if compare(">=", first, value) else value
    return first


def _clamp(value: Value, low: Value, high: Value) -> Value:
    return _max(low, _min(value, high))


def _abs(value: Value) -> Value:
    return value if compare(">=", value, 0) else negate(value)


def _floor(value: Value) -> Value:
    return value if type(value) is int else normalize_number(math.floor(resolve_number(value)))


def _ceil(value: Value) -> Value:
    return value if type(value) is int else normalize_number(math.ceil(resolve_number(value)))


def _sum(values: Value, row: Value = None) -> Value:
    if row is not None:
        return _pool(values).total(tuple([resolve_int(number) for number in row]))
    if isinstance(values, AbstractPool):
        return values.total()
    if not isinstance(values, tuple) or isinstance(values, Die):
        raise TypeError(Message("rule.sum_needs", found=describe_value(values)))
    total: Value = 0
    for value in values:
        total = add(total, value)
    return total


def _size(pool: Value) -> Value:
    return _pool(pool).size()


def _highest(pool: Value, count: Value) -> Value:
    return _pool(pool).highest(count)


def _lowest(pool: Value, count: Value) -> Value:
    return _pool(pool).lowest(count)


def _widest(pool: Value) -> Value:
    return _pool(pool).widest()


def _pool(value: Value) -> AbstractPool:
    if not isinstance(value, AbstractPool):
        raise TypeError(Message("rule.pool_needed", found=describe_value(value)))
    return value


def _len(values: Value) -> int:
    if type(values) is tuple:
        return len(values)
    if not isinstance(values, tuple) or isinstance(values, (Die, AbstractPool)):
        raise TypeError(Message("rule.len_needs", found=describe_value(values)))
    return len(values)


def _range(count: Value) -> tuple[int, ...]:
    end = resolve_int(count)
    if end > MAX_LIST_LENGTH:
        raise TooBig(Message("rule.list_too_long", most=MAX_LIST_LENGTH))
    return tuple(range(end))


def _given(value: Value) -> bool:
    return value is not None


def _read(base: Value, row: Value) -> Die:
    if not isinstance(base, Die):
        raise TypeError(Message("rule.read_needs", found=describe_value(base)))
    return base.relabel(resolve_int(number) for number in row)


def _die(sides: Value) -> Die:
    return die(resolve_int(sides))


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "min": _min,
    "max": _max,
    "clamp": _clamp,
    "abs": _abs,
    "floor": _floor,
    "ceil": _ceil,
    "sum": _sum,
    "size": _size,
    "highest": _highest,
    "lowest": _lowest,
    "widest": _widest,
    "len": _len,
    "range": _range,
    "given": _given,
    "read": _read,
    "sided": _die,
}
