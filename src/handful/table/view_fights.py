"""A fight in a view: the round, the order of combatants, and whose turn it is.

Works on what a seat knows, so hidden combatants are not there.  Legal moves are in `view_moves`.
"""

from __future__ import annotations

from handful.rounds import Place
from handful.rules.round_rules import INTERLEAVED
from handful.table.actions import actions_on
from handful.table.fight import Fight
from handful.table.json_types import JsonObject
from handful.table.state import Table
from handful.table.view_sheets import json_value
from handful.table.visibility import Viewer


def fight_view(known: Table, viewer: Viewer) -> JsonObject | None:
    fight = known.fight
    if fight is None:
        return None
    round_rules = known.rules.rounds
    rounds = fight.rounds
    gm = viewer.is_gm
    ranked = {one.who for one in rounds.places if round_rules and one.who in known.characters}
    return {
        "fight": fight.id,
        "round": rounds.number,
        "seconds": round_rules.seconds if round_rules else 0,
        "structure": rounds.structure,
        "declaring": rounds.declaring,
        "turn": list(rounds.turn),
        "order": [
            _place_view(fight, one)
            | ({"initiative": json_value(one.initiative)} if gm and one.who in ranked else {})
            | _may(known, viewer, one.who)
            for one in rounds.places
        ],
        "slots": _slots(fight),
    }


def _may(known: Table, viewer: Viewer, combatant: str) -> JsonObject:
    actions = actions_on(known, viewer, "combatant", combatant)
    return {"may": actions} if actions else {}


def _place_view(fight: Fight, place: Place) -> JsonObject:
    return {
        "combatant": place.who,
        "name": fight.names[place.who],
        "actions": place.actions,
        "taken": place.taken,
        "left": place.actions_left if place.actions is not None else None,
        "over": place.over,
        "waiting": place.waiting,
        "stance": place.stance,
        "choice": place.choice,
        "pace": place.pace,
        "attacked": place.attacked,
        "prepared": place.prepared,
        "hidden": place.hidden,
        "due": fight.rounds.is_due(place.who),
    }


def _slots(fight: Fight) -> list[JsonObject]:
    """Return the actions of an interleaved round in order, and which of them are past."""
    rounds = fight.rounds
    if rounds.structure != INTERLEAVED or rounds.declaring:
        return []
    return [
        {"combatant": one.who, "number": one.number + 1, "past": at < rounds.slot}
        for at, one in enumerate(rounds.slots())
    ]
