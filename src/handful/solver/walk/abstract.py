"""Abstract values of the specialisation: what is known of a value before any dice fall."""

from __future__ import annotations

from typing import Any

from handful.dice import AbstractPool
from handful.rules.functions import FUNCTIONS
from handful.rules.operators import Value, add, get_field, get_item, make_list
from handful.rules.program import Record
from handful.solver.walk.flat import copy, make_tuple
from handful.solver.walk.values import EMPTY


class Open:
    """A value that depends on dice; `sites` are the throws whose dice a pool may hold."""

    __slots__ = ("sites",)

    def __init__(self, sites: frozenset[int] = frozenset()) -> None:
        self.sites = sites

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.sites == other.sites

    def __hash__(self) -> int:
        return hash(self.sites)


class Later(Open):
    """A value that is likely known when the walk comes to it: a result of a called rule, a count of turns."""

    __slots__ = ()


OPEN, LATER = Open(), Later()


class Missing(Open):
    """A variable that no line has set: an error where it is read."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


MANY = frozenset((-2, -3))  # more throws than it pays to tell apart: a loop may add one each turn
MAX_SITES = 4


def few(sites: frozenset[int]) -> frozenset[int]:
    """Return the throws, or `MANY`."""
    return MANY if len(sites) > MAX_SITES or not MANY.isdisjoint(sites) else sites


def is_unknown(value: Value) -> bool:
    kind = type(value)
    if kind is Open or kind is Later or kind is Missing:
        return True
    if kind is tuple:
        return any(is_unknown(part) for part in value)
    if kind is Record:
        return any(is_unknown(part) for part in value.values())
    return False


def is_open_now(value: Value) -> bool:
    """Return True if a value depends on dice, and is not likely known later."""
    if isinstance(value, Open):
        return type(value) is not Later
    if type(value) is tuple or type(value) is Record:
        return any(is_open_now(part) for part in (value.values() if isinstance(value, dict) else value))
    return False


def sites_of(value: Value) -> frozenset[int]:
    if isinstance(value, Open):
        return value.sites
    if isinstance(value, AbstractPool):
        return frozenset((-1,)) if value != EMPTY else frozenset()  # dice that lie already
    if type(value) is tuple or type(value) is Record:
        parts = value.values() if isinstance(value, dict) else value
        return frozenset().union(*[sites_of(part) for part in parts])
    return frozenset()


def keeps_structure(fn: Any, args: list[Value]) -> bool:
    """Return True if an operation only moves values, so that open ones may be among them."""
    if fn is add:
        return type(args[0]) is tuple and type(args[1]) is tuple
    if fn is get_item:
        return type(args[0]) is tuple and not is_unknown(args[1])
    if fn in (get_field, FUNCTIONS["len"]):
        return not isinstance(args[0], Open)
    return fn in (copy, make_list, make_tuple)
