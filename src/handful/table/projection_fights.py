"""A fight as a seat sees it, and redacted fight events; part of `projection`.

A hidden combatant is left out entirely: its place, its moves, and the moves others could undo.
`handful.rounds` guarantees that the rest of the round is the same with and without it.
"""

from __future__ import annotations

from typing import Any

from handful.errors import Refused
from handful.records import replace
from handful.rounds import Place
from handful.table.action_context import answered_rolls, legal_answer
from handful.table.events import Data, Event
from handful.table.fight import Fight
from handful.table.index import visible_rolls
from handful.table.state import Table
from handful.table.visibility import ALL, DECLARED, GM, NOTHING, PLAYER, visible_data, without_parameters

PRIVATE = ("leave_granted", "leave_used", "hit_taken")  # for the GM and the combatant's owner
RECENT_ROLLS = 50  # visible rolls that may be answered


def sees_combatant(table: Table, combatant: str, hidden: bool, seat: str, role: str) -> bool:
    """Return whether a seat knows of a combatant."""
    return role == GM or not hidden or table.owns(seat, combatant)


def project_fight(table: Table, seat: str, role: str) -> Fight | None:
    fight = table.fight
    if fight is None:
        return fight
    if role == GM:
        return replace(fight, answers=_legal_answers(table, fight, seat, role))

    def is_visible(place: Place) -> bool:
        return sees_combatant(table, place.who, place.hidden, seat, role)

    places = tuple(one for one in fight.rounds.places if is_visible(one))
    if not places:
        return None
    names = [one.who for one in places]
    return replace(
        fight,
        rounds=replace(fight.rounds, places=places),
        names={combatant: name for combatant, name in fight.names.items() if combatant in names},
        undo_stacks={
            combatant: moves for combatant, moves in fight.undo_stacks.items() if combatant in ("", *names)
        },
        item_uses={
            item_key: n for item_key, n in fight.item_uses.items() if item_key.rpartition("/")[0] in names
        },
        leaves={combatant: one for combatant, one in fight.leaves.items() if table.owns(seat, combatant)},
        accepted_hits=frozenset(),  # their owner is no longer asked, and others need not know
        answers=_legal_answers(table, fight, seat, role),
    )


def _legal_answers(table: Table, fight: Fight, seat: str, role: str) -> dict[str, dict[str, str]]:
    """Return the rolls each combatant may answer now, and the answer; for the GM and its owner.

    An answer may require a hit against a hidden target.  Trying it would reveal the same by its refusal,
    so the target learns of a hit at the moment it can be answered (AMB-D17).
    """
    round_rules = table.rules.rounds
    answers: dict[str, dict[str, str]] = {}
    recent = [table.rolls[name] for name in [*visible_rolls(table, seat)][-RECENT_ROLLS:]]
    answered = answered_rolls([one for one in recent if one.level_for(seat, role) >= DECLARED])
    for roll in recent if round_rules and round_rules.answers else ():
        name, target = roll.id, roll.action_context.get("target", "")
        character = table.characters.get(target)
        if character is None or target not in fight.rounds or character.sheet is None:
            continue
        controls = role == GM or (role == PLAYER and character.owner == seat)
        is_current = roll.is_open or name in fight.rolls
        if not controls or not is_current or name in answered or name in fight.accepted_hits:
            continue
        if roll.level_for(seat, role) < ALL:
            continue
        asked = roll.asked if role == GM else without_parameters(roll.asked, roll.hidden)
        try:
            answer = legal_answer(table, replace(roll, asked=asked), target)
        except Refused:
            continue
        answers.setdefault(target, {})[name] = answer.name
    return answers


def redact_fight_event(before: Table, event: Event, seat: str, role: str) -> dict[str, Any] | None:
    """Return the data of a fight event as a seat may see it, or None; `before` is the table before it."""
    data, kind = event.data, event.kind
    level = ALL if role == GM else DECLARED
    if kind == "fight_begun":
        order = [
            one
            for one in data["order"]
            if sees_combatant(before, one["combatant"], one["combatant"] in data["hidden"], seat, role)
        ]
        return visible_data(kind, level, {**data, "order": order}) if order else None
    if kind == "combatant_joined":
        is_visible = sees_combatant(before, data["combatant"], bool(data["hidden"]), seat, role)
        return visible_data(kind, level, data) if is_visible else None
    if "combatant" not in data:
        is_visible = any(sees_combatant(before, one.who, one.hidden, seat, role) for one in _places(before))
        return visible_data(kind, level, data) if is_visible else None
    assert before.fight is not None
    if kind in PRIVATE and role != GM and not before.owns(seat, data["combatant"]):
        return None
    if kind != "combatant_revealed":
        place = before.fight.rounds.place(data["combatant"])
        if not sees_combatant(before, place.who, place.hidden, seat, role):
            return None
    return visible_data(kind, level, _without_rolls(before, data, seat, role))


def _places(table: Table) -> tuple[Place, ...]:
    return () if table.fight is None else table.fight.rounds.places


def _without_rolls(before: Table, data: Data, seat: str, role: str) -> Data:
    """Redact the rolls of a move, so that it looks the same with a hidden roll and with none.

    The roll and its item are shown from DECLARED on.  An interrupted roll is shown only to those who
    see all of it, because it says that the roll is decided.
    """
    visible = dict(data)
    if "roll" in data and _level(before, data["roll"], seat, role) < DECLARED:
        del visible["roll"]
        visible.pop("item", None)
    if "roll_of" in data and _level(before, data["roll_of"], seat, role) < ALL:
        del visible["roll_of"]
    return visible


def _level(table: Table, roll: str, seat: str, role: str) -> int:
    return table.rolls[roll].level_for(seat, role) if roll in table.rolls else NOTHING
