"""Redact, for rolls: their origin on sheets, their story for a late viewer, and offered answers.

A viewer of a sheet sees the lines that it brings to a roll.  To everyone else a roll with a
character looks the same as one with plain numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeVar

from handful.errors import HandfulError
from handful.records import replace
from handful.table.action_context import legal_answer
from handful.table.events import Event, LineAdded, LineSwitched, RollBody, RollDeclared
from handful.table.events.values import (
    ComponentData,
    JudgmentData,
    NoteData,
    OfferedAnswer,
    ReplyData,
    RollStory,
    SourceData,
    Texts,
)
from handful.table.evolve import apply_event
from handful.table.lines import rebuild_draft
from handful.table.state import RecordedReply, Table, TableRoll
from handful.table.visibility import ALL, NOTHING, Viewer

ROLL_FIELDS = (
    "interrupts",
    "answers",
    "damage_of",
    "resists",
)  # fields of an action context that name a roll

Origin = TypeVar("Origin", RollDeclared, RollStory, TableRoll)


# -- origin


def _level(table: Table, name: str, viewer: Viewer) -> int:
    character = table.character(name) if name else None
    return NOTHING if character is None else character.level_for(viewer)


def sees_line(
    table: Table, character_ids: Sequence[str], hidden: Collection[str], viewer: Viewer
) -> Callable[[int, str], bool]:
    """Return a test whether a viewer sees a line: they must see the sheet of the line's side.

    A side without a character looks the same as one whose character is hidden.
    """
    if viewer.is_gm:
        return lambda side, parameter: True
    sides = _visible_sides(table, character_ids, viewer)
    sides |= {0} if sides else set()
    return lambda side, parameter: side in sides and parameter not in hidden


def _visible_sides(table: Table, character_ids: Sequence[str], viewer: Viewer) -> set[int]:
    return {at for at, name in enumerate(character_ids, 1) if _level(table, name, viewer) == ALL}


def redact_origin(table: Table, origin: Origin, hidden: Collection[str], viewer: Viewer) -> Origin:
    """Return a declaration, story or roll without those origins that a viewer may not see."""
    if viewer.is_gm or not (origin.character_ids or origin.lines):
        return origin
    character_ids = origin.character_ids or ()
    sees = sees_line(table, character_ids, hidden, viewer)
    lines = tuple((side, line) for side, line in origin.lines or () if sees(side, line.parameter))
    names = tuple(name if _level(table, name, viewer) > NOTHING else "" for name in character_ids)
    sides = _visible_sides(table, character_ids, viewer)
    counts = tuple(count if side in sides else 1 for side, count in enumerate(origin.skill_counts or (), 1))
    context = _redact_action_context(table, character_ids, origin.action_context or {}, viewer)
    if isinstance(origin, TableRoll):
        return replace(origin, character_ids=names if any(names) else (), lines=lines, action_context=context)
    return replace(
        origin,
        character_ids=(names if any(names) else None),
        lines=lines or None,
        skill_counts=(counts if lines else None),
        action_context=context or None,
    )


def _redact_action_context(
    table: Table, character_ids: Sequence[str], action_context: Texts, viewer: Viewer
) -> Texts:
    """Return the action context for viewers who know its character, without names they do not know."""
    if not character_ids or _level(table, character_ids[0], viewer) == NOTHING:
        return {}

    def is_visible(name: str, value: str) -> bool:
        if name == "target":
            return _level(table, value, viewer) > NOTHING
        if name in ROLL_FIELDS:
            return table.rolls[value].level_for(viewer) == ALL
        return True

    return {name: value for name, value in action_context.items() if is_visible(name, value)}


def visible_line_number(table: Table, roll: TableRoll, body: LineAdded | LineSwitched, viewer: Viewer) -> int:
    """Return the number of a changed line among the lines that a viewer sees."""
    assert body.number is not None
    sees = sees_line(table, roll.character_ids, roll.hidden, viewer)
    before = [*rebuild_draft(roll.rules(table.rules), roll).lines_with_sides()][: body.number - 1]
    return 1 + sum(sees(side, line.parameter) for side, line in before)


# -- stories


def before_first_throw(roll: TableRoll) -> TableRoll:
    """Return a roll as it was before its first throw, as far as later corrections matter."""
    original = roll.before_correction or roll
    return replace(roll, asked=original.asked, lines=original.lines)


def reply_data(replies: Sequence[RecordedReply]) -> tuple[ReplyData, ...]:
    """Return the replies of a roll for an event."""
    data: list[ReplyData] = []
    throw = 0
    for one in replies:
        if one.thrown:
            faces = tuple(face for face in one.reply if isinstance(face, int))
            data.append(ReplyData(one.by, throw, one.sides, faces, one.physical, one.entropy))
            throw += 1
        else:
            data.append(ReplyData(one.by, answer=one.reply, words=one.words))
    return tuple(data)


def roll_story(table: Table, roll: TableRoll, viewer: Viewer) -> RollStory:
    """Return a roll from its declaration to now, as far as a viewer may see it."""
    hidden = roll.hidden_from(viewer)
    assert roll.asked is not None
    story = RollStory(
        roll.roller,
        roll.title,
        roll.commitment,
        roll.asked.without(hidden),
        roll.hidden,
        sum(one.thrown for one in roll.replies[: roll.inherited_count]),
        reply_data(roll.replies),
        roll.typed_faces,
        roll.key,
        tuple(JudgmentData(one.by, one.grade, one.words) for one in roll.judgments),
        roll.character_ids or None,
        roll.lines or None,
        tuple(_sources(table, roll)) or None,
        roll.modes,
        roll.rules(table.rules).hash,
        roll.inherited_count,
        tuple(ComponentData(one.roll, one.roller) for one in roll.components),
        roll.skill_counts,
        roll.action_context or None,
        roll.cancelled or None,
        tuple(NoteData(one.by, one.text) for one in roll.notes) or None,
    )
    story = redact_origin(table, story, hidden, viewer)
    return replace(story, skill_counts=story.skill_counts or ())


def _sources(table: Table, roll: TableRoll) -> Iterator[SourceData]:
    """Yield the rolls whose dice a contest inherited, with their keys, so that its dice can be verified."""
    for component in _all_components(table, roll):
        if component.key:
            own = reply_data(component.replies)[component.inherited_count :]
            replies = tuple(one for one in own if one.faces is not None)
            yield SourceData(component.id, component.commitment, component.key, replies)


def _all_components(table: Table, roll: TableRoll) -> Iterator[TableRoll]:
    for component in roll.components:
        yield table.rolls[component.roll]
        yield from _all_components(table, table.rolls[component.roll])


# -- answers


def offered_answer(before: Table, event: Event, viewer: Viewer) -> OfferedAnswer | None:
    """Return the answer, such as a parry, that a roll's target may give after an event.

    None if that is not for this viewer: only the GM and the target's owner are told.  An answer may
    require a hit against a hidden target.  Trying it would reveal the same by its refusal, so the target
    learns of a hit at the moment it can be answered (AMB-D17).
    """
    body, round_rules = event.body, before.rules.rounds
    assert isinstance(body, RollBody)
    if before.fight is None or round_rules is None or not round_rules.answers or not hasattr(body, "offered"):
        return None
    roll = before.rolls.get(body.roll)
    context = (body.action_context or {}) if isinstance(body, RollDeclared) else roll and roll.action_context
    target = before.characters.get((context or {}).get("target", ""))
    if target is None or target.sheet is None or target.id not in before.fight.rounds:
        return None
    if not viewer.is_gm and not (viewer.is_player and target.owner == viewer.seat):
        return None
    after = apply_event(before, event)
    roll = after.rolls[body.roll]
    if roll.level_for(viewer) < ALL:
        return None
    asked = roll.asked if viewer.is_gm or roll.asked is None else roll.asked.without(roll.hidden)
    try:
        answer = legal_answer(after, replace(roll, asked=asked), target.id).name
    except HandfulError:
        answer = ""
    return OfferedAnswer(answer, target.id)
