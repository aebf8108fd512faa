"""Emits the instructions and expressions of a rule as Python.

Basic blocks become `if` blocks that set the next block's number.  Subclasses emit single instructions;
today there is one, for pure rules (`solver.compiled.pure_rules`).
Invariant: emitted arithmetic gives the results of `rules.operators`, fast paths included.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handful.errors import TooBig
from handful.rules.codegen.folding import ControlFlow
from handful.rules.codegen.source import NotCompilable, SourceBuilder
from handful.rules.expression_tree import Expr, Tree
from handful.rules.functions import FUNCTIONS
from handful.rules.operators import MAX_NUMBER, add, compare, get_item, is_true, remainder, subtract
from handful.rules.program import Call, Instruction, JumpUnless, Record, Refusal, Refuse, Result

BOOLEAN_NODES = ("compare", "and", "or", "not")  # their value is always a boolean
GIVEN = ("call", FUNCTIONS["given"])  # and so is the value of this call
NAMESPACE = {
    "Record": Record,
    "TooBig": TooBig,
    "Refusal": Refusal,
    "is_true": is_true,
    "compare": compare,
}


def _int_test(text: str) -> str:
    """Return the test that a value is an integer, with a trailing `and`; empty for a literal."""
    return "" if text.lstrip("-").isdigit() else f"{text}.__class__ is int and "


def _sum(a: str, b: str, sign: str) -> tuple[str, str]:
    test = f"{_int_test(a)}{_int_test(b)}{-MAX_NUMBER} <= {a} {sign} {b} <= {MAX_NUMBER}"
    return test, f"{a} {sign} {b}"


# Fast paths emitted in place of a function call: the guard, and the expression.
INLINED: dict[Callable[..., Any], Callable[..., tuple[str, str]]] = {
    add: lambda a, b: _sum(a, b, "+"),
    subtract: lambda a, b: _sum(a, b, "-"),
    remainder: lambda a, b: (f"{_int_test(a)}{_int_test(b)}{b} > 0", f"{a} % {b}"),
    get_item: lambda a, b: (f"{a}.__class__ is tuple and {_int_test(b)}{b} >= 0", f"{a}[{b}]"),
    FUNCTIONS["len"]: lambda a: (f"{a}.__class__ is tuple", f"len({a})"),
    FUNCTIONS["max"]: lambda a, b: (f"{_int_test(a)}{_int_test(b)}True", f"({b} if {b} > {a} else {a})"),
    FUNCTIONS["min"]: lambda a, b: (f"{_int_test(a)}{_int_test(b)}True", f"({b} if {b} < {a} else {a})"),
}
EXTREMES = (FUNCTIONS["max"], FUNCTIONS["min"])  # inlined for two numbers, not for a list


class RuleEmitter:
    """Emits one rule as one function."""

    def __init__(self, flow: ControlFlow, names: dict[str, str], head: str, values: dict[str, Any]):
        self.flow, self.names = flow, names
        self.source = SourceBuilder(head, {**NAMESPACE, **values})

    # -- to be implemented by subclasses

    def instruction(self, step: Instruction, pc: int) -> None:
        """Emit an instruction that falls through to the next one, or ends the rule."""
        raise NotImplementedError

    def tree(self, expr: Expr) -> Tree:
        """Return the expression to emit, with the values of house rules folded in."""
        raise NotImplementedError

    # -- blocks

    def blocks(self, max_iterations: int) -> None:
        """Emit all blocks; if the rule loops, in a `for` loop of at most `max_iterations`."""
        flow = self.flow
        block_heads = flow.block_heads()
        loops = any(after <= pc for pc in flow.reachable() for after in flow.successors(pc))
        with self.source.block(f"for _ in range({max_iterations}):" if loops else "if True:"):
            for pc in block_heads:
                with self.source.block(f"if at == {pc}:"):
                    self._block(pc, block_heads)

    def _block(self, pc: int, block_heads: list[int]) -> None:
        while True:
            step = self.flow.code[pc]
            if isinstance(step, JumpUnless) and len(self.flow.successors(pc)) > 1:
                test = self.boolean(self.flow.tests[pc])
                self.source.line(f"at = {pc + 1} if {test} else {step.target}")
                return self._jump_back(pc, step.target)
            self.instruction(step, pc)
            if isinstance(step, (Result, Refuse)):
                return None
            (successor,) = self.flow.successors(pc)
            if successor in block_heads:
                self.source.line(f"at = {successor}")
                return self._jump_back(pc, successor)
            pc = successor

    def _jump_back(self, pc: int, to: int) -> None:
        if to <= pc:
            self.source.line("continue")

    # -- expressions

    def var(self, name: str) -> str:
        if name not in self.names:
            self.names[name] = self.source.fresh("v")
        return self.names[name]

    def expr(self, expr: Expr) -> str:
        return self.text(self.tree(expr))

    def boolean(self, tree: Tree) -> str:
        text = self.text(tree)
        return text if tree[0] in BOOLEAN_NODES or tree[:2] == GIVEN else f"is_true({text})"

    def text(self, tree: Tree) -> str:
        source = self.source
        match tree:
            case ("const", value):
                return source.constant(value)
            case ("name", name):
                return self.var(name)
            case ("field", inner, name):
                return f"{self.text(inner)}[{source.constant(name)}]"
            case ("not", inner):
                return f"(not {self.boolean(inner)})"
            case ("and" | "or" as kind, parts):
                return f"({f' {kind} '.join(self.boolean(part) for part in parts)})"
            case ("if", test, yes, no):
                return f"({self.text(yes)} if {self.boolean(test)} else {self.text(no)})"
            case ("list", parts):
                return f"({''.join(f'{self.text(part)}, ' for part in parts)})"
            case ("call", function, parts):
                if function is FUNCTIONS["given"]:
                    return f"({self.text(parts[0])} is not None)"
                if function in INLINED and (function not in EXTREMES or len(parts) == 2):
                    return self.inline_call(function, parts)
                args = ", ".join(self.text(part) for part in parts)
                return f"{source.constant(function)}({args})"
            case ("compare", symbol, left, right):
                return self.comparison(symbol, left, right)
        raise AssertionError(tree)

    def comparison(self, symbol: str, left: Tree, right: Tree) -> str:
        hoisted, (a, b) = self.hoist((left, right))
        slow = f"compare({self.source.constant(symbol)}, {a}, {b})"
        if any(side[0] == "const" and type(side[1]) is not int for side in (left, right)):
            return slow if not hoisted else f"({slow} if {hoisted}True else None)"
        return f"({a} {symbol} {b} if {hoisted}{_int_test(a)}{_int_test(b)}True else {slow})"

    def inline_call(self, function: Callable[..., Any], parts: tuple[Tree, ...]) -> str:
        """Emit integer arithmetic and list access inline, with the call as a fallback."""
        hoisted, texts = self.hoist(parts)
        test, fast = INLINED[function](*texts)
        slow = f"{self.source.constant(function)}({', '.join(texts)})"
        return f"({fast} if {hoisted}{test} else {slow})"

    def hoist(self, parts: tuple[Tree, ...]) -> tuple[str, list[str]]:
        """Bind expressions to locals; return an always-true test that assigns them, and their names."""
        texts, hoisted = [], ""
        for part in parts:
            text = self.text(part)
            if part[0] not in ("name", "const"):
                name = self.source.fresh("t")
                hoisted += f"({name} := {text}), "
                text = name
            texts.append(text)
        return (f"({hoisted}) and " if hoisted else ""), texts

    def arguments(self, step: Call, params: tuple[str, ...]) -> list[str]:
        """Return the arguments of a call, in the order of the called rule's parameters."""
        named = {name: self.expr(expr) for name, expr in step.args}
        spread = [self.expr(expr) for expr in step.spread]
        return [named.get(name) or _spread(self.source.constant(name), spread) for name in params]


def _spread(name: str, records: list[str]) -> str:
    """Return a parameter's value from spread records (`**record`); the last one that has it wins."""
    if not records:
        raise NotCompilable
    text = f"{records[0]}[{name}]"
    for record in records[1:]:
        text = f"({record}[{name}] if {name} in {record} else {text})"
    return text
