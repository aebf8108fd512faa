"""Points: the GM adjusts them, characters use them, and rolls cost some.

The cost of a roll follows from its current state (`cost`); `balance` compares that with what it has
paid.  So a point is spent once, however often a command is repeated, and comes back when the
decision is undone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.errors import Message, Refused
from handful.rules.ruleset import Ruleset
from handful.sheet import Character, adjusted, derive, paid, spent_by, used
from handful.table.commands import AdjustPoints, HarmCharacter, UndoPoints, UsePoint
from handful.table.events import CombatantAttacked, PointsChanged, PointsSpent
from handful.table.state import Table, TableCharacter, TableRoll
from handful.table.transaction import Transaction
from handful.table.visibility import ALL, ANY_GM, ANY_WATCHER, DECLARED, Viewer, sheet_mode


def adjust(transaction: Transaction, command: AdjustPoints) -> None:
    """Change a character's points: wounds, healing, rewards; for the GM."""
    table = transaction.table
    after = adjusted(table.rules, _sheet(transaction, command.character), command.resources, table.options)
    _emit_points_changed(transaction, command.character, after, words=command.words)


def use(transaction: Transaction, command: UsePoint) -> None:
    """Spend one point on something the game offers for it."""
    sheet, table = _sheet(transaction, command.character), transaction.table
    after = used(table.rules, sheet, command.resource, command.use, table.options)
    _emit_points_changed(transaction, command.character, after, use=command.use)


def harm(transaction: Transaction, command: HarmCharacter) -> None:
    """Subtract damage, reduced by resistance, from a character; each is a roll or a number."""
    sheet, table = _sheet(transaction, command.character), transaction.table
    round_rules = table.rules.rounds
    if round_rules is None or not round_rules.harm:
        raise Refused(Message("points.no_harm", game=table.rules.id))
    amounts = (command.damage, command.resist)
    damage, resisted = (_amount(transaction, one) for one in amounts)
    if damage <= resisted:
        raise Refused(Message("points.nothing_gets_through", damage=damage, resisted=resisted))
    rolls = tuple(one for one in amounts if isinstance(one, str))
    after = adjusted(table.rules, sheet, {round_rules.harm: resisted - damage}, table.options)
    _emit_points_changed(transaction, command.character, after, words=command.words, rolls=rolls)
    if table.fight is not None and command.character in table.fight.rounds:
        transaction.emit(CombatantAttacked(combatant=command.character))


def _amount(transaction: Transaction, value: int | str) -> int:
    """Return a number, or the result of a finalised roll."""
    if isinstance(value, int):
        return value
    roll = transaction.known.rolls.get(value)
    if roll is None or not roll.key or roll.node is None or roll.node.outcome is None:
        raise Refused(Message("roll.unknown_finalised", name=value[:80]))
    assert roll.bound is not None
    found = roll.node.outcome.get(roll.bound.check.main)
    if not isinstance(found, int):
        raise Refused(Message("points.no_number", roll=value))
    return found


def undo(transaction: Transaction, command: UndoPoints) -> None:
    """Undo the last change of points, if no dice of that character followed."""
    character = transaction.table.characters[command.character]
    sheet = _sheet(transaction, command.character)
    if not character.last_change:
        raise Refused(Message("points.nothing_to_undo", name=character.name))
    reversal = {name: -count for name, count in character.last_change.items()}
    after = adjusted(transaction.table.rules, sheet, reversal, transaction.table.options)
    _emit_points_changed(transaction, command.character, after, undone=True)


def _sheet(transaction: Transaction, name: str) -> Character:
    sheet = transaction.table.characters[name].sheet
    assert sheet is not None
    return sheet


def _emit_points_changed(
    transaction: Transaction,
    character: str,
    new: Character,
    *,
    use: str = "",
    words: str = "",
    rolls: tuple[str, ...] | None = None,
    undone: bool | None = None,
) -> None:
    old = _sheet(transaction, character)
    resources = {name: new.resources[name] for name in new.resources}
    changes = {name: resources[name] - old.resources[name] for name in resources}
    changes = {name: by for name, by in changes.items() if by}
    if not changes:
        raise Refused(Message("points.no_change", name=old.name))
    transaction.emit(
        PointsChanged(
            character=character,
            changes=changes,
            now={name: resources[name] for name in changes},
            use=use,
            words=words,
            rolls=rolls,
            undone=undone,
        )
    )


