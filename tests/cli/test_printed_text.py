"""Printed text: lists, tables, rolls in words, help and its examples."""

from importlib import import_module
from pathlib import Path

import pytest
from cli_runner import COIN_GAME, CONTRACT, assert_refused, run_cli
from effort import every_nth_in_test

from handful import library
from handful.cli.app import COMMANDS
from handful.cli.app import EXAMPLES as OVERVIEW
from handful.library.tables import new_table
from handful.store.maintenance import copy_file
from handful.table import Command

ROOT = Path(__file__).resolve().parents[2]


def test_rulesets_are_one_line_each() -> None:
    lines = run_cli("rulesets").out.splitlines()
    assert [line.split()[0] for line in lines] == ["agga", "fons", "me-d6", "tuurna", "uwr"]
    assert {game["id"] for game in run_cli("rulesets --json").data["rulesets"]} >= {"uwr", "agga"}


def test_families_have_a_list_of_their_own() -> None:
    lines = run_cli("rulesets --families").out.splitlines()
    assert [line.split()[0] for line in lines] == library.families()
    assert max(map(len, lines)) <= 80
    data = run_cli("rulesets --families --json").data
    assert [one["id"] for one in data["families"]] == library.families()
    assert "50.78%" in run_cli("odds ten-again pool dice=5 target=2").out
    assert_refused(run_cli("checks ten-agian"), "ten-again", hint=True)


def test_checks_name_parameters_options_and_difficulties() -> None:
    text = run_cli("checks uwr").out
    for part in ("attribute", "0 to 200", "reroll_stack", "AMB-U2", "extreme", "not available", "vs"):
        assert part in text
    data = run_cli("checks uwr --json").data
    assert {check["name"]: bool(check["refused"]) for check in data["checks"]}["attack"]
    assert {"name", "default", "open", "label", "values"} == set(data["options"][0])
    assert_refused(run_cli("checks uwr attack"), "direct")


def test_odds_show_the_chance_a_table_and_the_policy() -> None:
    text = run_cli(f"{CONTRACT[0]} --option reroll_stack=stacking").out
    for part in ("473/729", "64.88%", "at least", "█", "reroll = failing dice", "stacking"):
        assert part in text


def test_odds_at_a_decision_mark_the_best_answer() -> None:
    text = run_cli("odds uwr direct attribute=3 rerolls=1 target=2 --faces 1,5,3").out
    assert "33.33% success  <- best" in text
    assert "picking die 2 cannot help" in text
    text = run_cli("odds me-d6 check dice=3D difficulty=5 --faces 1,5,3").out
    assert "total 4 against 5: failure by 1" in text
    assert "total 9 against 5: success by 4  <- best" in text


def test_a_roll_explains_its_result() -> None:
    text = run_cli("roll uwr direct attribute=3.5 rerolls=1 target=2 --faces 5,1,2,6,6 --answer 3,2").out
    for part in ("2: 1→6", "3: 2→6", "+3.5 dice: Attribute", "3 successes against 2: success by 1"):
        assert part in text
    text = run_cli("roll uwr opposed attribute=1 vs attribute=1 --faces 5,5").out
    assert "side 2 wins" in text


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        (
            "roll uwr direct attribute=1 rerolls=1 target=1 --faces 5 --answer none",
            ["+1 die: Attribute", "+1 reroll: Other rerolls", "\n1 success against 1:"],
        ),
        ("roll uwr direct attribute=2 --faces 1,1", ["+2 dice", "\n0 successes"]),
        ("roll uwr opposed attribute=1 vs attribute=1 --faces 5,1", ["\n1 net success:"]),
        ("roll uwr opposed attribute=1 vs attribute=1 --faces 1,5", ["\n0 net successes:"]),
        ("roll tuurna check level=3 labor=1 --seed 1", ["+1 die: Labor"]),
        (
            "roll uwr direct --as mira attribute=Grace specific=1 --seed 1 --faces 1,1,1,1,1",
            ["+3.5 dice: Grace", "+1 reroll: Specific skill", "+1 reroll: Half a die"],
        ),
        ("simulate uwr direct attribute=1 --count 1 --seed 1", ["\n1 roll,"]),
    ],
)
def test_one_of_a_unit_is_singular(line: str, parts: list[str]) -> None:
    said = run_cli(line)
    assert not [part for part in parts if part not in said.out], said.out + said.err


def test_a_game_without_a_singular_form(tmp_path: Path) -> None:
    (tmp_path / "toy.toml").write_text(COIN_GAME)
    game = tmp_path / "toy.toml"
    assert "\nheads 1 against 1:" in run_cli(f"roll {game} flip coins=1 --faces 2").out
    assert "\n0 heads against 1:" in run_cli(f"roll {game} flip coins=1 --faces 1 --answer none").out
    named = COIN_GAME.replace('en = "heads"', 'en = "heads"\none = { en = "head" }')
    game.write_text(named)
    assert "\n1 head against 1:" in run_cli(f"roll {game} flip coins=1 --faces 2").out
    game.write_text(named.replace('{ en = "head" }', '"head"'))
    assert "words.heads.one needs wording" in run_cli(f"lint {game}").out


