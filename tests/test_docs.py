"""What the documents show works as written."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import handful
from handful.cli.app import handful as command
from handful.rules.functions import FUNCTIONS
from handful.rules.grammar import EFFECTS, STATEMENTS
from handful.rules.params import TYPES

TOP = Path(__file__).parents[1]
README = (TOP / "README.md").read_text()
LANGUAGE = (TOP / "docs" / "language.md").read_text()
SHELL = [
    line.split("#")[0].strip()
    for block in re.findall(r"```\n(.*?)```", README, re.DOTALL)
    for line in block.splitlines()
    if line.startswith("handful ")
]


def test_readme_python_session() -> None:
    failures, tried = doctest.testfile(str(TOP / "README.md"), module_relative=False)
    assert tried >= 6
    assert failures == 0


@pytest.mark.parametrize("module", ["handful", "handful.dice"])
def test_doctests(module: str) -> None:
    import importlib

    failures, tried = doctest.testmod(importlib.import_module(module))
    assert tried
    assert failures == 0


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    text = next(b for b in re.findall(r"```toml\n(.*?)```", README, re.DOTALL) if "house" in b)
    (tmp_path / "house.toml").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("line", SHELL)
def test_readme_command(line: str, house: Path) -> None:
    result = CliRunner().invoke(command, shlex.split(line)[1:])
    assert result.exit_code == 0, result.output
    assert result.output.strip()


def test_readme_house_game_differs_from_its_base(house: Path) -> None:
    asked = {"attribute": 2, "rerolls": 2, "target": 2}
    own = handful.ruleset("house.toml").odds("direct", **asked).success
    assert own > handful.ruleset("uwr").odds("direct", **asked).success


@pytest.mark.parametrize("name", [*FUNCTIONS, *EFFECTS, *STATEMENTS, *TYPES])
def test_language_reference_has_every_word(name: str) -> None:
    assert re.search(rf"`[^`\n]*\b{name}\b[^`\n]*`", LANGUAGE), f"docs/language.md lacks {name}"


def test_every_error_of_the_library_is_exported() -> None:
    for name in ("BadReply", "FileFault", "Refused", "RuleError", "TooBig"):
        assert issubclass(getattr(handful, name), handful.HandfulError)
