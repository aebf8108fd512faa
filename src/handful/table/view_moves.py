"""Legal moves in a fight: each with every value its fields may have.

Computed from what a seat knows.  A page offers what is listed here and decides nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
    answered_rolls,
    may_react_early,
)
from handful.table.fight import Fight, last_move
from handful.table.json_types import JsonObject
from handful.table.state import Table, TableRoll, last_rolls
from handful.table.view_sheets import json_value
from handful.table.visibility import ALL, DECLARED, FREE, LEAVES, Viewer

INCAPACITATED_MOVES = ("end_turn", "undo_move")  # allowed even for an incapacitated combatant
MOVE_COMMANDS = {"answer": "react"}  # move -> command, where the names differ
RECENT_ROLLS = 50  # that may be interrupted, or count as damage

Offer = tuple[str, JsonObject]


def controls(known: Table, combatant: str, viewer: Viewer) -> bool:
    """Return whether a seat moves a combatant: its own one, and the GM any."""
    return viewer.is_gm or known.owns(viewer.seat, combatant)


def incapacity_reason(known: Table, combatant: str) -> str:
    """Return why a combatant can do nothing, by its sheet; empty if it can act."""
    character = known.characters.get(combatant)
    if character is None or character.sheet is None:
        return ""
    conditions = derive(known.rules, character.sheet, known.options).conditions
    return next((localize(one.cannot) for one in conditions if one.cannot), "")


def combatant_actions(known: Table, combatant: str, viewer: Viewer) -> list[Offer]:
    """Return the commands a seat may give for a combatant now, with their possible fields."""
    fight = known.fight
    if fight is None or combatant not in fight.rounds or not controls(known, combatant, viewer):
        return []
    gm = viewer.is_gm
    place = fight.rounds.place(combatant)
    offers = [*_moves(known, fight, place, gm=gm)]
    if not gm and incapacity_reason(known, combatant):
        return [one for one in offers if one[0] in INCAPACITATED_MOVES]
    if combatant in known.characters:
        answers = offered_answers(known, combatant, viewer)
        options = _declare_options(known, fight, place, answers, gm=gm)
        offers.append(("declare", options))
        offers += [("take_hit", {"roll_of": one["roll"]}) for one in options["answers"]]
    if gm:
        offers += [("grant", {"leave": one}) for one in LEAVES if not fight.has_leave(combatant, one)]
        offers.append(("out", {}))
        offers += [("uncover", {})] if place.hidden and combatant not in known.characters else []
    return offers


def _moves(known: Table, fight: Fight, place: Place, *, gm: bool) -> Iterator[Offer]:
    round_rules = known.rules.rounds
    leave = gm or may_react_early(known, place.who)
    moves = fight_rounds.possible(fight.rounds, place.who, leave=leave)
    for move in moves:
        if move == "stance":
            continue
        details: JsonObject = {}
        if move == "interrupt":
            details = {"rolls": interruptible_rolls(known, place.who)}
            if not details["rolls"]:
                continue
        if move == "answer" and place.actions is None and not place.stance:
            details = {"early": True}  # needs the GM's leave, and states the number of actions (D-20)
        yield MOVE_COMMANDS.get(move, move), details
    if round_rules and round_rules.stances and "stance" in moves:
        yield "stance", {"stances": {name: [*one.choices] for name, one in round_rules.stances.items()}}
    if paces := [*_paces(known, fight, place, leave=gm)]:
        yield "pace", {"paces": paces}
    if last_move(fight, place.who) is not None:
        yield "undo_move", {}


def _paces(known: Table, fight: Fight, place: Place, *, leave: bool) -> Iterator[JsonObject]:
    """Yield the paces a combatant may choose now, with distance and cost in actions."""
    round_rules, character = known.rules.rounds, known.characters.get(place.who)
    for name in round_rules.paces if round_rules and character and character.sheet else ():
        assert character is not None
        found = fight_rounds.movement_at(known.rules, character.sheet, name, known.options)
        try:
            fight_rounds.move(fight.rounds, place.who, name, found.actions, leave=leave)
        except Refused:
            continue
        yield {"pace": name, "distance": json_value(found.distance), "actions": found.actions}


def interruptible_rolls(known: Table, combatant: str) -> list[str]:
    """Return the decided rolls of others whose result is not announced yet (D-19)."""
    return [
        roll.id
        for roll in _recent_rolls(known)
        if roll.phase == "decided"
        and roll.level == ALL
        and roll.action_context
        and combatant not in roll.character_ids
    ]


def _recent_rolls(known: Table) -> Iterator[TableRoll]:
    for name in last_rolls(known, RECENT_ROLLS):
        yield known.rolls[name]


def _declare_options(
    known: Table, fight: Fight, place: Place, answers: Mapping[str, str], *, gm: bool
) -> JsonObject:
    """Return what a combatant may roll now: the checks, their possible costs, and rolls to answer."""
    round_rules = known.rules.rounds
    early = gm or any(_may_answer_early(known, place.who, one) for one in (*answers.values(), ""))
    moves = fight_rounds.possible(fight.rounds, place.who, leave=early)
    rolls = interruptible_rolls(known, place.who) if "interrupt" in moves else []
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
            name for name, one in known.rules.checks.items() if one.program is not None and name not in barred
        ],
        "spends": [name for name, allowed in costs.items() if allowed],
        "interrupts": rolls,
        "answers": [
            {
                "roll": roll,
                "answer": name,
                "early": place.actions is None,
                "leave": place.actions is None and not _may_answer_early(known, place.who, name),
            }
            for roll, name in answers.items()
            if "answer" in moves
        ],
    }


def offered_answers(known: Table, combatant: str, viewer: Viewer) -> dict[str, str]:
    """Return the rolls that a combatant may answer now, and the answer; for the GM and its player."""
    fight, character = known.fight, known.characters.get(combatant)
    if fight is None or character is None or character.sheet is None or combatant not in fight.rounds:
        return {}
    if not (viewer.is_gm or (viewer.is_player and character.owner == viewer.seat)):
        return {}
    answered = answered_rolls(one for one in _recent_rolls(known) if one.level >= DECLARED)
    return {
        name: one.answer
        for name, one in fight.offers.items()
        if one.to == combatant and name not in answered and name not in fight.accepted_hits
    }


def _may_answer_early(known: Table, combatant: str, answer: str) -> bool:
    """Return whether a combatant may answer before its turn without the GM."""
    round_rules = known.rules.rounds
    return may_react_early(known, combatant, round_rules.answers[answer] if round_rules and answer else None)


def damage_candidates(known: Table, combatant: str) -> JsonObject:
    """Return the finalised rolls that may count as damage to a character, or as its resistance."""
    round_rules = known.rules.rounds
    found = [
        roll
        for roll in _recent_rolls(known)
        if round_rules
        and roll.phase == "finalised"
        and roll.level == ALL
        and roll.asked is not None
        and roll.asked.check in round_rules.free
    ]
    return {
        "damage": [one.id for one in reversed(found) if combatant not in one.character_ids],
        "resist": [one.id for one in reversed(found) if combatant in one.character_ids],
    }
