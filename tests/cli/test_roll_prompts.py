"""`handful roll` in a terminal: questions, odds of each answer, and ways to leave."""

import pytest
from cli_runner import run_cli

terminal = pytest.importorskip("pseudo_terminal", reason="needs a pseudo-terminal")
CTRL_C, CTRL_D, talk = terminal.CTRL_C, terminal.CTRL_D, terminal.talk

REROLL = ["roll", "uwr", "direct", "attribute=3", "rerolls=1", "target=2", "--faces"]


def test_a_decision_is_asked_with_the_odds_of_each_answer() -> None:
    steps = [("answer [1]:", "7"), ("answer [1]:", "3"), ("one d6", "6")]
    status, text = talk([*REROLL, "1,5,3"], steps)
    assert status == 0, text
    assert "Which dice do you reroll?" in text
    assert "33.33% success  <- best" in text
    assert "picking die 2 cannot help" in text
    assert "die 7 may not be picked here" in text
    assert "3: 3→6" in text
    assert "2 successes against 2: success, just enough" in text


def test_a_ruling_shows_both_totals() -> None:
    words = ["roll", "me-d6", "check", "dice=3D", "difficulty=5", "--faces", "1,5,3"]
    status, text = talk(words, [("answer [cancel]:", "perhaps"), ("answer [cancel]:", "COMPLICATION")])
    assert status == 0, text
    assert "total 4 against 5: failure by 1" in text
    assert "total 9 against 5: success by 4" in text
    assert "'perhaps' is not possible here" in text
    assert "A complication" in text


def test_enter_takes_the_usual_answer() -> None:
    status, text = talk([*REROLL, "1,5,3", "--seed", "1"], [("answer [1]:", "")])
    assert status == 0, text
    assert "reroll: die 1, chosen by the player" in text


def test_answers_given_beforehand_are_not_asked() -> None:
    status, text = talk([*REROLL, "1,5,3,6", "--answer", "1"], [])
    assert status == 0, text
    assert "decides" not in text


def test_missing_faces_are_asked_for_until_they_fit() -> None:
    words = ["roll", "uwr", "direct", "attribute=4", "target=2", "--faces", "6"]
    steps = [
        ("faces of 3 d6", "7"),
        ("faces of 3 d6", "5"),
        ("faces of 2 d6", "1,2,3"),
        ("faces of 2 d6", "1 2"),
    ]
    status, text = talk(words, steps)
    assert status == 0, text
    assert "a d6 shows 1 to 6" in text
    assert "3 faces are too many" in text
    assert "1: 6  2: 5  3: 1  4: 2" in text


def test_all_faces_may_be_asked_for() -> None:
    status, text = talk(["roll", "uwr", "direct", "attribute=2", "--faces", "ask"], [("faces of 2", "5,1")])
    assert status == 0, text
    assert "1: 5  2: 1" in text


def test_json_asks_nothing() -> None:
    status, text = talk([*REROLL, "1,5,3", "--seed", "1", "--json"], [])
    assert status == 0, text
    assert text.lstrip().startswith("{")
    assert '"policy": "usual"' in text


@pytest.mark.parametrize("way", [CTRL_D, "q"])
def test_leaving_a_roll(way: str) -> None:
    status, text = talk([*REROLL, "1,5,3"], [("answer [1]:", way)])
    assert status == 130
    assert "handful: you left before the roll was finished" in text
    assert "Traceback" not in text


def test_ctrl_c_ends_a_roll_without_a_traceback() -> None:
    status, text = talk([*REROLL, "1,5,3"], [("answer [1]:", CTRL_C)])
    assert status == 130
    assert "Traceback" not in text


# -- colour


@pytest.mark.parametrize(
    ("env", "colour"),
    [
        ({"NO_COLOR": ""}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": "", "TERM": "dumb"}, False),
    ],
)
def test_colour_only_where_it_is_wanted(env: dict[str, str], colour: bool) -> None:
    _, text = talk(["odds", "uwr", "direct", "attribute=2", "target=1"], [], **env)
    assert ("\033[" in text) is colour
    assert "success" in text


# -- how wide


LINES = [
    "odds me-d6 check dice=4D+2 difficulty=15",
    "odds uwr opposed attribute=4 skill=1 vs attribute=3.5",
    "odds uwr direct attribute=4 rerolls=2 target=3 --faces 1,5,3,6",
    "simulate uwr direct attribute=4 target=2 --seed 1",
    "roll me-d6 check dice=3D difficulty=5 --faces 1,5,3 --answer cancel",
    "rulesets",
    "sheet mira",
]


def longest(line: str, columns: int, **env: str) -> int:
    status, text = talk(line.split(), [], columns=columns, **env)
    assert status == 0, text
    return max(map(len, text.splitlines()))


def test_tables_and_bars_use_a_wide_terminal() -> None:
    odds = LINES[0]
    assert longest(odds, 80) == 80
    assert longest(odds, 110) == 110
    assert longest(odds, 80, COLUMNS="100") == 100
    assert longest(odds, 300) == 120
    assert longest(odds, 80, COLUMNS="wide") == 80


@pytest.mark.parametrize("line", LINES)
def test_output_fits_a_narrow_terminal(line: str) -> None:
    assert longest(line, 40) <= 40


def test_play_in_a_narrow_terminal() -> None:
    steps = [
        ("game [1]: ", "uwr"),
        ("uwr> ", "direct"),
        ("attribute [0]: ", "3"),
        ("skill [0]: ", "done"),
        ("uwr direct> ", "d"),
        ("faces of 3d6> ", "5 1 2"),
        ("uwr direct> ", "help"),
        ("uwr direct> ", "q"),
    ]
    status, text = talk(["play"], steps, columns=40)
    assert status == 0
    assert "1 success" in text


def test_outside_a_terminal_there_are_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = run_cli(LINES[0]).out
    monkeypatch.setenv("COLUMNS", "120")
    assert run_cli(LINES[0]).out == plain
    assert max(map(len, plain.splitlines())) == 80


# -- long simulations


def test_a_long_simulation_shows_progress_and_can_be_stopped() -> None:
    words = ["simulate", "uwr", "direct", "attribute=4", "--count", "1000000000", "--seed", "1"]
    status, text = talk(words, [("%", CTRL_C)])
    assert status == 130
    assert "rolling" in text
    assert "handful: interrupted; nothing was written" in text
    assert "Traceback" not in text
    assert "successes" not in text


def test_a_short_simulation_shows_no_bar() -> None:
    status, text = talk(["simulate", "uwr", "direct", "attribute=4", "--seed", "1"], [])
    assert status == 0
    assert "rolling" not in text
