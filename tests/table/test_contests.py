"""Requests, calls, contests and group checks at the table, named after their rules."""

from __future__ import annotations

import json
from typing import Any

import pytest
from in_memory_table import PlayedTable, usual_table

import handful
from handful import table as tables
from handful.errors import Refused
from handful.verifier import verify


@pytest.fixture
def play() -> PlayedTable:
    return usual_table()


def sound(play: PlayedTable) -> None:
    for seat in play.table.seats:
        assert verify(tables.export_log(play.empty, play.entries, seat))[0] == []


def rolled(play: PlayedTable, actor: str, faces: list[int], check: str = "direct", **data: Any) -> str:
    roll = play.declare(actor, check, **data)
    play.do(actor, "throw", roll=roll, faces=faces)
    return roll


# -- requests


def test_u14_a_player_proposes_a_skill_and_the_gm_accepts_or_refuses(play: PlayedTable) -> None:
    (made,) = play.do(
        "gm",
        "request",
        to=["ann", "bob"],
        check="direct",
        parameters={"target": 2},
        hidden=["target"],
        title="over the wall",
    )
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


def test_the_gm_may_withdraw_a_request(play: PlayedTable) -> None:
    (made,) = play.do("gm", "request", to=["ann"], check="direct")
    play.do("gm", "withdraw", request=made.data["request"])
    assert tables.view(play.table, "ann")["requests"] == []
    with pytest.raises(Refused):
        play.do("ann", "propose", request=made.data["request"], parameters={})


def test_requests_that_make_no_sense_are_refused(play: PlayedTable) -> None:
    for data in (
        {"to": [], "check": "direct"},
        {"to": ["eve"], "check": "direct"},
        {"to": ["ann"], "check": "nothing"},
        {"to": ["ann"], "check": "direct", "parameters": {"charm": 1}},
        {"to": ["ann"], "check": "direct", "parameters": {"target": "banana"}},
        {"to": ["ann"], "check": "direct", "parameters": {"attribute": 10_000}},
        {"to": ["ann"], "check": "direct", "hidden": ["charm"]},
    ):
        with pytest.raises(Refused):
            play.do("gm", "request", **data)
    with pytest.raises(Refused):
        play.do("ann", "request", to=["bob"], check="direct")
    (made,) = play.do("gm", "request", to=["ann", "ann"], check="direct", parameters={"Target": 2})
    assert made.data["to"] == ["ann"]
    assert made.data["parameters"] == {"target": 2}


def test_an_impossible_roll_cannot_be_proposed(play: PlayedTable) -> None:
    """The proposing seat gets the refusal, not the GM who accepts later."""
    play.do("gm", "request", key="r", to=["ann"], check="direct", parameters={"target": 2})
    for parameters in ({"skil": 2}, {"skill": "x" * 3, "bonus": "x"}, {"attribute": -1}):
        with pytest.raises(Refused, match=r"needs|has"):
            play.do("ann", "propose", request="gm/r", parameters=parameters)
        with pytest.raises(Refused, match=r"needs|has"):
            play.do("ann", "call", check="direct", parameters=parameters)
    play.do("ann", "propose", request="gm/r", parameters={"Target": 9, "Attribute": 3, "skill": 2})
    play.do("gm", "accept", key="yes", request="gm/r", name="ann")
    assert play.roll("ann", "gm/yes")["asked"]["parameters"]["target"] == 2  # as the GM has asked


# -- contests


def test_u18_successes_of_the_reactor_are_taken_away(play: PlayedTable) -> None:
    first = rolled(play, "ann", [6, 5, 5], parameters={"attribute": 3})
    second = rolled(play, "bob", [6, 1], parameters={"attribute": 2})
    play.do("gm", "contest", key="c", check="opposed", rolls=[first, second])
    seen = play.roll("eve", "gm/c")
    assert seen["phase"] == "finalised"
    assert seen["outcome"]["net"] == 2
    assert len(seen["dice"]) == 5
    sound(play)


def test_amb_u13_several_sides_resist_one_roll(play: PlayedTable) -> None:
    rolls = [
        rolled(play, "ann", [6, 5], parameters={"attribute": 2}),
        rolled(play, "bob", [6, 1], parameters={"attribute": 2}),
        rolled(play, "gm", [6, 5], parameters={"attribute": 2}),
    ]
    play.do("gm", "contest", key="c", check="opposed", rolls=rolls)
    assert play.roll("eve", "gm/c")["outcome"]["success"] == [True, False]


