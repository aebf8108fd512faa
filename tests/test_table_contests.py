"""Requests, calls, contests and group checks at the table, named after their rules."""

from __future__ import annotations

import json
from typing import Any

import pytest

from handful import table as tables
from handful.errors import Refused
from handful.verifier import verify
from tables import Played, usual


@pytest.fixture
def play() -> Played:
    return usual()


def sound(play: Played) -> None:
    for seat in play.table.seats:
        assert verify(tables.export(play.empty, play.entries, seat))[0] == []


def rolled(play: Played, actor: str, faces: list[int], check: str = "direct", **data: Any) -> str:
    roll = play.declare(actor, check, **data)
    play.do(actor, "throw", roll=roll, faces=faces)
    return roll


# -- requests


def test_u14_a_player_proposes_a_skill_and_the_gm_accepts_or_refuses(play: Played) -> None:
    (made,) = play.do(
        "gm", "request", to=["ann", "bob"], check="direct", parameters={"target": 2},
        hidden=["target"], title="over the wall",
    )  # fmt: skip
    request = made.data["request"]
    seen = tables.view(play.table, "ann")["requests"][0]
    assert seen["title"] == "over the wall"
    assert seen["parameters"] == {}
    assert tables.view(play.table, "eve")["requests"] == []
    play.do("ann", "propose", request=request, parameters={"attribute": 3, "skill": 9})
    assert tables.view(play.table, "bob")["requests"][0]["proposals"] == {}
    play.do("gm", "refuse", request=request, name="ann", words="not with Cooking")
    with pytest.raises(Refused, match="proposed nothing"):
        play.do("gm", "accept", request=request, name="ann")
    play.do("ann", "propose", request=request, parameters={"attribute": 3, "skill": 1})
    play.do("gm", "accept", key="yes", request=request, name="ann")
    roll = play.roll("ann", "gm/yes")
    assert roll["roller"] == "ann"
    assert roll["asked"]["parameters"]["skill"] == 1
    assert "target" not in roll["asked"]["parameters"]
    play.do("ann", "throw", roll="gm/yes")
    with pytest.raises(Refused):
        play.do("ann", "propose", request=request, parameters={})
    play.do("gm", "accept", key="for bob", request=request, name="bob", parameters={"attribute": 2})
    assert play.roll("bob", "gm/for bob")["roller"] == "bob"
    sound(play)


def test_the_gm_may_withdraw_a_request(play: Played) -> None:
    (made,) = play.do("gm", "request", to=["ann"], check="direct")
    play.do("gm", "withdraw", request=made.data["request"])
    assert tables.view(play.table, "ann")["requests"] == []
    with pytest.raises(Refused):
        play.do("ann", "propose", request=made.data["request"], parameters={})


def test_requests_that_make_no_sense_are_refused(play: Played) -> None:
    for data in (
        {"to": [], "check": "direct"},
        {"to": ["eve"], "check": "direct"},
        {"to": ["ann"], "check": "nothing"},
        {"to": ["ann"], "check": "direct", "parameters": {"charm": 1}},
    ):
        with pytest.raises(Refused):
            play.do("gm", "request", **data)
    with pytest.raises(Refused):
        play.do("ann", "request", to=["bob"], check="direct")


# -- contests


def test_u18_successes_of_the_reactor_are_taken_away(play: Played) -> None:
    first = rolled(play, "ann", [6, 5, 5], parameters={"attribute": 3})
    second = rolled(play, "bob", [6, 1], parameters={"attribute": 2})
    play.do("gm", "contest", key="c", check="opposed", rolls=[first, second])
    seen = play.roll("eve", "gm/c")
    assert seen["phase"] == "finalised"
    assert seen["outcome"]["net"] == 2
    assert len(seen["dice"]) == 5
    sound(play)


def test_amb_u13_several_who_resist_one_roll(play: Played) -> None:
    rolls = [
        rolled(play, "ann", [6, 5], parameters={"attribute": 2}),
        rolled(play, "bob", [6, 1], parameters={"attribute": 2}),
        rolled(play, "gm", [6, 5], parameters={"attribute": 2}),
    ]
    play.do("gm", "contest", key="c", check="opposed", rolls=rolls)
    assert play.roll("eve", "gm/c")["outcome"]["success"] == [True, False]


