"""Counts leak nothing: a player's view is the same however many hidden things exist.

Two worlds differ only in how often the GM did something that the seat may not know of.  Its view,
actions, log, luck, odds and refusals are the same, byte by byte, and so is the work done for it.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from effort import rest_in_proof
from in_memory_table import PlayedTable, sheet
from me_d6_fights import CORVIN, RAIDER, fight_table

from handful import table as tables
from handful.errors import Refused
from handful.table.luck import luck

MANY = (1, 60, 200)
HIT = {"dice": "melee", "kind": "melee"}


def attacked(shown: str = "open") -> PlayedTable:
    """A fight in which the Raider has hit Corvin, and Bob may parry."""
    play = fight_table()
    if shown != "open":
        play.do("bob", "show", character=CORVIN, shown=shown)
    play.do("gm", "fight", combatants=[{"character": CORVIN}, {"character": RAIDER}])
    play.do("bob", "fix", combatant=CORVIN, actions=2)
    play.do("bob", "end_turn", combatant=CORVIN)
    play.do("gm", "fix", combatant=RAIDER, actions=1)
    play.do("gm", "declare", "hit", check="attack", as_=RAIDER, target=CORVIN, parameters=HIT)
    play.do("gm", "throw", roll="gm/hit", faces=[4, 4, 4])
    return play


def hide_roll(play: PlayedTable, key: str) -> None:
    play.do("gm", "declare", key, check="total", mode="gm", parameters={"dice": "2D"})
    play.do("gm", "throw", roll=f"gm/{key}", faces=[2, 3])


def hide_open_roll(play: PlayedTable, key: str) -> None:
    play.do("gm", "declare", key, check="total", mode="gm", parameters={"dice": "2D"})


def hide_request(play: PlayedTable, key: str) -> None:
    play.do("gm", "request", key, to=["ann"], check="check", parameters={"difficulty": 9})


def hide_contest(play: PlayedTable, key: str) -> None:
    for side in ("x", "y"):
        play.do("gm", "declare", key + side, check="check", mode="gm", parameters={"dice": "2D"})
    sides = [{"roll": f"gm/{key}x"}, {"roll": f"gm/{key}y"}]
    play.do("gm", "challenge", key, check="opposed", sides=sides)


def hide_character(play: PlayedTable, key: str) -> None:
    if int(key[1:]) < 150:  # a seat has 200 characters at most
        play.do("gm", "bring", key, sheet=sheet("me-d6", "raider", name=f"Shade {key}"))


def hide_move(play: PlayedTable, key: str) -> None:
    """Let a hidden combatant join, act and leave."""
    play.do("gm", "join", f"{key}j", who={"name": key, "hidden": True, "initiative": 1})
    play.do("gm", "fix", f"{key}f", combatant=f"gm/{key}", actions=1)
    play.do("gm", "act", f"{key}a", combatant=f"gm/{key}")
    play.do("gm", "out", f"{key}o", combatant=f"gm/{key}")


def hide_answer(play: PlayedTable, key: str) -> None:
    """The GM tries a parry of Bob's in secret, by grant."""
    if key == "k0":
        play.do(
            "gm", "declare", key, check="check", as_=CORVIN, answers="gm/hit", mode="gm", spends="nothing"
        )


HIDES: list[Callable[[PlayedTable, str], None]] = [
    hide_roll,
    hide_open_roll,
    hide_request,
    hide_contest,
    hide_character,
    hide_move,
    hide_answer,
]


def refusals(play: PlayedTable, seat: str) -> list[str]:
    found = []
    for do, data in (
        ("throw", {"roll": "gm/k0"}),
        ("propose", {"request": "gm/k0", "parameters": {}}),
        ("declare", {"check": "check", "as": seat, "parameters": {}}),
        ("next_round", {}),
        ("use", {"character": "gm/Shade k0", "resource": "x", "use": "y"}),
    ):
        with pytest.raises(Refused) as refused:
            play.do(seat, do, **data)
        found.append(refused.value.message + refused.value.hint)
    return found


