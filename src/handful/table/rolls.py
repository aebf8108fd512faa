"""Command handlers for rolls: throw, answer, undo, cancel, finalise, reveal.

A roll is finalised as soon as nothing about it can be decided any more; its key is published then.
"""

from __future__ import annotations

from handful.errors import BadReply, Message, Refused, TooBig
from handful.roll import ChooseDice, PickOption, Throw, why_impossible
from handful.table.action_costs import (
    apply_consequences,
    gm_announces_result,
    may_be_reacted_to,
    record_attack,
    refund_actions,
    spend_actions,
)
from handful.table.commands import (
    CancelRoll,
    Declaration,
    FinaliseRoll,
    IncludedThrow,
    JudgeRoll,
    RevealRoll,
    RevealTarget,
    TakeDecision,
    ThrowDice,
    UndoReply,
)
from handful.table.drafts import draft_declaration
from handful.table.events import (
    ContestCalledOff,
    DecisionTaken,
    DecisionUndone,
    DiceThrown,
    FacesTakenBack,
    FacesTyped,
    RequestReopened,
    RollCancelled,
    RollDeclared,
    RollFinalised,
    RollJudged,
    RollRevealed,
    TargetRevealed,
)
from handful.table.events.values import Texts
from handful.table.hidden_parameters import check_hideable
from handful.table.key_ledger import place_for_roll, place_of_roll
from handful.table.key_streams import commitment_of, next_commitment
from handful.table.legality import is_legal
from handful.table.points import balance
from handful.table.state import Table
from handful.table.transaction import Transaction, asked_check
from handful.table.view_contests import open_contests_with
from handful.table.visibility import ALL, DECLARED, GM, ROLLING_ROLES, combine_modes

EMPTY: Texts = {}
MAX_THROWS = 1000  # in one command
MAX_DICE = 5000  # of one roll at a table: each is stored, and every view that shows the roll has it


def declare_roll(
    transaction: Transaction, roller: str, declaration: Declaration, authors: Texts = EMPTY
) -> str:
    """Declare a roll for a seat and return its id; `authors` as in `draft_declaration`."""
    table = transaction.table
    if table.role(roller) not in ROLLING_ROLES:
        raise Refused(Message("seat.does_not_roll", name=roller))
    modes = roll_modes(table, declaration.mode)
    bound, origin = draft_declaration(
        table, transaction.known, transaction.actor, roller, declaration, authors
    )
    if why_impossible(bound):
        reason = {one: why_impossible(bound, language=one) for one in table.rules.title}
        raise Refused(Message("roll.impossible_check", reason=reason), Message("roll.nothing_spent"))
    asked = asked_check(bound)
    if declaration.hidden and transaction.role != GM:
        raise Refused(Message("roll.only_gm_hides"))
    hidden = check_hideable(bound, asked, sorted({*declaration.hidden, *origin.hidden}))
    roll = transaction.new_id
    place = place_for_roll(table, roll, roller, modes)
    transaction.emit(
        RollDeclared(
            roll=roll,
            roller=roller,
            asked=asked,
            modes=modes,
            hidden=hidden,
            commitment=commitment_of(transaction.dice.key(place)),
            next=next_commitment(transaction.dice.key, place),
            title=declaration.title,
            character_ids=origin.character_ids,
            skill_counts=origin.skill_counts,
            lines=origin.lines,
            action_context=origin.action_context,
            components=(),
            inherited=(),
        )
    )
    spend_actions(transaction, roll)
    balance(transaction, roll)
    finalise_if_complete(transaction, roll)
    return roll


def roll_modes(table: Table, roll_mode: str) -> tuple[str, ...]:
    """Return the modes of the table and of a roll; refused if together they hide it from everyone."""
    modes = (table.mode, roll_mode)
    mode = combine_modes(*modes)
    if max(mode.gm, mode.roller) < ALL:
        raise Refused(Message("roll.hidden_from_everybody", modes=modes))
    return modes


def throw(transaction: Transaction, command: ThrowDice) -> None:
    """Throw the due dice: virtual ones, or typed physical ones, all at once or die by die."""
    _throw_dice(transaction, command.roll, command)


