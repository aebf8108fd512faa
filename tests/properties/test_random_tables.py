"""Random commands from random seats are accepted or refused with a named error."""

from __future__ import annotations

import json
import os
import random
from typing import Any

import pytest
from effort import sample
from in_memory_table import PlayedTable, sheet

from handful import table as tables
from handful.errors import Refused
from handful.table.commands import command_kinds, fields_of
from handful.table.messages import text_mark

SEATS = ("gm", "ann", "bob", "eve", "mallory", "")
JUNK: list[Any] = [
    None,
    True,
    -1,
    0,
    3,
    2.5,
    10**30,
    float("nan"),
    "",
    "ann",
    "gm",
    "x" * 200,
    "\ud800",
    "\n",
    [],
    [1],
    [6, 6],
    ["ann"],
    [None],
    {},
    {"attribute": 3},
    {"attribute": "many"},
    {"": None},
    [[[[]]]],
    {"a": {"b": {"c": {"d": {"e": {"f": {"g": 1}}}}}}},
    [{"attribute": 2}, {"attribute": 3}],
]
POOLS: list[Any] = [{"attribute": 2, "rerolls": 1}, {"dice": "2D"}, {"level": 2}]
MODES = [*tables.MODES]
# each game's characters, and a check that they make
CAST: dict[str, tuple[tuple[str, ...], str, list[Any]]] = {
    "agga": (("ina", "dorn"), "direct", [{"attribute": "might"}]),
    "uwr": (("mira", "sentry"), "direct", [{"attribute": "grace", "skill": "acrobatics"}]),
    "fons": (("pell", "warden"), "direct", [{"attribute": "grace"}]),
    "tuurna": (("zejhe", "oruun"), "check", [{"level": "instinct"}, {"level": "craft,memory"}]),
    "me-d6": (
        ("sanna", "raider"),
        "check",
        [
            {"dice": "con", "spend": "ask"},
            {"dice": "ranged", "spend": "paragon-bonus"},
            {"dice": "repair", "spend": "renegade-bonus,medal"},
        ],
    ),
}
COUNT = int(os.environ.get("HANDFUL_SOAK", sample(10_000, 50_000)))
PER_TABLE = 250


def one_click(chance: random.Random, play: PlayedTable, seat: str) -> dict[str, Any]:
    """Return what may come with a declaration."""
    faces = {"faces": [chance.randint(1, 6)] * chance.randint(1, 4)} if chance.random() < 0.3 else {}
    asked = [one.id for one in tables.known_to(play.table, seat).requests.values() if one.is_open]
    return {
        **({"throw": faces} if chance.random() < 0.5 else {}),
        **({"finish": True} if chance.random() < 0.3 else {}),
        **({"request": chance.choice(asked), "mode": "public"} if asked and chance.random() < 0.2 else {}),
    }


