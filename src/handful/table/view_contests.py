"""Contests in a view: their sides, the seats they wait for, and their results.

Works on a projection, so it sees only what the seat sees.
"""

from __future__ import annotations

from typing import Any

from handful.table.projection_cache import ProjectionCache
from handful.table.state import Contest, Table
from handful.table.visibility import GM


def contest_views(projected: Table, latest: int, cache: ProjectionCache) -> list[dict[str, Any]]:
    """Return the latest contests that were not called off, and all open ones, as JSON data."""
    contests = [one for one in projected.contests.values() if one.closed != "called off"]
    older_open = [one for one in contests[:-latest] if not one.closed]
    return [_cached_view(projected, one, cache) for one in older_open + contests[-latest:]]


def _cached_view(projected: Table, contest: Contest, cache: ProjectionCache) -> dict[str, Any]:
    rolls = [projected.rolls[one.roll] for one in contest.sides if one.roll]
    return cache.memoize(
        ("contest seen", id(contest)),
        (contest, contest.id in projected.rolls, *rolls),
        lambda: _contest_view(projected, contest),
    )


def _contest_view(projected: Table, contest: Contest) -> dict[str, Any]:
    data: dict[str, Any] = {"contest": contest.id}
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
            "phase": projected.rolls[one.roll].phase if one.roll else "asked",
        }
        for one in contest.sides
    ]
    is_resolved = contest.closed == "decided" and contest.id in projected.rolls
    awaited = [one["name"] for one in sides if one["phase"] != "finalised" and not is_resolved]
    return data | {"sides": sides, "waits_for": awaited, "result": contest.id if is_resolved else ""}


def open_contests_with(projected: Table, roll: str) -> list[str]:
    """Return the undecided contests of which a roll is a side."""
    return [
        contest.id
        for contest in projected.contests.values()
        if not contest.closed and any(one.roll == roll for one in contest.sides)
    ]


def awaited_sides(projected: Table, roll: str) -> tuple[str, ...]:
    """Return the seats a roll has to wait for: all sides are declared before any is thrown."""
    for contest in projected.contests.values():
        is_pending = contest.together and not contest.closed
        if is_pending and any(one.roll == roll for one in contest.sides):
            return contest.undeclared_sides
    return ()


def contest_actions(projected: Table, role: str, name: str) -> list[dict[str, Any]]:
    """Return the legal actions on a contest."""
    contest = projected.contests.get(name)
    allowed = role == GM and contest is not None and not contest.closed
    return [{"do": "call_off", "contest": name}] if allowed else []
