"""Redact: an event as one viewer may see it.  This is the only gate between the table and a seat.

What a seat knows is the fold of its redacted events, so nothing else decides who sees what.
A hidden parameter is removed from the check itself, so that a seat that does not know it gets a result
(a number without a success), odds and legal answers that do not depend on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from handful.records import replace
from handful.sheet import canonical_data
from handful.table.events import (
    CharacterBrought,
    CharacterShown,
    CheckRequested,
    ContestBody,
    ContestOpened,
    EpochBegun,
    Event,
    EventBody,
    LineAdded,
    LineSwitched,
    LinkMade,
    MessageSent,
    PointsChanged,
    ProposalAccepted,
    RollBody,
    RollDeclared,
    RollRevealed,
    ScratchpadChanged,
    SeatTaken,
    TargetRevealed,
    shown_at,
)
from handful.table.events.values import DeclaredSide, ItemData, SideData, Texts
from handful.table.evolve import read_contest
from handful.table.key_streams import sees_stream
from handful.table.redact_fights import redact_fight_body
from handful.table.redact_rolls import (
    before_first_throw,
    offered_answer,
    redact_origin,
    roll_story,
    sees_line,
    visible_line_number,
)
from handful.table.state import Contest, ContestSide, Table, TableRoll, read_components, roll_level
from handful.table.visibility import ALL, NOTHING, Viewer, combine_modes, sheet_mode

PUBLIC = combine_modes("public")


def redact(event: Event, viewer: Viewer, before: Table) -> Event | None:
    """Return an event as a viewer may see it; None if they may not know of it.

    `before` is the table before the event.  The very same event is returned if nothing is left out.
    """
    redactor = _REDACTORS.get(event.body.group)
    body = None if redactor is None else redactor(event, event.body, viewer, before)
    if body is None:
        return None
    return event if body is event.body else Event(body, event.seat)


def is_public_event(event: Event, before: Table) -> bool:
    """Return whether every viewer is told the whole event: most are, and need no copies."""
    body = event.body
    if isinstance(body, MessageSent):
        return body.to is None
    if not isinstance(body, RollBody):
        return body.group == "table" and not isinstance(body, (SeatTaken, EpochBegun, LinkMade))
    if before.fight is not None or isinstance(body, (RollRevealed, LineAdded, LineSwitched, TargetRevealed)):
        return False
    if isinstance(body, RollDeclared):
        is_plain = not (body.hidden or body.components or body.character_ids or body.lines)
        return is_plain and combine_modes(*(body.modes or ())) is PUBLIC
    roll = before.rolls[body.roll]
    return roll.mode is PUBLIC and not (roll.hidden or roll.components)


def _redact_table_body(event: Event, body: EventBody, viewer: Viewer, before: Table) -> EventBody | None:
    if isinstance(body, LinkMade):
        return body if viewer.is_gm or viewer.seat == body.seat else None
    if isinstance(body, SeatTaken) and body.commitments is not None:
        return replace(body, commitments=_visible_commitments(body.commitments, viewer, body.name))
    if isinstance(body, EpochBegun):
        visible = {seat: _visible_commitments(one, viewer, seat) for seat, one in body.commitments.items()}
        return replace(body, commitments=visible)
    return body


def _visible_commitments(commitments: Texts, viewer: Viewer, roller: str) -> Texts:
    """Return the commitments of those streams whose declarations a viewer sees."""
    return {stream: one for stream, one in commitments.items() if sees_stream(stream, viewer, roller)}


def _redact_message_body(
    event: Event, body: MessageSent, viewer: Viewer, before: Table
) -> MessageSent | None:
    """Tell a whisper to the one who whispers and to those who are meant, and to no other GM either."""
    return body if body.to is None or viewer.seat in (event.seat, *body.to) else None


def _redact_scratchpad_body(
    event: Event, body: ScratchpadChanged, viewer: Viewer, before: Table
) -> ScratchpadChanged | None:
    return body if viewer.is_gm or not body.for_gms else None


# -- rolls


def _redact_roll_body(event: Event, body: Any, viewer: Viewer, before: Table) -> Any:
    if isinstance(body, RollDeclared):
        redacted = _redact_declared(body, viewer, before)
    else:
        roll = before.rolls[body.roll]
        level = roll.level_for(viewer)
        if level < ALL and body.only_before_dice and roll.is_past_dice:
            return None
        redacted = _redact_about(body, roll, level, viewer, before)
    if redacted is None or before.fight is None:
        return redacted
    offered = offered_answer(before, event, viewer)
    return redacted if offered is None else replace(redacted, offered=offered)


def _redact_declared(body: RollDeclared, viewer: Viewer, before: Table) -> RollDeclared | None:
    mode, components = combine_modes(*(body.modes or ())), read_components(before, body.components or ())
    level = roll_level(mode, body.roller, components, viewer)
    if level == NOTHING:
        return None
    if not viewer.is_gm:
        if body.hidden and body.asked is not None:
            body = replace(body, asked=body.asked.without(body.hidden))
        if body.character_ids or body.lines:
            body = redact_origin(before, body, body.hidden or (), viewer)
    shown: RollDeclared | None = shown_at(body, level)
    return shown


def _redact_about(body: Any, roll: TableRoll, level: int, viewer: Viewer, before: Table) -> Any:
    if isinstance(body, RollRevealed):
        return _redact_reveal(body, roll, level, viewer, before)
    if isinstance(body, (LineAdded, LineSwitched)):
        return _redact_line(body, roll, level, viewer, before)
    if isinstance(body, TargetRevealed):
        shown = roll if level == ALL else before_first_throw(roll)
        lines = redact_origin(before, shown, (), viewer).lines or None
        return shown_at(replace(body, asked=shown.asked, lines=lines), level)
    hidden = roll.hidden_from(viewer)
    if hidden and getattr(body, "asked", None) is not None:
        body = replace(body, asked=body.asked.without(hidden))
    return shown_at(body, level)


def _redact_reveal(
    body: RollRevealed, roll: TableRoll, level: int, viewer: Viewer, before: Table
) -> RollRevealed | None:
    """Give a seat that could not see the roll its full story, in place of the events it missed."""
    if level == ALL:
        return replace(body, to=None)
    if viewer.seat not in (body.to or ()):
        return None
    return replace(body, to=None, story=roll_story(before, roll, viewer))


def _redact_line(
    body: LineAdded | LineSwitched, roll: TableRoll, level: int, viewer: Viewer, before: Table
) -> Any:
    """Redact a changed line; a hidden parameter's line is not mentioned at all."""
    if viewer.is_gm:
        return shown_at(body, level)
    assert body.line is not None
    side, line = body.line
    if line.parameter in roll.hidden:
        return None
    body = replace(body, asked=body.asked.without(roll.hidden))
    if not sees_line(before, roll.character_ids, roll.hidden, viewer)(side, line.parameter):
        body = replace(body, line=None, number=None)
    else:
        number = visible_line_number(before, roll, body, viewer)
        body = replace(body, number=number)
    return shown_at(body, level)


