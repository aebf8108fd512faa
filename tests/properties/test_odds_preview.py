"""Odds previewed before a roll equal the odds of the declared roll, also in fights.

Random sessions of every game: seats fix actions, move, wait, take stances, fail at tasks, spend
points, are hurt.  In between a seat previews the odds of a check and then declares it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from effort import sample
from fuzzing import RULESETS
from in_memory_table import PlayedTable, sheet

from handful import table as tables
from handful.errors import HandfulError, Refused
from handful.odds import odds

GAMES = ("uwr", "agga", "fons", "tuurna", "me-d6")
SEATS = ("ann", "bob", "gm")
POSITIONS = sample(30, 500)
LONGEST = 60  # commands of one session


def begun(game: str, chance: random.Random) -> PlayedTable:
    """A table of a game with three characters, in a fight."""
    play = PlayedTable(game, ann="player", bob="player", eve="watcher")
    library = [sheet(game, one.stem) for one in (RULESETS / game / "characters").glob("*.json")]
    for seat in SEATS:
        kinds = ("pc", "npc") if seat == "gm" else ("pc",)
        fitting = sorted(one["name"] for one in library if one["kind"] in kinds)
        name = chance.choice(fitting)
        (data,) = (one for one in library if one["name"] == name)
        play.do(
            seat,
            "bring",
            sheet={**data, "name": f"{data['name']} {seat}"},
            shown=chance.choice(["open", "own", "own"]),
        )
    there = [{"character": name} for name in play.table.characters]
    play.do("gm", "fight", combatants=there)
    return play


def random_action(play: PlayedTable, chance: random.Random) -> None:
    """Do a random legal action of a random seat; a refusal changes nothing."""
    seat = chance.choice(SEATS)
    actions = tables.legal_actions(play.table, seat)
    wanted = [one for one in actions if one["do"] in _FILLED]
    if not wanted:
        return
    action = chance.choice(wanted)
    data = {name: action[name] for name in ("combatant", "roll", "character") if name in action}
    try:
        play.do(seat, action["do"], **data, **_FILLED[action["do"]](play, action, chance))
    except HandfulError:
        return


_FILLED: dict[str, Any] = {
    "fix": lambda play, action, chance: {"actions": chance.randint(1, 3)},
    "act": lambda play, action, chance: {},
    "wait": lambda play, action, chance: {},
    "end_turn": lambda play, action, chance: {},
    "prepare": lambda play, action, chance: {},
    "next_round": lambda play, action, chance: {},
    "react": lambda play, action, chance: {},
    "throw": lambda play, action, chance: {},
    "finalise": lambda play, action, chance: {},
    "pace": lambda play, action, chance: {"pace": chance.choice(action["paces"])["pace"]},
    "stance": lambda play, action, chance: _stance(action, chance),
    "grant": lambda play, action, chance: {"leave": action["leave"]},
    "answer": lambda play, action, chance: {"answer": _answer(action, chance)},
    "harm": lambda play, action, chance: {"damage": chance.randint(1, 4)},
}


def _stance(action: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    name, choices = chance.choice([*action["stances"].items()])
    return {"stance": name} | ({"choice": chance.choice(choices)} if choices else {})


def _answer(action: dict[str, Any], chance: random.Random) -> Any:
    options = action.get("options")
    return chance.choice([*options]) if options else []


def a_check(play: PlayedTable, chance: random.Random) -> tuple[str, dict[str, Any]]:
    """Return a seat and a check that it could make now."""
    seat = chance.choice(SEATS)
    rules, characters = play.rules, play.table.characters
    check = chance.choice([one for one in rules.checks.values() if one.program is not None])
    own = [name for name, one in characters.items() if one.owner == seat]
    data: dict[str, Any] = {"check": check.name, "as": [own[0]]}
    parameters = dict(_picked(play, check, own[0], chance))
    rounds = rules.rounds
    if rounds and check.name in rounds.targets and chance.random() < 0.8:
        data["target"] = chance.choice([name for name in characters if name not in own])
    if rounds and rounds.actions in check.params and chance.random() < 0.3:
        parameters[rounds.actions] = chance.randint(1, 3)
    if chance.random() < 0.3:
        data["task"] = "the lock"
    if chance.random() < 0.2:
        data["spends"] = chance.choice(["action", "reaction", "nothing"])
    for param in check.params.values():
        if param.type == "ladder" and "target" not in data and chance.random() < 0.6:
            parameters[param.name] = chance.choice([*param.ladder])
        if param.type == "choice" and param.separators and param.at_table and chance.random() < 0.2:
            parameters[param.name] = chance.choice(param.values)
    answers = [
        one
        for action in tables.legal_actions(play.table, seat)
        if action["do"] == "declare" and action.get("combatant") == own[0]
        for one in action["answers"]
    ]
    if answers and chance.random() < 0.9:
        fixed = {rounds.actions: chance.randint(1, 3)} if rounds and chance.random() < 0.5 else {}
        return seat, {
            "check": rounds.answers[answers[0]["answer"]].check,
            "as": [own[0]],
            "answers": answers[0]["roll"],
            "parameters": fixed,
        }
    sides = check.sides.least if check.sides else 0
    data["parameters"] = parameters
    if sides > 1:
        data["sides"] = [
            {},
            *({name: _plain(check, name) for name in _required(check)} for _ in range(sides - 1)),
        ]
    return seat, data


def _required(check: Any) -> list[str]:
    return [one.name for one in check.per_side() if one.required]


def _plain(check: Any, name: str) -> Any:
    param = check.params[name]
    return {"die_code": "3D", "choice": (param.values or ("",))[0]}.get(param.type, 2)


def _picked(play: PlayedTable, check: Any, who: str, chance: random.Random) -> Iterator[tuple[str, Any]]:
    """Names of the sheet, or plain values, for what a check needs."""
    assert play.rules.sheet is not None
    figure = play.table.characters[who]
    assert figure.sheet is not None
    for name in check.params:
        if name in play.rules.sheet.picks:
            pick = play.rules.sheet.picks[name]
            names = [*(play.rules.sheet.attributes if pick.attributes else ())]
            names += [*(figure.sheet.skills if pick.skills else ())]
            if names and (check.params[name].required or chance.random() < 0.7):
                yield name, chance.choice(names)
        elif check.params[name].required:
            yield name, _plain(check, name)


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_previewed_odds_equal_those_of_the_roll(game: str) -> None:
    compared, sessions, known = 0, 0, {}
    while compared < POSITIONS:
        chance = random.Random(f"{game} {sessions}")
        sessions += 1
        assert sessions < POSITIONS
        play = begun(game, chance)
        for _ in range(LONGEST):
            random_action(play, chance)
            seat, data = a_check(play, chance)
            compared += _compare(play, seat, data, known)
    assert sessions >= POSITIONS // LONGEST


def _compare(play: PlayedTable, seat: str, data: dict[str, Any], known: dict[Any, Any]) -> bool:
    """Ask, declare and compare; whether there was something to compare."""
    try:
        before = tables.preview_check(play.table, seat, data)
    except Refused:
        with pytest.raises(Refused):
            play.do(seat, "declare", **data)
        return False
    try:
        declared: str = play.do(seat, "declare", **data)[0].data["roll"]
    except Refused:
        return False  # not their turn, say
    roll = tables.project(play.table, seat).rolls[declared]
    assert roll.bound is not None
    assert before.bound.identity == roll.bound.identity, data
    if before.bound.identity not in known:  # solved twice only once: it takes the most time
        known[before.bound.identity] = odds(before.bound).to_dict()
        assert odds(roll.bound, roll.node).to_dict() == known[before.bound.identity]
    return True
