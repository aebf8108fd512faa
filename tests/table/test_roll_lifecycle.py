"""The life of a roll at the table: corrections, dice by hand, blind throws, cancelling, leaving."""

from __future__ import annotations

import json
from typing import Any

import pytest
from in_memory_table import PlayedTable, sheet, usual_table

from handful import table as tables
from handful.errors import BadReply, Refused
from handful.rules.load import Source, load
from handful.table import decision_odds
from handful.verifier import verify

PARAMETERS = {"attribute": 3.5, "skill": 2, "target": 2}


@pytest.fixture
def play() -> PlayedTable:
    return usual_table()


def sound(play: PlayedTable) -> None:
    """Every seat's log verifies, and the log read back gives the same table."""
    for seat in play.table.seats:
        assert verify(tables.export_log(play.empty, play.entries, seat))[0] == []
    again = tables.fold(play.empty, (tables.read_event(entry) for entry in play.entries))
    for seat in play.table.seats:
        assert tables.view(again, seat) == tables.view(play.table, seat)


def rolled(play: PlayedTable, actor: str, faces: list[int], **parameters: Any) -> str:
    roll = play.declare(actor, parameters=parameters)
    play.do(actor, "throw", roll=roll, faces=faces)
    return roll


def faces_of(play: PlayedTable, seat: str, roll: str) -> list[int]:
    return [die["face"] for die in play.roll(seat, roll)["dice"]]


def kinds(play: PlayedTable, seat: str) -> list[str]:
    return [one["kind"] for one in play.log_of(seat)]


# -- corrections


def test_before_the_dice_a_correction_is_simply_another_check(play: PlayedTable) -> None:
    roll = play.declare("ann", parameters=PARAMETERS)
    play.do("gm", "correct", roll=roll, parameters={"attribute": 5, "target": 1}, words="stronger")
    assert play.roll("ann", roll)["question"]["throw"] == 7
    assert play.roll("ann", roll)["asked"]["parameters"]["target"] == 1
    play.do("ann", "throw", roll=roll)
    sound(play)


def test_between_a_throw_and_its_decision_the_dice_stay_and_the_roll_goes_on(play: PlayedTable) -> None:
    roll = rolled(play, "ann", [6, 5, 1, 4, 2], **PARAMETERS)
    assert play.roll("ann", roll)["question"]["odds"]["answers"]["none"] == "1"
    play.do("gm", "correct", roll=roll, parameters={"target": 3})
    assert play.roll("ann", roll)["question"]["odds"]["answers"]["none"] == "0"
    assert faces_of(play, "ann", roll) == [6, 5, 1, 4, 2]
    with pytest.raises(Refused, match="other dice"):
        play.do("gm", "correct", roll=roll, parameters={"skill": 3})
    play.do("ann", "answer", roll=roll, answer=[3])
    play.do("gm", "correct", roll=roll, parameters={"target": 2})
    play.do("ann", "throw", roll=roll, faces=[1])
    assert play.roll("ann", roll)["outcome"]["success"] is True
    sound(play)


def test_a_correction_that_ends_the_last_question_ends_the_roll(play: PlayedTable) -> None:
    roll = rolled(play, "ann", [6, 5, 1], attribute=3, rerolls=1, target=2)
    assert play.roll("ann", roll)["phase"] == "deciding"
    play.do("gm", "correct", roll=roll, parameters={"rerolls": 0})
    assert play.roll("ann", roll)["phase"] == "finalised"
    assert play.roll("ann", roll)["key"]
    with pytest.raises(Refused, match="still have to be decided"):
        play.do("gm", "correct", roll=roll, parameters={"rerolls": 1})
    sound(play)


def test_a_decision_that_no_longer_fits_is_to_be_taken_back_first(play: PlayedTable) -> None:
    roll = rolled(play, "ann", [6, 5, 1], attribute=3, rerolls=1)
    play.do("ann", "answer", roll=roll, answer=[3])
    with pytest.raises(Refused, match=r"decision reroll .* take it back first"):
        play.do("gm", "correct", roll=roll, parameters={"rerolls": 0})
    play.do("gm", "undo", roll=roll)
    play.do("gm", "correct", roll=roll, parameters={"rerolls": 0})
    other = rolled(play, "ann", [6, 5, 1], attribute=3, rerolls=1)
    play.do("ann", "answer", roll=other, answer=[3])
    play.do("ann", "throw", roll=other)
    with pytest.raises(Refused, match="no longer be taken back"):
        play.do("gm", "correct", roll=other, parameters={"rerolls": 0})
    sound(play)


