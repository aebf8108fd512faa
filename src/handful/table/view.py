"""A seat's view as JSON data: what it sees, may do, and may expect.

Everything here is computed from the seat's projection (`project`), never from the table itself,
so a view cannot leak.  Views are incremental: with a cache, items that did not change keep their
identity between calls, and the server sends only the others.
"""

from __future__ import annotations

from itertools import chain, islice
from typing import Any

from handful import odds as exact
from handful.errors import Refused
from handful.table.actions import actions_except_rolls, actions_on, involved_seats, list_actions
from handful.table.projection import project
from handful.table.projection_cache import ProjectionCache
from handful.table.projection_rolls import GroupedList, ProjectedRolls, RollSnapshot, project_rolls
from handful.table.state import Request, Table
from handful.table.view_contests import awaited_sides, contest_views, open_contests_with
from handful.table.view_fights import fight_view
from handful.table.view_rolls import roll_view
from handful.table.view_sheets import character_view, lines_view
from handful.table.visibility import GM

Data = dict[str, Any]
RECENT_ROLLS = 50  # shown in a view, together with all open rolls


def view(table: Table, seat: str, cache: ProjectionCache | None = None) -> dict[str, Any]:
    """Return everything that a seat sees, as JSON data.

    With a cache, unchanged list items keep their identity between calls.
    """
    static, rolls = view_layers(table, seat, cache or ProjectionCache())
    return static | rolls | {"actions": [*chain.from_iterable(rolls["actions"])]}


def view_layers(table: Table, seat: str, cache: ProjectionCache) -> tuple[Data, Data]:
    """Return a view in two layers: the static part, which seldom changes; rolls and actions.

    Actions are grouped, because a GM has hundreds of them and usually only those on one roll change.
    """
    if not table.role(seat):
        static, actions = _static_view(table, seat, cache)
        return static, {"rolls": [], "actions": GroupedList([one] for one in actions)}
    projected = project_rolls(table, seat, cache)
    state, rolls = projected.state, _list_rolls(projected)
    # the GM's actions on characters list the rolls that may count as damage
    damage_rolls = projected.visible if projected.role == GM and table.characters else None
    static_key = cache.static_part(table)
    if state.static_key is not static_key or state.damage_rolls is not damage_rolls:
        state.static_key, state.damage_rolls, state.actions = static_key, damage_rolls, None
        state.static_view, actions = _static_view(table, seat, cache)
        state.static_actions = [[one] for one in actions]
    if state.actions is None:
        state.actions = GroupedList([*state.static_actions, *state.roll_actions.values()])
    return state.static_view, {"rolls": rolls, "actions": state.actions}


def _static_view(table: Table, seat: str, cache: ProjectionCache) -> tuple[Data, list[Data]]:
    """Return the view without rolls, and the legal actions without those on rolls."""
    projected = project(table, seat, cache)
    inputs = (
        projected.rules,
        projected.seats,
        projected.left_seats,
        projected.options,
        projected.mode,
        projected.characters,
        projected.requests,
    )
    base = cache.memoize(
        ("base view", seat), inputs, lambda: _roll_independent_view(table, projected, seat, cache)
    )
    contests = contest_views(projected, RECENT_ROLLS, cache)
    data = {**base, "fight": fight_view(projected, seat), "contests": contests}
    return data, actions_except_rolls(projected, seat, cache)


def _roll_independent_view(table: Table, projected: Table, seat: str, cache: ProjectionCache) -> Data:
    """Return the part of a view that does not depend on any roll."""
    return {
        "table": projected.id,
        "game": {"id": projected.rules.id, "hash": projected.rules.hash},
        "seat": seat,
        "role": projected.role(seat),
        "seats": [
            {"name": name, "role": role, "left": name in projected.left_seats}
            for name, role in projected.seats.items()
        ],
        "options": dict(projected.options),
        "mode": projected.mode,
        "characters": [_character_view(table, projected, seat, name, cache) for name in projected.characters],
        "requests": [_request_view(one) for one in projected.requests.values() if not one.closed],
    }


def _list_rolls(rolls: ProjectedRolls) -> list[Data]:
    """Return the recent and all open rolls as JSON data; also updates the seat's actions on them."""
    state, snapshot = rolls.state, rolls.snapshot
    if snapshot.views is None:
        snapshot.views = _roll_views(snapshot, rolls)
        snapshot.view_list = [*snapshot.views.values()]
    if snapshot.previous is None:  # a new viewer: another seat may have an equal snapshot to share
        states = (rolls.cache.latest(("viewer", one)) for one in rolls.table.seats)
        others = (one.snapshot for one in states if one and one.snapshot)
        snapshot = state.snapshot = next((one for one in others if one.shows_same(snapshot)), snapshot)
    if state.actions_snapshot is not snapshot or state.actions_contests is not rolls.table.contests:
        _update_roll_actions(snapshot, rolls)
    return snapshot.view_list


