"""A seat's view as JSON data: what it sees, may do, and may expect.

Everything here is computed from what the seat knows (`knowledge`), never from the table itself, so a
view cannot leak.
"""

from __future__ import annotations

from typing import Any

from handful import odds as exact
from handful.errors import Refused
from handful.table.actions import Data, actions_on, list_actions, static_actions
from handful.table.knowledge import known_to
from handful.table.state import Request, Table, last_rolls
from handful.table.view_contests import contest_views
from handful.table.view_fights import fight_view
from handful.table.view_rolls import roll_view
from handful.table.view_sheets import character_view, lines_view
from handful.table.visibility import Viewer

RECENT_ROLLS = 50  # shown in a view, together with all open rolls


def view(table: Table, seat: str) -> Data:
    """Return everything that a seat sees, as JSON data."""
    known, viewer = known_to(table, seat), table.viewer(seat)
    rolls = [rolls_view(known, name, viewer) for name in shown_rolls(known)]
    return {**static_view(known, viewer), "rolls": rolls, "actions": view_actions(known, viewer)}


def static_view(known: Table, viewer: Viewer) -> Data:
    """Return the view without rolls and actions."""
    return {
        "table": known.id,
        "game": {"id": known.rules.id, "hash": known.rules.hash},
        "seat": viewer.seat,
        "role": viewer.role,
        "seats": [
            {"name": name, "role": role, "left": name in known.left_seats}
            for name, role in known.seats.items()
        ],
        "options": dict(known.options),
        "mode": known.mode,
        "characters": [character_view(known, one) for one in known.characters.values()],
        "requests": [request_view(one) for one in known.requests.values() if not one.closed],
        "fight": fight_view(known, viewer),
        "contests": contest_views(known, RECENT_ROLLS),
    }


def shown_rolls(known: Table) -> list[str]:
    """Return the names of the recent and all open rolls, in the order in which the seat learned of them."""
    recent = last_rolls(known, RECENT_ROLLS)
    return [*(one for one in known.open_rolls if one not in recent), *recent]


def own_open_rolls(table: Table, seat: str) -> list[str]:
    """Return the open rolls that a seat makes or has declared, as far as it knows."""
    known = known_to(table, seat)
    return [one for one in known.open_rolls if known.rolls[one].roller == seat or one.startswith(f"{seat}/")]


def rolls_view(known: Table, name: str, viewer: Viewer) -> Data:
    """Return a roll as JSON data, with its origin."""
    roll = known.rolls[name]
    return roll_view(roll) | lines_view(known, roll, viewer)


def view_actions(known: Table, viewer: Viewer) -> list[Data]:
    """Return the legal actions, except those on rolls that a view does not show."""
    actions = static_actions(known, viewer)
    for name in shown_rolls(known):
        actions += actions_on(known, viewer, "roll", name)
    return actions


def legal_actions(table: Table, seat: str) -> list[Data]:
    """Return every action a seat may take now; any other command is refused."""
    return list_actions(known_to(table, seat), table.viewer(seat))


def odds(table: Table, seat: str, roll: str, policy: str = "usual") -> dict[str, Any]:
    """Return the exact odds of a roll from its current position, as far as the seat may know them."""
    found = known_to(table, seat).rolls.get(roll)
    if found is None or found.bound is None:
        raise Refused(f"{seat} knows no odds of a roll {roll[:80]!r}")
    return exact.odds(found.bound, found.node, policy=policy).to_dict()


def request_view(request: Request) -> Data:
    return {
        "request": request.id,
        "to": list(request.to),
        "check": request.check,
        "parameters": dict(request.parameters),
        "hidden": list(request.hidden),
        "title": request.title,
        "called": request.called,
        "open": request.is_open,
        "proposals": dict(request.proposals),
        "rolls": dict(request.rolls),
        "as": dict(request.character_ids),
    }