def test_a_correction_of_a_side_by_its_parameter_or_by_its_place(play: PlayedTable) -> None:
    sides = [{"attribute": 3}, {"attribute": 2}]
    roll = play.declare("gm", "opposed", sides=sides)
    play.do("gm", "correct", roll=roll, parameters={"attribute": 4})
    assert [one["attribute"] for one in play.roll("gm", roll)["asked"]["sides"]] == [4, 2]
    play.do("gm", "correct", roll=roll, sides=[{}, {"attribute": 1}])
    assert [one["attribute"] for one in play.roll("gm", roll)["asked"]["sides"]] == [4, 1]
    with pytest.raises(Refused, match="2 sides, not 3"):
        play.do("gm", "correct", roll=roll, sides=[{}, {}, {}])
    with pytest.raises(Refused, match="no parameter 'charm'"):
        play.do("gm", "correct", roll=roll, parameters={"charm": 1})


def test_a_corrected_hidden_value_stays_hidden(play: PlayedTable) -> None:
    roll = play.declare(
        "gm",
        parameters={"attribute": 3, "difficulty": "extreme"},
        hidden=["difficulty"],
        for_="ann",
    )
    with pytest.raises(Refused, match="dice would show"):
        play.do("gm", "correct", roll=roll, parameters={"difficulty": "easy"})
    play.do("gm", "correct", roll=roll, parameters={"attribute": 2})
    assert "difficulty" not in json.dumps([one["data"].get("asked") for one in play.log_of("ann")])


def test_a_contest_is_corrected_with_its_roll(play: PlayedTable) -> None:
    first = rolled(play, "ann", [6, 5, 4], attribute=3)
    second = rolled(play, "bob", [6, 5], attribute=2)
    play.do("gm", "contest", key="c", check="opposed", rolls=[first, second])
    assert play.roll("eve", "gm/c")["outcome"]["net"] == 0
    made = play.do("gm", "correct", roll=first, parameters={"favor": 1}, words="from above")
    assert [(one.kind, one.data["roll"]) for one in made] == [
        ("roll_corrected", first),
        ("roll_corrected", "gm/c"),
    ]
    assert play.roll("eve", "gm/c")["outcome"]["net"] == 1
    assert faces_of(play, "eve", "gm/c") == [6, 5, 4, 6, 5]
    sound(play)


def narrowly(mode: str) -> tuple[PlayedTable, str]:
    """A contest that ann wins by one point; with one less it is a tie, to be rolled again."""
    play = PlayedTable("tuurna", ann="player", bob="player")
    rolls = []
    for name, leverage in (("ann", 1), ("bob", 0)):
        asked = {"level": 2, "leverage": leverage}
        rolls.append(play.declare(name, "check", parameters=asked))
        play.do(name, "throw", roll=rolls[-1], faces=[3, 1])
    play.do("gm", "contest", key="c", check="contest", rolls=rolls, mode=mode)
    assert play.roll("gm", "gm/c")["outcome"]["wins"] == [True, False]
    return play, rolls[0]


def test_a_contest_that_would_need_other_dice_keeps_its_rolls_from_being_corrected() -> None:
    play, roll = narrowly("public")
    before = tables.view(play.table, "gm")
    with pytest.raises(Refused, match="gm/c compares this roll"):
        play.do("gm", "correct", roll=roll, parameters={"leverage": 0})
    assert tables.view(play.table, "gm") == before
    play.do("gm", "correct", roll=roll, parameters={"leverage": -1})
    assert play.roll("ann", "gm/c")["outcome"]["wins"] == [False, True]
    sound(play)


def test_a_secret_contest_blocks_a_correction_rather_than_leak() -> None:
    """A refusal would reveal the contest to seats that see the roll."""
    play, roll = narrowly("gm")
    asked = play.roll("gm", "gm/c")["asked"]
    made = play.do("gm", "correct", roll=roll, parameters={"leverage": 0})
    assert [one.kind for one in made] == ["roll_corrected", "contest_kept"]
    assert play.roll("gm", "gm/c")["asked"] == asked
    assert "contest_kept" in kinds(play, "gm")
    assert "contest_kept" not in kinds(play, "ann")
    sound(play)


