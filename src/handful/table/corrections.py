"""Corrections: other parameters for the same dice, counted anew; nothing is ever thrown again.

A roll may be corrected at any time: what was thrown and decided stays, and the roll goes on from
there.  What no longer fits is refused.  Only faces that somebody typed in can be wrong themselves,
so only those can be put right; the dice of the table follow from their key.

A contest is made of other rolls, so a correction of one of them is a correction of the contest,
and of what was made of that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.errors import BadReply, Refused
from handful.roll import ChooseDice, PickOption, Question, Throw, resume, start
from handful.rules.name_resolution import resolve_parameters
from handful.rules.ruleset import Ruleset
from handful.table.contests import side_parameters
from handful.table.evolve import with_faces
from handful.table.hidden_parameters import check_hideable
from handful.table.points import balance
from handful.table.rolls import finalise_if_complete
from handful.table.state import RecordedReply, TableRoll, bind_check
from handful.table.transaction import Transaction, check_data, without_none
from handful.table.visibility import ALL, ROLES


def correct(transaction: Transaction, fields: dict[str, Any]) -> None:
    own = transaction.table.rolls[fields["roll"]]
    rules = own.rules(transaction.table.rules)
    asked = _corrected_check(rules, own, fields)
    faces = _corrected_faces(own, fields)
    _replay(rules, own, asked, with_faces(own.replies, faces))
    _emit_correction(transaction, own, asked, faces, fields.get("words", ""))


def _emit_correction(
    transaction: Transaction, own: TableRoll, asked: dict[str, Any], faces: list[dict[str, Any]], words: str
) -> None:
    """The roll is corrected, and whatever was made of it."""
    more = {"faces": faces} if faces else {}
    transaction.emit("roll_corrected", roll=own.id, asked=asked, words=words, **more)
    balance(transaction, own.id)
    finalise_if_complete(transaction, own.id)
    for contest in [*transaction.table.rolls.values()]:
        if any(part.roll == own.id for part in contest.components):
            _propagate(transaction, contest, own, faces)


def _corrected_check(rules: Ruleset, own: TableRoll, fields: Mapping[str, Any]) -> dict[str, Any]:
    """What is checked, with what the correction changes."""
    asked = dict(own.asked)
    check = rules.check(asked["check"])
    sides = [resolve_parameters(rules, check, side) for side in fields.get("sides", [])]
    if len(sides) > len(asked["sides"]):
        raise Refused(f"this roll has {len(asked['sides'])} sides, not {len(sides)}")
    sides += [{} for _ in range(len(asked["sides"]) - len(sides))]
    overall = {}
    for name, value in resolve_parameters(rules, check, fields.get("parameters", {})).items():
        if sides and not check.params[name].whole:  # it belongs to the first side
            sides[0].setdefault(name, value)
        else:
            overall[name] = value
    asked["parameters"] = without_none({**asked["parameters"], **overall})
    asked["sides"] = [without_none({**old, **new}) for old, new in zip(asked["sides"], sides, strict=True)]
    return check_data(bind_check(rules, asked))


def _corrected_faces(own: TableRoll, fields: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Faces for a throw in place of those that were typed in wrongly."""
    if "faces" not in fields:
        if "throw" in fields:
            raise Refused("correct: 'throw' says which faces are corrected; give 'faces', too")
        return []
    taken = sum(one.thrown for one in own.replies[: own.inherited_count])
    throws = [one for one in own.replies if one.thrown]
    by_hand = [at for at, one in enumerate(throws) if one.physical and at >= taken]
    if not by_hand:
        raise Refused("only faces that were typed in can be corrected, and this roll has none")
    throw = fields.get("throw", by_hand[0])
    if throw not in by_hand or (len(by_hand) > 1 and "throw" not in fields):
        raise Refused(f"only faces that were typed in can be corrected: 'throw' is one of {by_hand}")
    faces = list(fields["faces"])
    if len(faces) != len(throws[throw].reply):
        raise Refused(f"throw {throw} has {len(throws[throw].reply)} dice, not {len(faces)}")
    return [{"throw": throw, "faces": faces}]


# -- the same replies once more


