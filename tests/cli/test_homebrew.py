"""Commands for authors: `handful new`, `handful test`, `handful docs`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runner import assert_refused, run_cli
from effort import rest_in_proof
from ruleset_cases import FAMILIES, GAMES


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def change(file: str, old: str, new: str) -> None:
    path = Path(file)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


# -- new


def test_a_new_game_is_in_order_and_its_cases_hold() -> None:
    made = run_cli("new my-game")
    assert made.status == 0
    assert "my-game/ruleset.toml" in made.out
    assert "no mistakes" in run_cli("lint my-game").out
    assert run_cli("test my-game").out == "my-game: 3 cases passed, 0 failed\n"
    assert "40.74%" in run_cli("odds ./my-game check dice=4 target=2").out


@pytest.mark.parametrize("base", [*GAMES, "ten-again", "double-tens"])
def test_a_new_game_can_begin_with_another_one(base: str) -> None:
    assert run_cli(f"new ours --from {base}").status == 0
    assert "no mistakes" in run_cli("lint ours").out


def test_commented_out_parts_work_as_written() -> None:
    """Every mark taken away: the file says what its base says."""
    run_cli("new ours --from uwr")
    lines = Path("ours/ruleset.toml").read_text(encoding="utf-8").splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("# House rules"))
    rules = next(n for n, line in enumerate(lines) if line.startswith("# Rules"))
    bare = [
        line.removeprefix("# ") if line.startswith("# [") or " = " in line else line
        for line in lines[start:rules]
    ]
    inside = False
    for line in lines[rules + 1 :]:  # texts are taken line by line, with their own remarks
        inside = inside or line.startswith(("# [", '# does = """'))
        bare.append(line.removeprefix("#").removeprefix(" ") if inside else line)
        inside = inside and bare[-1] not in ('"""', "")
    Path("ours/ruleset.toml").write_text("\n".join([*lines[:start], *bare]), encoding="utf-8")
    assert "no mistakes" in run_cli("lint ours").out
    line = "odds {} direct attribute=4 target=2 --json"
    uwr, ours = (run_cli(line.format(game)).data for game in ("uwr", "ours/"))
    assert uwr["success"] == ours["success"]


def test_a_new_game_can_extend_a_users_own() -> None:
    run_cli("new first")
    assert run_cli("new second --from first").status == 0
    assert "no mistakes" in run_cli("lint second").out
    assert "40.74%" in run_cli("odds ./second check dice=4 target=2").out


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("new uwr", "already"),
        ("new ten-again", "already"),
        ("new here", "already exists here"),
        ("new My_Game", "my-game"),
        ("new ../out", "small letters"),
        ("new mine --from nowhere", "there is no ruleset"),
    ],
)
def test_new_never_overwrites(line: str, says: str) -> None:
    Path("here").mkdir()
    said = run_cli(line)
    assert said.status == 2
    assert says in said.err
    assert [path.name for path in Path().iterdir()] == ["here"]
    assert not list(Path("here").iterdir())


# -- test


@pytest.mark.parametrize("game", rest_in_proof([*GAMES, *FAMILIES], 3))
def test_the_cases_of_all_shipped_rulesets_hold(game: str) -> None:
    said = run_cli(f"test {game}")
    assert said.status == 0, said.out
    assert said.out.endswith(" 0 failed\n")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("result = 2,", "result = 3,", "play, result: expected 3, got 2"),
        ('success = "11/27"', 'success = "1/2"', "odds, success: expected 1/2, got 11/27"),
        ("events = [] }", 'events = ["all_ones"] }', "play, events: expected ['all_ones'], got []"),
        ("faces = [5, 6, 1, 3]", "faces = [5, 6, 1]", "4 more faces are needed"),
        ("faces = [5, 6, 1, 3]", "faces = [5, 6, 1, 3, 3]", "the roll did not need the faces [3]"),
        ('check = "check"\nparams = { dice = 4', 'check = "chek"\nparams = { dice = 4', "chek"),
    ],
)
def test_a_failing_case_shows_the_actual_outcome(old: str, new: str, says: str) -> None:
    run_cli("new ours")
    change("ours/cases.toml", old, new)
    said = run_cli("test ours")
    assert said.status == 1
    assert "four dice, two successes" in said.out
    assert says in said.out
    assert said.out.endswith("2 cases passed, 1 failed\n")
    data = json.loads(run_cli("test ours --json").out)
    assert (data["cases"], len(data["different"])) == (3, 1)


def test_a_changed_rule_is_noticed_by_its_cases() -> None:
    run_cli("new ours")
    change("ours/ruleset.toml", "n = size(pool", "n = size(pool == 6) + size(pool")
    said = run_cli("test ours")
    assert said.status == 1
    assert "four dice, two successes (check)" in said.out
    assert "play, result: expected 2, got 3" in said.out
    assert "odds, mean: expected 4/3, got 2" in said.out


def test_a_refusal_that_is_expected_must_come() -> None:
    run_cli("new ours")
    text = "\n[[case]]\nname = '{}'\ncheck = 'check'\nparams.dice = {}\nrefused = '1 to 40'\n"
    with Path("ours/cases.toml").open("a", encoding="utf-8") as file:
        file.write(text.format("none", 0) + text.format("some", 3))
    said = run_cli("test ours")
    assert said.status == 1
    assert "refused: expected 1 to 40, got it can be rolled" in said.out
    assert "4 cases passed, 1 failed" in said.out


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "a case begins with"),
        ("[[case]]\nname = 'a'", "needs a name and a check"),
        ("[[case]]\nname = 'a'\ncheck = 'check'\nface = [1]", "'face'"),
        ("[[case]", "cases.toml"),
    ],
)
def test_a_broken_file_of_cases_is_refused(text: str, says: str) -> None:
    run_cli("new ours")
    Path("ours/cases.toml").write_text(text, encoding="utf-8")
    said = run_cli("test ours")
    assert said.status != 0
    assert says in said.err


def test_without_cases_there_is_nothing_to_test() -> None:
    run_cli("new ours")
    Path("ours/cases.toml").unlink()
    assert_refused(run_cli("test ours"), "no such file", status=1)


# -- docs


@pytest.mark.parametrize("game", rest_in_proof([*GAMES, *FAMILIES], len(GAMES)))
def test_a_page_for_players(game: str) -> None:
    page = run_cli(f"docs {game}").out
    data = run_cli(f"checks {game} --json").data
    assert page.startswith("# ")
    for check in data["checks"]:
        assert f"## {check['title']}" in page
        for parameter in check["parameters"]:
            assert f"| `{parameter['name']}` |" in page
    for option in data["options"]:
        assert f"| `{option['name']}` |" in page
    for line in page.splitlines():
        if line.startswith("    handful roll"):
            rolled = run_cli(line.strip().removeprefix("handful ") + " --seed 1")
            assert rolled.status == 0, (line, rolled.err)


def test_a_page_has_exact_odds() -> None:
    assert "| 4 | 93.75% | 80.25% | 40.74% | 11.11% |" in run_cli("docs uwr").out


def test_a_page_escapes_the_texts_of_the_file() -> None:
    run_cli("new ours")
    change("ours/ruleset.toml", '"Ours"', '"<b>Ours</b> | [x](y)"')
    page = run_cli("docs ours").out
    assert "\\<b\\>Ours\\</b\\> \\| \\[x\\](y)" in page