def test_a_settled_call_stays_as_announced(play: PlayedTable) -> None:
    lie = play.declare("gm", parameters={"attribute": 2}, mode="secret")
    play.do("gm", "throw", roll=lie, faces=[6, 6])
    play.do("ann", "call", key="call", check="direct", parameters={"attribute": 2})
    play.do("gm", "accept", key="go", request="ann/call", name="ann")
    play.do("ann", "throw", roll="gm/go", faces=[6, 3])
    play.do("gm", "settle", key="s", request="ann/call", against=lie, check="opposed")
    assert kinds(play, "ann")[-1] == "call_settled"
    play.do("gm", "correct", roll="gm/go", parameters={"attribute": 2, "favor": 2})
    assert kinds(play, "ann")[-1] == "roll_corrected"
    assert not play.sees("ann", lie)
    assert play.roll("gm", "gm/s")["asked"]["sides"][1]["favor"] == 2
    sound(play)


# -- dice by hand


def test_faces_are_typed_die_by_die(play: PlayedTable) -> None:
    roll = play.declare("ann", parameters=PARAMETERS)
    (typed,) = play.do("ann", "throw", roll=roll, faces=[6])
    assert (typed.kind, typed.data["due"]) == ("faces_typed", 4)
    play.do("ann", "throw", roll=roll, faces=[3, 1])
    seen = play.roll("eve", roll)
    assert seen["phase"] == "declared"
    assert (seen["question"]["typed"], seen["question"]["due"]) == ([6, 3, 1], 2)
    assert seen["dice"] == []
    (action,) = [
        one for one in tables.legal_actions(play.table, "ann") if one["do"] == "throw" and one["roll"] == roll
    ]
    assert action["count"] == 2
    play.do("ann", "throw", roll=roll, faces=[5, 2])
    assert faces_of(play, "eve", roll) == [6, 3, 1, 5, 2]
    assert all(die["physical"] for die in play.roll("eve", roll)["dice"])
    assert kinds(play, "eve")[-3:] == ["faces_typed", "faces_typed", "dice_thrown"]
    sound(play)


def test_in_the_middle_of_typing_the_table_does_not_throw(play: PlayedTable) -> None:
    roll = play.declare("ann", parameters=PARAMETERS)
    play.do("ann", "throw", roll=roll, faces=[6, 3])
    with pytest.raises(Refused, match=r"2 of 5 faces .* 3 more"):
        play.do("ann", "throw", roll=roll)
    with pytest.raises(Refused, match="not possible"):
        play.do("ann", "cancel", roll=roll)
    for faces in ([0], [7], [1, 2, 9], [1, 2, 3, 4]):
        with pytest.raises(BadReply):
            play.do("ann", "throw", roll=roll, faces=faces)
        assert play.roll("ann", roll)["question"]["typed"] == [6, 3]
    with pytest.raises(Refused, match="entropy"):
        play.do("ann", "throw", roll=roll, faces=[1], entropy="luck")


def test_a_typo_can_be_taken_back_while_the_throw_is_not_complete(play: PlayedTable) -> None:
    roll = play.declare("ann", parameters=PARAMETERS)
    play.do("ann", "throw", roll=roll, faces=[6, 3])
    play.do("ann", "throw", roll=roll, faces=[5])
    (undone,) = play.do("ann", "undo", roll=roll)
    assert (undone.kind, undone.data["faces"]) == ("faces_taken_back", [5])
    assert play.roll("bob", roll)["question"]["typed"] == [6, 3]
    play.do("ann", "throw", roll=roll, faces=[4])
    play.do("gm", "undo", roll=roll)
    play.do("gm", "undo", roll=roll)
    assert "undo" not in play.allowed("ann", roll)
    play.do("ann", "throw", roll=roll)  # now the table may throw
    sound(play)


