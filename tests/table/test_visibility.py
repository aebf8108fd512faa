"""Visibility: a test per mode, hidden targets, reveals, and non-interference of hidden rolls."""

from __future__ import annotations

import json
from typing import Any

import pytest
from effort import sample
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from in_memory_table import PlayedTable, usual_table

from handful import table as tables
from handful.errors import Refused
from handful.table import KeyedDice, Viewer
from handful.table.key_streams import Place
from handful.table.messages import text_mark
from handful.table.visibility import ALL, DECLARED, HIDDEN, MODES, PRESENCE, combine_modes

PARAMETERS = {"attribute": 3, "rerolls": 1, "target": 2}
SEATS = ("gm", "ann", "bob", "eve")
LATE = "zoe"  # sits down in the middle


@pytest.fixture
def play() -> PlayedTable:
    return usual_table()


# -- modes


def seen_by(play: PlayedTable, roll: str) -> dict[str, str]:
    """Visibility of a roll per seat: nothing, its existence, its declaration, or all."""
    made = {}
    for seat in SEATS:
        if not play.sees(seat, roll):
            made[seat] = "nothing"
            continue
        found = play.roll(seat, roll)
        made[seat] = "all" if "dice" in found else "declared" if "asked" in found else "presence"
    return made


@pytest.mark.parametrize(
    ("name", "roller", "expected"),
    [
        ("public", "ann", {"gm": "all", "ann": "all", "bob": "all", "eve": "all"}),
        ("private", "ann", {"gm": "all", "ann": "all", "bob": "presence", "eve": "presence"}),
        ("blind", "ann", {"gm": "all", "ann": "declared", "bob": "presence", "eve": "presence"}),
        ("secret", "ann", {"gm": "nothing", "ann": "all", "bob": "nothing", "eve": "nothing"}),
        ("secret", "gm", {"gm": "all", "ann": "nothing", "bob": "nothing", "eve": "nothing"}),
        ("gm", "ann", {"gm": "all", "ann": "nothing", "bob": "nothing", "eve": "nothing"}),
    ],
)
def test_each_mode_shows_its_part(
    play: PlayedTable, name: str, roller: str, expected: dict[str, str]
) -> None:
    actor = "gm" if name == "gm" else roller
    roll = play.declare(actor, parameters=PARAMETERS, mode=name, for_=roller)
    assert seen_by(play, roll) == expected


def test_of_two_settings_the_stricter_wins(play: PlayedTable) -> None:
    play.do("gm", "visibility", mode="private")
    roll = play.declare("ann", parameters=PARAMETERS, mode="public")
    assert seen_by(play, roll)["bob"] == "presence"
    play.do("gm", "visibility", mode="blind")
    assert seen_by(play, play.declare("ann", mode="private"))["ann"] == "declared"
    with pytest.raises(Refused, match="everybody"):
        play.declare("ann", mode="secret")
    for one in MODES:
        for other in MODES:
            both = combine_modes(one, other)
            assert both == combine_modes(other, one)
            for viewer in (Viewer("gm", "gm"), Viewer("ann", "player")):
                levels = [MODES[name].level(viewer, "ann") for name in (one, other)]
                assert both.level(viewer, "ann") <= min(levels)


def test_unknown_means_hidden() -> None:
    assert combine_modes("public", "something new") == HIDDEN
    entry = {"kind": "something_new_happened", "seat": "gm", "data": {"secret": 1}, "version": 3}
    event = tables.read_event({**entry, "command": {"key": "", "print": ""}})
    assert tables.redact(event, Viewer("gm", "gm"), usual_table().table) is None


def test_a_hidden_roll_leaves_no_trace(play: PlayedTable) -> None:
    roll = play.declare("gm", parameters=PARAMETERS, mode="secret")
    with pytest.raises(Refused) as hidden:
        play.do("bob", "throw", roll=roll)
    with pytest.raises(Refused) as missing:
        play.do("bob", "throw", roll="gm/nothing")
    assert hidden.value.message == missing.value.message.replace("gm/nothing", roll)
    with pytest.raises(Refused):
        tables.odds(play.table, "bob", roll)


