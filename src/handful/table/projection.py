"""The table as a seat knows it, and events as a seat is told them.

The one gate: whatever reaches a seat is made from `as_known` or from `told`.
A hidden target is left out of the check itself, so that result, odds and legal answers are those
of somebody who does not know it: a count without a success.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from handful.records import replace
from handful.table.events import Data, Event
from handful.table.fight import CHANGES as FIGHT
from handful.table.index import known_characters, known_contests, known_requests
from handful.table.projection_cache import ProjectionCache
from handful.table.projection_characters import (
    figure_as_known,
    line_told,
    lines_data,
    origin_told,
    told_of_character,
)
from handful.table.projection_contests import contests_as_known, told_of_contest
from handful.table.projection_fights import fight_as_known, told_of_fight
from handful.table.projection_rolls import (
    ProjectedRolls,
    ViewerState,
    hidden_from,
    project_rolls,
    until_thrown,
)
from handful.table.state import Request, Table, TableCharacter, TableRoll, read_components, roll_level
from handful.table.visibility import (
    ALL,
    BEFORE_THROW_ONLY,
    GM,
    combine_modes,
    visible_data,
    without_parameters,
)

Level = Callable[[str, str], int]  # what a seat with a role is shown of something


def project(table: Table, seat: str, memory: ProjectionCache | None = None) -> Table:
    """The table without anything that is hidden from a seat.

    Whoever has none sees who sits here and by which rules, and nothing of what happened.
    With a memory, what is the same as before is the very same.
    """
    role = table.role(seat)
    if not role:
        return replace(
            table,
            rolls={},
            requests={},
            characters={},
            contests={},
            command_digests={},
            seq=0,
            fight=None,
            index=None,
        )
    if memory is None:
        memory = ProjectionCache()
        rolls = ProjectedRolls(table, seat, memory, ViewerState())
        return replace(_beside_rolls(table, seat, role, memory), rolls=rolls)
    rolls = project_rolls(table, seat, memory)
    sight = rolls.sight
    if sight.known is None:
        parts = memory.static_part(table)
        if sight.without_rolls is None or sight.without_rolls[0] is not parts:
            sight.without_rolls = parts, _beside_rolls(table, seat, role, memory)
        sight.known = replace(sight.without_rolls[1], rolls=rolls)
    return sight.known


def own_open_rolls(table: Table, seat: str, memory: ProjectionCache | None = None) -> list[str]:
    """Rolls that are somebody's own, or that they declared, and that are not over, as they know."""
    known = project(table, seat, memory).rolls
    still = known.look.open if isinstance(known, ProjectedRolls) else []
    return [one for one in still if known[one].roller == seat or one.startswith(f"{seat}/")]


def _beside_rolls(table: Table, seat: str, role: str, memory: ProjectionCache) -> Table:
    requests = memory.memoize(
        ("requests", seat), (table.requests, role), lambda: _requests(table, seat, role)
    )
    characters = memory.memoize(
        ("figures", seat), (table.characters, role), lambda: _characters(table, seat, role)
    )
    return replace(
        table,
        rolls={},
        requests=requests,
        characters=characters,
        contests=contests_as_known(table, known_contests(table, seat), seat, role, memory),
        command_digests={},
        seq=0,
        fight=fight_as_known(table, seat, role),
        index=None,
    )


def _requests(table: Table, seat: str, role: str) -> dict[str, Request]:
    return {name: _request(table.requests[name], seat, role) for name in known_requests(table, seat)}


def _characters(table: Table, seat: str, role: str) -> dict[str, TableCharacter]:
    names = known_characters(table, seat)
    known = {name: figure_as_known(table.characters[name], seat, role) for name in names}
    return {name: one for name, one in known.items() if one is not None}


def _request(request: Request, seat: str, role: str) -> Request:
    """A request as somebody knows it who was asked: their own part of it."""
    if role == GM:
        return request
    return replace(
        request,
        parameters=_left(request.parameters, request.hidden),
        proposals={name: one for name, one in request.proposals.items() if name == seat},
        rolls={name: one for name, one in request.rolls.items() if name == seat},
        character_ids={name: one for name, one in request.character_ids.items() if name == seat},
    )


def _left(values: Data, hidden: Collection[str]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in hidden}


def redact(before: Table, event: Event, seat: str, role: str) -> dict[str, Any] | None:
    """The data of an event as a seat is told it; None: not at all.

    `before` is the table before the event.
    """
    data = event.data
    if event.kind in FIGHT:
        return told_of_fight(before, event, seat, role)
    if "contest" in data:
        return told_of_contest(before, event, seat, role)
    if "request" in data:
        return _told_of_request(before, event, seat, role)
    if "character" in data:
        return told_of_character(before, event, seat, role)
    if "roll" not in data:
        return visible_data(event.kind, ALL, data)
    if event.kind == "roll_declared":
        hidden = () if role == GM else data["hidden"]
        bare = _bare(origin_told(before, data, hidden, seat, role), hidden)
        return visible_data(event.kind, _level_declared(before, data)(seat, role), bare)
    roll = before.rolls[data["roll"]]
    level = roll.level_for(seat, role)
    if event.kind == "roll_revealed":
        return _revealed(before, roll, data, seat, role, level)
    if event.kind in ("line_switched", "line_added"):
        return line_told(roll, before, event, seat, role, level)
    if event.kind == "target_revealed":
        known = roll if level == ALL else until_thrown(roll)
        bare = origin_told(before, lines_data(known), (), seat, role)
        return visible_data(event.kind, level, {**data, **bare, "asked": known.asked})
    bare = _bare(data, hidden_from(roll, role))
    return visible_data(event.kind, level, bare, past_dice=roll.is_past_dice)


