"""The command line as a contract: words, JSON fields, exit statuses, refusals.

Most tests call `main` in this process; a few start the command as a shell would.
"""

import json
import os
import shlex
import subprocess
import sys
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from handful.cli import main
from handful.cli.app import COMMANDS
from handful.cli.app import EXAMPLES as OVERVIEW

ROOT = Path(__file__).resolve().parent.parent
CONTRACT = [  # design.md, word for word
    "handful odds uwr direct attribute=3.5 skill=2 target=2",
    "handful odds uwr opposed attribute=4 skill=1 vs attribute=3.5",
    "handful odds tuurna group judge=min difficulty=4 level=5 with level=3 with level=4 fate=lucky",
    "handful roll me-d6 check dice=3D difficulty=5 --faces 1,5,3 --answer cancel "
    "--option crit_fail_removes=pair",
]
TOY = """
language = 1
id = "toy"
title = { en = "Toy" }
about = { en = "Flip coins and count heads." }
[options.generous]
values = [false, true]
default = false
label = { en = "One head more" }
[decisions.flip_again]
by = "player"
question = { en = "Which coins do you flip again?" }
usual = { en = "tails" }
[events.all_heads]
en = "Nothing but heads"
[words.heads]
en = "heads"
[words.gift]
en = "A gift"
[words.coins]
en = "coins"
[ladder.simple]
value = 1
title = { en = "Simple" }
[checks.flip]
title = { en = "Flip" }
help = { en = "Flip coins." }
main = "heads"
does = \"\"\"
pool = roll(coins, d2 >= 2)
again = choose("flip_again", pool == 0, 1)
pool = pool - again + reroll(again, d2 >= 2)
total = sum(pool)
if options.generous:
    modify("gift", 1, "heads")
    total += 1
if sum(pool) == coins:
    event("all_heads")
result(heads = total, success = total >= need.value, margin = total - need.value)
\"\"\"
[checks.flip.params.coins]
type = "number"
min = 1
max = 20
label = { en = "Coins" }
unit = "coins"
[checks.flip.params.need]
type = "ladder"
number = "value"
min = 0
max = 20
default = 1
label = { en = "Heads needed" }
"""


class Said:
    """What the command line answered."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    @property
    def data(self) -> Any:
        assert self.status == 0, self.err
        return json.loads(self.out)


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a command line in this process."""
    monkeypatch.setattr(sys, "stdin", open(os.devnull, encoding="utf-8"))  # noqa: SIM115

    def run(line: str | list[str]) -> Said:
        words = shlex.split(line) if isinstance(line, str) else line
        status = main(words[1:] if words[:1] == ["handful"] else words)
        heard = capsys.readouterr()
        return Said(status, heard.out, heard.err)

    yield run
    sys.stdin.close()


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    file = tmp_path / "toy" / "ruleset.toml"
    file.parent.mkdir()
    file.write_text(TOY, encoding="utf-8")
    return file


def refused(said: Said, *parts: str, status: int = 2, hint: bool = False) -> None:
    """One line on standard error that names these things, and nothing on standard output."""
    lines = said.err.splitlines()
    assert said.status == status, said.err
    assert said.out == ""
    assert len(lines) == (2 if hint else 1), said.err
    assert lines[0].startswith("handful: ")
    assert not [part for part in parts if part not in said.err], said.err


# -- the contract


@pytest.mark.parametrize("line", CONTRACT)
def test_the_examples_of_the_design_work(say: Any, line: str) -> None:
    plain = say(line)
    assert (plain.status, plain.err) == (0, "")
    assert isinstance(say(f"{line} --json").data, dict)


