"""Find the messages of `handful.table` that have no German translation; all others have codes.

python tools/messages.py         # prints every missing one, ready for web/messages/de.toml

Messages are written where they are raised, in English; this reads them from the syntax trees.
`{name}` is a placeholder, `{names:or}` a list with that word before its last entry.
Placeholder names do not matter: a message is translated if the catalogue has its text.
"""

import ast
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src/handful"
# Modules whose messages have no codes yet.
PARTS = ("table/*.py",)
RAISED = {
    "BadCharacter",
    "BadReply",
    "CompileError",
    "Fault",
    "FileFault",
    "NotAccepted",
    "Refused",
    "RuleError",
    "StoreFault",
    "TooBig",
    "_error",
    "_fault",
    "_report",
    "_unused",
    "error",
    "error_at",
    "fault",
    "make_error",
    "report",
    "require",
    "suggest",
}
# Modules whose messages reach only the command line.
NO_MESSAGES = {"web/run.py"}
PHRASES = {"did_you_mean", "expects"}  # functions whose texts become part of messages in other files
YIELDS = {"explore/differences.py"}  # modules whose messages are yielded instead of raised
SHARED = {"CONVERSION_HINTS"}  # tables of hints that are defined in one file and used in others
LISTS = {"format_choices": "or"}  # functions that join names with a word before the last
PLACEHOLDER = re.compile(r"\{\w+(:\w+)?\}")


def trees() -> Iterator[tuple[Path, ast.Module]]:
    for part in PARTS:
        for file in sorted(SOURCE.glob(part)):
            if str(file.relative_to(SOURCE)) in NO_MESSAGES:
                continue
            yield file, ast.parse(file.read_text("utf-8"))


def _name(call: ast.Call) -> str:
    return getattr(call.func, "id", None) or getattr(call.func, "attr", "")


def _passed_on(tree: ast.Module, raised: set[str]) -> set[str]:
    """Return the functions that raise a message which their callers pass in."""
    found = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef):
            continue
        own = {one.arg for one in node.args.args + node.args.kwonlyargs}
        for call in ast.walk(node):
            if isinstance(call, ast.Call) and _name(call) in raised:
                passed = {one.id for one in ast.walk(call) if isinstance(one, ast.Name)}
                if own & passed & {"message", "what", "why", "right", "hint", "says"}:
                    found.add(node.name)
    return found - {"__init__"}


def _label(node: ast.expr, taken: set[str]) -> str:
    """Return a placeholder name for an expression, derived from its source."""
    while isinstance(node, ast.Subscript | ast.Starred | ast.Await):
        node = node.value
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            pass
        case ast.Call():
            inner = [one for one in node.args if not isinstance(one, ast.Constant)]
            if _name(node) == "join" and inner:
                return _label(inner[0], taken)
            name = _name(node) or "it"
            if name in ("format_choices", "text", "str", "repr", "len", "sorted", "list", "shown") and inner:
                return _label(inner[0], taken)
        case ast.GeneratorExp(elt=one) | ast.ListComp(elt=one):
            return _label(one, taken)
        case _:
            name = "it"
    name = name.strip("_").lower() or "it"
    own, count = name, 1
    while own in taken:
        count += 1
        own = f"{name}{count}"
    taken.add(own)
    return own


def _list_word(node: ast.expr) -> str:
    """Return the word before the last entry if the expression joins a list, else an empty text."""
    if isinstance(node, ast.Call):
        if _name(node) in LISTS:
            return LISTS[_name(node)]
        joins = node.func.value if isinstance(node.func, ast.Attribute) else None
        if _name(node) == "join" and isinstance(joins, ast.Constant):
            word = str(joins.value).strip()
            return word if word in ("or", "and") else ""
    return ""


def templates(node: ast.expr) -> Iterator[str]:
    """Yield the message templates that an expression can evaluate to."""
    match node:
        case ast.Constant(value=str(text)):
            yield text.replace("{", "{{").replace("}", "}}")
        case ast.JoinedStr(values=values):
            texts, taken = [""], set[str]()
            for one in values:
                add = [""]
                if isinstance(one, ast.Constant):
                    add = [str(one.value).replace("{", "{{").replace("}", "}}")]
                elif isinstance(one, ast.FormattedValue) and _is_plural(one.value):
                    add = ["", "s"]
                elif isinstance(one, ast.FormattedValue):
                    yield from _inner(one.value)
                    word = _list_word(one.value)
                    add = [f"{{{_label(one.value, taken)}{word and ':' + word}}}"]
                texts = [before + end for before in texts for end in add]
            yield from texts
        case ast.IfExp(body=one, orelse=other) | ast.BoolOp(values=[one, other]):
            yield from templates(one)
            yield from templates(other)
        case ast.BinOp(left=one, right=other):
            yield from templates(one)
            yield from templates(other)
        case ast.List(elts=entries) | ast.Tuple(elts=entries):
            for one in entries:
                yield from templates(one)
        case ast.ListComp(elt=one):
            yield from templates(one)
        case ast.Dict(values=entries):
            for one in entries:
                yield from templates(one)
        case ast.Subscript(value=one):
            yield from templates(one)
        case ast.Call():
            yield from _inner(node)


def _inner(node: ast.expr) -> Iterator[str]:
    """Yield the phrases inside a placeholder: `{'a' if one else 'b'}`, `{format_count(n, 'die')}`."""
    match node:
        case ast.IfExp(body=one, orelse=other) | ast.BoolOp(values=[one, other]):
            for each in (one, other):
                yield from (
                    templates(each) if isinstance(each, ast.Constant | ast.JoinedStr) else _inner(each)
                )
        case ast.Call(args=[_, ast.Constant(value=str(what))]) if _name(node) == "format_count":
            yield f"{{n}} {what}"
            yield f"{{n}} {what}s"


