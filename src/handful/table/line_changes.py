"""The GM changes the lines of a roll before it is thrown: switches one, or adds one.

Faces follow from the roll's key, so its promise holds whatever is thrown in the end.
"""

from __future__ import annotations

from typing import Any

from handful import rounds as kernel
from handful.errors import Refused
from handful.rounds import Place
from handful.sheet import Draft
from handful.table import fight_commands
from handful.table.action_context import append_line
from handful.table.hidden_parameters import check_hideable
from handful.table.lines import can_change_lines, line_data, rebuild_draft
from handful.table.points import balance
from handful.table.rolls import finalise_if_complete
from handful.table.state import TableRoll
from handful.table.transaction import Transaction, check_data


def switch(transaction: Transaction, fields: dict[str, Any]) -> None:
    """One line off, or on again."""
    own = transaction.table.rolls[fields["roll"]]
    before = rebuild_draft(own.rules(transaction.table.rules), own)
    number, on = fields["line"], fields["on"]
    after = before.switch(number, on=on, by=transaction.actor)
    if before.lines[number - 1].on == on:
        raise Refused(f"line {number} is {'on' if on else 'off'} already")
    _emit_line_change(transaction, "line_switched", own, after, number)


def add_line(transaction: Transaction, fields: dict[str, Any]) -> None:
    """One line more, beside those that are there."""
    own = transaction.table.rolls[fields["roll"]]
    before = rebuild_draft(own.rules(transaction.table.rules), own)
    after = before.add(
        fields["parameter"],
        fields["value"],
        by=transaction.actor,
        note=fields.get("note", ""),
        side=fields.get("side", 1),
    )
    old, new = [*before.lines_with_sides()], [*after.lines_with_sides()]
    number = next((at for at, (a, b) in enumerate(zip(old, new, strict=False), 1) if a != b), len(new))
    _emit_line_change(transaction, "line_added", own, after, number)


def stance(transaction: Transaction, fields: dict[str, Any]) -> None:
    """Take a stance; attacks that are declared and not thrown yet have to reckon with it."""
    fight_commands.HANDLERS["stance"](transaction, fields)
    who, fight = fields["combatant"], fight_commands.require_fight(transaction.table)
    for name in sorted(fight.rolls):
        roll = transaction.table.rolls[name]
        same = roll.rules(transaction.table.rules) is transaction.table.rules
        if roll.action_context.get("target") == who and can_change_lines(roll) and same:
            _add_stance_lines(transaction, roll, fight.rounds.place(who))


def _add_stance_lines(transaction: Transaction, roll: TableRoll, place: Place) -> None:
    """Add the lines that the stance of a target brings to a roll against it."""
    table, sheet = transaction.table, transaction.table.characters[place.who].sheet
    assert sheet is not None
    assert roll.bound is not None
    own = rebuild_draft(roll.rules(table.rules), roll)
    lines = kernel.target_lines(
        table.rules,
        own.check,
        roll.bound.args,
        sheet,
        fight_commands.require_fight(table).rounds,
        place.who,
        table.options,
    )
    for line in lines:
        if line not in own.lines and line.source.startswith("rounds.stances"):
            after = append_line(own, 1, line)
            number = [one for _, one in after.lines_with_sides()].index(line) + 1
            _emit_line_change(transaction, "line_added", roll, after, number)
            own = after


def _emit_line_change(transaction: Transaction, kind: str, own: TableRoll, after: Draft, number: int) -> None:
    bound = after.bound()
    asked = check_data(bound)
    check_hideable(bound, asked, own.hidden)
    line = line_data(*[*after.lines_with_sides()][number - 1])
    transaction.emit(kind, roll=own.id, number=number, line=line, asked=asked)
    balance(transaction, own.id)
    finalise_if_complete(transaction, own.id)