def test_odds_of_a_direct_check(say: Any) -> None:
    data = say(f"{CONTRACT[0]} --json").data
    assert data["success"] == "473/729"
    assert data["mean"] == "1457/729"
    assert data["distribution"][0] == [0, "64/729"]
    assert data["events"] == {}
    assert data["policy"] == {"reroll": "failing dice, lowest face first, all rerolls"}
    assert data["parameters"]["attribute"] == 3.5
    assert data["options"]["reroll_stack"] == "distinct"
    assert data["ruleset"]["id"] == "uwr"
    assert len(data["ruleset"]["hash"]) == 64
    assert not {"wins", "tie", "tail", "answers", "best"} & set(data)


def test_odds_of_an_opposed_check_have_wins(say: Any) -> None:
    data = say(f"{CONTRACT[1]} --json").data
    assert data["tie"] == "0"
    assert sum(map(Fraction, data["wins"])) == 1
    assert data["wins"][0] == data["success"]
    assert [side["attribute"] for side in data["parameters"]["sides"]] == [4, 3.5]


def test_several_reactors_have_a_success_each(say: Any) -> None:
    data = say("odds uwr opposed attribute=4 vs attribute=3 vs attribute=2 --json").data
    assert len(data["success"]) == 2
    assert len(data["wins"]) == 3


def test_endless_results_end_in_a_tail(say: Any) -> None:
    data = say("odds me-d6 total dice=2D --json").data
    assert set(data["tail"]) == {"from", "probability"}
    listed = sum((Fraction(p) for _, p in data["distribution"]), Fraction(0))
    assert listed + Fraction(data["tail"]["probability"]) == 1
    assert data["success"] is None


def test_what_cannot_be_attempted_is_an_answer(say: Any) -> None:
    data = say("odds me-d6 check dice=1D wound=severe difficulty=5 --json").data
    assert (data["success"], data["distribution"], data["mean"]) == ("0", [], None)
    assert data["events"]["cannot_attempt"] == "1"
    data = say("roll me-d6 check dice=1D wound=severe difficulty=5 --json").data
    assert (data["success"], data["result"], data["dice"]) == (False, None, [])
    assert data["events"] == ["cannot_attempt"]
    assert say("odds me-d6 check dice=1D wound=severe difficulty=5").status == 0


def test_a_certain_tie_stands(say: Any) -> None:
    data = say("odds tuurna contest level=9 fate=blessed vs level=9 fate=blessed --json").data
    assert (data["tie"], data["events"]["tie_certain"]) == ("1", "1")


def test_the_fields_of_a_roll(say: Any) -> None:
    data = say(f"{CONTRACT[3]} --json").data
    assert [die["face"] for die in data["dice"]] == [1, 5, 3]
    assert data["dice"][0] == {"face": 1, "role": "wild", "of": None}
    assert (data["result"], data["success"], data["margin"]) == (3, False, -2)
    assert data["events"] == ["critical_failure"]
    assert data["modifiers"][0]["source"] == "die_code"
    (decided,) = data["decisions"]
    assert (decided["by"], decided["answer"], decided["policy"]) == ("gm", "cancel", None)


def test_rerolls_and_extra_dice_name_the_die_they_belong_to(say: Any) -> None:
    line = "roll uwr direct attribute=3 rerolls=2 target=1 --faces 1,2,3,6,4 --answer 3,1 --json"
    data = say(line).data
    assert data["dice"][3:] == [
        {"face": 6, "role": "reroll", "of": 3},
        {"face": 4, "role": "reroll", "of": 1},
    ]
    data = say("roll me-d6 check dice=2D --faces 6,2,6,1 --json").data
    assert [(d["role"], d["of"]) for d in data["dice"][2:]] == [("extra", 1), ("extra", 1)]


def test_sides_number_their_own_dice(say: Any) -> None:
    data = say("roll uwr opposed attribute=2 vs attribute=1.5 --faces 5,1,2,6 --json").data
    assert [die["side"] for die in data["dice"]] == [1, 1, 2, 2]
    assert data["dice"][3] == {"face": 6, "role": "reroll", "of": 1, "side": 2}


