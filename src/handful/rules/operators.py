"""Operators of the rule language, as pure functions of values.

Symbolic numbers (unresolved in odds) and all kinds of pools take part through common methods, so the
same program runs in play, in odds and in simulations.
Invariant: numbers and lists stay within MAX_NUMBER, MAX_DENOMINATOR and MAX_LIST_LENGTH, or `TooBig`
is raised.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from handful.dice import COMPARISONS, AbstractPool, Die
from handful.errors import Message, TooBig

MAX_NUMBER = 10**9  # no game counts higher, and it stops `x = x * x` from exhausting memory
MAX_DENOMINATOR = 10**12  # nor in smaller fractions
MAX_LIST_LENGTH = 1000
MAX_NESTED_ENTRIES = 5000  # entries of a list, including those of nested lists and records

Value = Any


class SymbolicNumber:
    """A number whose value is not determined yet; base of the solver's random variables."""

    __slots__ = ()

    @property
    def work(self) -> int:
        """Units of work of an operation on it, beside one; see `rules.work`."""
        return 0

    def add(self, other: Value) -> Value:
        raise NotImplementedError

    def scaled(self, factor: int | Fraction) -> Value:
        """Return it multiplied by a constant."""
        raise NotImplementedError

    def reaches(self, number: int | Fraction) -> bool:
        """Return whether it is at least `number`; raise `Unresolved` if that is not determined."""
        raise NotImplementedError

    def resolve(self) -> int | Fraction:
        """Return the exact value; raise `Unresolved` if it is not determined."""
        raise NotImplementedError

    def times(self, other: SymbolicNumber) -> Value:
        """Multiply with another symbolic number; one of them has to be resolved."""
        return other.scaled(self.resolve())

    def count(self) -> Value:
        """Return it as a number of dice: a non-negative integer."""
        return max(resolve_int(self), 0)

    def compare_die(self, die: Die, comparison: str) -> Value:
        """Return the die that reads 1 on faces where the comparison with this number holds, else 0."""
        return die.compare(comparison, resolve_int(self))

    def larger(self, other: SymbolicNumber) -> Value:
        """Return the larger of two symbolic numbers."""
        return self if compare(">=", self, other) else other

    def smaller(self, other: SymbolicNumber) -> Value:
        """Return the smaller of two symbolic numbers."""
        return self if compare("<=", self, other) else other


class SymbolicBool:
    """A truth that is not determined yet, such as a lane-wise truth of a simulation."""

    __slots__ = ()

    def holds(self) -> bool:
        """Return whether it is true; may raise to split the run if that differs."""
        raise NotImplementedError


class Unresolved(Exception):
    """Raised to ask for a property of a symbolic number; `pc` is the instruction that asked."""

    pc = -1


def normalize_number(number: int | Fraction) -> int | Fraction:
    """Return a number in lowest terms, as int if integral; raise `TooBig` beyond the limits."""
    if type(number) is Fraction:
        if number.denominator > MAX_DENOMINATOR:
            raise TooBig(Message("rule.parts_too_small", most=MAX_DENOMINATOR))
        if number.denominator == 1:
            number = number.numerator
    if not -MAX_NUMBER <= number <= MAX_NUMBER:
        raise TooBig(Message("rule.number_too_large", most=MAX_NUMBER))
    return number


def is_number(value: Value) -> bool:
    kind = type(value)  # not isinstance: slow for Fraction, and bool is an int
    return kind is int or kind is Fraction


def is_true(value: Value) -> bool:
    """Return the truth of a test; only truths can be tested."""
    if value is True or value is False:
        return bool(value)
    if isinstance(value, SymbolicBool):
        return value.holds()
    raise TypeError(Message("rule.test_needs", found=describe_value(value)))