def test_typed_faces_are_held_against_a_correction(play: PlayedTable) -> None:
    roll = play.declare("ann", parameters={"attribute": 3})
    play.do("ann", "throw", roll=roll, faces=[6, 3])
    with pytest.raises(Refused, match="take them back first"):
        play.do("gm", "correct", roll=roll, parameters={"attribute": 2})
    play.do("gm", "correct", roll=roll, parameters={"target": 2})
    assert play.roll("ann", roll)["question"]["typed"] == [6, 3]


def test_d3_extra_dice_are_typed_throw_by_throw() -> None:
    play = PlayedTable("me-d6", ann="player")
    roll = play.declare("ann", "check", parameters={"dice": "2D", "difficulty": 5})
    play.do("ann", "throw", roll=roll, faces=[6])
    play.do("ann", "throw", roll=roll, faces=[2, 6])  # the wild die brings another, and so does it
    assert play.roll("ann", roll)["question"]["due"] == 1
    assert "undo" not in play.allowed("ann", roll)
    play.do("ann", "throw", roll=roll, faces=[4])
    assert faces_of(play, "ann", roll) == [6, 2, 6, 4]
    assert play.roll("ann", roll)["phase"] == "finalised"
    sound(play)


def test_typed_faces_are_part_of_what_is_revealed(play: PlayedTable) -> None:
    roll = play.declare("ann", parameters={"attribute": 3}, mode="private")
    play.do("ann", "throw", roll=roll, faces=[6, 3])
    play.do("ann", "reveal", roll=roll, to=["bob"])
    assert play.log_of("bob")[-1]["data"]["story"]["typed"] == [6, 3]
    assert play.roll("bob", roll)["question"]["typed"] == [6, 3]
    play.do("ann", "throw", roll=roll, faces=[1])
    sound(play)


def test_the_verifier_finds_other_faces_than_were_typed(play: PlayedTable) -> None:
    roll = play.declare("ann", parameters={"attribute": 3})
    play.do("ann", "throw", roll=roll, faces=[6, 3])
    play.do("ann", "throw", roll=roll, faces=[1])
    for entry in play.entries:
        if entry["kind"] == "dice_thrown":
            entry["data"]["faces"] = [6, 6, 1]
    problems, _ = verify(tables.export_log(play.empty, play.entries, "ann"))
    assert len(problems) == 1
    assert "other faces than were typed" in problems[0]


def test_the_gm_corrects_mistyped_faces(play: PlayedTable) -> None:
    first = rolled(play, "ann", [6, 5, 1], attribute=3)
    second = rolled(play, "bob", [6, 1], attribute=2)
    play.do("gm", "contest", key="c", check="opposed", rolls=[second, first])
    play.do("gm", "correct", roll=first, faces=[6, 5, 5], words="a 5, not a 1")
    assert faces_of(play, "eve", first) == [6, 5, 5]
    assert faces_of(play, "eve", "gm/c") == [6, 1, 6, 5, 5]
    told = play.log_of("eve")[-1]["data"]
    assert (told["roll"], told["faces"]) == ("gm/c", [{"throw": 1, "faces": [6, 5, 5]}])
    for wrong in (
        {"faces": [6, 5]},
        {"faces": [6, 5, 7]},
        {"throw": 1, "faces": [1]},
        {"throw": 0},
    ):
        with pytest.raises(Refused):
            play.do("gm", "correct", roll=first, **wrong)
    with pytest.raises(Refused, match="typed in"):
        play.do("gm", "correct", roll="gm/c", faces=[6, 5])
    with pytest.raises(Refused):
        play.do("ann", "correct", roll=first, faces=[6, 6, 6])
    sound(play)


def test_the_tables_own_dice_are_never_corrected(play: PlayedTable) -> None:
    roll = play.declare("ann", parameters={"attribute": 3, "rerolls": 1})
    play.do("ann", "throw", roll=roll, faces=[6, 1, 2])
    play.do("ann", "answer", roll=roll, answer=[2])
    play.do("ann", "throw", roll=roll)
    with pytest.raises(Refused, match="typed in"):
        play.do("gm", "correct", roll=roll, throw=1, faces=[6])
    play.do("gm", "correct", roll=roll, throw=0, faces=[5, 1, 2])
    for entry in play.entries:
        if entry["kind"] == "roll_corrected":
            entry["data"]["faces"] = [{"throw": 1, "faces": [6]}]
    problems, _ = verify(tables.export_log(play.empty, play.entries, "bob"))
    assert any("was not typed in" in one for one in problems)


