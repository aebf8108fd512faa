"""Wrong input and unreadable files: one line on standard error and an exit status."""

from pathlib import Path

import pytest
from cli_runner import assert_refused, run_cli


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("odds nosuch direct", ["nosuch", "uwr"]),
        ("odds uwr attack", ["attack", "direct"]),
        ("odds uwr direct attribute=3.25", ["3.25", "0.5"]),
        ("odds uwr direct attribute=-1", ["-1", "0 to 200"]),
        ("odds uwr direct attribute=201", ["201", "0 to 200"]),
        ("odds uwr direct attribute=1e9", ["1e9", "0 to 200"]),
        ("odds uwr direct attribute=０１", ["０１", "0 to 200"]),
        ("odds me-d6 check dice=４D", ["４D", "4D+2"]),
        ("odds uwr direct attribute=3 --option opposed_min_net=1_0", ["1_0", "1 to 99"]),
        ("odds uwr direct attribute=3 --option opposed_min_net=５", ["５", "1 to 99"]),
        ("odds me-d6 check dice=3D --option wound_penalties=1,x,3,5", ["1,x,3,5", "3 whole"]),
        ("odds uwr direct attribute=1_0", ["1_0", "0 to 200"]),
        ("odds uwr direct 'attribute=1 0'", ["'1 0'", "0 to 200"]),
        ("odds me-d6 check 'dice=1 0D'", ["'1 0D'", "4D+2"]),
        ("odds me-d6 check dice=1_0D", ["'1_0D'", "4D+2"]),
        ("odds uwr direct attribute=" + "9" * 5000, ["attribute"]),
        ("odds uwr direct attribute=", ["attribute", "0 to 200"]),
        ("odds uwr direct attribute", ["attribute=3.5"]),
        ("odds uwr direct =3", ["name=value"]),
        ("odds uwr direct attribute=3 Attribute=4", ["twice"]),
        ("odds uwr direct attribute=3 target=1 difficulty=easy", ["target", "difficulty"]),
        ("odds uwr direct options=3", ["options", "attribute"]),
        ("odds uwr direct attribute=3 vs attribute=2", ["vs"]),
        ("odds uwr opposed attribute=3 with attribute=2", ["'vs'", "'with'"]),
        ("odds uwr opposed attribute=3", ["add their side", "uncontested"]),
        ("odds uwr opposed attribute=3 vs uncontested=yes", ["uncontested", "before"]),
        ("odds tuurna contest level=3", ["2 to 1000", "vs"]),
        ("odds tuurna check", ["level"]),
        ("odds me-d6 check dice=3D rush=90%", ["75%"]),
        ("odds me-d6 check dice=three", ["4D+2"]),
        ("odds uwr direct attribute=3 --option reroll_stack=x", ["distinct", "stacking"]),
        ("odds uwr direct attribute=3 --option reroll_stack", ["name=value"]),
        (
            "odds uwr direct --option reroll_stack=distinct --option reroll-stack=stacking",
            ["twice"],
        ),
        ("odds uwr direct attribute=3 --policy hope", ["usual", "best", "never"]),
        ("roll uwr direct attribute=3 --faces 1,7,3", ["1 to 6", "7"]),
        ("roll uwr direct attribute=3 --faces 0,1,2", ["1 to 6", "0"]),
        ("roll uwr direct attribute=3 --faces 1,x", ["'x'", "1,5,3"]),
        ("roll uwr direct attribute=3 --faces 1,,2", ["1,5,3"]),
        ("roll uwr direct attribute=5 --faces 1,2,3", ["2 faces are missing", "5 are needed"]),
        ("roll uwr direct attribute=2 --faces 1,2,3", ["1 face too many"]),
        ("roll uwr direct attribute=1 rerolls=1 --faces 1 --answer 1", ["1 face is missing"]),
        ("roll tuurna group judge=max level=2 with level=3 --faces 1", ["4 faces are missing"]),
        ("roll tuurna contest level=2 vs level=2 --faces 1", ["3 faces are missing"]),
        ("roll uwr direct attribute=2 rerolls=1 --faces 1,1 --answer 7", ["7", "none or 1 or 2"]),
        ("roll uwr direct attribute=2 rerolls=1 --faces 1,1 --answer 1,2", ["at most 1"]),
        ("roll uwr direct attribute=2 rerolls=2 --faces 1,1 --answer 1,1", ["once"]),
        ("roll uwr direct attribute=2 rerolls=1 --faces 1,1 --answer ²", ["²"]),
        ("roll uwr direct attribute=2 rerolls=1 --faces 1,1 --answer ''", ["''", "or none"]),
        ("roll uwr direct attribute=2 --faces 1,1 --answer none", ["1 answer too many"]),
        ("roll me-d6 check dice=2D --faces 1,1 --answer maybe", ["cancel", "complication"]),
        ("roll uwr direct attribute=2 --seed x", ["--seed", "whole number"]),
        ("roll uwr direct attribute=2 --seed 1_0", ["--seed", "'1_0'"]),
        ("roll uwr direct attribute=2 --seed +5", ["--seed", "'+5'"]),
        ("roll uwr direct attribute=2 --faces 1_0,1", ["--faces", "'1_0'"]),
        ("roll uwr direct attribute=2 --faces +1,1", ["--faces", "'+1'"]),
        ("roll uwr direct attribute=2 --faces ５,1", ["--faces", "'５'"]),
        ("odds uwr direct attribute=3 --faces 1,2", ["1 face is missing"]),
        ("odds uwr direct attribute=3 --faces 1,2,3,4", ["1 face too many"]),
        ("odds uwr direct attribute=2 rerolls=1 --faces 1,2,3", ["--answer"]),
        ("odds uwr direct attribute=2 rerolls=1 --answer 1", ["--faces"]),
        ("odds uwr direct attribute=2 --bogus", ["--bogus"]),
        ("odds uwr", ["CHECK", "--help"]),
        ("roll", ["RULESET"]),
        ("checks nosuch", ["nosuch"]),
        ("completion tcsh", ["tcsh"]),
    ],
)
def test_bad_input_is_one_line_and_status_2(line: str, parts: list[str]) -> None:
    assert_refused(run_cli(line), *parts)
    if line.startswith(("odds uwr direct", "roll")):
        assert_refused(run_cli(f"{line} --json"), *parts)


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("odds uwr direct --policy", ["--policy usual|best|never", "`handful odds --help`"]),
        ("simulate uwr direct --count", ["--count N", "`handful simulate --help`"]),
        ("roll uwr direct --faces", ["--faces 1,5,3", "`handful roll --help`"]),
        ("export table.db --seat", ["--seat SEAT", "`handful export --help`"]),
        ("odds uwr direct --json=3", ["'--json' does not take", "`handful odds --help`"]),
    ],
)
def test_an_option_without_its_value_names_the_value(line: str, parts: list[str]) -> None:
    assert_refused(run_cli(line), *parts)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("ods uwr direct", "odds"),
        ("odds uwrr direct", "uwr"),
        ("odds uwr dirct", "direct"),
        ("odds uwr direct atribute=3", "attribute"),
        ("odds uwr direct difficulty=extrme", "extreme"),
        ("odds uwr direct attribute=3 --option reroll_stak=distinct", "reroll_stack"),
        ("odds tuurna check level=3 fate=luky", "lucky"),
        ("odds uwr direct attribute=3 --jsn", "--json"),
        ("simulate uwr direct attribute=3 --cuont 5", "--count"),
        ("odds uwr direct attribute=3 --option reroll_stack=staking", "stacking"),
        ("roll me-d6 check dice=2D --faces 1,1 --answer cancle", "cancel"),
    ],
)
def test_mistyped_names_get_a_suggestion(line: str, meant: str) -> None:
    assert_refused(run_cli(line), f"did you mean '{meant}'?", hint=True)


def test_too_much_work_is_refused() -> None:
    assert_refused(run_cli("odds me-d6 opposed dice=100D vs dice=1001D"), "100")
    assert run_cli(["odds", "uwr", "direct", *["attribute=1"] * 5000]).status == 2
    assert run_cli("roll uwr direct attribute=3 --faces " + "1," * 30000 + "1").status == 2


def test_files_that_cannot_be_read_are_status_1(tmp_path: Path) -> None:
    assert_refused(run_cli(["odds", str(tmp_path / "no.toml"), "x"]), "no.toml", status=1)
    assert_refused(run_cli(["lint", str(tmp_path)]), "ruleset.toml", status=1)
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    assert_refused(run_cli(["odds", str(tmp_path / "bytes.toml"), "x"]), "UTF-8", status=1)
    assert_refused(run_cli(["odds", "a" * 5000, "x"]), "ruleset")
    assert_refused(run_cli(["odds", "./" + "a" * 5000, "x"]), status=1)


def test_an_endless_file_is_refused_after_a_part_of_it() -> None:
    assert_refused(run_cli("lint /dev/zero"), "/dev/zero", "too large", status=1)
    assert_refused(run_cli("sheet /dev/zero"), "/dev/zero", "too large", status=1)