def test_d31_one_roll_of_a_group_against_several_targets() -> None:
    play = PlayedTable("me-d6", ann="player", bob="player")
    group = rolled(play, "gm", [3, 4, 4], "check", parameters={"dice": "3D"}, title="the thugs")
    for at, (name, faces) in enumerate({"ann": [2, 2, 2], "bob": [5, 5, 5]}.items()):
        own = rolled(play, name, faces, "check", parameters={"dice": "3D"})
        play.do("gm", "contest", key=f"c{at}", check="opposed", rolls=[group, own])
    assert [play.roll("ann", f"gm/c{at}")["outcome"]["success"] for at in (0, 1)] == [True, False]
    sound(play)


def test_r22_a_group_check_is_judged_by_its_weakest() -> None:
    play = PlayedTable("tuurna", ann="player", bob="player")
    rolls = [
        rolled(play, "ann", [3, 3, 3], "check", parameters={"level": 3}),
        rolled(play, "bob", [3, 1], "check", parameters={"level": 2}),
    ]
    play.do(
        "gm", "contest", key="g", check="group", rolls=rolls, parameters={"judge": "min", "difficulty": 2}
    )
    assert play.roll("ann", "gm/g")["outcome"]["success"] is False


def test_r25_a_tie_is_rolled_again_or_stands() -> None:
    play = PlayedTable("tuurna", ann="player", bob="player")
    rolls = [rolled(play, name, [3, 1], "check", parameters={"level": 2}) for name in ("ann", "bob")]
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


@pytest.mark.parametrize("judge", ["max", "min", "average"])
def test_r22_a_group_check_by_what_the_narrator_judges(judge: str) -> None:
    play = PlayedTable("tuurna", ann="player", bob="player", eve="watcher")
    rolls = [
        rolled(play, "ann", [3, 3, 3], "check", parameters={"level": 3}),
        rolled(play, "bob", [3, 1], "check", parameters={"level": 2}),
    ]
    play.do(
        "gm",
        "contest",
        key="g",
        check="group",
        rolls=rolls,
        parameters={"judge": judge, "difficulty": 2},
        hidden=["difficulty"],
    )
    judged = {"max": 3, "min": 1, "average": 2}[judge]
    assert play.roll("gm", "gm/g")["outcome"]["judged"] == judged
    assert play.roll("gm", "gm/g")["outcome"]["success"] is (judged >= 2)
    assert play.roll("eve", "gm/g")["outcome"]["judged"] == judged
    assert play.roll("eve", "gm/g")["outcome"]["success"] is None
    sound(play)


def test_r22_one_roll_of_a_group_in_several_contests(play: PlayedTable) -> None:
    """Also where the rules know no group check: one throw for all of them (D-31)."""
    guards = rolled(play, "gm", [6, 5, 1], parameters={"attribute": 3}, title="the guards")
    for key, name, faces in (("a", "ann", [6, 5]), ("b", "bob", [6, 1])):
        own = rolled(play, name, faces, parameters={"attribute": 2})
        play.do("gm", "contest", key=key, check="opposed", rolls=[guards, own])
    assert [play.roll("eve", f"gm/{key}")["outcome"]["success"] for key in "ab"] == [False, True]
    dice = [play.roll("eve", f"gm/{key}")["dice"][:3] for key in "ab"]
    assert dice[0] == dice[1]


def test_r24_a_contest_has_ranking_and_gaps() -> None:
    play = PlayedTable("tuurna", ann="player", bob="player")
    rolls = [
        rolled(play, name, faces, "check", parameters={"level": len(faces)})
        for name, faces in {"ann": [3, 1], "bob": [3, 3, 3], "gm": [3, 3]}.items()
    ]
    play.do("gm", "contest", key="c", check="contest", rolls=rolls)
    seen = play.roll("ann", "gm/c")["outcome"]
    assert (seen["ranking"], seen["gaps"], seen["margin"]) == ([2, 3, 1], [0, 1, 2], -2)