def throw_if_legal(transaction: Transaction, name: str, throw: IncludedThrow | None) -> None:
    """Throw dice that are due after the events so far, if the acting seat asked for it and may do it.

    In a contest the GM throws only the dice of their own side this way.
    """
    known, viewer = transaction.known_now, transaction.viewer
    if throw is None or not is_legal(known, viewer, "throw", "roll", name):
        return
    roll = known.rolls[name]
    if not roll.components or roll.awaited_seat == viewer.seat:
        _throw_dice(transaction, name, throw)


def _throw_dice(transaction: Transaction, roll: str, throw: ThrowDice | IncludedThrow) -> None:
    faces, entropy = throw.faces, throw.entropy
    if throw.commitment not in ("", transaction.table.rolls[roll].commitment):
        raise Refused(
            Message("roll.other_key"),
            Message("roll.look_and_throw_again"),
        )
    if faces is None:
        _throw_virtual_dice(transaction, roll, entropy)
    elif transaction.known_now.rolls[roll].level < ALL:
        raise Refused(Message("roll.result_not_seen"))
    elif entropy:
        raise Refused(Message("roll.entropy_by_hand"))
    else:
        _type_faces(transaction, roll, faces)


def _throw_virtual_dice(transaction: Transaction, roll: str, entropy: str) -> None:
    typed = transaction.table.rolls[roll].typed_faces
    ask = _due_throw(transaction, roll)
    if ask is None:
        raise _not_due()
    if typed:
        raise Refused(
            Message("roll.faces_are_due", typed=len(typed), due=ask.count, missing=ask.count - len(typed))
        )
    throw_due_dice(transaction, roll, entropy)


def throw_due_dice(transaction: Transaction, roll: str, entropy: str = "") -> None:
    """Throw virtual dice as long as some are due."""
    for _ in range(MAX_THROWS):
        ask = _due_throw(transaction, roll)
        if ask is None:
            break
        number, place = transaction.table.rolls[roll].throws, place_of_roll(transaction.table, roll)
        faces = transaction.dice.faces(place, number, ask.count, ask.sides, entropy)
        _emit_throw(transaction, roll, ask, faces, entropy=entropy)
    finalise_if_complete(transaction, roll)


def _type_faces(transaction: Transaction, roll: str, faces: tuple[int, ...]) -> None:
    """Record typed faces: a complete throw counts, the rest is stored until it is complete."""
    remaining = faces
    while remaining:
        ask = _due_throw(transaction, roll)
        if ask is None:
            raise BadReply(Message("roll.faces_left_over", faces=Message("count.face", count=len(remaining))))
        current = transaction.table.rolls[roll]
        due = ask.count - len(current.typed_faces)
        now, remaining = remaining[:due], remaining[due:]
        if len(now) == due:
            _emit_throw(transaction, roll, ask, (*current.typed_faces, *now), physical=True)
            continue
        for face in now:
            if not 1 <= face <= ask.sides:
                raise BadReply(Message("roll.impossible_face", sides=ask.sides, face=face))
        transaction.emit(
            FacesTyped(
                roll=roll,
                throw=current.throws,
                side=ask.side,
                sides=ask.sides,
                faces=now,
                due=due - len(now),
            )
        )
    finalise_if_complete(transaction, roll)


def _due_throw(transaction: Transaction, roll: str) -> Throw | None:
    """Return the throw that a roll waits for, or None."""
    node = transaction.table.rolls[roll].node
    return node.ask if node is not None and isinstance(node.ask, Throw) else None


def _emit_throw(
    transaction: Transaction,
    roll: str,
    ask: Throw,
    faces: tuple[int, ...],
    *,
    physical: bool = False,
    entropy: str = "",
) -> None:
    thrown = sum([len(one.reply) for one in transaction.table.rolls[roll].replies if one.thrown])
    if thrown + len(faces) > MAX_DICE:
        raise TooBig(Message("roll.too_many_throws", most=MAX_DICE), Message("roll.less_work"))
    transaction.emit(
        DiceThrown(
            roll=roll,
            throw=transaction.table.rolls[roll].throws,
            side=ask.side,
            sides=ask.sides,
            faces=faces,
            physical=physical,
            entropy=entropy,
        )
    )
    if transaction.table.rolls[roll].throws == 1:
        record_attack(transaction, roll)


def _not_due() -> Refused:
    """Return a vague refusal.

    A seat that does not know a hidden parameter may answer another question than is really asked.
    """
    return Refused(Message("roll.not_due"))


