"""Generate docs/rules.md: every rule of the five games, how to try it, and its test.

Summaries and example commands are in docs/rules.toml; markers in tests/rules link tests to rules.
A test fails when the page is out of date.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TOP = Path(__file__).parents[1]
TESTS = TOP / "tests" / "rules"
PAGE = TOP / "docs" / "rules.md"

HEAD = """# The rules, and the tests that play them

*For players and GMs who look up how a rule is played, and for engineers who test it.*

Made by `tools/rules.py` from `docs/rules.toml` and the tests in `tests/rules`.

Every numbered rule of the five games, in other words than the pages': {count} rules.
Each is played by a test as a user plays it: by commands, at a table in the terminal, or on the web.

What begins with `handful` is a command.
Other lines are typed at a [table in the terminal](terminal.md), set up as each game begins.
"""


def games() -> dict[str, dict[str, Any]]:
    """Return the games with their rules, as docs/rules.toml has them."""
    return tomllib.loads((TOP / "docs" / "rules.toml").read_text(encoding="utf-8"))


def played() -> dict[str, list[tuple[str, str]]]:
    """Return the file and the name of every test that plays a rule, by the rule's number."""
    found: dict[str, list[tuple[str, str]]] = {}
    for file in sorted(TESTS.glob("test_*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                for rule in _marks(node):
                    found.setdefault(rule, []).append((file.name, node.name))
    return found


def _marks(test: ast.FunctionDef) -> Iterator[str]:
    for mark in test.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
            yield from (ast.literal_eval(one) for one in mark.args)


def page() -> str:
    """Return the text of docs/rules.md."""
    every = games()
    count = sum(len(game["rules"]) for game in every.values())
    return "\n".join([HEAD.format(count=count), *_tables(every)])


def _tables(every: dict[str, dict[str, Any]]) -> Iterator[str]:
    tests = played()
    for name, game in every.items():
        yield from (f"## {game['title']}", "", "Set up a table:", "", "```")
        yield from (f"handful play {name}.handful --game {name} --gm kim", *game["setup"])
        yield from ("```", "", "| rule | in short | try | played by |", "|---|---|---|---|")
        for number, rule in game["rules"].items():
            tried = "<br>".join(f"`{line}`" for line in rule["try"])
            tests_of = "<br>".join(f"`{file}` `{test}`" for file, test in tests.get(number, ()))
            yield f"| {number} | {rule['says']} | {tried} | {tests_of} |"
        yield ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