def _level_declared(before: Table, data: Data) -> Level:
    """How much anybody hears of a roll that is declared."""
    parts, declared = read_components(before, data["parts"]), combine_modes(*data["modes"])
    return lambda seat, role: roll_level(declared, data["roller"], parts, seat, role)


ViewerClass = tuple[bool, int]  # whether it hears what is hidden, and how much of a roll


def viewer_classifier(before: Table, event: Event) -> Callable[[str, str], ViewerClass] | None:
    """The ears of seats: whoever has the same is told the same of an event.

    None where each is told apart.
    """
    data = event.data
    if event.kind == "roll_declared" and not ("as" in data or "lines" in data):
        level, hidden = _level_declared(before, data), data["hidden"]
    elif event.kind in BEFORE_THROW_ONLY:
        roll = before.rolls[data["roll"]]
        level, hidden = roll.level_for, roll.hidden
    else:
        return None
    return lambda seat, role: (bool(hidden) and role == GM, level(seat, role))


def _told_of_request(before: Table, event: Event, seat: str, role: str) -> dict[str, Any] | None:
    data = event.data
    if role == GM:
        return visible_data(event.kind, ALL, data)
    if "name" in data:
        return visible_data(event.kind, ALL, data) if seat == data["name"] else None
    asked = data["to"] if "to" in data else before.requests[data["request"]].to
    if seat not in asked:
        return None
    if "hidden" in data:
        data = {**data, "parameters": _left(data["parameters"], data["hidden"])}
    return visible_data(event.kind, ALL, data)


def _bare(data: Data, hidden: Sequence[str]) -> Data:
    return {**data, "asked": without_parameters(data["asked"], hidden)} if "asked" in data else data


def _revealed(
    before: Table, roll: TableRoll, data: Data, seat: str, role: str, level: int
) -> dict[str, Any] | None:
    """Who could not see a roll is told its whole story, in place of the events it missed."""
    if level == ALL:
        return visible_data("roll_revealed", ALL, {"roll": roll.id})
    if seat not in data["to"]:
        return None
    hidden = hidden_from(roll, role)
    origin = origin_told(before, lines_data(roll), hidden, seat, role)
    return visible_data(
        "roll_revealed",
        ALL,
        {"roll": roll.id, "story": {**story_data(roll, hidden), **origin, **_sources(before, roll)}},
    )


def replies_data(roll: TableRoll) -> list[dict[str, Any]]:
    """What a roll was told so far, as plain data."""
    replies: list[dict[str, Any]] = []
    throw = 0
    for one in roll.replies:
        if one.thrown:
            replies.append(
                {
                    "throw": throw,
                    "sides": one.sides,
                    "faces": list(one.reply),
                    "physical": one.physical,
                    "entropy": one.entropy,
                    "by": one.by,
                }
            )
            throw += 1
        else:
            answer = one.reply if isinstance(one.reply, str) else list(one.reply)
            replies.append({"answer": answer, "words": one.words, "by": one.by})
    return replies


def story_data(roll: TableRoll, hidden: tuple[str, ...]) -> dict[str, Any]:
    """A roll from its declaration to now, without what is hidden."""
    return {
        "roller": roll.roller,
        "title": roll.title,
        "commitment": roll.commitment,
        "asked": without_parameters(roll.asked, hidden),
        "hidden": list(roll.hidden),
        "taken": sum(one.thrown for one in roll.replies[: roll.inherited_count]),
        "replies": replies_data(roll),
        "typed": list(roll.typed_faces),
        "key": roll.key,
        "judged": judgments_data(roll),
    }


def _sources(table: Table, roll: TableRoll) -> dict[str, Any]:
    """The rolls whose dice a contest took over, with their keys: its dice can be checked."""
    found = [
        {
            "roll": own.id,
            "commitment": own.commitment,
            "key": own.key,
            "replies": [one for one in replies_data(own)[own.inherited_count :] if "faces" in one],
        }
        for own in _made_of(table, roll)
        if own.key
    ]
    return {"sources": found} if found else {}


def _made_of(table: Table, roll: TableRoll) -> Iterator[TableRoll]:
    for part in roll.components:
        yield table.rolls[part.roll]
        yield from _made_of(table, table.rolls[part.roll])


def judgments_data(roll: TableRoll) -> list[dict[str, Any]]:
    """What the GM has said to a roll, as plain data."""
    return [{"by": one.by, "grade": one.grade, "words": one.words} for one in roll.judgments]
