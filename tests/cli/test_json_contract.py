"""The `--json` contract of the command line: arguments, and every field."""

from fractions import Fraction

import pytest
from cli_runner import CONTRACT, run_cli


@pytest.mark.parametrize("line", CONTRACT)
def test_the_examples_of_the_design_work(line: str) -> None:
    plain = run_cli(line)
    assert (plain.status, plain.err) == (0, "")
    assert isinstance(run_cli(f"{line} --json").data, dict)


def test_odds_of_a_direct_check() -> None:
    data = run_cli(f"{CONTRACT[0]} --json").data
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


def test_odds_of_an_opposed_check_have_wins() -> None:
    data = run_cli(f"{CONTRACT[1]} --json").data
    assert data["tie"] == "0"
    assert sum(map(Fraction, data["wins"])) == 1
    assert data["wins"][0] == data["success"]
    assert [side["attribute"] for side in data["parameters"]["sides"]] == [4, 3.5]


def test_several_reactors_have_a_success_each() -> None:
    data = run_cli("odds uwr opposed attribute=4 vs attribute=3 vs attribute=2 --json").data
    assert len(data["success"]) == 2
    assert len(data["wins"]) == 3


def test_unbounded_results_end_in_a_tail() -> None:
    data = run_cli("odds me-d6 total dice=2D --json").data
    assert set(data["tail"]) == {"from", "probability"}
    listed = sum((Fraction(p) for _, p in data["distribution"]), Fraction(0))
    assert listed + Fraction(data["tail"]["probability"]) == 1
    assert data["success"] is None


def test_an_impossible_attempt_is_an_answer() -> None:
    data = run_cli("odds me-d6 check dice=1D wound=severe difficulty=5 --json").data
    assert (data["success"], data["distribution"], data["mean"]) == ("0", [], None)
    assert data["events"]["cannot_attempt"] == "1"
    data = run_cli("roll me-d6 check dice=1D wound=severe difficulty=5 --json").data
    assert (data["success"], data["result"], data["dice"]) == (False, None, [])
    assert data["events"] == ["cannot_attempt"]
    assert run_cli("odds me-d6 check dice=1D wound=severe difficulty=5").status == 0


def test_a_certain_tie_stands() -> None:
    data = run_cli("odds tuurna contest level=9 fate=blessed vs level=9 fate=blessed --json").data
    assert (data["tie"], data["events"]["tie_certain"]) == ("1", "1")


def test_the_fields_of_a_roll() -> None:
    data = run_cli(f"{CONTRACT[3]} --json").data
    assert [die["face"] for die in data["dice"]] == [1, 5, 3]
    assert data["dice"][0] == {"face": 1, "role": "wild", "of": None}
    assert (data["result"], data["success"], data["margin"]) == (3, False, -2)
    assert data["events"] == ["critical_failure"]
    assert data["modifiers"][0]["source"] == "die_code"
    (decided,) = data["decisions"]
    assert (decided["by"], decided["answer"], decided["policy"]) == ("gm", "cancel", None)


def test_rerolls_and_extra_dice_name_the_die_they_belong_to() -> None:
    line = "roll uwr direct attribute=3 rerolls=2 target=1 --faces 1,2,3,6,4 --answer 3,1 --json"
    data = run_cli(line).data
    assert data["dice"][3:] == [
        {"face": 6, "role": "reroll", "of": 3},
        {"face": 4, "role": "reroll", "of": 1},
    ]
    data = run_cli("roll me-d6 check dice=2D --faces 6,2,6,1 --json").data
    assert [(d["role"], d["of"]) for d in data["dice"][2:]] == [("extra", 1), ("extra", 1)]


def test_sides_number_their_own_dice() -> None:
    data = run_cli("roll uwr opposed attribute=2 vs attribute=1.5 --faces 5,1,2,6 --json").data
    assert [die["side"] for die in data["dice"]] == [1, 1, 2, 2]
    assert data["dice"][3] == {"face": 6, "role": "reroll", "of": 1, "side": 2}


def test_averages_are_fraction_strings() -> None:
    line = "roll tuurna group judge=average difficulty=1 level=1 with level=1 with level=1"
    data = run_cli(f"{line} --faces 1,1,3 --json").data
    assert (data["result"], data["margin"]) == ("1/3", "-2/3")


def test_names_ignore_case_and_dashes() -> None:
    line = "odds UWR Direct Attribute=4 TARGET=2 rerolls=2 --option Reroll-Stack=STACKING --json"
    data = run_cli(line).data
    assert data["options"]["reroll_stack"] == "stacking"
    data = run_cli(["odds", "me_d6", "check", "dice=3d", "difficulty=Very Easy", "--json"]).data
    assert data["parameters"]["difficulty"] == "very_easy"


# -- the middle of a roll


def test_odds_from_a_decision_weigh_every_answer() -> None:
    data = run_cli("odds uwr direct attribute=3 rerolls=1 target=2 --faces 1,5,3 --json").data
    assert data["answers"] == {"none": "0", "1": "1/3", "2": "0", "3": "1/3"}
    assert data["best"] in ("1", "3")


def test_answers_carry_the_odds_further() -> None:
    line = "odds uwr direct attribute=3 rerolls=1 target=2 --faces 1,5,3 --answer 1 --json"
    data = run_cli(line).data
    assert data["success"] == "1/3"
    assert "answers" not in data
    done = run_cli("odds me-d6 check dice=3D difficulty=5 --faces 1,5,3 --answer cancel --json").data
    assert (done["success"], done["distribution"]) == ("0", [[4, "1"]])


def test_policies() -> None:
    line = "odds uwr direct attribute=3 rerolls=1 target=2 --json --policy"
    chances = {p: Fraction(run_cli(f"{line} {p}").data["success"]) for p in ("usual", "best", "never")}
    assert chances["never"] < chances["usual"] == chances["best"]


def test_missing_answers_fall_to_the_usual_policy_with_a_note() -> None:
    line = "roll uwr direct attribute=3 rerolls=1 --faces 1,5,3,6"
    (decided,) = run_cli(f"{line} --json").data["decisions"]
    assert (decided["answer"], decided["policy"]) == ([1], "usual")
    assert "usual policy" in run_cli(line).out


def test_a_seed_repeats_a_roll() -> None:
    line = "roll tuurna contest level=5 vs level=4 --json --seed"
    assert run_cli(f"{line} 3").out == run_cli(f"{line} 3").out
    assert run_cli(f"{line} 3").out != run_cli(f"{line} 4").out


def test_a_seed_throws_the_dice_without_given_faces() -> None:
    line = "roll uwr direct attribute=9 --faces 6,6 --seed 5 --json"
    faces = [die["face"] for die in run_cli(line).data["dice"]]
    assert faces[:2] == [6, 6]
    assert len(faces) == 9
    assert faces == [die["face"] for die in run_cli(line).data["dice"]]