@pytest.mark.parametrize(
    "line",
    [
        *CONTRACT,
        "checks me-d6",
        "checks tuurna",
        "rulesets",
        "odds me-d6 total dice=100D",
        "odds uwr direct attribute=200 rerolls=200 target=100",
        "odds tuurna check level=12 --option cap=off",
        "roll tuurna contest level=10 fate=lucky vs level=12 vs level=9 --seed 1",
        "odds uwr direct attribute=8 rerolls=8 target=4 --faces 1,1,2,2,3,3,5,6",
        "roll me-d6 attack dice=6D+2 defense=15 vs dice=4D --seed 2",
        "--help",
        "odds --help",
        "roll --help",
        "",
    ],
)
def test_80_columns_suffice_and_pipes_get_no_colour(line: str) -> None:
    said = run_cli(line)
    assert said.status == 0
    assert "\033" not in said.out
    assert max(map(len, said.out.splitlines())) <= (80 if line[-6:] != "--help" else 100)


def test_long_tables_are_shortened_and_say_so() -> None:
    text = run_cli("odds me-d6 total dice=40D").out
    assert len(text.splitlines()) < 50
    assert "not shown" in text
    assert "see --json" in text


def test_without_a_terminal_lines_are_played() -> None:
    said = run_cli("", "uwr direct attribute=2 faces=5,5\n")
    assert (said.status, said.err) == (0, "")
    assert "2 successes" in said.out


def examples() -> list[str]:
    found = [line for line, _ in OVERVIEW]
    for name, module in COMMANDS.items():
        own = import_module(f"handful.cli.{module}").EXAMPLES
        assert own, name
        found += [line for line, _ in own]
    return found


@pytest.fixture
def example_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with everything that the examples name: the games, a table and two logs."""
    (tmp_path / "rulesets").symlink_to(ROOT / "rulesets")
    kept = new_table("uwr", name="evening", file=tmp_path / "evening.handful")
    kept.do("gm", Command("seat", "1", {"name": "ann", "role": "player"}))
    kept.do("gm", Command("seat", "2", {"name": "bob", "role": "player"}))
    for seat in ("ann", "bob"):
        (tmp_path / f"{seat}.log").write_text(kept.export(seat), encoding="utf-8", newline="\n")
    kept.store.close()
    copy_file(str(tmp_path / "evening.handful"), str(tmp_path / "evening.backup"))
    monkeypatch.chdir(tmp_path)


SERVES = [line for line in examples() if line.startswith("handful serve")]  # until it is stopped
DATABASES = [line for line in examples() if "postgresql://" in line]  # tests/cli/test_databases.py


@pytest.mark.usefixtures("example_folder")
@pytest.mark.parametrize(
    "line", every_nth_in_test([one for one in examples() if one not in SERVES + DATABASES], 3)
)
def test_the_examples_of_the_help_work(line: str) -> None:
    if line == "handful play my-game":
        assert run_cli("new my-game").status == 0
    said = run_cli(line.partition(" > ")[0].partition(" < ")[0])
    assert (said.status, said.err) == (0, "")
    assert said.out


@pytest.mark.parametrize("line", SERVES)
def test_the_examples_of_serve_start_a_server(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from handful.web import run
    from handful.web.settings import Settings

    ran: list[Settings] = []
    monkeypatch.setattr(run, "run", lambda settings, on_started: ran.append(settings))
    said = run_cli(line)
    assert said.status == 0
    (own,) = ran
    for flag, value in (("--port", str(own.port)), ("--data", own.data), ("--host", own.host)):
        assert (f"{flag} {value}" in line) == (flag in line)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_help_has_its_examples(command: str) -> None:
    assert "Examples:" in run_cli(f"{command} --help").out


def test_the_version() -> None:
    assert run_cli("--version").out.startswith("handful 0.")


def test_no_answer_is_best_where_all_are_worth_the_same() -> None:
    lost = run_cli("odds me-d6 check dice=4D difficulty=20 --faces 1,6,1,1").out
    assert "total 3 against 20" in lost
    assert "total 9 against 20" in lost
    assert "best" not in lost
    won = run_cli("odds uwr direct attribute=2 rerolls=1 target=1 --faces 5,1").out
    assert "none  100.00% success" in won
    assert "best" not in won


@pytest.mark.parametrize(("winner", "text"), [(2, "side 2 wins"), (0, "a tie, nobody wins")])
def test_a_check_whose_result_is_the_winner_names_the_side(tmp_path: Path, winner: int, text: str) -> None:
    path = tmp_path / "ruleset.toml"
    path.write_text(
        'language = 1\nid = "duel"\ntitle.en = "Duel"\nabout.en = "Two sides."\n'
        '[checks.duel]\ntitle.en = "Duel"\nhelp.en = "Who wins?"\nmain = "winner"\n'
        f'does = "result(winner = {winner})"\nsides = {{ word = "vs", min = 2, max = 2 }}\n',
        encoding="utf-8",
    )
    assert run_cli(["roll", str(path), "duel", "vs"]).out.splitlines()[-1] == text
