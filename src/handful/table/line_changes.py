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
from handful.table.action_context import with_added
from handful.table.hidden_parameters import hidden_of
from handful.table.lines import can_change, draft_of, line_data
from handful.table.points import balance
from handful.table.rolls import finish
from handful.table.state import TableRoll
from handful.table.transaction import Transaction, check_data


def switch(scene: Transaction, fields: dict[str, Any]) -> None:
    """One line off, or on again."""
    own = scene.table.rolls[fields["roll"]]
    before = draft_of(own.rules(scene.table.rules), own)
    number, on = fields["line"], fields["on"]
    after = before.switch(number, on=on, by=scene.actor)
    if before.lines[number - 1].on == on:
        raise Refused(f"line {number} is {'on' if on else 'off'} already")
    _change(scene, "line_switched", own, after, number)


def add_line(scene: Transaction, fields: dict[str, Any]) -> None:
    """One line more, beside those that are there."""
    own = scene.table.rolls[fields["roll"]]
    before = draft_of(own.rules(scene.table.rules), own)
    after = before.add(
        fields["parameter"],
        fields["value"],
        by=scene.actor,
        note=fields.get("note", ""),
        side=fields.get("side", 1),
    )
    old, new = [*before.lines_with_sides()], [*after.lines_with_sides()]
    number = next((at for at, (a, b) in enumerate(zip(old, new, strict=False), 1) if a != b), len(new))
    _change(scene, "line_added", own, after, number)


def stance(scene: Transaction, fields: dict[str, Any]) -> None:
    """Take a stance; attacks that are declared and not thrown yet have to reckon with it."""
    fight_commands.DOES["stance"](scene, fields)
    who, fight = fields["combatant"], fight_commands.fight_of(scene.table)
    for name in sorted(fight.rolls):
        roll = scene.table.rolls[name]
        same = roll.rules(scene.table.rules) is scene.table.rules
        if roll.action_context.get("target") == who and can_change(roll) and same:
            _guard(scene, roll, fight.rounds.place(who))


def _guard(scene: Transaction, roll: TableRoll, place: Place) -> None:
    """Add the lines that the stance of a target brings to a roll against it."""
    table, sheet = scene.table, scene.table.characters[place.who].sheet
    assert sheet is not None
    assert roll.bound is not None
    own = draft_of(roll.rules(table.rules), roll)
    lines = kernel.target_of(
        table.rules,
        own.check,
        roll.bound.args,
        sheet,
        fight_commands.fight_of(table).rounds,
        place.who,
        table.options,
    )
    for line in lines:
        if line not in own.lines and line.source.startswith("rounds.stances"):
            after = with_added(own, 1, line)
            number = [one for _, one in after.lines_with_sides()].index(line) + 1
            _change(scene, "line_added", roll, after, number)
            own = after


def _change(scene: Transaction, kind: str, own: TableRoll, after: Draft, number: int) -> None:
    bound = after.bound()
    asked = check_data(bound)
    hidden_of(bound, asked, own.hidden)
    line = line_data(*[*after.lines_with_sides()][number - 1])
    scene.emit(kind, roll=own.id, number=number, line=line, asked=asked)
    balance(scene, own.id)
    finish(scene, own.id)