def test_averages_are_fraction_strings(say: Any) -> None:
    line = "roll tuurna group judge=average difficulty=1 level=1 with level=1 with level=1"
    data = say(f"{line} --faces 1,1,3 --json").data
    assert (data["result"], data["margin"]) == ("1/3", "-2/3")


def test_names_ignore_case_and_dashes(say: Any) -> None:
    line = "odds UWR Direct Attribute=4 TARGET=2 rerolls=2 --option Reroll-Stack=STACKING --json"
    data = say(line).data
    assert data["options"]["reroll_stack"] == "stacking"
    data = say(["odds", "me_d6", "check", "dice=3d", "difficulty=Very Easy", "--json"]).data
    assert data["parameters"]["difficulty"] == "very_easy"


# -- the middle of a roll


def test_odds_from_a_decision_weigh_every_answer(say: Any) -> None:
    data = say("odds uwr direct attribute=3 rerolls=1 target=2 --faces 1,5,3 --json").data
    assert data["answers"] == {"none": "0", "1": "1/3", "2": "0", "3": "1/3"}
    assert data["best"] in ("1", "3")


def test_answers_carry_the_odds_further(say: Any) -> None:
    line = "odds uwr direct attribute=3 rerolls=1 target=2 --faces 1,5,3 --answer 1 --json"
    data = say(line).data
    assert data["success"] == "1/3"
    assert "answers" not in data
    done = say("odds me-d6 check dice=3D difficulty=5 --faces 1,5,3 --answer cancel --json").data
    assert (done["success"], done["distribution"]) == ("0", [[4, "1"]])


def test_policies(say: Any) -> None:
    line = "odds uwr direct attribute=3 rerolls=1 target=2 --json --policy"
    chances = {p: Fraction(say(f"{line} {p}").data["success"]) for p in ("usual", "best", "never")}
    assert chances["never"] < chances["usual"] == chances["best"]


def test_missing_answers_fall_to_the_usual_policy_and_it_says_so(say: Any) -> None:
    line = "roll uwr direct attribute=3 rerolls=1 --faces 1,5,3,6"
    (decided,) = say(f"{line} --json").data["decisions"]
    assert (decided["answer"], decided["policy"]) == ([1], "usual")
    assert "usual policy" in say(line).out


def test_a_seed_repeats_a_roll(say: Any) -> None:
    line = "roll tuurna contest level=5 vs level=4 --json --seed"
    assert say(f"{line} 3").out == say(f"{line} 3").out
    assert say(f"{line} 3").out != say(f"{line} 4").out


def test_a_seed_throws_what_faces_leave_open(say: Any) -> None:
    line = "roll uwr direct attribute=9 --faces 6,6 --seed 5 --json"
    faces = [die["face"] for die in say(line).data["dice"]]
    assert faces[:2] == [6, 6]
    assert len(faces) == 9
    assert faces == [die["face"] for die in say(line).data["dice"]]


