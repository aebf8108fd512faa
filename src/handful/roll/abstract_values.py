"""Abstract values for the non-interference analysis (`noninterference`).

A value is equal in both rolls and known, equal but unknown (OPEN), or possibly different (SECRET).
"""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple, TypeAlias

from handful.rules.expression_tree import Expr, Tree
from handful.rules.operators import compare, get_field, is_true
from handful.rules.program import VALUE_ERRORS, Record, Value


class Unknown(Enum):
    """Abstract values without a known value."""

    OPEN = "equal in both, but unknown"
    SECRET = "may differ"


OPEN, SECRET = Unknown.OPEN, Unknown.SECRET


class Known(NamedTuple):
    """A value that is known and equal in both rolls."""

    value: Value


class Fields(dict[str, Any]):
    """A record with an abstract value per field."""


AbstractValue: TypeAlias = "Known | Fields | Unknown"
Env = dict[str, AbstractValue]


def from_pair(a: Value, b: Value) -> AbstractValue:
    """Return the abstract value of a pair: its value in the first roll and in the second."""
    if type(a) is not type(b):
        return SECRET
    if a == b:
        return Known(a)
    if isinstance(a, Record) and a.keys() == b.keys():
        return Fields({name: from_pair(a[name], b[name]) for name in a})
    return SECRET


def is_secret(abstract: AbstractValue) -> bool:
    """Return True if a value, or a field of it, may differ between the rolls."""
    if isinstance(abstract, Fields):
        return any(map(is_secret, abstract.values()))
    return abstract is SECRET


def record_of(fields: dict[str, AbstractValue]) -> AbstractValue:
    """Return a record, as a known value if every field is known."""
    if all(isinstance(one, Known) for one in fields.values()):
        return Known(Record({name: one.value for name, one in fields.items()}))  # type: ignore[union-attr]
    return Fields(fields)


def field(abstract: AbstractValue, name: str) -> AbstractValue | None:
    """Return a field of a record; None if it certainly has no such field."""
    match abstract:
        case Known(dict() as record):
            return Known(record[name]) if name in record else None
        case Known(value):
            return _apply(get_field, [Known(value), Known(name)])
        case Fields():
            return abstract.get(name)
    return abstract


def _apply(function: Any, values: list[AbstractValue]) -> AbstractValue:
    if all(isinstance(one, Known) for one in values):
        try:
            return Known(function(*(one.value for one in values)))  # type: ignore[union-attr]
        except VALUE_ERRORS:
            return OPEN
    return SECRET if any(map(is_secret, values)) else OPEN


def _short_circuit(values: list[AbstractValue], absorbing: bool) -> AbstractValue:
    """Return the value of `or` (`absorbing` is True) or `and` (False), with short-circuit evaluation."""
    known = [is_true(one.value) for one in values if isinstance(one, Known)]
    if absorbing in known:
        return Known(absorbing)
    if len(known) == len(values):
        return Known(not absorbing)
    return SECRET if any(map(is_secret, values)) else OPEN


def join(a: AbstractValue, b: AbstractValue, *, secretly: bool) -> AbstractValue:
    """Join two values; `secretly` if the choice between them may differ between the rolls."""
    if a == b and (not secretly or isinstance(a, Known)):
        return a
    if isinstance(a, Fields) or isinstance(b, Fields):
        own, other = _fields(a), _fields(b)
        if own is not None and other is not None and own.keys() == other.keys():
            return record_of({n: join(own[n], other[n], secretly=secretly) for n in own})
    return SECRET if secretly or is_secret(a) or is_secret(b) else OPEN


def _fields(abstract: AbstractValue) -> Fields | None:
    if isinstance(abstract, Known) and isinstance(abstract.value, Record):
        return Fields({name: Known(value) for name, value in abstract.value.items()})
    return abstract if isinstance(abstract, Fields) else None


# -- expressions


def value(expr: Expr, env: Env, options: Record) -> AbstractValue:
    """Evaluate an expression over abstract values."""
    return _evaluate(expr.tree, env, options)


def _evaluate(tree: Tree, env: Env, options: Record) -> AbstractValue:
    def evaluate(*trees: Tree) -> list[AbstractValue]:
        return [_evaluate(one, env, options) for one in trees]

    match tree:
        case ("const", known):
            return Known(known)
        case ("name", name):
            return env.get(name, OPEN)
        case ("option", name):
            return Known(options[name])
        case ("field", record, name):
            return field(_evaluate(record, env, options), name) or OPEN
        case ("if", test, yes, no):
            (found,) = evaluate(test)
            if isinstance(found, Known):
                return evaluate(yes if is_true(found.value) else no)[0]
            one, other = evaluate(yes, no)
            return join(one, other, secretly=is_secret(found))
        case ("and" | "or" as kind, parts):
            return _short_circuit(evaluate(*parts), kind == "or")
        case ("not", test):
            return _apply(lambda known: not is_true(known), evaluate(test))
        case ("compare", symbol, left, right):
            return _apply(lambda a, b: compare(symbol, a, b), evaluate(left, right))
        case ("list", parts):
            return _apply(lambda *own: own, evaluate(*parts))
        case ("call", function, parts):
            return _apply(function, evaluate(*parts))
    raise AssertionError(tree)
