"""Legality of commands: everything that is not among the legal actions of a seat is refused.

All of this looks only at what the seat knows, so a refusal never says more.
"""

from __future__ import annotations

from handful.errors import NO_MESSAGE, Message, Refused
from handful.table.actions import actions_on, table_actions
from handful.table.commands import CommandBody
from handful.table.commands.base import CombatantCommand
from handful.table.state import Table
from handful.table.view_contests import awaited_sides
from handful.table.view_moves import controls
from handful.table.visibility import Viewer


def check_command(known: Table, viewer: Viewer, body: CommandBody) -> None:
    """Refuse a command that is not among the seat's legal actions."""
    actor, subject = viewer.seat, body.subject
    if known.seats and actor not in known.seats:
        raise Refused(Message("seat.none", name=actor[:60]))
    if actor in known.left_seats:
        raise Refused(Message("seat.has_left", name=actor))
    if isinstance(body, CombatantCommand):
        _check_control(known, viewer, body.combatant)  # `handful.rounds` refuses an illegal move
    elif subject is None:
        _check_table_action(known, viewer, body.kind)
    else:
        check_action(known, viewer, body.kind, body.about, subject)


def _check_table_action(known: Table, viewer: Viewer, kind: str) -> None:
    legal = table_actions(known, viewer)
    if all(one["do"] != kind for one in legal):
        if not legal:
            raise Refused(Message("seat.only_watches", kind=kind, seat=viewer.seat))
        names = [one["do"] for one in legal]
        raise Refused(Message("seat.not_allowed", kind=kind, seat=viewer.seat, names=names))


def is_legal(known: Table, viewer: Viewer, kind: str, about: str, name: str) -> bool:
    """Return whether a seat may give this command on a roll, request, contest or character now."""
    return any(one["do"] == kind for one in actions_on(known, viewer, about, name))


def check_action(known: Table, viewer: Viewer, kind: str, about: str, name: str) -> None:
    """Refuse a command on a roll, request, contest or character that is not legal now."""
    if is_legal(known, viewer, kind, about, name):
        return
    if name not in getattr(known, f"{about}s"):
        raise Refused(_unknown(about, name[:160]))
    if kind == "throw" and (awaited := awaited_sides(known, name)):
        raise Refused(Message("contest.sides_first", names=awaited))
    possible = [one["do"] for one in actions_on(known, viewer, about, name)]
    raise Refused(
        Message("seat.not_possible_here", kind=kind),
        Message("advice.possible_now", names=possible) if possible else NO_MESSAGE,
    )


def _unknown(about: str, name: str) -> Message:
    match about:
        case "roll":
            return Message("roll.unknown", name=name)
        case "request":
            return Message("request.unknown", name=name)
        case "contest":
            return Message("contest.unknown", name=name)
    return Message("character.unknown", name=name)


def _check_control(known: Table, viewer: Viewer, combatant: str) -> None:
    """Refuse moving someone else's combatant, or one that the seat does not see."""
    if known.fight is None:
        raise Refused(Message("fight.none"), Message("fight.gm_begins"))
    if combatant not in known.fight.rounds:
        names = [one.who for one in known.fight.rounds.places]
        raise Refused(Message("fight.not_there", name=combatant[:160], names=names))
    if not controls(known, combatant, viewer):
        raise Refused(Message("fight.not_yours", who=combatant, seat=viewer.seat))