def test_a_hidden_target_gives_a_distribution_and_never_a_success(play: PlayedTable) -> None:
    roll = play.declare("gm", parameters=PARAMETERS, hidden=["target"], for_="ann")
    assert tables.odds(play.table, "ann", roll)["success"] is None
    assert tables.odds(play.table, "ann", roll)["distribution"]
    assert tables.odds(play.table, "gm", roll)["success"] is not None
    play.do("ann", "throw", roll=roll, faces=[6, 5, 1])
    assert set(tables.odds(play.table, "ann", roll)["answers"].values()) == {None}
    play.do("ann", "answer", roll=roll, answer=[])
    play.do("ann", "finalise", roll=roll)
    assert play.roll("ann", roll)["outcome"]["successes"] == 2
    assert play.roll("ann", roll)["outcome"]["success"] is None
    assert play.roll("gm", roll)["outcome"]["success"] is True
    assert "target" not in json.dumps([one["data"].get("asked") for one in play.log_of("ann")])
    play.do("gm", "reveal_target", roll=roll)
    assert play.roll("ann", roll)["outcome"]["success"] is True


def test_parameters_visible_in_the_dice_cannot_be_hidden(play: PlayedTable) -> None:
    with pytest.raises(Refused, match="dice would show"):
        play.declare("gm", parameters={"attribute": 3, "difficulty": "easy"}, hidden=["difficulty"])
    play.declare("gm", parameters={"attribute": 3, "difficulty": "extreme"}, hidden=["difficulty"])


def test_parameters_visible_in_a_later_question_cannot_be_hidden() -> None:
    """On a 1 the GM would be asked, or not: the roller would see the difference."""
    play = PlayedTable("me-d6", ann="player")
    asked = {"dice": "3D", "difficulty": 9, "ruling": "cancel"}
    with pytest.raises(Refused, match="the questions about them"):
        play.declare("gm", "check", parameters=asked, hidden=["ruling"], for_="ann")
    with pytest.raises(Refused, match="difficulty, margin or success would be wrong"):
        play.declare("gm", "check", parameters={**asked, "modifier": 4}, hidden=["modifier"])
    play.declare("gm", "attack", parameters={"dice": "3D", "defense": 9}, hidden=["defense"])
    with pytest.raises(Refused, match="nothing can be rolled"):
        play.declare("gm", "check", parameters=asked, hidden=["dice"])
    play.declare("gm", "check", parameters=asked, hidden=["difficulty"], for_="ann")


def test_a_roll_can_be_revealed_later(play: PlayedTable) -> None:
    roll = play.declare("gm", parameters={"attribute": 3, "target": 2}, mode="secret")
    play.do("gm", "throw", roll=roll)
    play.do("gm", "reveal", roll=roll, to=["bob"])
    assert seen_by(play, roll) == {"gm": "all", "ann": "nothing", "bob": "all", "eve": "nothing"}
    assert [one["kind"] for one in play.log_of("bob")][-1] == "roll_revealed"
    story = play.log_of("bob")[-1]["data"]["story"]
    assert story["replies"][0]["faces"] == [d["face"] for d in play.roll("gm", roll)["dice"]]
    assert all("roll" not in one["data"] for one in play.log_of("ann"))


def test_keys_are_sent_only_to_seats_that_see_the_roll(play: PlayedTable) -> None:
    roll = play.declare("ann", parameters={"attribute": 3}, mode="private")
    play.do("ann", "throw", roll=roll)
    key = play.roll("ann", roll)["key"]
    assert key
    assert key not in json.dumps([play.log_of("bob"), tables.view(play.table, "bob")])
    assert key in json.dumps(play.log_of("gm"))


