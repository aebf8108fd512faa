"""What a seat sees of contests: their sides, for whom they wait, and what came of them."""

from __future__ import annotations

from typing import Any

from handful.table.projection_cache import ProjectionCache
from handful.table.state import Contest, Table
from handful.table.visibility import GM


def contests_seen(known: Table, latest: int, memory: ProjectionCache) -> list[dict[str, Any]]:
    """The latest contests that were not called off, and all that are open, as plain data."""
    there = [one for one in known.contests.values() if one.closed != "called off"]
    waiting = [one for one in there[:-latest] if not one.closed]
    return [_kept(known, one, memory) for one in waiting + there[-latest:]]


def _kept(known: Table, contest: Contest, memory: ProjectionCache) -> dict[str, Any]:
    rolls = [known.rolls[one.roll] for one in contest.sides if one.roll]
    return memory.memoize(
        ("contest seen", id(contest)),
        (contest, contest.id in known.rolls, *rolls),
        lambda: _seen(known, contest),
    )


def _seen(known: Table, contest: Contest) -> dict[str, Any]:
    data: dict[str, Any] = {"contest": contest.id}
    if contest.check:
        data |= {
            "check": contest.check,
            "parameters": dict(contest.parameters),
            "hidden": list(contest.hidden),
            "together": contest.together,
        }
    sides = [
        {"name": one.name, "roll": one.roll, "phase": known.rolls[one.roll].phase if one.roll else "asked"}
        for one in contest.sides
    ]
    made = contest.closed == "decided" and contest.id in known.rolls
    waits = [one["name"] for one in sides if one["phase"] != "finalised" and not made]
    return data | {"sides": sides, "waits_for": waits, "result": contest.id if made else ""}


def open_with(known: Table, roll: str) -> list[str]:
    """The contests of which a roll is a side, and that are not decided."""
    return [
        contest.id
        for contest in known.contests.values()
        if not contest.closed and any(one.roll == roll for one in contest.sides)
    ]


def held(known: Table, roll: str) -> tuple[str, ...]:
    """For whom a roll has to wait: sides of a contest are declared before one of them is thrown."""
    for contest in known.contests.values():
        waits = contest.together and not contest.closed
        if waits and any(one.roll == roll for one in contest.sides):
            return contest.undeclared_sides
    return ()


def on_contest(known: Table, role: str, name: str) -> list[dict[str, Any]]:
    """What a seat may do with a contest."""
    contest = known.contests.get(name)
    may = role == GM and contest is not None and not contest.closed
    return [{"do": "call_off", "contest": name}] if may else []
