"""Non-interference of hidden characters: a seat that may not see them cannot tell two worlds apart."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from effort import sample
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import rule
from in_memory_table import PlayedTable, sheet

from handful import table as tables
from handful.errors import Refused
from handful.table.visibility import ALL, MODES, NOTHING, PRESENCE, SHEET_MODES, combine_modes, sheet_mode
from table.test_visibility import SEATS, TwoWorlds

RAIDER = sheet("me-d6", "raider")
STRONGER = {
    **RAIDER,
    "attributes": {**RAIDER["attributes"], "mechanical": "9D"},
    "notes": "He knows where they sleep.",
}


def heard(play: PlayedTable, seat: str) -> str:
    """Return everything a seat receives, as text."""
    views = [tables.view(play.table, seat), tables.legal_actions(play.table, seat)]
    return json.dumps(views) + tables.export_log(play.empty, play.entries, seat)


def refusals(play: PlayedTable, seat: str) -> list[str]:
    """Return the answers to a seat's probing commands."""
    found = []
    for do, data in (
        ("declare", {"check": "check", "as": "gm/Raider", "parameters": {"dice": "ranged"}}),
        ("declare", {"check": "check", "as": ["", "gm/Raider"]}),
        ("show", {"character": "gm/Raider", "shown": "open"}),
        ("adjust", {"character": "gm/Raider", "resources": {"hit_points": -99}}),
        ("use", {"character": "gm/Raider", "resource": "medals", "use": "heal"}),
        ("rename", {"character": "gm/Raider", "name": "Nell"}),
        ("dismiss", {"character": "gm/Raider"}),
        ("switch", {"roll": "gm/h", "line": 1, "on": False}),
        ("bring", {"sheet": RAIDER}),
        ("bring", {"sheet": RAIDER, "for": "gm"}),
    ):
        with pytest.raises(Refused) as refusal:
            play.do(seat, do, **data)
        found.append(f"{refusal.value.message} {refusal.value.hint}")
    for wanted in (RAIDER, {**RAIDER, "kind": "pc"}):
        try:
            found.append(json.dumps(tables.preview_sheet(play.table, seat, wanted)))
        except Refused as refusal:
            found.append(refusal.message)
    for name in ("gm/Raider", "ann/Sanna Vey"):
        for ask in (
            lambda one: tables.sheet_text(play.table, seat, one),
            lambda one: json.dumps(tables.character_history(play.rules, play.log_of(seat), one)),
        ):
            try:
                found.append(ask(name))
            except Refused as refusal:
                found.append(refusal.message)
    return found


def evening(npc: dict[str, Any] | None, used: bool = True) -> PlayedTable:
    """A scene in which the GM has a raider, or only numbers."""
    play = PlayedTable("me-d6", ann="player", bob="player", eve="watcher")
    play.do("ann", "bring", key="sanna", sheet=sheet("me-d6", "sanna"))
    if npc is not None:
        play.do("gm", "bring", key="npc", sheet=npc)
        play.do("gm", "adjust", key="adj", character="gm/Raider", resources={"renegade": 1})
        for name in ("gm", "secret"):
            asked = {"dice": "mechanical", "difficulty": 8}
            play.do("gm", "declare", key=name, check="check", as_="gm/Raider", parameters=asked, mode=name)
            play.do("gm", "throw", key=f"t{name}", roll=f"gm/{name}")
        spends = {"dice": "mechanical", "spend": "renegade-bonus"}
        play.do("gm", "declare", key="h", check="check", as_="gm/Raider", parameters=spends, mode="gm")
        play.do("gm", "add_line", key="l", roll="gm/h", parameter="bonus", value="1D")
    play.count = 50
    if npc is not None and used:  # the same numbers, from his sheet or typed
        by, asked = {"as_": "gm/Raider"}, {"dice": "perception", "difficulty": 8}
    else:
        by, asked = {}, {"dice": "2D+1", "difficulty": 8}
    play.do("gm", "declare", key="open", check="check", parameters=asked, **by)
    play.do("gm", "add_line", key="more", roll="gm/open", parameter="bonus", value=1, note="rage")
    play.do("gm", "throw", key="t", roll="gm/open")
    play.do(
        "gm",
        "declare",
        key="two",
        check="opposed",
        as_=["ann/Sanna Vey", by.get("as_", "")],
        sides=[{"dice": "repair"}, {"dice": asked["dice"]}],
    )
    play.do("gm", "throw", key="t2", roll="gm/two")
    return play


@pytest.mark.parametrize("name", ["Raider", "Somebody else"])
def test_a_character_does_not_return_more_hidden_than_before(name: str) -> None:
    """A roll in its name would visibly lose its contributions."""
    play = PlayedTable("me-d6", ann="player")
    play.do("gm", "bring", sheet=RAIDER, shown="open")
    roll = play.declare("gm", "check", as_="gm/Raider", parameters={"dice": "mechanical"})
    play.do("gm", "throw", roll=roll)
    if play.roll("gm", roll)["phase"] == "deciding":
        play.do("gm", "answer", roll=roll, answer="none")
    if "finalise" in play.allowed("gm", roll):
        play.do("gm", "finalise", roll=roll)
    play.do("gm", "dismiss", character="gm/Raider")
    before = play.roll("ann", roll)
    with suppress(Refused):
        play.do("gm", "bring", sheet={**RAIDER, "name": name})
    assert play.roll("ann", roll) == before
    play.do("gm", "bring", sheet={**RAIDER, "name": "Raider"}, shown="open")