# -- the cost of rolls


def cost(rules: Ruleset, roll: TableRoll) -> dict[str, dict[str, int]]:
    """Return what a roll costs in its current state: character -> resource -> points.

    Each side's character pays for its parameters and answers.  Inherited replies were paid for in the
    rolls they came from.
    """
    costs: dict[str, dict[str, int]] = {}
    if not any(roll.character_ids) or roll.bound is None or roll.node is None:
        return costs

    def pay(side: int, chosen: Mapping[str, Any]) -> None:
        name = roll.character_ids[max(side, 1) - 1]
        for resource, count in spent_by(rules, chosen).items() if name else ():
            spent = costs.setdefault(name, {})
            spent[resource] = spent.get(resource, 0) + count

    if not roll.components:
        args = roll.bound.args
        for side, chosen in enumerate(args.get("sides", (args,)), 1):
            pay(side, chosen)
    inherited = sum(not one.thrown for one in roll.replies[: roll.inherited_count])
    for one in roll.node.trace.decisions[inherited:]:
        pay(one.side, {one.decision: one.answer})
    return costs


def balance(transaction: Transaction, roll_id: str, *, refund_all: bool = False) -> None:
    """Charge what a roll costs now, or refund what it has overpaid; `refund_all`: refund everything."""
    roll = transaction.table.rolls[roll_id]
    if roll.rules(transaction.table.rules) is not transaction.table.rules:
        return  # what it spent stays spent: the sheets follow other rules now
    due = {} if refund_all else cost(transaction.table.rules, roll)
    for character_id in {**due, **roll.paid}:
        costs, before = due.get(character_id, {}), roll.paid.get(character_id, {})
        changes = {one: costs.get(one, 0) - before.get(one, 0) for one in {**costs, **before}}
        changes = {resource: count for resource, count in changes.items() if count}
        character = transaction.table.character(character_id)
        assert character is not None
        if character_id in transaction.table.dismissed:  # a dismissed character gets nothing back
            changes = {resource: count for resource, count in changes.items() if count > 0}
        if changes:
            _emit_points_spent(transaction, roll, character, changes)


def _emit_points_spent(
    transaction: Transaction, roll: TableRoll, character: TableCharacter, changes: Mapping[str, int]
) -> None:
    rules, options, sheet = transaction.table.rules, transaction.table.options, character.sheet
    assert sheet is not None
    is_gone = character.id in transaction.table.dismissed
    if is_gone or character.level_for(transaction.viewer) < ALL:
        raise Refused(Message("points.not_seen", seat=transaction.actor))
    if _would_leak(transaction.table, roll, character, changes):
        raise Refused(
            Message("points.would_reveal_roll", name=character.name),
            Message("points.roll_openly"),
        )
    costs = {resource: count for resource, count in changes.items() if count > 0}
    now = dict(paid(rules, sheet, costs, options).resources)
    ranges = derive(rules, sheet, options).ranges
    for resource, count in changes.items():
        if count < 0:  # up to the current maximum
            now[resource] = max(now[resource], min(ranges[resource].most, now[resource] - count))
    transaction.emit(
        PointsSpent(
            roll=roll.id,
            character=character.id,
            changes=dict(changes),
            now={resource: now[resource] for resource in changes},
        )
    )


def _would_leak(table: Table, roll: TableRoll, character: TableCharacter, changes: Mapping[str, int]) -> bool:
    """Return whether spending points would reveal a hidden roll, or a hidden parameter."""
    sheet = table.rules.sheet
    assert sheet is not None
    viewers = sheet_viewers(table, character, others=sheet_mode(character.shown).others == ALL)
    if not is_visible_to(roll, viewers, ALL if roll.is_past_dice else DECLARED):
        return True
    hidden = any(name in sheet.resources[one].spent for one in changes for name in roll.hidden)
    return hidden and not all(one.is_gm for one in viewers)


def sheet_viewers(table: Table, character: TableCharacter, *, others: bool) -> list[Viewer]:
    """Return the viewers of a character, by modes alone.

    A seat that joins later reads the log, and not everyone knows to whom a roll was revealed.
    """
    viewers = [ANY_GM, table.viewer(character.owner)]
    return [*viewers, ANY_WATCHER] if others else viewers


def is_visible_to(roll: TableRoll, viewers: list[Viewer], level: int) -> bool:
    return all(roll.level_by_mode(one) >= level for one in viewers)
