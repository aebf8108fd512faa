"""Rolls as a seat sees them; part of `projection`.

A long session has thousands of rolls, and every seat is projected after every throw.  So each
snapshot is computed from the previous one, and seats that see the same share it.  Invariant: an
incremental snapshot equals one computed from scratch.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from handful.errors import HandfulError
from handful.records import replace
from handful.table.index import visible_characters, visible_rolls
from handful.table.persistent_map import PersistentMap
from handful.table.position import Position
from handful.table.projection_cache import ProjectionCache
from handful.table.projection_characters import depends_on_other_rolls, project_lines, visibility_key
from handful.table.state import Contest, Table, TableRoll
from handful.table.visibility import ALL, DECLARED, GM, NOTHING, without_parameters


class RollSnapshot:
    """The rolls that a seat sees at one moment; shared by all seats that see the same."""

    __slots__ = (
        "__weakref__",
        "changed",
        "involved_seats",
        "names",
        "open",
        "previous",
        "removed",
        "rolls",
        "updated",
        "view_list",
        "views",
        "visibility_key",
        "volatile",
    )

    def __init__(
        self,
        rolls: Mapping[str, TableRoll],
        visibility_key: Any,
        names: list[str],
        open_rolls: list[str],
        previous: RollSnapshot | None = None,
        changed: Sequence[str] = (),
    ) -> None:
        """`changed`: names of rolls that may differ from the previous snapshot."""
        self.rolls, self.visibility_key, self.names = rolls, visibility_key, names
        self.open = open_rolls  # as far as this seat can tell
        self.previous, self.changed = previous, changed
        # filled in by `view`:
        self.views: dict[str, Any] | None = None  # the recent rolls as JSON data, by name
        self.view_list: list[Any] = []  # the same, as a list
        self.updated: list[str] = []  # names in `views` that differ from the previous snapshot
        self.removed: list[str] = []  # names that were in the previous `views` and are not in these
        self.volatile: set[str] = set()  # names in `views` that may change although the roll does not
        self.involved_seats: dict[str, tuple[str, ...]] = {}  # seats with actions on a roll, by name

    def shows_same(self, other: RollSnapshot) -> bool:
        """Return whether both snapshots give the same view."""
        return (
            self.rolls is other.rolls
            and self.visibility_key == other.visibility_key
            and self.names == other.names
            and self.volatile == other.volatile
            and self.views == other.views
        )


class GroupedList(list[list[Any]]):
    """A list kept as non-empty groups, so that one group can be replaced; shown as one flat list."""


class ViewerState:
    """Per-seat state: the last projection and view, used to compute the next ones incrementally."""

    def __init__(self) -> None:
        self.snapshot: RollSnapshot | None = None
        self.rolls: ProjectedRolls | None = None  # of the last table that was projected
        self.projected: Table | None = None  # that table's projection; None until it is needed
        # the projection without rolls, and the static part it was computed from
        self.static_projection: tuple[tuple[Any, ...], Table] | None = None
        # filled in by `view`:
        self.static_key: tuple[Any, ...] | None = None  # input of static_view and static_actions
        self.damage_rolls: Mapping[str, TableRoll] | None = None  # likewise, for the GM
        self.static_view: dict[str, Any] = {}  # the view without rolls
        self.static_actions: list[list[Any]] = []  # legal actions without rolls, one per group
        self.actions_snapshot: RollSnapshot | None = None  # input of roll_actions
        self.actions_contests: Mapping[str, Contest] | None = None  # likewise
        self.roll_actions: dict[str, list[Any]] = {}  # legal actions on each roll, in table order
        self.actions: GroupedList | None = None  # all legal actions; None: must be rebuilt


class _Delta:
    """Changes between one snapshot and the next, shared by all seats that had the first."""

    def __init__(self, updated: list[str] | None, volatile: Collection[str]) -> None:
        self.updated = updated  # None: too long ago to tell
        self.changed = [*updated, *(one for one in volatile if one not in updated)] if updated else []
        self.next: dict[tuple[Any, ...], RollSnapshot] = {}  # visibility keys of `changed` -> snapshot


class ProjectedRolls(Mapping[str, TableRoll]):
    """The rolls that a seat sees, each projected on first access."""

    __slots__ = ("_projected", "_snapshot", "cache", "role", "seat", "state", "table")

    def __init__(self, table: Table, seat: str, cache: ProjectionCache, state: ViewerState) -> None:
        self.table, self.seat, self.role = table, seat, table.role(seat)
        self.cache, self.state = cache, state
        self._projected: dict[str, TableRoll | None] = {}
        self._snapshot: RollSnapshot | None = None

    def __getitem__(self, name: str) -> TableRoll:
        roll = self._project(name) if name in self.visible else None
        if roll is None:
            raise KeyError(name)
        return roll

    def _project(self, name: str) -> TableRoll | None:
        """Project a roll for the seat, once for all seats that see the same of it."""
        if name not in self._projected:
            table, roll = self.table, self.table.rolls[name]
            self._projected[name] = self.cache.memoize(
                ("projected", name, self.role == GM, self._visibility_key(roll)),
                (roll, table.rules),
                lambda: project_roll(table, roll, self.seat, self.role),
            )
        return self._projected[name]

    def is_final(self, name: str) -> bool:
        """Return whether the seat's view of a roll can change only with the roll or the shared key."""
        return bool(self[name].key) and not depends_on_other_rolls(self.table.rolls[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self.snapshot.names)

    def __len__(self) -> int:
        return len(self.snapshot.names)

    @property
    def snapshot(self) -> RollSnapshot:
        """All visible rolls in order, computed from the seat's last snapshot where possible."""
        if self._snapshot is None:
            last = self.state.snapshot
            self._snapshot = self.state.snapshot = (
                last and self._next_snapshot(last)
            ) or self._full_snapshot()
        return self._snapshot

    def _full_snapshot(self) -> RollSnapshot:
        names = [*self.visible]
        return RollSnapshot(
            self.visible, self._shared_key, names, [one for one in names if self[one].is_open]
        )

    @property
    def visible(self) -> PersistentMap[str, TableRoll]:
        """The rolls that the seat knows of; a new map whenever the seat is told of a change."""
        return visible_rolls(self.table, self.seat)

    @property
    def _shared_key(self) -> Any:
        """The inputs that affect all rolls at once: character visibility, and who has left."""
        characters, left, gm = self.table.characters, self.table.left_seats, self.role == GM
        if gm or not characters:
            return gm, (), left

        def compute() -> Any:
            names = visible_characters(self.table, self.seat)
            levels = tuple((one, characters[one].level_for(self.seat, self.role)) for one in names)
            return gm, levels, left

        return self.cache.memoize(("shared key", self.seat), (characters, left), compute)

    def _next_snapshot(self, last: RollSnapshot) -> RollSnapshot | None:
        """Return the snapshot after `last`; None if it must be computed from scratch."""
        rolls = self.visible
        if last.views is None or last.visibility_key != self._shared_key:
            return None
        if rolls is last.rolls:
            return last
        delta = self.cache.memoize(
            ("delta", id(last)),
            (last, rolls, self.table.rules),
            lambda: _Delta(rolls.changed_since(last.rolls), last.volatile),
        )
        if delta.updated is None:
            return None
        keys = tuple([self._visibility_key(self.table.rolls[one]) for one in delta.changed])
        if keys not in delta.next:
            delta.next[keys] = self._extend_snapshot(last, rolls, delta.updated, delta.changed)
        return delta.next[keys]

    def _visibility_key(self, roll: TableRoll) -> tuple[Any, ...]:
        """Key of what the seat sees of a roll: seats with equal keys and snapshots share the next one.

        The GM sees more, but shares no snapshot with other roles (`_shared_key`).
        """
        levels = visibility_key(self.table, roll, self.seat, self.role)
        return roll.level_for(self.seat, self.role), levels

    def _extend_snapshot(
        self, last: RollSnapshot, rolls: PersistentMap[str, TableRoll], updated: list[str], changed: list[str]
    ) -> RollSnapshot:
        new = [one for one in updated if one not in last.rolls]
        names = last.names + new if new else last.names
        still_open = [one for one in last.open if one not in changed or self[one].is_open]
        now_open = [one for one in updated if self[one].is_open and one not in still_open]
        if not now_open or now_open == new[-len(now_open) :]:
            open_rolls = still_open + now_open
        else:
            open_rolls = [one for one in names if one in still_open or one in now_open]
        return RollSnapshot(rolls, last.visibility_key, names, open_rolls, last, changed)


def project_rolls(table: Table, seat: str, cache: ProjectionCache) -> ProjectedRolls:
    """Return the rolls that a seat sees; the same object for the same table."""
    state = cache.memoize(("viewer", seat), (), ViewerState)
    if state.rolls is None or state.rolls.table is not table:
        state.rolls, state.projected = ProjectedRolls(table, seat, cache, state), None
    return state.rolls


def project_roll(table: Table, roll: TableRoll, seat: str, role: str) -> TableRoll | None:
    """Return a roll as a seat sees it; None if the seat does not know of it."""
    level = roll.level_for(seat, role)
    if level == NOTHING:
        return None
    if level < DECLARED:
        return TableRoll(roll.id, roll.roller, roll.commitment, level=level)
    hidden = parameters_hidden_from(roll, role)
    if level < ALL:
        roll = before_first_throw(roll)
    roll = project_lines(table, roll, seat, role)
    if not hidden and level == ALL:
        return roll
    if level == ALL and roll.position is not None:
        position = roll.position.without(hidden)
    else:
        replies = tuple(one.reply for one in roll.replies)
        position = Position(roll.rules(table.rules), without_parameters(roll.asked, hidden), replies)
    projected = replace(
        roll, level=level, revealed_to=(), before_correction=None, asked=position.asked, position=position
    )
    try:
        _ = projected.node
    except HandfulError:
        # without the hidden parameters the roll cannot be replayed, so only its dice are shown
        return replace(projected, position=None)
    return projected


def before_first_throw(roll: TableRoll) -> TableRoll:
    """Return a roll as it was before its first throw.

    It shows that faces are being typed in, but not which.
    """
    past_dice, original = roll.is_past_dice, roll.before_correction or roll
    return replace(
        roll,
        asked=original.asked,
        lines=original.lines,
        replies=original.replies_before_dice,
        key="",
        judgments=(),
        typed=() if past_dice else tuple(() for _ in roll.typed),
        has_hidden_progress=past_dice,
    )


def parameters_hidden_from(roll: TableRoll, role: str) -> tuple[str, ...]:
    return () if role == GM else roll.hidden