def finalise_if_complete(transaction: Transaction, roll: str) -> None:
    """Finalise a roll if nothing about it can be decided or undone any more."""
    current = transaction.table.rolls[roll]
    if current.phase == "decided" and not current.can_undo and not gm_announces_result(current):
        finalise_roll(transaction, roll)


def answer(transaction: Transaction, command: TakeDecision) -> None:
    roll, answer = command.roll, command.answer
    current = transaction.table.rolls[roll]
    assert current.node is not None
    ask = current.node.ask
    if not isinstance(ask, (ChooseDice, PickOption)):
        raise _not_due()
    if isinstance(ask, ChooseDice) and isinstance(answer, str):
        raise BadReply(Message("roll.pick_dice_as_list"))
    if isinstance(ask, PickOption) and not isinstance(answer, str):
        raise BadReply(Message("advice.it_is", names=ask.options))
    transaction.emit(
        DecisionTaken(
            roll=roll,
            decision=ask.decision,
            side=ask.side,
            answer=answer,
            words=command.words,
        )
    )
    balance(transaction, roll)
    throw_if_legal(transaction, roll, command.throw)
    if command.finish:
        finalise_if_legal(transaction, roll)


def undo(transaction: Transaction, command: UndoReply) -> None:
    """Undo the last typed faces, or the last decision."""
    roll = transaction.table.rolls[command.roll]
    if roll.typed:
        transaction.emit(FacesTakenBack(roll=roll.id, throw=roll.throws, faces=roll.typed[-1]))
    else:
        transaction.emit(DecisionUndone(roll=roll.id))
        balance(transaction, roll.id)


def cancel(transaction: Transaction, command: CancelRoll) -> None:
    """Cancel a roll before its dice: refunds its points and reopens the request that led to it.

    Its key is never published: no dice depend on it.
    """
    roll = transaction.table.rolls[command.roll]
    transaction.emit(RollCancelled(roll=roll.id))
    refund_actions(transaction, roll)
    balance(transaction, roll.id, refund_all=True)
    for contest in open_contests_with(
        transaction.table, roll.id
    ):  # hidden ones: visible ones block `cancel` until called off
        transaction.emit(ContestCalledOff(contest=contest))
    if min(roll.level_for(transaction.table.viewer(roll.roller)), roll.mode.gm) < DECLARED:
        return  # reopening it would reveal the roll to a seat that does not know of it
    for request in transaction.table.requests.values():
        if request.rolls.get(roll.roller) == roll.id and not request.closed:
            transaction.emit(RequestReopened(request=request.id, name=roll.roller))


def finalise(transaction: Transaction, command: FinaliseRoll) -> None:
    finalise_roll(transaction, command.roll)


def finalise_if_legal(transaction: Transaction, roll: str) -> None:
    """Finalise a roll after the events so far, if the acting seat may do it and nobody else may react."""
    if may_be_reacted_to(transaction.table, transaction.table.rolls[roll]):
        return
    if is_legal(transaction.known_now, transaction.viewer, "finalise", "roll", roll):
        finalise_roll(transaction, roll)


def finalise_roll(transaction: Transaction, roll: str) -> None:
    key = transaction.dice.key(place_of_roll(transaction.table, roll))
    transaction.emit(RollFinalised(roll=roll, key=key))
    apply_consequences(transaction, roll)


def reveal(transaction: Transaction, command: RevealRoll) -> None:
    roll = transaction.table.rolls[command.roll]
    to = tuple(transaction.table.seats) if command.to is None else command.to
    if not to:
        raise Refused(Message("roll.revealed_to_nobody"))
    for name in to:
        if name not in transaction.table.seats:
            raise Refused(Message("seat.unknown_name", name=name))
    transaction.emit(RollRevealed(roll=roll.id, to=to))


def judge(transaction: Transaction, command: JudgeRoll) -> None:
    """State what a result means: a grade, words, or both; for the GM (R-20, R-24, D-5)."""
    if not command.grade and not command.words:
        raise Refused(Message("roll.judge_needs"))
    transaction.emit(RollJudged(roll=command.roll, grade=command.grade, words=command.words))


def reveal_target(transaction: Transaction, command: RevealTarget) -> None:
    transaction.emit(TargetRevealed(roll=command.roll))
