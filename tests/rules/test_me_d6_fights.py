"""Movement, combat and points of Mass Effect D6, each rule played through the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulebook import Table, crew, rolled


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Return a fight in the order Corvin, Sanna, raider."""
    table = crew(tmp_path)
    table.well("fight sanna corvin raider")
    return table


# -- movement


@pytest.mark.rule("D-39")
@pytest.mark.parametrize(
    ("pace", "metres"), [("cautious", 5), ("walking", 10), ("running", 20), ("sprinting", 40)]
)
def test_move_is_the_distance_of_a_round_and_the_pace_changes_it(
    pace: str, metres: int, table: Table
) -> None:
    out = table.says("seat bob", "fix 1", f"pace {pace}")
    assert f"Corvin Ade moves: {pace}, up to {metres}" in out


@pytest.mark.rule("D-40")
def test_only_sprinting_costs_an_action_and_running_makes_actions_harder(table: Table) -> None:
    running = rolled("me-d6 check dice=2D difficulty=10 running=yes", "3,4")
    assert running["tally"]["difficulty"] == 16
    table.well("seat bob", "fix 2", "pace running")
    assert "Corvin Ade 2 of 2 running" in table.says("seat bob", "fight")
    out = table.says("seat bob", "declare check dice=command difficulty=10", "look")
    assert "running=yes" in out
    assert "+6 difficulty: Running" in out
    out = table.says("cancel", "end", "seat ann", "fix 2", "pace sprinting", "fight")
    assert "Sanna Vey 1 of 2 sprinting" in out
    asked = ["seat kim", "request bob check difficulty=12 title=wreck", "seat bob"]
    out = table.says(*asked, "propose dice=acrobatics", "seat kim", "accept bob spends=nothing")
    assert 'rolls "wreck" check dice=2D+2' in out


# -- close combat


@pytest.mark.rule("D-42")
@pytest.mark.parametrize(
    ("skill", "defense", "faces"), [("melee", 12, "3,3,2"), ("brawling", 14, "5,4,4")]
)
def test_weapons_meet_melee_defense_and_bare_hands_brawling_defense(
    skill: str, defense: int, faces: str, table: Table
) -> None:
    attack = f"roll attack dice={skill} kind={skill} against raider faces={faces}"
    out = table.says("seat bob", "fix 1", attack, "seat kim", "look")
    assert f"defense={defense}" in out
    assert "success, just enough" in table.says("finalise")
    less = rolled(f"me-d6 attack kind={skill} defense={defense} dice=3D", "3,3,5")
    assert less["success"] is False
