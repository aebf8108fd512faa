"""docs/rules.md lists every rule once, with the tests that play it and a working command."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from cli_play import TerminalTable
from cli_runner import run_cli
from effort import every_nth_in_test

import rules

GAMES = rules.games()
RULES = {number: (name, rule) for name, game in GAMES.items() for number, rule in game["rules"].items()}
NUMBERS = {
    "uwr": ("U", 23),
    "agga": ("A", 14),
    "fons": ("F", 12),
    "tuurna": ("R", 29),
    "me-d6": ("D", 47),
}
THROUGH = {
    "__future__",
    "cli_play",
    "cli_runner",
    "fractions",
    "json",
    "pathlib",
    "pytest",
    "servers",
    "typing",
}


def test_every_rule_is_listed_once_and_in_order() -> None:
    for game, (letter, count) in NUMBERS.items():
        assert list(GAMES[game]["rules"]) == [f"{letter}-{n}" for n in range(1, count + 1)]
    assert len(RULES) == 125


def test_every_rule_is_played_and_no_test_plays_one_that_is_not_listed() -> None:
    assert {*rules.played()} == {*RULES}


def test_the_page_matches_the_tests() -> None:
    assert rules.PAGE.read_text(encoding="utf-8") == rules.page(), "run tools/rules.py"


@pytest.mark.parametrize("file", sorted(rules.TESTS.glob("*.py")), ids=lambda file: file.name)
def test_rules_are_played_through_the_terminal_or_the_web_and_never_through_internals(
    file: Path,
) -> None:
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module)
    assert found <= THROUGH


@pytest.mark.parametrize("number", every_nth_in_test(RULES, 5))
def test_the_commands_of_the_page_work(number: str, tmp_path: Path) -> None:
    game, rule = RULES[number]
    assert rule["says"].endswith(".")
    assert rule["try"]
    typed = _commands(rule)
    if typed:
        TerminalTable(tmp_path, game, *GAMES[game]["setup"]).play_ok(*typed)


def _commands(rule: dict[str, Any]) -> list[str]:
    """Run the commands; return the lines for a table."""
    typed = []
    for line in rule["try"]:
        if not line.startswith("handful "):
            typed.append(line)
            continue
        said = run_cli(line)
        assert (said.status, said.err) == (0, ""), line
        assert said.out.strip()
    return typed
