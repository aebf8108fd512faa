"""A user's own ruleset in a temporary folder, through the command line."""

import json
from pathlib import Path

import pytest
from cli_runner import COIN_GAME, run_cli


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    file = tmp_path / "toy" / "ruleset.toml"
    file.parent.mkdir()
    file.write_text(COIN_GAME, encoding="utf-8")
    return file


def test_a_toy_game_is_listed_solved_and_rolled(toy: Path) -> None:
    listed = run_cli(["checks", str(toy), "--json"]).data
    (check,) = listed["checks"]
    assert check["name"] == "flip"
    assert [param["name"] for param in check["parameters"]] == ["coins", "need"]
    assert (
        check["parameters"][0] | {"min": 1, "max": 20, "unit": "coins", "required": True}
        == (check["parameters"][0])
    )
    assert listed["options"][0]["values"] == [False, True]
    assert listed["ladder"] == [{"name": "simple", "title": "Simple", "value": 1}]
    odds = run_cli(["odds", str(toy.parent), "flip", "coins=2", "--json"]).data
    assert odds["success"] == "7/8"
    assert odds["policy"] == {"flip_again": "tails"}
    assert (
        run_cli(["odds", str(toy), "flip", "coins=2", "--policy", "never", "--json"]).data["success"] == "3/4"
    )
    roll = run_cli(["roll", str(toy), "flip", "coins=2", "--faces", "1,2,2", "--json"]).data
    assert (roll["result"], roll["success"], roll["events"]) == (2, True, ["all_heads"])
    text = run_cli(["roll", str(toy), "flip", "coins=2", "--faces", "1,2,2"]).out
    assert "Nothing but heads" in text
    assert "2 heads against 1: success by 1" in text
    assert "1→2" in text


def test_lint_passes_valid_files(toy: Path) -> None:
    for file in (str(toy), "uwr"):
        said = run_cli(["lint", file])
        assert (said.status, said.err) == (0, "")
        assert "no mistakes" in said.out
    assert run_cli(["lint", str(toy), "--json"]).data == {"file": str(toy), "mistakes": []}


def test_lint_shows_every_mistake_with_its_place(toy: Path) -> None:
    broken = COIN_GAME.replace("sum(pool) == coins", "sum(poool) == coins").replace('"gift", 1', '"gifft", 1')
    toy.write_text(broken, encoding="utf-8")
    said = run_cli(["lint", str(toy)])
    assert (said.status, said.err) == (1, "")
    assert "poool" in said.out
    assert "gifft" in said.out
    assert "^" in said.out
    data = run_cli(["lint", str(toy), "--json"])
    assert data.status == 1
    mistakes = json.loads(data.out)["mistakes"]
    line = 1 + broken.splitlines().index("if sum(poool) == coins:")
    assert line in [mistake["line"] for mistake in mistakes]
    used = run_cli(["odds", str(toy), "flip", "coins=2"])
    assert (used.status, used.out) == (1, "")
    assert f"{toy}:" in used.err
    assert "handful lint" in used.err


def test_a_file_that_is_not_toml(toy: Path) -> None:
    toy.write_text("language = = 1", encoding="utf-8")
    said = run_cli(["odds", str(toy), "flip"])
    assert said.status == 1
    assert f"{toy}:1:" in said.err
