"""Projection: the table as a seat sees it, and events redacted for a seat.

Everything that reaches a seat is computed from `project` or `redact`.
A hidden target is removed from the check itself, so that a seat that does not know it gets a result
(a number without a success), odds and legal answers that do not depend on it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from handful.records import replace
from handful.table.events import Data, Event
from handful.table.fight import FIGHT_EVOLVERS
from handful.table.index import visible_characters, visible_contests, visible_requests
from handful.table.projection_cache import ProjectionCache
from handful.table.projection_characters import (
    lines_data,
    project_character,
    redact_character_event,
    redact_line_event,
    redact_origin,
)
from handful.table.projection_contests import project_contests, redact_contest_event
from handful.table.projection_fights import project_fight, redact_fight_event
from handful.table.projection_rolls import (
    ProjectedRolls,
    ViewerState,
    before_first_throw,
    parameters_hidden_from,
    project_rolls,
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

LevelFor = Callable[[str, str], int]  # (seat, role) -> level of visibility


def project(table: Table, seat: str, cache: ProjectionCache | None = None) -> Table:
    """Return the table without anything that is hidden from a seat.

    Without a seat one sees who is seated and by which rules, and nothing of what happened.
    With a cache, parts that did not change keep their identity.
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
    if cache is None:
        cache = ProjectionCache()
        rolls = ProjectedRolls(table, seat, cache, ViewerState())
        return replace(_project_static_part(table, seat, role, cache), rolls=rolls)
    rolls = project_rolls(table, seat, cache)
    state = rolls.state
    if state.projected is None:
        parts = cache.static_part(table)
        if state.static_projection is None or state.static_projection[0] is not parts:
            state.static_projection = parts, _project_static_part(table, seat, role, cache)
        state.projected = replace(state.static_projection[1], rolls=rolls)
    return state.projected


def own_open_rolls(table: Table, seat: str, cache: ProjectionCache | None = None) -> list[str]:
    """Return the open rolls that a seat makes or has declared, as far as it sees them."""
    rolls = project(table, seat, cache).rolls
    open_rolls = rolls.snapshot.open if isinstance(rolls, ProjectedRolls) else []
    return [one for one in open_rolls if rolls[one].roller == seat or one.startswith(f"{seat}/")]


def _project_static_part(table: Table, seat: str, role: str, cache: ProjectionCache) -> Table:
    requests = cache.memoize(
        ("requests", seat), (table.requests, role), lambda: _project_requests(table, seat, role)
    )
    characters = cache.memoize(
        ("characters", seat), (table.characters, role), lambda: _project_characters(table, seat, role)
    )
    return replace(
        table,
        rolls={},
        requests=requests,
        characters=characters,
        contests=project_contests(table, visible_contests(table, seat), seat, role, cache),
        command_digests={},
        seq=0,
        fight=project_fight(table, seat, role),
        index=None,
    )


def _project_requests(table: Table, seat: str, role: str) -> dict[str, Request]:
    return {
        name: _project_request(table.requests[name], seat, role) for name in visible_requests(table, seat)
    }


def _project_characters(table: Table, seat: str, role: str) -> dict[str, TableCharacter]:
    names = visible_characters(table, seat)
    characters = {name: project_character(table.characters[name], seat, role) for name in names}
    return {name: one for name, one in characters.items() if one is not None}


def _project_request(request: Request, seat: str, role: str) -> Request:
    """Return a request as an asked seat sees it: only its own part."""
    if role == GM:
        return request
    return replace(
        request,
        parameters=_without(request.parameters, request.hidden),
        proposals={name: one for name, one in request.proposals.items() if name == seat},
        rolls={name: one for name, one in request.rolls.items() if name == seat},
        character_ids={name: one for name, one in request.character_ids.items() if name == seat},
    )


def _without(values: Data, hidden: Collection[str]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in hidden}


