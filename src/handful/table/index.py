"""Per-viewer index: the names of everything that each seat knows of, updated by each event.

Projections iterate over these names alone, so the work for a seat depends on what it knows.  Names
are in the order of the table, including those revealed later.  `SPECTATOR` has an index, too.
Viewers who know of the same rolls share one ledger, so that their views can be shared as well.
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
OPENS_CONTESTS = ("contest_opened", "roll_revealed", "visibility_changed", "proposal_accepted")


Names = PersistentMap[str, None]
NO_ROLLS: PersistentMap[str, TableRoll] = PersistentMap()
NO_NAMES: Names = PersistentMap()


@record(eq=False)
class Index:
    """Names of what each viewer knows of, in the order of the table."""

    rolls: Mapping[str, PersistentMap[str, TableRoll]] = field(default_factory=dict)
    requests: Mapping[str, Names] = field(default_factory=dict)
    characters: Mapping[str, Names] = field(default_factory=dict)
    contests: Mapping[str, Names] = field(default_factory=dict)


NOTHING_YET = Index()


def known_rolls(table: Table, viewer: str) -> PersistentMap[str, TableRoll]:
    return _index(table).rolls.get(viewer, NO_ROLLS)


def known_requests(table: Table, viewer: str) -> Names:
    return _index(table).requests.get(viewer, NO_NAMES)


def known_characters(table: Table, viewer: str) -> Names:
    return _index(table).characters.get(viewer, NO_NAMES)


def known_contests(table: Table, viewer: str) -> Names:
    return _index(table).contests.get(viewer, NO_NAMES)


def _index(table: Table) -> Index:
    return table.index or NOTHING_YET


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
        names = _added(index.requests, after.requests, name, _asked(index, after, name))
        index = replace(index, requests=names)
    elif kind in ("character_brought", "character_shown"):
        name = data["character"]
        names = _added(index.characters, after.characters, name, _seers(index, after, name))
        index = replace(index, characters=names)
    if kind in OPENS_CONTESTS:
        for name in [data["contest"]] if kind == "contest_opened" else after.contests:
            names = _added(index.contests, after.contests, name, _rivals(index, after, name))
            index = replace(index, contests=names)
    return index


def _rolls_after(
    index: Index, before: Table, after: Table, kind: str, name: str
) -> Mapping[str, PersistentMap[str, TableRoll]]:
    """Put a changed roll into the ledger of each viewer who is told of the change."""
    roll, was = after.rolls[name], before.rolls.get(name)
    past_dice = was is not None and was.is_past_dice
    public = roll.mode == PUBLIC and not roll.components
    ledgers: dict[int, PersistentMap[str, TableRoll]] = {}
    rolls = dict(index.rolls)
    for viewer, own in index.rolls.items():
        level = ALL if public else roll.level_for(viewer, after.role(viewer))
        if level < ALL and not _is_told(kind, level, past_dice):
            continue
        if id(own) not in ledgers:
            ledgers[id(own)] = _put(own, roll)
        rolls[viewer] = ledgers[id(own)]
    return rolls


def _is_told(kind: str, level: int, past_dice: bool) -> bool:
    return level > NOTHING and visible_data(kind, level, {}, past_dice=past_dice) is not None


def _put(rolls: PersistentMap[str, TableRoll], roll: TableRoll) -> PersistentMap[str, TableRoll]:
    after = rolls.put(roll.id, roll)
    last = rolls.last_key
    if last is None or roll.id in rolls or rolls[last].number < roll.number:
        return after
    return PersistentMap(dict(sorted(after.items(), key=lambda one: one[1].number)))


def _added(
    known: Mapping[str, Names], there: Mapping[str, Any], name: str, viewers: Iterable[str]
) -> Mapping[str, Names]:
    """Add a name to what some viewers know; `there` has all names in the order of the table."""
    after = dict(known)
    for viewer in viewers:
        if name not in known[viewer]:
            names = known[viewer].put(name, None)
            is_last = isinstance(there, PersistentMap) and there.last_key == name
            after[viewer] = names if is_last else _names(one for one in there if one in names)
    return after


def _asked(index: Index, table: Table, request: str) -> list[str]:
    to = table.requests[request].to
    return [one for one in index.requests if table.role(one) == GM or one in to]


def _seers(index: Index, table: Table, character: str) -> list[str]:
    own = table.characters[character]
    return [one for one in index.characters if own.level_for(one, table.role(one)) > NOTHING]


def _rivals(index: Index, table: Table, contest: str) -> list[str]:
    own, there = table.contests[contest], index.contests
    return [one for one in there if contest_level(table, own, one, table.role(one)) > NOTHING]


def _with_viewer(index: Index, table: Table, viewer: str) -> Index:
    """Add a viewer, with everything that they may see of what has happened before."""
    if viewer in index.rolls:
        return index
    role = table.role(viewer)
    seen = {name: one for name, one in table.rolls.items() if one.level_for(viewer, role) > NOTHING}
    alike = [one for one in index.rolls.values() if [*one] == [*seen]]
    alone = Index(requests={viewer: NO_NAMES}, characters={viewer: NO_NAMES}, contests={viewer: NO_NAMES})
    requests = _names(one for one in table.requests if _asked(alone, table, one))
    characters = _names(one for one in table.characters if _seers(alone, table, one))
    contests = _names(one for one in table.contests if _rivals(alone, table, one))
    return Index(
        {**index.rolls, viewer: alike[0] if alike else PersistentMap(seen)},
        {**index.requests, viewer: requests},
        {**index.characters, viewer: characters},
        {**index.contests, viewer: contests},
    )


def _names(names: Iterable[str]) -> Names:
    return PersistentMap(dict.fromkeys(names))