# -- bad input


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("odds nosuch direct", ["nosuch", "uwr"]),
        ("odds uwr attack", ["attack", "direct"]),
        ("odds uwr direct attribute=3.25", ["3.25", "0.5"]),
        ("odds uwr direct attribute=-1", ["-1", "0 to 200"]),
        ("odds uwr direct attribute=201", ["201", "0 to 200"]),
        ("odds uwr direct attribute=1e9", ["1e9", "0 to 200"]),
        ("odds uwr direct attribute=" + "9" * 5000, ["attribute"]),
        ("odds uwr direct attribute=", ["attribute", "0 to 200"]),
        ("odds uwr direct attribute", ["attribute=3.5"]),
        ("odds uwr direct =3", ["name=value"]),
        ("odds uwr direct attribute=3 Attribute=4", ["twice"]),
        ("odds uwr direct attribute=3 target=1 difficulty=easy", ["target", "difficulty"]),
        ("odds uwr direct options=3", ["options", "attribute"]),
        ("odds uwr direct attribute=3 vs attribute=2", ["vs"]),
        ("odds uwr opposed attribute=3 with attribute=2", ["'vs'", "'with'"]),
        ("odds uwr opposed attribute=3", ["uncontested=yes"]),
        ("odds uwr opposed attribute=3 vs uncontested=yes", ["uncontested", "before"]),
        ("odds tuurna contest level=3", ["2 to 8", "vs"]),
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
        ("roll uwr direct attribute=2 --faces 1,1 --answer none", ["1 answer too many"]),
        ("roll me-d6 check dice=2D --faces 1,1 --answer maybe", ["cancel", "complication"]),
        ("roll uwr direct attribute=2 --seed x", ["--seed", "whole number"]),
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
def test_bad_input_is_one_line_and_status_2(say: Any, line: str, parts: list[str]) -> None:
    refused(say(line), *parts)
    if line.startswith(("odds uwr direct", "roll")):
        refused(say(f"{line} --json"), *parts)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("ods uwr direct", "odds"),
        ("odds uwrr direct", "uwr"),
        ("odds uwr dirct", "direct"),
        ("odds uwr direct atribute=3", "attribute"),
        ("odds uwr direct difficulty=extrem", "extreme"),
        ("odds uwr direct attribute=3 --option reroll_stak=distinct", "reroll_stack"),
        ("odds tuurna check level=3 fate=luky", "lucky"),
    ],
)
def test_mistyped_names_get_a_suggestion(say: Any, line: str, meant: str) -> None:
    refused(say(line), f"did you mean '{meant}'?", hint=True)


def test_too_much_work_is_refused(say: Any) -> None:
    refused(say("odds me-d6 opposed dice=100D vs dice=1001D"), "100")
    assert say(["odds", "uwr", "direct", *["attribute=1"] * 5000]).status == 2
    assert say("roll uwr direct attribute=3 --faces " + "1," * 30000 + "1").status == 2


def test_files_that_cannot_be_read_are_status_1(say: Any, tmp_path: Path) -> None:
    refused(say(["odds", str(tmp_path / "no.toml"), "x"]), "no.toml", status=1)
    refused(say(["lint", str(tmp_path)]), "ruleset.toml", status=1)
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    refused(say(["odds", str(tmp_path / "bytes.toml"), "x"]), "UTF-8", status=1)
    refused(say(["odds", "a" * 5000, "x"]), "ruleset")
    refused(say(["odds", "./" + "a" * 5000, "x"]), status=1)


# -- a sixth game


def test_a_toy_game_is_listed_solved_and_rolled(say: Any, toy: Path) -> None:
    listed = say(["checks", str(toy), "--json"]).data
    (check,) = listed["checks"]
    assert check["name"] == "flip"
    assert [param["name"] for param in check["parameters"]] == ["coins", "need"]
    assert (
        check["parameters"][0] | {"min": 1, "max": 20, "unit": "coins", "required": True}
        == (check["parameters"][0])
    )
    assert listed["options"][0]["values"] == [False, True]
    assert listed["ladder"] == [{"name": "simple", "title": "Simple", "value": 1}]
    odds = say(["odds", str(toy.parent), "flip", "coins=2", "--json"]).data
    assert odds["success"] == "7/8"
    assert odds["policy"] == {"flip_again": "tails"}
    assert (
        say(["odds", str(toy), "flip", "coins=2", "--policy", "never", "--json"]).data["success"]
        == "3/4"
    )
    roll = say(["roll", str(toy), "flip", "coins=2", "--faces", "1,2,2", "--json"]).data
    assert (roll["result"], roll["success"], roll["events"]) == (2, True, ["all_heads"])
    text = say(["roll", str(toy), "flip", "coins=2", "--faces", "1,2,2"]).out
    assert "Nothing but heads" in text
    assert "2 heads against 1: success by 1" in text
    assert "1→2" in text


def test_lint_has_nothing_to_say_about_good_files(say: Any, toy: Path) -> None:
    for file in (str(toy), "uwr"):
        said = say(["lint", file])
        assert (said.status, said.err) == (0, "")
        assert "no mistakes" in said.out
    assert say(["lint", str(toy), "--json"]).data == {"file": str(toy), "mistakes": []}


