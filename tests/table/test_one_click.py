"""One click is one command: a declaration with its throw, its finish and the answer to a request."""

from __future__ import annotations

from typing import Any

import pytest
from in_memory_table import PlayedTable, sheet, usual_table
from me_d6_fights import CORVIN, EASY, assert_refused, begin_fight, fight_table

from handful import table as tables
from handful.errors import BadReply, Refused
from handful.table import Event
from handful.verifier import verify

PARAMETERS = {"attribute": 3, "target": 2}
REROLL = {"attribute": 4, "rerolls": 1, "target": 2}
CHECK = {"check": "direct", "parameters": PARAMETERS}


@pytest.fixture
def play() -> PlayedTable:
    return usual_table()


def kinds(events: tuple[Event, ...]) -> list[str]:
    return [one.kind for one in events]


def bodies(events: tuple[Event, ...]) -> list[tuple[str, dict[str, Any]]]:
    return [(one.kind, one.data) for one in events]


def sound(play: PlayedTable) -> None:
    """Every seat's log verifies, and the log read back gives the same table."""
    for seat in play.table.seats:
        assert verify(tables.export_log(play.empty, play.entries, seat))[0] == []
    again = tables.fold(play.empty, (tables.read_event(entry) for entry in play.entries))
    for seat in play.table.seats:
        assert tables.view(again, seat) == tables.view(play.table, seat)


# -- the throw


@pytest.mark.parametrize("throw", [{}, {"entropy": "blow on it"}, {"faces": [6, 3, 1]}, {"faces": [6]}])
@pytest.mark.parametrize("mode", ["public", "private", "secret"])
def test_it_does_what_two_commands_do(mode: str, throw: dict[str, Any]) -> None:
    once, twice = usual_table(), usual_table()
    events = once.do("ann", "declare", "k", **CHECK, mode=mode, throw=throw)
    separate = twice.do("ann", "declare", "k", **CHECK, mode=mode)
    separate += twice.do("ann", "throw", "k2", roll="ann/k", **throw)
    assert bodies(events) == bodies(separate)
    for seat in once.table.seats:
        assert once.table.known[seat].rolls.keys() == twice.table.known[seat].rolls.keys()
    sound(once)


def test_it_counts_as_one_command(play: PlayedTable) -> None:
    events = play.do("ann", "declare", "k", **CHECK, throw={})
    assert kinds(events) == ["roll_declared", "dice_thrown", "roll_finalised"]
    assert play.do("ann", "declare", "k", **CHECK, throw={}) == ()
    with pytest.raises(Refused, match="was used for another command"):
        play.do("ann", "declare", "k", **CHECK)


def test_a_decision_after_the_throw_waits(play: PlayedTable) -> None:
    events = play.do("ann", "declare", "k", check="direct", parameters=REROLL, throw={}, finish=True)
    assert kinds(events) == ["roll_declared", "dice_thrown"]
    assert play.roll("ann", "ann/k")["phase"] == "deciding"


def test_a_blind_roll_is_thrown_by_its_roller_who_cannot_type_it(play: PlayedTable) -> None:
    assert kinds(play.do("ann", "declare", **CHECK, mode="blind", throw={"entropy": "x"}))[1] == "dice_thrown"
    assert_refused(play, "cannot type it in", "ann", "declare", **CHECK, mode="blind", throw={"faces": [1]})


def test_the_gm_throws_for_somebody_else(play: PlayedTable) -> None:
    events = play.do("gm", "declare", **CHECK, for_="ann", throw={})
    assert kinds(events) == ["roll_declared", "dice_thrown", "roll_finalised"]
    assert play.roll("ann", events[0].data["roll"])["roller"] == "ann"


def test_a_roll_that_its_roller_does_not_see_is_only_declared(play: PlayedTable) -> None:
    assert kinds(play.do("ann", "declare", **CHECK, mode="gm", throw={})) == ["roll_declared"]


