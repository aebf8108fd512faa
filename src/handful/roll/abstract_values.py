"""Values as far as they are known of two rolls at once: see `handful.roll.noninterference`."""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple, TypeAlias

from handful.rules.expression_tree import Expr, Tree
from handful.rules.operators import compare, get_field, is_true
from handful.rules.program import VALUE_ERRORS, Record, Value


class Unknown(Enum):
    OPEN = "the same in both, but not known yet"
    SECRET = "may differ"


OPEN, SECRET = Unknown.OPEN, Unknown.SECRET


class Known(NamedTuple):
    value: Value


class Fields(dict[str, Any]):
    """A record whose fields are known to different degrees."""


Seen: TypeAlias = "Known | Fields | Unknown"
Env = dict[str, Seen]


def paired(a: Value, b: Value) -> Seen:
    """What a value is that is one thing in the first roll and another in the second."""
    if type(a) is not type(b):
        return SECRET
    if a == b:
        return Known(a)
    if isinstance(a, Record) and a.keys() == b.keys():
        return Fields({name: paired(a[name], b[name]) for name in a})
    return SECRET


def secret(seen: Seen) -> bool:
    """Whether it may differ, or something in it may."""
    if isinstance(seen, Fields):
        return any(map(secret, seen.values()))
    return seen is SECRET


def whole(fields: dict[str, Seen]) -> Seen:
    """A record; plain where every field is known."""
    if all(isinstance(one, Known) for one in fields.values()):
        return Known(Record({name: one.value for name, one in fields.items()}))  # type: ignore[union-attr]
    return Fields(fields)


def field(seen: Seen, name: str) -> Seen | None:
    """A field of a record; None where it surely has none of that name."""
    match seen:
        case Known(dict() as record):
            return Known(record[name]) if name in record else None
        case Known(value):
            return _computed(get_field, [Known(value), Known(name)])
        case Fields():
            return seen.get(name)
    return seen


def _computed(function: Any, seen: list[Seen]) -> Seen:
    if all(isinstance(one, Known) for one in seen):
        try:
            return Known(function(*(one.value for one in seen)))  # type: ignore[union-attr]
        except VALUE_ERRORS:
            return OPEN
    return SECRET if any(map(secret, seen)) else OPEN


def _decided(seen: list[Seen], settles: bool) -> Seen:
    """`or` is settled by one that is true, `and` by one that is false."""
    known = [is_true(one.value) for one in seen if isinstance(one, Known)]
    if settles in known:
        return Known(settles)
    if len(known) == len(seen):
        return Known(not settles)
    return SECRET if any(map(secret, seen)) else OPEN


def joined(a: Seen, b: Seen, *, secretly: bool) -> Seen:
    """Either of two; `secretly`: which one it is may differ."""
    if a == b and (not secretly or isinstance(a, Known)):
        return a
    if isinstance(a, Fields) or isinstance(b, Fields):
        own, other = _fields(a), _fields(b)
        if own is not None and other is not None and own.keys() == other.keys():
            return whole({n: joined(own[n], other[n], secretly=secretly) for n in own})
    return SECRET if secretly or secret(a) or secret(b) else OPEN


def _fields(seen: Seen) -> Fields | None:
    if isinstance(seen, Known) and isinstance(seen.value, Record):
        return Fields({name: Known(value) for name, value in seen.value.items()})
    return seen if isinstance(seen, Fields) else None


# -- expressions


def value(expr: Expr, env: Env, options: Record) -> Seen:
    """What is known of an expression's value."""
    return _tree(expr.tree, env, options)


def _tree(tree: Tree, env: Env, options: Record) -> Seen:
    def inner(*trees: Tree) -> list[Seen]:
        return [_tree(one, env, options) for one in trees]

    match tree:
        case ("const", known):
            return Known(known)
        case ("name", name):
            return env.get(name, OPEN)
        case ("option", name):
            return Known(options[name])
        case ("field", record, name):
            return field(_tree(record, env, options), name) or OPEN
        case ("if", test, yes, no):
            (found,) = inner(test)
            if isinstance(found, Known):
                return inner(yes if is_true(found.value) else no)[0]
            one, other = inner(yes, no)
            return joined(one, other, secretly=secret(found))
        case ("and" | "or" as kind, parts):
            return _decided(inner(*parts), kind == "or")
        case ("not", test):
            return _computed(lambda known: not is_true(known), inner(test))
        case ("compare", symbol, left, right):
            return _computed(lambda a, b: compare(symbol, a, b), inner(left, right))
        case ("list", parts):
            return _computed(lambda *own: own, inner(*parts))
        case ("call", function, parts):
            return _computed(function, inner(*parts))
    raise AssertionError(tree)
