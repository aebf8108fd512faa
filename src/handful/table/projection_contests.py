"""Contests as a seat knows them: as far as it is shown each of their sides.

A side that is hidden hides the contest.  Whoever sees less than all of every side hears that it was
opened or called off, and nothing of how it goes on: that depends on dice.
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


def contests_as_known(
    table: Table, names: Iterable[str], seat: str, role: str, memory: ProjectionCache
) -> dict[str, Contest]:
    """Project these contests for a seat; each is made once for all who know the same of it."""
    levels = {name: contest_level(table, table.contests[name], seat, role) for name in names}
    return {
        name: memory.memoize(
            ("contest", name, level, role == GM),
            (table.contests[name],),
            partial(_as_known, table.contests[name], level, role),
        )
        for name, level in levels.items()
        if level > NOTHING
    }


def _as_known(contest: Contest, level: int, role: str) -> Contest:
    """A contest without what is hidden on a level."""
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
        parameters=_left(contest) if declared else {},
        sides=tuple(replace(one, request="") for one in contest.sides),
    )


def told_of_contest(before: Table, event: Event, seat: str, role: str) -> dict[str, Any] | None:
    """The data of an event about a contest as a seat is told it; None: not at all."""
    data = event.data
    if event.kind != "contest_opened":
        return visible_data(
            event.kind, contest_level(before, before.contests[data["contest"]], seat, role), data
        )
    own = read_contest(event)
    level = contest_level(before, own, seat, role)
    if role == GM:
        return visible_data(event.kind, level, data)
    sides = [{"name": one.name, "roll": one.roll} for one in own.sides]
    return visible_data(event.kind, level, {**data, "sides": sides, "parameters": _left(own)})


def _left(contest: Contest) -> dict[str, Any]:
    given = contest.parameters
    return {name: value for name, value in given.items() if name not in contest.hidden}


def contest_level(table: Table, contest: Contest, seat: str, role: str) -> int:
    """The least that a seat is shown of any side."""
    own = combine_modes(*contest.modes).level(gm=role == GM, roller=seat == contest.by)
    return min([own, *(_side_level(table, one, seat, role) for one in contest.sides)])


def _side_level(table: Table, side: ContestSide, seat: str, role: str) -> int:
    if side.roll:
        return table.rolls[side.roll].level_for(seat, role)
    own = combine_modes(table.mode, table.requests[side.request].mode)
    return own.level(gm=role == GM, roller=seat == side.name)
