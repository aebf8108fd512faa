"""Action costs of a roll in a fight, and the consequences of its result.

A roll that not everyone sees must not be revealed by its cost: its action looks like one without a
roll, it uses up no item, and nothing of it is recorded on a sheet.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from handful.errors import Message, Refused
from handful.rounds import possible
from handful.sheet import item_uses
from handful.table.action_context import NOTHING, RESISTANCE, matching_answer, may_react_early
from handful.table.commands import EquipItem, ForgetTask
from handful.table.events import (
    ActionsFixed,
    ActionTaken,
    CombatantAttacked,
    Interrupted,
    ItemChanged,
    LeaveGranted,
    LeaveUsed,
    MoveUndone,
    Reacted,
    TaskChanged,
)
from handful.table.fight import last_move
from handful.table.fight_commands import check_can_interrupt, emit_move
from handful.table.points import is_visible_to, sheet_viewers
from handful.table.state import Table, TableCharacter, TableRoll
from handful.table.transaction import Transaction
from handful.table.visibility import ALL, DECLARED, FREE, GM, sheet_mode


def spend_actions(transaction: Transaction, name: str) -> None:
    """Spend the actions that a roll costs: the roller's, and those of characters who resist."""
    roll = transaction.table.rolls[name]
    if not roll.action_context:
        return
    combatant, *_ = roll.character_ids
    if roll.action_context.get("item"):
        _check_item_usable(transaction.table, combatant, roll.action_context)
    _spend_own_action(transaction, roll, combatant)
    for one in _granted_free(roll):
        transaction.emit(LeaveUsed(combatant=one, leave=FREE))
    fight, round_rules = transaction.table.fight, transaction.table.rules.rounds
    if fight is None or roll.action_context.get("spends", NOTHING) == NOTHING:
        return
    answers = round_rules is not None and any(
        one.to == roll.declared.check for one in round_rules.answers.values()
    )
    for other, cost in _cost_per_character(roll)[1:]:
        if other in fight.rounds and cost != NOTHING:
            _spend_resistance(transaction, roll, other, free=answers)


def _cost_per_character(roll: TableRoll) -> list[tuple[str, str]]:
    """Return each character of a roll with its cost; opponents resist unless declared otherwise."""
    declared = [
        roll.action_context.get("spends", NOTHING),
        *roll.action_context.get("others_spend", "").split(","),
    ]
    return [
        (combatant, cost or RESISTANCE)
        for combatant, cost in zip_longest(roll.character_ids, declared)
        if combatant
    ]


def _granted_free(roll: TableRoll) -> list[str]:
    """Return the characters for whom a roll is free because the GM granted it."""
    return (
        [combatant for combatant, cost in _cost_per_character(roll) if cost == NOTHING]
        if "uses_leave" in roll.action_context
        else []
    )


def record_attack(transaction: Transaction, name: str) -> None:
    """Record at the first throw that the target is attacked, if everyone may know of it."""
    roll = transaction.table.rolls[name]
    target, fight = roll.action_context.get("target", ""), transaction.table.fight
    if fight is not None and target in fight.rounds:
        character = transaction.table.characters[target]
        if is_visible_to(roll, sheet_viewers(transaction.table, character, others=True), DECLARED):
            transaction.emit(CombatantAttacked(combatant=target, roll=name))


def _spend_own_action(transaction: Transaction, roll: TableRoll, combatant: str) -> None:
    item = roll.action_context.get("item", "")
    if item and not _is_visible_to_sheet_viewers(
        transaction.table, roll, transaction.table.characters[combatant], DECLARED
    ):
        item = ""  # counting its use would reveal the roll
    match roll.action_context.get("spends"):
        case "action":
            if "actions" in roll.action_context:
                count = int(roll.action_context["actions"])
                emit_move(transaction, ActionsFixed(combatant=combatant, actions=count, roll=roll.id))
            emit_move(transaction, ActionTaken(combatant=combatant, what="", roll=roll.id, item=item))
        case "interruption":
            if "interrupts" not in roll.action_context:
                raise Refused(Message("action.interrupts_which"))
            check_can_interrupt(transaction, combatant, roll.action_context["interrupts"])
            interrupted = roll.action_context["interrupts"]
            emit_move(
                transaction,
                Interrupted(combatant=combatant, what="", roll_of=interrupted, roll=roll.id, item=item),
            )
        case "reaction":
            actions = int(roll.action_context["actions"]) if "actions" in roll.action_context else None
            answered = transaction.table.rolls.get(roll.action_context.get("answers", ""))
            answer = matching_answer(transaction.table, answered) if answered else None
            leave = transaction.role == GM or may_react_early(transaction.table, combatant, answer)
            emit_move(
                transaction,
                Reacted(combatant=combatant, actions=actions, leave=leave, what="", roll=roll.id, item=item),
            )
        case "resistance":
            _spend_resistance(transaction, roll, combatant)


def _spend_resistance(
    transaction: Transaction, roll: TableRoll, combatant: str, *, free: bool = False
) -> None:
    """Spend a resistance: for those who waited or prepared; `free`: anyone with an action left (D-35)."""
    assert transaction.table.fight is not None
    place = transaction.table.fight.rounds.place(combatant)
    if not (free or place.waiting or place.prepared):
        raise Refused(
            Message("action.cannot_resist", who=combatant),
            Message("action.gm_can_let_resist"),
        )
    leave = transaction.role == GM
    emit_move(
        transaction,
        Reacted(combatant=combatant, actions=None, leave=leave, what="", roll=roll.id, item=""),
    )


