"""Legality of commands: everything that is not among the legal actions of a seat is refused.

All of this looks only at what the seat knows, so a refusal never says more.
"""

from __future__ import annotations

from handful.errors import Refused, format_choices
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
        raise Refused(f"{actor[:60]!r} has no seat at this table; the GM gives seats")
    if actor in known.left_seats:
        raise Refused(f"{actor!r} has left; the GM can seat them again")
    if isinstance(body, CombatantCommand):
        _check_control(known, viewer, body.combatant)  # `handful.rounds` refuses an illegal move
    elif subject is None:
        _check_table_action(known, viewer, body.kind)
    else:
        check_action(known, viewer, body.kind, body.about, subject)


def _check_table_action(known: Table, viewer: Viewer, kind: str) -> None:
    legal = table_actions(known, viewer)
    if all(one["do"] != kind for one in legal):
        choices = format_choices(one["do"] for one in legal) if legal else "only look on"
        raise Refused(f"{kind} is not for {viewer.seat} now; {viewer.seat} may {choices}")


def is_legal(known: Table, viewer: Viewer, kind: str, about: str, name: str) -> bool:
    """Return whether a seat may give this command on a roll, request, contest or character now."""
    return any(one["do"] == kind for one in actions_on(known, viewer, about, name))


def check_action(known: Table, viewer: Viewer, kind: str, about: str, name: str) -> None:
    """Refuse a command on a roll, request, contest or character that is not legal now."""
    if is_legal(known, viewer, kind, about, name):
        return
    if name not in getattr(known, f"{about}s"):
        raise Refused(f"there is no {about} {name[:160]!r}")
    if kind == "throw" and (awaited := awaited_sides(known, name)):
        raise Refused(f"every side of the contest is declared first; {format_choices(awaited)} is not yet")
    possible = [one["do"] for one in actions_on(known, viewer, about, name)]
    raise Refused(
        f"{kind} is not possible here now",
        f"{viewer.seat} may {format_choices(possible)}" if possible else "",
    )


def _check_control(known: Table, viewer: Viewer, combatant: str) -> None:
    """Refuse moving someone else's combatant, or one that the seat does not see."""
    if known.fight is None:
        raise Refused("there is no fight", "the GM begins one")
    if combatant not in known.fight.rounds:
        there = format_choices(one.who for one in known.fight.rounds.places)
        raise Refused(f"{combatant[:160]!r} is not in this fight; there is {there}")
    if not controls(known, combatant, viewer):
        raise Refused(f"{combatant} is not for {viewer.seat} to move")
