"""Redact, for fights: a hidden combatant is left out entirely, with its place and its moves.

`handful.rounds` guarantees that the rest of the round is the same with and without it.
"""

from __future__ import annotations

from typing import Any

from handful.records import replace
from handful.rounds import Place
from handful.table.events import (
    CombatantBody,
    CombatantJoined,
    CombatantLeft,
    CombatantRevealed,
    Event,
    FightBegun,
    FightBody,
    HitTaken,
    LeaveGranted,
    LeaveUsed,
    shown_at,
)
from handful.table.evolve import apply_event
from handful.table.fight import visible_state
from handful.table.state import Table
from handful.table.visibility import ALL, DECLARED, NOTHING, Viewer

PRIVATE = (LeaveGranted, LeaveUsed, HitTaken)  # for the GM and the combatant's owner


def sees_combatant(table: Table, combatant: str, hidden: bool, viewer: Viewer) -> bool:
    """Return whether a viewer knows of a combatant."""
    return viewer.is_gm or not hidden or table.owns(viewer.seat, combatant)


def redact_fight_body(event: Event, body: FightBody, viewer: Viewer, before: Table) -> Any:
    visible = _redact(event, body, viewer, before)
    return None if visible is None else shown_at(visible, ALL if viewer.is_gm else DECLARED)


def _redact(event: Event, body: FightBody, viewer: Viewer, before: Table) -> Any:
    """Return a body as far as its combatants and rolls are visible; the levels of its fields come later."""
    if isinstance(body, FightBegun):
        return _redact_begun(event, body, viewer, before)
    if not isinstance(body, CombatantBody):
        fight = before.fight
        places = () if fight is None else fight.rounds.places
        return body if any(_sees(before, one, viewer) for one in places) else None
    if isinstance(body, PRIVATE) and not (viewer.is_gm or before.owns(viewer.seat, body.combatant)):
        return None
    if isinstance(body, CombatantJoined):
        hidden = body.combatant in (body.hidden or ())
        if not sees_combatant(before, body.combatant, hidden, viewer):
            return None
        return body if viewer.is_gm else _with_state(event, body, viewer, before)
    assert before.fight is not None
    place = before.fight.rounds.place(body.combatant)
    sees = _sees(before, place, viewer)
    if isinstance(body, CombatantRevealed):
        return body if sees else _with_state(event, body, viewer, before)
    if not sees:
        return None
    if isinstance(body, CombatantLeft):
        others = [one for one in before.fight.rounds.places if one is not place]
        is_last = not viewer.is_gm and not any(_sees(before, one, viewer) for one in others)
        return replace(body, last=True) if is_last else body
    return _without_rolls(before, body, viewer)


def _sees(table: Table, place: Place, viewer: Viewer) -> bool:
    return sees_combatant(table, place.who, place.hidden, viewer)


def _redact_begun(event: Event, body: FightBegun, viewer: Viewer, before: Table) -> FightBegun | None:
    if viewer.is_gm:
        return body
    hidden = body.hidden or ()
    order = tuple(
        one for one in body.order if sees_combatant(before, one.combatant, one.combatant in hidden, viewer)
    )
    return _with_state(event, replace(body, order=order), viewer, before) if order else None


def _with_state(event: Event, body: Any, viewer: Viewer, before: Table) -> Any:
    """Return an event with the fight after it, as the viewer sees it, in place of how that came about."""
    after = apply_event(before, event)
    assert after.fight is not None
    return replace(body, state=visible_state(after.fight, lambda place: _sees(after, place, viewer)))


def _without_rolls(before: Table, body: Any, viewer: Viewer) -> Any:
    """Redact the rolls of a move, so that it looks the same with a hidden roll and with none.

    The roll and its item are shown from DECLARED on.  An interrupted roll is shown only to those who
    see all of it, because it says that the roll is decided.
    """
    left_out: list[str] = []
    if getattr(body, "roll", None) and _level(before, body.roll, viewer) < DECLARED:
        left_out += [name for name in ("roll", "item") if hasattr(body, name)]
    if getattr(body, "roll_of", None) and _level(before, body.roll_of, viewer) < ALL:
        left_out.append("roll_of")
    return replace(body, **dict.fromkeys(left_out)) if left_out else body


def _level(table: Table, roll: str, viewer: Viewer) -> int:
    return table.rolls[roll].level_for(viewer) if roll in table.rolls else NOTHING