def test_lint_shows_every_mistake_with_its_place(say: Any, toy: Path) -> None:
    broken = TOY.replace("sum(pool) == coins", "sum(poool) == coins").replace(
        '"gift", 1', '"gifft", 1'
    )
    toy.write_text(broken, encoding="utf-8")
    said = say(["lint", str(toy)])
    assert (said.status, said.err) == (1, "")
    assert "poool" in said.out
    assert "gifft" in said.out
    assert "^" in said.out
    data = say(["lint", str(toy), "--json"])
    assert data.status == 1
    mistakes = json.loads(data.out)["mistakes"]
    line = 1 + broken.splitlines().index("if sum(poool) == coins:")
    assert line in [mistake["line"] for mistake in mistakes]
    used = say(["odds", str(toy), "flip", "coins=2"])
    assert (used.status, used.out) == (1, "")
    assert f"{toy}:" in used.err
    assert "handful lint" in used.err


def test_a_file_that_is_not_toml(say: Any, toy: Path) -> None:
    toy.write_text("language = = 1", encoding="utf-8")
    said = say(["odds", str(toy), "flip"])
    assert said.status == 1
    assert f"{toy}:1:" in said.err


# -- what people read


def test_rulesets_are_one_line_each(say: Any) -> None:
    lines = say("rulesets").out.splitlines()
    assert [line.split()[0] for line in lines] == ["agga", "fons", "me-d6", "tuurna", "uwr"]
    assert {game["id"] for game in say("rulesets --json").data["rulesets"]} >= {"uwr", "agga"}


def test_checks_name_parameters_options_and_difficulties(say: Any) -> None:
    text = say("checks uwr").out
    for part in ("attribute", "0 to 200", "reroll_stack", "AMB-U2", "extreme", "refused", "vs"):
        assert part in text
    data = say("checks uwr --json").data
    assert {check["name"]: bool(check["refused"]) for check in data["checks"]}["attack"]
    assert {"name", "default", "open", "label", "values"} == set(data["options"][0])
    refused(say("checks uwr attack"), "direct")


def test_odds_show_the_chance_a_table_and_the_policy(say: Any) -> None:
    text = say(f"{CONTRACT[0]} --option reroll_stack=stacking").out
    for part in ("473/729", "64.88%", "at least", "█", "reroll = failing dice", "stacking"):
        assert part in text


def test_odds_at_a_decision_mark_the_best_answer(say: Any) -> None:
    text = say("odds uwr direct attribute=3 rerolls=1 target=2 --faces 1,5,3").out
    assert "33.33% success  <- best" in text
    assert "picking die 2 cannot help" in text
    text = say("odds me-d6 check dice=3D difficulty=5 --faces 1,5,3").out
    assert "total 4 against 5: failure by 1" in text
    assert "total 9 against 5: success by 4  <- best" in text


def test_a_roll_says_why_it_ended_so(say: Any) -> None:
    text = say(
        "roll uwr direct attribute=3.5 rerolls=1 target=2 --faces 5,1,2,6,6 --answer 3,2"
    ).out
    for part in ("2: 1→6", "3: 2→6", "+3.5 dice: Attribute", "3 successes against 2: success by 1"):
        assert part in text
    text = say("roll uwr opposed attribute=1 vs attribute=1 --faces 5,5").out
    assert "side 2 wins" in text


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
def test_80_columns_suffice_and_pipes_get_no_colour(say: Any, line: str) -> None:
    said = say(line)
    assert said.status == 0
    assert "\033" not in said.out
    assert max(map(len, said.out.splitlines())) <= (80 if line[-6:] != "--help" else 100)


def test_long_tables_are_shortened_and_say_so(say: Any) -> None:
    text = say("odds me-d6 total dice=40D").out
    assert len(text.splitlines()) < 50
    assert "left out" in text
    assert "--json has it whole" in text


