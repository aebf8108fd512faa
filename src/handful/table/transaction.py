"""One command at work: the table as it goes on, the events so far, and who throws the dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.odds import describe_check
from handful.records import record
from handful.roll import BoundCheck
from handful.table.events import Command, Event
from handful.table.evolve import evolve
from handful.table.keys import Dice
from handful.table.state import Table


@record(eq=False)
class AppliedEvent:
    """Something that happened, with the table after it."""

    event: Event
    after: Table


class Transaction:
    """One command at work: the table as it goes on, and what has happened so far."""

    def __init__(self, table: Table, known: Table, actor: str, command: Command, dice: Dice) -> None:
        self.table, self.known, self.actor, self.dice = table, known, actor, dice
        self._key, self._print = command.key, command.digest
        self.applied: list[AppliedEvent] = []

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(one.event for one in self.applied)

    def emit(self, kind: str, /, **data: Any) -> None:
        """Something happens; refused where a roll cannot go on like that."""
        event = Event(kind, self.actor, data, self._key, self._print)
        self.table = evolve(self.table, event)
        self.applied.append(AppliedEvent(event, self.table))
        if "roll" in data:
            _ = self.table.rolls[data["roll"]].node  # played now: no event that cannot be

    @property
    def new_id(self) -> str:
        """A name for what this command makes; it says nothing about what others made."""
        return f"{self.actor}/{self._key}"

    @property
    def role(self) -> str:
        return self.table.role(self.actor)


def check_data(bound: BoundCheck) -> dict[str, Any]:
    """A bound check as plain data that `bound_to` reads."""
    says = describe_check(bound)
    parameters = dict(says["parameters"])
    sides = [without_none(side) for side in parameters.pop("sides", [])]
    return {
        "check": says["check"],
        "sides": sides,
        "parameters": without_none(parameters),
        "options": {name: json_list(value) for name, value in says["options"].items()},
    }


def without_none(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def json_list(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
