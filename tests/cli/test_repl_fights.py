"""Typed fights: three rounds of me-d6, and a turn order set by the GM."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from effort import every_nth_in_test
from repl_scripts import ScriptedTable

CAST = [
    "seat ann player",
    "seat bob player",
    "bring sanna for ann",
    "bring corvin for bob",
    "bring raider shown=own",
    "adjust sanna hit_points=12",
]


@pytest.fixture
def night(tmp_path: Path) -> ScriptedTable:
    """Corvin, Sanna, Raider, in this order."""
    night = ScriptedTable(tmp_path, "me-d6")
    night.play_ok(*CAST, "fight sanna corvin raider")
    return night


def place(night: ScriptedTable, name: str) -> dict[str, Any]:
    fight = night.view("kim")["fight"]
    return next(one for one in fight["order"] if one["name"].startswith(name))


def sheet(night: ScriptedTable, name: str) -> dict[str, Any]:
    there = night.view("kim")["characters"]
    return next(one for one in there if one["name"].startswith(name))


# Corvin waits and interrupts what Sanna rolls; she shoots the raider
FIRST = [
    "seat bob",
    "fix 2",
    "wait",
    "seat ann",
    "fix 1",
    "roll attack dice=ranged kind=ranged against raider faces=5,4,4",
    "none",
    "seat bob",
    "interrupt with check dice=command difficulty=10 spend=paragon-bonus faces=2,2,2",
    "seat kim",
    "finalise bob/1",
    "finalise ann/1",
    "roll total dice=4D faces=4,4,4,4",
    "harm raider last resist=1 a clean shot",
    "fight",
    "next",
]
# the raider strikes, Corvin parries
SECOND = [
    "seat bob",
    "fix 2",
    "act draws a blade",
    "end",
    "seat ann",
    "end",
    "seat kim",
    "fix 1",
    "undo move",
    "fix 1",
    "roll attack dice=melee kind=melee wound=none as raider against corvin faces=5,5,5",
    "seat bob",
    "parry faces=5,2",
    "none",
    "seat kim",
    "finalise bob/2",
    "next",
]
# Sanna does nothing but look out, and the raider finds her harder to hit
THIRD = [
    "seat bob",
    "end",
    "seat ann",
    "stance full_reaction ranged",
    "fight",
    "seat kim",
    "fix 1",
    "roll attack dice=ranged kind=ranged wound=none as raider against sanna item=rifle",
]


def fought(night: ScriptedTable, text: str) -> None:
    """Assert the outcome of the three rounds."""
    for part in (
        "Corvin Ade interrupts ann/1 with bob/1",
        "Corvin Ade spends 1 Paragon (now 1) for bob/1",
        'Raider: Hit points -15 (now 15) "a clean shot"',
        "hit points 15/30, Wounded",
        "Full reaction (Ranged Defense)",
    ):
        assert part in text, part
    assert sheet(night, "Raider")["sheet"]["resources"]["hit_points"] == 15
    (compared,) = [one for one in night.view("bob")["rolls"] if one.get("parts")]
    assert [part["roll"] for part in compared["parts"]] == ["kim/2", "bob/2"]
    last = night.view("kim")["rolls"][-1]
    assert last["asked"]["parameters"]["full_reaction"] is True
    assert night.view("kim")["fight"]["round"] == 3


def test_three_rounds_with_damage_wounds_spends_a_parry_an_interrupt_and_a_full_reaction(
    night: ScriptedTable,
) -> None:
    text = night.play_ok(*FIRST)
    assert place(night, "Corvin")["left"] is None
    text += night.play_ok(*SECOND[:-3])
    assert place(night, "Corvin")["left"] == 0
    text += night.play_ok(*SECOND[-3:])
    fought(night, text + night.play_ok(*THIRD))
    night.play_ok("end fight")
    assert night.view("kim")["fight"] is None


@pytest.mark.proof
def test_the_same_fight_on_a_screen_that_is_passed_around(night: ScriptedTable) -> None:
    terminal = pytest.importorskip("pseudo_terminal", reason="needs a pseudo-terminal")
    steps = [("seat [1]: ", "kim")]
    for line in [*FIRST, *SECOND, *THIRD, "quit"]:
        steps.append(("answer [none]> " if line == "none" else "> ", line))
        if line.startswith("seat "):
            steps.append((f"Pass the screen to {line[5:]}, then press Enter. ", ""))
    status, text = terminal.talk(["play", str(night.file)], steps)
    assert status == 0, text
    assert "Traceback" not in text
    fought(night, text)


def test_each_seat_sees_its_part_of_a_fight(night: ScriptedTable) -> None:
    out = night.play_ok("seat ann", "fight", "seat kim", "fight")
    hers, kims = out.split("> fight\n")[1:]
    assert "Sanna Vey     hit points 29/29" in hers.partition("night ann")[0]
    assert "Raider        hit points" not in hers.partition("night ann")[0]
    assert "Raider        hit points 30/30" in kims


def test_a_hidden_combatant_is_in_no_other_seats_order(night: ScriptedTable) -> None:
    out = night.play_ok("join wolf!:99", "seat ann", "fight", "log 50", "seat kim", "uncover wolf")
    for_ann = out.partition("ann (player)> fight\n")[2].partition("seat kim")[0]
    assert "wolf" not in for_ann
    assert "wolf comes into view" in night.play_ok("seat ann", "log")


WRONG = [
    (["seat ann", "fix 1"], "turn of"),
    (["seat ann", "end as corvin"], "ann does not play"),
    (["seat bob", "roll check dice=command"], "has not said how many"),
    (["seat bob", "fix 2", "wait", "interrupt kim/1"], "there is no roll"),
    (["seat bob", "fix 1", "wait"], "now: act, react or end"),
    (["seat bob", "fix 1", "act", "react"], "had 1 action"),
    (["seat bob", "fix 1", "act", "parry"], "there is no attack to answer"),
    (["seat bob", "fix 0"], "fix"),
    (["seat bob", "stance handstand"], "there is no stance 'handstand'"),
    (["seat bob", "stance full_reaction lasers"], "there is no choice 'lasers'"),
    (["seat bob", "pace flying"], "there is no pace 'flying'"),
    (["seat bob", "next"], "next is not possible for bob now"),
    (["seat bob", "out raider"], "bob does not play"),
    (["seat bob", "harm raider 5"], "harm"),
    (["fix 1 as zoe"], "there is no combatant 'zoe'"),
    (["fight sanna corvin"], "fight is not possible for kim now"),
    (["join corvin"], ""),
    (["harm raider 3 resist=5"], "nothing gets through: 3 against 5"),
    (["seat bob", "fix 1", "roll check dice=command spend=paragon-dice,paragon-dice"], ""),
]


@pytest.mark.parametrize(
    ("lines", "part"),
    every_nth_in_test((pytest.param(*one) for one in WRONG), 3),
    ids=[one[0][-1] for one in WRONG],
)
def test_a_move_out_of_turn_is_refused_with_a_reason(
    night: ScriptedTable, lines: list[str], part: str
) -> None:
    assert part in night.refused(*lines)


@pytest.mark.parametrize("game", ["uwr", "agga", "fons", "tuurna"])
def test_games_without_rounds_of_their_own_have_the_gms_order(game: str, tmp_path: Path) -> None:
    night = ScriptedTable(tmp_path, game)
    out = night.play_ok(
        "seat ann player",
        "fight in order Hunter Wolf Boar",
        "fix 1",
        "act bites",
        "next",
        "join Bear behind Hunter",
        "out Boar",
        "seat ann",
        "fight",
        "seat kim",
        "end fight",
    )
    order = out.partition("ann (player)> fight\n")[2].partition("night ann")[0]
    assert [line.split()[-1] for line in order.splitlines()[1:]] == ["Hunter", "Bear", "Wolf"]
    assert "round 2" in order