def test_without_a_terminal_there_is_a_demonstration(say: Any) -> None:
    said = say("")
    assert said.status == 0
    assert "473/729" in said.out
    assert "Mass Effect D6" in said.out


def examples() -> list[str]:
    found = [line for line, _ in OVERVIEW]
    for name, module in COMMANDS.items():
        own = import_module(f"handful.cli.{module}").EXAMPLES
        assert own, name
        found += [line for line, _ in own]
    return found


@pytest.mark.parametrize("line", examples())
def test_the_examples_of_the_help_work(
    say: Any, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    said = say(line)
    assert (said.status, said.err) == (0, "")
    assert said.out


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_help_has_its_examples(say: Any, command: str) -> None:
    assert "Examples:" in say(f"{command} --help").out


def test_the_version(say: Any) -> None:
    assert say("--version").out.startswith("handful 0.")


# -- as a shell sees it


def shell(*words: str, **settings: Any) -> subprocess.CompletedProcess[str]:
    outside = {k: v for k, v in os.environ.items() if not k.startswith("_HANDFUL")}
    settings["env"] = outside | settings.get("env", {})
    return subprocess.run(
        [sys.executable, "-m", "handful", *words],
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, encoding="utf-8",
        timeout=60, check=False, **({"stdout": subprocess.PIPE} | settings),
    )  # fmt: skip


def completed(line: str, *, cut: bool = False) -> set[str]:
    """What a shell offers for the last word; bash cuts words at `=`."""
    words = line.replace("=", " = ").split(" ") if cut else line.split(" ")
    env = {
        "_HANDFUL_COMPLETE": "bash_complete",
        "COMP_WORDS": "\n".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }
    return {item.partition(",")[2] for item in shell(env=env).stdout.splitlines()}


def test_completion() -> None:
    assert completed("handful od") == {"odds"}
    assert completed("handful odds u") == {"uwr"}
    assert completed("handful roll uwr d") == {"direct"}
    assert {"attribute=", "target="} <= completed("handful odds uwr direct ")
    assert "attribute=" not in completed("handful odds uwr direct attribute=3 ")
    assert "with" in completed("handful odds tuurna group level=3 ")
    assert completed("handful odds tuurna group judge=m") == {"judge=max", "judge=min"}
    assert completed("handful odds tuurna group judge=m", cut=True) == {"max", "min"}
    assert completed("handful odds uwr direct --option reroll_st") == {"reroll_stack="}
    assert completed("handful odds uwr direct --option reroll_stack=d") == {"reroll_stack=distinct"}
    assert completed("handful odds uwr direct --option reroll_stack=d", cut=True) == {"distinct"}


def test_the_script_that_switches_completion_on(say: Any) -> None:
    for name in ("bash", "zsh", "fish"):
        assert "_HANDFUL_COMPLETE" in say(f"completion {name}").out


def test_odds_load_only_what_they_need() -> None:
    code = (
        "import sys; from handful.cli import main; main(['odds', 'uwr', 'direct', 'attribute=2']);"
        "print(*(set(sys.modules) & {'rich', 'numpy', 'handful.cli.session', 'difflib'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines()[-1] == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("words", [["odds", "uwr", "direct", "attribute=2"], ["--help"]])
def test_an_output_that_cannot_be_written(words: list[str]) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = shell(*words, stdout=full)
    assert done.returncode == 1
    assert done.stderr.startswith("handful: ")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(os.name == "nt", reason="pipes of a Unix shell")
def test_a_reader_that_goes_away_gets_no_complaint() -> None:
    line = f"{shlex.quote(sys.executable)} -m handful checks me-d6 | true"
    done = subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stderr == ""


def test_an_output_without_block_characters() -> None:
    done = shell("odds", "uwr", "direct", "attribute=2", env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert "###" in done.stdout
    assert "?" not in done.stdout
