"""Wording of the games: English and German, including the values of choices."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from handful.library import families, files, ruleset, shipped
from handful.rules.ruleset import word_keys
from handful.sheet import read_character
from handful.web import games

RULESETS = Path(__file__).parents[2] / "rulesets"
FILES = [*RULESETS.glob("*/ruleset.toml"), *RULESETS.glob("families/*/ruleset.toml")]
LANGUAGES = {"en", "de"}
SPEAKS_FOR_ITSELF = re.compile(r"d?\d+|\+\d+")  # a number, a die


def wordings(part: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every text of a game, with its place."""
    if isinstance(part, list):
        part = {str(at): one for at, one in enumerate(part)}
    if not isinstance(part, dict):
        return
    if LANGUAGES & set(part):
        yield ".".join(path), part
    for name, inner in part.items():
        if name not in LANGUAGES:
            yield from wordings(inner, (*path, name))


@pytest.mark.parametrize("file", FILES, ids=lambda one: one.parent.name)
def test_every_text_of_a_game_is_there_in_both_languages(file: Path) -> None:
    found = list(wordings(tomllib.loads(file.read_text(encoding="utf-8"))))
    assert found
    for place, says in found:
        texts = {name: text for name, text in says.items() if isinstance(text, str)}
        assert {name for name, text in texts.items() if text.strip()} == LANGUAGES, place


def test_all_games_and_families_are_covered() -> None:
    assert {one.parent.name for one in FILES} == {*shipped(), *families()}


def shown(name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each name of the rules that a page shows, with the wordings that may stand for it."""
    rules = ruleset(name).rules
    for option in rules.options.values():
        for value in option.values:
            if not isinstance(value, bool | int):
                yield f"option {option.name}", word_keys(option.name, value)
    for check in rules.checks.values():
        if check.program is None:
            continue
        yield f"{check.name} main", (check.main,)
        for param in check.params.values():
            if param.unit:
                yield f"{check.name} {param.name} unit", (param.unit,)
            for value in param.values:
                yield f"{check.name} {param.name}", word_keys(param.name, value)
    for decision in rules.decisions:
        yield "decision", (decision,)


@pytest.mark.parametrize("name", [*shipped(), *families()])
def test_every_value_that_a_page_shows_has_wording(name: str) -> None:
    rules = ruleset(name).rules
    known = {*rules.words, *rules.events}
    missing = {
        f"{where}: {names[-1]}"
        for where, names in shown(name)
        if not known & set(names) and not SPEAKS_FOR_ITSELF.fullmatch(names[-1])
    }
    assert not missing


@pytest.mark.parametrize("game", shipped())
def test_sample_characters_speak_german_and_still_fit(game: str) -> None:
    own = ruleset(game)
    words = files.character_words(own.rules.file, "de")
    texts = json.dumps(games.sample_characters(own.rules))
    assert words
    assert not [one for one in words if json.dumps(one)[1:-1] not in texts], "no sheet says that"
    for english, german in zip(
        games.sample_characters(own.rules), games.sample_characters(own.rules, "de"), strict=True
    ):
        assert german["notes"] != english["notes"]
        assert not {*sheet_texts(german)} & {*words}
        assert read_character(own.rules, german).name == german["name"]


def sheet_texts(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        for name, inner in part.items():
            yield name
            yield from sheet_texts(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from sheet_texts(inner)
    elif isinstance(part, str):
        yield part
