"""Movement, combat and points of Mass Effect D6, each rule played through the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_play import TerminalTable, me_d6_table, refusal_of, roll_of


@pytest.fixture
def table(tmp_path: Path) -> TerminalTable:
    """Return a fight in the order Corvin, Sanna, raider."""
    return me_d6_table(tmp_path, "fight sanna corvin raider")


# -- movement


@pytest.mark.rule("D-39")
@pytest.mark.parametrize(
    ("pace", "metres"), [("cautious", 5), ("walking", 10), ("running", 20), ("sprinting", 40)]
)
def test_move_is_the_distance_of_a_round_and_the_pace_changes_it(
    pace: str, metres: int, table: TerminalTable
) -> None:
    out = table.screen_after("seat bob", "fix 1", f"pace {pace}")
    assert f"Corvin Ade moves: {pace}, up to {metres}" in out


@pytest.mark.rule("D-40")
def test_only_sprinting_costs_an_action_and_running_makes_actions_harder(table: TerminalTable) -> None:
    running = roll_of("me-d6 check dice=2D difficulty=10 running=yes", "3,4")
    assert running["tally"]["difficulty"] == 16
    table.play_ok("seat bob", "fix 2", "pace running")
    assert "Corvin Ade 2 of 2 left running" in table.screen_after("seat bob", "fight")
    out = table.screen_after("seat bob", "declare check dice=command difficulty=10", "look")
    assert "running=yes" in out
    assert "+6 difficulty: Running" in out
    out = table.screen_after("cancel", "end", "seat ann", "fix 2", "pace sprinting", "fight")
    assert "Sanna Vey 1 of 2 left sprinting" in out
    asked = ["seat kim", "request bob check difficulty=12 title=wreck", "seat bob"]
    out = table.screen_after(*asked, "propose dice=acrobatics", "seat kim", "accept bob spends=nothing")
    assert 'rolls "wreck" check dice=2D+2' in out


# -- close combat


@pytest.mark.rule("D-42")
@pytest.mark.parametrize(("skill", "defense", "faces"), [("melee", 12, "3,3,2"), ("brawling", 14, "5,4,4")])
def test_weapons_meet_melee_defense_and_bare_hands_brawling_defense(
    skill: str, defense: int, faces: str, table: TerminalTable
) -> None:
    attack = f"roll attack dice={skill} kind={skill} against raider faces={faces}"
    out = table.screen_after("seat bob", "fix 1", attack, "seat kim", "look")
    assert f"defense={defense}" in out
    assert "success, just enough" in table.screen_after("finalise")
    less = roll_of(f"me-d6 attack kind={skill} defense={defense} dice=3D", "3,3,5")
    assert less["success"] is False


# -- full reaction and parry

STRIKE = "roll attack dice=melee against raider faces=5,5,5"  # 15 and 3D+1 with 3 points: 19


@pytest.mark.rule("D-28")
def test_a_full_reaction_adds_10_to_one_defense_and_is_all_of_the_round(table: TerminalTable) -> None:
    full = roll_of("me-d6 attack defense=12 full_reaction=yes dice=3D", "5,5,5")
    assert (full["tally"]["difficulty"], full["success"]) == (22, False)
    out = table.screen_after(
        "seat bob",
        "fix 1",
        "declare attack dice=melee against raider",
        "seat kim",
        "stance full_reaction melee as raider",
        "seat bob",
        "throw 5 5 5",
        "seat kim",
        "finalise",
    )
    assert "total 19: failure by 3" in out  # against 12 and 10, before the raider's own turn
    assert "does nothing else this round" in table.refused("react as raider")
    out = table.screen_after("seat ann", "fix 1", STRIKE.replace("5", "6") + ",6,2", "seat kim")
    assert "hits Raider" not in out  # so nobody asks for a parry


@pytest.mark.rule("D-43")
def test_a_parry_must_be_above_the_attack_and_costs_an_action_that_is_left(table: TerminalTable) -> None:
    level = roll_of("me-d6 attack defense=9 dice=3D vs dice=3D", "5,5,5,5,5,5")
    assert (level["success"], level["events"]) == (True, [])
    above = roll_of("me-d6 attack defense=9 dice=3D vs dice=3D", "5,5,5,5,5,6")
    assert (above["success"], above["events"]) == (False, ["parried"])
    out = table.screen_after("seat bob", "fix 1", STRIKE, "seat kim", "parry as raider faces=5,6,6", "fight")
    assert "total 20" in out  # 3D+1 and 2 points
    assert "Raider 0 of 1" in out
    out = table.screen_after("finalise kim/1", "look bob/1")
    assert "parried" in out.lower()


@pytest.mark.rule("D-43")
def test_who_is_hit_before_the_own_turn_may_parry_and_says_how_many_actions(table: TerminalTable) -> None:
    out = table.screen_after("seat bob", "fix 1", STRIKE, "seat kim")
    assert "bob/1 hits Raider: total 19; parry (or parry actions=2), or take hit bob/1" in out
    out = table.screen_after("parry as raider actions=2 faces=5,5", "fight")
    assert "actions=2" in out
    assert "Raider 1 of 2" in out
    out = table.screen_after(
        "next", "seat bob", "fix 1", STRIKE, "seat kim", "take hit bob/2", "finalise bob/2"
    )
    assert "Raider takes the hit from bob/2" in out
    assert "total 19: success by 7" in out


@pytest.mark.rule("D-43")
def test_nobody_parries_without_an_action_or_against_a_shot(table: TerminalTable) -> None:
    table.play_ok("react as raider", "seat bob", "fix 2", STRIKE.replace(",5", "", 1))
    assert "has none left" in table.refused("parry as raider")
    table.play_ok("seat bob", "roll attack dice=ranged against raider faces=5")
    assert "cannot be answered" in table.refused("parry bob/2 as raider")


# -- ranged combat


@pytest.mark.rule("D-41")
def test_a_shot_meets_ranged_defense_or_the_distance_of_an_object(table: TerminalTable) -> None:
    shot = "declare attack dice=ranged against raider"
    out = table.screen_after("seat bob", "fix 1", shot, "seat kim", "look")
    assert "defense=9" in out
    assert "kind=ranged" in out  # the skill says so
    out = table.screen_after(
        "line modifier=5 behind a crate", "seat bob", "throw 5 6", "seat kim", "finalise"
    )
    assert "total 13: failure by 1" in out  # 9 and 5 for the cover
    assert roll_of("me-d6 attack kind=ranged defense=9 dice=2D", "4,5")["success"] is True
    assert roll_of("me-d6 attack kind=ranged difficulty=moderate dice=2D", "4,5")["success"] is False


@pytest.mark.rule("D-7")
def test_a_shot_of_a_character_overheats_the_weapon_by_its_skill(table: TerminalTable) -> None:
    shot = "roll attack dice=ranged item=rifle against raider faces=1,2,3"
    out = table.screen_after("seat bob", "end", "seat ann", "fix 2", shot, "seat kim", "answer ann/1 cancel")
    assert "The weapon overheats" in out
    assert "rifle, out of use" in table.screen_after("finalise")
    assert "rifle of Sanna Vey is out of use" in table.refused("seat ann", shot)


# -- opposed in rounds


@pytest.mark.rule("D-35")
def test_an_opposed_task_costs_both_an_action_and_needs_who_waited(table: TerminalTable) -> None:
    sides = "declare opposed dice=con as sanna vs dice=command as corvin"
    table.play_ok("fix 2 as corvin", "wait corvin", "fix 1 as sanna")
    out = table.screen_after(sides, "fight")
    assert "Corvin Ade 0 of 2" in out
    assert "Sanna Vey 0 of 1" in out
    table.play_ok("next", "fix 1 as corvin")
    late = table.refused("declare opposed dice=con as corvin vs dice=willpower as sanna")
    assert "neither waited nor prepared" in late
    free = "declare opposed dice=con as corvin vs dice=willpower as sanna spends=action,nothing"
    out = table.screen_after(free, "fight")  # by the GM's leave
    assert "Corvin Ade 0 of 1" in out
    assert "Sanna Vey 0 of" not in out
    assert table.events_of("bob", "roll_declared")[-1]["deed"]["granted"] == "free_action"


# -- points


@pytest.mark.rule("D-45")
def test_a_paragon_or_renegade_point_buys_5_dice_in_four_skills_or_3_points(table: TerminalTable) -> None:
    dice = roll_of("me-d6 check dice=2D skill_name=command spend=paragon-dice", ",".join("3" * 7))
    assert (len(dice["dice"]), dice["result"]) == (7, 21)
    for skill in ("con", "intimidation", "persuasion"):
        asked = f"me-d6 check dice=2D skill_name={skill} spend=renegade-dice --seed 3"
        assert len(roll_of(asked)["dice"]) >= 7
    assert "command" in refusal_of("me-d6 check dice=2D skill_name=repair spend=paragon-dice")
    assert roll_of("me-d6 check dice=2D spend=paragon-bonus", "3,3")["result"] == 9
    out = table.screen_after(
        "adjust corvin renegade=1 for the ransom",
        "seat bob",
        "roll total dice=3D title=damage faces=4,4,4",
        "renegade-bonus",
    )
    assert 'Renegade +1 (now 1) "for the ransom"' in out
    assert "Corvin Ade spends 1 Renegade (now 0)" in out
    assert "total 15" in out  # after the dice of a damage roll, unannounced


@pytest.mark.rule("D-47")
def test_a_medal_buys_3_dice_or_10_hit_points_and_only_for_player_characters(table: TerminalTable) -> None:
    roll = roll_of("me-d6 check dice=2D spend=medal", "3,3,3,3,3")
    assert roll["result"] == 15
    out = table.screen_after(
        "adjust corvin medals=1 the campaign is over",
        "harm corvin 14",
        "use corvin medals heal",
        "use corvin medals heal",
    )
    assert 'Medals +1 (now 4) "the campaign is over"' in out
    assert "Hit points +10 (now 26), Medals -1 (now 3)" in out
    assert "Hit points +4 (now 30), Medals -1 (now 2)" in out  # not above the most
    assert "cannot use that now" in table.refused("use corvin medals heal")
    assert "has no resource 'medals'" in table.refused("adjust raider medals=1")
