"""What may be done in a fight now: moves, deeds and answers, each with all that it may be.

By what a seat knows.  A page offers what stands here and decides nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from handful import rounds as kernel
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

INCAPACITATED_MOVES = ("end_turn", "undo_move")  # what is left to somebody who can do nothing
MOVE_COMMANDS = {"answer": "react"}  # a move -> the command for it, where it has another name
RECENT_ROLLS = 50  # rolls that may be interrupted, or that do harm

Offer = tuple[str, dict[str, Any]]


def controls(projected: Table, who: str, seat: str) -> bool:
    """Whether a seat moves a combatant: its own, the GM all."""
    return projected.role(seat) == GM or projected.owner(who) == seat


def incapacity_reason(projected: Table, who: str) -> str:
    """Why somebody can do nothing at all, by their sheet; empty: they can."""
    character = projected.characters.get(who)
    if character is None or character.sheet is None:
        return ""
    there = derive(projected.rules, character.sheet, projected.options).conditions
    return next((localize(one.cannot) for one in there if one.cannot), "")


def combatant_actions(projected: Table, who: str, seat: str) -> list[Offer]:
    """The commands that a seat could give for a combatant now, and what each of them may say."""
    fight = projected.fight
    if fight is None or who not in fight.rounds or not controls(projected, who, seat):
        return []
    gm = projected.role(seat) == GM
    place = fight.rounds.place(who)
    offers = [*_moves(projected, fight, place, gm=gm)]
    if not gm and incapacity_reason(projected, who):
        return [one for one in offers if one[0] in INCAPACITATED_MOVES]
    if who in projected.characters:
        deeds = _declare_options(projected, fight, place, gm=gm)
        offers.append(("declare", deeds))
        offers += [("take_hit", {"roll_of": one["roll"]}) for one in deeds["answers"]]
    if gm:
        offers += [("grant", {"leave": one}) for one in LEAVES if not fight.has_leave(who, one)]
        offers.append(("out", {}))
        offers += [("uncover", {})] if place.hidden and who not in projected.characters else []
    return offers


def _moves(projected: Table, fight: Fight, place: Place, *, gm: bool) -> Iterator[Offer]:
    says = projected.rules.rounds
    early = gm or may_react_early(projected, place.who)
    moves = kernel.possible(fight.rounds, place.who, leave=early)
    for move in moves:
        if move == "stance":
            continue
        more: dict[str, Any] = {}
        if move == "interrupt":
            more = {"rolls": interruptible_rolls(projected, place.who)}
            if not more["rolls"]:
                continue
        if move == "answer" and place.actions is None and not place.stance:
            more = {"early": True}  # by the GM's leave, who also hears how many actions (D-20)
        yield MOVE_COMMANDS.get(move, move), more
    if says and says.stances and "stance" in moves:
        yield "stance", {"stances": {name: [*one.choices] for name, one in says.stances.items()}}
    if paces := [*_paces(projected, fight, place, leave=gm)]:
        yield "pace", {"paces": paces}
    if last_move(fight, place.who) is not None:
        yield "undo_move", {}


def _paces(projected: Table, fight: Fight, place: Place, *, leave: bool) -> Iterator[dict[str, Any]]:
    """How somebody may move now: how far that is, and how many actions it costs."""
    says, character = projected.rules.rounds, projected.characters.get(place.who)
    for name in says.paces if says and character and character.sheet else ():
        assert character is not None
        found = kernel.movement_at(projected.rules, character.sheet, name, projected.options)
        try:
            kernel.move(fight.rounds, place.who, name, found.actions, leave=leave)
        except Refused:
            continue
        yield {"pace": name, "distance": json_value(found.distance), "actions": found.actions}


def interruptible_rolls(projected: Table, who: str) -> list[str]:
    """Rolls of others that are rolled to their end, and whose result is not told yet (D-19)."""
    return [
        roll.id
        for roll in _recent_rolls(projected)
        if roll.phase == "decided"
        and roll.level == ALL
        and roll.action_context
        and who not in roll.character_ids
    ]


def _recent_rolls(projected: Table) -> Iterator[TableRoll]:
    for name in list(projected.rolls)[-RECENT_ROLLS:]:
        yield projected.rolls[name]


def _declare_options(projected: Table, fight: Fight, place: Place, *, gm: bool) -> dict[str, Any]:
    """What somebody may roll now: which checks, what they may cost, and what they answer."""
    says = projected.rules.rounds
    answers = fight.answers.get(place.who, {})
    early = gm or any(_may_answer_early(projected, place.who, one) for one in (*answers.values(), ""))
    moves = kernel.possible(fight.rounds, place.who, leave=early)
    rolls = interruptible_rolls(projected, place.who) if "interrupt" in moves else []
    costs = {
        ACTION: "act" in moves,
        INTERRUPTION: bool(rolls),
        REACTION: "answer" in moves,
        RESISTANCE: "answer" in moves and bool(place.waiting or place.prepared),
        NOTHING: gm or fight.has_leave(place.who, FREE),
    }
    upset = says.calm if says and place.attacked else ()
    return {
        "checks": [
            name for name, one in projected.rules.checks.items() if one.program is not None and name not in upset
        ],
        "spends": [name for name, there in costs.items() if there],
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


def _may_answer_early(projected: Table, who: str, answer: str) -> bool:
    """Return whether somebody may answer before their turn without the GM doing it."""
    says = projected.rules.rounds
    return may_react_early(projected, who, says.answers[answer] if says and answer else None)


def damage_candidates(projected: Table, who: str) -> dict[str, Any]:
    """Finalised rolls that may count as damage to somebody, or as what they resist it with."""
    says = projected.rules.rounds
    found = [
        roll
        for roll in _recent_rolls(projected)
        if says and roll.phase == "finalised" and roll.level == ALL and roll.asked.get("check") in says.free
    ]
    return {
        "damage": [one.id for one in reversed(found) if who not in one.character_ids],
        "resist": [one.id for one in reversed(found) if who in one.character_ids],
    }
