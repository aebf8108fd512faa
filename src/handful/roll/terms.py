"""Expressions of a whole roll as Python: every number is known, so most take a short way.

What the short way does not fit is computed by the functions that everybody uses.
"""

from __future__ import annotations

from typing import Any

from handful.dice import Pool
from handful.rules.functions import FUNCTIONS, LARGEST, add, compare, subtract
from handful.rules.program import Record
from handful.rules.trees import Tree
from handful.rules.written.folding import Flow
from handful.rules.written.writer import QUICK, RuleWriter

EXTREMES = {FUNCTIONS["min"]: "<", FUNCTIONS["max"]: ">"}
SUMS = {add: ("+", "plus"), subtract: ("-", "minus")}
SIZE, TOTAL = FUNCTIONS["size"], FUNCTIONS["sum"]
ROUNDED = (FUNCTIONS["floor"], FUNCTIONS["ceil"])


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
            case ("call", function, (one,)) if function in ROUNDED and _simple(one):
                a = self.text(one)
                return f"({a} if {a}.__class__ is int else {self._slow(tree)})"
            case ("call", function, (one, other)) if function in EXTREMES:
                a, b = self.text(one), self.text(other)
                if _simple(one) and _simple(other):
                    test = f"{b} {EXTREMES[function]} {a}"
                    return f"(({b} if {test} else {a}) if {_whole(a, b)} else {self._slow(tree)})"
            case ("call", function, (one, other)) if function in SUMS:
                if _simple(one) and _simple(other):
                    return self._sum(tree, function, self.text(one), self.text(other))
            case ("call", function, (("compare", symbol, *pair),)) if function is SIZE:
                if dice := self._passing(symbol, *pair):
                    pool = self.text(pair[0])
                    return f"(len({dice}) if {pool}.__class__ is Pool else {self._slow(tree)})"
            case ("call", function, (("name", name),)) if function is TOTAL:
                pool = self.var(name)
                return f"({pool}.total() if {pool}.__class__ is Pool else {self._slow(tree)})"
        return super().text(tree)

    def _sum(self, tree: Tree, function: Any, a: str, b: str) -> str:
        symbol, method = SUMS[function]
        slow, total = self._slow(tree), self.page.fresh("x")
        limited = f"-{LARGEST} <= ({total} := {a} {symbol} {b}) <= {LARGEST}"
        numbers = f"({total} if {limited} else {slow}) if {_whole(a, b)}"
        if not (a.isidentifier() and b.isidentifier()):
            return f"({numbers} else {slow})"
        pools = f"{a}.__class__ is Pool and {b}.__class__ is Pool"
        return f"({numbers} else {a}.{method}({b}) if {pools} else {slow})"

    def _slow(self, tree: Tree) -> str:
        return super().text(tree)

    def comparison(self, symbol: str, left: Tree, right: Tree) -> str:
        """Also dice of a pool that pass, without a call for each."""
        slow = super().comparison(symbol, left, right)
        if dice := self._passing(symbol, left, right):
            return f"(Pool({dice}) if {self.text(left)}.__class__ is Pool else {slow})"
        return slow

    def _passing(self, symbol: str, left: Tree, right: Tree) -> str:
        """The dice of a pool that pass, as a list; nothing if it is not as simple as that."""
        if left[0] != "name" or not _simple(right) or right[0] == "name" or symbol not in QUICK:
            return ""
        one = self.page.fresh("d")
        return f"[{one} for {one} in {self.var(left[1])} if {one}[1] {symbol} {right[1]}]"


def _simple(tree: Tree) -> bool:
    return tree[0] == "name" or (tree[0] == "const" and type(tree[1]) is int)


def _whole(*texts: str) -> str:
    names = [text for text in texts if text.isidentifier()]
    return " and ".join(f"{name}.__class__ is int" for name in names) or "True"
