"""The words and symbols of the rule language, and what reading a text needs of its file."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping, Sequence
from threading import Lock

from handful.errors import did_you_mean
from handful.rules.functions import FUNCTIONS
from handful.rules.program import Value

_PARSE_LOCK = Lock()
ROLES = ("regular", "wild", "reroll", "extra")
# Words for what a check is given by a rule of the game, and for what the GM gives it.
BY_RULE, BY_GM = "by_rule", "by_gm"
GM = "gm"  # the word that says what the one who leads a game is called in it
KEEP_MODES = ("better", "new", "worse")
EFFECTS = ("roll", "reroll", "choose", "ask")
STATEMENTS = ("result", "event", "modify", "turn", "refuse")
RESERVED = {*FUNCTIONS, *EFFECTS, *STATEMENTS, "options", "tables", "sides"}
ARGUMENT_COUNTS = {"clamp": 3, "highest": 2, "lowest": 2, "read": 2}  # the others take one, or any number
TAKES_ROW = ("sum",)  # may have a row as well
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
DIE_NAME = re.compile(r"d([1-9][0-9]{0,5})\Z")


class Declarations:
    """What a rule text may refer to by name: rules, options, tables, wording."""

    def __init__(
        self,
        *,
        rules: Mapping[str, Sequence[str]],
        options: Sequence[str],
        tables: Mapping[str, Value],
        decisions: Sequence[str],
        events: Sequence[str],
        words: Sequence[str],
    ) -> None:
        self.rules, self.options, self.tables = rules, options, tables
        self.decisions, self.events, self.words = decisions, events, words


class CompileError(Exception):
    """Something a rule text cannot say, at one of its nodes."""

    def __init__(self, node: ast.AST, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.node, self.message, self.hint = node, message, hint


def called_name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def reject_repeated_keywords(call: ast.Call) -> None:
    """Python itself finds a repeated name only later than here."""
    names = [keyword.arg for keyword in call.keywords if keyword.arg is not None]
    for keyword in call.keywords:
        if names.count(keyword.arg or "") > 1:
            raise CompileError(keyword, f"{keyword.arg!r} is given twice", "leave one of them out")


def abbreviate(node: ast.AST) -> str:
    try:
        text = ast.unparse(node).split("\n")[0]
    except (ValueError, RecursionError):
        text = "…"  # a number with thousands of digits
    return text if len(text) <= 40 else text[:39] + "…"


def tree_depth(tree: ast.AST) -> int:
    """How many levels a tree has below its root."""
    level, tree_depth = [tree], -1
    while level:
        level, tree_depth = [child for node in level for child in ast.iter_child_nodes(node)], tree_depth + 1
    return tree_depth


def read_declared_name(node: ast.expr, kind: str, known: Sequence[str]) -> str:
    """A name of something that the file declares, written as a text."""
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        raise CompileError(node, f"the name of the {kind} must stand here in quotation marks")
    if node.value not in known:
        raise CompileError(
            node,
            f"there is no {kind} {node.value!r}",
            did_you_mean(node.value, known) or f"declare it: [{kind}s.{node.value}]",
        )
    return node.value


def parse_source(text: str) -> ast.Module:
    """A text as Python reads it, without Python's advice, which is not for writers of rules.

    One at a time: in Python 3.11 threads that read at once can disturb each other.
    """
    with _PARSE_LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)
