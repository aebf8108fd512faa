"""Where a rule can go, and its expressions, once its options are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handful.errors import TooBig
from handful.rules.expression_tree import Tree
from handful.rules.operators import compare, is_true
from handful.rules.program import VALUE_ERRORS, Code, Jump, JumpUnless, Record, Refuse, Result


def folded(tree: Tree, options: Record) -> Tree:
    """The expression with its options filled in, and what follows from them worked out."""
    match tree:
        case ("option", name):
            return ("const", options[name])
        case ("and" | "or" as kind, parts):
            return _folded_truths(kind, [folded(part, options) for part in parts])
        case ("if", test, yes, no):
            asked = folded(test, options)
            if asked[0] == "const":
                return folded(yes if is_true(asked[1]) else no, options)
            return ("if", asked, folded(yes, options), folded(no, options))
        case ("field", inner, name):
            return ("field", folded(inner, options), name)
        case ("list", parts):
            return ("list", tuple(folded(part, options) for part in parts))
        case ("not", inner):
            return _computed(("not", folded(inner, options)), lambda v: not is_true(v))
        case ("compare", symbol, left, right):
            pair = ("compare", symbol, folded(left, options), folded(right, options))
            return _computed(pair, lambda a, b: compare(symbol, a, b))
        case ("call", function, parts):
            made = ("call", function, tuple(folded(part, options) for part in parts))
            return _computed(made, function)
    return tree


def _computed(tree: Tree, function: Callable[..., Any]) -> Tree:
    """The value of an expression whose parts are all known, if it has one."""
    parts = tree[2] if tree[0] == "call" else tree[1:] if tree[0] == "not" else tree[2:]
    if any(part[0] != "const" for part in parts):
        return tree
    try:
        return ("const", function(*(value for _, value in parts)))
    except (*VALUE_ERRORS, TooBig):
        return tree  # its place is found out when it is run


def _folded_truths(kind: str, parts: list[Tree]) -> Tree:
    ends = kind == "or"  # what settles it
    kept: list[Tree] = []
    for part in parts:
        if part[0] != "const" or type(part[1]) is not bool:
            kept.append(part)
        elif part[1] is ends:
            kept.append(part)
            break
    if kept and all(part[0] == "const" for part in kept) and type(kept[-1][1]) is bool:
        return kept[-1]
    return (kind, tuple(kept)) if kept else ("const", not ends)


class Flow:
    """Where a rule can go under some options."""

    def __init__(self, code: Code, options: Record) -> None:
        self.code = code
        self.tests = {
            pc: folded(step.test.tree, options)
            for pc, step in enumerate(code)
            if isinstance(step, JumpUnless)
        }

    def following(self, pc: int) -> list[int]:
        step = self.code[pc]
        if isinstance(step, JumpUnless):
            test = self.tests[pc]
            if test[0] == "const" and type(test[1]) is bool:
                return [pc + 1 if test[1] else step.target]
            return [pc + 1, step.target]
        if isinstance(step, Jump):
            return [step.target]
        return [] if isinstance(step, (Result, Refuse)) else [pc + 1]

    def reached(self) -> set[int]:
        """The instructions that can be reached."""
        seen: set[int] = set()
        todo = [0]
        while todo:
            pc = todo.pop()
            if pc not in seen:
                seen.add(pc)
                todo += self.following(pc)
        return seen

    def heads(self) -> list[int]:
        """Where straight runs of instructions begin."""
        heads = {0}
        for pc in self.reached():
            following = self.following(pc)
            if following != [pc + 1]:
                heads.update(following)
        return sorted(heads)