def sensible(chance: random.Random, play: PlayedTable, seat: str) -> tuple[str, dict[str, Any]]:
    """Return a command that the seat may give, filled in so that it could work."""
    # else little is left to do
    rare = {"cancel", "leave", "end_fight", "out", "share_gm"} if chance.random() < 0.9 else {""}
    actions = [one for one in tables.legal_actions(play.table, seat) if one["do"] not in rare]
    if play.table.left_seats and seat == "gm" and chance.random() < 0.2:
        name = chance.choice(play.table.left_seats)
        return "seat", {"name": name, "role": play.table.role(name)}
    if not actions:
        return "declare", {"check": "direct"}
    action = chance.choice(actions)
    if action["do"] in ("bring", "dismiss", "show", "rename") and chance.random() < 0.6:
        action = actions[0]
    if action["do"] == "declare" and chance.random() < 0.5:
        return "declare", character_check(chance, play, seat)
    named = ("roll", "request", "character", "contest", "combatant")
    data: dict[str, Any] = {k: action[k] for k in named if k in action}
    if action["do"] in ("bring", "adjust", "show", "rename", "use", "dismiss", "switch", "add_line"):
        return action["do"], data | about_characters(chance, play, action["do"])
    latest = [*play.table.rolls][-6:] or ["?"]
    finalised = [one.id for one in play.table.rolls.values() if one.key][-6:]
    if action["do"] == "declare" and chance.random() < 0.1:
        free = chance.choice(["dice:3d6+2", "dice:8d10>=7", "dice:4d6 keep 3", "dice:2d6!", "dice:d"])
        return "declare", {"check": free, "mode": chance.choice(MODES), **one_click(chance, play, seat)}
    fill: dict[str, dict[str, Any]] = {
        "declare": {
            "check": chance.choice(action.get("checks", [""])),
            "mode": chance.choice(MODES),
            "parameters": chance.choice(POOLS),
            **one_click(chance, play, seat),
        },
        "throw": {"faces": [chance.randint(1, 6)] * chance.choice([action.get("count", 1)] * 3 + [1])}
        if chance.random() < 0.3
        else {"entropy": "e"},
        "correct": chance.choice(
            [
                {"parameters": chance.choice(POOLS)},
                {"faces": [1, 2], "throw": 0},
                {"parameters": {"target": 2}},
                {"parameters": {"difficulty": 2}},
                {"sides": [{}]},
            ]
        ),
        "leave": {"name": chance.choice(action.get("names", [""]))},
        "style": {"colour": chance.choice([*action.get("colours", [""]), "beige"])},
        "answer": {
            "answer": chance.choice([*action["options"]])
            if "options" in action
            else action.get("dice", [])[: chance.randint(0, action.get("at_most", 0))],
            **({"throw": {}} if chance.random() < 0.5 else {}),
        },
        "seat": {
            "name": chance.choice(["ann", "bob", "eve", "new"]),
            "role": chance.choice(["player", "player", "watcher", "gm"]),
        },
        "say": {"text": "well", **({"to": [chance.choice(SEATS[:4])]} if chance.random() < 0.6 else {})},
        "note": {"text": "noted"},
        "scratchpad": {
            "text": chance.choice(["", "silver", "gold"]),
            "replaces": chance.choice(["", text_mark(play.table.scratchpad)]),
            **({"for_gms": True} if chance.random() < 0.2 else {}),
        },
        "share_gm": {"to": "ann", "name": "ann (GM)"},
        "house_rules": {"options": {}},
        "visibility": {"mode": chance.choice(["public", "public", "private"])},
        "request": {"to": ["ann"], "check": chance.choice([*play.rules.checks])},
        "call": {"check": chance.choice([*play.rules.checks])},
        "propose": {"parameters": {"attribute": 2}},
        "accept": {"name": "ann", "parameters": {}},
        "refuse": {"name": "ann"},
        "contest": {
            "check": chance.choice(["opposed", "contest", "group"]),
            "rolls": chance.sample([*finalised, "?", "?"], 2)
            if chance.random() < 0.1
            else chance.sample(finalised or ["?"], min(2, len(finalised) or 1)),
        },
        "challenge": {
            "check": chance.choice(["opposed", "contest", "group", "compare"]),
            "sides": [
                chance.choice(
                    [{"roll": chance.choice(latest)}]
                    + [{"request": one, "name": "ann"} for one in [*play.table.requests][-2:]]
                )
                for _ in range(2)
            ],
            "together": chance.random() < 0.7,
        },
        "judge": {"grade": "well", "words": "well done"},
        **in_a_fight(chance, play, finalised or ["?"]),
        "settle": {"against": chance.choice(finalised or ["?"]), "check": "opposed"},
    }
    return action["do"], data | fill.get(action["do"], {})


