"""Command handlers for fights: begin, take a turn, react, undo a move, end.

Illegal moves are refused by `handful.rounds` with the reason; here the possible moves are added as
a hint.  Nothing about hidden combatants may follow from a refusal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from handful import rounds as fight_rounds
from handful.errors import NO_MESSAGE, Message, Refused
from handful.rounds.order import settings, ties
from handful.rules.round_rules import ROLL
from handful.table.action_context import may_react_early
from handful.table.commands import (
    BeginFight,
    BeginRound,
    ChoosePace,
    EndFight,
    EndTurn,
    FixActions,
    GrantLeave,
    InterruptRoll,
    JoinFight,
    LeaveFight,
    NewCombatant,
    PrepareRound,
    React,
    RevealCombatant,
    TakeAction,
    TakeHit,
    TakeStance,
    UndoMove,
    Wait,
)
from handful.table.commands.base import CombatantCommand
from handful.table.events import (
    ActionsFixed,
    ActionsLost,
    ActionTaken,
    CombatantJoined,
    CombatantLeft,
    CombatantRevealed,
    FightBegun,
    FightEnded,
    HitTaken,
    Interrupted,
    LeaveGranted,
    MoveBody,
    MoveUndone,
    Paced,
    Reacted,
    RoundBegun,
    RoundPrepared,
    StanceTaken,
    TurnEnded,
    Waited,
)
from handful.table.events.values import CombatantName, RankData, Values
from handful.table.fight import Fight, last_move, rank_data
from handful.table.key_ledger import place_for_ties
from handful.table.state import Table, TableCharacter
from handful.table.transaction import Transaction
from handful.table.view_moves import INCAPACITATED_MOVES, incapacity_reason, offered_answers
from handful.table.visibility import GM, NOTHING, sheet_mode

MAX_COMBATANTS = 100


def require_fight(table: Table) -> Fight:
    if table.fight is None:
        raise Refused(Message("fight.none"), Message("fight.gm_begins"))
    return table.fight


def is_hidden(character: TableCharacter) -> bool:
    """Return whether some seats do not know of a character."""
    return sheet_mode(character.shown).others == NOTHING


# -- combatants


def begin(transaction: Transaction, command: BeginFight) -> None:
    """Begin a fight; initiative follows from the sheets, or the GM gives the order."""
    if not 1 <= len(command.combatants) <= MAX_COMBATANTS:
        raise Refused(Message("fight.number_of_combatants", most=MAX_COMBATANTS))
    combatants = [_read_combatant(transaction, one) for one in command.combatants]
    names = {combatant.who: name for combatant, name in combatants}
    order = [_find_combatant(names, one) for one in command.order]
    combatants_in_order = _break_ties(transaction, [combatant for combatant, _ in combatants])
    rounds = fight_rounds.begin(
        transaction.table.rules, combatants_in_order, transaction.table.options, order
    )
    by_id = {one.who: one for one in combatants_in_order}
    transaction.emit(
        FightBegun(
            fight=transaction.new_id,
            by_gm=bool(order),
            order=tuple(CombatantName(one.who, names[one.who]) for one in rounds.places),
            ranks={name: RankData(rank_data(one.rank), one.rolled) for name, one in by_id.items()},
            hidden=tuple(one.who for one in combatants_in_order if one.hidden),
        )
    )


def _find_combatant(names: Mapping[str, str], typed: str) -> str:
    """Return a combatant by its id or, if unambiguous, by its name."""
    if typed in names:
        return typed
    found = [combatant for combatant, name in names.items() if name == typed]
    if len(found) != 1:
        raise Refused(Message("fight.unknown_combatant", typed=typed[:80], names=tuple(names.values())))
    return found[0]


def _read_combatant(transaction: Transaction, new: NewCombatant) -> tuple[fight_rounds.Combatant, str]:
    """Return a combatant and its name: a character with a sheet, or just a name."""
    table = transaction.table
    if new.character is not None:
        character = transaction.known.characters.get(new.character)
        if character is None or character.sheet is None:
            raise Refused(Message("character.unknown", name=new.character[:160]))
        combatant = fight_rounds.combatant(
            table.rules,
            character.id,
            character.sheet,
            marks=_read_marks(table, new.marks),
            hidden=is_hidden(character),
            options=table.options,
        )
        return combatant, character.name
    if new.name is None:
        raise Refused(Message("fight.combatant_needs_name"))
    rank = () if new.initiative is None else (new.initiative,)
    return fight_rounds.Combatant(f"{transaction.actor}/{new.name}", rank, new.hidden), new.name


def _read_marks(table: Table, marks: Values) -> dict[str, int]:
    round_rules = table.rules.rounds
    declared = round_rules.marks if round_rules else {}
    counts = {}
    for name, value in marks.items():
        if name not in declared:
            raise Refused(Message("fight.unknown_mark", name=name[:40], marks=tuple(declared)))
        if type(value) is not int or not -1000 <= value <= 1000:
            raise Refused(Message("fight.mark_out_of_range", name=name))
        counts[name] = value
    return counts


def _break_ties(
    transaction: Transaction, combatants: list[fight_rounds.Combatant]
) -> list[fight_rounds.Combatant]:
    """Roll a die for each tied combatant, if the house rules say so.

    The die follows from its own key, so it does not depend on who else fights.
    """
    if settings(transaction.table.rules, transaction.table.options)["last_tie"] != ROLL:
        return combatants
    tied = ties(combatants)
    return [
        fight_rounds.Combatant(one.who, one.rank, one.hidden, _tie_break_die(transaction, one.who))
        if one.who in tied
        else one
        for one in combatants
    ]


def _tie_break_die(transaction: Transaction, combatant: str) -> int:
    place = place_for_ties(transaction.table, transaction.new_id)
    return transaction.dice.faces(place, 0, 1, 1000, combatant)[0]


def join(transaction: Transaction, command: JoinFight) -> None:
    fight = require_fight(transaction.table)
    if len(fight.rounds.places) >= MAX_COMBATANTS:
        raise Refused(Message("fight.too_many_combatants", most=MAX_COMBATANTS))
    one, name = _read_combatant(transaction, command.who)
    behind = "" if command.behind is None else _find_combatant(fight.names, command.behind)
    transaction.emit(
        CombatantJoined(
            combatant=one.who,
            name=name,
            rank=rank_data(one.rank),
            rolled=0,
            hidden=(one.who,) if one.hidden else (),
            behind=behind,
        )
    )


def out(transaction: Transaction, command: LeaveFight) -> None:
    transaction.emit(CombatantLeft(combatant=command.combatant))


def reveal(transaction: Transaction, command: RevealCombatant) -> None:
    """Reveal a hidden combatant without a sheet; one with a sheet is revealed by `show`."""
    combatant = command.combatant
    if combatant in transaction.table.characters:
        raise Refused(Message("fight.show_sheet", who=combatant))
    if not require_fight(transaction.table).rounds.place(combatant).hidden:
        raise Refused(Message("fight.seen_already", who=combatant))
    _emit_revealed(transaction, combatant)


def _emit_revealed(transaction: Transaction, combatant: str) -> None:
    transaction.emit(
        CombatantRevealed(combatant=combatant, name=require_fight(transaction.table).names[combatant])
    )


def next_round(transaction: Transaction, command: BeginRound) -> None:
    """Begin the next round; unused actions are lost (D-15)."""
    rounds = require_fight(transaction.table).rounds
    for place in rounds.places:
        if place.actions_left > 0:
            transaction.emit(ActionsLost(combatant=place.who, actions=place.actions_left))
    transaction.emit(RoundBegun(number=rounds.number + 1))


def end(transaction: Transaction, command: EndFight) -> None:
    transaction.emit(FightEnded(fight=require_fight(transaction.table).id))


# -- moves


Move = TypeVar("Move", bound=CombatantCommand)


def _for_able(handle: Callable[[Transaction, Move], None]) -> Callable[[Transaction, Move], None]:
    """Wrap a move's handler: an incapacitated combatant moves only by the GM's command (D-44)."""

    def handler(transaction: Transaction, command: Move) -> None:
        combatant = command.combatant
        reason = incapacity_reason(transaction.table, combatant) if transaction.role != GM else ""
        if reason and command.kind not in INCAPACITATED_MOVES:
            raise Refused(
                Message("fight.incapacitated", who=combatant, reason=reason),
                Message("fight.possible_now", names=INCAPACITATED_MOVES),
            )
        handle(transaction, command)

    return handler


def emit_move(transaction: Transaction, move: MoveBody) -> None:
    """Emit a move; if it is refused, add the possible moves as a hint."""
    try:
        transaction.emit(move)
    except Refused as refusal:
        possible = fight_rounds.possible(
            require_fight(transaction.table).rounds, move.combatant, leave=transaction.role == GM
        )
        possible_now = Message("fight.possible_now", names=possible) if possible else NO_MESSAGE
        raise Refused(refusal.problem, refusal.advice or possible_now) from None


@_for_able
def fix(transaction: Transaction, command: FixActions) -> None:
    emit_move(transaction, ActionsFixed(combatant=command.combatant, actions=command.actions))


@_for_able
def act(transaction: Transaction, command: TakeAction) -> None:
    emit_move(transaction, ActionTaken(combatant=command.combatant, what=command.what))


@_for_able
def wait(transaction: Transaction, command: Wait) -> None:
    emit_move(transaction, Waited(combatant=command.combatant))


@_for_able
def stance(transaction: Transaction, command: TakeStance) -> None:
    """Take a stance; `line_changes.stance` applies it to attacks that are declared already."""
    move = StanceTaken(combatant=command.combatant, stance=command.stance, choice=command.choice)
    emit_move(transaction, move)


@_for_able
def prepare(transaction: Transaction, command: PrepareRound) -> None:
    emit_move(transaction, RoundPrepared(combatant=command.combatant))


@_for_able
def end_turn(transaction: Transaction, command: EndTurn) -> None:
    emit_move(transaction, TurnEnded(combatant=command.combatant))


@_for_able
def react(transaction: Transaction, command: React) -> None:
    """Spend an action on a reaction; before the combatant's own turn only with the GM's leave (D-20)."""
    leave = transaction.role == GM or may_react_early(transaction.known, command.combatant)
    emit_move(
        transaction,
        Reacted(combatant=command.combatant, actions=command.actions, leave=leave, what=command.what),
    )


@_for_able
def interrupt(transaction: Transaction, command: InterruptRoll) -> None:
    """Interrupt a roll before its result is announced (D-19)."""
    combatant, roll_of = command.combatant, command.roll_of
    check_can_interrupt(transaction, combatant, roll_of)
    emit_move(transaction, Interrupted(combatant=combatant, what=command.what, roll_of=roll_of))


def check_can_interrupt(transaction: Transaction, combatant: str, name: str) -> None:
    """Refuse to interrupt a roll that is not decided yet, or whose result is announced."""
    roll = transaction.known.rolls.get(name)
    if roll is None:
        raise Refused(Message("roll.unknown", name=name[:80]))
    if combatant in roll.character_ids:
        raise Refused(Message("fight.interrupts_self", roll=name, who=combatant))
    if roll.phase != "decided":
        raise Refused(Message("fight.when_to_interrupt", roll=name, phase=roll.phase))


@_for_able
def pace(transaction: Transaction, command: ChoosePace) -> None:
    table, combatant = transaction.table, command.combatant
    character = table.characters.get(combatant)
    sheet = character.sheet if character else None
    found = fight_rounds.movement_at(table.rules, sheet, command.pace, table.options)
    emit_move(
        transaction,
        Paced(
            combatant=combatant,
            pace=found.pace,
            cost=found.actions,
            leave=transaction.role == GM,
            distance=found.distance if isinstance(found.distance, int) else str(found.distance),
        ),
    )


@_for_able
def undo(transaction: Transaction, command: UndoMove) -> None:
    fight, combatant = require_fight(transaction.table), command.combatant
    last = last_move(fight, combatant)
    if last is None:
        raise Refused(Message("fight.no_move_to_undo", who=combatant))
    roll = transaction.known.rolls.get(last.roll)  # an invisible roll does not count
    if roll is not None and not roll.cancelled:
        raise Refused(Message("fight.move_of_roll", roll=last.roll))
    transaction.emit(MoveUndone(combatant=combatant))


def take_hit(transaction: Transaction, command: TakeHit) -> None:
    """Let a roll against a combatant stand instead of answering it."""
    combatant, roll = command.combatant, command.roll_of
    if roll not in offered_answers(transaction.known, combatant, transaction.viewer):
        raise Refused(Message("fight.not_asked", who=combatant, roll=roll[:80]))
    transaction.emit(HitTaken(combatant=combatant, roll=roll))


def grant(transaction: Transaction, command: GrantLeave) -> None:
    """Let a combatant react before its turn, or act once for free; for the GM (D-20, D-24)."""
    combatant, leave = command.combatant, command.leave
    if transaction.role != GM:
        raise Refused(Message("fight.only_gm_grants"))
    if require_fight(transaction.table).has_leave(combatant, leave):
        raise Refused(Message("fight.granted_already", who=combatant))
    transaction.emit(LeaveGranted(combatant=combatant, leave=leave))
