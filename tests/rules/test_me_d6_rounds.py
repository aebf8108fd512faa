"""Rounds, turns and actions of Mass Effect D6, each rule played through the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_play import TerminalTable, me_d6_table, roll_of

REPAIR = "roll check dice=repair difficulty=10 faces=3,3,3,3"


@pytest.fixture
def table(tmp_path: Path) -> TerminalTable:
    """Return a fight in the order Corvin, Sanna, raider."""
    return me_d6_table(tmp_path, "fight sanna corvin raider")


@pytest.mark.rule("D-13")
def test_a_round_has_5_seconds_and_one_action_without_penalty(table: TerminalTable) -> None:
    out = table.screen_after("seat bob", "fix 1", "declare check dice=command", "fight")
    assert "round 1 (5 seconds)" in out
    assert "check dice=4D skill_points=6 skill_name=command" in out  # no penalty
    assert "Corvin Ade 0 of 1" in out
    out = table.screen_after("cancel", "end", "seat ann", "fix 2", REPAIR)
    assert "total 19 against 10" in out  # a quick thinker has two actions: 4D+1 and 6, nothing lost
    assert "round 2 begins" in table.screen_after("seat kim", "next")
    table.play_ok("end fight")
    assert "there is no fight" in table.refused("fix 1")


@pytest.mark.rule("D-14")
def test_the_order_is_by_initiative_and_nothing_is_rolled(table: TerminalTable) -> None:
    out = table.screen_after("sheet corvin", "sheet sanna", "sheet raider", "fight")
    assert [f"Initiative {n}" in out for n in (15, 13, 10)] == [True, True, True]
    assert out.index("> Corvin Ade") < out.rindex("Sanna Vey hit") < out.rindex("Raider hit")
    assert not table.events_of("kim", "dice_thrown")


@pytest.mark.rule("D-15")
def test_ties_go_to_players_then_talents_then_the_situation_then_dodge(tmp_path: Path) -> None:
    table = TerminalTable(tmp_path, "me-d6")
    names = ("dexterity", "knowledge", "mechanical", "perception", "strength", "technical")
    own = {
        "format": 1,
        "ruleset": "me-d6",
        "attributes": dict.fromkeys(names, "3D"),
        "resources": {"hit_points": 29},
    }
    cast = {
        "Pilot": ("pc", 2),
        "Duelist": ("npc", 0),
        "Sniper": ("npc", 1),
        "Thug": ("npc", 6),
        "Guard": ("npc", 4),
    }
    for name, (kind, dodge) in cast.items():
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps({**own, "name": name, "kind": kind, "skills": {"dodge": dodge}}))
        table.play_ok(f"bring {file} shown=own")
    out = table.screen_after("fight guard thug sniper:situation=1 duelist:first=1 pilot")
    assert "a fight begins: Pilot, Duelist, Sniper, Thug, Guard" in out
    out = table.screen_after("adjust pilot hit_points=-20", "next")
    assert out.index("> Pilot") < out.index("Duelist hit") < out.index("Guard hit")  # and stays so


@pytest.mark.rule("D-16")
def test_actions_come_one_after_the_other(table: TerminalTable) -> None:
    assert "turn of bob/Corvin Ade" in table.refused("seat ann", "fix 1")
    out = table.screen_after("seat bob", "fix 1", "act", "seat ann", "fix 1", "fight")
    assert "> Sanna Vey 1 of 1" in out


@pytest.mark.rule("D-17")
def test_the_number_of_actions_is_fixed_in_turn_and_unused_ones_are_lost(table: TerminalTable) -> None:
    assert "has not said how many" in table.refused("seat bob", "roll check dice=command")
    table.play_ok("seat bob", "fix 2", "act aims")
    free = "roll check dice=command spends=nothing"
    assert "only the GM can grant" in table.refused("seat bob", free)
    assert "already: 2" in table.refused("seat bob", "fix 3")
    out = table.screen_after("seat bob", "end", "seat kim", "next")
    assert "Corvin Ade loses 1 action" in out
    spent = ["seat bob", "fix 1", "act", "roll check dice=command difficulty=10"]
    assert "turn of ann/Sanna Vey" in table.refused(*spent)


@pytest.mark.rule("D-18")
def test_each_wait_costs_an_action(table: TerminalTable) -> None:
    out = table.screen_after("seat bob", "fix 5", "act", "wait", "act", "wait", "fight", "act", "fight")
    assert "Corvin Ade 1 of 5 left waiting" in out
    assert "Corvin Ade 0 of 5" in out


@pytest.mark.rule("D-19")
def test_who_has_waited_interrupts_after_the_dice_and_before_the_result(table: TerminalTable) -> None:
    table.play_ok("seat bob", "fix 2", "wait", "seat ann", "fix 1", "declare check dice=repair")
    early = table.refused("seat bob", "interrupt ann/1")
    assert "after its last decision" in early
    out = table.screen_after(
        "seat ann", "throw 3 3 3 3", "seat bob", "interrupt ann/1 kicks the door", "seat kim", "finalise"
    )
    assert "Corvin Ade interrupts ann/1" in out
    table.play_ok("next", "seat bob", "fix 1", "roll check dice=command faces=3,3,3,3")
    assert "has not waited" in table.refused("seat ann", "interrupt bob/1")


@pytest.mark.rule("D-20")
def test_the_gm_lets_somebody_react_before_the_turn_for_an_action(table: TerminalTable) -> None:
    assert "has not had a turn yet" in table.refused("seat ann", "react catches it")
    out = table.screen_after("seat kim", "react catches it as sanna actions=2", "fight")
    assert "Sanna Vey reacts: catches it" in out
    assert "Sanna Vey 1 of 2" in out
    out = table.screen_after("next", "grant sanna reaction", "seat ann", "react ducks", "fight")
    assert "the GM grants Sanna Vey a reaction" in out
    assert "Sanna Vey 0 of 1" in out


@pytest.mark.rule("D-21")
def test_each_further_action_costs_a_die_on_every_roll_of_the_round(table: TerminalTable) -> None:
    four = roll_of("me-d6 check dice=5D actions=4", "3,3")
    assert (four["result"], len(four["dice"])) == (6, 2)
    free = roll_of("me-d6 check dice=5D actions=4 free_actions=2", "3,3,3")
    assert len(free["dice"]) == 3
    roll = "roll check dice=command difficulty=10 faces=3,3"
    out = table.screen_after("seat bob", "fix 3", roll, "seat kim", "finalise", "seat bob", roll)
    assert out.count("total 12 against 10") >= 2  # 4D less 2D, and 6 points, both times


@pytest.mark.rule("D-22")
def test_an_item_is_used_as_often_as_it_is_made_for(table: TerminalTable) -> None:
    shot = "roll check dice=command item=pistol faces=3,3"
    table.play_ok("seat bob", "fix 3", shot)
    assert "once a round" in table.refused("seat bob", shot)
    out = table.screen_after("seat kim", "finalise", "equip corvin pistol uses=2", "seat bob", shot)
    assert "Corvin Ade: pistol, 2 uses a round" in out


@pytest.mark.rule("D-24")
def test_a_glance_and_a_few_steps_are_free(table: TerminalTable) -> None:
    out = table.screen_after("seat bob", "fix 1", "pace cautious", "fight")
    assert "Corvin Ade 1 of 1 left cautious" in out
    out = table.screen_after(
        "seat kim",
        "request ann check difficulty=10 title=glance",
        "seat ann",
        "propose dice=Perception",
        "seat kim",
        "accept ann spends=nothing",
        "seat ann",
        "throw 3 3 3",
        "fight",
    )
    assert "total 10 against 10: success" in out
    assert not table.events_of("kim", "action_taken")
    assert "Sanna Vey 0 of" not in out
    look = "roll check dice=Perception difficulty=10 spends=nothing faces=3,3,3"
    assert "only the GM can grant" in table.refused("seat ann", look)
    out = table.screen_after("seat kim", "grant sanna free action", "seat ann", look, "seat bob")
    assert "Sanna Vey uses the free action" in out  # and everybody is told
    assert out.count("(free action, granted by the GM)") == 2  # to ann, and to bob


@pytest.mark.rule("D-25")
def test_resisting_damage_or_fear_is_no_action(table: TerminalTable) -> None:
    out = table.screen_after(
        "seat ann",
        "roll total dice=Strength title=resist faces=3,3,3",
        "seat kim",
        "request ann check title=fear",
        "seat ann",
        "propose dice=willpower",
        "seat kim",
        "accept ann spends=nothing",
        "seat ann",
        "throw 3 3",
        "fight",
    )
    assert "total 9 (no target)" in out
    assert "total 8 (no target)" in out  # 2D+2 of Knowledge
    assert "of 1" not in out  # it is Corvin's turn, and nobody has spent an action


@pytest.mark.rule("D-26")
def test_or_all_declare_first_the_slowest_first_and_act_in_turns_of_one(table: TerminalTable) -> None:
    table.play_ok("end fight", "house rules round_structure=interleaved", "fight sanna corvin raider")
    assert "the slowest begins" in table.refused("fix 2 as corvin")
    turns = table.screen_after("fix 1 as raider", "fix 2 as sanna", "fix 2 as corvin", "fight")
    assert "> Corvin Ade 2 of 2" in turns
    for name, left in (("Sanna Vey", 2), ("Raider", 1), ("Corvin Ade", 1), ("Sanna Vey", 1)):
        assert f"> {name} {left} of" in table.screen_after("act", "fight")
    roll = table.screen_after(REPAIR.replace("roll", "declare").partition(" faces")[0] + " as sanna", "look")
    assert "actions=2" in roll


@pytest.mark.rule("D-27")
def test_by_house_rule_a_fast_one_acts_twice_before_a_slow_one(table: TerminalTable) -> None:
    table.play_ok(
        "end fight",
        "house rules round_structure=interleaved initiative_division=true",
        "fight hare:20 tortoise:8",
    )
    table.play_ok("fix 1 as tortoise", "fix 2 as hare")
    assert "> hare 2 of 2" in table.screen_after("fight")
    assert "> hare 1 of 2" in table.screen_after("act", "fight")  # at 20 / 2, before the 8
    assert "> tortoise 1 of 1" in table.screen_after("act", "fight")


@pytest.mark.rule("D-29")
def test_a_round_of_preparing_gives_a_die_unless_an_attack_disturbs_it(table: TerminalTable) -> None:
    out = table.screen_after(
        "prepare corvin", "next", "fix 1 as corvin", "declare check dice=command as corvin"
    )
    assert "prepare=2" in out
    assert "prepare=" not in table.screen_after(
        "cancel", "harm corvin 1", "declare check dice=command as corvin"
    )
    table.play_ok("cancel", "next", "prepare corvin")
    assert "turn of ann/Sanna Vey" in table.refused("act as corvin")  # nothing else meanwhile
