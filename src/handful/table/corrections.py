"""Corrections: replay a roll's dice with other parameters, or with corrected physical faces.

A roll may be corrected at any time; its dice and decisions stay, and it continues from there.  A
correction that would need other dice is refused, so nothing is ever thrown again.  Only typed faces
can be wrong; virtual dice follow from their key.

A contest is built from other rolls, so correcting one of them corrects the contest, and whatever was
built from that.
"""

from __future__ import annotations

from handful.errors import BadReply, Message, Refused
from handful.records import replace
from handful.roll import ChooseDice, PickOption, Question, Throw, resume, start
from handful.rules.name_resolution import resolve_parameters
from handful.rules.ruleset import Ruleset
from handful.table.commands import CorrectRoll
from handful.table.contests import side_parameters
from handful.table.events import ContestUnchanged, RollCorrected
from handful.table.events.values import AskedCheck, CorrectedThrow, Values
from handful.table.evolve_rolls import with_faces
from handful.table.hidden_parameters import check_hideable
from handful.table.points import balance
from handful.table.rolls import finalise_if_complete
from handful.table.state import RecordedReply, TableRoll, bind_check
from handful.table.transaction import Transaction, asked_check, without_none
from handful.table.visibility import ALL, ROLES, Viewer


def correct(transaction: Transaction, command: CorrectRoll) -> None:
    roll = transaction.table.rolls[command.roll]
    rules = roll.rules(transaction.table.rules)
    asked = _corrected_check(rules, roll, command)
    faces = _corrected_faces(roll, command)
    _replay(rules, roll, asked, with_faces(roll.replies, faces))
    _emit_correction(transaction, roll, asked, faces, command.words)


def _emit_correction(
    transaction: Transaction, roll: TableRoll, asked: AskedCheck, faces: list[CorrectedThrow], words: str
) -> None:
    """Emit the correction of a roll, and of the contests built from it."""
    transaction.emit(RollCorrected(roll=roll.id, asked=asked, words=words, faces=tuple(faces) or None))
    balance(transaction, roll.id)
    finalise_if_complete(transaction, roll.id)
    for contest in [*transaction.table.rolls.values()]:
        if any(part.roll == roll.id for part in contest.components):
            _propagate(transaction, contest, roll, faces)


def _corrected_check(rules: Ruleset, roll: TableRoll, command: CorrectRoll) -> AskedCheck:
    """Return the check with the corrected parameters."""
    asked = roll.asked
    assert asked is not None
    check = rules.check(asked.check)
    sides = [resolve_parameters(rules, check, side) for side in command.sides]
    if len(sides) > len(asked.sides):
        raise Refused(
            Message(
                "correction.number_of_sides",
                sides=Message("count.side", count=len(asked.sides)),
                given=len(sides),
            )
        )
    sides += [{} for _ in range(len(asked.sides) - len(sides))]
    overall = {}
    for name, value in resolve_parameters(rules, check, command.parameters).items():
        if sides and not check.params[name].whole:  # it is a parameter of the first side
            sides[0].setdefault(name, value)
        else:
            overall[name] = value
    parameters = without_none({**asked.parameters, **overall})
    merged = tuple(without_none({**old, **new}) for old, new in zip(asked.sides, sides, strict=True))
    return asked_check(bind_check(rules, replace(asked, parameters=parameters, sides=merged)))


def _corrected_faces(roll: TableRoll, command: CorrectRoll) -> list[CorrectedThrow]:
    """Return the faces that replace a throw that was typed in wrongly."""
    if command.faces is None:
        if command.throw is not None:
            raise Refused(Message("correction.needs_faces"))
        return []
    inherited = sum(one.thrown for one in roll.replies[: roll.inherited_count])
    throws = [one for one in roll.replies if one.thrown]
    by_hand = [at for at, one in enumerate(throws) if one.physical and at >= inherited]
    if not by_hand:
        raise Refused(Message("correction.no_typed_faces"))
    throw = by_hand[0] if command.throw is None else command.throw
    if throw not in by_hand or (len(by_hand) > 1 and command.throw is None):
        raise Refused(Message("correction.which_throw", throws=by_hand))
    faces = command.faces
    if len(faces) != len(throws[throw].reply):
        raise Refused(
            Message(
                "correction.number_of_dice",
                throw=throw,
                dice=Message("count.die", count=len(throws[throw].reply)),
                given=len(faces),
            )
        )
    return [CorrectedThrow(throw, faces)]


# -- replay


