"""Per-viewer index: the names of everything that each seat knows of, kept up to date by events.

Projections go over these names alone, so the work done for a seat depends on what it knows.  Names
stand in the order of the table, also those revealed later.  `SPECTATOR` has an index, too.
Viewers who know of the same rolls share one ledger, so that their views can be shared as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from handful.records import changed, field, record
from handful.table.events import Event
from handful.table.knowing_contests import contest_level
from handful.table.ledger import Ledger
from handful.table.state import Figure, Request, Roll, Table
from handful.table.visibility import ALL, GM, NOTHING, SPECTATOR, shown

# events after which somebody may know of a contest that was hidden from them
OPENS_CONTESTS = ("contest_opened", "roll_revealed", "visibility_changed", "proposal_accepted")


@record(eq=False)
class Index:
    """Names of what one viewer knows of, in the order of the table."""

    rolls: Ledger[str, Roll] = field(default_factory=Ledger)
    requests: Ledger[str, None] = field(default_factory=Ledger)
    characters: Ledger[str, None] = field(default_factory=Ledger)
    contests: Ledger[str, None] = field(default_factory=Ledger)


NOBODY = Index()


def index_of(table: Table, viewer: str) -> Index:
    return table.index.get(viewer, NOBODY)


def indexed(before: Table, after: Table, event: Event) -> Table:
    """Bring the index of every viewer up to date after an event."""
    kind, data = event.kind, event.data
    if kind == "table_opened":
        return _with_viewer(after, SPECTATOR)
    if kind == "seat_taken":
        return _with_viewer(after, data["name"])
    if after.rolls is not before.rolls:
        after = _roll_changed(before, after, kind, data["roll"])
    if kind in ("check_requested", "check_called"):
        request = after.requests[data["request"]]
        after = _name_added(after, "requests", request.id, _asked(after, request))
    elif kind in ("character_brought", "character_shown"):
        figure = after.characters[data["character"]]
        after = _name_added(after, "characters", figure.id, _seers(after, figure))
    if kind in OPENS_CONTESTS:
        names = [data["contest"]] if kind == "contest_opened" else after.contests
        for name in names:
            after = _name_added(after, "contests", name, _rivals(after, name))
    return after


def _roll_changed(before: Table, after: Table, kind: str, name: str) -> Table:
    """Put a roll into the ledgers of all who are told of its change; others keep what they have."""
    roll, was = after.rolls[name], before.rolls.get(name)
    past_dice = was is not None and was.is_past_dice
    ledgers: dict[int, Ledger[str, Roll]] = {}
    index = dict(after.index)
    for viewer, own in index.items():
        level = roll.level_for(viewer, after.role(viewer))
        if level == NOTHING or (
            level < ALL and shown(kind, level, {}, past_dice=past_dice) is None
        ):
            continue
        at = id(own.rolls)
        if at not in ledgers:
            ledgers[at] = _put(own.rolls, roll)
        index[viewer] = changed(own, rolls=ledgers[at])
    return changed(after, index=index)


def _put(rolls: Ledger[str, Roll], roll: Roll) -> Ledger[str, Roll]:
    after = rolls.put(roll.id, roll)
    last = rolls.last
    if last is None or roll.id in rolls or rolls[last].number < roll.number:
        return after
    return Ledger(dict(sorted(after.items(), key=lambda one: one[1].number)))


def _name_added(table: Table, part: str, name: str, viewers: Iterable[str]) -> Table:
    index, all_names = dict(table.index), getattr(table, part)
    for viewer in viewers:
        names: Ledger[str, None] = getattr(index[viewer], part)
        if name not in names:
            after = names.put(name, None)
            if name != all_names.last:
                after = _names(one for one in all_names if one in after)
            index[viewer] = changed(index[viewer], **{part: after})
    return changed(table, index=index)


def _asked(table: Table, request: Request) -> list[str]:
    return [one for one in table.index if table.role(one) == GM or one in request.to]


def _seers(table: Table, figure: Figure) -> list[str]:
    return [one for one in table.index if figure.level_for(one, table.role(one)) > NOTHING]


def _rivals(table: Table, contest: str) -> list[str]:
    own = table.contests[contest]
    levels = {one: contest_level(table, own, one, table.role(one)) for one in table.index}
    return [one for one, level in levels.items() if level > NOTHING]


def _with_viewer(table: Table, viewer: str) -> Table:
    """The index of somebody new: everything that they may see of the time before."""
    if viewer in table.index:
        return table
    role = table.role(viewer)
    seen: Mapping[str, Roll] = {
        name: one for name, one in table.rolls.items() if one.level_for(viewer, role) > NOTHING
    }
    shared = [one.rolls for one in table.index.values() if _same(one.rolls, seen)]
    table = changed(table, index={**table.index, viewer: Index()})
    own = Index(
        shared[0] if shared else Ledger(dict(seen)),
        _names(name for name, one in table.requests.items() if viewer in _asked(table, one)),
        _names(name for name, one in table.characters.items() if viewer in _seers(table, one)),
        _names(name for name in table.contests if viewer in _rivals(table, name)),
    )
    return changed(table, index={**table.index, viewer: own})


def _same(known: Ledger[str, Roll], seen: Mapping[str, Roll]) -> bool:
    return [*known] == [*seen]


def _names(names: Iterable[str]) -> Ledger[str, None]:
    return Ledger(dict.fromkeys(names))