def test_answers_are_played_when_their_side_is_asked() -> None:
    """A contest asks for all Fates before any throw; each roll had its own order."""
    play = PlayedTable("tuurna", ann="player", bob="player")
    play.do("gm", "house_rules", options={"fate_combine": "narrator"})
    rolls = []
    for name, fate in (("ann", "lucky"), ("bob", "unlucky")):
        asked = {"level": 2, "fate": "lucky+unlucky"}
        roll = play.declare(name, "check", parameters=asked)
        play.do("gm", "answer", roll=roll, answer=fate, words="by the moon")
        play.do(name, "throw", roll=roll, faces=[2, 3])
        rolls.append(roll)
    play.do("gm", "contest", key="c", check="contest", rolls=rolls)
    assert play.roll("ann", "gm/c")["outcome"]["sums"] == [[1, 2], [2, 1]]
    assert [one["words"] for one in play.roll("ann", "gm/c")["decisions"]] == ["by the moon"] * 2
    sound(play)


def test_d43_after_a_miss_the_parry_is_not_asked() -> None:
    play = PlayedTable("me-d6", ann="player", bob="player")
    parameters = {"dice": "2D"}
    attack = rolled(play, "ann", [2, 2], "check", parameters=parameters)
    parry = rolled(play, "bob", [5, 5], "check", parameters=parameters)
    play.do("gm", "contest", key="c", check="attack", rolls=[attack, parry], parameters={"defense": 9})
    assert play.roll("bob", "gm/c")["outcome"]["success"] is False
    assert len(play.roll("bob", "gm/c")["dice"]) == 2


def test_r29_against_two_skills_one_is_rolled_twice() -> None:
    """The second Roll is thrown in the contest, by whose it is; out of its turn it is refused."""
    play = PlayedTable("tuurna", ann="player", bob="player")
    rolls = [
        rolled(play, "ann", [3, 3], "check", parameters={"level": "1,1"}),
        rolled(play, "bob", [3], "check", parameters={"level": 1}),
    ]
    with pytest.raises(Refused, match="other dice"):
        play.do("gm", "contest", check="contest", rolls=rolls[::-1], parameters={"ties": "stand"})
    play.do("gm", "contest", key="c", check="contest", rolls=rolls, parameters={"ties": "stand"})
    assert "throw" not in play.allowed("ann", "gm/c")
    play.do("bob", "throw", roll="gm/c", faces=[1])
    assert play.roll("ann", "gm/c")["outcome"]["sums"] == [[1, 2], [2, 1]]


def test_d10_scores_are_compared_without_a_roll_at_the_table() -> None:
    play = PlayedTable("me-d6", ann="player", bob="player")
    roll = play.declare("gm", "compare", sides=[{"dice": "4D"}, {"dice": "3D+2"}])
    seen = play.roll("bob", roll)
    assert (seen["phase"], seen["dice"], seen["outcome"]["wins"]) == (
        "finalised",
        [],
        [True, False],
    )
    even = play.declare("gm", "compare", sides=[{"dice": "3D"}, {"dice": "3D"}])
    play.do("gm", "throw", roll=even, faces=[4, 4, 4, 3, 4, 5])
    assert play.roll("bob", even)["outcome"]["wins"] == [True, False]


def test_a_contest_is_visible_to_seats_that_see_every_side(play: PlayedTable) -> None:
    first = rolled(play, "ann", [6, 5, 5], parameters={"attribute": 3})
    second = rolled(play, "gm", [6, 1], parameters={"attribute": 2}, mode="secret")
    play.do("gm", "contest", key="c", check="opposed", rolls=[first, second])
    assert play.sees("gm", "gm/c")
    assert not play.sees("ann", "gm/c")
    with pytest.raises(Refused, match="no finalised roll"):
        play.do("gm", "contest", check="opposed", rolls=[first, "gm/nothing"])
    with pytest.raises(Refused, match="only one side"):
        play.do("gm", "contest", check="direct", rolls=[first])


# -- sides first


def test_a_contest_of_revealed_rolls_is_visible_where_they_were_revealed(play: PlayedTable) -> None:
    """Otherwise no seat would see it, not even the GM to whom a player shows a secret roll."""
    mine = rolled(play, "ann", [6, 5, 5], parameters={"attribute": 3}, mode="secret")
    theirs = rolled(play, "gm", [6, 1], parameters={"attribute": 2}, mode="gm")
    with pytest.raises(Refused, match="no finalised roll"):
        play.do("gm", "contest", check="opposed", rolls=[mine, theirs])
    play.do("ann", "reveal", roll=mine)
    play.do("gm", "reveal", roll=theirs, to=["ann"])
    play.do("gm", "contest", key="c", check="opposed", rolls=[mine, theirs])
    assert [seat for seat in play.table.seats if play.sees(seat, "gm/c")] == ["gm", "ann"]
    sound(play)


