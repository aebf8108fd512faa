"""Expressions of a whole roll as Python: every number is known, so most take a short way.

What the short way does not fit is computed by the functions that everybody uses.
"""

from __future__ import annotations

from typing import Any

from handful.dice import Pool
from handful.rules.functions import FUNCTIONS
from handful.rules.operators import LARGEST, add, compare, negate, subtract
from handful.rules.program import Record
from handful.rules.trees import Tree
from handful.rules.written.folding import Flow
from handful.rules.written.writer import RuleWriter

EXTREMES = {FUNCTIONS["min"]: "<", FUNCTIONS["max"]: ">"}
SUMS = {add: ("+", "plus"), subtract: ("-", "minus")}
SIZE = FUNCTIONS["size"]
SHORT = {  # the value if ..., with the value again ({0}) and where it is computed ({1})
    FUNCTIONS["floor"]: "{0} if {1}.__class__ is int",
    FUNCTIONS["ceil"]: "{0} if {1}.__class__ is int",
    FUNCTIONS["sum"]: "{0}.total() if {1}.__class__ is Pool",
    SIZE: "len({0}) if {1}.__class__ is Pool",
    negate: f"-{{0}} if {{1}}.__class__ is int and -{LARGEST} <= {{0}} <= {LARGEST}",
}


class PlayedTerms(RuleWriter):
    """Writes expressions, and notes each option that is looked at."""

    def __init__(
        self,
        flow: Flow,
        names: dict[str, str],
        head: str,
        options: Record,
        values: dict[str, Any],
    ) -> None:
        super().__init__(flow, names, head, {**values, "Pool": Pool, "bool": bool})
        self.options = options

    def option(self, name: str) -> str:
        """Noted when it is looked at; `add` gives None."""
        return self._noted(name, self.options[name])

    def _noted(self, name: str, value: object) -> str:
        return f"(t.options.add({self.page.constant(name)}) or {self.page.constant(value)})"

    def truth(self, tree: Tree) -> str:
        if tree[0] == "name":
            name = self.var(tree[1])
            return f"({name} if {name}.__class__ is bool else is_true({name}))"
        return super().truth(tree)

    def text(self, tree: Tree) -> str:
        match tree:
            case ("compare", symbol, ("option", name), ("const", value)):
                return self._noted(name, compare(symbol, self.options[name], value))
            case ("call", function, (("compare", symbol, ("name", name), ("const", number)),)) if (
                function is SIZE and type(number) is int
            ):
                pool = self.var(name)
                dice = self._passing(pool, symbol, number)
                return f"(len({dice}) if {pool}.__class__ is Pool else {super().text(tree)})"
            case ("call", function, (one,)) if function in SHORT:
                first, a = self._once(one)
                return f"({SHORT[function].format(a, first)} else {self._slow(function, a)})"
            case ("call", function, (one, other)) if function in EXTREMES and _simple(other):
                first, a = self._once(one)
                b, slow = self.text(other), self._slow(function, a, self.text(other))
                larger = f"({b} if {b} {EXTREMES[function]} {a} else {a})"
                return f"({larger} if {_whole(first, b)} else {slow})"
            case ("call", function, (one, other)) if function in SUMS and _simple(other):
                return self._sum(function, *self._once(one), self.text(other))
        return super().text(tree)

    def _once(self, tree: Tree) -> tuple[str, str]:
        """A value where it is computed, which is in a test, and wherever it stands after that."""
        text = self.text(tree)
        if tree[0] == "name":
            return text, text
        if tree[0] == "const":
            return f"({text})", f"({text})"
        name = self.page.fresh("x")
        return f"({name} := {text})", name

    def _slow(self, function: Any, *args: str) -> str:
        return f"{self.page.constant(function)}({', '.join(args)})"

    def _sum(self, function: Any, first: str, a: str, b: str) -> str:
        symbol, method = SUMS[function]
        slow, total = self._slow(function, a, b), self.page.fresh("x")
        limited = f"-{LARGEST} <= ({total} := {a} {symbol} {b}) <= {LARGEST}"
        numbers = f"({total} if {limited} else {slow}) if {_whole(first, b)}"
        if b.isidentifier():  # two pools, perhaps
            pools = f"{a}.__class__ is Pool and {b}.__class__ is Pool"
            slow = f"{a}.{method}({b}) if {pools} else {slow}"
        return f"({numbers} else {slow})"

    def comparison(self, symbol: str, left: Tree, right: Tree) -> str:
        """Also dice of a pool that pass, without a call for each."""
        if not _simple(right):
            return super().comparison(symbol, left, right)
        (first, a), b = self._once(left), self.text(right)
        slow = f"compare({self.page.constant(symbol)}, {a}, {b})"
        if right[0] == "const":
            dice = self._passing(a, symbol, right[1])
            slow = f"Pool({dice}) if {a}.__class__ is Pool else {slow}"
        return f"({a} {symbol} {b} if {_whole(first, b)} else {slow})"

    def _passing(self, pool: str, symbol: str, number: int) -> str:
        """The dice of a pool that pass, as a list."""
        one = self.page.fresh("d")
        return f"[{one} for {one} in {pool} if {one}[1] {symbol} {number}]"


def _simple(tree: Tree) -> bool:
    return tree[0] == "name" or (tree[0] == "const" and type(tree[1]) is int)


def _whole(first: str, other: str) -> str:
    test = f"{first}.__class__ is int"
    return f"{test} and {other}.__class__ is int" if other.isidentifier() else test
