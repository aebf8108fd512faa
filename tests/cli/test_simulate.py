"""`handful simulate` and `handful odds --sample`: text, JSON, CSV and refusals."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from cli_runner import assert_refused, run_cli
from toy_rulesets import toml

from handful import simulate
from handful.cli.odds_answer import MAX_ROLLS

CHECK = "simulate uwr direct attribute=4 rerolls=2 target=2 --seed 1"
TOO_BIG = """
a = sum(roll(2, d6, more = 6))
p = roll(2, d4)
p = p - (p <= 2) + reroll(choose("pick", p <= 2, 2), d4)
b = sum(p) + sum(roll(1, d4, again = 4))
if a > b:
    event("boom")
result(total = a - b, success = a > b)
"""


@pytest.fixture
def big(tmp_path: Path) -> str:
    """A game without exact odds: the difference of two endless numbers."""
    file = tmp_path / "big.toml"
    file.write_text(toml(TOO_BIG))
    return str(file)


def answered(line: str) -> Any:
    said = run_cli(line)
    assert (said.status, said.err) == (0, ""), said.err
    return json.loads(said.out)


def test_simulated_and_exact_figures_are_shown_together() -> None:
    said = run_cli(f"{CHECK} --count 1000000")
    assert said.status == 0
    assert "1,000,000 rolls, drawn from the exact odds; seed 1" in said.out
    assert "exact  64.88%  473/729" in said.out
    assert "failing dice" in said.out
    lines = said.out.splitlines()
    assert max(map(len, lines)) <= 80
    (two,) = (line for line in lines if line.split()[:1] == ["2"])
    exact, rolled, error = (cell.strip("±%") for cell in two.split()[1:4])
    assert exact == "32.92"
    assert abs(float(rolled) - 32.92) < 0.3
    assert 0.08 <= float(error) <= 0.1


@pytest.mark.parametrize(
    "words",
    [
        "me-d6 opposed dice=30D vs dice=28D+1",
        "tuurna check level=9 difficulty=7 --option cap=off",
        "tuurna contest ties=stand level=3 vs level=2 vs level=3",
        "uwr opposed attribute=4 vs attribute=2 vs attribute=3",
        "me-d6 total dice=100D",
        "uwr direct attribute=0 bonus=-3",
    ],
)
def test_every_shape_of_check_fits_80_columns(words: str) -> None:
    for count in (1, 20_000):
        said = run_cli(f"simulate {words} --seed 1 --count {count}")
        assert (said.status, said.err) == (0, "")
        assert max(map(len, said.out.splitlines())) <= 80


def test_one_roll_has_no_standard_error() -> None:
    said = run_cli(f"{CHECK} --count 1")
    (mean,) = (line for line in said.out.splitlines() if line.startswith("mean"))
    assert mean.split()[2:4] == ["±", "?"]
    assert "the mean of a single roll has none" in said.out
    assert "no error" not in run_cli(f"{CHECK} --count 2").out
    assert answered(f"{CHECK} --count 1 --json")["mean"]["error"] is None
    assert "\nmean,,,1.0,,476/243\n" in run_cli(f"{CHECK} --count 1 --csv").out


def test_json() -> None:
    fields = answered(f"{CHECK} --count 20000 --json")
    assert (fields["count"], fields["seed"], fields["method"]) == (20_000, 1, "table")
    assert fields["confidence"] == "95%"
    assert fields["exact"]["distribution"][0] == [0, "64/729"]
    assert fields["success"]["chance"] == fields["success"]["count"] / 20_000
    assert sum(one["count"] for _, one in fields["distribution"]) == 20_000
    assert fields["policy"] == {"reroll": "failing dice, lowest face first, all rerolls"}
    assert fields["ruleset"]["id"] == "uwr"
    assert answered(f"{CHECK} --count 20000 --json --workers 3") == fields
    other = CHECK.replace("--seed 1", "--seed 2")
    assert answered(f"{other} --count 20000 --json")["success"] != fields["success"]
    sides = answered("simulate tuurna contest level=3 vs level=2 --seed 1 --json")
    assert len(sides["wins"]) == len(sides["exact"]["wins"]) == 2
    assert sides["tie"]["count"] == 0


def test_csv() -> None:
    said = run_cli(f"{CHECK} --count 20000 --csv")
    rows = list(csv.DictReader(io.StringIO(said.out)))
    assert [row["figure"] for row in rows] == ["success", "mean", *["result"] * 5]
    assert rows[0]["exact"] == "473/729"
    assert sum(int(row["count"]) for row in rows if row["figure"] == "result") == 20_000
    for row in rows[2:]:
        share = int(row["count"]) / 20_000
        assert float(row["value"]) == share
    assert [row["name"] for row in rows[2:]] == ["0", "1", "2", "3", "4"]


def test_policies() -> None:
    never = answered(f"{CHECK} --policy never --json")
    assert never["exact"]["success"] == "11/27"
    assert never["policy"] == {"reroll": "no rerolls"}
    assert answered(f"{CHECK} --policy best --json")["exact"]["success"] == "473/729"


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ("--count 0", ["1 to 1,000,000,000", "0"]),
        ("--count -5", ["--count", "'-5'", "whole number"]),
        ("--count many", ["--count", "'many'", "1000000"]),
        ("--count 1.5", ["--count", "'1.5'"]),
        ("--count 1e6", ["--count", "'1e6'"]),
        ("--count ''", ["--count"]),
        ("--count 1000000001", ["1 to 1,000,000,000"]),
        ("--count " + "9" * 5000, ["--count"]),
        ("--seed x", ["--seed", "'x'"]),
        ("--seed 1_0", ["--seed", "'1_0'", "digits"]),
        ("--seed +5", ["--seed", "'+5'"]),
        ("--seed ５", ["--seed", "'５'"]),
        ("--seed '1 0'", ["--seed", "'1 0'"]),
        ("--count 1_000", ["--count", "'1_000'", "digits"]),
        ("--count 1,000", ["--count", "'1,000'"]),
        ("--workers 1_0", ["--workers", "'1_0'"]),
        ("--seed -1", ["--seed", "'-1'"]),
        ("--workers 0", ["workers", "1 to 256"]),
        ("--workers two", ["--workers", "'two'"]),
        ("--policy hope", ["usual", "best", "never"]),
        ("--csv --json", ["--csv", "--json"]),
        ("--faces 1,2", ["--faces"]),
    ],
)
def test_wrong_arguments_are_refused(words: str, parts: list[str]) -> None:
    said = run_cli(f"simulate uwr direct attribute=3 {words}")
    lines = said.err.splitlines()
    assert (said.status, said.out) == (2, "")
    assert 1 <= len(lines) <= 2
    assert not [part for part in parts if part not in lines[0]], lines


# -- what is too big


def test_too_big_is_rolled_die_by_die(big: str) -> None:
    said = run_cli(f"simulate {big} c --seed 1 --count 20000")
    assert "20,000 rolls, die by die (too complex for exact odds)" in said.out
    assert "Boom" in said.out
    fields = answered(f"simulate {big} c --seed 1 --count 20000 --json")
    assert (fields["method"], fields["exact"]) == ("dice", None)
    rows = list(csv.DictReader(io.StringIO(run_cli(f"simulate {big} c --seed 1 --csv").out)))
    assert {row["exact"] for row in rows} == {""}
    assert_refused(run_cli(f"simulate {big} c --policy best"), "best")


def test_odds_that_are_too_big_suggest_sampling(big: str) -> None:
    assert_refused(run_cli(f"odds {big} c"), "unbounded", "--sample")


def test_sampling_is_not_suggested_where_it_fails(tmp_path: Path) -> None:
    (tmp_path / "dice.toml").write_text(toml("result(total = sum(roll(1001, d6)))"))
    said = run_cli(f"odds {tmp_path / 'dice.toml'} c")
    assert_refused(said, "1000 dice")
    assert "--sample" not in said.err


def test_a_sampled_answer_is_marked(big: str) -> None:
    said = run_cli(f"odds {big} c --sample 5000")
    assert said.status == 0
    assert "SAMPLED, not exact: " in said.out
    assert "5,000 rolls" in said.out
    assert "±" in said.out
    assert run_cli(f"odds {big} c --sample 5000").out == said.out
    assert "100,000 rolls" in run_cli(f"odds {big} c --sample").out


def test_a_sampled_answer_keeps_out_of_the_exact_fields(big: str) -> None:
    fields = answered(f"odds {big} c --json --sample 5000")
    assert not {"success", "distribution", "mean", "events", "wins", "tie"} & set(fields)
    assert fields["sampled"]["count"] == 5000
    assert set(fields["sampled"]["success"]) == {"count", "chance", "error"}
    assert "unbounded" in fields["too_big"]
    assert fields["check"] == "c"


def test_sampled_from_the_middle_of_a_roll(big: str) -> None:
    said = run_cli(f"odds {big} c --faces 1,2,3,4 --sample 1000")
    assert "after rolling 1, 2, 3, 4" in said.out
    assert "SAMPLED" in said.out


def test_solvable_odds_stay_exact_with_sample() -> None:
    line = "odds uwr direct attribute=3 target=1 --json"
    assert answered(f"{line} --sample") == answered(line)
    assert run_cli("odds uwr direct attribute=3 target=1 --sample 10").out == (
        run_cli("odds uwr direct attribute=3 target=1").out
    )


@pytest.mark.parametrize(
    "words", ["--sample attribute=3", "--sample=x", "--sample=1_0", "--sample=+5", "--sample=５"]
)
def test_sample_wants_a_number(words: str) -> None:
    assert_refused(run_cli(f"odds uwr direct {words}"), "--sample", "--sample 100000")


@pytest.mark.parametrize("count", ["0", "1000000001"])
def test_sample_wants_a_sensible_number_before_any_work(count: str) -> None:
    assert_refused(run_cli(f"odds uwr direct attribute=3 --sample {count}"), "1 to 1,000,000,000")


def test_sample_and_simulate_take_as_many_rolls() -> None:
    assert MAX_ROLLS == simulate.MAX_ROLLS
