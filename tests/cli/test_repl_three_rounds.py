"""A three-round fight of me-d6, rule by rule, typed at one passed-around screen.

An early parry, a full reaction by the slowest, a ranged attack that overheats, a point after
damage dice, a free action granted by the GM, and a critical failure.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from repl_scripts import ScriptedTable

CORVIN, RAIDER, SANNA = "Corvin Ade", "Raider", "Sanna Vey"

# Corvin, the raider, Sanna: in this order
CAST = [
    "seat ann player",
    "seat bob player",
    "bring corvin for ann",
    "bring sanna for bob",
    "bring raider shown=own",
    "adjust sanna hit_points=12",
    "fight sanna corvin",
    "join raider behind corvin",
]
# Corvin strikes; the raider takes the hit, and a Renegade point makes it worse
BLOW = [
    "seat ann",
    "fix 2",
    'roll attack against raider item="ship\'s axe" faces=5,4',
    "none",
    "seat kim",
    "take hit",
    "finalise",
    "seat ann",
    "hit damage faces=3,4,5,2",
    "renegade-bonus",
    "finalise",
    "end",
    "seat kim",
    "hit resist faces=2,2,3",
    "harm raider ann/2 resist=kim/1 a pipe",
]
# the raider strikes back with the first of two actions: Sanna, who comes later, parries
PARRY = [
    "fix 2",
    "roll attack dice=melee as raider against sanna faces=6,3",
    "seat bob",
    "what",
    "parry actions=2 faces=5,5,4",
    "none",
    "seat kim",
    "finalise",
    "act kicks the crate over as raider",
    "seat bob",
    "act shuts the hatch",
    "seat ann",
    "seat kim",
    "fight",
]
# the raider strikes again, and Sanna does nothing but look out, before her turn
FULL_REACTION = [
    "next",
    "seat ann",
    "fix 1",
    "act reloads",
    "seat kim",
    "fix 2",
    "declare attack dice=melee as raider against sanna",
    "seat bob",
    "stance Full reaction Melee Defense",
    "seat kim",
    "throw 6 3",
    "finalise",
    "end",
    "seat ann",
    "seat kim",
    "fight",
]
# Corvin has no action left and looks around for free
FREE_ACTION = [
    "next",
    "seat ann",
    "fix 1",
    "act takes cover",
    "seat kim",
    "grant corvin free action",
    "seat ann",
    "roll check dice=search difficulty=10 spends=nothing faces=1,5,3,3",
    "seat kim",
    "answer cancel dust in the eyes",
    "seat ann",
    "answer none",
    "finalise",
    "seat bob",
    "seat kim",
    "fix 1",
    "end",
]
SHOT = [
    "seat bob",
    "fix 1",
    "roll attack dice=ranged against raider item=pistol faces=1,4,5",
    "seat kim",
    "answer complication smoke",
    "seat bob",
    "answer none",
    "seat kim",
    "finalise",
    "seat ann",
    "seat kim",
    "fight",
]


@pytest.fixture
def night(tmp_path: Path) -> ScriptedTable:
    night = ScriptedTable(tmp_path, "me-d6")
    night.play_ok(*CAST)
    return night


def screen(out: str, seat: str) -> str:
    """Everything that was shown while a seat had the screen, with lines that were folded joined."""
    parts = re.split(r"\(me-d6\): (\w+), \w+", out)
    shown = [text for who, text in zip(parts[1::2], parts[2::2], strict=True) if who == seat]
    return " ".join("\n".join(shown).split())


def actions(night: ScriptedTable) -> dict[str, tuple[int | None, int | None]]:
    """Actions left, and of how many."""
    order = night.view("kim")["fight"]["order"]
    return {one["name"]: (one["left"], one["actions"]) for one in order}


def sheet(night: ScriptedTable, name: str) -> dict[str, Any]:
    there: list[dict[str, Any]] = night.view("kim")["characters"]
    return next(one for one in there if one["name"] == name)


def points(night: ScriptedTable, name: str, resource: str) -> int:
    found: int = sheet(night, name)["sheet"]["resources"][resource]
    return found


def says(text: str, *parts: str) -> None:
    for part in parts:
        assert part in text, part


def hides(text: str, *parts: str) -> None:
    for part in parts:
        assert part not in text, part


def test_a_fight_of_three_rounds_by_the_book(night: ScriptedTable) -> None:
    _a_point_after_damage_dice(night, night.play_ok(*BLOW))
    _an_early_parry(night, night.play_ok(*PARRY))
    _a_full_reaction_by_the_slowest(night, night.play_ok(*FULL_REACTION))
    _a_free_action_and_a_critical_failure(night, night.play_ok(*FREE_ACTION))
    _a_weapon_overheats(night, night.play_ok(*SHOT))
    night.play_ok("end fight")
    assert night.view("kim")["fight"] is None


def _a_point_after_damage_dice(night: ScriptedTable, out: str) -> None:
    kim, ann = screen(out, "kim"), screen(out, "ann")
    says(kim, "ann/1 hits Raider: total 13; parry (or parry actions=2), or take hit ann/1")
    says(
        ann,
        "Spend a Paragon or Renegade point for +3?",
        "a Renegade point: +3",
        "hidden from you: Defense",
        "Corvin Ade spends 1 Renegade (now 1) for ann/2",
        "ann/2 is final: total 17",
    )
    hides(ann, "<- best", "defense=12", "success", "hit points 21/30")
    says(out, 'Raider: Hit points -9 (now 21) "a pipe"')
    assert points(night, RAIDER, "hit_points") == 21
    assert points(night, CORVIN, "renegade") == 1
    assert actions(night)[CORVIN] == (1, 2)


def _an_early_parry(night: ScriptedTable, out: str) -> None:
    bob, ann = screen(out, "bob"), screen(out, "ann")
    says(bob, "kim/2 hits Sanna Vey: total 12; parry (or parry actions=2), or take hit kim/2")
    hides(bob.partition("parry actions=2 faces")[2].partition("seat kim")[0], "<- best")
    hides(ann, "hits Sanna Vey")
    for text in (screen(out, "kim"), ann, bob):
        says(text, "Parried: no damage")
    assert actions(night) == {CORVIN: (1, 2), RAIDER: (0, 2), SANNA: (0, 2)}
    assert points(night, SANNA, "hit_points") == 29
    kinds = night.kinds()
    assert kinds.count("reacted") == 1
    assert kinds.count("hit_taken") == 1


def _a_full_reaction_by_the_slowest(night: ScriptedTable, out: str) -> None:
    kim, ann = screen(out, "kim"), screen(out, "ann")
    says(
        kim,
        "Corvin Ade loses 1 action",
        "total 12: failure by 7",
        "Sanna Vey no actions attacked, Full reaction (Melee Defense)",
    )
    says(ann, "Sanna Vey: Full reaction (Melee Defense)", "kim/3 is final: total 12 (target hidden)")
    hides(ann, "failure", "defense=9", "difficulty 19")
    hides(screen(out, "bob"), "take hit")
    assert actions(night) == {CORVIN: (0, 1), RAIDER: (1, 2), SANNA: (0, 0)}
    assert points(night, SANNA, "hit_points") == 29


def _a_free_action_and_a_critical_failure(night: ScriptedTable, out: str) -> None:
    mark = "(free action, granted by the GM)"
    for seat in ("kim", "ann", "bob"):
        says(screen(out, seat), mark, "Critical failure", "total 7 against 10: failure by 3")
    for seat in ("ann", "bob"):
        says(screen(out, seat), 'cancel, the highest die is canceled (ruling) "dust in the eyes"')
    says(screen(out, "ann"), "the GM grants Corvin Ade a free action")
    hides(screen(out, "bob"), "the GM grants")
    hides(out, "kim (gm) answer [")  # what the player decides is not asked of the GM
    assert actions(night) == {CORVIN: (0, 1), RAIDER: (1, 1), SANNA: (None, None)}
    assert points(night, CORVIN, "paragon") == 2


def _a_weapon_overheats(night: ScriptedTable, out: str) -> None:
    for seat in ("kim", "ann", "bob"):
        says(screen(out, seat), "Critical failure", "The weapon overheats", "A complication")
    for seat in ("ann", "bob"):
        hides(screen(out, seat), "defense=9", "success")
    says(screen(out, "kim"), "Sanna Vey: pistol, out of use")
    assert sheet(night, SANNA)["items"]["pistol"]["hot"] is True
    assert actions(night) == {CORVIN: (0, 1), RAIDER: (1, 1), SANNA: (0, 1)}
    shot = "roll attack dice=ranged against raider item=pistol"
    assert "pistol of Sanna Vey is out of use" in night.refused(
        "next", "end as corvin", "end as raider", "seat bob", "fix 1", shot
    )


@pytest.mark.proof
def test_the_same_fight_at_a_terminal(night: ScriptedTable) -> None:
    terminal = pytest.importorskip("pseudo_terminal", reason="needs a pseudo-terminal")
    steps = [("seat [1]: ", "kim")]
    for line in [*BLOW, *PARRY, *FULL_REACTION, *FREE_ACTION, *SHOT, "quit"]:
        steps.append(("> ", line))
        if line.startswith("seat "):
            steps.append((f"Pass the screen to {line[5:]}, then press Enter. ", ""))
    status, text = terminal.talk(["play", str(night.file)], steps)
    assert status == 0, text
    assert "Traceback" not in text
    assert actions(night) == {CORVIN: (0, 1), RAIDER: (1, 1), SANNA: (0, 1)}
    assert sheet(night, SANNA)["items"]["pistol"]["hot"] is True
