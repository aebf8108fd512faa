"""A table in memory with its log, as a store keeps it, and a clock that counts."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from ruleset_cases import ruleset

from handful import table as tables
from handful.rules.ruleset import Ruleset
from handful.table import Command, Event, KeyedDice, Table

SECRET = bytes(range(32))


class PlayedTable:
    """A table with its whole log; `do` returns the events of a command or raises its refusal."""

    def __init__(self, game: str | Ruleset = "uwr", dice: Any = None, **seats: str) -> None:
        self.rules = ruleset(game).rules if isinstance(game, str) else game
        self.empty = Table(self.rules)
        self.table = self.empty
        self.dice = dice or KeyedDice(SECRET)
        self.entries: list[dict[str, Any]] = []
        self.count = 0
        self.do("gm", "open", table="evening")
        for name, role in seats.items():
            self.do("gm", "seat", name=name, role=role)

    def do(self, actor: str, do: str, key: str = "", **data: Any) -> tuple[Event, ...]:
        self.count += 1
        command = Command(do, key or str(self.count), {k.rstrip("_"): v for k, v in data.items()})
        self.new_id = f"{actor}/{command.key}"  # of what the command creates
        events = tables.decide(self.table, command, actor, self.dice)
        for event in events:
            entry = tables.log_entry(
                event, seq=len(self.entries) + 1, time=f"t{self.count}", ruleset=self.rules.hash
            )
            self.entries.append(json.loads(json.dumps(entry)))
            self.table = tables.evolve(self.table, event)
        return events

    def declare(self, actor: str, check: str = "direct", **data: Any) -> str:
        """Declare a roll and return its name."""
        roll: str = self.do(actor, "declare", check=check, **data)[0].data["roll"]
        return roll

    def roll(self, seat: str, roll: str) -> dict[str, Any]:
        """Return a roll as a seat sees it."""
        (found,) = (one for one in tables.view(self.table, seat)["rolls"] if one["roll"] == roll)
        return found

    def sees(self, seat: str, roll: str) -> bool:
        return any(one["roll"] == roll for one in tables.view(self.table, seat)["rolls"])

    def allowed(self, seat: str, roll: str) -> set[str]:
        """Return the commands that a seat may give for a roll."""
        actions = tables.legal_actions(self.table, seat)
        return {one["do"] for one in actions if one.get("roll") == roll}

    def log_of(self, seat: str) -> list[dict[str, Any]]:
        return tables.seat_log(self.empty, self.entries, seat)


def sheet(game: str, name: str, /, **changes: Any) -> dict[str, Any]:
    """Return the data of a shipped character, with some fields changed."""
    data: dict[str, Any] = json.loads(_exported(game, name))
    return data | changes


@cache
def _exported(game: str, name: str) -> str:
    return ruleset(game).export(ruleset(game).character(name))


def usual_table(**more: str) -> PlayedTable:
    """Return a table with a GM, two players and a watcher."""
    return PlayedTable(ann="player", bob="player", eve="watcher", **more)