def _update_roll_actions(snapshot: RollSnapshot, rolls: ProjectedRolls) -> None:
    """Update the seat's legal actions on rolls; `state.actions` stays as it is if none has changed."""
    seat, state, views, gm = rolls.seat, rolls.state, snapshot.views or {}, rolls.role == GM
    last = state.actions_snapshot
    incremental = last is not None and last in (snapshot, snapshot.previous)
    changed = snapshot.updated if incremental else [*views]
    removed = snapshot.removed if incremental else [*(state.roll_actions.keys() - views.keys())]
    state.actions_snapshot, state.actions_contests = snapshot, rolls.table.contests
    to_update = [one for one in changed if gm or seat in _involved_seats(snapshot, rolls, one)]
    obsolete = {one for one in (*removed, *changed) if one in state.roll_actions and one not in to_update}
    if not to_update and not obsolete:
        return
    projected = project(rolls.table, seat, rolls.cache)
    actions_by_roll = {one: _roll_actions(projected, seat, one, rolls.cache) for one in to_update}
    legal = {one: actions for one, actions in actions_by_roll.items() if actions}
    obsolete |= {one for one in state.roll_actions.keys() & actions_by_roll.keys() if one not in legal}
    if not obsolete and all(state.roll_actions.get(one) == legal[one] for one in legal):
        return
    new = [one for one in legal if one not in state.roll_actions]
    state.roll_actions |= legal
    for one in obsolete:
        del state.roll_actions[one]
    if new[::-1] != [*islice(reversed(views), len(new))]:  # new ones do not all come last: sort
        state.roll_actions = {one: state.roll_actions[one] for one in views if one in state.roll_actions}
    state.actions = None


def _involved_seats(snapshot: RollSnapshot, rolls: ProjectedRolls, name: str) -> tuple[str, ...]:
    """Return the seats that may act on a roll, computed once per snapshot."""
    if name not in snapshot.involved_seats:
        snapshot.involved_seats[name] = involved_seats(rolls[name])
    return snapshot.involved_seats[name]


def _roll_views(snapshot: RollSnapshot, rolls: ProjectedRolls) -> dict[str, Data]:
    """Return the recent and all open rolls as JSON data, by name."""
    projected = project(rolls.table, rolls.seat, rolls.cache)
    views = _shown_rolls(snapshot)
    snapshot.updated = [one for one in snapshot.changed if one in views] if snapshot.previous else [*views]
    snapshot.volatile = {name for name in snapshot.updated if not rolls.is_final(name)}
    for name in snapshot.updated:
        views[name] = _roll_view(projected, rolls.seat, name, rolls.cache)
    if snapshot.previous:
        snapshot.previous.previous = None  # only one step back is used; free the rest
    return views


def _shown_rolls(snapshot: RollSnapshot) -> dict[str, Any]:
    """Return the names of the rolls to show, in table order, with their previous views."""
    before = (snapshot.previous and snapshot.previous.views) or {}
    if snapshot.previous:  # new rolls come last; those they push out stay if they are open
        views = {**before, **dict.fromkeys(snapshot.names[len(snapshot.previous.names) :])}
        oldest = islice(views, max(0, len(views) - RECENT_ROLLS))
        snapshot.removed = [one for one in oldest if one not in snapshot.open]
        for one in snapshot.removed:
            del views[one]
        if all(one in views for one in snapshot.open):
            return views
    recent = snapshot.names[-RECENT_ROLLS:]
    names = [*(one for one in snapshot.open if one not in recent), *recent]
    snapshot.removed = [one for one in before if one not in names]
    return {one: before.get(one) for one in names}


def _roll_view(projected: Table, seat: str, name: str, cache: ProjectionCache) -> Data:
    """Return a roll as JSON data, computed once for all seats that see the same of it."""
    roll, gm = projected.rolls[name], projected.role(seat) == GM
    data = cache.memoize(("roll", name, id(roll)), (roll,), lambda: roll_view(roll))
    lines = cache.memoize(("lines", name, gm, id(roll)), (roll,), lambda: lines_view(projected, roll, seat))
    if not lines:
        return data
    return cache.memoize(("roll with lines", name, gm, id(roll)), (data, lines), lambda: data | lines)


def _roll_actions(projected: Table, seat: str, name: str, cache: ProjectionCache) -> list[Data]:
    roll = projected.rolls[name]
    contests: tuple[bool, ...] = ()
    if not roll.key:
        contests = bool(awaited_sides(projected, name)), bool(open_contests_with(projected, name))
    return cache.memoize(
        ("actions", seat, name),
        (roll, seat in projected.left_seats, *contests),
        lambda: actions_on(projected, seat, "roll", name),
    )


def _character_view(
    table: Table, projected: Table, seat: str, name: str, cache: ProjectionCache
) -> dict[str, Any]:
    character = projected.characters[name]
    inputs = (table.characters[name], character.level, projected.options, projected.rules)
    return cache.memoize(("character", seat, name), inputs, lambda: character_view(projected, character))


def legal_actions(table: Table, seat: str) -> list[dict[str, Any]]:
    """Return every action a seat may take now; any other command is refused."""
    return list_actions(project(table, seat), seat)


def odds(table: Table, seat: str, roll: str, policy: str = "usual") -> dict[str, Any]:
    """Return the exact odds of a roll from its current position, as far as the seat may know them."""
    found = project(table, seat).rolls.get(roll)
    if found is None or found.bound is None:
        raise Refused(f"{seat} knows no odds of a roll {roll[:80]!r}")
    return exact.odds(found.bound, found.node, policy=policy).to_dict()


def _request_view(request: Request) -> dict[str, Any]:
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
