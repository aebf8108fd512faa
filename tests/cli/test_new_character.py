"""`handful sheet --new`: a character without writing a file by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_runner import assert_refused, run_cli
from sample_characters import TOY

import handful


def made_with(line: str, *answers: str) -> Any:
    said = run_cli(line, "".join(f"{one}\n" for one in answers))
    assert said.status == 0, said.err
    return json.loads(said.out)


@pytest.mark.parametrize("game", ["agga", "uwr", "fons", "tuurna", "me-d6"])
def test_one_by_chance_is_a_canonical_file(game: str, tmp_path: Path) -> None:
    file = tmp_path / "new.json"
    said = run_cli(f"sheet --new {game} --random --seed 5 -o {file}").out
    assert str(file) in said
    rules = handful.ruleset(game)
    assert file.read_text(encoding="utf-8") == rules.export(rules.character(file))
    again = run_cli(f"sheet --new {game} --random --seed 5").out
    assert json.loads(again) == json.loads(file.read_text(encoding="utf-8"))


def test_piped_answers_fill_in_what_they_name() -> None:
    lines = ["Nell", "Sturdy", "", "3.5", "", "", "burglar=2, Mariner=0", "", "Sure-footed", "Hums."]
    made = made_with("sheet --new uwr", *lines)
    assert made["name"] == "Nell"
    assert made["attributes"] == {"might": 4, "grace": 3.5, "mettle": 4, "insight": 2}
    assert made["proficiencies"] == {"burglar": 2}
    assert (made["traits"], made["notes"]) == (["surefooted"], "Hums.")


def test_piped_answers_may_end_early() -> None:
    made = made_with("sheet --new me-d6 --npc", "Nell", "engineer")
    assert (made["name"], made["kind"], made["skills"]["repair"]) == ("Nell", "npc", 6)
    assert "medals" not in made["resources"]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["Nell", "cook"], "cook"),
        (["Nell", "sturdy", "9"], "might"),
        (["Nell", "sturdy", "", "", "", "", "cook=2"], "cook"),
        (["Nell", "sturdy", "", "", "", "", "", "tall"], "tall"),
        (["x" * 81], "at most 80"),
    ],
)
def test_a_wrong_answer_is_refused(lines: list[str], said: str) -> None:
    assert_refused(run_cli("sheet --new uwr", "\n".join(lines)), said)


def test_a_file_is_never_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text("mine", encoding="utf-8")
    assert_refused(run_cli(f"sheet --new uwr --random -o {file}"), "exists already")
    assert file.read_text(encoding="utf-8") == "mine"


def test_options_that_do_not_go_together() -> None:
    assert_refused(run_cli("sheet --new uwr mira"), "--new makes a character")
    assert_refused(run_cli("sheet mira --random"), "--new uwr --random")


def test_a_game_of_ones_own_needs_nothing_more(tmp_path: Path) -> None:
    (tmp_path / "ruleset.toml").write_text(TOY, encoding="utf-8")
    made = made_with(f"sheet --new {tmp_path}", "Nell")
    assert made["name"] == "Nell"
    assert handful.ruleset(tmp_path).character(made).name == "Nell"


def test_it_guides_in_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = pytest.importorskip("pseudo_terminal", reason="needs a pseudo-terminal")
    monkeypatch.chdir(tmp_path)
    steps = [
        ("name [", "Nell Holm"),
        ("begin with [soldier]: ", "?"),
        ("begin with [soldier]: ", "negotiator"),
        ("Dexterity (shoot, dodge, quick fingers) [2D+2]: ", "20D+9"),
        ("Dexterity (shoot, dodge, quick fingers) [2D+2]: ", "4D+2"),
        ("Knowledge (", ""),
        ("Mechanical (", ""),
        ("Perception (", ""),
        ("Strength (", ""),
        ("Technical (", ""),
        ("Biotic (", ""),
        ("skills [", "dodge=3, con=1"),
        ("skills [", ""),
        ("traits [", ""),
        ("notes [", ""),
        ("file [nell-holm.json]: ", ""),
    ]
    status, text = terminal.talk(["sheet", "--new", "me-d6"], steps)
    assert status == 0, text
    assert "Attribute dice: 20D of 19D, 1D too many" in text
    assert "Skill points: 21 of 21, all spent" in text
    made = json.loads((tmp_path / "nell-holm.json").read_text(encoding="utf-8"))
    assert (made["attributes"]["dexterity"], made["skills"]["dodge"]) == ("4D+2", 3)
