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
from handful.rules.name_resolution import filled
from handful.rules.ruleset import Ruleset
from handful.table.contests import side_of
from handful.table.evolve import with_faces
from handful.table.hidden_parameters import hidden_of
from handful.table.points import balance
from handful.table.rolls import finish
from handful.table.state import RecordedReply, TableRoll, bind_check
from handful.table.transaction import Transaction, check_data, without_none
from handful.table.visibility import ALL, ROLES


def correct(scene: Transaction, fields: dict[str, Any]) -> None:
    own = scene.table.rolls[fields["roll"]]
    rules = own.rules(scene.table.rules)
    asked = _asked(rules, own, fields)
    faces = _faces(own, fields)
    _again(rules, own, asked, with_faces(own.replies, faces))
    _happen(scene, own, asked, faces, fields.get("words", ""))


def _happen(
    scene: Transaction, own: TableRoll, asked: dict[str, Any], faces: list[dict[str, Any]], words: str
) -> None:
    """The roll is corrected, and whatever was made of it."""
    more = {"faces": faces} if faces else {}
    scene.emit("roll_corrected", roll=own.id, asked=asked, words=words, **more)
    balance(scene, own.id)
    finish(scene, own.id)
    for contest in [*scene.table.rolls.values()]:
        if any(part.roll == own.id for part in contest.components):
            _flow_into(scene, contest, own, faces)


def _asked(rules: Ruleset, own: TableRoll, fields: Mapping[str, Any]) -> dict[str, Any]:
    """What is checked, with what the correction changes."""
    asked = dict(own.asked)
    check = rules.check(asked["check"])
    sides = [filled(rules, check, side) for side in fields.get("sides", [])]
    if len(sides) > len(asked["sides"]):
        raise Refused(f"this roll has {len(asked['sides'])} sides, not {len(sides)}")
    sides += [{} for _ in range(len(asked["sides"]) - len(sides))]
    overall = {}
    for name, value in filled(rules, check, fields.get("parameters", {})).items():
        if sides and not check.params[name].whole:  # it belongs to the first side
            sides[0].setdefault(name, value)
        else:
            overall[name] = value
    asked["parameters"] = without_none({**asked["parameters"], **overall})
    asked["sides"] = [without_none({**old, **new}) for old, new in zip(asked["sides"], sides, strict=True)]
    return check_data(bind_check(rules, asked))


def _faces(own: TableRoll, fields: Mapping[str, Any]) -> list[dict[str, Any]]:
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


def _again(rules: Ruleset, own: TableRoll, asked: dict[str, Any], given: tuple[RecordedReply, ...]) -> None:
    """Plays the roll once more, with another check; refused where its replies do not fit."""
    before, after = bind_check(rules, own.asked), bind_check(rules, asked)
    hidden_of(after, asked, own.hidden)
    was, now = start(before), start(after)
    for at, (old, new) in enumerate(zip(own.replies, given, strict=True)):
        if not _fits(was.ask, now.ask):
            raise _unfit(own, at, was.ask)
        try:
            now = resume(after, now, new.reply)
        except BadReply as wrong:
            raise wrong if old != new else _unfit(own, at, was.ask) from None
        was = resume(before, was, old.reply)
    if own.typed and not _fits(was.ask, now.ask):
        raise Refused("the faces that were typed in no longer fit; take them back first")
    if own.key and isinstance(now.ask, Throw):
        raise _other_dice()
    if own.key and isinstance(now.ask, (ChooseDice, PickOption)):
        raise Refused(f"with that, {now.ask.decision} would still be to decide; the roll is over")


def _fits(was: Question | None, now: Question | None) -> bool:
    """Whether a reply to the one question is a reply to the other."""
    if isinstance(was, Throw) and isinstance(now, Throw):
        return (was.count, was.sides, was.side) == (now.count, now.sides, now.side)
    if isinstance(was, (ChooseDice, PickOption)) and isinstance(now, (ChooseDice, PickOption)):
        return (was.decision, was.side) == (now.decision, now.side)
    return False


def _unfit(own: TableRoll, at: int, asks: Question | None) -> Refused:
    if not isinstance(asks, (ChooseDice, PickOption)):
        return _other_dice()
    what = f"with that, the decision {asks.decision} could not have been taken as it was"
    if own.key or at < own.inherited_count or any(one.thrown for one in own.replies[at:]):
        return Refused(f"{what}, and it can no longer be taken back")
    return Refused(f"{what}; take it back first")


def _other_dice() -> Refused:
    return Refused("with that, other dice would have been thrown; a correction keeps the dice")


# -- contests


def _flow_into(
    scene: Transaction, contest: TableRoll, before: TableRoll, faces: list[dict[str, Any]]
) -> None:
    """A contest after a correction of one of the rolls that it is made of."""
    after, rules = scene.table.rolls[before.id], contest.rules(scene.table.rules)
    check = rules.check(contest.asked["check"])
    old, new = side_of(check, before), side_of(check, after)
    sides, own_faces = [*contest.asked["sides"]], []
    places = _taken_from(scene, contest)
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
        _again(rules, contest, asked, with_faces(contest.replies, own_faces))
    except Refused:
        if _is_news(scene, contest, before):
            scene.emit("contest_kept", roll=contest.id)
            return
        raise Refused(
            f"{contest.id} is made of this roll and would need other dice; a correction keeps them"
        ) from None
    _happen(scene, contest, asked, own_faces, "")


def _taken_from(scene: Transaction, contest: TableRoll) -> dict[tuple[int, int], int]:
    """Which throw of a contest is which of its parts: (part, its throw) -> throw."""
    parts = [scene.table.rolls[one.roll].replies for one in contest.components]
    found: dict[tuple[int, int], int] = {}
    taken = [0] * len(parts)
    bound = bind_check(contest.rules(scene.table.rules), contest.asked)
    node = start(bound)
    for one in contest.replies[: contest.inherited_count]:
        assert node.ask is not None
        side = node.ask.side - 1 if node.ask.side else _next(parts, taken)
        if one.thrown:
            thrown = sum(reply.thrown for reply in parts[side][: taken[side]])
            found[side, thrown] = len(found)
        taken[side] += 1
        node = resume(bound, node, one.reply)
    return found


def _next(parts: list[tuple[RecordedReply, ...]], taken: list[int]) -> int:
    """The first part of which there is something left."""
    return next(at for at, own in enumerate(parts) if taken[at] < len(own))


def _with_changes(side: Mapping[str, Any], old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """A side of a contest with what has changed in its roll; its own corrections stay."""
    kept = {name: value for name, value in side.items() if name in new or name not in old}
    return kept | {name: value for name, value in new.items() if old.get(name) != value}


def _is_news(scene: Transaction, contest: TableRoll, roll: TableRoll) -> bool:
    """Whether somebody sees a roll and not the contest: a refusal would tell them that it is.

    Somebody may also be a person who sits down later.
    """
    seats = [*scene.table.seats.items(), *(("", role) for role in ROLES)]
    return any(
        roll.level_for(seat, role) == ALL and contest.level_for(seat, role) < ALL for seat, role in seats
    )