@pytest.mark.parametrize("seat", ["ann", "bob", "eve"])
def test_a_hidden_npc_changes_no_byte(seat: str) -> None:
    worlds = [evening(None), evening(RAIDER), evening(STRONGER), evening(STRONGER, used=False)]
    assert len({heard(one, seat) for one in worlds}) == 1
    if seat != "eve":
        assert len({json.dumps(refusals(one, seat)) for one in worlds}) == 1
    assert "Raider" not in heard(worlds[1], seat)


CAST: dict[str, dict[str, Any]] = {
    "uwr": {"pc": "mira", "npc": "sentry", "pick": {"attribute": "Grace"}, "same": {"attribute": 2}},
    "me-d6": {"pc": "corvin", "npc": "raider", "pick": {"dice": "perception"}, "same": {"dice": "2D+1"}},
    "tuurna": {"pc": "ylir", "npc": "zejhe", "pick": {"level": "Tactics"}, "same": {"level": 0}},
}
OTHERWISE = {
    "uwr": ("attributes", "might", 6.5),
    "me-d6": ("attributes", "mechanical", "9D"),
    "tuurna": ("skills", "craft", 11),
}


class WithCharacters(TwoWorlds):
    """The two worlds again: sheets that the seat does not see are not the same in both."""

    def __init__(self) -> None:
        super().__init__()
        self.figures: list[str] = []

    def level(self, name: str) -> int:
        """Return what the seat sees of a character, in the first world that has it."""
        for world in self.worlds:
            if name in world.table.characters:
                own = world.table.characters[name]
                return own.level_for(self.viewer)
        return NOTHING

    def in_a_fight(self, who: str) -> bool:
        """Return whether rolls of a character are actions, which all seats see."""
        fights = [world.table.fight for world in self.worlds]
        return any(fight is not None and who in fight.rounds for fight in fights)

    def both_sheets(self, kind: str) -> list[dict[str, Any]]:
        own = sheet(self.game, CAST[self.game][kind], kind=kind)
        section, name, value = OTHERWISE[self.game]
        return [own, {**own, section: {**own[section], name: value}, "notes": "otherwise"}]

    @rule(owner=st.sampled_from(SEATS[:3]), by_gm=st.booleans(), shown=st.sampled_from([*SHEET_MODES]))
    def bring(self, owner: str, by_gm: bool, shown: str) -> None:
        actor = "gm" if by_gm else owner
        first, second = self.both_sheets("npc" if owner == "gm" else "pc")
        name = f"{owner}/{first['name']}"
        level = sheet_mode(shown).level(self.viewer, owner)
        if actor == self.seat or level == ALL:
            second = first
        if name not in self.figures:
            self.figures.append(name)
        more = {"shown": shown} | ({"for": owner} if owner != actor else {})
        self.both(actor, "bring", {"sheet": first, **more}, {"sheet": second, **more})

    @rule(
        pick=st.integers(0, 9),
        by_gm=st.booleans(),
        name=st.sampled_from([*MODES]),
        plain=st.booleans(),
        spend=st.booleans(),
        hide=st.booleans(),
    )
    def declare_as(self, pick: int, by_gm: bool, name: str, plain: bool, spend: bool, hide: bool) -> None:
        if not self.figures:
            return
        who = self.figures[pick % len(self.figures)]
        owner = who.split("/")[0]
        actor = "gm" if by_gm else owner
        level = combine_modes(self.worlds[0].table.mode, name).level(self.viewer, actor)
        goal = {"target" if self.game == "uwr" else "difficulty": 2}
        first = {"check": self.check, "as": who, "mode": name}
        first["parameters"] = {**CAST[self.game]["pick"], **goal}
        if spend and self.game == "me-d6":
            first["parameters"]["spend"] = "paragon-bonus"
        if hide and actor == "gm":
            first["hidden"] = [*goal]
        second, own = dict(first), f"{actor}/k{self.count + 1}"
        if plain and self.level(who) == NOTHING and owner == "gm" and not self.in_a_fight(who):
            second = {**first, "parameters": {**first["parameters"], **CAST[self.game]["same"]}}
            second["as"] = []
            self.differ.add(own)
        if level <= PRESENCE and actor != self.seat and self.level(who) < ALL:
            self.differ.add(own)
        if level < ALL:
            self.hidden.add(own)
            self.differ.add(own)
        if "hidden" in first and self.seat != "gm":
            self.differ.add(own)
            second = {**second, "parameters": {**second["parameters"], next(iter(goal)): 3}}
        self.rolls.append(own)
        self.both(actor, "declare", first, second)

    @rule(pick=st.integers(0, 99), add=st.booleans(), line=st.integers(1, 2), on=st.booleans())
    def change_a_line(self, pick: int, add: bool, line: int, on: bool) -> None:
        if not self.rolls:
            return
        roll = self.rolls[pick % len(self.rolls)]
        parameter = {"uwr": "bonus", "me-d6": "bonus", "tuurna": "labor"}[self.game]
        if add:
            more = {"roll": roll, "parameter": parameter, "value": 1, "note": "why"}
            self.both("gm", "add_line", more)
        else:
            self.both("gm", "switch", {"roll": roll, "line": line, "on": on})

    @rule(pick=st.integers(0, 9), by=st.sampled_from([-1, 1]))
    def adjust(self, pick: int, by: int) -> None:
        if not self.figures:
            return
        who = self.figures[pick % len(self.figures)]
        name = {"uwr": "vitality", "me-d6": "renegade", "tuurna": "luck"}[self.game]
        first = {"character": who, "resources": {name: by}}
        second = {"character": who, "resources": {name: -by}}
        self.both("gm", "adjust", first, second if self.level(who) < ALL else first)

    @rule(pick=st.integers(0, 9), shown=st.sampled_from([*SHEET_MODES]), actor=st.sampled_from(SEATS))
    def show(self, pick: int, shown: str, actor: str) -> None:
        """Let other seats alone see what differs, which is no leak."""
        if not self.figures:
            return
        who = self.figures[pick % len(self.figures)]
        level = sheet_mode(shown).level(self.viewer, who.split("/")[0])
        if level < ALL or self.level(who) == ALL:
            self.both(actor, "show", {"character": who, "shown": shown})

    @rule(pick=st.integers(0, 9), actor=st.sampled_from(SEATS), name=st.sampled_from(["Nell", "Jo"]))
    def rename(self, pick: int, actor: str, name: str) -> None:
        who = self.figures[pick % len(self.figures)] if self.figures else "gm/Nobody"
        self.both(actor, "rename", {"character": who, "name": name})

    @rule(pick=st.integers(0, 9), actor=st.sampled_from(SEATS))
    def dismiss(self, pick: int, actor: str) -> None:
        who = self.figures[pick % len(self.figures)] if self.figures else "gm/Nobody"
        self.both(actor, "dismiss", {"character": who})

    @rule(pick=st.integers(0, 9), by_gm=st.booleans(), note=st.sampled_from(["a", "b"]))
    def update(self, pick: int, by_gm: bool, note: str) -> None:
        """Replace a sheet in both worlds, as its owner."""
        who = self.figures[pick % len(self.figures)] if self.figures else ""
        if any(who not in one.table.characters for one in self.worlds):
            return
        owner, name = who.split("/")
        data = []
        for world in self.worlds:
            own = {one["character"]: one for one in tables.view(world.table, "gm")["characters"]}
            if who not in own:
                return
            newer = {**own[who]["sheet"], "notes": note + (name if data else "")}
            if self.level(who) == ALL:
                newer["notes"] = note
            data.append({"sheet": newer, "replaces": own[who]["mark"], "for": owner})
        self.both("gm" if by_gm else owner, "bring", *data)

    @rule(world=st.integers(0, 1), pick=st.integers(0, 9), spend=st.booleans())
    def rolled_in_secret_in_one_world_only(self, world: int, pick: int, spend: bool) -> None:
        """It may be refused, but neither points nor the way out may tell of it."""
        who = self.figures[pick % len(self.figures)] if self.figures else ""
        owner, played = who.split("/")[0], self.worlds[world]
        if owner in ("", self.seat) or self.level(who) == NOTHING:
            return
        self.count += 1
        played.count = self.count + 100
        asked = dict(CAST[self.game]["pick"])
        if spend and self.game == "me-d6":
            asked["spend"] = "paragon-bonus"
        self.differ.add(f"{owner}/k{self.count}")
        with suppress(Refused):
            played.do(
                owner,
                "declare",
                key=f"k{self.count}",
                check=self.check,
                as_=who,
                mode="secret",
                parameters=asked,
                **({"spends": "nothing"} if self.in_a_fight(who) else {}),
            )

    @rule(world=st.integers(0, 1), pick=st.integers(0, 1))
    def somebody_in_one_world_only(self, world: int, pick: int) -> None:
        if self.seat == "gm":
            return
        self.count += 1
        own = {**self.both_sheets("npc")[pick], "name": f"Shade {self.count}"}
        played, key = self.worlds[world], f"k{self.count}"
        played.count = self.count + 100
        played.do("gm", "bring", key=key, sheet=own)
        if played.table.mode != "secret":
            who = f"gm/{own['name']}"
            asked = {"check": self.check, "parameters": CAST[self.game]["pick"]}
            with suppress(Refused):  # somebody without dice rolls nothing
                played.do("gm", "declare", key=f"{key}d", as_=who, mode="gm", **asked)
                self.differ.add(f"gm/{key}d")


WithCharacters.TestCase.settings = settings(
    max_examples=sample(8, 40), stateful_step_count=20, deadline=None, phases=[Phase.explicit, Phase.generate]
)
TestWithCharacters = pytest.mark.sampled(WithCharacters.TestCase)
