"""Legal actions in a fight: exactly what a page may offer."""

from __future__ import annotations

from typing import Any

import pytest
from in_memory_table import PlayedTable
from me_d6_fights import CORVIN, RAIDER, SANNA, assert_refused, begin_fight, fight_table, fight_view

from handful import table as tables
from handful.errors import Refused


def offer(play: PlayedTable, seat: str, do: str, who: str) -> dict[str, Any]:
    """Return the legal action of a seat for a combatant with its choices; empty if none."""
    actions = tables.legal_actions(play.table, seat)
    found = [one for one in actions if one["do"] == do and one.get("combatant") == who]
    return found[0] if found else {}


@pytest.fixture
def play() -> PlayedTable:
    return begin_fight(fight_table())


def attack(play: PlayedTable, seat: str, who: str, target: str, *faces: int, **more: Any) -> str:
    """A melee attack up to the moment in which its result is not told yet."""
    asked = {"dice": "melee", **more}
    roll = play.declare(seat, "attack", parameters=asked, target=target, **{"as": who})
    play.do(seat, "throw", roll=roll, faces=list(faces))
    return roll


def test_d39_d40_paces_have_distance_and_cost(play: PlayedTable) -> None:
    paces = offer(play, "bob", "pace", CORVIN)["paces"]
    assert [(one["pace"], one["distance"], one["actions"]) for one in paces] == [
        ("cautious", 5, 0),
        ("walking", 10, 0),
        ("running", 20, 0),
    ]
    play.do("bob", "fix", combatant=CORVIN, actions=1)
    assert offer(play, "bob", "pace", CORVIN)["paces"][-1] == {
        "pace": "sprinting",
        "distance": 40,
        "actions": 1,
    }
    play.do("bob", "pace", combatant=CORVIN, pace="walking")
    assert not offer(play, "bob", "pace", CORVIN)


def test_d28_stances_are_offered_with_their_choices_before_the_first_action(play: PlayedTable) -> None:
    found = offer(play, "bob", "stance", CORVIN)["stances"]
    assert found == {"full_reaction": ["ranged", "melee", "brawling"]}
    play.do("bob", "fix", combatant=CORVIN, actions=1)
    assert not offer(play, "bob", "stance", CORVIN)


def test_d19_an_interruption_is_offered_at_its_moment_only(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=2)
    play.do("bob", "wait", combatant=CORVIN)
    assert not offer(play, "bob", "interrupt", CORVIN)
    assert offer(play, "bob", "declare", CORVIN)["interrupts"] == []
    play.do("gm", "adjust", character=SANNA, resources={"hit_points": 12})
    play.do("ann", "fix", combatant=SANNA, actions=1)
    roll = play.declare(
        "ann", "attack", parameters={"dice": "ranged", "kind": "ranged"}, target=RAIDER, **{"as": SANNA}
    )
    assert not offer(play, "bob", "interrupt", CORVIN)
    play.do("ann", "throw", roll=roll, faces=[3, 2, 2])
    assert offer(play, "bob", "interrupt", CORVIN)["rolls"] == [roll]
    deeds = offer(play, "bob", "declare", CORVIN)
    assert deeds["interrupts"] == [roll]
    assert deeds["spends"] == ["action", "interruption", "reaction", "resistance"]
    play.do("gm", "finalise", roll=roll)
    assert not offer(play, "bob", "interrupt", CORVIN)


def test_d19_no_combatant_interrupts_itself(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=3)
    play.do("bob", "wait", combatant=CORVIN)
    roll = attack(play, "bob", CORVIN, RAIDER, 5)
    assert offer(play, "bob", "declare", CORVIN)["interrupts"] == []
    assert_refused(
        play,
        "nobody can interrupt themselves|has not waited",
        "bob",
        "interrupt",
        combatant=CORVIN,
        roll_of=roll,
    )


def test_d43_a_parry_is_offered_to_a_hit_combatant_with_an_action_left(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=2)
    play.do("bob", "end_turn", combatant=CORVIN)
    play.do("ann", "end_turn", combatant=SANNA)
    play.do("gm", "fix", combatant=RAIDER, actions=1)
    roll = attack(play, "gm", RAIDER, CORVIN, 4, 4, 3)
    answers = [{"roll": roll, "answer": "parry", "early": False, "leave": False}]
    assert offer(play, "bob", "declare", CORVIN)["answers"] == answers
    assert offer(play, "gm", "declare", CORVIN)["answers"] == answers
    assert offer(play, "ann", "declare", SANNA)["answers"] == []
    play.declare("bob", "check", answers=roll, **{"as": CORVIN})
    assert offer(play, "bob", "declare", CORVIN)["answers"] == []