def _replay(rules: Ruleset, own: TableRoll, asked: dict[str, Any], given: tuple[RecordedReply, ...]) -> None:
    """Plays the roll once more, with another check; refused where its replies do not fit."""
    before, after = bind_check(rules, own.asked), bind_check(rules, asked)
    check_hideable(after, asked, own.hidden)
    was, now = start(before), start(after)
    for at, (old, new) in enumerate(zip(own.replies, given, strict=True)):
        if not _is_same_question(was.ask, now.ask):
            raise _mismatch(own, at, was.ask)
        try:
            now = resume(after, now, new.reply)
        except BadReply as wrong:
            raise wrong if old != new else _mismatch(own, at, was.ask) from None
        was = resume(before, was, old.reply)
    if own.typed and not _is_same_question(was.ask, now.ask):
        raise Refused("the faces that were typed in no longer fit; take them back first")
    if own.key and isinstance(now.ask, Throw):
        raise _dice_would_change()
    if own.key and isinstance(now.ask, (ChooseDice, PickOption)):
        raise Refused(f"with that, {now.ask.decision} would still be to decide; the roll is over")


def _is_same_question(was: Question | None, now: Question | None) -> bool:
    """Whether a reply to the one question is a reply to the other."""
    if isinstance(was, Throw) and isinstance(now, Throw):
        return (was.count, was.sides, was.side) == (now.count, now.sides, now.side)
    if isinstance(was, (ChooseDice, PickOption)) and isinstance(now, (ChooseDice, PickOption)):
        return (was.decision, was.side) == (now.decision, now.side)
    return False


def _mismatch(own: TableRoll, at: int, asks: Question | None) -> Refused:
    if not isinstance(asks, (ChooseDice, PickOption)):
        return _dice_would_change()
    what = f"with that, the decision {asks.decision} could not have been taken as it was"
    if own.key or at < own.inherited_count or any(one.thrown for one in own.replies[at:]):
        return Refused(f"{what}, and it can no longer be taken back")
    return Refused(f"{what}; take it back first")


def _dice_would_change() -> Refused:
    return Refused("with that, other dice would have been thrown; a correction keeps the dice")


# -- contests


def _propagate(
    transaction: Transaction, contest: TableRoll, before: TableRoll, faces: list[dict[str, Any]]
) -> None:
    """A contest after a correction of one of the rolls that it is made of."""
    after, rules = transaction.table.rolls[before.id], contest.rules(transaction.table.rules)
    check = rules.check(contest.asked["check"])
    old, new = side_parameters(check, before), side_parameters(check, after)
    sides, own_faces = [*contest.asked["sides"]], []
    places = _inherited_throws(transaction, contest)
    for at, part in enumerate(contest.components):
        if part.roll == before.id:
            sides[at] = _with_changes(sides[at], old, new)
            own_faces += [
                {**one, "throw": places[at, one["throw"]]} for one in faces if (at, one["throw"]) in places
            ]
    try:
        asked = check_data(bind_check(rules, {**contest.asked, "sides": sides}))
        if asked == contest.asked and not own_faces:
            return
        _replay(rules, contest, asked, with_faces(contest.replies, own_faces))
    except Refused:
        if _refusal_would_leak(transaction, contest, before):
            transaction.emit("contest_kept", roll=contest.id)
            return
        raise Refused(
            f"{contest.id} is made of this roll and would need other dice; a correction keeps them"
        ) from None
    _emit_correction(transaction, contest, asked, own_faces, "")


def _inherited_throws(transaction: Transaction, contest: TableRoll) -> dict[tuple[int, int], int]:
    """Which throw of a contest is which of its parts: (part, its throw) -> throw."""
    parts = [transaction.table.rolls[one.roll].replies for one in contest.components]
    found: dict[tuple[int, int], int] = {}
    taken = [0] * len(parts)
    bound = bind_check(contest.rules(transaction.table.rules), contest.asked)
    node = start(bound)
    for one in contest.replies[: contest.inherited_count]:
        assert node.ask is not None
        side = node.ask.side - 1 if node.ask.side else _next_component(parts, taken)
        if one.thrown:
            thrown = sum(reply.thrown for reply in parts[side][: taken[side]])
            found[side, thrown] = len(found)
        taken[side] += 1
        node = resume(bound, node, one.reply)
    return found


def _next_component(parts: list[tuple[RecordedReply, ...]], taken: list[int]) -> int:
    """The first part of which there is something left."""
    return next(at for at, own in enumerate(parts) if taken[at] < len(own))


def _with_changes(side: Mapping[str, Any], old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """A side of a contest with what has changed in its roll; its own corrections stay."""
    kept = {name: value for name, value in side.items() if name in new or name not in old}
    return kept | {name: value for name, value in new.items() if old.get(name) != value}


def _refusal_would_leak(transaction: Transaction, contest: TableRoll, roll: TableRoll) -> bool:
    """Whether somebody sees a roll and not the contest: a refusal would tell them that it is.

    Somebody may also be a person who sits down later.
    """
    seats = [*transaction.table.seats.items(), *(("", role) for role in ROLES)]
    return any(
        roll.level_for(seat, role) == ALL and contest.level_for(seat, role) < ALL for seat, role in seats
    )