# -- entropy


def test_the_roller_may_add_entropy_of_their_own_and_the_log_proves_it() -> None:
    def thrown(entropy: str) -> tuple[list[int], PlayedTable]:
        play = usual_table()
        roll = play.declare("ann", parameters={"attribute": 8}, key="r")
        play.do("ann", "throw", roll=roll, entropy=entropy)
        sound(play)
        return faces_of(play, "ann", roll), play

    assert thrown("moon")[0] == thrown("moon")[0]
    assert thrown("moon")[0] != thrown("sun")[0]
    play = thrown("moon")[1]
    for entry in play.entries:
        if entry["kind"] == "dice_thrown":
            entry["data"]["entropy"] = "sun"
    problems, _ = verify(tables.export_log(play.empty, play.entries, "ann"))
    assert "its key gives" in problems[0]


# -- blind rolls


def test_the_roller_throws_a_blind_roll_and_sees_nothing_of_it(play: PlayedTable) -> None:
    roll = play.declare("ann", parameters={"attribute": 3, "rerolls": 1}, mode="blind")
    assert {"throw", "cancel"} == play.allowed("ann", roll)
    with pytest.raises(Refused, match="cannot type it in"):
        play.do("ann", "throw", roll=roll, faces=[6, 6, 6])
    play.do("ann", "throw", roll=roll, entropy="mine")
    assert play.allowed("ann", roll) == set()
    assert play.roll("ann", roll)["phase"] == "rolled"
    assert "dice" not in play.roll("ann", roll)
    assert play.log_of("ann")[-1]["kind"] == "dice_thrown"
    assert play.log_of("ann")[-1]["data"] == {"roll": roll, "throw": 0}
    assert kinds(play, "bob")[-1] == "roll_declared"
    assert play.roll("gm", roll)["phase"] == "deciding"
    heard = play.log_of("ann"), tables.view(play.table, "ann")
    play.do("gm", "answer", roll=roll, answer=[])
    play.do("gm", "finalise", roll=roll)
    play.do("gm", "correct", roll=roll, parameters={"target": 1})
    assert (play.log_of("ann"), tables.view(play.table, "ann")) == heard
    sound(play)
    play.do("gm", "reveal", roll=roll)
    assert len(play.roll("ann", roll)["dice"]) == 3
    sound(play)


def test_the_gm_may_throw_a_blind_roll_also_by_hand(play: PlayedTable) -> None:
    roll = play.declare("ann", parameters={"attribute": 3}, mode="blind")
    play.do("gm", "throw", roll=roll, faces=[6])
    assert play.log_of("ann")[-1]["data"] == {"roll": roll, "throw": 0}
    assert play.allowed("ann", roll) == set()  # somebody is typing
    play.do("gm", "undo", roll=roll)
    assert "throw" in play.allowed("ann", roll)
    play.do("gm", "throw", roll=roll, faces=[6, 5, 1])
    assert play.roll("ann", roll)["phase"] == "rolled"
    sound(play)


BOLD = """language = 1
id = "bold"
title = { en = "Bold" }
about = { en = "A game for tests: somebody decides before the dice" }
[decisions.dare]
by = "player"
question = { en = "How bold?" }
usual = { en = "careful" }
answers.careful = { en = "Careful" }
answers.bold = { en = "Bold" }
[checks.c]
title = { en = "C" }
help = { en = "C" }
main = "total"
does = '''
way = ask("dare", ["careful", "bold"], usual = "careful")
total = sum(roll(2 if way == "bold" else 1, d6)) + bonus
result(total = total, success = total >= 7)
'''
[checks.c.params.bonus]
type = "number"
default = 0
label = { en = "Bonus" }
help = { en = "added" }
"""


