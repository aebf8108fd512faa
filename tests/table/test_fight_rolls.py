"""Rolls as actions of a fight: cost, target and consequences."""

from __future__ import annotations

import pytest
from in_memory_table import PlayedTable
from me_d6_fights import (
    CORVIN,
    EASY,
    RAIDER,
    SANNA,
    assert_refused,
    fight_table,
    hit_points,
    legal_moves,
    place_of,
    roll_with,
    sheet_of,
)

from handful import table as tables
from handful.verifier import verify


@pytest.fixture
def play() -> PlayedTable:
    """Corvin, Sanna, Raider, in this order, all visible."""
    play = fight_table(shown="own")
    play.do("gm", "adjust", character=SANNA, resources={"hit_points": 29 - hit_points(play, SANNA)})
    play.do("gm", "fight", combatants=[{"character": one} for one in (SANNA, CORVIN, RAIDER)])
    return play


def test_d21_the_penalty_of_the_round_is_a_line_of_every_check(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=3)
    roll = play.declare("bob", "check", as_=[CORVIN], parameters=EASY)
    said = [one["says"] for one in play.roll("bob", roll)["lines"]]
    assert "3 actions this round" in said
    # 4D of command less 2D for three actions
    assert play.roll("gm", roll)["question"]["throw"] == 1  # the wild die falls first
    play.do("bob", "throw", roll=roll, faces=[3, 3])
    assert play.roll("gm", roll)["outcome"]["total"] == 6 + 6  # points in command
    assert place_of(play, CORVIN)["left"] == 2


def test_d17_a_check_out_of_turn_is_refused_and_nothing_is_declared(play: PlayedTable) -> None:
    assert_refused(play, "turn of", "ann", "declare", check="check", as_=[SANNA], parameters=EASY)
    assert_refused(
        play, "has not said how many", "bob", "declare", check="check", as_=[CORVIN], parameters=EASY
    )


def test_d25_damage_and_resisting_it_cost_nothing(play: PlayedTable) -> None:
    roll = play.declare("ann", "total", as_=[SANNA], parameters={"dice": "4D"})
    assert play.roll("ann", roll)["deed"] == {"spends": "nothing"}
    assert place_of(play, SANNA)["actions"] is None


def test_d24_a_glance_is_no_action(play: PlayedTable) -> None:
    play.do("gm", "grant", combatant=SANNA, leave="free_action")
    roll = play.declare("ann", "check", as_=[SANNA], parameters={"dice": "search"}, spends="nothing")
    assert place_of(play, SANNA)["actions"] is None
    assert play.roll("ann", roll)["phase"] == "declared"


def test_d19_a_result_waits_for_the_gm_and_that_is_the_moment_to_interrupt(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=2)
    play.do("bob", "wait", combatant=CORVIN)
    play.do("ann", "fix", combatant=SANNA, actions=1)
    roll = play.declare("ann", "check", as_=[SANNA], parameters={**EASY, "dice": "repair"})
    assert_refused(play, "is declared", "bob", "interrupt", combatant=CORVIN, roll_of=roll)  # not thrown yet
    play.do("ann", "throw", roll=roll, faces=[4, 4, 4, 4])
    assert play.roll("ann", roll)["phase"] == "decided"
    assert "finalise" not in play.allowed("ann", roll)
    shout = play.declare(
        "bob", "check", as_=[CORVIN], parameters=EASY, spends="interruption", interrupts=roll
    )
    assert place_of(play, CORVIN)["left"] == 0
    play.do("bob", "throw", roll=shout, faces=[2, 2, 2])
    play.do("gm", "finalise", roll=shout)
    play.do("gm", "finalise", roll=roll)
    assert_refused(play, "has not waited|finalised", "bob", "interrupt", combatant=CORVIN, roll_of=roll)


def test_d19_only_a_roll_that_is_there_is_interrupted(play: PlayedTable) -> None:
    for name in ("gm", "ann/nothing"):
        assert_refused(
            play, "no roll", "ann", "declare", check="check", as_=SANNA, parameters=EASY, interrupts=name
        )


