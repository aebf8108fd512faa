"""Summary of a part of a seat's log: who rolled how often and how it went, and what became of points.

Only lines of that seat's log and what the seat knows go in, so the result holds nothing hidden.
Which lines are one evening is up to the caller: the core knows no time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from handful.table.json_types import JsonObject
from handful.table.state import Table, TableRoll
from handful.table.upcast import Data
from handful.table.view_sheets import json_value

POINT_EVENTS = ("points_changed", "points_spent")


def summarize(known: Table, lines: Iterable[Data]) -> JsonObject:
    """Return the finished rolls of each seat, and the changes of each character's points."""
    lines = list(lines)
    names = dict.fromkeys(line["data"]["roll"] for line in lines if _finishes(line))
    rolls = [known.rolls[name] for name in names if _is_counted(known.rolls.get(name))]
    rollers = dict.fromkeys(one.roller for one in rolls)
    return {
        "rolls": len(rolls),
        "seats": {name: _tally([one for one in rolls if one.roller == name]) for name in rollers},
        "points": _points(known, lines),
    }


def _finishes(line: Data) -> bool:
    """Return whether the seat saw the end of a roll in this line."""
    data: Mapping[str, Any] = line["data"]
    if line["kind"] == "roll_revealed":
        return bool(data.get("story", {}).get("key"))
    return line["kind"] == "roll_finalised" and bool(data.get("key"))


def _is_counted(roll: TableRoll | None) -> bool:
    """Return whether a roll has visible dice of its own; a contest's dice count in its components."""
    return roll is not None and bool(roll.key and roll.position) and not roll.components


def _tally(rolls: list[TableRoll]) -> JsonObject:
    events: Counter[str] = Counter()
    wording: dict[str, Any] = {}
    successes: Counter[Any] = Counter()
    dice = 0
    for roll in rolls:
        node, bound = roll.node, roll.bound
        assert node is not None
        assert bound is not None
        dice += sum(len(one.reply) for one in roll.replies if one.thrown)
        outcome = json_value(node.outcome)
        successes[outcome.get("success") if isinstance(outcome, Mapping) else None] += 1
        for name in sorted(node.events):
            events[name] += 1
            wording.setdefault(name, bound.ruleset.wording(name))
    return {
        "rolls": len(rolls),
        "dice": dice,
        "successes": successes[True],
        "failures": successes[False],
        "events": [{"event": name, "says": wording[name], "count": count} for name, count in events.items()],
    }


def _points(known: Table, lines: Iterable[Data]) -> JsonObject:
    """Return how the points of each character changed; a roll's costs are counted as spent."""
    found: dict[str, Counter[str]] = {}
    for line in lines:
        if line["kind"] not in POINT_EVENTS:
            continue
        sign = -1 if line["kind"] == "points_spent" else 1
        changes = found.setdefault(line["data"]["character"], Counter())
        for resource, by in line["data"]["changes"].items():
            changes[resource] += sign * by
    return {
        character: {name: by for name, by in changes.items() if by}
        for character, changes in found.items()
        if any(changes.values())
    }
