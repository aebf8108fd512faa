"""Rolls in a view: dice, current question, decisions and outcome.

Works on a known roll, so it shows exactly what the seat may see; below `ALL` there are no dice.
"""

from __future__ import annotations

from handful.roll import ChooseDice, PickOption, Throw
from handful.roll.contributions import contributions
from handful.table.codec import write_record
from handful.table.decision_odds import answer_odds
from handful.table.json_types import JsonObject
from handful.table.state import RecordedReply, TableRoll
from handful.table.view_sheets import json_value
from handful.table.visibility import ALL

MAX_MARKED_DICE = 300  # nobody looks at more dice one by one


def roll_view(roll: TableRoll) -> JsonObject:
    """Return a roll with its current question, as JSON data."""
    data: JsonObject = {
        "roll": roll.id,
        "roller": roll.roller,
        "phase": roll.phase,
        "commitment": roll.commitment,
        "label": roll.label,
    }
    if roll.asked is None:
        return data
    data |= {"asked": write_record(roll.asked), "hidden": list(roll.hidden), "title": roll.title}
    data["modes"] = list(roll.modes)
    if roll.components and roll.level == ALL:
        data["parts"] = [{"roll": one.roll, "roller": one.roller} for one in roll.components]
    if roll.level < ALL:
        is_visible = roll.node is not None and not roll.has_hidden_progress
        if not is_visible:
            return data
        return data | {"question": _question_with_odds(roll), "decisions": _decisions(roll)}
    data |= {"dice": _dice(roll), "key": roll.key, "judged": _judgments(roll)}
    data["notes"] = [{"by": one.by, "text": one.text} for one in roll.notes]
    if roll.bound is None or roll.node is None:
        return data
    question = _question_with_odds(roll)
    return data | {"question": question, "decisions": _decisions(roll), **_outcome(roll)}


def _judgments(roll: TableRoll) -> list[JsonObject]:
    return [{"by": one.by, "grade": one.grade, "words": one.words} for one in roll.judgments]


def _dice(roll: TableRoll) -> list[JsonObject]:
    if roll.node is None:
        faces = [(one, face) for one in roll.replies if one.thrown for face in one.reply]
        return [{"face": face, **_origin(one)} for one, face in faces]
    thrown = [one for one in roll.replies if one.thrown for _ in one.reply]
    return [
        {
            "face": die.face,
            "role": die.role,
            "of": die.of,
            "side": die.side,
            "number": die.number,
            "sides": throw.sides,
            "counts": counts,
            **_origin(throw),
        }
        for die, throw, counts in zip(roll.node.trace.dice, thrown, _counts(roll), strict=True)
    ]


def _counts(roll: TableRoll) -> list[str | None]:
    """Return how each die counts: as a `hit`, in the `sum`, for `none`; None if that is not known."""
    assert roll.node is not None
    count = len(roll.node.trace.dice)
    if roll.bound is None or roll.position is None or count > MAX_MARKED_DICE:
        return [None] * count
    replies, first = [one.reply for one in roll.replies], roll.position.traced_start
    return contributions(roll.bound, replies, first) or [None] * count


def _origin(throw: RecordedReply) -> JsonObject:
    """Return whether dice are physical, and then whose claim their faces are."""
    return {"physical": True, "by": throw.by} if throw.physical else {"physical": False}


def _decisions(roll: TableRoll) -> list[JsonObject]:
    assert roll.node is not None
    answered = [one for one in roll.replies if not one.thrown]
    return [
        {
            "decision": taken.decision,
            "side": taken.side,
            "by": one.by,
            "words": one.words,
            "answer": taken.answer if isinstance(taken.answer, str) else list(taken.answer),
        }
        for taken, one in zip(roll.node.trace.decisions, answered, strict=True)
    ]


def _question_with_odds(roll: TableRoll) -> JsonObject | None:
    """Return the current question; a decision with the odds of each answer."""
    question = None if roll.cancelled else question_of(roll)
    if question is None or "decision" not in question:
        return question
    return question | {"odds": answer_odds(roll)}


def question_of(roll: TableRoll) -> JsonObject | None:
    """Return the current question of a roll, with the texts of its rules."""
    assert roll.node is not None
    assert roll.bound is not None
    match roll.node.ask:
        case Throw() as ask:
            return {
                "throw": ask.count,
                "sides": ask.sides,
                "role": ask.role,
                "side": ask.side,
                "typed": list(roll.typed_faces),
                "due": ask.count - len(roll.typed_faces),
            }
        case ChooseDice() | PickOption() as ask:
            decision = roll.bound.ruleset.decisions[ask.decision]
            asked = {
                "decision": ask.decision,
                "by": ask.by,
                "side": ask.side,
                "question": dict(decision.question),
            }
            if isinstance(ask, PickOption):
                texts = {name: dict(decision.answers.get(name, {})) for name in ask.options}
                return asked | {"options": texts, "order": list(ask.options)}
            return asked | {
                "dice": list(ask.numbers),
                "faces": [one.face for one in ask.pool],
                "at_most": ask.at_most,
                "only": dict(decision.only),
            }
    return None


def _outcome(roll: TableRoll) -> JsonObject:
    assert roll.node is not None
    assert roll.bound is not None
    rules = roll.bound.ruleset
    outcome = roll.node.outcome
    return {
        "outcome": None if outcome is None else json_value(outcome),
        "main": roll.bound.check.main,
        "events": [{"event": name, "says": rules.wording(name)} for name in sorted(roll.node.events)],
        "modifiers": [
            {
                "source": one.source,
                "says": rules.wording(one.source),
                "value": json_value(one.amount),
                "unit": one.unit,
                "side": one.side,
            }
            for one in roll.node.trace.modifiers
        ],
    }