def redact(before: Table, event: Event, seat: str, role: str) -> dict[str, Any] | None:
    """Return the data of an event as a seat may see it; None if it may not know of the event.

    `before` is the table before the event.
    """
    data = event.data
    if event.kind in FIGHT_EVOLVERS:
        return redact_fight_event(before, event, seat, role)
    if "contest" in data:
        return redact_contest_event(before, event, seat, role)
    if "request" in data:
        return _redact_request_event(before, event, seat, role)
    if "character" in data:
        return redact_character_event(before, event, seat, role)
    if "roll" not in data:
        return visible_data(event.kind, ALL, data)
    if event.kind == "roll_declared":
        hidden = () if role == GM else data["hidden"]
        visible = _without_hidden(redact_origin(before, data, hidden, seat, role), hidden)
        return visible_data(event.kind, _declared_level(before, data)(seat, role), visible)
    roll = before.rolls[data["roll"]]
    level = roll.level_for(seat, role)
    if event.kind == "roll_revealed":
        return _redact_reveal(before, roll, data, seat, role, level)
    if event.kind in ("line_switched", "line_added"):
        return redact_line_event(roll, before, event, seat, role, level)
    if event.kind == "target_revealed":
        shown = roll if level == ALL else before_first_throw(roll)
        visible = redact_origin(before, lines_data(shown), (), seat, role)
        return visible_data(event.kind, level, {**data, **visible, "asked": shown.asked})
    visible = _without_hidden(data, parameters_hidden_from(roll, role))
    return visible_data(event.kind, level, visible, past_dice=roll.is_past_dice)


def _declared_level(before: Table, data: Data) -> LevelFor:
    """Return the visibility of a roll that is being declared, by seat and role."""
    components, mode = read_components(before, data["parts"]), combine_modes(*data["modes"])
    return lambda seat, role: roll_level(mode, data["roller"], components, seat, role)


ViewerClass = tuple[bool, int]  # sees hidden parameters, level of visibility


def viewer_classifier(before: Table, event: Event) -> Callable[[str, str], ViewerClass] | None:
    """Return a function from seats to viewer classes: one class receives identical data.

    None if the event must be redacted for each seat.
    """
    data = event.data
    if event.kind == "roll_declared" and not ("as" in data or "lines" in data):
        level, hidden = _declared_level(before, data), data["hidden"]
    elif event.kind in BEFORE_THROW_ONLY:
        roll = before.rolls[data["roll"]]
        level, hidden = roll.level_for, roll.hidden
    else:
        return None
    return lambda seat, role: (bool(hidden) and role == GM, level(seat, role))


def _redact_request_event(before: Table, event: Event, seat: str, role: str) -> dict[str, Any] | None:
    data = event.data
    if role == GM:
        return visible_data(event.kind, ALL, data)
    if "name" in data:
        return visible_data(event.kind, ALL, data) if seat == data["name"] else None
    recipients = data["to"] if "to" in data else before.requests[data["request"]].to
    if seat not in recipients:
        return None
    if "hidden" in data:
        data = {**data, "parameters": _without(data["parameters"], data["hidden"])}
    return visible_data(event.kind, ALL, data)


def _without_hidden(data: Data, hidden: Sequence[str]) -> Data:
    return {**data, "asked": without_parameters(data["asked"], hidden)} if "asked" in data else data


def _redact_reveal(
    before: Table, roll: TableRoll, data: Data, seat: str, role: str, level: int
) -> dict[str, Any] | None:
    """Give a seat that could not see the roll its full story, in place of the events it missed."""
    if level == ALL:
        return visible_data("roll_revealed", ALL, {"roll": roll.id})
    if seat not in data["to"]:
        return None
    hidden = parameters_hidden_from(roll, role)
    origin = redact_origin(before, lines_data(roll), hidden, seat, role)
    return visible_data(
        "roll_revealed",
        ALL,
        {"roll": roll.id, "story": {**story_data(roll, hidden), **origin, **_sources(before, roll)}},
    )


def replies_data(roll: TableRoll) -> list[dict[str, Any]]:
    """Return the replies of a roll as JSON data."""
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
    """Return a roll from its declaration to now as JSON data, without hidden parameters."""
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
    """Return the rolls whose dice a contest inherited, with their keys, so that its dice can be verified."""
    sources = [
        {
            "roll": component.id,
            "commitment": component.commitment,
            "key": component.key,
            "replies": [
                one for one in replies_data(component)[component.inherited_count :] if "faces" in one
            ],
        }
        for component in _all_components(table, roll)
        if component.key
    ]
    return {"sources": sources} if sources else {}


def _all_components(table: Table, roll: TableRoll) -> Iterator[TableRoll]:
    for component in roll.components:
        yield table.rolls[component.roll]
        yield from _all_components(table, table.rolls[component.roll])


def judgments_data(roll: TableRoll) -> list[dict[str, Any]]:
    """Return the GM's judgments of a roll as JSON data."""
    return [{"by": one.by, "grade": one.grade, "words": one.words} for one in roll.judgments]