def test_d41_the_defense_comes_from_the_target_and_stays_hidden(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=1)
    roll = play.declare(
        "bob", "attack", as_=[CORVIN], target=RAIDER, parameters={"dice": "melee", "kind": "melee"}
    )
    assert play.roll("gm", roll)["asked"]["parameters"]["defense"] == 12
    assert "defense" not in play.roll("bob", roll)["asked"]["parameters"]
    assert play.roll("bob", roll)["hidden"] == ["defense"]
    play.do("bob", "throw", roll=roll, faces=[5, 5, 5])
    assert play.roll("gm", roll)["outcome"]["success"] is True
    assert play.roll("bob", roll)["outcome"]["success"] is None
    assert place_of(play, RAIDER)["attacked"]
    assert_refused(
        play,
        "there is no character",
        "ann",
        "declare",
        check="attack",
        as_=[SANNA],
        target="gm/Nobody",
        parameters={"dice": "melee"},
    )


def test_d28_a_full_reaction_stands_against_the_attack(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=1)
    play.do("gm", "next_round")
    play.do("bob", "end_turn", combatant=CORVIN)
    play.do("ann", "stance", combatant=SANNA, stance="full_reaction", choice="ranged")
    play.do("gm", "fix", combatant=RAIDER, actions=1)
    shot = play.declare(
        "gm",
        "attack",
        as_=[RAIDER],
        target=SANNA,
        item="rifle",
        parameters={"dice": "ranged", "kind": "ranged"},
    )
    assert play.roll("gm", shot)["asked"]["parameters"]["full_reaction"] is True


def test_d43_amb_d17_a_parry_answers_a_hit_and_is_compared_by_itself(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=2)
    play.do("bob", "end_turn", combatant=CORVIN)
    play.do("ann", "end_turn", combatant=SANNA)
    play.do("gm", "fix", combatant=RAIDER, actions=1)
    hit = roll_with(
        play, "gm", RAIDER, "attack", [5, 4, 4], target=CORVIN, parameters={"dice": "melee", "kind": "melee"}
    )
    assert_refused(play, "not against", "ann", "declare", check="check", as_=[SANNA], answers=hit)
    parry = play.declare("bob", "check", as_=[CORVIN], answers=hit)
    assert play.roll("bob", parry)["deed"]["spends"] == "reaction"
    assert place_of(play, CORVIN)["left"] == 1
    assert_refused(play, "already has an answer", "bob", "declare", check="check", as_=[CORVIN], answers=hit)
    play.do("bob", "throw", roll=parry, faces=[5, 6])
    events = play.do("gm", "finalise", roll=parry)
    (made,) = [one.data["roll"] for one in events if one.kind == "roll_declared"]
    outcome = play.roll("ann", made)["outcome"]
    assert outcome["parry_total"] == play.roll("gm", parry)["outcome"]["total"]
    assert outcome["success"] is (outcome["parry_total"] <= outcome["total"])
    for seat in ("gm", "ann", "bob", "eve"):
        problems, _ = verify(tables.export_log(play.empty, play.entries, seat))
        assert not problems


def test_amb_d17_unparryable_attacks(play: PlayedTable) -> None:
    play.do("bob", "end_turn", combatant=CORVIN)
    play.do("ann", "end_turn", combatant=SANNA)
    play.do("gm", "fix", combatant=RAIDER, actions=2)
    missed = roll_with(
        play, "gm", RAIDER, "attack", [2, 1], target=CORVIN, parameters={"dice": "melee", "kind": "melee"}
    )
    assert_refused(
        play, "failed; there is nothing", "bob", "declare", check="check", as_=[CORVIN], answers=missed
    )
    shot = roll_with(
        play, "gm", RAIDER, "attack", [5, 6], target=CORVIN, parameters={"dice": "ranged", "kind": "ranged"}
    )
    assert_refused(play, "cannot be answered", "bob", "declare", check="check", as_=[CORVIN], answers=shot)


def test_d35_only_a_waiting_combatant_resists(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=1)
    assert_refused(
        play,
        "neither waited nor prepared",
        "ann",
        "declare",
        check="check",
        as_=[SANNA],
        parameters={"dice": "willpower"},
        spends="resistance",
    )
    granted = play.declare(
        "gm", "check", as_=[SANNA], parameters={"dice": "willpower"}, spends="nothing", for_="ann"
    )
    assert play.roll("ann", granted)["phase"] == "declared"


def test_d22_equipment_is_used_as_often_as_it_may_be(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=3)
    shoot = {"check": "check", "as_": [CORVIN], "parameters": EASY, "item": "pistol"}
    play.do("bob", "declare", **shoot)
    assert_refused(play, "once a round", "bob", "declare", **shoot)
    play.do("gm", "equip", character=CORVIN, item="pistol", uses=2)
    play.do("bob", "declare", **shoot)
    assert_refused(play, "2 times a round", "bob", "declare", **shoot)