def visible_to(play: PlayedTable, seat: str) -> str:
    """Everything that a seat can get, as text; lines without the time."""
    lines = tables.seat_log(play.empty, play.entries, seat)
    return json.dumps(
        [
            tables.view(play.table, seat),
            tables.legal_actions(play.table, seat),
            [(one["n"], one["kind"], one["data"]) for one in lines],
            luck(play.table, seat),
            tables.odds(play.table, seat, "gm/hit"),
            refusals(play, seat),
        ]
    )


@pytest.mark.parametrize("hide", HIDES, ids=lambda one: one.__name__)
@pytest.mark.parametrize("many", rest_in_proof(MANY))
def test_a_players_view_does_not_depend_on_the_number_of_hidden_things(
    hide: Callable[[PlayedTable, str], None], many: int
) -> None:
    plays = attacked(), attacked()
    for at in range(many):
        hide(plays[1], f"k{at}")
    for seat in ("bob", "eve"):
        here, there = (visible_to(play, seat) for play in plays)
        assert here == there
    offers = [one for one in tables.legal_actions(plays[1].table, "bob") if one.get("answers")]
    assert offers, "the parry is still offered"
    for play in plays:
        play.do("bob", "declare", "parry", check="check", as_=CORVIN, answers="gm/hit")
        play.do("bob", "throw", roll="bob/parry", faces=[5, 4])
        play.do("gm", "finalise", "end", roll="bob/parry")
    assert visible_to(plays[0], "bob") == visible_to(plays[1], "bob")


def parry_in_secret(play: PlayedTable) -> str:
    """The GM parries for Corvin to the end, as only GMs see."""
    hide_answer(play, "k0")
    while play.roll("gm", "gm/k0")["question"]:
        play.do("gm", "throw", roll="gm/k0")
    if play.roll("gm", "gm/k0")["phase"] != "finalised":
        play.do("gm", "finalise", roll="gm/k0")
    return "gm/k0"


def test_a_revealed_answer_does_not_reveal_its_hidden_target() -> None:
    """Other seats do not learn of it, neither when it is revealed nor when the attack is."""
    plays = attacked(), attacked()
    parry_in_secret(plays[1])
    for end in ("", "gm/hit"):
        for play in plays if end else ():
            play.do("gm", "finalise", "end", roll=end)
        for seat in ("bob", "eve"):
            here, there = (visible_to(play, seat) for play in plays)
            assert here == there
    made = [one.id for one in plays[1].table.rolls.values() if one.components]
    assert "parry_total" in plays[1].roll("gm", made[0])["outcome"], "the GM has them compared"
    plays[1].do("gm", "reveal", roll="gm/k0")
    assert made[0] not in visible_to(plays[1], "bob"), "it would tell the target"


def test_a_visible_answer_is_compared_as_if_there_were_no_hidden_one() -> None:
    plays = attacked(), attacked()
    parry_in_secret(plays[1])
    for play in plays:
        play.do("bob", "declare", "parry", check="check", as_=CORVIN, answers="gm/hit")
        play.do("bob", "throw", roll="bob/parry", faces=[5, 4])
        play.do("gm", "finalise", "end", roll="bob/parry")
    for seat in ("bob", "eve"):
        here, there = (visible_to(play, seat) for play in plays)
        assert here == there
    assert "parry_total" in plays[1].roll("bob", "gm/end")["outcome"]
    assert sum(bool(one.components) for one in plays[1].table.rolls.values()) == 2


@pytest.mark.parametrize("mode", ["private", "blind", "secret"])
def test_an_answer_that_some_do_not_see_keeps_the_target_hidden(mode: str) -> None:
    play = attacked("own")
    play.do("bob", "declare", "parry", check="check", as_=CORVIN, answers="gm/hit", mode=mode)
    play.do("bob", "throw", roll="bob/parry")
    if play.table.rolls["bob/parry"].phase == "deciding":
        play.do("gm", "answer", roll="bob/parry", answer="none")
    if play.table.rolls["bob/parry"].phase != "finalised":
        play.do("gm", "finalise", roll="bob/parry")
    assert play.table.rolls["gm/hit"].phase == "decided"
    play.do("gm", "finalise", roll="gm/hit")
    assert play.table.rolls["gm/hit"].hidden == ("defense",)
    assert not [one for one in play.table.rolls.values() if one.components]


