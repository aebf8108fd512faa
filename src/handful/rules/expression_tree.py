"""Expressions as trees of tuples, and the closures that evaluate them.

    ("const", value)   ("name", name)        ("option", name)      ("field", tree, name)
    ("call", function, trees)                ("compare", symbol, tree, tree)
    ("and", trees)     ("or", trees)         ("not", tree)
    ("if", test, yes, no)                    ("list", trees)

Play and odds evaluate a tree through `Expr.value`; odds also compile trees to Python
(`rules.codegen`).  Trees are immutable; closures and read sets are built on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from handful.rules.operators import Value, compare, get_field, is_true
from handful.rules.work import COSTS, WORK, Cost, compared_work

Tree = tuple[Any, ...]
Env = dict[str, Value]


class Expr:
    """An expression tree with its closure and the names it reads, both computed lazily."""

    __slots__ = ("field_reads", "reads", "single_field", "tree", "value", "value_reads")

    tree: Tree
    value: Callable[[Env], Value]
    reads: frozenset[str]
    field_reads: frozenset[tuple[str, str]]  # (name, field) for each `name.field`
    value_reads: frozenset[str]  # names read other than through a field
    single_field: tuple[str, str] | None  # set if the expression is exactly `name.field`

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def __getattr__(self, name: str) -> Any:
        if name == "value":
            self.value = build_closure(self.tree)
        elif name == "single_field":
            self.single_field = _match_field(self.tree)
        elif name in self.__slots__:
            found = list(_find_reads(self.tree))
            self.value_reads = frozenset(name for name, field in found if field is None)
            self.field_reads = frozenset((name, field) for name, field in found if field is not None)
            self.reads = frozenset(name for name, _ in found)
        else:
            raise AttributeError(name)
        return getattr(self, name)


def _match_field(tree: Tree) -> tuple[str, str] | None:
    match tree:
        case ("field", ("name", name), field):
            return name, field
    return None


def subtrees(tree: Tree) -> tuple[Tree, ...]:
    """Return the direct subexpressions."""
    match tree:
        case ("const" | "name" | "option", _):
            return ()
        case ("field", inner, _) | ("not", inner):
            return (inner,)
        case ("call", _, inner) | ("and" | "or" | "list", inner):
            return inner  # type: ignore[no-any-return]
        case ("compare", _, left, right):
            return left, right
        case ("if", test, yes, no):
            return test, yes, no
    raise AssertionError(tree)


def count_parts(tree: Tree) -> int:
    """Return the number of subexpressions of a tree, itself included: the work of evaluating it once."""
    return 1 + sum(map(count_parts, subtrees(tree)))


def _find_reads(tree: Tree) -> Iterator[tuple[str, str | None]]:
    if selected := _match_field(tree):
        yield selected
    elif tree[0] == "name":
        yield tree[1], None
    else:
        for subtree in subtrees(tree):
            yield from _find_reads(subtree)


def build_closure(tree: Tree) -> Callable[[Env], Value]:
    """Build a function that evaluates the tree in an environment."""
    kind, *rest = tree
    return _BUILDERS[kind](*rest)


def _const(value: Value) -> Callable[[Env], Value]:
    return lambda env: value


def _name(name: str) -> Callable[[Env], Value]:
    return lambda env: env[name]


def _option(name: str) -> Callable[[Env], Value]:
    return lambda env: env["@options"][name]


def _field(tree: Tree, name: str) -> Callable[[Env], Value]:
    record = build_closure(tree)
    return lambda env: get_field(record(env), name)


def _call(function: Callable[..., Value], trees: tuple[Tree, ...]) -> Callable[[Env], Value]:
    values = [build_closure(tree) for tree in trees]
    if (cost := COSTS.get(function)) is not None:
        return _metered_call(function, values, cost)
    if len(values) == 1:
        (only,) = values
        return lambda env: function(only(env))
    if len(values) == 2:
        a, b = values
        return lambda env: function(a(env), b(env))
    return lambda env: function(*[value(env) for value in values])


def _metered_call(
    function: Callable[..., Value], values: list[Callable[[Env], Value]], cost: Cost
) -> Callable[[Env], Value]:
    """Return the closure of a function whose work grows with its arguments; odds run without a meter."""
    if len(values) == 2:
        a, b = values

        def call_with_two(env: Env) -> Value:
            x, y = a(env), b(env)
            if (type(x) is not int or type(y) is not int) and WORK in env:
                env[WORK].spend(cost(x, y))
            return function(x, y)

        return call_with_two

    def call(env: Env) -> Value:
        arguments = [value(env) for value in values]
        if WORK in env:
            env[WORK].spend(cost(*arguments))
        return function(*arguments)

    return call


def _compare(symbol: str, left: Tree, right: Tree) -> Callable[[Env], Value]:
    a, b = build_closure(left), build_closure(right)

    def compare_both(env: Env) -> Value:
        x, y = a(env), b(env)
        if isinstance(x, (tuple, dict)) and WORK in env:
            env[WORK].spend(compared_work(x))
        return compare(symbol, x, y)

    return compare_both


def _and(trees: tuple[Tree, ...]) -> Callable[[Env], Value]:
    tests = [build_closure(tree) for tree in trees]
    return lambda env: all(is_true(test(env)) for test in tests)


def _or(trees: tuple[Tree, ...]) -> Callable[[Env], Value]:
    tests = [build_closure(tree) for tree in trees]
    return lambda env: any(is_true(test(env)) for test in tests)


def _not(tree: Tree) -> Callable[[Env], Value]:
    test = build_closure(tree)
    return lambda env: not is_true(test(env))


def _if(test: Tree, yes: Tree, no: Tree) -> Callable[[Env], Value]:
    condition, then, otherwise = build_closure(test), build_closure(yes), build_closure(no)
    return lambda env: then(env) if is_true(condition(env)) else otherwise(env)


def _list(trees: tuple[Tree, ...]) -> Callable[[Env], Value]:
    values = [build_closure(tree) for tree in trees]
    return lambda env: tuple([value(env) for value in values])


_BUILDERS: dict[str, Callable[..., Callable[[Env], Value]]] = {
    "const": _const,
    "name": _name,
    "option": _option,
    "field": _field,
    "call": _call,
    "compare": _compare,
    "and": _and,
    "or": _or,
    "not": _not,
    "if": _if,
    "list": _list,
}
