"""What a seat sees, may do and can reckon with: plain data, made from what the seat knows.

Nothing here looks at the table itself: `as_known` comes first, everywhere.
"""

from __future__ import annotations

from itertools import chain, islice
from typing import Any

from handful import odds as exact
from handful.errors import Refused
from handful.table.actions import actions_about, actions_beside_rolls, actions_of, concerned
from handful.table.projection import project
from handful.table.projection_cache import ProjectionCache
from handful.table.projection_rolls import GroupedList, ProjectedRolls, RollSnapshot, project_rolls
from handful.table.state import Request, Table
from handful.table.view_contests import contests_seen, held, open_with
from handful.table.view_fights import fight_seen
from handful.table.view_rolls import roll_seen
from handful.table.view_sheets import character_seen, lines_seen
from handful.table.visibility import GM

Data = dict[str, Any]
LATEST = 50  # rolls in a view, beside those that are not over


def view(table: Table, seat: str, memory: ProjectionCache | None = None) -> dict[str, Any]:
    """Everything that a seat sees, as plain data.

    With a memory, whatever in a list did not change since the last time is the very same.
    """
    beside, rolls = view_layers(table, seat, memory or ProjectionCache())
    return beside | rolls | {"actions": [*chain.from_iterable(rolls["actions"])]}


def view_layers(table: Table, seat: str, memory: ProjectionCache) -> tuple[Data, Data]:
    """A view in two layers: what is beside rolls, and seldom changes; rolls and actions.

    Actions are in groups, because a GM has hundreds of them and only those of one roll change.
    """
    if not table.role(seat):
        beside, may = _beside(table, seat, memory)
        return beside, {"rolls": [], "actions": GroupedList([one] for one in may)}
    known = project_rolls(table, seat, memory)
    sight, rolls = known.sight, _rolls(known)
    harms = known.ledger if known.role == GM and table.characters else None  # they may do damage
    parts = memory.static_part(table)
    if sight.parts is not parts or sight.harms is not harms:
        sight.parts, sight.harms, sight.actions = parts, harms, None
        sight.beside, may = _beside(table, seat, memory)
        sight.may_beside = [[one] for one in may]
    if sight.actions is None:
        sight.actions = GroupedList([*sight.may_beside, *sight.may.values()])
    return sight.beside, {"rolls": rolls, "actions": sight.actions}


def _beside(table: Table, seat: str, memory: ProjectionCache) -> tuple[Data, list[Data]]:
    """What is seen beside rolls, and what may be done."""
    known = project(table, seat, memory)
    parts = (
        known.rules,
        known.seats,
        known.left_seats,
        known.options,
        known.mode,
        known.characters,
        known.requests,
    )
    alone = memory.memoize(("alone", seat), parts, lambda: _alone(table, known, seat, memory))
    contests = contests_seen(known, LATEST, memory)
    seen = {**alone, "fight": fight_seen(known, seat), "contests": contests}
    return seen, actions_beside_rolls(known, seat, memory)


def _alone(table: Table, known: Table, seat: str, memory: ProjectionCache) -> Data:
    """What does not hang on rolls at all."""
    return {
        "table": known.id,
        "game": {"id": known.rules.id, "hash": known.rules.hash},
        "seat": seat,
        "role": known.role(seat),
        "seats": [
            {"name": name, "role": role, "left": name in known.left_seats}
            for name, role in known.seats.items()
        ],
        "options": dict(known.options),
        "mode": known.mode,
        "characters": [_character(table, known, seat, name, memory) for name in known.characters],
        "requests": [_request(one) for one in known.requests.values() if not one.closed],
    }


def _rolls(rolls: ProjectedRolls) -> list[Data]:
    """The latest rolls and all that still wait for somebody; what may be done is in the sight."""
    sight, look = rolls.sight, rolls.look
    if look.seen is None:
        look.seen = _seen(look, rolls)
        look.listed = [*look.seen.values()]
    if look.before is None:  # somebody has just come: others may see the same
        sights = (rolls.memory.latest(("sight", one)) for one in rolls.table.seats)
        others = (one.look for one in sights if one and one.look)
        look = sight.look = next((one for one in others if one.is_like(look)), look)
    if sight.looked is not look or sight.contests is not rolls.table.contests:
        _look_for_actions(look, rolls)
    return look.listed