def test_d43_no_parry_is_offered_where_nothing_hits_or_nothing_is_left(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=1)
    play.do("bob", "act", combatant=CORVIN)
    play.do("ann", "fix", combatant=SANNA, actions=2)
    play.do("ann", "end_turn", combatant=SANNA)
    play.do("gm", "fix", combatant=RAIDER, actions=2)
    hit = attack(play, "gm", RAIDER, CORVIN, 5, 5)
    assert offer(play, "bob", "declare", CORVIN)["answers"] == []  # no action is left
    play.do("gm", "finalise", roll=hit)
    missed = attack(play, "gm", RAIDER, SANNA, 2, 1)
    assert offer(play, "ann", "declare", SANNA)["answers"] == []
    with pytest.raises(Refused, match="failed; there is nothing"):
        play.declare("ann", "check", answers=missed, **{"as": SANNA})


def test_d20_an_early_parry_is_the_gms_to_grant(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=1)
    roll = attack(play, "bob", CORVIN, RAIDER, 5, 4, 4)
    assert offer(play, "gm", "declare", RAIDER)["answers"] == [
        {"roll": roll, "answer": "parry", "early": True, "leave": False}
    ]
    assert offer(play, "gm", "react", SANNA)["early"]
    assert not offer(play, "ann", "react", SANNA)


def test_amb_d21_an_attacked_combatant_is_offered_no_check_that_needs_calm(play: PlayedTable) -> None:
    assert "take10" in offer(play, "bob", "declare", CORVIN)["checks"]
    play.do("gm", "harm", character=CORVIN, damage=2)
    assert "take10" not in offer(play, "bob", "declare", CORVIN)["checks"]


def test_d17_the_cost_of_a_roll_follows_from_the_turn(play: PlayedTable) -> None:
    assert offer(play, "bob", "declare", CORVIN)["spends"] == []
    play.do("bob", "fix", combatant=CORVIN, actions=2)
    assert offer(play, "bob", "declare", CORVIN)["spends"] == ["action", "reaction"]
    assert offer(play, "ann", "declare", SANNA)["spends"] == []
    play.do("gm", "grant", combatant=SANNA, leave="free_action")
    assert offer(play, "ann", "declare", SANNA)["spends"] == ["nothing"]
    assert "reaction" in offer(play, "gm", "declare", SANNA)["spends"]  # by the GM's leave
    assert not offer(play, "ann", "declare", CORVIN)


def test_the_gm_is_offered_the_rolls_that_do_harm(play: PlayedTable) -> None:
    damage = play.declare("bob", "total", parameters={"dice": "2D"}, **{"as": CORVIN})
    play.do("bob", "throw", roll=damage, faces=[5, 4])
    resisted = play.declare("gm", "total", parameters={"dice": "strength"}, **{"as": RAIDER})
    play.do("gm", "throw", roll=resisted, faces=[2, 1, 1])
    actions = tables.legal_actions(play.table, "gm")
    (harm,) = (one for one in actions if one["do"] == "harm" and one["character"] == RAIDER)
    assert (harm["damage"], harm["resist"]) == ([damage], [resisted])


def test_in_a_fight_the_gm_reveals_the_result(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=1)
    roll = attack(play, "bob", CORVIN, RAIDER, 5, 4, 4)
    actions = tables.legal_actions(play.table, "gm")
    (tells,) = (one for one in actions if one["do"] == "finalise" and one["roll"] == roll)
    assert tells["tells"] is True
    assert "finalise" not in play.allowed("bob", roll)


def test_d26_d27_the_actions_of_an_interleaved_round_stand_in_their_order() -> None:
    options = {"round_structure": "interleaved", "initiative_division": True}
    play = begin_fight(fight_table(options=options))
    assert fight_view(play)["slots"] == []  # first everybody says how many
    for who, count in ((RAIDER, 1), (SANNA, 1), (CORVIN, 2)):
        play.do("gm", "fix", combatant=who, actions=count)
    found = [(one["combatant"], one["number"], one["past"]) for one in fight_view(play)["slots"]]
    assert found == [(CORVIN, 1, False), (SANNA, 1, False), (RAIDER, 1, False), (CORVIN, 2, False)]
    play.do("bob", "act", combatant=CORVIN)
    assert fight_view(play)["slots"][0]["past"]


def test_initiative_is_for_the_gm(play: PlayedTable) -> None:
    assert [one["initiative"] for one in fight_view(play, "gm")["order"]] == [15, 13, 10]
    assert not any("initiative" in one for one in fight_view(play, "bob")["order"])