def test_d7_a_weapon_overheats_until_the_gm_says_otherwise(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=2)
    shoot = {"as_": [CORVIN], "item": "pistol", "parameters": {"dice": "ranged", "ranged": True}}
    roll = play.declare("bob", "check", **shoot)
    play.do("bob", "throw", roll=roll, faces=[1])
    play.do("gm", "answer", roll=roll, answer="complication")
    assert sheet_of(play, CORVIN)["items"] == {}
    play.do("gm", "finalise", roll=roll)
    assert sheet_of(play, CORVIN)["items"]["pistol"]["hot"] is True
    play.do("gm", "equip", character=CORVIN, item="pistol", uses=5)
    assert_refused(play, "out of use", "bob", "declare", check="check", **shoot)
    play.do("gm", "equip", character=CORVIN, item="pistol", hot=False)
    play.do("bob", "declare", check="check", **shoot)


def test_d38_failed_tries_of_a_task_raise_its_difficulty(play: PlayedTable) -> None:
    play.do("gm", "end_fight")
    hack = {"task": "the vault", "parameters": {"dice": "decryption", "difficulty": 16}}
    roll = roll_with(play, "ann", SANNA, "check", [2, 2, 2, 2], **hack)
    failed = play.roll("gm", roll)["outcome"]["total"]
    assert sheet_of(play, SANNA)["tasks"] == {"the vault": [failed]}
    again = play.declare("ann", "check", as_=[SANNA], **hack)
    assert play.roll("gm", again)["asked"]["parameters"]["failed"] == [failed]
    play.do("gm", "forget", character=SANNA, task="the vault")
    assert sheet_of(play, SANNA)["tasks"] == {}
    assert_refused(play, "has not failed|not possible", "gm", "forget", character=SANNA, task="x")


def test_d38_a_success_ends_the_task(play: PlayedTable) -> None:
    play.do("gm", "end_fight")
    hack = {"task": "vault", "parameters": {"dice": "decryption", "difficulty": 16}}
    roll_with(play, "ann", SANNA, "check", [2, 2, 2, 2], **hack)
    roll_with(play, "ann", SANNA, "check", [5, 6, 6, 6], **hack)
    assert sheet_of(play, SANNA)["tasks"] == {}


def test_d44_damage_less_resistance_is_taken_away_once_and_wounds_count(play: PlayedTable) -> None:
    damage = roll_with(play, "gm", RAIDER, "total", [5, 6, 6, 6], parameters={"dice": "4D"})
    resist = roll_with(play, "ann", SANNA, "total", [2, 2, 2], parameters={"dice": "Strength"})
    before = sheet_of(play, SANNA)["sheet"]["resources"]["hit_points"]
    for _ in range(2):
        play.do("gm", "harm", key="h", character=SANNA, damage=damage, resist=resist)
    after = sheet_of(play, SANNA)["sheet"]["resources"]["hit_points"]
    assert before - after == 23 - 6
    assert place_of(play, SANNA)["attacked"]
    assert_refused(
        play, "nothing gets through: 3 against 3", "gm", "harm", character=SANNA, damage=3, resist=3
    )
    assert_refused(play, "harm is not possible|not for", "ann", "harm", character=SANNA, damage=3)
    play.do("gm", "undo_points", character=SANNA)
    assert sheet_of(play, SANNA)["sheet"]["resources"]["hit_points"] == before
    assert_refused(play, "not possible", "gm", "undo_points", character=SANNA)


def test_points_are_not_taken_back_when_dice_followed(play: PlayedTable) -> None:
    play.do("gm", "harm", character=SANNA, damage=5)
    roll_with(play, "ann", SANNA, "total", [2, 2, 2], parameters={"dice": "Strength"})
    assert_refused(play, "not possible", "gm", "undo_points", character=SANNA)


def test_d29_being_attacked_ends_preparing(play: PlayedTable) -> None:
    play.do("bob", "prepare", combatant=CORVIN)
    play.do("gm", "harm", character=CORVIN, damage=1)
    play.do("gm", "next_round")
    assert place_of(play, CORVIN)["prepared"] == 0


def test_cancelling_gives_the_action_back(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=2)
    roll = play.declare("bob", "check", as_=[CORVIN], parameters=EASY)
    assert place_of(play, CORVIN)["left"] == 1
    play.do("bob", "cancel", roll=roll)
    assert place_of(play, CORVIN)["left"] == 2
    assert "act" in legal_moves(play, "bob", CORVIN)
