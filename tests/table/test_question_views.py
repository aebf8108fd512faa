"""Views of questions: complete for a page that knows no rules."""

from __future__ import annotations

import pytest
from in_memory_table import PlayedTable

from handful import table as tables
from handful.errors import Refused


def test_pickable_dice_have_faces_and_numbers() -> None:
    play = PlayedTable("agga", ann="player")
    roll = play.declare("ann", parameters={"attribute": 3, "rerolls": 1, "target": 2})
    play.do("ann", "throw", roll=roll, faces=[6, 4, 2])
    question = play.roll("ann", roll)["question"]
    assert (question["dice"], question["faces"]) == ([2, 3], [4, 2])
    assert question["only"]["en"].startswith("a die that has failed")


def test_amb_u2_a_die_that_is_rerolled_twice_keeps_its_number_and_shows_its_last_face() -> None:
    play = PlayedTable("uwr", ann="player")
    play.do("gm", "house_rules", options={"reroll_stack": "stacking"})
    roll = play.declare("ann", parameters={"attribute": 2, "rerolls": 2, "target": 2})
    play.do("ann", "throw", roll=roll, faces=[6, 1])
    play.do("ann", "answer", roll=roll, answer=[2])
    play.do("ann", "throw", roll=roll, faces=[3])
    question = play.roll("ann", roll)["question"]
    assert dict(zip(question["dice"], question["faces"], strict=True)) == {1: 6, 2: 3}


def test_options_are_listed_in_the_games_order() -> None:
    play = PlayedTable("tuurna", ann="player")
    play.do("gm", "house_rules", options={"fate_combine": "narrator"})
    roll = play.declare("ann", "check", parameters={"level": 4, "fate": "lucky+unlucky"})
    question = play.roll("gm", roll)["question"]
    assert question["order"] == ["cursed", "unlucky", "neutral", "lucky", "blessed"]
    assert {*question["options"]} == {*question["order"]}


def test_d5_both_totals_of_a_ruling_are_shown_before_a_point_is_spent() -> None:
    play = PlayedTable("me-d6", ann="player")
    roll = play.declare("ann", "check", parameters={"dice": "4D", "difficulty": 10, "spend": ["ask"]})
    play.do("ann", "throw", roll=roll, faces=[1, 5, 2, 1])
    assert play.roll("gm", roll)["question"]["odds"]["results"] == {"cancel": 4, "complication": 9}


@pytest.mark.parametrize(("seat", "by_hand"), [("gm", True), ("ann", False)])
def test_a_seat_that_may_not_see_the_result_cannot_type_faces(seat: str, by_hand: bool) -> None:
    play = PlayedTable("uwr", ann="player")
    roll = play.declare("ann", parameters={"attribute": 2}, mode="blind")
    actions = tables.legal_actions(play.table, seat)
    (throw,) = (one for one in actions if one["do"] == "throw" and one["roll"] == roll)
    assert throw["by_hand"] is by_hand


def test_a_roll_is_revealed_to_one_seat_or_to_all() -> None:
    play = PlayedTable("uwr", ann="player")
    roll = play.declare("gm", parameters={"attribute": 2}, mode="gm")
    with pytest.raises(Refused, match="revealed to somebody"):
        play.do("gm", "reveal", roll=roll, to=[])
    assert not play.sees("ann", roll)


def test_a_request_that_all_have_answered_is_open_no_more_until_a_roll_is_cancelled() -> None:
    play = PlayedTable("uwr", ann="player", bob="player")
    play.do("gm", "request", "wall", to=["ann", "bob"], check="direct")

    def is_open() -> bool:
        (found,) = tables.view(play.table, "gm")["requests"]
        return bool(found["open"])

    for name in ("ann", "bob"):
        assert is_open()
        play.do("gm", "accept", name, request="gm/wall", name=name, parameters={"attribute": 2})
    assert not is_open()
    play.do("bob", "cancel", roll="gm/bob")
    assert is_open()
