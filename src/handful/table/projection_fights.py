"""A fight as a seat knows it, and what it is told of it.

Part of the gate of `knowing`.  Whoever is hidden is left out whole: not their place, not their
moves, not the moves that others could take back.  `handful.rounds` sees to it that the rest of the
round is the same with and without them.
"""

from __future__ import annotations

from typing import Any

from handful.errors import Refused
from handful.records import replace
from handful.rounds import Place
from handful.table.action_context import answer_to, answered_by
from handful.table.events import Data, Event
from handful.table.fight import Fight
from handful.table.index import known_rolls
from handful.table.state import Table
from handful.table.visibility import ALL, DECLARED, GM, NOTHING, PLAYER, visible_data, without_parameters

PRIVATE = ("leave_granted", "leave_used", "hit_taken")  # for the GM and the combatant's owner
LATEST = 50  # rolls known to a seat that are looked at for an answer


def sees(table: Table, who: str, hidden: bool, seat: str, role: str) -> bool:
    """Whether a seat knows of a combatant."""
    return role == GM or not hidden or table.owner(who) == seat


def fight_as_known(table: Table, seat: str, role: str) -> Fight | None:
    fight = table.fight
    if fight is None:
        return fight
    if role == GM:
        return replace(fight, answers=_answers(table, fight, seat, role))

    def known(place: Place) -> bool:
        return sees(table, place.who, place.hidden, seat, role)

    places = tuple(one for one in fight.rounds.places if known(one))
    if not places:
        return None
    names = [one.who for one in places]
    return replace(
        fight,
        rounds=replace(fight.rounds, places=places),
        names={who: name for who, name in fight.names.items() if who in names},
        undo_stacks={who: moves for who, moves in fight.undo_stacks.items() if who in ("", *names)},
        item_uses={mark: n for mark, n in fight.item_uses.items() if mark.rpartition("/")[0] in names},
        leaves={who: one for who, one in fight.leaves.items() if table.owner(who) == seat},
        accepted_hits=frozenset(),  # those who know of one are not asked any more
        answers=_answers(table, fight, seat, role),
    )


def _answers(table: Table, fight: Fight, seat: str, role: str) -> dict[str, dict[str, str]]:
    """Which rolls somebody may answer now, and how: for the GM, and for whoever owns them.

    An answer may need a hit, and what it is held against may be hidden.  Trying would tell the same
    by its refusal; so whoever is hit knows it in the moment in which it can be answered (AMB-D17).
    """
    says = table.rules.rounds
    found: dict[str, dict[str, str]] = {}
    latest = [table.rolls[name] for name in [*known_rolls(table, seat)][-LATEST:]]
    answered = answered_by([one for one in latest if one.level_for(seat, role) >= DECLARED])
    for roll in latest if says and says.answers else ():
        name, target = roll.id, roll.action_context.get("target", "")
        figure = table.characters.get(target)
        if figure is None or target not in fight.rounds or figure.sheet is None:
            continue
        mine = role == GM or (role == PLAYER and figure.owner == seat)
        now = roll.is_open or name in fight.rolls
        if not mine or not now or name in answered or name in fight.accepted_hits:
            continue
        if roll.level_for(seat, role) < ALL:
            continue
        asked = roll.asked if role == GM else without_parameters(roll.asked, roll.hidden)
        try:
            own = answer_to(table, replace(roll, asked=asked), target)
        except Refused:
            continue
        found.setdefault(target, {})[name] = own.name
    return found


def told_of_fight(before: Table, event: Event, seat: str, role: str) -> dict[str, Any] | None:
    """What a seat is told of a fight; `before` is the table before the event."""
    data, kind = event.data, event.kind
    level = ALL if role == GM else DECLARED
    if kind == "fight_begun":
        order = [
            one
            for one in data["order"]
            if sees(before, one["combatant"], one["combatant"] in data["hidden"], seat, role)
        ]
        return visible_data(kind, level, {**data, "order": order}) if order else None
    if kind == "combatant_joined":
        there = sees(before, data["combatant"], bool(data["hidden"]), seat, role)
        return visible_data(kind, level, data) if there else None
    if "combatant" not in data:
        there = any(sees(before, one.who, one.hidden, seat, role) for one in _places(before))
        return visible_data(kind, level, data) if there else None
    assert before.fight is not None
    if kind in PRIVATE and role != GM and before.owner(data["combatant"]) != seat:
        return None
    if kind != "combatant_revealed":
        place = before.fight.rounds.place(data["combatant"])
        if not sees(before, place.who, place.hidden, seat, role):
            return None
    return visible_data(kind, level, _without_rolls(before, data, seat, role))


def _places(table: Table) -> tuple[Place, ...]:
    return () if table.fight is None else table.fight.rounds.places


def _without_rolls(before: Table, data: Data, seat: str, role: str) -> Data:
    """A move looks the same with a hidden roll and with none.

    Whose roll it is and with what is declared with it; that one is rolled to its end, so that it
    can be interrupted, is known to those who see all of it.
    """
    left = dict(data)
    if "roll" in data and _level(before, data["roll"], seat, role) < DECLARED:
        del left["roll"]
        left.pop("item", None)
    if "roll_of" in data and _level(before, data["roll_of"], seat, role) < ALL:
        del left["roll_of"]
    return left


def _level(table: Table, roll: str, seat: str, role: str) -> int:
    return table.rolls[roll].level_for(seat, role) if roll in table.rolls else NOTHING