def test_a_contest_visible_to_no_seat_is_refused(play: PlayedTable) -> None:
    rolls = [rolled(play, "gm", [6, 5], parameters={"attribute": 2}, mode="gm") for _ in range(2)]
    sides = [{"roll": one} for one in rolls]
    play.do("gm", "visibility", mode="gm")
    for do, data in (("contest", {"rolls": rolls}), ("challenge", {"sides": sides})):
        with pytest.raises(Refused, match="hide the roll from everybody"):
            play.do("gm", do, check="opposed", mode="secret", **data)


def test_a_roll_cannot_stand_against_itself(play: PlayedTable) -> None:
    roll = rolled(play, "ann", [6, 5], parameters={"attribute": 2})
    with pytest.raises(Refused, match="with itself"):
        play.do("gm", "contest", check="opposed", rolls=[roll, roll])
    with pytest.raises(Refused, match="with itself"):
        play.do("gm", "challenge", check="opposed", sides=[{"roll": roll}] * 2)


def asked(play: PlayedTable, *names: str, key: str = "r", **data: Any) -> list[dict[str, str]]:
    """A request, and the sides of a contest that it makes."""
    play.do("gm", "request", key=key, to=list(names), check="direct", **data)
    return [{"request": f"gm/{key}", "name": name} for name in names]


def accepted(play: PlayedTable, name: str, attribute: int, key: str = "r") -> str:
    play.do(name, "propose", request=f"gm/{key}", parameters={"attribute": attribute})
    play.do("gm", "accept", key=f"a-{name}", request=f"gm/{key}", name=name)
    return f"gm/a-{name}"


def contest_of(play: PlayedTable, seat: str) -> dict[str, Any]:
    (found,) = tables.view(play.table, seat)["contests"]
    return dict(found)


def test_sides_are_declared_before_any_throw(play: PlayedTable) -> None:
    play.do("gm", "challenge", key="c", check="opposed", sides=asked(play, "ann", "bob"))
    ann = accepted(play, "ann", 2)
    seen = contest_of(play, "eve")
    assert [(one["name"], one["phase"]) for one in seen["sides"]] == [
        ("ann", "declared"),
        ("bob", "asked"),
    ]
    assert seen["check"] == "opposed"
    for seat in ("ann", "gm"):
        assert "throw" not in play.allowed(seat, ann)
        with pytest.raises(Refused, match="wait for bob"):
            play.do(seat, "throw", roll=ann)
    bob = accepted(play, "bob", 1)
    assert contest_of(play, "eve")["waits_for"] == ["ann", "bob"]
    play.do("ann", "throw", roll=ann, faces=[6, 5])
    assert contest_of(play, "eve")["waits_for"] == ["bob"]
    play.do("bob", "throw", roll=bob, faces=[6])
    assert play.roll("eve", "gm/c")["outcome"]["wins"] == [True, False]
    assert play.roll("eve", "gm/c")["parts"] == [
        {"roll": ann, "roller": "ann"},
        {"roll": bob, "roller": "bob"},
    ]
    assert contest_of(play, "eve")["result"] == "gm/c"
    assert contest_of(play, "eve")["waits_for"] == []
    sound(play)


def test_d10_sides_that_need_no_roll_are_compared_as_soon_as_they_are_declared() -> None:
    play = PlayedTable("me-d6", ann="player", bob="player")
    sides = [
        {"roll": play.declare(name, "check", parameters={"dice": dice})}
        for name, dice in (("ann", "3D"), ("bob", "4D"))
    ]
    play.do("gm", "challenge", key="c", check="compare", sides=sides)
    assert play.roll("ann", "gm/c")["outcome"]["wins"] == [False, True]
    even = [{"roll": play.declare(name, "check", parameters={"dice": "2D"})} for name in ("ann", "bob")]
    play.do("gm", "challenge", key="e", check="compare", sides=even)
    assert not play.sees("ann", "gm/e")
    play.do("bob", "throw", roll=even[1]["roll"], faces=[3, 3])
    play.do("ann", "throw", roll=even[0]["roll"], faces=[3, 3])
    assert play.roll("ann", "gm/e")["outcome"]["wins"] == [True, False]
    sound(play)


