"""Rolls as a seat knows them: part of the gate of `knowing`.

A long evening has thousands of rolls, and everybody at the table looks after every throw.  So a
look goes on from the one before, and those who know the same share it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from handful.errors import HandfulError
from handful.records import replace
from handful.table.index import known_characters, known_rolls
from handful.table.persistent_map import PersistentMap
from handful.table.position import Position
from handful.table.projection_cache import ProjectionCache
from handful.table.projection_characters import hangs_on_rolls, levels_of, lines_as_known
from handful.table.state import Contest, Table, TableRoll
from handful.table.visibility import ALL, DECLARED, GM, NOTHING, without_parameters


class RollSnapshot:
    """The rolls that somebody knows of at one moment; the same one for all who know the same."""

    __slots__ = (
        "__weakref__",
        "before",
        "concerned",
        "fresh",
        "gone",
        "listed",
        "marks",
        "moved",
        "names",
        "open",
        "rolls",
        "seen",
        "unsettled",
    )

    def __init__(
        self,
        rolls: Mapping[str, TableRoll],
        marks: Any,
        names: list[str],
        opened: list[str],
        before: RollSnapshot | None = None,
        moved: Sequence[str] = (),
    ) -> None:
        """`moved`: which of them may be others than at the look before."""
        self.rolls, self.marks, self.names = rolls, marks, names
        self.open = opened  # those that wait for somebody, by what is known of them
        self.before, self.moved = before, moved
        # what a view makes of it:
        self.seen: dict[str, Any] | None = None  # the latest, as plain data,
        self.listed: list[Any] = []  # and without their names
        self.fresh: list[str] = []  # of those: what is not as it was at the look before
        self.gone: list[str] = []  # what is not among them any more
        self.unsettled: set[str] = set()  # of those: what hangs on more than the roll
        self.concerned: dict[str, tuple[str, ...]] = {}  # who may do something with which

    def is_like(self, other: RollSnapshot) -> bool:
        """Whether somebody with another look sees just the same."""
        return (
            self.rolls is other.rolls
            and self.marks == other.marks
            and self.names == other.names
            and self.unsettled == other.unsettled
            and self.seen == other.seen
        )


class GroupedList(list[list[Any]]):
    """Things in groups, which are shown as one list; none of them is empty."""


class ViewerState:
    """What a seat saw last: it goes on from there."""

    def __init__(self) -> None:
        self.look: RollSnapshot | None = None
        self.rolls: ProjectedRolls | None = None  # of the table that it looked at last,
        self.known: Table | None = None  # that table, as far as anybody has asked for it,
        self.without_rolls: tuple[tuple[Any, ...], Table] | None = None  # and of what it is made
        # what a view makes of it:
        self.parts: tuple[Any, ...] | None = None  # what is there beside rolls,
        self.harms: Mapping[str, TableRoll] | None = None  # those that may count as damage there,
        self.beside: dict[str, Any] = {}  # as it is seen,
        self.may_beside: list[list[Any]] = []  # and what may be done there, each for itself
        self.looked: RollSnapshot | None = None  # at which look, and with which contests,
        self.contests: Mapping[str, Contest] | None = None
        self.may: dict[str, list[Any]] = {}  # what may be done with which roll, in their order,
        self.actions: GroupedList | None = None  # and all that may be done; None: not known now


class _Delta:
    """What happened between a look and the next ones; those who know the same take the same."""

    def __init__(self, since: list[str] | None, unsettled: Collection[str]) -> None:
        self.since = since
        self.moved = [*since, *(one for one in unsettled if one not in since)] if since else []
        self.to: dict[tuple[Any, ...], RollSnapshot] = {}  # how what moved is known -> the next look


class ProjectedRolls(Mapping[str, TableRoll]):
    """The rolls that a seat knows of, each worked out when somebody looks at it."""

    __slots__ = ("_found", "_look", "memory", "role", "seat", "sight", "table")

    def __init__(self, table: Table, seat: str, memory: ProjectionCache, sight: ViewerState) -> None:
        self.table, self.seat, self.role = table, seat, table.role(seat)
        self.memory, self.sight = memory, sight
        self._found: dict[str, TableRoll | None] = {}
        self._look: RollSnapshot | None = None

    def __getitem__(self, name: str) -> TableRoll:
        known = self._known(name) if name in self.ledger else None
        if known is None:
            raise KeyError(name)
        return known

    def _known(self, name: str) -> TableRoll | None:
        """A roll as the seat knows it; made once for all who know the same."""
        if name not in self._found:
            table, roll = self.table, self.table.rolls[name]
            self._found[name] = self.memory.memoize(
                ("known", name, self.role == GM, self._way(roll)),
                (roll, table.rules),
                lambda: project_roll(table, roll, self.seat, self.role),
            )
        return self._found[name]

    def is_settled(self, name: str) -> bool:
        """Whether what the seat sees of a roll stays as it is while the roll and the marks do."""
        return bool(self[name].key) and not hangs_on_rolls(self.table.rolls[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self.look.names)

    def __len__(self) -> int:
        return len(self.look.names)

    @property
    def look(self) -> RollSnapshot:
        """All of them in order; goes on from the last look, because an evening has thousands."""
        if self._look is None:
            last = self.sight.look
            self._look = self.sight.look = (last and self._after(last)) or self._anew()
        return self._look

    def _anew(self) -> RollSnapshot:
        names = [*self.ledger]
        return RollSnapshot(self.ledger, self._marks, names, [one for one in names if self[one].is_open])

    @property
    def ledger(self) -> PersistentMap[str, TableRoll]:
        """The rolls that the seat knows of; another one as soon as it is told of a change."""
        return known_rolls(self.table, self.seat)

    @property
    def _marks(self) -> Any:
        """What decides on all rolls at once: how much the seat sees of characters, and who left."""
        figures, left, gm = self.table.characters, self.table.left_seats, self.role == GM
        if gm or not figures:
            return gm, (), left

        def made() -> Any:
            names = known_characters(self.table, self.seat)
            levels = tuple((one, figures[one].level_for(self.seat, self.role)) for one in names)
            return gm, levels, left

        return self.memory.memoize(("marks", self.seat), (figures, left), made)

    def _after(self, last: RollSnapshot) -> RollSnapshot | None:
        """The look after another one; None where what happened since is not enough to know."""
        rolls = self.ledger
        if last.seen is None or last.marks != self._marks:
            return None
        if rolls is last.rolls:
            return last
        step = self.memory.memoize(
            ("step", id(last)),
            (last, rolls, self.table.rules),
            lambda: _Delta(rolls.changed_since(last.rolls), last.unsettled),
        )
        if step.since is None:
            return None
        ways = tuple([self._way(self.table.rolls[one]) for one in step.moved])
        if ways not in step.to:
            step.to[ways] = self._made_after(last, rolls, step.since, step.moved)
        return step.to[ways]

    def _way(self, roll: TableRoll) -> tuple[Any, ...]:
        """How a roll is known: who has the same look and knows its rolls the same way shares them.

        The GM knows more, but has no look with anybody else (`_marks`).
        """
        levels = levels_of(self.table, roll, self.seat, self.role)
        return roll.level_for(self.seat, self.role), levels

    def _made_after(
        self, last: RollSnapshot, rolls: PersistentMap[str, TableRoll], fresh: list[str], moved: list[str]
    ) -> RollSnapshot:
        new = [one for one in fresh if one not in last.rolls]
        names = last.names + new if new else last.names
        still = [one for one in last.open if one not in moved or self[one].is_open]
        also = [one for one in fresh if self[one].is_open and one not in still]
        if not also or also == new[-len(also) :]:
            opened = still + also
        else:
            opened = [one for one in names if one in still or one in also]
        return RollSnapshot(rolls, last.marks, names, opened, last, moved)


def project_rolls(table: Table, seat: str, memory: ProjectionCache) -> ProjectedRolls:
    """The rolls that a seat knows of; the very same for the very same table."""
    sight = memory.memoize(("sight", seat), (), ViewerState)
    if sight.rolls is None or sight.rolls.table is not table:
        sight.rolls, sight.known = ProjectedRolls(table, seat, memory, sight), None
    return sight.rolls


def project_roll(table: Table, roll: TableRoll, seat: str, role: str) -> TableRoll | None:
    level = roll.level_for(seat, role)
    if level == NOTHING:
        return None
    if level < DECLARED:
        return TableRoll(roll.id, roll.roller, roll.commitment, level=level)
    hidden = hidden_from(roll, role)
    if level < ALL:
        roll = until_thrown(roll)
    roll = lines_as_known(table, roll, seat, role)
    if not hidden and level == ALL:
        return roll
    if level == ALL and roll.position is not None:
        standing = roll.position.without(hidden)
    else:
        replies = tuple(one.reply for one in roll.replies)
        standing = Position(roll.rules(table.rules), without_parameters(roll.asked, hidden), replies)
    bare = replace(
        roll, level=level, revealed_to=(), before_correction=None, asked=standing.asked, position=standing
    )
    try:
        _ = bare.node
    except HandfulError:
        return replace(bare, position=None)  # what is hidden decides more: only the dice are known
    return bare


def until_thrown(roll: TableRoll) -> TableRoll:
    """A roll as it stood before its first throw; that faces are being typed in, but not which."""
    past, was = roll.is_past_dice, roll.before_correction or roll
    return replace(
        roll,
        asked=was.asked,
        lines=was.lines,
        replies=was.replies_before_dice,
        key="",
        judgments=(),
        typed=() if past else tuple(() for _ in roll.typed),
        has_hidden_progress=past,
    )


def hidden_from(roll: TableRoll, role: str) -> tuple[str, ...]:
    return () if role == GM else roll.hidden