def test_the_end_of_a_blind_roll_is_not_announced() -> None:
    """Dice that need a ruling end later than others; the roller must not hear the difference."""
    heard = []
    for wild in (1, 3, 6):
        play = PlayedTable("me-d6", ann="player", bob="player")
        asked = {"dice": "2D", "difficulty": 5, "ruling": "ask"}
        roll = play.declare("ann", "check", parameters=asked, mode="blind")
        play.do("gm", "throw", roll=roll, faces=[wild, 2, 2] if wild == 6 else [wild, 2])
        heard.append([(play.log_of(seat), tables.view(play.table, seat)) for seat in ("ann", "bob")])
    assert heard[0] == heard[1] == heard[2]


def ruled(wild: int, **mode: str) -> tuple[PlayedTable, str]:
    """Ann's roll, over, with or without a ruling: what fits it now depends on its dice."""
    play = PlayedTable("me-d6", ann="player", bob="player")
    asked = {"dice": "2D", "difficulty": 5, "ruling": "ask"}
    roll = play.declare("ann", "check", parameters=asked, **mode)
    play.do("gm", "throw", roll=roll, faces=[wild, 2])
    if wild == 1:
        play.do("gm", "answer", roll=roll, answer="cancel")
        play.do("gm", "finalise", roll=roll)
    return play, roll


def test_a_failed_correction_of_a_blind_roll_is_not_announced() -> None:
    heard = []
    for wild in (1, 3):
        play, roll = ruled(wild, mode="blind")
        play.count = 50
        try:
            play.do("gm", "correct", roll=roll, parameters={"ruling": "complication"})
        except Refused:
            assert wild == 1
        heard.append([(play.log_of(seat), tables.view(play.table, seat)) for seat in ("ann", "bob")])
    assert heard[0] == heard[1]


@pytest.mark.parametrize("mode", ["blind", "private"])
def test_a_contest_with_an_unseen_roll_is_not_announced(mode: str) -> None:
    """It is made when its rolls are over, and when that is depends on their dice."""
    play, roll = ruled(3, mode=mode)
    other = play.declare("bob", "check", parameters={"dice": "2D"})
    play.do("bob", "throw", roll=other, faces=[2, 2])
    before = [play.log_of(seat) for seat in ("ann", "bob")]
    play.do("gm", "contest", key="c", check="opposed", rolls=[roll, other])
    after = [play.log_of(seat) for seat in ("ann", "bob")]
    assert after[1] == before[1]
    assert (after[0] == before[0]) == (mode == "blind")
    assert play.sees("gm", "gm/c")


# -- the proof


class OtherDice:
    """Dice with equal commitments but other faces for rolls whose dice the seat does not see."""

    def __init__(self, dice: Any, hidden: set[str]) -> None:
        self._dice, self._hidden = dice, hidden
        self.world: Any = None  # the table that is played with them

    def __getattr__(self, name: str) -> Any:
        return getattr(self._dice, name)

    def faces(self, place: Place, throw: int, count: int, sides: int, entropy: str) -> tuple[int, ...]:
        own: tuple[int, ...] = self._dice.faces(place, throw, count, sides, entropy)
        found = [roll for roll, one in self.world.table.keys.places.items() if one == place]
        roll = found[0] if found else self.world.new_id  # declared by the same command
        return tuple(sides + 1 - face for face in own) if roll in self._hidden else own


def two_worlds(game: str, hidden: set[str]) -> list[Any]:
    """Return two tables; in the second one hidden rolls have other faces."""
    people = {"ann": "player", "bob": "player", "eve": "watcher"}
    worlds = [PlayedTable(game, KeyedDice(bytes(32)), **people) for _ in range(2)]
    worlds[1].dice = OtherDice(worlds[1].dice, hidden)
    worlds[1].dice.world = worlds[1]
    return worlds