def test_r25_a_tie_goes_on_inside_the_contest_and_each_throws_their_own() -> None:
    play = PlayedTable("tuurna", ann="player", bob="player")
    sides = [{"roll": play.declare(name, "check", parameters={"level": 1})} for name in ("ann", "bob")]
    play.do("gm", "challenge", key="c", check="contest", sides=sides)
    for name, side in zip(("ann", "bob"), sides, strict=True):
        play.do(name, "throw", roll=side["roll"], faces=[3])
    assert play.roll("ann", "gm/c")["phase"] == "rolling"
    assert "throw" not in play.allowed("bob", "gm/c")
    play.do("ann", "throw", roll="gm/c", faces=[3])
    play.do("bob", "throw", roll="gm/c", faces=[1])
    assert play.roll("ann", "gm/c")["outcome"]["wins"] == [True, False]
    sound(play)


def test_each_side_of_a_contest_has_its_own_character() -> None:
    play = PlayedTable("me-d6", ann="player", bob="player")
    game = handful.ruleset("me-d6")
    for seat, name in (("ann", "corvin"), ("gm", "raider")):
        play.do(seat, "bring", sheet=json.loads(game.export(game.character(name))))
    corvin, raider = [*play.table.characters]
    cancel = {"ruling": "cancel"}
    sides = [
        {"roll": play.declare("ann", "check", as_=corvin, parameters={"dice": "con", **cancel})},
        {"roll": play.declare("gm", "check", as_=raider, parameters={"dice": "melee", **cancel})},
    ]
    play.do("gm", "challenge", key="c", check="opposed", sides=sides)
    for side in sides:
        play.do("gm", "throw", roll=side["roll"])
    play.do("ann", "answer", roll=sides[0]["roll"], answer="none")  # no point is spent
    play.do("ann", "finalise", roll=sides[0]["roll"])
    made = play.table.rolls["gm/c"]
    assert made.character_ids == (corvin, raider)
    assert [one["skill_name"] for one in made.declared.sides] == ["con", "melee"]
    sound(play)


def test_a_hidden_side_is_not_shown_and_not_counted(play: PlayedTable) -> None:
    hidden = play.declare("gm", parameters={"attribute": 2}, mode="gm")
    open_ones = [{"roll": play.declare(name, parameters={"attribute": 2})} for name in ("ann", "bob")]
    play.do("gm", "challenge", key="c", check="opposed", sides=[*open_ones, {"roll": hidden}])
    for seat in ("ann", "bob", "eve"):
        assert tables.view(play.table, seat)["contests"] == []
        assert all(one["kind"] != "contest_opened" for one in play.log_of(seat))
    for name, side in zip(("ann", "bob"), open_ones, strict=True):
        play.do(name, "throw", roll=side["roll"])
    play.do("gm", "throw", roll=hidden)
    assert play.sees("gm", "gm/c")
    assert not any(play.sees(seat, "gm/c") for seat in ("ann", "bob", "eve"))
    asked(play, "ann", "bob", key="later")
    waits = {"roll": play.declare("gm", parameters={"attribute": 2}, mode="gm")}
    later = {"request": "gm/later", "name": "bob"}
    with pytest.raises(Refused, match="declare all sides first"):
        play.do("gm", "challenge", check="opposed", sides=[waits, later])
    sound(play)


def test_the_end_of_a_contest_is_hidden_from_seats_that_do_not_see_the_dice() -> None:
    """Some dice need a ruling and others do not: other seats must not notice the difference."""
    heard = []
    for wild in (1, 3):
        play = PlayedTable("me-d6", ann="player", bob="player", eve="watcher")
        rolls = [
            play.declare(name, "check", parameters={"dice": "2D", "ruling": "ask"}, mode="private")
            for name in ("ann", "bob")
        ]
        play.do("gm", "challenge", key="c", check="opposed", sides=[{"roll": one} for one in rolls])
        play.count = 20
        play.do("ann", "throw", roll=rolls[0], faces=[3, 4])
        play.do("bob", "throw", roll=rolls[1], faces=[wild, 4])
        heard.append([(play.log_of("eve"), tables.view(play.table, "eve"))])
        assert play.sees("gm", "gm/c") is (wild == 3)
    assert heard[0] == heard[1]
    assert [one["name"] for one in heard[0][0][1]["contests"][0]["sides"]] == ["ann", "bob"]


