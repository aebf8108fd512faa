"""One command being executed: the table after each event, the events so far, and the dice source.

Handlers emit events through a `Transaction`; nothing outside changes until the caller appends them
to the log, so a refusal halfway leaves no trace.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.odds import describe_check
from handful.records import record
from handful.roll import BoundCheck
from handful.rules.work import MAX_WORK
from handful.table.events import Command, Event, EventBody, RollBody
from handful.table.events.values import AskedCheck
from handful.table.evolve_rolls import evolve_roll
from handful.table.keys import Dice
from handful.table.knowledge import evolve, known_to
from handful.table.state import Table
from handful.table.visibility import Viewer


@record(eq=False)
class AppliedEvent:
    """An event, with the table after it."""

    event: Event
    after: Table


class Transaction:
    """Collects the events of one command; `table` is the state after the last of them."""

    def __init__(self, table: Table, viewer: Viewer, command: Command, dice: Dice) -> None:
        self.table, self.viewer, self.dice = table, viewer, dice
        self.known = known_to(table, viewer.seat)  # what the acting seat knew before the command
        self._key, self._digest = command.key, command.digest
        self.applied: list[AppliedEvent] = []

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(one.event for one in self.applied)

    def emit(self, body: EventBody) -> None:
        """Apply an event of the acting seat; raises if the roll it concerns cannot be replayed with it."""
        event = Event(body, self.actor, self._key, self._digest)
        if isinstance(body, RollBody):
            self._play_roll(event)
        self.table = evolve(self.table, event)
        self.applied.append(AppliedEvent(event, self.table))

    def _play_roll(self, event: Event) -> None:
        """Play the roll that an event is about: an impossible event, or too much work, is refused now.

        `evolve` finds what is played here and does not play it again.
        """
        roll = evolve_roll(self.table, event)
        if roll is not None and roll.position is not None:
            roll.position.play_within(MAX_WORK)

    @property
    def known_now(self) -> Table:
        """The table as the acting seat knows it after the events so far."""
        return known_to(self.table, self.actor)

    @property
    def new_id(self) -> str:
        """The id for what this command creates; it reveals nothing about other commands."""
        return f"{self.actor}/{self._key}"

    @property
    def actor(self) -> str:
        return self.viewer.seat

    @property
    def role(self) -> str:
        return self.viewer.role


def asked_check(bound: BoundCheck) -> AskedCheck:
    """Return a bound check as it is stored; `bind_check` reads it."""
    described = describe_check(bound)
    parameters = dict(described["parameters"])
    sides = tuple(without_none(side) for side in parameters.pop("sides", []))
    options = {name: tuple_to_list(value) for name, value in described["options"].items()}
    return AskedCheck(described["check"], sides, without_none(parameters), options)


def without_none(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def tuple_to_list(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
