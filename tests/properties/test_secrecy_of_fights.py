"""Non-interference in fights: a seat cannot tell two worlds apart that differ in hidden facts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from effort import sample
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule
from in_memory_table import PlayedTable, sheet
from me_d6_fights import CORVIN, RAIDER, begin_fight, fight_table

from handful import table as tables
from handful.errors import Refused
from handful.table.luck import luck
from handful.table.visibility import ACTION_COSTS, ALL, MODES, combine_modes
from properties.test_secrecy_of_characters import WithCharacters
from table.test_visibility import SEATS, two_worlds

SHADE = "gm/Shade"  # hidden, never rolls in the open, and another one in each world
GHOST = "gm/ghost"  # hidden, without a sheet, and in one world only
PEOPLE = ["ann/Sanna Vey", "bob/Corvin Ade", "gm/Raider"]
CHECKS: list[dict[str, Any]] = [
    {"check": "check", "parameters": {"dice": "perception", "difficulty": 9}},
    {"check": "check", "parameters": {"dice": "perception", "spend": "ask"}},
    {"check": "attack", "parameters": {"dice": "perception", "kind": "melee"}},
    {"check": "attack", "parameters": {"dice": "perception", "kind": "ranged"}},
    {"check": "total", "parameters": {"dice": "3D"}},
]
DOES = [
    "fix",
    "fix",
    "fix",
    "act",
    "wait",
    "react",
    "prepare",
    "stance",
    "pace",
    "end_turn",
    "undo_move",
    "interrupt",
    "out",
]


def secretly(item: str = "") -> PlayedTable:
    """Corvin has acted: with a roll that only Bob knows of, or with none."""
    play = begin_fight(fight_table())
    play.do("bob", "fix", combatant=CORVIN, actions=3)
    if item:
        play.do(
            "bob",
            "declare",
            key="s",
            check="check",
            as_=CORVIN,
            item=item,
            mode="secret",
            parameters={"dice": "4D"},
        )
    else:
        play.do("bob", "act", key="s", combatant=CORVIN)
    return play


@pytest.mark.parametrize("seat", ["gm", "ann", "eve"])
def test_a_secret_roll_looks_like_an_action_without_one(seat: str) -> None:
    heard = [(one.log_of(seat), tables.view(one.table, seat)) for one in map(secretly, ("", "gun"))]
    assert heard[0] == heard[1]


def test_a_secret_roll_leaks_neither_by_undo_nor_by_its_item() -> None:
    again = {"check": "check", "as_": CORVIN, "item": "gun", "parameters": {"dice": "4D"}}
    secretly("gun").do("gm", "declare", **again)
    secretly("gun").do("gm", "undo_move", combatant=CORVIN)


def test_a_secret_roll_in_a_fight_comes_to_its_end_without_the_gm() -> None:
    play = secretly("gun")
    play.do("bob", "throw", roll="bob/s", faces=[2, 2])
    assert play.roll("bob", "bob/s")["phase"] == "finalised"


def test_a_failed_try_against_a_hidden_number_does_not_leak_by_its_task() -> None:
    play = begin_fight(fight_table())
    play.do("bob", "fix", combatant=CORVIN, actions=1)
    melee = {"dice": "1D", "kind": "melee"}
    roll = play.declare("bob", "attack", as_=CORVIN, target=RAIDER, task="him", parameters=melee)
    play.do("bob", "throw", roll=roll, faces=[2])
    play.do("gm", "finalise", roll=roll)
    assert play.roll("gm", roll)["outcome"]["success"] is False
    assert "task_changed" not in [one["kind"] for one in play.log_of("bob")]


class WithFights(WithCharacters):
    """The two worlds once more, in the middle of a fight."""

    @initialize(
        seat=st.sampled_from(SEATS),
        structure=st.sampled_from(["turn", "interleaved"]),
        tie=st.sampled_from(["stable", "roll", "shared"]),
        raider=st.sampled_from(["own", "hidden"]),
        corvin=st.sampled_from(["own", "hidden", "open"]),
        ghost=st.integers(0, 1),
    )
    def open(self, seat: str, structure: str, tie: str, raider: str, corvin: str, ghost: int) -> None:
        self.seat, self.game, self.ghost = seat, "me-d6", ghost
        self.worlds = two_worlds("me-d6", self.hidden)
        self.both("gm", "house_rules", {"options": {"round_structure": structure, "init_final_tie": tie}})
        for owner, name, shown in (
            ("ann", "sanna", "own"),
            ("bob", "corvin", corvin),
            ("gm", "raider", raider),
        ):
            own = {"sheet": sheet("me-d6", name), "shown": shown}
            other = {**own, "sheet": self.other(own["sheet"])}
            self.figures.append(f"{owner}/{own['sheet']['name']}")
            seen = shown == "open" or self.seat in ("gm", owner)
            self.both(owner, "bring", own, own if seen else other)
        shade = sheet("me-d6", "raider", name="Shade")
        both = [{"sheet": shade}, {"sheet": shade if seat == "gm" else self.other(shade)}]
        self.both("gm", "bring", *both)
        self.fight()

    def other(self, own: dict[str, Any]) -> dict[str, Any]:
        """Return a sheet that looks equal but has another Defense."""
        return {**own, "skills": {**own["skills"], "melee": 9}, "notes": "otherwise"}

    def fight(self) -> None:
        there = [{"character": one} for one in PEOPLE] + [{"name": "drone", "initiative": 12}]
        data = [{"combatants": [*there, {"character": SHADE}]}, {"combatants": [*there]}]
        if self.seat == "gm":
            data[1] = data[0]
        else:
            ghost = {"name": "ghost", "hidden": True, "initiative": 40 * (self.count % 2)}
            data[self.ghost]["combatants"].append(ghost)
        self.both("gm", "fight", *data)

    def declare_level(self, name: str, roller: str) -> int:
        together = combine_modes(self.worlds[0].table.mode, name)
        return together.level(self.viewer, roller)

    @rule(
        pick=st.integers(0, 4),
        do=st.sampled_from(DOES),
        by_gm=st.booleans(),
        many=st.integers(1, 3),
    )
    def move(self, pick: int, do: str, by_gm: bool, many: int) -> None:
        fights = [world.table.fight for world in self.worlds]
        turn = [one for fight in fights if fight for one in fight.rounds.turn]
        who = ([*PEOPLE, "gm/drone", SHADE] if many == 3 or not turn else turn * 5)[pick]
        actor = "gm" if by_gm else who.split("/")[0]
        more: dict[str, dict[str, Any]] = {
            "fix": {"actions": many},
            "stance": {"stance": "full_reaction", "choice": ["melee", "ranged"][many % 2]},
            "pace": {"pace": ["walking", "running", "sprinting"][many - 1]},
            "interrupt": {"roll_of": self.rolls[-1] if self.rolls else "gm/1"},
        }
        if do != "out" or many == 2:
            self.both(actor, do, {"combatant": who, **more.get(do, {})})

    @rule(do=st.sampled_from(DOES), many=st.integers(1, 3))
    def a_ghost_moves(self, do: str, many: int) -> None:
        """In the one world that has it; what is possible there depends on nothing else."""
        if self.seat == "gm" or do in ("pace", "interrupt"):
            return
        self.only(
            self.ghost,
            "gm",
            do,
            {
                "combatant": GHOST,
                **(
                    {"fix": {"actions": many}, "stance": {"stance": "full_reaction", "choice": "melee"}}.get(
                        do, {}
                    )
                ),
            },
        )

    def only(self, world: int, actor: str, do: str, data: dict[str, Any]) -> bool:
        """In one world; whether it was done."""
        self.count += 1
        played = self.worlds[world]
        played.count = self.count + 100
        try:
            played.do(actor, do, key=f"k{self.count}", **data)
        except Refused:
            return False
        return True

    @rule(
        pick=st.integers(0, 3),
        what=st.sampled_from(CHECKS),
        aim=st.integers(0, 6),
        item=st.booleans(),
        task=st.booleans(),
        spends=st.sampled_from(["", "", "", *ACTION_COSTS]),
        name=st.sampled_from(["public", "public", *MODES]),
        by_gm=st.booleans(),
    )
    def action_fields(
        self,
        pick: int,
        what: dict[str, Any],
        aim: int,
        item: bool,
        task: bool,
        spends: str,
        name: str,
        by_gm: bool,
    ) -> None:
        who = [*PEOPLE, SHADE][pick]
        owner = who.split("/")[0]
        actor = "gm" if by_gm else owner
        name = "gm" if who == SHADE and self.seat != "gm" else name
        level = self.declare_level(name, actor)
        data = {**what, "as": who, "mode": name}
        if what["check"] == "attack" and aim < len(PEOPLE):
            data["target"] = PEOPLE[aim]
        data |= {"item": "pistol"} if item else {}
        data |= {"task": "the door"} if task else {}
        data |= {"spends": spends} if spends else {}
        data |= {"interrupts": self.rolls[-1]} if spends == "interruption" and self.rolls else {}
        own = f"{actor}/k{self.count + 1}"
        if level < ALL:
            self.hidden.add(own)
            self.differ.add(own)
        if "target" in data and self.level(data["target"]) < ALL:
            self.differ.add(own)
            self.asked_otherwise.add(own)
        self.rolls.append(own)
        self.both(actor, "declare", data)
        if aim % 2:
            self.both(actor, "throw", {"roll": own})
            self.both("gm", "answer", {"roll": own, "answer": "cancel"})
            self.both("gm", "finalise", {"roll": own})

    @rule(
        pick=st.integers(0, 2),
        world=st.integers(0, 1),
        item=st.booleans(),
        then=st.sampled_from(["", "undo_move", "declare"]),
    )
    def an_action_with_a_hidden_roll_or_with_none(self, pick: int, world: int, item: bool, then: str) -> None:
        """A seat that does not see the roll sees an action and nothing else."""
        who = PEOPLE[pick]
        owner = who.split("/")[0]
        open_to_it = combine_modes(self.worlds[0].table.mode, "secret").roller == ALL
        if owner == self.seat or not open_to_it or not self.in_a_fight(who):
            return
        data = {"check": "check", "as": who, "mode": "secret", "parameters": {"dice": "2D"}}
        data |= {"item": "blade"} if item else {}
        if self.only(world, owner, "declare", data):
            self.differ.add(f"{owner}/k{self.count}")
            other = self.worlds[1 - world]
            other.count = self.count + 100
            other.do(owner, "act", key=f"k{self.count}", combatant=who)
            if then == "undo_move":
                self.both("gm", then, {"combatant": who})
            elif then:
                more = {"item": "blade", "spends": "reaction", "parameters": {"dice": "2D"}}
                self.rolls.append(f"gm/k{self.count + 1}")
                self.both("gm", then, {"check": "check", "as": who, **more})

    @rule(pick=st.integers(0, 99), by_gm=st.booleans())
    def answer_by(self, pick: int, by_gm: bool) -> None:
        """A parry: that there is something to parry is the same where the roll is the same."""
        if not self.rolls:
            return
        roll = self.rolls[pick % len(self.rolls)]
        found = self.worlds[0].table.rolls.get(roll)
        target = found.action_context.get("target", "") if found else ""
        if roll in self.differ or not target or self.level(target) < ALL:
            return
        actor = "gm" if by_gm else target.split("/")[0]
        self.rolls.append(f"{actor}/k{self.count + 1}")
        data = {"check": "check", "as": target, "answers": roll, "parameters": {"dice": "3D"}}
        self.both(actor, "declare", data)

    @rule(damage=st.integers(1, 9), roll=st.booleans(), pick=st.integers(0, 2))
    def harm(self, damage: int, roll: bool, pick: int) -> None:
        """By a hidden roll in one world, by a number in the other; the shade not at all alike."""
        if not roll or self.seat == "gm" or combine_modes(self.worlds[0].table.mode, "secret").roller < ALL:
            more = 1 if self.seat == "gm" else 2
            first = {"character": SHADE, "damage": damage}
            self.both("gm", "harm", first, {**first, "damage": damage * more})
            return
        key = f"k{self.count + 1}"
        self.only(0, "gm", "declare", {"check": "total", "parameters": {"dice": "1D"}, "mode": "secret"})
        self.only(0, "gm", "throw", {"roll": f"gm/{key}", "faces": [3]})
        self.differ.add(f"gm/{key}")
        first = {"character": PEOPLE[pick], "damage": f"gm/{key}", "words": "out of the dark"}
        self.both("gm", "harm", first, {**first, "damage": 3})

    @rule(pick=st.integers(0, 3), do=st.sampled_from(["equip", "forget", "undo_points", "use"]))
    def view_after(self, pick: int, do: str) -> None:
        who = [*PEOPLE, SHADE][pick]
        if who == SHADE and self.seat != "gm":
            return
        more: dict[str, dict[str, Any]] = {
            "equip": {"item": "pistol", "uses": 3, "hot": False},
            "forget": {"task": "the door"},
            "use": {"resource": "medals", "use": "heal"},
        }
        self.both("gm", do, {"character": who, **more.get(do, {})})

    @rule(do=st.sampled_from(["next_round", "fight", "join", "drone", "end"]))
    def go_on(self, do: str) -> None:
        if do == "fight":
            self.fight()
        elif do == "join":
            self.both("gm", "join", {"who": {"character": PEOPLE[1]}})
        elif do == "drone":
            self.both("gm", "join", {"who": {"name": f"d{self.count}", "initiative": 12}})
        else:
            self.both("gm", "end_fight" if self.count % 5 == 0 else "next_round", {})

    @rule(who=st.sampled_from([*PEOPLE, "gm/drone", SHADE, GHOST]), do=st.sampled_from(DOES))
    def grope(self, who: str, do: str) -> None:
        """The seat tries what is not for it to do."""
        more = {
            "fix": {"actions": 1},
            "interrupt": {"roll_of": "gm/k9"},
            "pace": {"pace": "walking"},
            "stance": {"stance": "full_reaction"},
        }
        if self.seat != "gm":
            self.both(self.seat, do, {"combatant": who, **more.get(do, {})})

    @invariant()
    def neither_by_luck_nor_by_sketches(self) -> None:
        if not hasattr(self, "worlds") or self.count % 3:
            return
        found = [json.dumps(luck(world.table, self.seat)) for world in self.worlds]
        assert found[0] == found[1]
        targets = {one for world in self.worlds for one in world.table.characters}
        for own in PEOPLE:
            for target in sorted(targets):
                made = [self.sketched(world, own, target) for world in self.worlds]
                assert made[0] == made[1] or self.level(own) < ALL

    def sketched(self, world: PlayedTable, own: str, target: str) -> str:
        data = {"check": "attack", "as": own, "target": target, "parameters": {"dice": "melee"}}
        try:
            return json.dumps(tables.preview_lines(world.table, self.seat, data))
        except Refused as refusal:
            return refusal.message + refusal.hint


WithFights.TestCase.settings = settings(
    max_examples=sample(5, 20), stateful_step_count=25, deadline=None, phases=[Phase.explicit, Phase.generate]
)
TestWithFights = pytest.mark.sampled(WithFights.TestCase)