def test_a_contest_is_called_off(play: PlayedTable) -> None:
    play.do("gm", "challenge", key="c", check="opposed", sides=asked(play, "ann", "bob"))
    ann = accepted(play, "ann", 2)
    with pytest.raises(Refused):
        play.do("ann", "call_off", contest="gm/c")
    play.do("gm", "call_off", contest="gm/c")
    assert tables.view(play.table, "ann")["contests"] == []
    play.do("ann", "throw", roll=ann)
    with pytest.raises(Refused):
        play.do("gm", "call_off", contest="gm/c")
    sound(play)


def test_challenges_that_make_no_sense_are_refused(play: PlayedTable) -> None:
    own = play.declare("ann", parameters={"attribute": 2})
    sides = asked(play, "bob")
    secret = play.declare("bob", parameters={"attribute": 2}, mode="secret")
    for check, named in (
        ("opposed", [{"roll": own}, {"roll": secret}]),  # the GM does not see it
        ("opposed", [{"roll": own}, {"roll": "bob/nothing"}]),
        ("opposed", [{"roll": own}, {"request": "gm/r", "name": "ann"}]),
        ("opposed", [{"roll": own}, {"name": "bob"}]),
        ("opposed", [{"roll": own}] * 9),
        ("direct", [{"roll": own}, *sides]),
    ):
        with pytest.raises(Refused):
            play.do("gm", "challenge", check=check, sides=named)
    play.do("ann", "throw", roll=own)
    with pytest.raises(Refused, match="together = false"):
        play.do("gm", "challenge", check="opposed", sides=[{"roll": own}, *sides])
    play.do("gm", "challenge", check="opposed", sides=[{"roll": own}, *sides], together=False)
    play.do("gm", "visibility", mode="secret")
    with pytest.raises(Refused, match="others are waiting"):
        accepted(play, "bob", 2)


# -- what a result means


def test_r20_the_narrator_grades_a_result() -> None:
    play = PlayedTable("tuurna", ann="player", bob="player", eve="watcher")
    asked_for = {"level": 3, "difficulty": 2}
    roll = play.declare("ann", "check", parameters=asked_for, mode="private")
    with pytest.raises(Refused):
        play.do("gm", "judge", roll=roll, grade="splendid")
    play.do("ann", "throw", roll=roll, faces=[3, 4, 3])
    assert play.roll("ann", roll)["outcome"]["margin"] == 1
    with pytest.raises(Refused):
        play.do("ann", "judge", roll=roll, words="I did very well")
    with pytest.raises(Refused, match="words"):
        play.do("gm", "judge", roll=roll)
    play.do("gm", "judge", roll=roll, grade="splendid", words="the knot holds a ship")
    said = [{"by": "gm", "grade": "splendid", "words": "the knot holds a ship"}]
    assert play.roll("ann", roll)["judged"] == said
    assert "judged" not in play.roll("eve", roll)
    assert all(one["kind"] != "roll_judged" for one in play.log_of("eve"))
    play.do("gm", "reveal", roll=roll, to=["eve"])
    assert play.roll("eve", roll)["judged"] == said
    assert play.log_of("eve")[-1]["data"]["story"]["judged"] == said
    sound(play)


def test_d5_the_gm_chooses_a_complication_in_words() -> None:
    play = PlayedTable("me-d6", ann="player", bob="player")
    roll = play.declare("ann", "check", parameters={"dice": "3D", "difficulty": 5})
    play.do("ann", "throw", roll=roll, faces=[1, 5, 3])
    assert play.roll("ann", roll)["phase"] == "deciding"
    with pytest.raises(Refused):
        play.do("ann", "answer", roll=roll, answer="complication")  # the GM's to choose
    words = "it works, and the alarm with it"
    play.do("gm", "answer", roll=roll, answer="complication", words=words)
    play.do("gm", "finalise", roll=roll)
    seen = play.roll("bob", roll)
    assert (seen["decisions"][0]["answer"], seen["decisions"][0]["words"]) == (
        "complication",
        words,
    )
    assert "complication" in [one["event"] for one in seen["events"]]
    assert seen["outcome"]["total"] == 9
    assert words in json.dumps(play.log_of("bob"))