@pytest.mark.parametrize(
    ("throw", "error", "message"),
    [
        ({"faces": [7, 1, 1]}, BadReply, "shows 1 to 6"),
        ({"faces": [1, 2, 3, 4]}, BadReply, "1 face too many"),
        ({"faces": [1], "entropy": "x"}, Refused, "not for dice thrown by hand"),
        ({"roll": "ann/1"}, Refused, "takes no 'roll'"),
    ],
)
def test_a_refused_throw_leaves_no_trace(
    play: PlayedTable, throw: dict[str, Any], error: type[Exception], message: str
) -> None:
    before = play.table
    with pytest.raises(error, match=message):
        play.do("ann", "declare", "k", **CHECK, throw=throw)
    assert play.table is before
    assert play.do("ann", "declare", "k", **CHECK, throw={})  # the key is free


def test_a_side_of_a_contest_waits_for_the_others(play: PlayedTable) -> None:
    play.do("gm", "request", "ask", to=["ann", "bob"], check="direct", parameters={"attribute": 3})
    sides = [{"request": "gm/ask", "name": name} for name in ("ann", "bob")]
    play.do("gm", "challenge", "duel", check="opposed", sides=sides)
    first = play.do("ann", "declare", check="direct", request="gm/ask", throw={})
    assert kinds(first) == ["roll_declared", "proposal_accepted"]
    last = play.do("bob", "declare", check="direct", request="gm/ask", throw={})
    assert kinds(last)[:3] == ["roll_declared", "proposal_accepted", "dice_thrown"]
    sound(play)


# -- the finish


def test_the_gm_finishes_an_action_in_a_fight_at_once() -> None:
    play = begin_fight(fight_table())
    data: dict[str, Any] = {"check": "check", "as_": CORVIN, "parameters": EASY, "actions": 1, "throw": {}}
    events = play.do("bob", "declare", **data, finish=True)
    assert "roll_finalised" not in kinds(events), "others may react before the GM tells the result"
    assert play.roll("gm", events[0].data["roll"])["phase"] == "decided"
    play.do("gm", "finalise", roll=events[0].data["roll"])
    play.do("gm", "next_round")
    events = play.do("gm", "declare", **data, for_="bob", finish=True)
    assert kinds(events)[-1] == "roll_finalised"
    sound(play)


# -- the answer to a request


def test_a_request_that_leaves_nothing_open_is_answered_by_the_roll(play: PlayedTable) -> None:
    play.do("gm", "request", "ask", to=["ann"], check="direct", parameters=PARAMETERS, title="jump")
    events = play.do("ann", "declare", "k", check="direct", request="gm/ask", throw={})
    assert kinds(events) == ["roll_declared", "proposal_accepted", "dice_thrown", "roll_finalised"]
    assert play.table.requests["gm/ask"].rolls == {"ann": "ann/k"}
    assert play.roll("eve", "ann/k")["title"] == "jump"
    assert_refused(play, "not possible here now", "ann", "declare", check="direct", request="gm/ask")
    sound(play)


def test_a_player_answers_with_a_character_and_the_gm_is_named_for_the_rest(play: PlayedTable) -> None:
    play.do("ann", "bring", sheet=sheet("uwr", "mira"))
    asked = {"attribute": "Grace", "skill": "Acrobatics", "target": 2}
    play.do("gm", "request", "ask", to=["ann", "bob"], check="direct", parameters=asked)
    play.do("ann", "declare", "k", check="direct", request="gm/ask", as_="ann/Mira Quill")
    lines = play.roll("gm", "ann/k")["lines"]
    assert [(one["parameter"], one["by"]) for one in lines][-1] == ("target", "gm")
    bobs = play.do("bob", "declare", check="direct", request="gm/ask")
    assert kinds(bobs) == ["check_proposed"], "nobody's grace is no number"
    sound(play)


