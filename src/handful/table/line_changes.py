"""Line changes before a throw: the GM switches or adds lines, a stance adds its own.

Faces follow from the roll's key, so its commitment holds whatever is thrown in the end.
"""

from __future__ import annotations

from handful import rounds as fight_rounds
from handful.errors import Message, Refused
from handful.rounds import Place
from handful.sheet import Draft
from handful.table import fight_commands
from handful.table.action_context import append_line
from handful.table.commands import AddLine, SwitchLine, TakeStance
from handful.table.events import LineAdded, LineSwitched
from handful.table.events.values import stored_line
from handful.table.hidden_parameters import check_hideable
from handful.table.lines import can_change_lines, rebuild_draft
from handful.table.points import balance
from handful.table.rolls import finalise_if_complete
from handful.table.state import TableRoll
from handful.table.transaction import Transaction, asked_check


def switch(transaction: Transaction, command: SwitchLine) -> None:
    """Switch one line off, or on again."""
    roll = transaction.table.rolls[command.roll]
    before = rebuild_draft(roll.rules(transaction.table.rules), roll)
    number, on = command.line, command.on
    after = before.switch(number, on=on, by=transaction.actor)
    if before.lines[number - 1].on == on:
        raise Refused(Message("roll.line_is_already", number=number, state="on" if on else "off"))
    _emit_line_change(transaction, LineSwitched, roll, after, number)


def add_line(transaction: Transaction, command: AddLine) -> None:
    """Add one line."""
    roll = transaction.table.rolls[command.roll]
    before = rebuild_draft(roll.rules(transaction.table.rules), roll)
    after = before.add(
        command.parameter, command.value, by=transaction.actor, note=command.note, side=command.side
    )
    old, new = [*before.lines_with_sides()], [*after.lines_with_sides()]
    number = next((at for at, (a, b) in enumerate(zip(old, new, strict=False), 1) if a != b), len(new))
    _emit_line_change(transaction, LineAdded, roll, after, number)


def stance(transaction: Transaction, command: TakeStance) -> None:
    """Take a stance; it also affects attacks that are declared and not thrown yet."""
    fight_commands.stance(transaction, command)
    combatant, fight = command.combatant, fight_commands.require_fight(transaction.table)
    for name in sorted(fight.rolls):
        roll = transaction.table.rolls[name]
        same_rules = roll.rules(transaction.table.rules) is transaction.table.rules
        if roll.action_context.get("target") == combatant and can_change_lines(roll) and same_rules:
            _add_stance_lines(transaction, roll, fight.rounds.place(combatant))


def _add_stance_lines(transaction: Transaction, roll: TableRoll, place: Place) -> None:
    """Add the lines that the target's stance brings to a roll against it."""
    table, sheet = transaction.table, transaction.table.characters[place.who].sheet
    assert sheet is not None
    assert roll.bound is not None
    draft = rebuild_draft(roll.rules(table.rules), roll)
    lines = fight_rounds.target_lines(
        table.rules,
        draft.check,
        roll.bound.args,
        sheet,
        fight_commands.require_fight(table).rounds,
        place.who,
        table.options,
    )
    for line in lines:
        if line not in draft.lines and line.source.startswith("rounds.stances"):
            after = append_line(draft, 1, line)
            number = [one for _, one in after.lines_with_sides()].index(line) + 1
            _emit_line_change(transaction, LineAdded, roll, after, number)
            draft = after


def _emit_line_change(
    transaction: Transaction, kind: type[LineAdded | LineSwitched], roll: TableRoll, after: Draft, number: int
) -> None:
    bound = after.bound()
    asked = asked_check(bound)
    check_hideable(bound, asked, roll.hidden)
    line = stored_line([*after.lines_with_sides()][number - 1])
    transaction.emit(kind(roll=roll.id, number=number, line=line, asked=asked))
    balance(transaction, roll.id)
    finalise_if_complete(transaction, roll.id)