# -- calls


def called(lie: str, faces: list[int]) -> PlayedTable:
    """Ann doubts a statement; the lie is beaten, unbeaten, or there is none."""
    play = usual_table()
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
    assert play.log_of("ann")[-1]["kind"] == "roll_revealed"
    sound(play)


def doubted(game: str, lie: Any, call: Any, **settled: Any) -> PlayedTable:
    """Play one scene in any game: a lie of the GM's, called and settled."""
    play = PlayedTable(game, ann="player", bob="player", eve="watcher")
    check, name = ("direct", "attribute") if game in ("uwr", "agga", "fons") else ("check", "level")
    asked_for = [{name: len(faces)} for faces in (lie, call)]
    if game == "me-d6":
        asked_for = [{"dice": f"{len(faces)}D"} for faces in (lie, call)]
    rolled(play, "gm", lie, check, parameters=asked_for[0], mode="gm", key="lie")
    play.do("ann", "call", key="c", check=check, parameters=asked_for[1])
    play.do("gm", "accept", key="a", request="ann/c", name="ann")
    play.do("ann", "throw", roll="gm/a", faces=call)
    play.do("gm", "settle", key="s", request="ann/c", against="gm/lie", **settled)
    return play


@pytest.mark.parametrize(
    ("game", "check", "lie", "call", "found"),
    [
        *((game, "opposed", [6, 1], [6, 2], True) for game in ("uwr", "agga", "fons")),  # U-19
        *((game, "opposed", [6, 6], [6, 2], False) for game in ("uwr", "agga", "fons")),
        ("tuurna", "contest", [3, 1], [3, 3], True),
        ("tuurna", "contest", [3, 3], [3, 1], False),
        ("me-d6", "opposed", [3, 4], [4, 4], True),
        ("me-d6", "opposed", [3, 4], [4, 3], False),  # D-34: a tie is the initiator's
    ],
)
def test_u20_a_call_is_the_side_that_reacts(
    game: str, check: str, lie: list[int], call: list[int], found: bool
) -> None:
    play = doubted(game, lie, call, check=check)
    (told,) = (one for one in play.log_of("ann") if one["kind"] == "call_settled")
    assert told["data"]["found"] is found
    assert play.sees("bob", "gm/lie") is found
    assert play.sees("ann", "gm/s") is found
    sound(play)


def test_r25_a_call_that_ties_is_thrown_again_until_it_is_settled() -> None:
    play = doubted("tuurna", [3, 1], [3, 1], check="contest")
    assert play.roll("gm", "gm/s")["phase"] == "finalised"
    assert len(play.roll("gm", "gm/s")["dice"]) >= 8
    won = play.roll("gm", "gm/s")["outcome"]["wins"][1]
    assert play.sees("ann", "gm/lie") is won
    stands = doubted("tuurna", [3, 1], [3, 1], check="contest", parameters={"ties": "stand"})
    assert not stands.sees("ann", "gm/lie")


def test_a_call_is_settled_with_a_contest_that_the_gm_made(play: PlayedTable) -> None:
    rolled(play, "gm", [6, 1, 1], parameters={"attribute": 3}, mode="gm", key="lie")
    play.do("ann", "call", key="c", check="direct", parameters={"attribute": 3})
    play.do("gm", "accept", key="a", request="ann/c", name="ann")
    play.do("ann", "throw", roll="gm/a", faces=[6, 2, 2])
    play.do("gm", "contest", key="o", check="opposed", rolls=["gm/lie", "gm/a"])
    other = rolled(play, "bob", [6], parameters={"attribute": 1})
    play.do("gm", "contest", key="x", check="opposed", rolls=["gm/lie", other])
    with pytest.raises(Refused, match="this call is not a side of"):
        play.do("gm", "settle", request="ann/c", contest="gm/x")
    play.do("gm", "settle", request="ann/c", contest="gm/o")
    assert play.sees("eve", "gm/lie")
    assert play.sees("ann", "gm/o")
    sound(play)