def _is_plural(node: ast.expr) -> bool:
    """Return whether the expression is a plural ending: `{'s' * (count > 1)}`."""
    return isinstance(node, ast.BinOp) and getattr(node.left, "value", "") == "s"


def _has_words(text: str) -> bool:
    """Return whether a template has words to translate, apart from placeholders and code."""
    bare = re.sub(r'\{\w+(:\w+)?\}|\{\{.*\}\}|"[^"]*"', "", text)
    bare = re.sub(r"\w+\([^()]*\)|\w* = (\w+)?", "", bare)
    return " " in bare and bool(re.search(r"[a-z]{2}", bare))


class Reader:
    """Collects the templates of all messages, following names and function calls to their texts."""

    def __init__(self) -> None:
        self.parsed = list(trees())
        self.raised = set(RAISED)
        while more := set().union(*(_passed_on(t, self.raised) for _, t in self.parsed)):
            if more <= self.raised:
                break
            self.raised |= more
        self.found: dict[str, str] = {}
        self.seen: set[tuple[str, int, int]] = set()
        self.text_functions: dict[str, list[tuple[Path, ast.FunctionDef, ast.Module]]] = {}
        for file, tree in self.parsed:
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef) and _returns_text(node):
                    self.text_functions.setdefault(node.name, []).append((file, node, tree))
        self.constants: dict[str, tuple[ast.expr, Path, ast.Module, ast.AST]] = {
            node.targets[0].id: (node.value, file, tree, tree)  # type: ignore[attr-defined]
            for file, tree in self.parsed
            for node in tree.body
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in SHARED
        }

    def read(self) -> dict[str, str]:
        for file, tree in self.parsed:
            for scope in ast.walk(tree):
                if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
                    self._scope(file, tree, scope)
        return self.found

    def _scope(self, file: Path, tree: ast.Module, scope: ast.AST) -> None:
        for node in ast.walk(scope):
            if isinstance(node, ast.Yield | ast.GeneratorExp) and _yields_messages(file):
                text = node.value if isinstance(node, ast.Yield) else node.elt
                if isinstance(text, ast.JoinedStr):
                    self._take(text, file, tree, scope)
            if isinstance(node, ast.Call) and _name(node) in self.raised:
                args = [one for one in node.args if not _is_code(one)]
                for one in [*args, *(key.value for key in node.keywords)]:
                    self._take(one, file, tree, scope)

    def _take(self, node: ast.expr, file: Path, tree: ast.Module, scope: ast.AST) -> None:
        place = (str(file), node.lineno, node.col_offset)
        if place in self.seen:
            return
        self.seen.add(place)
        for text in templates(node):
            text = text.replace("{{}}", "{name}")  # filled by `str.format`
            if _has_words(text):
                self.found.setdefault(text, f"{file.relative_to(SOURCE)}:{node.lineno}")
        for one in ast.walk(node):
            if isinstance(one, ast.Name):
                for value in _assigned_values(one.id, scope, tree):
                    self._take(value, file, tree, scope)
                if one.id in self.constants:
                    self._take(*self.constants[one.id])
            elif isinstance(one, ast.Call):
                for where, function, module in self.text_functions.get(_name(one), ()):
                    if where != file and _name(one) not in PHRASES:
                        continue
                    for back in ast.walk(function):
                        if isinstance(back, ast.Return) and back.value is not None:
                            self._take(back.value, where, module, function)


def messages() -> dict[str, str]:
    """Return every message with its file and line."""
    return Reader().read()


def _yields_messages(file: Path) -> bool:
    return str(file.relative_to(SOURCE)) in YIELDS


def _is_code(node: ast.expr) -> bool:
    """Return whether an argument is the code of a fault, which programs read."""
    return isinstance(node, ast.Constant) and bool(re.fullmatch(r"[a-z_]+", str(node.value)))


def _returns_text(node: ast.FunctionDef) -> bool:
    return isinstance(node.returns, ast.Name) and node.returns.id == "str"


def _assigned_values(name: str, scope: ast.AST, tree: ast.Module) -> Iterator[ast.expr]:
    """Yield the values assigned to a name in its function or at module level."""
    for node in [*ast.walk(scope), *tree.body]:
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = list(node.targets)
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr):
            targets = [node.target]
        for target in targets:
            pairs = [(target, node.value)]  # type: ignore[attr-defined]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):  # type: ignore[attr-defined]
                pairs = list(zip(target.elts, node.value.elts, strict=False))  # type: ignore[attr-defined]
            for one, value in pairs:
                if isinstance(one, ast.Name) and one.id == name and value is not None:
                    yield value


def missing(language: str) -> dict[str, str]:
    """Return the messages that a language does not translate, with their file and line."""
    file = SOURCE / f"web/messages/{language}.toml"
    translated = {_unnamed(text) for text in tomllib.loads(file.read_text("utf-8"))["messages"]}
    return {text: place for text, place in messages().items() if _unnamed(text) not in translated}


def _unnamed(text: str) -> str:
    """Return a template without the names of its placeholders: those follow the source code."""
    return PLACEHOLDER.sub(lambda field: f"{{{field[1] or ''}}}", text)


if __name__ == "__main__":
    for text, place in missing("de").items():
        print(f'{json.dumps(text, ensure_ascii=False)} = ""  # {place}')
    sys.exit(0)
