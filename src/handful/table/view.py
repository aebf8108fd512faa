"""A seat's view as JSON data: what it sees, may do, and may expect.

Everything here is computed from what the seat knows (`knowledge`), never from the table itself, so a
view cannot leak.  Each item has what the seat may do with it (`may`); the keyed lists of `ITEMS` are
the parts of a view that change item by item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from handful import odds as exact
from handful.errors import Message, Refused
from handful.table.actions import actions_on, list_actions, table_actions
from handful.table.json_types import JsonObject
from handful.table.knowledge import known_to
from handful.table.messages import last_messages, message_view, scratchpads
from handful.table.state import Request, Table, last_rolls
from handful.table.view_contests import contest_view, shown_contests
from handful.table.view_fights import fight_view
from handful.table.view_rolls import roll_view
from handful.table.view_sheets import character_view, lines_view
from handful.table.visibility import Viewer

RECENT = 50  # messages, rolls and contests shown in a view, together with open ones
MAX_ROLLS = 200  # shown in a view, open ones included; others can be asked for by name
MAX_DICE = 3000  # of all rolls in a view; the latest roll is shown whatever it has
MAX_REQUESTS = 200  # shown in a view


def view(table: Table, seat: str) -> JsonObject:
    """Return everything that a seat sees, as JSON data."""
    return view_of(known_to(table, seat), table.viewer(seat))


def view_of(known: Table, viewer: Viewer) -> JsonObject:
    """Return everything that a viewer sees who knows this much, as JSON data."""
    items = {
        part: [view_item(known, viewer, part, name) for name in shown_items(known, part)] for part in ITEMS
    }
    return {**table_view(known, viewer), **items}


def table_view(known: Table, viewer: Viewer) -> JsonObject:
    """Return the parts of a view that are no keyed lists."""
    return {
        "table": known.id,
        "game": {"id": known.rules.id, "hash": known.rules.hash},
        "seat": viewer.seat,
        "role": viewer.role,
        "seats": [
            {"name": name, "role": role, "left": name in known.left_seats}
            | ({"colour": known.colours[name]} if name in known.colours else {})
            | ({"picture": known.pictures[name]} if known.pictures.get(name) else {})
            | ({"of": known.gm_seats[name]} if name in known.gm_seats else {})
            for name, role in known.seats.items()
        ],
        "options": dict(known.options),
        "mode": known.mode,
        "may": table_actions(known, viewer),
        "fight": fight_view(known, viewer),
        **scratchpads(known, viewer),
    }


def shown_items(known: Table, part: str) -> list[str]:
    """Return the names of the items in a keyed list, in their order."""
    if part == "rolls":
        return shown_rolls(known)
    if part == "messages":
        return last_messages(known, RECENT)
    if part == "contests":
        return shown_contests(known, RECENT)
    if part == "requests":
        return [name for name, one in known.requests.items() if not one.closed][-MAX_REQUESTS:]
    return [*known.characters]


def shown_rolls(known: Table) -> list[str]:
    """Return the names of the recent and open rolls, in the order in which the seat learned of them.

    The oldest are left out if there are too many, or if they have too many dice.
    """
    recent = last_rolls(known, RECENT)
    names = [one for one in known.open_rolls if one not in recent] + recent
    dice, first = 0, max(len(names) - MAX_ROLLS, 0)
    for at in range(len(names) - 1, first - 1, -1):
        dice += sum([len(one.reply) for one in known.rolls[names[at]].replies if one.thrown])
        if dice > MAX_DICE and at < len(names) - 1:
            return names[at + 1 :]
    return names[first:]


def view_item(known: Table, viewer: Viewer, part: str, name: str) -> JsonObject:
    """Return one item of a keyed list, with what the viewer may do with it."""
    item = ITEMS[part](known, viewer, name)
    if part == "rolls":
        item |= lines_view(known, known.rolls[name], viewer)
    return with_may(item, item_actions(known, viewer, part, name))


def with_may(item: JsonObject, actions: list[JsonObject]) -> JsonObject:
    return {**item, "may": actions} if actions else item


def item_actions(known: Table, viewer: Viewer, part: str, name: str) -> list[JsonObject]:
    return actions_on(known, viewer, part.removesuffix("s"), name)


# keyed lists of a view -> one of their items, without its origin and what may be done with it
ITEMS: Mapping[str, Callable[[Table, Viewer, str], JsonObject]] = {
    "characters": lambda known, viewer, name: character_view(known, known.characters[name]),
    "requests": lambda known, viewer, name: request_view(known.requests[name]),
    "contests": lambda known, viewer, name: contest_view(known, known.contests[name]),
    "rolls": lambda known, viewer, name: roll_view(known.rolls[name]),
    "messages": lambda known, viewer, name: message_view(known.messages[name]),
}


def named_rolls(table: Table, seat: str, names: Sequence[str]) -> list[JsonObject]:
    """Return rolls by name, also those that are too old for a view; unknown ones are left out."""
    known, viewer = known_to(table, seat), table.viewer(seat)
    found = [name for name in dict.fromkeys(names) if name in known.rolls]
    return [view_item(known, viewer, "rolls", name) for name in found]


def actions_in(view: Mapping[str, Any]) -> Iterator[JsonObject]:
    """Yield the legal actions of a view, on the table and on everything it shows."""
    yield from view["may"]
    items = [one for part in ITEMS for one in view[part]]
    for item in (*items, *(view["fight"] or {}).get("order", ())):
        yield from item.get("may", ())


def own_open_rolls(table: Table, seat: str) -> list[str]:
    """Return the open rolls that a seat makes or has declared, as far as it knows."""
    known = known_to(table, seat)
    return [one for one in known.open_rolls if known.rolls[one].roller == seat or one.startswith(f"{seat}/")]


def legal_actions(table: Table, seat: str) -> list[JsonObject]:
    """Return every action a seat may take now; any other command is refused."""
    return list_actions(known_to(table, seat), table.viewer(seat))


def odds(table: Table, seat: str, roll: str, policy: str = "usual") -> JsonObject:
    """Return the exact odds of a roll from its current position, as far as the seat may know them."""
    found = known_to(table, seat).rolls.get(roll)
    if found is None or found.bound is None:
        raise Refused(Message("server.no_odds_known", seat=seat, roll=roll[:80]))
    return exact.odds(found.bound, found.node, policy=policy).to_dict()


def request_view(request: Request) -> JsonObject:
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