def are_equal(a: Value, b: Value) -> bool:
    """Return whether two values are equal; values of different kinds are not."""
    if isinstance(a, SymbolicBool) or isinstance(b, SymbolicBool):
        a, b = (one.holds() if isinstance(one, SymbolicBool) else one for one in (a, b))
    if isinstance(a, SymbolicNumber) or isinstance(b, SymbolicNumber):
        if not all(is_number(value) or isinstance(value, SymbolicNumber) for value in (a, b)):
            return False
        difference = subtract(a, b)
        if isinstance(difference, SymbolicNumber):
            return difference.reaches(0) and negate(difference).reaches(0)
        return bool(difference == 0)
    if isinstance(a, AbstractPool) or isinstance(b, AbstractPool):
        raise TypeError(Message("rule.pools_compared"))
    if type(a) is tuple and type(b) is tuple:  # entries may be open
        return len(a) == len(b) and all(map(are_equal, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(are_equal(a[name], b[name]) for name in a)
    return bool(a == b) and (type(a) is type(b) or (is_number(a) and is_number(b)))


def compare(comparison: str, a: Value, b: Value) -> Value:
    """Compare two values: numbers yield a truth, a die yields a die, a pool the dice that pass."""
    if type(a) is int and type(b) is int:
        return COMPARISONS[comparison](a, b)
    if isinstance(a, Die):
        if isinstance(b, SymbolicNumber):
            return b.compare_die(a, comparison)
        return a.compare(comparison, resolve_int(b))
    if isinstance(a, AbstractPool):
        return a.passing(comparison, resolve_int(b))
    if comparison == "==":
        return are_equal(a, b)
    if comparison == "!=":
        return not are_equal(a, b)
    for value in (a, b):
        if not is_number(value) and not isinstance(value, SymbolicNumber):
            raise TypeError(Message("rule.not_compared", found=describe_value(value), comparison=comparison))
    return _compare_order(comparison, a, b)


def _compare_order(comparison: str, a: Value, b: Value) -> bool:
    if comparison in ("<", "<="):
        return _compare_order({"<": ">", "<=": ">="}[comparison], b, a)
    difference = subtract(a, b)
    if isinstance(difference, SymbolicNumber):
        return difference.reaches(0) if comparison == ">=" else not negate(difference).reaches(0)
    return bool(difference >= 0 if comparison == ">=" else difference > 0)


def add(a: Value, b: Value) -> Value:
    if type(a) is int and type(b) is int and -MAX_NUMBER <= a + b <= MAX_NUMBER:
        return a + b
    if isinstance(a, SymbolicNumber) and (is_number(b) or isinstance(b, SymbolicNumber)):
        return a.add(b)
    if isinstance(b, SymbolicNumber) and is_number(a):
        return b.add(a)
    if isinstance(a, tuple) and isinstance(b, tuple) and not isinstance(a, (Die, AbstractPool)):
        if len(a) + len(b) > MAX_LIST_LENGTH:
            raise TooBig(Message("rule.list_too_long", most=MAX_LIST_LENGTH))
        return make_list(*a, *b)
    if isinstance(a, AbstractPool) and isinstance(b, AbstractPool):
        return a.plus(b)
    return normalize_number(require_number(a) + require_number(b))


def make_list(*values: Value) -> tuple[Value, ...]:
    """Return a list of these values, with the total number of nested entries limited.

    Nested lists share their entries and are cheap to build, but comparing two of them visits all.
    """
    if count_entries(values, MAX_NESTED_ENTRIES) > MAX_NESTED_ENTRIES:
        raise TooBig(Message("rule.list_too_deep", most=MAX_NESTED_ENTRIES))
    return values


def count_entries(values: Iterable[Value], most: int) -> int:
    """Return the number of entries, including those of nested lists and records; beyond `most` any."""
    count = 0
    for value in values:
        count += 1
        kind = type(value)
        if kind is int or kind is str:
            continue
        if kind is tuple:
            count += count_entries(value, most - count)
        elif isinstance(value, dict):
            count += value.count_entries() if most > 0 else len(value)  # type: ignore[attr-defined]
        if count > most:
            break
    return count


def subtract(a: Value, b: Value) -> Value:
    if type(a) is int and type(b) is int and -MAX_NUMBER <= a - b <= MAX_NUMBER:
        return a - b
    if isinstance(a, AbstractPool) and isinstance(b, AbstractPool):
        return a.minus(b)
    return add(a, negate(b))


def multiply(a: Value, b: Value) -> Value:
    if isinstance(a, SymbolicNumber) or isinstance(b, SymbolicNumber):
        if isinstance(a, SymbolicNumber) and isinstance(b, SymbolicNumber):
            return a.times(b)
        unknown, factor = (a, b) if isinstance(a, SymbolicNumber) else (b, a)
        return unknown.scaled(require_number(factor))
    return normalize_number(require_number(a) * require_number(b))


def divide(a: Value, b: Value) -> Value:
    if isinstance(b, SymbolicNumber):
        b = b.resolve()
    if isinstance(a, SymbolicNumber):
        return a.scaled(1 / Fraction(require_number(b)))
    return normalize_number(Fraction(require_number(a)) / require_number(b))


def floor_divide(a: Value, b: Value) -> Value:
    return normalize_number(math.floor(Fraction(resolve_number(a)) / resolve_number(b)))


def remainder(a: Value, b: Value) -> Value:
    if type(a) is int and type(b) is int:
        return a % b
    return normalize_number(resolve_number(a) % resolve_number(b))


def negate(a: Value) -> Value:
    return a.scaled(-1) if isinstance(a, SymbolicNumber) else normalize_number(-require_number(a))


def require_number(value: Value) -> int | Fraction:
    """Return the value if it is a plain number; raise TypeError otherwise."""
    if not is_number(value):
        raise TypeError(Message("rule.number_needed", found=describe_value(value)))
    return value  # type: ignore[no-any-return]


def resolve_number(value: Value) -> int | Fraction:
    """Return a plain number, resolving a symbolic one."""
    return value.resolve() if isinstance(value, SymbolicNumber) else require_number(value)


def resolve_int(value: Value) -> int:
    """Return an integer, resolving a symbolic number."""
    if type(value) is int:
        return value
    result = resolve_number(value)
    if type(result) is not int:
        raise TypeError(Message("rule.whole_number_needed", found=result))
    return result


def get_item(collection: Value, key: Value) -> Value:
    """Evaluate `list[i]` or `tables.name[key]`; list indices start at 0."""
    if type(collection) is tuple and type(key) is int and key >= 0:
        return collection[key]
    if isinstance(collection, dict):
        return collection[key]
    if not isinstance(collection, tuple) or isinstance(collection, (Die, AbstractPool)):
        raise TypeError(Message("rule.no_entries", found=describe_value(collection)))
    index = resolve_int(key)
    if index < 0:
        raise IndexError(index)
    return collection[index]


def get_field(record: Value, name: str) -> Value:
    """Evaluate `record.field`."""
    if not isinstance(record, dict):
        raise TypeError(Message("rule.no_field", found=describe_value(record), name=name))
    return record[name]


def describe_value(value: Value) -> Message:
    """Return the kind of a value in the terms of the language, for messages."""
    if value is None:
        return Message("kind.none_given")
    if isinstance(value, (bool, SymbolicBool)):
        return Message("kind.truth")
    if isinstance(value, (int, Fraction, SymbolicNumber)):
        return Message("kind.number")
    if isinstance(value, str):
        return Message("kind.this_text", text=value)
    if isinstance(value, Die):
        return Message("kind.die")
    if isinstance(value, AbstractPool):
        return Message("kind.pool")
    return Message("kind.record") if isinstance(value, dict) else Message("kind.list")


OPERATORS: dict[str, Callable[[Value, Value], Value]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
    "//": floor_divide,
    "%": remainder,
}
