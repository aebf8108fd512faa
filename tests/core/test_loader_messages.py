"""Every message of the loader has a code and a file that triggers it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from broken_rulesets import BROKEN

from handful import rules as package
from handful.rules.diagnostics import CODES, UNKNOWN_CODE, code_of, template_pattern
from handful.rules.load import BadRuleset, Source, load

TEMPLATES = [(name, one) for name, known in CODES.items() for one in known]
SAYING = {"report", "_report", "_error", "error_at", "make_error", "CompileError", "RuleError"}
PLACED = {"message", "_unprintable(found[0])", "error.message", "refusal.message", "explain_error(error)"}


def template(node: ast.AST) -> str | None:
    """A text of the source, with `{}` for what is put in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = [one.value if isinstance(one, ast.Constant) else "{}" for one in node.values]
        return re.sub(r"(\{\})+", "{}", "".join(map(str, parts)))
    return None


def said_in_source() -> set[str]:
    """Every message that the modules of the loader can put into a mistake."""
    found = set()
    for file in Path(str(package.__path__[0])).glob("*.py"):
        if file.name in ("diagnostics.py", "program.py"):  # program.py: while a rule runs
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                if name in SAYING:
                    found |= messages(node)
                elif name == "_unused":
                    found.add(re.sub(r"\{\}", "{}", str(template(node.args[4]))))
                elif name == "append" and isinstance(node.args[0], ast.Tuple):
                    found |= {str(template(node.args[0].elts[0]))} - {"None"}
            elif isinstance(node, ast.FunctionDef) and node.name in ("_unprintable", "_value_errors"):
                for one in ast.walk(node):
                    if isinstance(one, ast.Return) and one.value is not None:
                        found |= first_texts(one.value)
    # TOML knows no empty value: only a character's file can have one.
    return {one for one in found if len(one.replace("{}", "")) > 3} - {"{} has no value", "None"}


def messages(call: ast.Call) -> set[str]:
    for argument in call.args:
        if (text := template(argument)) is not None:
            return {text}
        if ast.unparse(argument) in PLACED:
            return set()
    return set()


def first_texts(value: ast.expr) -> set[str]:
    if isinstance(value, ast.List):
        return {str(template(one.elts[0])) for one in value.elts if isinstance(one, ast.Tuple)}
    return {text} if (text := template(value)) else set()


def mistakes(text: str) -> list[str]:
    try:
        load([Source("broken.toml", text)])
    except BadRuleset as bad:
        return [error.message for error in bad.errors]
    return []


def test_every_message_of_the_source_has_a_code() -> None:
    known = {one for _, one in TEMPLATES}
    said = said_in_source()
    assert len(said) > 100
    assert sorted(said - known) == []
    # Two are put together elsewhere: what a parameter says of a value that does not fit.
    assert sorted(known - said - {"{}: {}"}) == []


@pytest.mark.parametrize(("name", "template"), TEMPLATES, ids=[one for _, one in TEMPLATES])
def test_every_message_is_shown_by_a_file(name: str, template: str) -> None:
    said = mistakes(BROKEN[template])
    shown = [one for one in said if template_pattern(template).fullmatch(one) and code_of(one) == name]
    assert shown, said


def test_every_file_is_for_a_message_that_there_is() -> None:
    assert {*BROKEN} == {one for _, one in TEMPLATES}


def test_an_unknown_message_has_a_code_as_well() -> None:
    assert code_of("something else") == UNKNOWN_CODE
    assert UNKNOWN_CODE not in CODES
