"""Random fights keep the invariants of order, actions, hit points and points."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from effort import FULL
from in_memory_table import PlayedTable
from me_d6_fights import CORVIN, RAIDER, SANNA, fight_table

from handful import table as tables
from handful.errors import Refused
from handful.sheet import derive
from handful.table import Event
from handful.table.visibility import ACTION_COSTS
from handful.verifier import verify

OWNERS = {SANNA: "ann", CORVIN: "bob", RAIDER: "gm", "gm/drone": "gm", "gm/ghost": "gm"}
PEOPLE = [SANNA, CORVIN, RAIDER]
ITEMS, TASKS = ("pistol", "blade"), ("the vault", "the door")
OPTIONS = [
    {},
    {"round_structure": "interleaved"},
    {"round_structure": "interleaved", "initiative_division": True, "free_move": "half_only"},
    {"init_final_tie": "roll", "parry": "instead_of_defense"},
    {"init_final_tie": "shared", "full_reaction_covers": "all"},
]
PARAMETERS: list[dict[str, Any]] = [
    {"dice": "command", "difficulty": 12},
    {"dice": "ranged", "ranged": True, "difficulty": 9, "spend": "ask"},
    {"dice": "persuasion", "spend": "paragon-dice"},
    {"dice": "repair", "difficulty": 16, "spend": "medal,renegade-bonus"},
    {"dice": "4D", "spend": "paragon-bonus,renegade-bonus"},
    {"dice": "con", "rush": "1/2", "base_time": 5},
]
MOVES = ("fix", "act", "wait", "interrupt", "react", "stance", "prepare", "pace", "end_turn")
LEFT = (
    ("declare",) * 8
    + ("throw",) * 5
    + ("answer", "finalise") * 3
    + (
        "harm",
        "use",
        "adjust",
        "undo_points",
        "undo_move",
        "cancel",
        "undo",
        "next_round",
        "join",
        "out",
        "uncover",
        "show",
        "equip",
        "forget",
        "switch",
        "correct",
        "fight",
        "end_fight",
    )
)


def combatants(chance: random.Random) -> list[dict[str, Any]]:
    there: list[dict[str, Any]] = [{"character": one} for one in PEOPLE if chance.random() < 0.8]
    there += [{"name": "drone", "initiative": 12}] if chance.random() < 0.5 else []
    return [*there, {"name": "ghost", "hidden": True}]


def declared(chance: random.Random, play: PlayedTable, who: str) -> dict[str, Any]:
    """Return the fields of a roll of a character, mostly an action of the fight."""
    rolls = [*play.table.rolls][-5:] or ["gm/1"]
    kind = chance.choice(["melee", "brawling", "ranged"])
    made: dict[str, Any] = chance.choice(
        [
            {"check": "check", "parameters": chance.choice(PARAMETERS)},
            {"check": "attack", "parameters": {"dice": kind, "kind": kind}, "target": chance.choice(PEOPLE)},
            {"check": "check", "answers": chance.choice(rolls)},
            {"check": "take10", "parameters": {"attribute": "repair"}},
            {"check": "total", "parameters": {"dice": "3D"}},
            {"check": "opposed", "sides": [{"dice": "con"}, {"dice": "3D"}]},
        ]
    )
    both = made["check"] == "opposed" and chance.random() < 0.7
    made |= {"as": [who, chance.choice(PEOPLE)] if both else [who]}
    for name, values in (("item", ITEMS), ("task", TASKS), ("spends", ACTION_COSTS)):
        if chance.random() < 0.3:
            made[name] = chance.choice(values)
    if made.get("spends") == "interruption":
        made["interrupts"] = chance.choice(rolls)
    if chance.random() < 0.2:
        made["mode"] = chance.choice([*tables.MODES])
    return made


def likely(chance: random.Random, play: PlayedTable, seat: str, who: str) -> tuple[str, str]:
    """A move, and who makes it: mostly one that a seat may make."""
    may = [
        (one["do"], one["combatant"]) for one in tables.legal_actions(play.table, seat) if one["do"] in MOVES
    ]
    rare = ("end_turn", "prepare", "stance") if chance.random() < 0.7 else ()
    may = [one for one in may if one[0] not in rare]
    return chance.choice(may) if may and chance.random() < 0.8 else (chance.choice(MOVES), who)


def command(chance: random.Random, play: PlayedTable) -> tuple[str, str, dict[str, Any]]:
    """Return seat, command and fields: mostly of a seat that may, sometimes of any seat."""
    fight = play.table.fight
    who = chance.choice([*OWNERS])
    if fight and fight.rounds.turn and chance.random() < 0.6:
        who = chance.choice(fight.rounds.turn)
    seat = chance.choice([OWNERS.get(who, "gm")] * 4 + ["gm", "ann", "bob", "eve"])
    rolls = [*play.table.rolls][-5:]
    rolls = rolls or [play.declare("gm", "total", parameters={"dice": "2D"})]
    roll = chance.choice(rolls)
    decided = [one for one in rolls if play.table.rolls[one].phase == "decided"]
    waiting = [one.who for one in fight.rounds.places if one.waiting] if fight else []
    if waiting and decided and chance.random() < 0.3:
        who = chance.choice(waiting)
        return OWNERS[who], "interrupt", {"combatant": who, "roll_of": chance.choice(decided)}
    do = chance.choice(LEFT)
    if chance.random() < 0.5:
        do, who = likely(chance, play, seat, who)
        more: dict[str, dict[str, Any]] = {
            "fix": {"actions": chance.choice([0, 1, 2, 2, 3, 3])},
            "interrupt": {"roll_of": chance.choice(decided or [roll])},
            "stance": {"stance": "full_reaction", "choice": chance.choice(["melee", "ranged", ""])},
            "pace": {"pace": chance.choice(["walking", "running", "sprinting", "flying"])},
            "react": {"actions": 2} if chance.random() < 0.2 else {},
        }
        return seat, do, {"combatant": who, **more.get(do, {})}
    if do in ("end_fight", "next_round", "cancel", "out") and chance.random() < 0.7:
        do = "finalise"
    own = who if who in PEOPLE else RAIDER
    if do == "declare":
        return seat, do, declared(chance, play, own)
    about: dict[str, dict[str, Any]] = {
        "throw": {"roll": roll},
        "answer": {
            "roll": roll,
            "answer": chance.choice(["cancel", "complication", "paragon-bonus", "none"]),
        },
        "finalise": {"roll": roll},
        "harm": {
            "character": own,
            "damage": chance.choice([1, 4, 9, *rolls]),
            "resist": chance.choice([0, 2, *rolls]),
        },
        "use": {"character": own, "resource": "medals", "use": "heal"},
        "adjust": {
            "character": own,
            "resources": {chance.choice(["hit_points", "paragon", "medals"]): chance.randint(-3, 20)},
        },
        "undo_points": {"character": own},
        "undo_move": {"combatant": who},
        "cancel": {"roll": roll},
        "undo": {"roll": roll},
        "join": {"who": chance.choice(combatants(chance))},
        "out": {"combatant": who},
        "uncover": {"combatant": "gm/ghost"},
        "show": {"character": RAIDER, "shown": chance.choice([*tables.SHEET_MODES])},
        "equip": {"character": own, "item": chance.choice(ITEMS), "uses": 2, "hot": False},
        "forget": {"character": own, "task": chance.choice(TASKS)},
        "switch": {"roll": roll, "line": chance.randint(1, 5), "on": chance.random() < 0.5},
        "correct": {"roll": roll, "parameters": {"difficulty": chance.randint(5, 20)}},
        "fight": {"combatants": combatants(chance)},
    }
    gms = {*about} - {"throw", "answer", "cancel", "undo", "use", "undo_move"}
    if do in gms | {"next_round", "end_fight"} and chance.random() < 0.9:
        seat = "gm"
    return seat, do, about.get(do, {})


def check_laws(before: tables.Table, play: PlayedTable, events: tuple[Event, ...]) -> None:
    table = play.table
    for figure in table.characters.values():
        assert figure.sheet is not None
        ranges = derive(table.rules, figure.sheet, table.options).ranges
        for name, own in ranges.items():
            assert own.least <= figure.sheet.resources[name] <= own.most
    for event in events:  # every point moves by exactly what was told
        if event.kind in ("points_changed", "points_spent"):
            sign = 1 if event.kind == "points_changed" else -1
            _moved(before, event, sign, events)
    _check_fight(before, table)


def _moved(before: tables.Table, event: Event, sign: int, events: tuple[Event, ...]) -> None:
    name = event.data["character"]
    alike = [one for one in events if one.kind == event.kind and one.data["character"] == name]
    if len(alike) > 1 or (sign < 0 and any(by < 0 for by in event.data["changes"].values())):
        return  # several rolls at once, or given back as far as there is room
    sheet = before.characters[name].sheet
    assert sheet is not None
    for resource, by in event.data["changes"].items():
        assert event.data["now"][resource] == sheet.resources[resource] + sign * by


def _check_fight(before: tables.Table, table: tables.Table) -> None:
    fight, was = table.fight, before.fight
    if fight is None:
        return
    order = [one.who for one in fight.rounds.places]
    for place in fight.rounds.places:
        assert 0 <= place.taken <= (place.actions or 0)
        assert not (place.waiting and place.actions_left < 1)
    for who in fight.rounds.turn:
        assert who in order
        assert not fight.rounds.place(who).hidden
        assert tables.legal_actions(table, "gm")
    for mark, count in fight.item_uses.items():
        assert count >= 0, mark
    if was is None or was.id != fight.id:
        return
    assert [one.who for one in was.rounds.places if one.who in order] == [
        one for one in order if one in was.rounds
    ]  # D-15
    same = was.rounds.number == fight.rounds.number
    for place in was.rounds.places:
        if same and place.who in order and place.actions is not None:
            now = fight.rounds.place(place.who).actions
            assert now in (place.actions, None)  # D-17; None: taken back


def check_penalties(before: tables.Table, events: tuple[Event, ...]) -> None:
    """The line of actions is the number that was fixed (D-21)."""
    for event in events:
        if event.kind != "roll_declared" or before.fight is None or event.data["parts"]:
            continue
        for side, who in enumerate(event.data.get("as", ()), 1):
            place = before.fight.rounds.place(who) if who in before.fight.rounds else None
            said = [
                one["value"]
                for one in event.data["lines"]
                if one["source"] == "rounds.actions" and one["side"] == side
            ]
            fixed = place.actions if place and event.data["asked"]["check"] != "total" else None
            assert said == ([fixed] if (fixed or 1) > 1 else [])


@pytest.mark.sampled
def test_random_fights_keep_their_laws() -> None:
    done: set[str] = set()
    for seed in range(12) if FULL else (0, 2, 7):  # these three accept every command
        done |= fought(seed)
    wanted = {*MOVES, "declare", "throw", "finalise", "harm", "use", "next_round", "undo_points"}
    assert wanted <= done, "some command was never accepted"


def fought(seed: int) -> set[str]:
    """One evening of random commands; those that were accepted."""
    chance = random.Random(seed)
    play = fight_table(shown=chance.choice([*tables.SHEET_MODES]), options=OPTIONS[seed % len(OPTIONS)])
    play.do("gm", "adjust", character=CORVIN, resources={"paragon": 5})
    play.do("gm", "fight", combatants=combatants(chance))
    done: set[str] = set()
    for at in range(800):
        seat, do, data = command(chance, play)
        if not play.table.fight and seat == "gm" and chance.random() < 0.5:
            do, data = "fight", {"combatants": combatants(chance)}
        before, key = play.table, f"k{at}"
        try:
            events = play.do(seat, do, key=key, **data)
        except Refused:
            assert play.table is before
            continue
        assert events
        done.add(do)
        check_penalties(before, events)
        check_laws(before, play, events)
        if at % 3 == 0:
            assert play.do(seat, do, key=key, **data) == ()  # obeyed once
        if at % 250 == 0:
            _check_log(play)
    _check_log(play)
    for name in ("gm", "ann", "bob", "eve"):
        problems, _ = verify(tables.export_log(play.empty, play.entries, name))
        assert not problems
    return done


def _check_log(play: PlayedTable) -> None:
    again = play.empty
    for entry in play.entries:
        again = tables.evolve(again, tables.read_event(json.loads(json.dumps(entry))))
    assert again == play.table
    for seat in play.table.seats:
        assert json.dumps(tables.view(again, seat)) == json.dumps(tables.view(play.table, seat))