def test_before_a_blind_throw_its_roller_decides_as_usual() -> None:
    play = PlayedTable(load([Source("bold.toml", BOLD)]), ann="player", bob="player")
    roll = play.declare("ann", "c", mode="blind")
    assert play.roll("ann", roll)["question"]["odds"]["answers"] == {"careful": "0", "bold": "7/12"}
    assert play.allowed("ann", roll) == {"answer", "cancel"}
    play.do("ann", "answer", roll=roll, answer="careful")
    play.do("ann", "undo", roll=roll)
    play.do("ann", "answer", roll=roll, answer="bold")
    assert play.roll("ann", roll)["decisions"][0]["answer"] == "bold"
    assert play.roll("ann", roll)["question"]["throw"] == 2
    play.do("gm", "correct", roll=roll, parameters={"bonus": 1})
    assert play.roll("ann", roll)["asked"]["parameters"]["bonus"] == 1
    assert kinds(play, "bob")[-1] == "roll_declared"
    play.do("ann", "throw", roll=roll)
    assert play.allowed("ann", roll) == set()
    sound(play)


# -- cancelling


def test_a_roll_is_cancelled_as_long_as_nothing_was_thrown(play: PlayedTable) -> None:
    roll = play.declare("ann", parameters=PARAMETERS)
    play.do("ann", "cancel", roll=roll)
    seen = play.roll("bob", roll)
    assert (seen["phase"], seen["key"], seen["question"]) == ("cancelled", "", None)
    for do in ("throw", "cancel", "correct", "reveal"):
        with pytest.raises(Refused, match="not possible"):
            play.do("gm", do, roll=roll)
    other = rolled(play, "ann", [6, 3, 1, 5, 2], **PARAMETERS)
    for seat in ("ann", "gm"):
        with pytest.raises(Refused, match="not possible"):
            play.do(seat, "cancel", roll=other)
    with pytest.raises(Refused):
        play.do("bob", "cancel", roll=play.declare("ann", parameters=PARAMETERS))
    sound(play)


def test_a_request_whose_roll_was_cancelled_is_open_again(play: PlayedTable) -> None:
    (made,) = play.do("gm", "request", to=["ann", "bob"], check="direct")
    request = made.data["request"]
    play.do("ann", "propose", request=request, parameters={"attribute": 3})
    play.do("gm", "accept", key="a", request=request, name="ann")
    play.do("ann", "cancel", roll="gm/a")
    assert kinds(play, "ann")[-2:] == ["roll_cancelled", "request_reopened"]
    assert kinds(play, "bob")[-1] == "roll_cancelled"
    play.do("ann", "propose", request=request, parameters={"attribute": 2})
    play.do("gm", "accept", key="b", request=request, name="ann")
    play.do("ann", "throw", roll="gm/b", faces=[6, 1])
    assert play.roll("ann", "gm/b")["phase"] == "finalised"
    sound(play)


def test_a_requested_secret_roll_is_cancelled_silently(play: PlayedTable) -> None:
    """The GM asked for it, and knows nothing of what becomes of it."""
    play.do("gm", "request", key="r", to=["ann"], check="direct", mode="secret")
    play.do("gm", "accept", key="a", request="gm/r", name="ann", parameters={"attribute": 3})
    before = tables.view(play.table, "gm"), play.log_of("gm")
    play.do("ann", "cancel", roll="gm/a")
    assert (tables.view(play.table, "gm"), play.log_of("gm")) == before
    assert play.roll("ann", "gm/a")["phase"] == "cancelled"


def test_a_cancellation_is_announced_to_seats_that_saw_the_roll(play: PlayedTable) -> None:
    """Only seats that know the check are told; what may precede a throw depends on it."""
    expected = {
        "public": {"gm", "ann", "bob", "eve"},
        "private": {"gm", "ann"},
        "blind": {"gm", "ann"},
        "secret": {"ann"},
    }
    for mode, seats in expected.items():
        roll = play.declare("ann", parameters=PARAMETERS, mode=mode)
        play.do("ann", "cancel", roll=roll)
        heard = {seat for seat in play.table.seats if kinds(play, seat)[-1] == "roll_cancelled"}
        assert heard == seats, mode
        play.declare("ann", parameters=PARAMETERS)


def with_sanna(mode: str, **parameters: Any) -> tuple[PlayedTable, str]:
    play = PlayedTable("me-d6", ann="player", bob="player")
    play.do("ann", "bring", sheet=sheet("me-d6", "sanna"))
    asked = {"dice": "repair", "difficulty": 18, **parameters}
    who = {"as": f"ann/{sheet('me-d6', 'sanna')['name']}"}
    return play, play.declare("ann", "check", parameters=asked, mode=mode, **who)


