"""Writes the instructions and expressions of a rule as Python.

Straight runs of instructions become blocks that say which block is next.  What an instruction does
is said by who inherits from this: rules without dice (`solver.written.quiet`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handful.errors import TooBig
from handful.rules.codegen.folding import Flow
from handful.rules.codegen.source import Page, Unwritten
from handful.rules.expression_tree import Expr, Tree
from handful.rules.functions import FUNCTIONS
from handful.rules.operators import MAX_NUMBER, add, compare, get_item, is_true, remainder, subtract
from handful.rules.program import Call, Instruction, JumpUnless, Record, Refusal, Refuse, Result

TRUTHS = ("compare", "and", "or", "not")  # where a truth is needed, these give one
GIVEN = ("call", FUNCTIONS["given"])  # and so does this
VALUES = {
    "Record": Record,
    "TooBig": TooBig,
    "Refusal": Refusal,
    "is_true": is_true,
    "compare": compare,
}


def _whole(text: str) -> str:
    """A test that a value is a whole number; what is written as one needs none."""
    return "" if text.lstrip("-").isdigit() else f"{text}.__class__ is int and "


def _sum(a: str, b: str, sign: str) -> tuple[str, str]:
    test = f"{_whole(a)}{_whole(b)}{-MAX_NUMBER} <= {a} {sign} {b} <= {MAX_NUMBER}"
    return test, f"{a} {sign} {b}"


# what is written in place of a function: when that can be done, and how
PLAIN: dict[Callable[..., Any], Callable[..., tuple[str, str]]] = {
    add: lambda a, b: _sum(a, b, "+"),
    subtract: lambda a, b: _sum(a, b, "-"),
    remainder: lambda a, b: (f"{_whole(a)}{_whole(b)}{b} > 0", f"{a} % {b}"),
    get_item: lambda a, b: (f"{a}.__class__ is tuple and {_whole(b)}{b} >= 0", f"{a}[{b}]"),
    FUNCTIONS["len"]: lambda a: (f"{a}.__class__ is tuple", f"len({a})"),
    FUNCTIONS["max"]: lambda a, b: (f"{_whole(a)}{_whole(b)}True", f"({b} if {b} > {a} else {a})"),
    FUNCTIONS["min"]: lambda a, b: (f"{_whole(a)}{_whole(b)}True", f"({b} if {b} < {a} else {a})"),
}
EXTREMES = (FUNCTIONS["max"], FUNCTIONS["min"])  # of two numbers; a list is gone through


class RuleWriter:
    """One rule on a page of its own."""

    def __init__(self, flow: Flow, names: dict[str, str], head: str, values: dict[str, Any]):
        self.flow, self.names = flow, names
        self.page = Page(head, {**VALUES, **values})

    # -- to be said by who inherits

    def instruction(self, step: Instruction, pc: int) -> None:
        """Write an instruction that goes on with the next one, or ends the rule."""
        raise NotImplementedError

    def tree(self, expr: Expr) -> Tree:
        """An expression as it is to be written, with the values of house rules in place."""
        raise NotImplementedError

    # -- blocks

    def blocks(self, turns: int) -> None:
        """All blocks, as often as it takes, but at most so many turns back."""
        flow = self.flow
        heads = flow.heads()
        back = any(after <= pc for pc in flow.reached() for after in flow.following(pc))
        with self.page.block(f"for _ in range({turns}):" if back else "if True:"):
            for pc in heads:
                with self.page.block(f"if at == {pc}:"):
                    self._block(pc, heads)

    def _block(self, pc: int, heads: list[int]) -> None:
        while True:
            step = self.flow.code[pc]
            if isinstance(step, JumpUnless) and len(self.flow.following(pc)) > 1:
                test = self.truth(self.flow.tests[pc])
                self.page.line(f"at = {pc + 1} if {test} else {step.target}")
                return self._turn_back(pc, step.target)
            self.instruction(step, pc)
            if isinstance(step, (Result, Refuse)):
                return None
            (following,) = self.flow.following(pc)
            if following in heads:
                self.page.line(f"at = {following}")
                return self._turn_back(pc, following)
            pc = following

    def _turn_back(self, pc: int, to: int) -> None:
        if to <= pc:
            self.page.line("continue")

    # -- expressions

    def var(self, name: str) -> str:
        if name not in self.names:
            self.names[name] = self.page.fresh("v")
        return self.names[name]

    def expr(self, expr: Expr) -> str:
        return self.text(self.tree(expr))

    def truth(self, tree: Tree) -> str:
        text = self.text(tree)
        return text if tree[0] in TRUTHS or tree[:2] == GIVEN else f"is_true({text})"

    def text(self, tree: Tree) -> str:
        page = self.page
        match tree:
            case ("const", value):
                return page.constant(value)
            case ("name", name):
                return self.var(name)
            case ("field", inner, name):
                return f"{self.text(inner)}[{page.constant(name)}]"
            case ("not", inner):
                return f"(not {self.truth(inner)})"
            case ("and" | "or" as kind, parts):
                return f"({f' {kind} '.join(self.truth(part) for part in parts)})"
            case ("if", test, yes, no):
                return f"({self.text(yes)} if {self.truth(test)} else {self.text(no)})"
            case ("list", parts):
                return f"({''.join(f'{self.text(part)}, ' for part in parts)})"
            case ("call", function, parts):
                if function is FUNCTIONS["given"]:
                    return f"({self.text(parts[0])} is not None)"
                if function in PLAIN and (function not in EXTREMES or len(parts) == 2):
                    return self.plainly(function, parts)
                args = ", ".join(self.text(part) for part in parts)
                return f"{page.constant(function)}({args})"
            case ("compare", symbol, left, right):
                return self.comparison(symbol, left, right)
        raise AssertionError(tree)

    def comparison(self, symbol: str, left: Tree, right: Tree) -> str:
        held, (a, b) = self.held((left, right))
        slow = f"compare({self.page.constant(symbol)}, {a}, {b})"
        if any(side[0] == "const" and type(side[1]) is not int for side in (left, right)):
            return slow if not held else f"({slow} if {held}True else None)"
        return f"({a} {symbol} {b} if {held}{_whole(a)}{_whole(b)}True else {slow})"

    def plainly(self, function: Callable[..., Any], parts: tuple[Tree, ...]) -> str:
        """Everyday arithmetic on whole numbers and lists, without a call."""
        held, texts = self.held(parts)
        test, plain = PLAIN[function](*texts)
        slow = f"{self.page.constant(function)}({', '.join(texts)})"
        return f"({plain} if {held}{test} else {slow})"

    def held(self, parts: tuple[Tree, ...]) -> tuple[str, list[str]]:
        """Short texts for some expressions, and a test that is true and computes them first."""
        texts, held = [], ""
        for part in parts:
            text = self.text(part)
            if part[0] not in ("name", "const"):
                name = self.page.fresh("t")
                held += f"({name} := {text}), "
                text = name
            texts.append(text)
        return (f"({held}) and " if held else ""), texts

    def arguments(self, step: Call, params: tuple[str, ...]) -> list[str]:
        """The arguments of a call, in the order of the called rule's parameters."""
        named = {name: self.expr(expr) for name, expr in step.args}
        spread = [self.expr(expr) for expr in step.spread]
        return [named.get(name) or _spread(self.page.constant(name), spread) for name in params]


def _spread(name: str, records: list[str]) -> str:
    """A parameter that comes from spread records; the last that has it counts."""
    if not records:
        raise Unwritten
    text = f"{records[0]}[{name}]"
    for record in records[1:]:
        text = f"({record}[{name}] if {name} in {record} else {text})"
    return text