class TwoWorlds(RuleBasedStateMachine):
    """Two tables that differ in what is hidden from one seat; that seat cannot tell them apart."""

    @property
    def viewer(self) -> Viewer:
        return Viewer(self.seat, {"gm": "gm", "eve": "watcher"}.get(self.seat, "player"))

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.hidden: set[str] = set()  # rolls of which the seat does not see the dice
        self.differ: set[str] = set()  # rolls that are not the same in both worlds
        self.asked_otherwise: set[str] = set()  # those whose parameters differ
        self.rolls: list[str] = []

    @initialize(seat=st.sampled_from([*SEATS, LATE]), game=st.sampled_from(["uwr", "me-d6", "tuurna"]))
    def open(self, seat: str, game: str) -> None:
        self.seat, self.game = seat, game
        self.worlds = two_worlds(game, self.hidden)

    def both(self, actor: str, do: str, first: dict[str, Any], second: dict[str, Any] | None = None) -> None:
        """Send one command to both worlds; the seat must get equal answers to its own."""
        self.count += 1
        heard = []
        for world, data in zip(self.worlds, (first, second or first), strict=True):
            world.count = self.count + 100
            try:
                world.do(actor, do, key=f"k{self.count}", **data)
                heard.append("")
            except Refused as refusal:
                heard.append(refusal.message + refusal.hint)
        if actor == self.seat:
            assert heard[0] == heard[1]

    @property
    def check(self) -> str:
        return "direct" if self.game == "uwr" else "check"

    def asked(self, strong: bool, target: int) -> dict[str, Any]:
        goal = {"uwr": "target"}.get(self.game, "difficulty")
        pool = {
            "uwr": {"attribute": 4 if strong else 2, "rerolls": 1},
            "me-d6": {"dice": "3D" if strong else "2D", "ruling": "ask"},
            "tuurna": {"level": 4 if strong else 2},
        }[self.game]
        return {**pool, goal: target}

    @rule(
        roller=st.sampled_from(SEATS[:3]),
        by_gm=st.booleans(),
        name=st.sampled_from([*MODES]),
        strong=st.booleans(),
        goal=st.integers(1, 3),
        hide=st.booleans(),
        throws=st.sampled_from(["later", "next", "at once"]),
    )
    def declare(
        self, roller: str, by_gm: bool, name: str, strong: bool, goal: int, hide: bool, throws: str
    ) -> None:
        actor = "gm" if by_gm else roller
        level = combine_modes(self.worlds[0].table.mode, name).level(self.viewer, roller)
        first = {"check": self.check, "parameters": self.asked(strong, goal), "mode": name}
        first |= {"for": roller} if roller != actor else {}
        if hide and actor == "gm":
            first["hidden"] = [list(first["parameters"])[-1]]
        if throws == "at once":
            first |= {"throw": {}, "finish": True}
        second, own = dict(first), f"{actor}/k{self.count + 1}"
        if actor != self.seat and level <= PRESENCE:
            second["parameters"] = self.asked(not strong, goal % 3 + 1)
            self.asked_otherwise.add(own)
        elif "hidden" in first and self.seat != "gm":
            second["parameters"] = self.asked(strong, goal % 3 + 1)
            self.asked_otherwise.add(own)
            self.differ.add(own)
        if level < ALL:
            self.hidden.add(own)
            self.differ.add(own)
        self.rolls.append(own)
        self.both(actor, "declare", first, second)
        if throws == "next":
            self.both(actor, "throw", {"roll": own})

    @rule(
        to=st.sampled_from(["ann", "bob"]),
        strong=st.booleans(),
        goal=st.integers(1, 3),
        name=st.sampled_from(["public", "private", "blind"]),
        hide=st.booleans(),
        at_once=st.booleans(),
    )
    def request(self, to: str, strong: bool, goal: int, name: str, hide: bool, at_once: bool) -> None:
        """Asked for and accepted at once, perhaps with a hidden target; the rest by `something_legal`."""
        first = {"to": [to], "check": self.check, "parameters": self.asked(strong, goal), "mode": name}
        first |= {"hidden": [list(self.asked(strong, goal))[-1]]} if hide else {}
        second = dict(first)
        if self.seat != "gm" and hide:
            second["parameters"] = self.asked(strong, goal % 3 + 1)
        request = f"gm/k{self.count + 1}"
        self.both("gm", "request", first, second)
        level = combine_modes(self.worlds[0].table.mode, name).level(self.viewer, to)
        for number, seat in enumerate([to, "gm"], 1):  # which of them declares the roll
            roll = f"{seat}/k{self.count + number}"
            self.hidden |= {roll} if level < ALL else set()
            self.asked_otherwise |= {roll} if hide else set()
            self.differ |= {roll} if hide or level < ALL else set()
            self.rolls.append(roll)
        if at_once:
            self.both(to, "declare", {"request": request, "check": self.check, "throw": {}})
        else:
            self.both(to, "propose", {"request": request, "parameters": {}})
        self.both("gm", "accept", {"request": request, "name": to})

    @rule(pick=st.integers(0, 99), other=st.integers(0, 99))
    def contest(self, pick: int, other: int) -> None:
        """Of rolls that are finalised in some world; it differs if one of them does."""
        over = [one.id for world in self.worlds for one in world.table.rolls.values() if one.key]
        if not over:
            return
        parts = [over[-1 - pick % min(len(over), 3)], over[other % len(over)]]
        own = f"gm/k{self.count + 1}"
        if self.differ.intersection(parts):
            self.differ.add(own)
        known = tables.project(self.worlds[0].table, self.seat).rolls
        if any(one not in known or known[one].level < ALL for one in parts):
            self.hidden.add(own)
        self.rolls.append(own)
        check = "contest" if self.game == "tuurna" else "opposed"
        self.both("gm", "contest", {"check": check, "rolls": parts})

    @rule(pick=st.integers(0, 99), other=st.integers(0, 99), together=st.booleans())
    def challenge(self, pick: int, other: int, together: bool) -> None:
        """Sides that need not have rolled: the contest is made by itself, in whichever world."""
        if not self.rolls:
            return
        parts = [self.rolls[at % len(self.rolls)] for at in (pick, other)]
        own = f"gm/k{self.count + 1}"
        if self.differ.intersection(parts):
            self.differ.add(own)
        known = tables.project(self.worlds[0].table, self.seat).rolls
        if any(one not in known or known[one].level < ALL for one in parts):
            self.hidden.add(own)
        check = "contest" if self.game == "tuurna" else "opposed"
        sides = [{"roll": one} for one in parts]
        self.both("gm", "challenge", {"check": check, "sides": sides, "together": together})

    @rule(lie=st.integers(0, 99), world=st.integers(0, 1), faces=st.booleans())
    def call(self, lie: int, world: int, faces: bool) -> None:
        """A call that finds nothing: in one world there is a lie that stands, in the other none."""
        if self.game != "uwr" or self.worlds[0].table.mode != "public" or self.seat == "gm":
            return
        told, key = self.worlds[world], f"k{self.count + 1}"
        asked = {"attribute": 2}
        told.do("gm", "declare", key=key, check="direct", parameters=asked, mode="secret")
        told.do("gm", "throw", key=f"{key}t", roll=f"gm/{key}", faces=[6, 6])
        self.differ.add(f"gm/{key}")
        self.count += 1
        call = f"ann/k{self.count + 1}"
        self.both("ann", "call", {"check": "direct", "parameters": asked})
        roll = f"gm/k{self.count + 1}"
        self.both("gm", "accept", {"request": call, "name": "ann"})
        self.rolls.append(roll)
        self.both("ann", "throw", {"roll": roll, "faces": [6 if faces else 2, 1]})
        against = {"request": call, "against": f"gm/{key}", "check": "opposed"}
        data = [{"request": call}, {"request": call}]
        data[world] = against
        self.differ.add(f"gm/k{self.count + 1}")
        self.both("gm", "settle", *data)

    @rule(name=st.sampled_from(["public", "public", "private", "blind", "secret"]))
    def stricter(self, name: str) -> None:
        self.both("gm", "visibility", {"mode": name})

    @rule(pick=st.integers(0, 999), choice=st.integers(0, 9), world=st.integers(0, 1))
    def something_legal(self, pick: int, choice: int, world: int) -> None:
        """Draw a legal action of one of the worlds; the other may refuse it."""
        table = self.worlds[world].table
        actions = [
            (seat, one)
            for seat in (*SEATS, LATE)
            for one in tables.legal_actions(table, seat)
            if "roll" in one and self.may_be_revealed(one) and (one["do"] != "cancel" or choice < 3)
        ]
        if actions:
            actor, action = actions[pick % len(actions)]
            self.both(actor, action["do"], self.filled(action, choice))

    def may_be_revealed(self, action: dict[str, Any]) -> bool:
        """Revealing what differs is no leak."""
        if action["do"] != "reveal_target" or action["roll"] not in self.asked_otherwise:
            return True
        known = tables.project(self.worlds[0].table, self.seat).rolls.get(action["roll"])
        return known is None or known.level < DECLARED

    def filled(self, action: dict[str, Any], choice: int) -> dict[str, Any]:
        data: dict[str, Any] = {"roll": action["roll"]}
        if action["do"] == "answer" and choice % 2:
            data["throw"] = {}
        match action["do"]:
            case "throw" if choice > 5:
                count = action["count"] if choice % 2 else 1  # all of them, or die by die
                data["faces"] = [(choice * at) % action["sides"] + 1 for at in range(count)]
            case "answer" if "dice" in action:
                data["answer"] = action["dice"][: min(action["at_most"], choice % 3)]
            case "answer":
                data["answer"] = [*action["options"]][choice % len(action["options"])]
            case "judge":
                data["grade"] = "well done"
            case "note":
                data["text"] = f"noted {choice}"
            case "correct" if choice == 9:
                data |= {"throw": 0, "faces": [1, 2]}
            case "correct" if choice > 5:  # whether it fits may depend on the dice
                data["parameters"] = {
                    "uwr": {"rerolls": 0},
                    "me-d6": {"ruling": "complication"},
                    "tuurna": {"leverage": choice % 3},
                }[self.game]
            case "correct":
                asked = [*self.asked(choice % 2 == 0, choice % 3 + 1).items()]
                data |= {"words": "looked at again", "parameters": dict(asked[choice % 2 :])}
            case "reveal":
                others = [
                    one
                    for one in self.worlds[0].table.seats
                    if one != self.seat or action["roll"] not in self.differ
                ]
                data["to"] = [others[choice % len(others)]]
        return data

    @rule(
        actor=st.sampled_from(SEATS),
        pick=st.integers(0, 20),
        do=st.sampled_from(["throw", "answer", "undo", "finalise", "correct", "reveal", "cancel"]),
    )
    def anything(self, actor: str, pick: int, do: str) -> None:
        """Mostly out of turn."""
        roll = self.rolls[pick % len(self.rolls)] if self.rolls else "gm/1"
        more = {
            "answer": {"answer": [1]},
            "reveal": {"to": ["ann" if self.seat != "ann" else "bob"]},
        }
        self.both(actor, do, {"roll": roll, **more.get(do, {})})

    @rule(name=st.sampled_from([*SEATS, LATE]), by_gm=st.booleans())
    def leave(self, name: str, by_gm: bool) -> None:
        self.both("gm" if by_gm else name, "leave", {"name": name})

    @rule(name=st.sampled_from([*SEATS, LATE]), colour=st.sampled_from(["red", "blue", "beige"]))
    def style(self, name: str, colour: str) -> None:
        self.both(name, "style", {"colour": colour})

    @rule(name=st.sampled_from([*SEATS[1:], LATE, LATE]))
    def sit_down(self, name: str) -> None:
        """Reconnect, or join late and receive the earlier events."""
        role = self.worlds[0].table.role(name) or "player"
        self.both("gm", "seat", {"name": name, "role": role})

    @rule(pick=st.integers(0, 1), text=st.sampled_from(["yes", "a longer whisper"]), both=st.booleans())
    def whisper(self, pick: int, text: str, both: bool) -> None:
        """Two others whisper: something else in each world, or in one world only."""
        speaker, other = [one for one in ("gm", "ann", "bob") if one != self.seat][:2]
        if speaker in self.worlds[0].table.left_seats:
            return
        self.count += 1
        for at, world in enumerate(self.worlds):
            if both or at == pick:
                world.count = self.count + 100
                words = text if at else "no"
                world.do(speaker, "say", key=f"k{self.count}", text=words, to=[other])

    @rule(actor=st.sampled_from(SEATS), to=st.sampled_from(SEATS), aloud=st.booleans())
    def say(self, actor: str, to: str, aloud: bool) -> None:
        self.both(actor, "say", {"text": "well"} | ({} if aloud else {"to": [to]}))

    @rule(actor=st.sampled_from(SEATS), text=st.sampled_from(["", "silver"]), pick=st.integers(0, 1))
    def write(self, actor: str, text: str, pick: int) -> None:
        """The scratchpad is everybody's; what GMs note may differ if the seat is none."""
        self.both(actor, "scratchpad", {"text": text, "replaces": text_mark(self.worlds[0].table.scratchpad)})
        world = self.worlds[pick]
        if self.seat == "gm" or "gm" in world.table.left_seats or world.table.role(self.seat) == "gm":
            return
        self.count += 1
        world.count = self.count + 100
        now = text_mark(world.table.gm_notes)
        world.do("gm", "scratchpad", key=f"k{self.count}", text=f"n{pick}", replaces=now, for_gms=True)

    @rule(strong=st.booleans(), pick=st.integers(0, 1))
    def only_in_one_world(self, strong: bool, pick: int) -> None:
        """A roll that the seat does not even know of need not be there at all."""
        roller, name = ("ann", "secret") if self.seat == "gm" else ("gm", "secret")
        self.count += 1
        world, key = self.worlds[pick], f"k{self.count}"
        world.count = self.count + 100
        asked = self.asked(strong, 1)
        self.differ.add(f"{roller}/{key}")
        other = "bob" if self.seat != "bob" else "ann"
        if {roller, other} & {*world.table.left_seats}:
            return
        if self.seat != "gm":
            world.do("gm", "request", key=f"{key}r", to=[other], check=self.check)
        if combine_modes(world.table.mode, name).roller == ALL:
            world.do(roller, "declare", key=key, check=self.check, parameters=asked, mode=name)
            world.do(roller, "throw", key=f"{key}t", roll=f"{roller}/{key}")

    @invariant()
    def the_seat_cannot_tell(self) -> None:
        if not hasattr(self, "worlds") or self.seat not in self.worlds[0].table.seats:
            return
        views, logs, odds = [], [], []
        for world in self.worlds:
            seen = tables.view(world.table, self.seat)
            views.append(json.dumps(seen))
            logs.append(tables.export_log(world.empty, world.entries, self.seat))
            odds.append([self.odds_of(world, one["roll"]) for one in seen["rolls"][-1:]])
        assert views[0] == views[1]
        assert logs[0] == logs[1]
        assert odds[0] == odds[1]

    def odds_of(self, world: PlayedTable, roll: str) -> str:
        try:
            return json.dumps(tables.odds(world.table, self.seat, roll))
        except Refused as refusal:
            return refusal.message


# Without shrinking: it takes minutes for a long run and shows little more.
TwoWorlds.TestCase.settings = settings(
    max_examples=sample(15, 80),
    stateful_step_count=20,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
)
TestTwoWorlds = pytest.mark.sampled(TwoWorlds.TestCase)