def request_fields() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return what the GM asks, and an answer about which something is left to decide."""
    return [
        ({"parameters": {"target": 2}}, {"parameters": {"attribute": 3}}),
        ({"parameters": {"target": 2}}, {}),
        ({"parameters": PARAMETERS}, {"parameters": {"favor": 1}}),
        ({"parameters": PARAMETERS, "hidden": ["target"]}, {}),
        ({"parameters": PARAMETERS, "mode": "gm"}, {}),
        ({"parameters": PARAMETERS, "as_": "ann/Mira Quill"}, {"as_": "ann/Brun"}),
    ]


@pytest.mark.parametrize(("asked", "given"), request_fields())
def test_where_the_gm_decides_it_is_a_proposal(
    play: PlayedTable, asked: dict[str, Any], given: dict[str, Any]
) -> None:
    for name in ("Mira Quill", "Brun"):
        play.do("ann", "bring", sheet=sheet("uwr", "mira", name=name))
    play.do("gm", "request", "ask", to=["ann"], check="direct", **asked)
    for _ in range(2):  # also after the GM has refused it
        events = play.do("ann", "declare", check="direct", request="gm/ask", throw={}, **given)
        assert kinds(events) == ["check_proposed"]
        play.do("gm", "refuse", request="gm/ask", name="ann")
    sound(play)


def test_an_action_in_a_fight_is_for_the_gm_to_accept() -> None:
    play = begin_fight(fight_table())
    play.do("gm", "request", "ask", to=["bob"], check="check", parameters=EASY)
    answer = {"check": "check", "request": "gm/ask", "as_": CORVIN}
    assert kinds(play.do("bob", "declare", **answer)) == ["check_proposed"]


def test_a_call_is_for_the_gm_to_accept(play: PlayedTable) -> None:
    play.do("ann", "call", "doubt", check="direct", parameters=PARAMETERS)
    assert kinds(play.do("ann", "declare", request="ann/doubt", **CHECK)) == ["check_proposed"]


@pytest.mark.parametrize(
    ("seat", "data", "message"),
    [
        ("ann", {"check": "opposed"}, "gm/ask asks for direct, not for opposed"),
        ("ann", {"mode": "secret"}, "with 'request', declare takes"),
        ("ann", {"for_": "bob"}, "with 'request', declare takes"),
        ("ann", {"as_": "gm/Raider"}, "ann has no character"),
        ("bob", {}, "there is no request 'gm/ask'"),
        ("gm", {}, "propose is not possible here now"),
    ],
)
def test_an_answer_that_fits_no_request_is_refused(
    play: PlayedTable, seat: str, data: dict[str, Any], message: str
) -> None:
    play.do("gm", "request", "ask", to=["ann"], check="direct", parameters=PARAMETERS)
    assert_refused(play, message, seat, "declare", **{"check": "direct", "request": "gm/ask", **data})


def test_a_cancelled_answer_reopens_the_request(play: PlayedTable) -> None:
    play.do("gm", "request", "ask", to=["ann"], check="direct", parameters=PARAMETERS)
    play.do("ann", "declare", "k", check="direct", request="gm/ask")
    assert kinds(play.do("ann", "cancel", roll="ann/k")) == ["roll_cancelled", "request_reopened"]
    assert "roll_declared" in kinds(play.do("ann", "declare", check="direct", request="gm/ask", throw={}))
    sound(play)


# -- a decision and its throw


@pytest.mark.parametrize("throw", [{}, {"faces": [5]}, {"entropy": "x"}])
def test_a_decision_and_its_throw_are_one_command(throw: dict[str, Any]) -> None:
    once, twice = usual_table(), usual_table()
    for play in (once, twice):
        play.do("ann", "declare", "k", check="direct", parameters=REROLL, throw={"faces": [6, 1, 2, 3]})
    events = once.do("ann", "answer", roll="ann/k", answer=[2], throw=throw)
    separate = twice.do("ann", "answer", roll="ann/k", answer=[2])
    separate += twice.do("ann", "throw", roll="ann/k", **throw)
    assert bodies(events) == bodies(separate)
    assert kinds(events) == ["decision_taken", "dice_thrown", "roll_finalised"]
    sound(once)


def test_a_decision_after_which_nothing_is_thrown_can_be_undone(play: PlayedTable) -> None:
    play.do("ann", "declare", "k", check="direct", parameters=REROLL, throw={"faces": [6, 1, 2, 3]})
    assert kinds(play.do("ann", "answer", roll="ann/k", answer=[], throw={})) == ["decision_taken"]
    play.do("ann", "undo", roll="ann/k")
    events = play.do("ann", "answer", "last", roll="ann/k", answer=[], throw={}, finish=True)
    assert kinds(events) == ["decision_taken", "roll_finalised"]
    play.do("ann", "declare", "k2", check="direct", parameters=REROLL, throw={"faces": [6, 1, 2, 3]})
    assert_refused(play, "die 9 may not be picked", "ann", "answer", roll="ann/k2", answer=[9], throw={})