def test_a_check_that_names_no_winner_settles_nothing() -> None:
    with pytest.raises(Refused, match="which side wins"):
        doubted("tuurna", [3], [3], check="group", parameters={"judge": "max", "difficulty": 1})


def test_a_beaten_lie_does_not_show_the_dice_of_a_private_call(play: PlayedTable) -> None:
    play.do("gm", "visibility", mode="private")
    rolled(play, "gm", [6, 1], parameters={"attribute": 2}, mode="gm", key="lie")
    play.do("ann", "call", key="c", check="direct", parameters={"attribute": 2})
    play.do("gm", "accept", key="a", request="ann/c", name="ann")
    play.do("ann", "throw", roll="gm/a", faces=[6, 6])
    play.do("gm", "settle", key="s", request="ann/c", against="gm/lie", check="opposed")
    assert play.sees("eve", "gm/lie")
    assert "dice" not in play.roll("eve", "gm/a")
    assert not play.sees("eve", "gm/s")
    assert play.sees("ann", "gm/s")


def test_a_call_can_be_withdrawn(play: PlayedTable) -> None:
    play.do("ann", "call", key="c", check="direct", parameters={"attribute": 2})
    with pytest.raises(Refused):
        play.do("bob", "withdraw", request="ann/c")
    play.do("ann", "withdraw", request="ann/c")
    assert tables.view(play.table, "gm")["requests"] == []
    play.do("ann", "call", key="d", check="direct", parameters={"attribute": 2})
    play.do("gm", "accept", key="a", request="ann/d", name="ann")
    with pytest.raises(Refused):
        play.do("ann", "withdraw", request="ann/d")  # it is declared now
    with pytest.raises(Refused, match="not finished yet"):
        play.do("gm", "settle", request="ann/d")
    play.do("gm", "withdraw", request="ann/d")
    assert tables.view(play.table, "ann")["requests"] == []
    sound(play)


def test_u20_an_unbeaten_lie_leaves_no_trace() -> None:
    lied, honest = called("lie", [6, 2, 2]), called("", [6, 2, 2])
    for seat in ("ann", "bob", "eve"):
        assert json.dumps(tables.view(lied.table, seat)) == json.dumps(tables.view(honest.table, seat))
        logs = [[(one["kind"], one["data"]) for one in play.log_of(seat)] for play in (lied, honest)]
        assert logs[0] == logs[1]
    assert lied.log_of("ann")[-1]["data"] == {"found": False, "name": "ann", "request": "ann/c"}
    sound(lied)


@pytest.mark.parametrize("game", ["uwr", "agga", "fons"])
def test_u21_an_uncontested_check_succeeds(game: str) -> None:
    play = PlayedTable(game, ann="player", bob="player")
    roll = play.declare(
        "gm", "opposed", sides=[{"attribute": 3}], parameters={"uncontested": True}, mode="secret"
    )
    play.do("gm", "throw", roll=roll, faces=[1, 1, 1])
    assert play.roll("gm", roll)["outcome"]["success"] is True
    own = rolled(play, "ann", [1, 1], parameters={"attribute": 2})
    play.do("gm", "contest", key="c", check="opposed", rolls=[own], parameters={"uncontested": True})
    seen = play.roll("bob", "gm/c")
    assert (seen["outcome"]["success"], seen["outcome"]["net"]) == (True, 1)
    assert [one["event"] for one in seen["events"]] == ["uncontested"]
    with pytest.raises(Refused, match="uncontested"):
        play.do("gm", "contest", check="opposed", rolls=[own])


@pytest.mark.parametrize("game", ["uwr", "agga", "fons"])
def test_u22_attack_and_parry_are_not_opposed_checks(game: str) -> None:
    play = PlayedTable(game, ann="player", bob="player")
    rolls = [
        rolled(play, name, [6, 5], parameters={"attribute": 2}, title=title)
        for name, title in (("ann", "attack"), ("bob", "parry"))
    ]
    for check in ("attack", "parry", "dodge"):
        with pytest.raises(Refused, match="not an opposed check"):
            play.do("gm", "contest", check=check, rolls=rolls)
        with pytest.raises(Refused, match="not an opposed check"):
            play.declare("ann", check, parameters={"attribute": 2})
    assert [play.roll("ann", one)["outcome"]["successes"] for one in rolls] == [2, 2]
