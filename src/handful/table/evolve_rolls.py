"""Evolve, for rolls: a roll after an event about it.

Works on the table and on what a seat knows of it: a field that is None was not shown to the seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from handful.records import replace
from handful.rules.free_dice import rules_of_check
from handful.table.events import (
    ContestUnchanged,
    DecisionTaken,
    DecisionUndone,
    DiceThrown,
    Event,
    FacesTakenBack,
    FacesTyped,
    LineAdded,
    LineSwitched,
    RollBody,
    RollCancelled,
    RollCorrected,
    RollDeclared,
    RollFinalised,
    RollJudged,
    RollNoted,
    RollRevealed,
    TargetRevealed,
)
from handful.table.events.values import CorrectedThrow, ReplyData, RollStory
from handful.table.lines import corrected_lines, with_line
from handful.table.roll_labels import code_of, label_for
from handful.table.state import Judgment, Note, RecordedReply, Table, TableRoll, read_components
from handful.table.visibility import PRESENCE, combine_modes


def evolve_roll(table: Table, event: Event) -> TableRoll | None:
    """Return a roll after an event about it; None if the table knows no such roll."""
    body = event.body
    assert isinstance(body, RollBody)
    roll: TableRoll | None
    if isinstance(body, RollDeclared):
        roll = _declared(table, body)
    elif isinstance(body, RollRevealed) and body.story is not None:
        roll = _from_story(table, body.roll, body.story)
    else:
        roll = table.rolls.get(body.roll)
        if roll is None:
            return None
        roll = _EVOLVERS[type(body)](table, roll, event, body)
    return roll


def parse_reply(value: Any) -> Any:
    return value if isinstance(value, str) else tuple(value)


def _declared(table: Table, body: RollDeclared) -> TableRoll:
    label = label_for(body, table.counted_rolls)
    if body.asked is None:
        return TableRoll(body.roll, body.roller, body.commitment, label=label, level=PRESENCE)
    modes, inherited = body.modes or (), tuple(map(read_reply, body.inherited or ()))
    roll = TableRoll(
        body.roll,
        body.roller,
        body.commitment,
        modes=modes,
        mode=combine_modes(*modes),
        hidden=body.hidden or (),
        title=body.title or "",
        components=read_components(table, body.components or ()),
        inherited_count=len(inherited),
        level=body.level,
        label=label,
        character_ids=body.character_ids or (),
        skill_counts=body.skill_counts or (),
        lines=body.lines or (),
        action_context=body.action_context or {},
    )
    return roll.with_replies(rules_of_check(table.rules, body.asked.check), body.asked, inherited)


def read_reply(data: ReplyData) -> RecordedReply:
    if data.faces is None:
        return RecordedReply(parse_reply(data.answer), data.by, thrown=False, words=data.words or "")
    return RecordedReply(
        data.faces,
        data.by,
        thrown=True,
        sides=data.sides or 0,
        physical=bool(data.physical),
        entropy=data.entropy or "",
    )


def _from_story(table: Table, name: str, story: RollStory) -> TableRoll:
    roll = TableRoll(
        name,
        story.roller,
        story.commitment,
        modes=story.modes,
        mode=combine_modes(*story.modes),
        hidden=story.hidden,
        title=story.title,
        typed=(story.typed,) if story.typed else (),
        key=story.key,
        cancelled=bool(story.cancelled),
        components=read_components(table, story.components),
        inherited_count=story.inherited,
        judgments=tuple(Judgment(one.by, one.grade, one.words) for one in story.judged),
        notes=tuple(Note(one.by, one.text) for one in story.notes or ()),
        label=known.label if (known := table.rolls.get(name)) else code_of(story.commitment),
        character_ids=story.character_ids or (),
        skill_counts=story.skill_counts,
        lines=story.lines or (),
        action_context=story.action_context or {},
    )
    rules = rules_of_check(table.find_rules(story.ruleset), story.asked.check)
    return roll.with_replies(rules, story.asked, tuple(map(read_reply, story.replies)))


def _with_reply(table: Table, roll: TableRoll, reply: RecordedReply) -> TableRoll:
    if roll.asked is None:
        return roll
    before = replace(roll, typed=()) if roll.typed else roll
    return before.with_replies(roll.rules(table.rules), roll.asked, (*roll.replies, reply))


def _line_changed(table: Table, roll: TableRoll, event: Event, body: LineAdded | LineSwitched) -> TableRoll:
    rules = roll.rules(table.rules)
    if body.line is not None and body.number is not None:
        roll = with_line(rules, roll, body.number, body.line, new=isinstance(body, LineAdded))
    return roll.with_replies(rules, body.asked, roll.replies)


def _dice_thrown(table: Table, roll: TableRoll, event: Event, body: DiceThrown) -> TableRoll:
    if body.faces is None:  # from here on everything depends on dice that this viewer may not see
        return replace(roll, typed=(), has_hidden_progress=True)
    reply = RecordedReply(
        body.faces,
        event.seat,
        thrown=True,
        sides=body.sides or 0,
        physical=bool(body.physical),
        entropy=body.entropy or "",
    )
    return _with_reply(table, roll, reply)


def _decision_taken(table: Table, roll: TableRoll, event: Event, body: DecisionTaken) -> TableRoll:
    reply = RecordedReply(parse_reply(body.answer), event.seat, thrown=False, words=body.words)
    return _with_reply(table, roll, reply)


def _faces_typed(table: Table, roll: TableRoll, event: Event, body: FacesTyped) -> TableRoll:
    return replace(roll, typed=(*roll.typed, body.faces or ()))


def _faces_taken_back(table: Table, roll: TableRoll, event: Event, body: FacesTakenBack) -> TableRoll:
    return replace(roll, typed=roll.typed[:-1])


def _decision_undone(table: Table, roll: TableRoll, event: Event, body: DecisionUndone) -> TableRoll:
    if roll.asked is None:
        return roll
    return roll.with_replies(roll.rules(table.rules), roll.asked, roll.replies[:-1])


def _roll_finalised(table: Table, roll: TableRoll, event: Event, body: RollFinalised) -> TableRoll:
    return replace(roll, has_hidden_progress=True) if body.key is None else replace(roll, key=body.key)


def _roll_corrected(table: Table, roll: TableRoll, event: Event, body: RollCorrected) -> TableRoll:
    original = roll if roll.is_past_dice and roll.before_correction is None else roll.before_correction
    replies = with_faces(roll.replies, body.faces or ())
    lines = corrected_lines(roll, body.asked, event.seat)
    corrected = replace(roll, before_correction=original, lines=lines)
    return corrected.with_replies(roll.rules(table.rules), body.asked, replies)


def with_faces(
    replies: tuple[RecordedReply, ...], throws: Iterable[CorrectedThrow]
) -> tuple[RecordedReply, ...]:
    """Return the replies with other faces for some throws."""
    result = list(replies)
    throw_positions = [at for at, one in enumerate(replies) if one.thrown]
    for one in throws:
        at = throw_positions[one.throw]
        result[at] = replace(result[at], reply=one.faces)
    return tuple(result)


def _unchanged(table: Table, roll: TableRoll, event: Event, body: RollBody) -> TableRoll:
    """Keep the roll as it is: the event only tells that nothing changed."""
    return roll


def _roll_cancelled(table: Table, roll: TableRoll, event: Event, body: RollCancelled) -> TableRoll:
    return replace(roll, cancelled=True)


def _roll_revealed(table: Table, roll: TableRoll, event: Event, body: RollRevealed) -> TableRoll:
    return replace(roll, revealed_to=(*roll.revealed_to, *(body.to or ())))


def _roll_judged(table: Table, roll: TableRoll, event: Event, body: RollJudged) -> TableRoll:
    return replace(roll, judgments=(*roll.judgments, Judgment(event.seat, body.grade, body.words)))


def _roll_noted(table: Table, roll: TableRoll, event: Event, body: RollNoted) -> TableRoll:
    return replace(roll, notes=(*roll.notes, Note(event.seat, body.text)))


def _target_revealed(table: Table, roll: TableRoll, event: Event, body: TargetRevealed) -> TableRoll:
    after = replace(roll, hidden=())
    if body.lines is not None:
        after = replace(after, lines=body.lines)
    return (
        after if body.asked is None else after.with_replies(roll.rules(table.rules), body.asked, roll.replies)
    )


_EVOLVERS: Mapping[type, Callable[[Table, TableRoll, Event, Any], TableRoll]] = {
    LineSwitched: _line_changed,
    LineAdded: _line_changed,
    FacesTyped: _faces_typed,
    FacesTakenBack: _faces_taken_back,
    DiceThrown: _dice_thrown,
    DecisionTaken: _decision_taken,
    DecisionUndone: _decision_undone,
    RollFinalised: _roll_finalised,
    RollCorrected: _roll_corrected,
    ContestUnchanged: _unchanged,
    RollCancelled: _roll_cancelled,
    RollRevealed: _roll_revealed,
    RollJudged: _roll_judged,
    RollNoted: _roll_noted,
    TargetRevealed: _target_revealed,
}
