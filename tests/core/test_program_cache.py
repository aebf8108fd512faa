"""Rulesets that are kept as data: loaded without parsing, never trusted blindly."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from handful import library
from handful.library import files, program_cache
from handful.odds import odds
from handful.roll import bind
from handful.rules.load import load
from handful.rules.program_data import BadData, read_program, write_program
from handful.rules.ruleset import Ruleset
from handful.rules.source import Source

BASE = """language = 1
id = "base"
title = { en = "Base" }
about = { en = "A game for tests" }
[options.high]
values = [4, 5]
default = 4
label = { en = "High" }
[rules.hits]
params = ["n"]
does = "result(hits = sum(roll(n, d6 >= options.high)) + 1 / 2)"
[checks.c]
title = { en = "C" }
help = { en = "C" }
main = "total"
does = '''
one = hits(n = n)
result(total = one.hits, success = one.hits >= 2)
'''
[checks.c.params.n]
type = "number"
min = 1
max = 9
default = 3
label = { en = "Dice" }
"""
OWN = """language = 1
id = "own"
extends = "base.toml"
[rules.hits]
params = ["n"]
does = "result(hits = sum(roll(n, d6 >= 5)))"
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ruleset file with a base, and an empty cache folder."""
    monkeypatch.setenv("HANDFUL_CACHE", str(tmp_path / "cache"))
    (tmp_path / "base.toml").write_text(BASE)
    (tmp_path / "own.toml").write_text(OWN)
    return tmp_path / "own.toml"


def answers(rules: Ruleset) -> list[object]:
    return [odds(bind(rules, "c", params={"n": n})) for n in (1, 4)]


def kept_file(game: Path) -> Path:
    (file,) = (game.parent / "cache").iterdir()
    return file


def parses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("a kept ruleset is parsed")

    monkeypatch.setattr(Source, "_parse", fail)
    monkeypatch.setattr("handful.rules.compiler.Compiler.compile", fail)


@pytest.mark.parametrize("name", files.known())
def test_programs_of_every_game_can_be_written_and_read_back(name: str) -> None:
    rules = load(library.read_sources(library.ruleset_path(name)))
    for program in (*rules.rules.values(), *(one.program for one in rules.checks.values() if one.program)):
        data = json.loads(json.dumps(write_program(program)))
        again = read_program(data, program.text, program.file)
        assert write_program(again) == write_program(program)
        assert (again.name, again.params, again.first_line) == (
            program.name,
            program.params,
            program.first_line,
        )


def test_a_ruleset_is_parsed_once(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = files.read_ruleset(str(game))
    with monkeypatch.context() as patched:
        parses_nothing(patched)
        second = files.read_ruleset(str(game))
        found = answers(second)
    assert found == answers(first)
    assert (second.hash, second.texts, second.file) == (first.hash, first.texts, first.file)


def test_mistakes_in_play_are_reported_with_the_same_place(game: Path) -> None:
    game.write_text(OWN.replace("d6 >= 5))", "d6 >= 5)) / (n - 4)"))
    messages = []
    for _ in range(2):
        with pytest.raises(Exception, match="division by zero") as error:
            answers(files.read_ruleset(str(game)))
        messages.append(str(error.value))
    assert messages[0] == messages[1]


def test_only_the_user_can_read_and_write_what_is_kept(game: Path) -> None:
    files.read_ruleset(str(game))
    assert stat.S_IMODE(kept_file(game).stat().st_mode) == 0o600
    assert stat.S_IMODE(kept_file(game).parent.stat().st_mode) == 0o700


def wrong_program(text: str) -> str:
    """Let one die less hit, with a checksum that fits."""
    data = json.loads(text.partition("\n")[2])
    data["programs"]["rules.hits.does"] = data["programs"]["checks.c.does"]
    return signed(data)


def no_program(text: str) -> str:
    data = json.loads(text.partition("\n")[2])
    data["programs"] = {name: [["Let", 1, 1]] for name in data["programs"]}
    return signed(data)


def other_stamp(text: str) -> str:
    data = json.loads(text.partition("\n")[2])
    data["stamp"] = "1 2 9.9"
    data["programs"] = {}
    return signed(data)


def signed(data: object) -> str:
    text = json.dumps(data)
    return f"{program_cache._digest(text)}\n{text}\n"


DAMAGES: dict[str, Callable[[str], str]] = {
    "empty": lambda text: "",
    "no checksum": lambda text: text.partition("\n")[2],
    "cut short": lambda text: text[:-20],
    "half": lambda text: text[: len(text) // 2],
    "another digit": lambda text: text.replace("5", "4", 200)[: len(text)],
    "no JSON": lambda text: f"{program_cache._digest('{')}\n{{\n",
    "a list": lambda text: signed([1, 2]),
    "nothing in it": lambda text: signed({}),
    "programs that are none": no_program,
    "another version": other_stamp,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_changes_no_answer(game: Path, damage: Callable[[str], str]) -> None:
    expected = answers(files.read_ruleset(str(game)))
    kept_file(game).write_text(damage(kept_file(game).read_text()))
    assert answers(files.read_ruleset(str(game))) == expected


def test_what_somebody_else_could_have_written_changes_no_answer(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = answers(files.read_ruleset(str(game)))
    file = kept_file(game)
    file.write_text(wrong_program(file.read_text()))
    for mode, folder_mode in ((0o666, 0o700), (0o620, 0o700), (0o600, 0o777), (0o600, 0o770)):
        file.chmod(mode)
        file.parent.chmod(folder_mode)
        assert program_cache._read_file(str(file), program_cache._stamp(), private=True) is None
        assert answers(files.read_ruleset(str(game))) == expected
        file.parent.chmod(0o700)
        file.write_text(wrong_program(file.read_text()))
    file.chmod(0o600)
    monkeypatch.setattr(os, "geteuid", lambda: 4242)
    assert answers(files.read_ruleset(str(game))) == expected


def test_a_link_or_a_folder_in_its_place_is_ignored(game: Path) -> None:
    expected = answers(files.read_ruleset(str(game)))
    file = kept_file(game)
    elsewhere = game.parent / "elsewhere.json"
    elsewhere.write_text(wrong_program(file.read_text()))
    elsewhere.chmod(0o600)
    file.unlink()
    file.symlink_to(elsewhere)
    assert program_cache._read_file(str(file), program_cache._stamp(), private=True) is None
    file.unlink()
    file.mkdir()
    assert answers(files.read_ruleset(str(game))) == expected


def test_programs_beside_a_file_that_is_not_installed_are_ignored(game: Path) -> None:
    expected = answers(files.read_ruleset(str(game)))
    beside = game.parent / program_cache.SHIPPED
    data = json.loads(wrong_program(kept_file(game).read_text()).partition("\n")[2])
    data["stamp"] = program_cache._version()
    beside.write_text(signed(data))
    kept_file(game).unlink()
    assert answers(files.read_ruleset(str(game))) == expected


@pytest.mark.parametrize("file", ["own.toml", "base.toml"])
def test_a_changed_text_is_loaded_anew(game: Path, file: str) -> None:
    before = answers(files.read_ruleset(str(game)))
    path = game.parent / file
    path.write_text(path.read_text().replace("d6 >= 5", "d6 >= 3").replace(">= 2)", ">= 1)"))
    after = files.read_ruleset(str(game))
    assert answers(after) != before
    assert answers(after) == answers(load(files.read_sources(str(game))))


def test_a_folder_that_cannot_be_written_is_no_error(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDFUL_CACHE", str(game / "inside a file"))
    assert files.read_ruleset(str(game)).id == "own"
    monkeypatch.setenv("HANDFUL_CACHE", "relative")
    assert files.read_ruleset(str(game)).id == "own"
    assert not Path("relative").exists()
    monkeypatch.setenv("HANDFUL_CACHE", "")
    assert files.read_ruleset(str(game)).id == "own"


def test_the_number_of_kept_files_is_bounded(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_cache, "MAX_FILES", 3)
    for number in range(6):
        game.write_text(f"{OWN}# {number}\n")
        files.read_ruleset(str(game))
    assert len(list((game.parent / "cache").iterdir())) == 3
    parses_nothing(monkeypatch)
    assert files.read_ruleset(str(game)).id == "own"


@pytest.mark.parametrize(
    "data", [None, [], ["n", [], [["Nothing", 1, 1]], 1], ["n", [], [["Jump", 1, 1, 9]], 1]]
)
def test_data_that_are_no_program_are_refused(data: object) -> None:
    with pytest.raises(BadData):
        read_program(data, "", "")


def test_a_kept_game_needs_neither_parser_nor_click(game: Path) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "handful", "odds", str(game), "c", "n=4"]
    texts = []
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        texts.append(done.stdout)
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "handful.odds" in imported
    assert not imported & {"ast", "tomllib", "click", "handful.rules.compiler", "handful.solver.compiled"}
    assert texts[0] == texts[1]
