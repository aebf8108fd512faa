"""Legal moves in a fight: each with every value its fields may have.

Computed from a seat's projection.  A page offers what is listed here and decides nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from handful import rounds as fight_rounds
from handful.errors import Refused
from handful.rounds import Place
from handful.rules.ruleset import localize
from handful.sheet import derive
from handful.table.action_context import (
    ACTION,
    INTERRUPTION,
    NOTHING,
    REACTION,
    RESISTANCE,
    may_react_early,
)
from handful.table.fight import Fight, last_move
from handful.table.state import Table, TableRoll
from handful.table.view_sheets import json_value
from handful.table.visibility import ALL, FREE, GM, LEAVES

INCAPACITATED_MOVES = ("end_turn", "undo_move")  # allowed even for an incapacitated combatant
MOVE_COMMANDS = {"answer": "react"}  # move -> command, where the names differ
RECENT_ROLLS = 50  # that may be interrupted, or count as damage

Offer = tuple[str, dict[str, Any]]


def controls(projected: Table, combatant: str, seat: str) -> bool:
    """Return whether a seat moves a combatant: its own one, and the GM any."""
    return projected.role(seat) == GM or projected.owns(seat, combatant)


def incapacity_reason(projected: Table, combatant: str) -> str:
    """Return why a combatant can do nothing, by its sheet; empty if it can act."""
    character = projected.characters.get(combatant)
    if character is None or character.sheet is None:
        return ""
    conditions = derive(projected.rules, character.sheet, projected.options).conditions
    return next((localize(one.cannot) for one in conditions if one.cannot), "")


def combatant_actions(projected: Table, combatant: str, seat: str) -> list[Offer]:
    """Return the commands a seat may give for a combatant now, with their possible fields."""
    fight = projected.fight
    if fight is None or combatant not in fight.rounds or not controls(projected, combatant, seat):
        return []
    gm = projected.role(seat) == GM
    place = fight.rounds.place(combatant)
    offers = [*_moves(projected, fight, place, gm=gm)]
    if not gm and incapacity_reason(projected, combatant):
        return [one for one in offers if one[0] in INCAPACITATED_MOVES]
    if combatant in projected.characters:
        options = _declare_options(projected, fight, place, gm=gm)
        offers.append(("declare", options))
        offers += [("take_hit", {"roll_of": one["roll"]}) for one in options["answers"]]
    if gm:
        offers += [("grant", {"leave": one}) for one in LEAVES if not fight.has_leave(combatant, one)]
        offers.append(("out", {}))
        offers += [("uncover", {})] if place.hidden and combatant not in projected.characters else []
    return offers


def _moves(projected: Table, fight: Fight, place: Place, *, gm: bool) -> Iterator[Offer]:
    round_rules = projected.rules.rounds
    leave = gm or may_react_early(projected, place.who)
    moves = fight_rounds.possible(fight.rounds, place.who, leave=leave)
    for move in moves:
        if move == "stance":
            continue
        details: dict[str, Any] = {}
        if move == "interrupt":
            details = {"rolls": interruptible_rolls(projected, place.who)}
            if not details["rolls"]:
                continue
        if move == "answer" and place.actions is None and not place.stance:
            details = {"early": True}  # needs the GM's leave, and states the number of actions (D-20)
        yield MOVE_COMMANDS.get(move, move), details
    if round_rules and round_rules.stances and "stance" in moves:
        yield "stance", {"stances": {name: [*one.choices] for name, one in round_rules.stances.items()}}
    if paces := [*_paces(projected, fight, place, leave=gm)]:
        yield "pace", {"paces": paces}
    if last_move(fight, place.who) is not None:
        yield "undo_move", {}


def _paces(projected: Table, fight: Fight, place: Place, *, leave: bool) -> Iterator[dict[str, Any]]:
    """Yield the paces a combatant may choose now, with distance and cost in actions."""
    round_rules, character = projected.rules.rounds, projected.characters.get(place.who)
    for name in round_rules.paces if round_rules and character and character.sheet else ():
        assert character is not None
        found = fight_rounds.movement_at(projected.rules, character.sheet, name, projected.options)
        try:
            fight_rounds.move(fight.rounds, place.who, name, found.actions, leave=leave)
        except Refused:
            continue
        yield {"pace": name, "distance": json_value(found.distance), "actions": found.actions}


def interruptible_rolls(projected: Table, combatant: str) -> list[str]:
    """Return the decided rolls of others whose result is not announced yet (D-19)."""
    return [
        roll.id
        for roll in _recent_rolls(projected)
        if roll.phase == "decided"
        and roll.level == ALL
        and roll.action_context
        and combatant not in roll.character_ids
    ]


def _recent_rolls(projected: Table) -> Iterator[TableRoll]:
    for name in list(projected.rolls)[-RECENT_ROLLS:]:
        yield projected.rolls[name]


def _declare_options(projected: Table, fight: Fight, place: Place, *, gm: bool) -> dict[str, Any]:
    """Return what a combatant may roll now: the checks, their possible costs, and rolls to answer."""
    round_rules = projected.rules.rounds
    answers = fight.answers.get(place.who, {})
    early = gm or any(_may_answer_early(projected, place.who, one) for one in (*answers.values(), ""))
    moves = fight_rounds.possible(fight.rounds, place.who, leave=early)
    rolls = interruptible_rolls(projected, place.who) if "interrupt" in moves else []
    costs = {
        ACTION: "act" in moves,
        INTERRUPTION: bool(rolls),
        REACTION: "answer" in moves,
        RESISTANCE: "answer" in moves and bool(place.waiting or place.prepared),
        NOTHING: gm or fight.has_leave(place.who, FREE),
    }
    barred = round_rules.calm if round_rules and place.attacked else ()
    return {
        "checks": [
            name
            for name, one in projected.rules.checks.items()
            if one.program is not None and name not in barred
        ],
        "spends": [name for name, allowed in costs.items() if allowed],
        "interrupts": rolls,
        "answers": [
            {
                "roll": roll,
                "answer": name,
                "early": place.actions is None,
                "leave": place.actions is None and not _may_answer_early(projected, place.who, name),
            }
            for roll, name in answers.items()
            if "answer" in moves
        ],
    }


def _may_answer_early(projected: Table, combatant: str, answer: str) -> bool:
    """Return whether a combatant may answer before its turn without the GM."""
    round_rules = projected.rules.rounds
    return may_react_early(
        projected, combatant, round_rules.answers[answer] if round_rules and answer else None
    )


def damage_candidates(projected: Table, combatant: str) -> dict[str, Any]:
    """Return the finalised rolls that may count as damage to a character, or as its resistance."""
    round_rules = projected.rules.rounds
    found = [
        roll
        for roll in _recent_rolls(projected)
        if round_rules
        and roll.phase == "finalised"
        and roll.level == ALL
        and roll.asked.get("check") in round_rules.free
    ]
    return {
        "damage": [one.id for one in reversed(found) if combatant not in one.character_ids],
        "resist": [one.id for one in reversed(found) if combatant in one.character_ids],
    }