def test_points_come_back_when_a_roll_is_cancelled() -> None:
    play, roll = with_sanna("public", spend="paragon-bonus")

    def points() -> int:
        found: int = tables.view(play.table, "ann")["characters"][0]["sheet"]["resources"]["paragon"]
        return found

    before = points()
    play.do("ann", "cancel", key="once", roll=roll)
    play.do("ann", "cancel", key="once", roll=roll)
    assert points() == before + 1
    sound(play)


def test_corrected_contributions_are_hidden_from_a_blind_roller() -> None:
    play, roll = with_sanna("blind")
    play.do("gm", "correct", roll=roll, parameters={"difficulty": 19})
    lines = play.roll("ann", roll)["lines"]
    assert [one["value"] for one in lines if one["parameter"] == "difficulty" and one["on"]] == [19]
    play.do("ann", "throw", roll=roll)
    play.do("gm", "correct", roll=roll, parameters={"difficulty": 20})
    assert play.roll("ann", roll)["lines"] == lines
    assert play.roll("ann", roll)["asked"]["parameters"]["difficulty"] == 19
    assert play.roll("gm", roll)["asked"]["parameters"]["difficulty"] == 20
    sound(play)


def test_lines_stay_while_faces_are_being_typed() -> None:
    play, roll = with_sanna("public")
    assert {"switch", "add_line"} < play.allowed("gm", roll)
    play.do("ann", "throw", roll=roll, faces=[2])
    assert not {"switch", "add_line"} & play.allowed("gm", roll)


def test_a_side_of_an_open_contest_is_cancelled_only_when_that_is_called_off(play: PlayedTable) -> None:
    sides = [{"roll": play.declare(name, parameters={"attribute": 2})} for name in ("ann", "bob")]
    play.do("gm", "challenge", key="c", check="opposed", sides=sides)
    roll = sides[0]["roll"]
    for seat in ("ann", "gm"):
        with pytest.raises(Refused, match="not possible"):
            play.do(seat, "cancel", roll=roll)
    play.do("gm", "call_off", contest="gm/c")
    play.do("ann", "cancel", roll=roll)
    sound(play)


def test_a_contest_unknown_to_its_side_is_called_off_with_it(play: PlayedTable) -> None:
    """A refusal would tell the side that there is more to it."""
    roll = play.declare("ann", parameters={"attribute": 2})
    lie = play.declare("gm", parameters={"attribute": 2}, mode="secret")
    sides = [{"roll": lie}, {"roll": roll}]
    play.do("gm", "challenge", key="c", check="opposed", sides=sides)
    made = play.do("ann", "cancel", roll=roll)
    assert [one.kind for one in made] == ["roll_cancelled", "contest_called_off"]
    assert kinds(play, "gm")[-1] == "contest_called_off"
    assert "contest_called_off" not in kinds(play, "ann")
    sound(play)


# -- leaving


def test_a_seat_leaves_and_comes_back(play: PlayedTable) -> None:
    roll = play.declare("ann", parameters=PARAMETERS)
    play.do("ann", "leave")
    assert tables.legal_actions(play.table, "ann") == []
    with pytest.raises(Refused, match="has left"):
        play.do("ann", "throw", roll=roll)
    assert tables.view(play.table, "bob")["seats"][1] == {"name": "ann", "role": "player", "left": True}
    play.do("gm", "throw", roll=roll)
    assert play.log_of("ann")[-1]["kind"] == "dice_thrown"
    with pytest.raises(Refused, match="come back only as player"):
        play.do("gm", "seat", name="ann", role="watcher")
    play.do("gm", "seat", name="ann", role="player")
    play.do("ann", "answer", roll=roll, answer=[])
    with pytest.raises(Refused, match="already has a seat"):
        play.do("gm", "seat", name="ann", role="player")
    sound(play)


def test_the_gm_removes_a_seat_but_the_last_gm_stays(play: PlayedTable) -> None:
    play.do("gm", "leave", name="eve")
    with pytest.raises(Refused, match="no seat to leave"):
        play.do("gm", "leave", name="eve")
    with pytest.raises(Refused, match="only the GM"):
        play.do("ann", "leave", name="bob")
    with pytest.raises(Refused, match="last GM"):
        play.do("gm", "leave")
    play.do("gm", "seat", name="second", role="gm")
    play.do("gm", "leave")
    with pytest.raises(Refused, match="last GM"):
        play.do("second", "leave")
    sound(play)


