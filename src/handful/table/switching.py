"""The GM changes the lines of a roll before it is thrown: switches one, or adds one.

Faces follow from the roll's key, so its promise holds whatever is thrown in the end.
"""

from __future__ import annotations

from typing import Any

from handful.errors import Refused
from handful.sheet import Draft
from handful.table.hiding import hidden_of
from handful.table.lines import draft_of, line_data
from handful.table.points import balance
from handful.table.rolls import finish
from handful.table.scene import Scene, asked_of
from handful.table.state import Roll


def switch(scene: Scene, fields: dict[str, Any]) -> None:
    """One line off, or on again."""
    own = scene.table.rolls[fields["roll"]]
    before = draft_of(own.rules(scene.table.rules), own)
    number, on = fields["line"], fields["on"]
    after = before.switch(number, on=on, by=scene.actor)
    if before.lines[number - 1].on == on:
        raise Refused(f"line {number} is {'on' if on else 'off'} already")
    _change(scene, "line_switched", own, after, number)


def add_line(scene: Scene, fields: dict[str, Any]) -> None:
    """One line more, beside those that are there."""
    own = scene.table.rolls[fields["roll"]]
    before = draft_of(own.rules(scene.table.rules), own)
    after = before.add(
        fields["parameter"], fields["value"], by=scene.actor, note=fields.get("note", ""),
        side=fields.get("side", 1),
    )  # fmt: skip
    old, new = [*before.placed()], [*after.placed()]
    number = next(
        (at for at, (a, b) in enumerate(zip(old, new, strict=False), 1) if a != b), len(new)
    )
    _change(scene, "line_added", own, after, number)


def _change(scene: Scene, kind: str, own: Roll, after: Draft, number: int) -> None:
    bound = after.bound()
    asked = asked_of(bound)
    hidden_of(bound, asked, own.hidden)
    line = line_data(*[*after.placed()][number - 1])
    scene.happen(kind, roll=own.id, number=number, line=line, asked=asked)
    balance(scene, own.id)
    finish(scene, own.id)
