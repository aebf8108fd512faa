"""Language versions of rulesets: older files work, newer ones get one clear message."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from cli_runner import run_cli
from fuzzing import RULESETS
from toy_rulesets import toml

from handful import library
from handful.rules.functions import FUNCTIONS
from handful.rules.grammar import EFFECTS, STATEMENTS
from handful.rules.load import LANGUAGE, BadRuleset, Source, load
from handful.rules.params import TYPES

LANGUAGES = Path(__file__).parents[1] / "languages"
# What each language's file gave when it was new; lines are added, never changed.
ODDS = {
    1: [
        ("words", {"dice": 3, "goal": 20}, "success", "25207/69984"),
        ("values", {}, "mean", "48892623624097/2415919104000"),
    ],
    2: [
        ("words", {"dice": 3, "goal": 20}, "success", "25207/69984"),
        ("values", {}, "mean", "48892623624097/2415919104000"),
        ("speech", {"brains": 3, "aim": "tough"}, "success", "11663/11664"),
        ("values", {"kind": "Brennend"}, "mean", "20140747331843/905969664000"),
    ],
}


def test_there_is_a_file_for_every_language() -> None:
    assert sorted(int(file.stem) for file in LANGUAGES.iterdir()) == list(range(1, LANGUAGE + 1))


@pytest.mark.parametrize("version", range(1, LANGUAGE + 1))
def test_an_older_language_keeps_working(version: int) -> None:
    game = library.reviewed(LANGUAGES / f"{version}.toml")
    for check, params, figure, value in ODDS[version]:
        assert getattr(game.odds(check, **params), figure) == Fraction(value), check
    wins = game.odds("sides", {"dice": 2}, {"dice": 2}, bonus="1+1").wins
    assert wins is not None
    assert [str(one) for one in wins] == ["287/432", "155/648"]


def test_the_file_of_the_newest_language_uses_every_function() -> None:
    text = (LANGUAGES / f"{LANGUAGE}.toml").read_text(encoding="utf-8")
    for word in (*FUNCTIONS, *EFFECTS, *STATEMENTS):
        assert f"{word}(" in text, word
    for kind in TYPES:
        assert f'"{kind}"' in text, kind


@pytest.mark.parametrize(
    ("part", "name"),
    [
        ('usual_check = "check"', "usual_check"),
        ('[words.w]\nen = "W"\naliases = ["v"]', "aliases"),
        ('[ladder.easy]\nvalue = 1\ntitle.en = "Easy"\naliases = ["light"]', "aliases"),
        ('[sheet.attribute]\nopen = true\n[sheet.attributes.wits]\ntitle.en = "W"', "open"),
        ('[sheet.attributes.wits]\ntitle.en = "W"\naliases = ["w"]', "aliases"),
    ],
)
def test_a_newer_field_says_which_language_it_needs(part: str, name: str) -> None:
    text = toml("result(total = 1)")
    place = text.index("[") if part.startswith("usual") else len(text)
    with pytest.raises(BadRuleset) as raised:
        load([Source("toy.toml", f"{text[:place]}{part}\n{text[place:]}")])
    said = [str(error) for error in raised.value.errors]
    assert any(f"'{name}' needs language 2, and this file is written in language 1" in one for one in said), (
        said
    )
    assert any("write language = 2 at the top of the file" in one for one in said)


def test_an_older_file_may_extend_a_newer_one() -> None:
    base = Source("base.toml", (LANGUAGES / "2.toml").read_text(encoding="utf-8"))
    own = Source("own.toml", 'language = 1\nid = "own"\n[title]\nen = "Own"\n')
    assert load([base, own]).usual_check == "words"


def newer(text: str) -> str:
    return text.replace("language = 1", f"language = {LANGUAGE + 1}\nshiny = true")


def test_a_newer_language_gets_one_clear_message() -> None:
    """Words that are not known yet are no mistakes: the version is what is wrong."""
    with pytest.raises(BadRuleset) as raised:
        load([Source("new.toml", newer(toml("result(total = sparkle(roll(1, d6)))")))])
    (error,) = raised.value.errors
    assert error.line == 1
    assert (
        error.message == f"wants language {LANGUAGE + 1}, and this Handful knows languages up to {LANGUAGE}"
    )
    assert "newer Handful" in error.hint


def test_a_base_of_a_newer_language_is_named(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text(newer(toml("result(total = 1)")), encoding="utf-8")
    (tmp_path / "own.toml").write_text('language = 1\nid = "own"\nextends = "base.toml"\n')
    with pytest.raises(BadRuleset) as raised:
        library.ruleset(tmp_path / "own.toml")
    assert raised.value.errors[0].file.endswith("base.toml")


@pytest.mark.parametrize("value", ['"1"', "0", "-1", "true", "1.0", "[1]"])
def test_a_language_is_a_whole_number_from_one_on(value: str) -> None:
    text = toml("result(total = 1)").replace("language = 1", f"language = {value}")
    with pytest.raises(BadRuleset, match="does not say in which version"):
        load([Source("toy.toml", text)])


def test_an_edition_says_its_own_language() -> None:
    own = 'id = "own"\n[title]\nen = "Own"\n'
    with pytest.raises(BadRuleset, match="does not say in which version"):
        load([Source("base.toml", toml("result(total = 1)")), Source("own.toml", own)])


@pytest.mark.parametrize("file", sorted(RULESETS.rglob("ruleset.toml")), ids=str)
def test_every_shipped_file_says_its_language(file: Path) -> None:
    assert Source(str(file), file.read_text(encoding="utf-8")).data["language"] == LANGUAGE


# -- mistakes for programs


BROKEN = toml('pool = rol(3, d6)\nresult(total = "x")').replace('id = "toy"', 'id = "toy"\nshiny = 1')


def test_lint_json_has_place_and_code(tmp_path: Path) -> None:
    file = tmp_path / "toy.toml"
    file.write_text(BROKEN, encoding="utf-8")
    said = run_cli(f"lint {file} --json")
    assert said.status == 1
    data = json.loads(said.out)
    first, second = data["mistakes"][:2]
    assert set(first) == {
        "file",
        "line",
        "column",
        "end_line",
        "end_column",
        "code",
        "severity",
        "rule",
        "message",
        "hint",
        "source",
    }
    assert (first["line"], first["column"], first["code"]) == (3, 1, "unknown-key")
    lines = BROKEN.split("\n")
    assert second["code"] == "unknown-function"
    line = lines[second["line"] - 1]
    assert line[second["column"] - 1 : second["end_column"] - 1] == "rol(3, d6)"
    assert second["end_line"] == second["line"]
    assert {one["severity"] for one in data["mistakes"]} == {"error"}


def test_a_mistake_in_a_one_line_rule_has_its_place() -> None:
    text = toml("result(total = 1)").replace('"""\nresult(total = 1)\n"""', '"result(total = nobody)"')
    with pytest.raises(BadRuleset) as raised:
        load([Source("toy.toml", text)])
    (error,) = raised.value.errors
    line = text.split("\n")[error.line - 1]
    assert line[error.column - 1 : error.end[1] - 1] == "nobody"
    assert error.source == line


def test_a_file_in_order_has_no_mistakes_for_programs() -> None:
    said = run_cli("lint uwr --json")
    assert said.status == 0
    assert json.loads(said.out)["mistakes"] == []
