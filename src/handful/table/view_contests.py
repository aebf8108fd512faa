"""Contests in a view: their sides, the seats they wait for, and their results.

Works on what a seat knows.
"""

from __future__ import annotations

from handful.table.json_types import JsonObject
from handful.table.state import Contest, Table
from handful.table.visibility import Viewer


def shown_contests(known: Table, latest: int) -> list[str]:
    """Return the names of the latest contests that were not called off, and of all open ones."""
    contests = [one for one in known.contests.values() if one.closed != "called off"]
    older_open = [one for one in contests[:-latest] if not one.closed]
    return [one.id for one in older_open + contests[-latest:]]


def contest_view(known: Table, contest: Contest) -> JsonObject:
    data: JsonObject = {"contest": contest.id}
    if contest.check:
        data |= {
            "check": contest.check,
            "parameters": dict(contest.parameters),
            "hidden": list(contest.hidden),
            "together": contest.together,
        }
    sides = [
        {
            "name": one.name,
            "roll": one.roll,
            "request": "" if one.roll else one.request or "",
            "phase": known.rolls[one.roll].phase if one.roll in known.rolls else "asked",
        }
        for one in contest.sides
    ]
    is_resolved = contest.closed == "decided" and contest.id in known.rolls
    awaited = [one["name"] for one in sides if one["phase"] != "finalised" and not is_resolved]
    return data | {"sides": sides, "waits_for": awaited, "result": contest.id if is_resolved else ""}


def open_contests_with(known: Table, roll: str) -> list[str]:
    """Return the undecided contests of which a roll is a side."""
    return [
        contest.id
        for contest in known.contests.values()
        if not contest.closed and any(one.roll == roll for one in contest.sides)
    ]


def awaited_sides(known: Table, roll: str) -> tuple[str, ...]:
    """Return the seats a roll has to wait for: all sides are declared before any is thrown."""
    for contest in known.contests.values():
        is_pending = contest.together and not contest.closed
        if is_pending and any(one.roll == roll for one in contest.sides):
            return contest.undeclared_sides
    return ()


def contest_actions(known: Table, viewer: Viewer, name: str) -> list[JsonObject]:
    """Return the legal actions on a contest."""
    contest = known.contests.get(name)
    allowed = viewer.is_gm and contest is not None and not contest.closed
    return [{"do": "call_off", "contest": name}] if allowed else []