def test_d31_one_roll_of_a_group_against_several_targets() -> None:
    play = Played("me-d6", ann="player", bob="player")
    group = rolled(play, "gm", [3, 4, 4], "check", parameters={"dice": "3D"}, title="the thugs")
    for at, (name, faces) in enumerate({"ann": [2, 2, 2], "bob": [5, 5, 5]}.items()):
        own = rolled(play, name, faces, "check", parameters={"dice": "3D"})
        play.do("gm", "contest", key=f"c{at}", check="opposed", rolls=[group, own])
    assert [play.roll("ann", f"gm/c{at}")["outcome"]["success"] for at in (0, 1)] == [True, False]
    sound(play)


def test_r22_a_group_check_is_judged_by_its_weakest() -> None:
    play = Played("tuurna", ann="player", bob="player")
    rolls = [
        rolled(play, "ann", [3, 3, 3], "check", parameters={"level": 3}),
        rolled(play, "bob", [3, 1], "check", parameters={"level": 2}),
    ]
    play.do(
        "gm", "contest", key="g", check="group", rolls=rolls,
        parameters={"judge": "min", "difficulty": 2},
    )  # fmt: skip
    assert play.roll("ann", "gm/g")["outcome"]["success"] is False


def test_r25_a_tie_is_rolled_again_or_stands() -> None:
    play = Played("tuurna", ann="player", bob="player")
    rolls = [
        rolled(play, name, [3, 1], "check", parameters={"level": 2}) for name in ("ann", "bob")
    ]
    play.do("gm", "contest", key="s", check="contest", rolls=rolls, parameters={"ties": "stand"})
    assert play.roll("ann", "gm/s")["outcome"]["wins"] == [False, False]
    play.do("gm", "contest", key="r", check="contest", rolls=rolls)
    assert play.roll("ann", "gm/r")["phase"] == "rolling"
    for _ in range(50):
        if play.roll("ann", "gm/r")["phase"] != "rolling":
            break
        play.do("gm", "throw", roll="gm/r")
    assert sorted(play.roll("ann", "gm/r")["outcome"]["wins"]) == [False, True]
    sound(play)


def test_a_contest_is_shown_to_those_who_see_every_side(play: Played) -> None:
    first = rolled(play, "ann", [6, 5, 5], parameters={"attribute": 3})
    second = rolled(play, "gm", [6, 1], parameters={"attribute": 2}, mode="secret")
    play.do("gm", "contest", key="c", check="opposed", rolls=[first, second])
    assert play.sees("gm", "gm/c")
    assert not play.sees("ann", "gm/c")
    with pytest.raises(Refused, match="no finalised roll"):
        play.do("gm", "contest", check="opposed", rolls=[first, "gm/nothing"])
    with pytest.raises(Refused, match="one side only"):
        play.do("gm", "contest", check="direct", rolls=[first])


# -- calls


def called(lie: str, faces: list[int]) -> Played:
    """Ann doubts a statement; the lie is beaten, unbeaten, or there is none."""
    play = usual()
    if lie:
        rolled(play, "gm", [6, 6, 1], parameters={"attribute": 3}, mode="secret", key="lie")
    play.do("ann", "call", key="c", check="direct", parameters={"attribute": 3}, title="really?")
    play.do("gm", "accept", key="a", request="ann/c", name="ann")
    play.do("ann", "throw", roll="gm/a", faces=faces)
    against = {"against": "gm/lie", "check": "opposed"} if lie else {}
    play.count = 50
    play.do("gm", "settle", request="ann/c", **against)
    return play


def test_u23_a_beaten_lie_is_revealed() -> None:
    play = called("lie", [6, 6, 2])
    assert play.sees("ann", "gm/lie")
    assert play.sees("eve", "gm/lie")
    assert play.told("ann")[-1]["kind"] == "roll_revealed"
    sound(play)


def test_u20_an_unbeaten_lie_looks_like_none_at_all() -> None:
    lied, honest = called("lie", [6, 2, 2]), called("", [6, 2, 2])
    for seat in ("ann", "bob", "eve"):
        assert json.dumps(tables.view(lied.table, seat)) == json.dumps(
            tables.view(honest.table, seat)
        )
        logs = [[(one["kind"], one["data"]) for one in play.told(seat)] for play in (lied, honest)]
        assert logs[0] == logs[1]
    assert lied.told("ann")[-1]["data"] == {"found": False, "name": "ann", "request": "ann/c"}
    sound(lied)


def test_u21_nobody_contests_and_the_check_succeeds(play: Played) -> None:
    roll = play.declare(
        "gm", "opposed", sides=[{"attribute": 3}], parameters={"uncontested": True}, mode="secret"
    )
    play.do("gm", "throw", roll=roll, faces=[1, 1, 1])
    assert play.roll("gm", roll)["outcome"]["success"] in (True, [True])
