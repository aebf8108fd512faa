"""Symbols of the rule language, and helpers on the syntax trees of its sources.

Rule sources are parsed with Python's `ast` and never executed.  `CompileError` is raised at a node;
the compiler turns it into a `RuleError` with a line and column.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Sequence
from threading import Lock

from handful.errors import Message, Text, did_you_mean
from handful.rules.grammar import THINGS

_PARSE_LOCK = Lock()
SYMBOLS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


class CompileError(Exception):
    """A construct that the rule language rejects, at a node of the syntax tree."""

    def __init__(self, node: ast.AST, problem: Message, advice: Text = "") -> None:
        super().__init__(problem)
        self.node, self.problem, self.advice = node, problem, advice


def called_name(call: ast.Call) -> str:
    """Return the name of the called function, or an empty string."""
    return call.func.id if isinstance(call.func, ast.Name) else ""


def reject_repeated_keywords(call: ast.Call) -> None:
    """Reject a repeated keyword; `ast.parse` accepts it."""
    names = [keyword.arg for keyword in call.keywords if keyword.arg is not None]
    for keyword in call.keywords:
        if names.count(keyword.arg or "") > 1:
            raise CompileError(
                keyword,
                Message("ruleset.arguments.twice", argument=keyword.arg),
                Message("advice.leave_one_out"),
            )


def abbreviate(node: ast.AST) -> str:
    """Return the first line of a node's source, shortened for a message."""
    try:
        text = ast.unparse(node).split("\n")[0]
    except (ValueError, RecursionError):
        text = "…"  # such as a number with thousands of digits
    return text if len(text) <= 40 else text[:39] + "…"


def tree_depth(tree: ast.AST) -> int:
    """Return the number of levels below the root."""
    level, depth = [tree], -1
    while level:
        level, depth = [child for node in level for child in ast.iter_child_nodes(node)], depth + 1
    return depth


def read_declared_name(node: ast.expr, kind: str, known: Sequence[str]) -> str:
    """Return the declared name that a string literal refers to."""
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        raise CompileError(node, Message("ruleset.syntax.quoted_name", kind=THINGS[kind]))
    if node.value not in known:
        raise CompileError(
            node,
            Message("ruleset.unknown-name.of_kind", what=THINGS[kind], name=node.value),
            did_you_mean(node.value, known) or Message("ruleset_advice.declare", kind=kind, value=node.value),
        )
    return node.value


def parse_source(text: str) -> ast.Module:
    """Parse a rule source without Python's syntax warnings, which do not concern rule authors.

    Serialized by a lock: in Python 3.11 concurrent parsing is not thread-safe.
    """
    with _PARSE_LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)
