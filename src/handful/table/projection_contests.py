"""Contests as a seat sees them: as far as it sees each of their sides; part of `projection`.

A hidden side hides the contest.  A viewer who does not see every side in full learns that the
contest was opened or called off, and nothing about its progress, because that depends on dice.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from handful.records import replace
from handful.table.events import Event
from handful.table.projection_cache import ProjectionCache
from handful.table.state import Contest, ContestSide, Table, read_contest
from handful.table.visibility import ALL, DECLARED, GM, NOTHING, combine_modes, visible_data


def project_contests(
    table: Table, names: Iterable[str], seat: str, role: str, cache: ProjectionCache
) -> dict[str, Contest]:
    """Project these contests for a seat, each once for all seats that see the same of it."""
    levels = {name: contest_level(table, table.contests[name], seat, role) for name in names}
    return {
        name: cache.memoize(
            ("contest", name, level, role == GM),
            (table.contests[name],),
            partial(_project_contest, table.contests[name], level, role),
        )
        for name, level in levels.items()
        if level > NOTHING
    }


def _project_contest(contest: Contest, level: int, role: str) -> Contest:
    """Return a contest without what is hidden at a level."""
    closed = contest.closed if level == ALL or contest.closed == "called off" else ""
    if role == GM:
        return replace(contest, level=level, closed=closed)
    declared = level >= DECLARED
    return replace(
        contest,
        level=level,
        closed=closed,
        check=contest.check if declared else "",
        hidden=contest.hidden if declared else (),
        parameters=_visible_parameters(contest) if declared else {},
        sides=tuple(replace(one, request="") for one in contest.sides),
    )


def redact_contest_event(before: Table, event: Event, seat: str, role: str) -> dict[str, Any] | None:
    """Return the data of an event about a contest as a seat may see it, or None."""
    data = event.data
    if event.kind != "contest_opened":
        return visible_data(
            event.kind, contest_level(before, before.contests[data["contest"]], seat, role), data
        )
    contest = read_contest(event)
    level = contest_level(before, contest, seat, role)
    if role == GM:
        return visible_data(event.kind, level, data)
    sides = [{"name": one.name, "roll": one.roll} for one in contest.sides]
    return visible_data(
        event.kind, level, {**data, "sides": sides, "parameters": _visible_parameters(contest)}
    )


def _visible_parameters(contest: Contest) -> dict[str, Any]:
    parameters = contest.parameters
    return {name: value for name, value in parameters.items() if name not in contest.hidden}


def contest_level(table: Table, contest: Contest, seat: str, role: str) -> int:
    """Return the visibility of a contest: the lowest of its sides."""
    level = combine_modes(*contest.modes).level(gm=role == GM, roller=seat == contest.by)
    return min([level, *(_side_level(table, one, seat, role) for one in contest.sides)])


def _side_level(table: Table, side: ContestSide, seat: str, role: str) -> int:
    if side.roll:
        return table.rolls[side.roll].level_for(seat, role)
    mode = combine_modes(table.mode, table.requests[side.request].mode)
    return mode.level(gm=role == GM, roller=seat == side.name)
