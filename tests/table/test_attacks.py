"""An attack from the weapon on the sheet to the damage."""

from __future__ import annotations

import pytest
from duel_ruleset import DUEL, duellist
from in_memory_table import PlayedTable
from me_d6_fights import CORVIN, RAIDER, SANNA, assert_refused, begin_fight, fight_table, hit_points, place_of

from handful.rules.load import load
from handful.rules.source import Source
from handful.table import view

PIKE = {"check": "attack", "as_": [RAIDER], "target": CORVIN, "item": "boarding pike"}


@pytest.fixture
def play() -> PlayedTable:
    """The raider's turn, with one action."""
    play = begin_fight(fight_table(shown="own"))
    for seat, who in (("bob", CORVIN), ("ann", SANNA)):
        play.do(seat, "end_turn", combatant=who)
    play.do("gm", "fix", combatant=RAIDER, actions=1)
    return play


def strikes(play: PlayedTable, *faces: int, **more: object) -> str:
    """Let the raider attack, and tell the result."""
    roll = play.declare("gm", **{**PIKE, **more}, throw={"faces": list(faces)})
    play.do("gm", "finalise", roll=roll)
    return roll


def test_a_weapon_of_the_sheet_brings_its_skill(play: PlayedTable) -> None:
    roll = play.declare("gm", **PIKE, throw={"faces": [5, 4, 3]})  # 3D+1 and 2 points in melee
    found = play.roll("gm", roll)
    assert found["outcome"]["total"] == 15
    assert found["deed"]["item"] == "Boarding pike"
    assert found["asked"]["parameters"]["kind"] == "melee"  # follows from the skill


def test_a_typed_value_overrides_the_weapon(play: PlayedTable) -> None:
    roll = play.declare("gm", **PIKE, parameters={"dice": "brawling"}, throw={"faces": [5, 4, 3]})
    assert play.roll("gm", roll)["asked"]["parameters"]["kind"] == "brawling"


def test_an_item_that_is_not_on_the_sheet_is_a_word(play: PlayedTable) -> None:
    assert_refused(play, "dice", "gm", "declare", **{**PIKE, "item": "a chair"})
    roll = play.declare("gm", **{**PIKE, "item": "a chair"}, parameters={"dice": "melee"})
    assert play.roll("gm", roll)["deed"]["item"] == "a chair"


def test_damage_and_resistance_follow_from_the_hit_and_cost_nothing(play: PlayedTable) -> None:
    hit = strikes(play, 5, 5, 5)
    left = place_of(play, CORVIN)["left"]
    damage = play.declare(
        "gm", "total", as_=[RAIDER], damage_of=hit, throw={"faces": [4, 4, 4, 4]}, finish=True
    )
    assert play.roll("gm", damage)["outcome"]["total"] == 17  # 4D+1
    resist = play.declare("bob", "total", as_=[CORVIN], resists=hit, throw={"faces": [3, 2, 2]}, finish=True)
    assert play.roll("gm", resist)["outcome"]["total"] == 8  # Strength 3D+1
    assert [play.roll("eve", one)["phase"] for one in (damage, resist)] == ["finalised", "finalised"]
    assert place_of(play, CORVIN)["left"] == left
    before = hit_points(play, CORVIN)
    play.do("gm", "harm", character=CORVIN, damage=damage, resist=resist)
    assert hit_points(play, CORVIN) == before - 9


def test_damage_is_rolled_once_by_the_attacker_and_resisted_by_the_target(play: PlayedTable) -> None:
    hit = strikes(play, 5, 5, 5)
    assert_refused(play, "made by", "gm", "declare", check="total", as_=[SANNA], damage_of=hit)
    assert_refused(play, "not against", "ann", "declare", check="total", as_=[SANNA], resists=hit)
    play.declare("gm", "total", as_=[RAIDER], damage_of=hit)
    assert_refused(play, "rolled already", "gm", "declare", check="total", as_=[RAIDER], damage_of=hit)


def test_a_miss_or_an_untold_attack_has_no_damage(play: PlayedTable) -> None:
    roll = play.declare("gm", **PIKE, throw={"faces": [2, 1, 1]})
    assert_refused(play, "no result yet", "gm", "declare", check="total", as_=[RAIDER], damage_of=roll)
    play.do("gm", "finalise", roll=roll)
    assert_refused(play, "missed", "gm", "declare", check="total", as_=[RAIDER], damage_of=roll)