def in_a_fight(chance: random.Random, play: PlayedTable, finalised: list[str]) -> dict[str, dict[str, Any]]:
    """Return fields for the commands of a fight."""
    there: list[dict[str, Any]] = [{"name": "drone"}, {"name": "ghost", "hidden": True}]
    there += [{"character": one.id} for one in play.table.characters.values()]
    return {
        "fight": {"combatants": there[chance.randint(0, 1) :]},
        "join": {"who": chance.choice(there)},
        "fix": {"actions": chance.randint(1, 3)},
        "interrupt": {"roll_of": chance.choice([*play.table.rolls][-6:] or ["?"])},
        "stance": {"stance": "full_reaction", "choice": chance.choice(["melee", "ranged"])},
        "pace": {"pace": chance.choice(["walking", "running", "sprinting"])},
        "harm": {"damage": chance.choice([3, *finalised]), "resist": chance.choice([0, 1])},
        "equip": {"item": "pistol", "hot": chance.random() < 0.3},
        "forget": {"task": "the vault"},
    }


def character_check(chance: random.Random, play: PlayedTable, seat: str) -> dict[str, Any]:
    """Return a check of a character, mostly of the seat's own."""
    people = [*play.table.characters.values()]
    own = [one.id for one in people if seat in ("gm", one.owner)]
    game = play.rules.id
    _, check, picks = CAST[game]
    who = chance.choice(own if own and chance.random() < 0.9 else ["gm/Sentry"])
    asked = {"check": check, "as": who, "parameters": chance.choice(picks)}
    if chance.random() < 0.3:
        rolls = [*play.table.rolls][-4:] or ["?"]
        asked |= chance.choice(
            [
                {"item": "pistol"},
                {"task": "the vault"},
                {"spends": "nothing"},
                {"answers": chance.choice(rolls)},
                {"target": chance.choice(own or ["gm/Raider"])},
                {"spends": "interruption", "interrupts": chance.choice(rolls)},
                {"spends": chance.choice(["reaction", "resistance"])},
            ]
        )
        if "target" in asked and game == "me-d6":
            asked |= {"check": "attack", "parameters": {"dice": "melee", "kind": "melee"}}
    return asked | ({"mode": chance.choice(MODES)} if chance.random() < 0.5 else {})


def about_characters(chance: random.Random, play: PlayedTable, do: str) -> dict[str, Any]:
    game = play.rules.id
    assert play.rules.sheet is not None
    resource = chance.choice([*play.rules.sheet.resources])
    fill: dict[str, dict[str, Any]] = {
        "bring": {"sheet": sheet(game, chance.choice(CAST[game][0]))},
        "adjust": {"resources": {resource: chance.randint(-5, 5)}},
        "show": {"shown": chance.choice([*tables.SHEET_MODES])},
        "rename": {"name": chance.choice(["Nell", "Jo", *CAST[game][0], ""])},
        "use": {"resource": resource, "use": "heal"},
        "switch": {"line": chance.randint(1, 4), "on": chance.random() < 0.3},
        "add_line": {"parameter": chance.choice(["bonus", "labor", "favor"]), "value": 1},
    }
    return fill.get(do, {})


def spoiled(chance: random.Random, data: dict[str, Any], do: str) -> dict[str, Any]:
    kind = command_kinds().get(do)
    names = [*data, *(fields_of(kind) if kind else ()), "nonsense"]
    return {**data, chance.choice(names): chance.choice(JUNK)}


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["agga", "uwr", "fons", "tuurna", "me-d6"])
def test_every_command_is_accepted_or_refused_by_name(game: str) -> None:
    chance = random.Random(game)
    accepted = 0
    for _ in range(COUNT // 5 // PER_TABLE):
        play = PlayedTable(game, ann="player", bob="player", eve="watcher")
        for at in range(PER_TABLE):
            seat = chance.choice(SEATS)
            do, data = sensible(chance, play, seat)
            if chance.random() < 0.4:
                data = spoiled(chance, data, do)
            if chance.random() < 0.1:
                do = chance.choice([*command_kinds(), "dance", ""])
            before = play.table
            try:
                accepted += bool(play.do(seat, do, key=f"k{at - at % 2 * (at % 7 == 0)}", **data))
            except Refused:
                assert play.table is before
        again = tables.fold(play.empty, (tables.read_event(entry) for entry in play.entries))
        for seat in play.table.seats:
            assert json.dumps(tables.view(again, seat)) == json.dumps(tables.view(play.table, seat))
    assert accepted > COUNT // 5 // 10