# -- requests


def _redact_request_body(event: Event, body: Any, viewer: Viewer, before: Table) -> Any:
    if viewer.is_gm:
        return body
    if isinstance(body, ProposalAccepted):
        return _redact_accepted(body, viewer, before)
    name = getattr(body, "name", None)
    if name is not None:
        return body if viewer.seat == name else None
    recipients = body.to if hasattr(body, "to") else before.requests[body.request].to
    if viewer.seat not in recipients:
        return None
    if isinstance(body, CheckRequested) and body.hidden:
        visible = {name: value for name, value in body.parameters.items() if name not in body.hidden}
        return replace(body, parameters=visible)
    return body


def _redact_accepted(body: ProposalAccepted, viewer: Viewer, before: Table) -> ProposalAccepted | None:
    """Tell the asked seat, and everyone who sees a contest of which the roll becomes a side."""
    waiting = ContestSide(body.name or "", request=body.request or "")
    sides = tuple(
        DeclaredSide(contest.id, waiting.name, body.roll_of or "")
        for contest in before.contests.values()
        if not contest.closed and waiting in contest.sides
        if contest_level(before, contest, viewer) > NOTHING
    )
    if viewer.seat == body.name:
        return replace(body, sides=sides) if sides else body
    return ProposalAccepted(sides=sides) if sides else None


# -- characters


def _redact_character_body(event: Event, body: Any, viewer: Viewer, before: Table) -> Any:
    if isinstance(body, CharacterBrought):
        return shown_at(body, sheet_mode(body.shown or "").level(viewer, body.owner))
    character = before.character(body.character)
    assert character is not None
    level = character.level_for(viewer)
    if isinstance(body, PointsChanged) and body.rolls:  # the damage may have been rolled in secret
        seen = tuple(one for one in body.rolls if before.rolls[one].level_for(viewer) > NOTHING)
        body = body if seen == body.rolls else replace(body, rolls=seen)
    if not isinstance(body, CharacterShown):
        return shown_at(body, level)
    new_level = sheet_mode(body.shown).level(viewer, character.owner)
    if level == new_level == NOTHING:
        return None
    picture = character.picture or None
    body = replace(body, owner=character.owner, name=character.name, type=character.kind, picture=picture)
    if level < ALL <= new_level and character.sheet is not None and before.rules.sheet is not None:
        # in place of the events that were hidden until now
        items = {name: ItemData(uses, hot) for name, (uses, hot) in character.items.items()}
        sheet = canonical_data(before.rules.sheet, character.sheet)
        body = replace(body, sheet=sheet, items=items, tasks=character.tasks)
    return shown_at(body if new_level == ALL else replace(body, level=new_level), new_level)


# -- contests


def _redact_contest_body(event: Event, body: ContestBody, viewer: Viewer, before: Table) -> Any:
    if not isinstance(body, ContestOpened):
        return shown_at(body, contest_level(before, before.contests[body.contest], viewer))
    contest = read_contest(event.seat, body)
    level = contest_level(before, contest, viewer)
    if viewer.is_gm:
        return shown_at(body, level)
    visible = {name: value for name, value in contest.parameters.items() if name not in contest.hidden}
    sides = tuple(SideData(one.name, one.roll) for one in contest.sides)
    return shown_at(replace(body, sides=sides, parameters=visible), level)


def contest_level(table: Table, contest: Contest, viewer: Viewer) -> int:
    """Return how much a viewer sees of a contest: as much as of its most hidden side.

    A viewer who does not see every side in full learns that the contest was opened or called off, and
    nothing about its progress, because that depends on dice.
    """
    level = combine_modes(*contest.modes).level(viewer, contest.by)
    return min([level, *(_side_level(table, one, viewer) for one in contest.sides)])


def _side_level(table: Table, side: ContestSide, viewer: Viewer) -> int:
    if side.roll:
        return table.rolls[side.roll].level_for(viewer)
    mode = combine_modes(table.mode, table.requests[side.request].mode)
    return mode.level(viewer, side.name)


_REDACTORS: Mapping[str, Callable[[Event, Any, Viewer, Table], Any]] = {
    "table": _redact_table_body,
    "roll": _redact_roll_body,
    "request": _redact_request_body,
    "character": _redact_character_body,
    "contest": _redact_contest_body,
    "fight": redact_fight_body,
    "message": _redact_message_body,
    "scratchpad": _redact_scratchpad_body,
}