def test_a_parried_hit_has_no_damage(play: PlayedTable) -> None:
    roll = play.declare("gm", **PIKE, throw={"faces": [5, 4, 3]})
    parry = play.declare(
        "bob", "check", as_=[CORVIN], answers=roll, parameters={}, throw={"faces": [6, 5, 5, 5]}
    )
    play.do("gm", "finalise", roll=parry)
    assert play.roll("gm", roll)["phase"] == "finalised"
    assert_refused(play, "missed", "gm", "declare", check="total", as_=[RAIDER], damage_of=roll)


def test_d22_the_sheet_says_how_often_an_item_may_be_used(play: PlayedTable) -> None:
    play.do("gm", "undo_move", combatant=RAIDER)
    play.do("gm", "fix", combatant=RAIDER, actions=3)
    for item, times in (("Carbine", 2), ("Fists", 1)):
        for _ in range(times):
            play.declare("gm", **{**PIKE, "item": item}, throw={"faces": [4, 4, 4][:1]})
    assert place_of(play, RAIDER)["left"] == 0


def test_a_hidden_attack_is_not_named_by_its_damage(play: PlayedTable) -> None:
    hit = strikes(play, 5, 5, 5, mode="private")
    damage = play.declare("gm", "total", as_=[RAIDER], damage_of=hit)
    assert play.roll("gm", damage)["deed"]["damage_of"] == hit
    assert "damage_of" not in play.roll("eve", damage).get("deed", {})


# -- told at once


def test_a_shot_that_nobody_can_answer_is_told_at_once(play: PlayedTable) -> None:
    roll = play.declare("gm", **{**PIKE, "item": "Carbine"}, throw={"faces": [5, 5, 5]}, finish=True)
    assert play.roll("gm", roll)["phase"] == "finalised"


@pytest.mark.parametrize("faces", [[5, 5, 5], [2, 1, 1]])
def test_a_blow_that_may_be_parried_waits_whether_it_hits_or_not(play: PlayedTable, faces: list[int]) -> None:
    roll = play.declare("gm", **PIKE, throw={"faces": faces}, finish=True)
    assert play.roll("gm", roll)["phase"] == "decided"


def test_d19_a_shot_waits_for_somebody_who_may_interrupt(play: PlayedTable) -> None:
    other = begin_fight(fight_table(shown="own"))
    other.do("bob", "fix", combatant=CORVIN, actions=2)
    other.do("bob", "wait", combatant=CORVIN)
    other.do("ann", "end_turn", combatant=SANNA)
    roll = other.declare(
        "gm",
        **{**PIKE, "item": "Carbine", "target": SANNA},
        actions=1,
        throw={"faces": [5, 5, 5]},
        finish=True,
    )
    assert other.roll("gm", roll)["phase"] == "decided"


# -- a home-brew


def test_a_home_brew_attacks_with_its_own_weapons_and_no_resistance() -> None:
    play = PlayedTable(load([Source("duel.toml", DUEL)]), ann="player", bob="player")
    play.do("ann", "bring", sheet=duellist("Ada", 3, Hatpin={"art": "nerve", "deep": 1}), shown="open")
    play.do("bob", "bring", sheet=duellist("Bel", 1), shown="open")
    play.do("gm", "fight", combatants=[{"character": one} for one in ("ann/Ada", "bob/Bel")])
    at = {"check": "strike", "as_": ["ann/Ada"], "target": "bob/Bel", "actions": 1}
    roll = play.declare("ann", **at, item="Rapier", throw={"faces": [4, 1, 1, 1, 5]})  # rank 3 and 2 more
    assert play.roll("gm", roll)["asked"]["parameters"] == {"pool": 3, "edge": 2, "style": "near", "guard": 1}
    play.do("gm", "finalise", roll=roll)
    bite = play.declare(
        "ann", "bite", as_=["ann/Ada"], damage_of=roll, throw={"faces": [6, 6, 6]}, finish=True
    )
    assert play.roll("gm", bite)["outcome"]["wound"] == 18
    refusal = "no roll to resist"
    assert_refused(play, refusal, "bob", "declare", check="bite", as_=["bob/Bel"], resists=roll)
    play.do("gm", "harm", character="bob/Bel", damage=bite)
    (bel,) = (one for one in view(play.table, "gm")["characters"] if one["name"] == "Bel")
    assert bel["sheet"]["resources"] == {"blood": 2}