def test_an_attack_of_a_hidden_combatant_can_be_parried() -> None:
    """Moves that can be taken back are bounded; the offer of a parry must not tell of the bound."""
    offers = []
    for many in (0, 40):
        play = fight_table()
        play.do("gm", "bring", sheet=sheet("me-d6", "raider", name="Shade"))
        play.do("gm", "fight", combatants=[{"character": CORVIN}, {"character": "gm/Shade"}])
        play.do("bob", "fix", combatant=CORVIN, actions=2)
        play.do("bob", "end_turn", combatant=CORVIN)
        play.do("gm", "fix", combatant="gm/Shade", actions=1)
        play.do("gm", "declare", "hit", check="attack", as_="gm/Shade", target=CORVIN, parameters=HIT)
        play.do("gm", "throw", roll="gm/hit", faces=[4, 4, 4])
        play.do("gm", "finalise", roll="gm/hit")
        for _ in range(many):
            play.do("gm", "pace", combatant="gm/Shade", pace="walking")
            play.do("gm", "undo_move", combatant="gm/Shade")
        if many:
            play.do("gm", "out", combatant="gm/Shade")
        offers.append(tables.view(play.table, "bob"))
        assert any(one.get("answers") for one in tables.actions_in(offers[-1]))
    assert offers[0] == offers[1]


# -- work


def lines_run(work: Callable[[], Any]) -> int:
    """Count the lines of Python that `work` runs; each turn of a loop counts, also on one line.

    The garbage collector is off meanwhile: a collection may start anywhere, and calls back into
    other libraries (Hypothesis measures how long each takes).
    """
    count = 0

    def trace(frame: FrameType, event: str, arg: Any) -> Callable[..., Any]:
        nonlocal count
        count += event == "line"
        return trace

    tracer, collects = sys.gettrace(), gc.isenabled()
    gc.disable()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(tracer)
        if collects:
            gc.enable()
    return count


LOOPS: dict[str, Callable[[int], Any]] = {
    "comprehension": lambda many: [[one] for one in range(many)],
    "generator": lambda many: sum(one for one in range(many)),
    "search": lambda many: any(one < 0 for one in range(many)),
}


@pytest.mark.parametrize("loop", LOOPS)
def test_each_turn_of_a_loop_is_counted(loop: str) -> None:
    few, many = (lines_run(lambda n=n: LOOPS[loop](n)) for n in (10, 60))  # type: ignore[misc]
    assert many >= few + 50


def test_collections_of_garbage_are_not_counted() -> None:
    many = 5 * gc.get_threshold()[0]
    quiet = lines_run(lambda: LOOPS["comprehension"](many))
    gc.callbacks.append(lambda phase, info: None)
    try:
        assert lines_run(lambda: LOOPS["comprehension"](many)) == quiet
    finally:
        gc.callbacks.pop()


ASKS: dict[str, Callable[[PlayedTable, str], Any]] = {
    "view": lambda play, seat: tables.view(play.table, seat),
    "actions": lambda play, seat: tables.legal_actions(play.table, seat),
    "luck": lambda play, seat: luck(play.table, seat),
    "odds": lambda play, seat: tables.odds(play.table, seat, "gm/hit"),
    "open rolls": lambda play, seat: tables.own_open_rolls(play.table, seat),
    "sketch": lambda play, seat: tables.preview_lines(
        play.table, seat, {"check": "total", "parameters": {"dice": "2D"}}
    ),
    "refusal": lambda play, seat: refusals(play, seat),
}


@pytest.mark.parametrize("ask", ASKS)
@pytest.mark.parametrize(
    "hide",
    rest_in_proof([hide_roll, hide_request, hide_contest, hide_character], 2),
    ids=lambda one: one.__name__,
)
def test_the_work_for_a_seat_depends_only_on_visible_things(
    hide: Callable[[PlayedTable, str], None], ask: str
) -> None:
    counts = []
    for many in (0, 60):
        play = attacked()
        for at in range(many):
            hide(play, f"k{at}")
        ASKS[ask](play, "bob")  # what is worked out once for all is worked out
        counts.append(lines_run(lambda play=play: ASKS[ask](play, "bob")))  # type: ignore[misc]
    assert counts[0] == counts[1]
