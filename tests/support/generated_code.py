"""Check of generated Python: it holds only names and constants the generator made."""

import ast
import re
from collections.abc import Iterable, Set

import pytest

from handful.rules.codegen.source import SourceBuilder

MADE = re.compile(r"[a-z]\d+\Z")  # names that the generator gives


def watched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that collects the source of every function compiled from now on."""
    seen: list[str] = []
    compile_text = SourceBuilder.compile_text
    monkeypatch.setattr(
        SourceBuilder, "compile_text", lambda source, text: seen.append(text) or compile_text(source, text)
    )
    return seen


def hold_only(pages: Iterable[str], names: Set[str], attributes: Set[str]) -> None:
    """Assert that the sources use only these names and attributes, no strings and no imports."""
    for node in (node for text in pages for node in ast.walk(ast.parse(text))):
        if isinstance(node, ast.Name):
            assert node.id in names or MADE.match(node.id)
        elif isinstance(node, ast.Constant):
            assert node.value is None or type(node.value) in (int, bool)
        elif isinstance(node, ast.Attribute):
            assert node.attr in attributes
        assert not isinstance(node, (ast.Import, ast.ImportFrom, ast.Global, ast.Lambda))
