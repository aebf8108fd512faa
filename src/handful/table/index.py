"""Per-viewer index: the names of everything that each seat may see, updated by each event.

Projections iterate over these names alone, so the work for a seat depends only on what it sees.
Names are in table order, including those revealed later.  `SPECTATOR` has an index, too.  Viewers
who see the same rolls share one map, so that their views can be shared as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from handful.records import field, record, replace
from handful.table.events import Event
from handful.table.persistent_map import PersistentMap
from handful.table.projection_contests import contest_level
from handful.table.state import Table, TableRoll
from handful.table.visibility import ALL, GM, MODES, NOTHING, SPECTATOR, visible_data

PUBLIC = MODES["public"]
# events that may show a contest to a viewer from whom it was hidden
CONTEST_REVEALING_EVENTS = ("contest_opened", "roll_revealed", "visibility_changed", "proposal_accepted")


Names = PersistentMap[str, None]
NO_ROLLS: PersistentMap[str, TableRoll] = PersistentMap()
NO_NAMES: Names = PersistentMap()


@record(eq=False)
class Index:
    """Names visible to each viewer, in table order."""

    rolls: Mapping[str, PersistentMap[str, TableRoll]] = field(default_factory=dict)
    requests: Mapping[str, Names] = field(default_factory=dict)
    characters: Mapping[str, Names] = field(default_factory=dict)
    contests: Mapping[str, Names] = field(default_factory=dict)


EMPTY_INDEX = Index()


def visible_rolls(table: Table, viewer: str) -> PersistentMap[str, TableRoll]:
    return _index(table).rolls.get(viewer, NO_ROLLS)


def visible_requests(table: Table, viewer: str) -> Names:
    return _index(table).requests.get(viewer, NO_NAMES)


def visible_characters(table: Table, viewer: str) -> Names:
    return _index(table).characters.get(viewer, NO_NAMES)


def visible_contests(table: Table, viewer: str) -> Names:
    return _index(table).contests.get(viewer, NO_NAMES)


def _index(table: Table) -> Index:
    return table.index or EMPTY_INDEX


def index_after(before: Table, after: Table, event: Event) -> Index:
    """Return the index after an event; `after.index` is still the one before it."""
    kind, data, index = event.kind, event.data, _index(before)
    if kind == "table_opened":
        return _with_viewer(index, after, SPECTATOR)
    if kind == "seat_taken":
        return _with_viewer(index, after, data["name"])
    if after.rolls is not before.rolls:
        index = replace(index, rolls=_rolls_after(index, before, after, kind, data["roll"]))
    if kind in ("check_requested", "check_called"):
        name = data["request"]
        names = _add_name(index.requests, after.requests, name, _request_viewers(index, after, name))
        index = replace(index, requests=names)
    elif kind in ("character_brought", "character_shown"):
        name = data["character"]
        names = _add_name(index.characters, after.characters, name, _character_viewers(index, after, name))
        index = replace(index, characters=names)
    if kind in CONTEST_REVEALING_EVENTS:
        for name in [data["contest"]] if kind == "contest_opened" else after.contests:
            names = _add_name(index.contests, after.contests, name, _contest_viewers(index, after, name))
            index = replace(index, contests=names)
    return index


def _rolls_after(
    index: Index, before: Table, after: Table, kind: str, name: str
) -> Mapping[str, PersistentMap[str, TableRoll]]:
    """Put a changed roll into the map of each viewer who is notified of the change."""
    roll, old = after.rolls[name], before.rolls.get(name)
    past_dice = old is not None and old.is_past_dice
    public = roll.mode == PUBLIC and not roll.components
    updated_maps: dict[int, PersistentMap[str, TableRoll]] = {}
    rolls = dict(index.rolls)
    for viewer, rolls_seen in index.rolls.items():
        level = ALL if public else roll.level_for(viewer, after.role(viewer))
        if level < ALL and not _is_notified(kind, level, past_dice):
            continue
        if id(rolls_seen) not in updated_maps:
            updated_maps[id(rolls_seen)] = _put_roll(rolls_seen, roll)
        rolls[viewer] = updated_maps[id(rolls_seen)]
    return rolls


def _is_notified(kind: str, level: int, past_dice: bool) -> bool:
    return level > NOTHING and visible_data(kind, level, {}, past_dice=past_dice) is not None


def _put_roll(rolls: PersistentMap[str, TableRoll], roll: TableRoll) -> PersistentMap[str, TableRoll]:
    after = rolls.put(roll.id, roll)
    last = rolls.last_key
    if last is None or roll.id in rolls or rolls[last].number < roll.number:
        return after
    return PersistentMap(dict(sorted(after.items(), key=lambda one: one[1].number)))


def _add_name(
    visible: Mapping[str, Names], all_names: Mapping[str, Any], name: str, viewers: Iterable[str]
) -> Mapping[str, Names]:
    """Add a name for some viewers; `all_names` has every name in table order."""
    after = dict(visible)
    for viewer in viewers:
        if name not in visible[viewer]:
            names = visible[viewer].put(name, None)
            is_last = isinstance(all_names, PersistentMap) and all_names.last_key == name
            after[viewer] = names if is_last else _names(one for one in all_names if one in names)
    return after


def _request_viewers(index: Index, table: Table, request: str) -> list[str]:
    to = table.requests[request].to
    return [one for one in index.requests if table.role(one) == GM or one in to]


def _character_viewers(index: Index, table: Table, character: str) -> list[str]:
    found = table.characters[character]
    return [one for one in index.characters if found.level_for(one, table.role(one)) > NOTHING]


def _contest_viewers(index: Index, table: Table, contest: str) -> list[str]:
    found, viewers = table.contests[contest], index.contests
    return [one for one in viewers if contest_level(table, found, one, table.role(one)) > NOTHING]


def _with_viewer(index: Index, table: Table, viewer: str) -> Index:
    """Add a viewer, with everything they may see of earlier events."""
    if viewer in index.rolls:
        return index
    role = table.role(viewer)
    seen = {name: one for name, one in table.rolls.items() if one.level_for(viewer, role) > NOTHING}
    shared = [one for one in index.rolls.values() if [*one] == [*seen]]
    only_viewer = Index(
        requests={viewer: NO_NAMES}, characters={viewer: NO_NAMES}, contests={viewer: NO_NAMES}
    )
    requests = _names(one for one in table.requests if _request_viewers(only_viewer, table, one))
    characters = _names(one for one in table.characters if _character_viewers(only_viewer, table, one))
    contests = _names(one for one in table.contests if _contest_viewers(only_viewer, table, one))
    return Index(
        {**index.rolls, viewer: shared[0] if shared else PersistentMap(seen)},
        {**index.requests, viewer: requests},
        {**index.characters, viewer: characters},
        {**index.contests, viewer: contests},
    )


def _names(names: Iterable[str]) -> Names:
    return PersistentMap(dict.fromkeys(names))
