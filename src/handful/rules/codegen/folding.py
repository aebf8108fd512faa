"""Constant folding of expressions, and the control flow that is left of a rule under given options.

Invariant: folding never changes a result; an expression that would raise is left for run time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handful.errors import TooBig
from handful.rules.expression_tree import Tree
from handful.rules.operators import compare, is_true
from handful.rules.program import VALUE_ERRORS, Code, Jump, JumpUnless, Record, Refuse, Result


def fold(tree: Tree, options: Record) -> Tree:
    """Return the expression with options replaced by constants, and constant parts evaluated."""
    match tree:
        case ("option", name):
            return ("const", options[name])
        case ("and" | "or" as kind, parts):
            return _fold_boolean(kind, [fold(part, options) for part in parts])
        case ("if", test, yes, no):
            folded_test = fold(test, options)
            if folded_test[0] == "const":
                return fold(yes if is_true(folded_test[1]) else no, options)
            return ("if", folded_test, fold(yes, options), fold(no, options))
        case ("field", inner, name):
            return ("field", fold(inner, options), name)
        case ("list", parts):
            return ("list", tuple(fold(part, options) for part in parts))
        case ("not", inner):
            return _evaluate(("not", fold(inner, options)), lambda v: not is_true(v))
        case ("compare", symbol, left, right):
            pair = ("compare", symbol, fold(left, options), fold(right, options))
            return _evaluate(pair, lambda a, b: compare(symbol, a, b))
        case ("call", function, parts):
            folded_call = ("call", function, tuple(fold(part, options) for part in parts))
            return _evaluate(folded_call, function)
    return tree


def _evaluate(tree: Tree, function: Callable[..., Any]) -> Tree:
    """Evaluate an operation whose operands are all constants."""
    parts = tree[2] if tree[0] == "call" else tree[1:] if tree[0] == "not" else tree[2:]
    if any(part[0] != "const" for part in parts):
        return tree
    try:
        return ("const", function(*(value for _, value in parts)))
    except (*VALUE_ERRORS, TooBig):
        return tree  # raises at run time, with its line and column


def _fold_boolean(kind: str, parts: list[Tree]) -> Tree:
    short_circuit = kind == "or"  # the value that ends the evaluation
    operands: list[Tree] = []
    for part in parts:
        if part[0] != "const" or type(part[1]) is not bool:
            operands.append(part)
        elif part[1] is short_circuit:
            operands.append(part)
            break
    if operands and all(part[0] == "const" for part in operands) and type(operands[-1][1]) is bool:
        return operands[-1]
    return (kind, tuple(operands)) if operands else ("const", not short_circuit)


class ControlFlow:
    """Control-flow graph of a rule under given options."""

    def __init__(self, code: Code, options: Record) -> None:
        self.code = code
        self.tests = {
            pc: fold(step.test.tree, options) for pc, step in enumerate(code) if isinstance(step, JumpUnless)
        }

    def successors(self, pc: int) -> list[int]:
        step = self.code[pc]
        if isinstance(step, JumpUnless):
            test = self.tests[pc]
            if test[0] == "const" and type(test[1]) is bool:
                return [pc + 1 if test[1] else step.target]
            return [pc + 1, step.target]
        if isinstance(step, Jump):
            return [step.target]
        return [] if isinstance(step, (Result, Refuse)) else [pc + 1]

    def reachable(self) -> set[int]:
        """Return the reachable instructions."""
        seen: set[int] = set()
        todo = [0]
        while todo:
            pc = todo.pop()
            if pc not in seen:
                seen.add(pc)
                todo += self.successors(pc)
        return seen

    def block_heads(self) -> list[int]:
        """Return the first instruction of each basic block."""
        block_heads = {0}
        for pc in self.reachable():
            successors = self.successors(pc)
            if successors != [pc + 1]:
                block_heads.update(successors)
        return sorted(block_heads)