def _look_for_actions(look: RollSnapshot, rolls: ProjectedRolls) -> None:
    """What a seat may do with the rolls that it sees; the very same list if that is as it was."""
    seat, sight, seen, gm = rolls.seat, rolls.sight, look.seen or {}, rolls.role == GM
    went_on = sight.looked is not None and sight.looked in (look, look.before)
    moved = look.fresh if went_on else [*seen]
    gone = look.gone if went_on else [*(sight.may.keys() - seen.keys())]
    sight.looked, sight.contests = look, rolls.table.contests
    own = [one for one in moved if gm or seat in _concerned(look, rolls, one)]
    over = {one for one in (*gone, *moved) if one in sight.may and one not in own}
    if not own and not over:
        return
    known = project(rolls.table, seat, rolls.memory)
    found = {one: _actions_with(known, seat, one, rolls.memory) for one in own}
    may = {one: actions for one, actions in found.items() if actions}
    over |= {one for one in sight.may.keys() & found.keys() if one not in may}
    if not over and all(sight.may.get(one) == may[one] for one in may):
        return
    new = [one for one in may if one not in sight.may]
    sight.may |= may
    for one in over:
        del sight.may[one]
    if new[::-1] != [*islice(reversed(seen), len(new))]:  # some have their place among others
        sight.may = {one: sight.may[one] for one in seen if one in sight.may}
    sight.actions = None


def _concerned(look: RollSnapshot, rolls: ProjectedRolls, name: str) -> tuple[str, ...]:
    """Who may do something with a roll; worked out once for all who share a look."""
    if name not in look.concerned:
        look.concerned[name] = concerned(rolls[name])
    return look.concerned[name]


def _seen(look: RollSnapshot, rolls: ProjectedRolls) -> dict[str, Data]:
    """The latest rolls and all that wait, as plain data."""
    known = project(rolls.table, rolls.seat, rolls.memory)
    seen = _shown(look)
    look.fresh = [one for one in look.moved if one in seen] if look.before else [*seen]
    look.unsettled = {name for name in look.fresh if not rolls.is_settled(name)}
    for name in look.fresh:
        seen[name] = _roll(known, rolls.seat, name, rolls.memory)
    if look.before:
        look.before.before = None  # what is older is of no use any more
    return seen


def _shown(look: RollSnapshot) -> dict[str, Any]:
    """Which rolls are shown, in the order of the table, and as they were shown before."""
    was = (look.before and look.before.seen) or {}
    if look.before:  # what is new comes last, and whatever that pushes out stays if it waits
        seen = {**was, **dict.fromkeys(look.names[len(look.before.names) :])}
        first = islice(seen, max(0, len(seen) - LATEST))
        look.gone = [one for one in first if one not in look.open]
        for one in look.gone:
            del seen[one]
        if all(one in seen for one in look.open):
            return seen
    latest = look.names[-LATEST:]
    names = [*(one for one in look.open if one not in latest), *latest]
    look.gone = [one for one in was if one not in names]
    return {one: was.get(one) for one in names}


def _roll(known: Table, seat: str, name: str, memory: ProjectionCache) -> Data:
    """A roll in a view; made once for all who know the same of it."""
    roll, gm = known.rolls[name], known.role(seat) == GM
    seen = memory.memoize(("roll", name, id(roll)), (roll,), lambda: roll_seen(roll))
    lines = memory.memoize(("lines", name, gm, id(roll)), (roll,), lambda: lines_seen(known, roll, seat))
    if not lines:
        return seen
    return memory.memoize(("seen", name, gm, id(roll)), (seen, lines), lambda: seen | lines)


def _actions_with(known: Table, seat: str, name: str, memory: ProjectionCache) -> list[Data]:
    roll = known.rolls[name]
    waits = () if roll.key else (bool(held(known, name)), bool(open_with(known, name)))
    return memory.memoize(
        ("actions", seat, name),
        (roll, seat in known.left_seats, *waits),
        lambda: actions_about(known, seat, "roll", name),
    )


def _character(table: Table, known: Table, seat: str, name: str, memory: ProjectionCache) -> dict[str, Any]:
    figure = known.characters[name]
    parts = (table.characters[name], figure.level, known.options, known.rules)
    return memory.memoize(("character", seat, name), parts, lambda: character_seen(known, figure))


def legal_actions(table: Table, seat: str) -> list[dict[str, Any]]:
    """What a seat may do now; whatever is not listed is refused."""
    return actions_of(project(table, seat), seat)


def odds(table: Table, seat: str, roll: str, policy: str = "usual") -> dict[str, Any]:
    """Exact odds of a roll from where it stands, with each answer, by what the seat knows."""
    found = project(table, seat).rolls.get(roll)
    if found is None or found.bound is None:
        raise Refused(f"{seat} knows no odds of a roll {roll[:80]!r}")
    return exact.odds(found.bound, found.node, policy=policy).to_dict()


def _request(request: Request) -> dict[str, Any]:
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