def test_requests_skip_seats_that_left_and_the_gm_answers_for_them(play: PlayedTable) -> None:
    (asked,) = play.do("gm", "request", to=["ann", "bob"], check="direct")
    play.do("bob", "leave")
    (made,) = play.do("gm", "request", to=["ann", "bob"], check="direct")
    assert made.data["to"] == ["ann"]
    with pytest.raises(Refused, match="at least one player"):
        play.do("gm", "request", to=["bob"], check="direct")
    request = asked.data["request"]
    play.do("gm", "accept", key="x", request=request, name="bob", parameters={"attribute": 2})
    play.do("gm", "throw", roll="gm/x")
    assert play.roll("gm", "gm/x")["roller"] == "bob"


# -- odds in the view


def test_a_view_shows_the_odds_of_each_answer(play: PlayedTable) -> None:
    roll = rolled(play, "ann", [6, 3, 1, 4, 2], **PARAMETERS)
    for seat in ("gm", "ann", "bob", "eve"):
        exact = tables.odds(play.table, seat, roll)
        odds = play.roll(seat, roll)["question"]["odds"]
        assert odds["answers"] == exact["answers"]
        assert odds["best"] == exact["best"]
        assert odds["answers"]["2"] == "1/3"
        assert "spread" not in odds


def test_with_a_hidden_target_a_view_shows_how_the_result_is_spread(play: PlayedTable) -> None:
    asked = {"attribute": 3, "rerolls": 1, "target": 2}
    roll = play.declare("gm", parameters=asked, hidden=["target"], for_="ann")
    play.do("ann", "throw", roll=roll, faces=[6, 3, 1])
    odds = play.roll("ann", roll)["question"]["odds"]
    assert set(odds["answers"].values()) == {None}
    assert odds["spread"]["none"]["distribution"] == [[1, "1"]]
    assert odds["spread"]["2"]["distribution"] == [[1, "2/3"], [2, "1/3"]]
    assert "3" in odds["answers"]
    assert play.roll("gm", roll)["question"]["odds"]["answers"]["none"] == "0"


def test_odds_that_are_too_much_work_are_a_note_in_the_view(
    play: PlayedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decision_odds, "WORK_BUDGET", 1)
    roll = rolled(play, "ann", [6, 3, 1, 4, 2, 2, 2, 1], attribute=8, rerolls=2, target=7)
    assert [*play.roll("ann", roll)["question"]["odds"]] == ["note"]


def test_the_odds_of_a_view_are_solved_once(play: PlayedTable) -> None:
    roll = rolled(play, "ann", [6, 3, 1, 4, 1], **PARAMETERS)
    first = tables.view(play.table, "ann")
    before = decision_odds._odds_by_answer.cache_info().misses
    first["rolls"][0]["question"]["odds"]["answers"].clear()
    assert play.roll("bob", roll)["question"]["odds"]["answers"]
    assert decision_odds._odds_by_answer.cache_info().misses == before


def test_dice_with_equal_readings_are_solved_once_in_any_order(play: PlayedTable) -> None:
    """And each die has the worth of its own face."""
    decision_odds._odds_by_answer.cache_clear()
    rolled(play, "ann", [6, 3, 1, 4, 1], **PARAMETERS)
    tables.view(play.table, "ann")
    before = decision_odds._odds_by_answer.cache_info().misses
    for faces in ([1, 1, 3, 4, 6], [4, 6, 1, 1, 3]):
        roll = rolled(play, "ann", faces, **PARAMETERS)
        odds = play.roll("ann", roll)["question"]["odds"]
        exact = tables.odds(play.table, "ann", roll)
        assert odds == {name: exact[name] for name in odds}
        assert [*odds["answers"]] == [*exact["answers"]]
    assert decision_odds._odds_by_answer.cache_info().misses == before
    rolled(play, "ann", [6, 6, 6, 4, 1], **PARAMETERS)
    tables.view(play.table, "ann")
    assert decision_odds._odds_by_answer.cache_info().misses == before + 1
