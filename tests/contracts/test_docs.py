"""Every command and session in the documents works as written."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import handful
from handful.cli.app import handful as command
from handful.library.files import shipped
from handful.rules.file_format import field_names
from handful.rules.functions import FUNCTIONS
from handful.rules.grammar import EFFECTS, STATEMENTS
from handful.rules.params import TYPES
from handful.sheet.character_reader import FIELDS as CHARACTER_FIELDS
from handful.table.visibility import MODES, SHEET_MODES

TOP = Path(__file__).parents[2]
README = (TOP / "README.md").read_text()
LANGUAGE = (TOP / "docs" / "language.md").read_text()
SHEETS = (TOP / "docs" / "sheets.md").read_text()


def shell(page: str) -> list[str]:
    """The commands that a page shows."""
    return [
        line.split("#")[0].strip()
        for kind, block in re.findall(r"^```([^\n]*)\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
        for line in block.splitlines()
        if not kind and line.startswith("handful ")
    ]


SHELL = [line for line in shell(README) if not line.startswith("handful serve")]  # that would not end


def test_readme_python_session() -> None:
    failures, tried = doctest.testfile(str(TOP / "README.md"), module_relative=False)
    assert tried >= 6
    assert failures == 0


def test_sheets_python_session() -> None:
    failures, tried = doctest.testfile(str(TOP / "docs" / "sheets.md"), module_relative=False)
    assert tried >= 8
    assert failures == 0


def test_table_python_session() -> None:
    failures, tried = doctest.testfile(str(TOP / "docs" / "table.md"), module_relative=False)
    assert tried >= 8
    assert failures == 0


def test_authors_python_session() -> None:
    failures, tried = doctest.testfile(str(TOP / "docs" / "authors.md"), module_relative=False)
    assert tried >= 5
    assert failures == 0


AUTHORS = (TOP / "docs" / "authors.md").read_text(encoding="utf-8")
FALSE_WORDS = "handful claims tuurna"  # its status says that not all of them are true


@pytest.fixture
def fate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the draft of docs/authors.md into the current directory."""
    (text,) = (one for one in re.findall(r"```toml\n(.*?)```", AUTHORS, re.DOTALL) if "fate" in one)
    (tmp_path / "fate.toml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("line", shell(AUTHORS))
def test_authors_command(line: str, fate: Path) -> None:
    words = shlex.split(line)[1:]
    if "--plot" in words:
        pytest.importorskip("matplotlib")
    result = CliRunner().invoke(command, words)
    assert result.exit_code == (1 if line == FALSE_WORDS else 0), result.output
    assert result.output.strip()


@pytest.mark.proof
def test_figures_of_the_authors_walk_come_from_its_commands(fate: Path) -> None:
    """Each figure that the walk names, from the command that it names."""

    def said(line: str) -> str:
        assert line in shell(AUTHORS)
        return CliRunner().invoke(command, shlex.split(line)[1:]).output

    claims = said(FALSE_WORDS)
    assert "the page: 6 true, 3 false" in claims
    assert "the author's notes: 6 true, 9 false" in claims
    assert "success is 67.20%; claimed 50.00% to 60.00%, off by 7.20%" in claims
    table = said("handful table tuurna check level=1..9 difficulty=1..10 --markdown")
    assert "| 9 | >99.9% |" in table
    assert "| 67.2% | 53.5% | 0.0% |" in table
    moved = said("handful diff tuurna fate.toml")
    assert "table fate: neutral 0 0 1 1 2 2 -> 0 0 1 1 1 2" in moved
    assert re.search(r"check level=5 difficulty=moderate\n\s+54\.88%\D+34\.83%", moved)
    assert said("handful diff tuurna fate.toml --html fate.html").startswith("fate.html: ")
    page = (fate / "fate.html").read_text(encoding="utf-8")
    assert 'aria-label="before 54.9%, after 34.8%"' in page
    assert not re.search(r"(src|href|url|@import)\b", page)  # nothing outside of the file


def test_rounds_python_session() -> None:
    failures, tried = doctest.testfile(str(TOP / "docs" / "rounds.md"), module_relative=False)
    assert tried >= 8
    assert failures == 0


SCENES = (TOP / "docs" / "scenes.md").read_text(encoding="utf-8")


def test_scenes_python_session() -> None:
    failures, tried = doctest.testfile(str(TOP / "docs" / "scenes.md"), module_relative=False)
    assert tried >= 150
    assert failures == 0


@pytest.mark.parametrize("game", sorted(shipped()))
def test_scenes_have_everything_in_every_game(game: str) -> None:
    (scene,) = (part for part in SCENES.split("\n## ") if f'begin("{game}"' in part)
    said = {*re.findall(r'do\("\w+", "(\w+)"', scene)}
    assert said >= {"request", "propose", "accept", "throw", "answer", "undo", "correct"}
    assert said >= {"call", "settle", "contest"}
    assert "judge" in said or 'answer="complication"' in scene  # a ruling of the rules
    assert 'print_missing("ann", "bob")' in scene
    assert 'print_missing("bob", "ann")' in scene


def test_web_python_session(tmp_path: Path) -> None:
    from servers import ServerThread

    page = (TOP / "docs" / "web.md").read_text(encoding="utf-8")
    with ServerThread(tmp_path / "tables.db") as server:
        text = page.replace("http://127.0.0.1:8000", server.url)
        session = doctest.DocTestParser().get_doctest(text, {}, "web.md", None, 0)
        found = doctest.DocTestRunner().run(session)
    assert found.attempted >= 10
    assert found.failed == 0


def test_web_reference_has_everything() -> None:
    from typing import get_args

    from handful.cli.serve import serve
    from handful.web import connections, openapi, schemas, schemas_socket
    from handful.web.app import create_app
    from handful.web.settings import Settings

    page = (TOP / "docs" / "web.md").read_text(encoding="utf-8")
    for option in serve.params:
        assert f"| `{option.opts[0]}` | `{option.envvar}` |" in page  # type: ignore[attr-defined]
    for code in get_args(schemas.Code):
        assert f"| `{code}` |" in page, code
    closing = openapi.build_openapi(create_app(Settings()))["x-websocket"][openapi.SOCKET]
    for code in closing["close_codes"]:
        assert f"| {code} |" in page, code
    assert str(connections.STOPPING) in closing["close_codes"]
    for model in schemas_socket.TO_CLIENT:
        (name,) = get_args(model.model_fields["type"].annotation)
        assert f"`{name}`" in page
    for path in create_app(Settings()).openapi()["paths"]:
        assert path.rpartition("/")[2] in page, path


@pytest.mark.parametrize("name", sorted(field_names("rounds")))
def test_rounds_reference_has_every_part(name: str) -> None:
    page = (TOP / "docs" / "rounds.md").read_text(encoding="utf-8")
    assert re.search(rf"^{name} = |^\[rounds\.{name}[\].]", page, re.MULTILINE), name


@pytest.mark.parametrize("name", [*MODES, *SHEET_MODES])
def test_table_reference_has_every_mode(name: str) -> None:
    page = (TOP / "docs" / "table.md").read_text(encoding="utf-8")
    assert f"| `{name}` |" in page, f"docs/table.md lacks {name}"


@pytest.fixture
def cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The game and the character that docs/sheets.md shows."""
    for kind, file in (("toml", "ruleset.toml"), ("json", "characters/jo.json")):
        (text,) = re.findall(rf"```{kind}\n(.*?)```", SHEETS, re.DOTALL)
        place = tmp_path / "cards" / file
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("line", shell(SHEETS))
def test_sheets_command(line: str, cards: Path) -> None:
    result = CliRunner().invoke(command, shlex.split(line)[1:])
    assert result.exit_code == 0, result.output
    assert result.output.strip()


@pytest.mark.parametrize("name", sorted(field_names("sheet")))
def test_sheets_reference_has_every_part(name: str) -> None:
    assert re.search(rf"\[sheet\.{name}[\].]", SHEETS), f"docs/sheets.md lacks [sheet.{name}]"


@pytest.mark.parametrize("name", CHARACTER_FIELDS)
def test_sheets_reference_has_every_field(name: str) -> None:
    assert f"`{name}`" in SHEETS, f"docs/sheets.md lacks {name}"


@pytest.mark.parametrize("module", ["handful", "handful.dice", "handful.table.persistent_map"])
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
def test_language_reference_has_every_function_and_type(name: str) -> None:
    assert re.search(rf"`[^`\n]*\b{name}\b[^`\n]*`", LANGUAGE), f"docs/language.md lacks {name}"


def test_every_error_of_the_library_is_exported() -> None:
    for name in ("BadCharacter", "BadReply", "FileFault", "Refused", "RuleError", "TooBig"):
        assert issubclass(getattr(handful, name), handful.HandfulError)