def _replay(rules: Ruleset, roll: TableRoll, asked: AskedCheck, replies: tuple[RecordedReply, ...]) -> None:
    """Replay the roll with another check; refuse it if the replies do not fit."""
    assert roll.asked is not None
    before, after = bind_check(rules, roll.asked), bind_check(rules, asked)
    check_hideable(after, asked, roll.hidden)
    was, now = start(before), start(after)
    for at, (old, new) in enumerate(zip(roll.replies, replies, strict=True)):
        if not _is_same_question(was.ask, now.ask):
            raise _mismatch(roll, at, was.ask)
        try:
            now = resume(after, now, new.reply)
        except BadReply as wrong:
            raise wrong if old != new else _mismatch(roll, at, was.ask) from None
        was = resume(before, was, old.reply)
    if roll.typed and not _is_same_question(was.ask, now.ask):
        raise Refused(Message("correction.typed_faces_no_longer_fit"))
    if roll.key and isinstance(now.ask, Throw):
        raise _dice_would_change()
    if roll.key and isinstance(now.ask, (ChooseDice, PickOption)):
        raise Refused(Message("correction.decision_is_due", decision=now.ask.decision))


def _is_same_question(was: Question | None, now: Question | None) -> bool:
    """Return whether a reply to one question also answers the other."""
    if isinstance(was, Throw) and isinstance(now, Throw):
        return (was.count, was.sides, was.side) == (now.count, now.sides, now.side)
    if isinstance(was, (ChooseDice, PickOption)) and isinstance(now, (ChooseDice, PickOption)):
        return (was.decision, was.side) == (now.decision, now.side)
    return False


def _mismatch(roll: TableRoll, at: int, question: Question | None) -> Refused:
    if not isinstance(question, (ChooseDice, PickOption)):
        return _dice_would_change()
    if roll.key or at < roll.inherited_count or any(one.thrown for one in roll.replies[at:]):
        return Refused(Message("correction.decision_stays", decision=question.decision))
    return Refused(Message("correction.undo_decision", decision=question.decision))


def _dice_would_change() -> Refused:
    return Refused(Message("correction.other_dice"))


# -- contests


def _propagate(
    transaction: Transaction, contest: TableRoll, before: TableRoll, faces: list[CorrectedThrow]
) -> None:
    """Correct a contest after a correction of one of its components."""
    after, rules = transaction.table.rolls[before.id], contest.rules(transaction.table.rules)
    check = rules.check(contest.declared.check)
    old, new = side_parameters(check, before), side_parameters(check, after)
    sides, contest_faces = [*contest.declared.sides], []
    places = _inherited_throws(transaction, contest)
    for at, component in enumerate(contest.components):
        if component.roll == before.id:
            sides[at] = _with_changes(sides[at], old, new)
            contest_faces += [
                replace(one, throw=places[at, one.throw]) for one in faces if (at, one.throw) in places
            ]
    try:
        asked = asked_check(bind_check(rules, replace(contest.declared, sides=tuple(sides))))
        if asked == contest.asked and not contest_faces:
            return
        _replay(rules, contest, asked, with_faces(contest.replies, contest_faces))
    except Refused:
        if _refusal_would_leak(transaction, contest, before):
            transaction.emit(ContestUnchanged(roll=contest.id))
            return
        raise Refused(Message("correction.contest_needs_other_dice", contest=contest.id)) from None
    _emit_correction(transaction, contest, asked, contest_faces, "")


def _inherited_throws(transaction: Transaction, contest: TableRoll) -> dict[tuple[int, int], int]:
    """Map the components' throws to the contest's: (component, its throw) -> throw."""
    components = [transaction.table.rolls[one.roll].replies for one in contest.components]
    throws: dict[tuple[int, int], int] = {}
    used = [0] * len(components)
    assert contest.asked is not None
    bound = bind_check(contest.rules(transaction.table.rules), contest.asked)
    node = start(bound)
    for one in contest.replies[: contest.inherited_count]:
        assert node.ask is not None
        side = node.ask.side - 1 if node.ask.side else _next_component(components, used)
        if one.thrown:
            thrown = sum(reply.thrown for reply in components[side][: used[side]])
            throws[side, thrown] = len(throws)
        used[side] += 1
        node = resume(bound, node, one.reply)
    return throws


def _next_component(components: list[tuple[RecordedReply, ...]], used: list[int]) -> int:
    """Return the first component with replies left."""
    return next(at for at, roll in enumerate(components) if used[at] < len(roll))


def _with_changes(side: Values, old: Values, new: Values) -> Values:
    """Return a contest's side with the changes of its roll; the side's own corrections stay."""
    result = {name: value for name, value in side.items() if name in new or name not in old}
    return result | {name: value for name, value in new.items() if old.get(name) != value}


def _refusal_would_leak(transaction: Transaction, contest: TableRoll, roll: TableRoll) -> bool:
    """Return whether a viewer sees the roll but not the contest: a refusal would reveal the contest.

    Counts also viewers who may take a seat later.
    """
    seated = (transaction.table.viewer(seat) for seat in transaction.table.seats)
    viewers = [*seated, *(Viewer("", role) for role in ROLES)]
    return any(roll.level_for(one) == ALL and contest.level_for(one) < ALL for one in viewers)