def _check_item_usable(table: Table, combatant: str, action_context: Mapping[str, str]) -> None:
    """Refuse an item that is out of use, or used up for this round (D-7, D-22)."""
    item, character = action_context["item"], table.characters[combatant]
    uses, hot = _item_state(table, character, item)
    if hot:
        raise Refused(
            Message("item.out_of_use", item=item, name=character.name), Message("item.gm_says_when")
        )
    used = table.fight.item_uses.get(f"{combatant}/{item}", 0) if table.fight else 0
    if action_context.get("spends") not in (None, NOTHING) and used >= uses:
        raise Refused(Message("item.used_up", item=item, count=uses), Message("item.gm_says_how_often"))


def _item_state(table: Table, character: TableCharacter, item: str) -> tuple[int, bool]:
    """Return how often an item may be used in a round, and whether it is out of use."""
    sheet = table.rules.sheet
    uses = 1 if sheet is None or character.sheet is None else item_uses(sheet, character.sheet, item)
    return character.items.get(item, (uses, False))


def refund_actions(transaction: Transaction, roll: TableRoll) -> None:
    """Give back the actions of a cancelled roll, as long as nobody has moved since."""
    for combatant in reversed(roll.character_ids):
        while (fight := transaction.table.fight) is not None and combatant in fight.rounds:
            move = last_move(fight, combatant)
            if move is None or move.roll != roll.id:
                break
            transaction.emit(MoveUndone(combatant=combatant))
    for combatant in _granted_free(roll):
        if transaction.table.fight is not None and combatant in transaction.table.fight.rounds:
            transaction.emit(LeaveGranted(combatant=combatant, leave=roll.action_context["uses_leave"]))


def gm_announces_result(roll: TableRoll) -> bool:
    """Return whether the GM announces the result: in a fight others may interrupt before (D-19)."""
    return roll.action_context.get("spends", NOTHING) != NOTHING and roll.mode.gm == ALL


def may_be_reacted_to(table: Table, roll: TableRoll) -> bool:
    """Return whether a combatant whom everyone sees could still answer or interrupt a roll.

    The dice do not matter: if a hit waited and a miss did not, the waiting would reveal a hidden Defense.
    """
    fight = table.fight
    if fight is None or not gm_announces_result(roll):
        return False
    target = roll.action_context.get("target", "")
    for place in fight.rounds.places:
        if place.hidden or place.who in roll.character_ids:
            continue
        moves = possible(fight.rounds, place.who, leave=True)
        is_asked = place.who == target and roll.id not in fight.accepted_hits
        if "interrupt" in moves or (is_asked and "answer" in moves and matching_answer(table, roll)):
            return True
    return False


def apply_consequences(transaction: Transaction, name: str) -> None:
    """Apply the consequences of a final result: an item overheats, a failed attempt is recorded."""
    roll, round_rules = transaction.table.rolls[name], transaction.table.rules.rounds
    if roll.rules(transaction.table.rules) is not transaction.table.rules:
        return  # declared under other rules, which no longer apply
    if round_rules is None or roll.node is None or not (roll.character_ids and roll.character_ids[0]):
        return
    character = transaction.table.characters.get(roll.character_ids[0])
    if character is None or not _is_visible_to_sheet_viewers(transaction.table, roll, character, ALL):
        return
    item, task = roll.action_context.get("item", ""), roll.action_context.get("task", "")
    if item and {*round_rules.heat} & {*roll.node.events}:
        uses, _ = _item_state(transaction.table, character, item)
        transaction.emit(ItemChanged(character=character.id, item=item, uses=uses, hot=True))
    if task and round_rules.retries and roll.node.outcome is not None and not roll.hidden:
        _record_attempt(transaction, character, task, roll.node.outcome, round_rules.retries["result"])


def _record_attempt(
    transaction: Transaction, character: TableCharacter, task: str, outcome: Mapping[str, Any], name: str
) -> None:
    """Record a failed attempt; a success clears them (D-38, AMB-D16)."""
    success, result = outcome.get("success"), outcome.get(name)
    failed = character.tasks.get(task, ())
    if success is False and isinstance(result, int):
        transaction.emit(TaskChanged(character=character.id, task=task, failed=(*failed, result)))
    elif success and failed:
        transaction.emit(TaskChanged(character=character.id, task=task, failed=()))


def _is_visible_to_sheet_viewers(
    table: Table, roll: TableRoll, character: TableCharacter, level: int
) -> bool:
    """Return whether everyone who sees the sheet sees the roll; if not, a change would reveal it."""
    others = sheet_mode(character.shown).others == ALL
    return is_visible_to(roll, sheet_viewers(table, character, others=others), level)


def equip(transaction: Transaction, command: EquipItem) -> None:
    """Set how often an item may be used in a round, and whether it is out of use; for the GM."""
    character, item = transaction.table.characters[command.character], command.item
    uses, hot = _item_state(transaction.table, character, item)
    now = uses if command.uses is None else command.uses, hot if command.hot is None else command.hot
    if not 0 <= now[0] <= 100:
        raise Refused(Message("item.number_of_uses"))
    if now == character.items.get(item):
        raise Refused(Message("item.no_change", item=item, name=character.name))
    transaction.emit(ItemChanged(character=character.id, item=item, uses=now[0], hot=now[1]))


def forget(transaction: Transaction, command: ForgetTask) -> None:
    """Clear a character's failed attempts at a task; for the GM."""
    character = transaction.table.characters[command.character]
    if command.task not in character.tasks:
        raise Refused(Message("item.no_failures", name=character.name, task=command.task[:60]))
    transaction.emit(TaskChanged(character=character.id, task=command.task, failed=()))
