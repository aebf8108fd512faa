"""A table as a value: seats, house rules, and its rolls from declaration to the end.

Nothing here is ever changed in place.  A roll holds its replies; where it stands follows from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from handful.records import field, record, replace
from handful.roll import BoundCheck, Node, Question, Reply, Throw
from handful.rules.ruleset import Ruleset
from handful.sheet import Character, Line
from handful.table.events import Event
from handful.table.fight import Fight
from handful.table.persistent_map import PersistentMap
from handful.table.position import Position, bind_check
from handful.table.visibility import ALL, GM, NOTHING, SPECTATOR, WATCHER, Mode, combine_modes, sheet_mode

if TYPE_CHECKING:
    from handful.table.index import Index


@record()
class RecordedReply:
    """A reply that a roll got: faces of a throw, or the answer to a decision."""

    reply: Reply
    by: str
    thrown: bool
    sides: int = 0  # of each die that was thrown
    physical: bool = False
    entropy: str = ""
    words: str = ""


@record()
class ComponentRoll:
    """A roll that became part of another: who saw it sees that side."""

    roll: str
    roller: str
    mode: Mode
    components: tuple[ComponentRoll, ...] = ()  # what it was made of itself
    revealed_to: tuple[str, ...] = ()  # seats to which it had been revealed by then

    def level_for(self, seat: str, role: str, *, revealed: bool = True) -> int:
        if revealed and seat in self.revealed_to:
            return ALL
        return roll_level(self.mode, self.roller, self.components, seat, role, revealed=revealed)


def roll_level(
    mode: Mode, roller: str, parts: tuple[ComponentRoll, ...], seat: str, role: str, *, revealed: bool = True
) -> int:
    """What somebody is shown of a roll; of one made of others all or nothing.

    Rolls become part of another when they are over, and when that is depends on their dice: who
    does not see these must not hear of the contest either.
    """
    own = mode.level(gm=role == GM, roller=seat == roller)
    if not parts:
        return own
    found = min([own, *(part.level_for(seat, role, revealed=revealed) for part in parts)])
    return NOTHING if found < ALL else found


@record()
class TableCharacter:
    """A character at the table: whose it is, its sheet, and who sees that."""

    id: str  # owner/name: two seats may have somebody of the same name
    owner: str
    name: str
    kind: str
    shown: str
    sheet: Character | None = None  # None where only its presence is known
    gone: bool = False
    level: int = ALL
    items: Mapping[str, tuple[int, bool]] = field(default_factory=dict)  # uses a round, out of use
    tasks: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # results of failed tries
    last_change: Mapping[str, int] = field(default_factory=dict)  # a change of points to take back

    def level_for(self, seat: str, role: str) -> int:
        return sheet_mode(self.shown).level(gm=role == GM, roller=seat == self.owner)


@record()
class Judgment:
    """What the GM has said to a result."""

    by: str
    grade: str
    words: str


@record()
class TableRoll:
    """A roll at the table, as far as it is known; `level` says how far that is."""

    id: str
    roller: str
    commitment: str
    asked: Mapping[str, Any] = field(default_factory=dict)
    modes: tuple[str, ...] = ()
    mode: Mode = field(default=Mode(ALL, ALL, ALL))
    hidden: tuple[str, ...] = ()  # parameters that only the GM knows
    title: str = ""
    position: Position | None = field(default=None, repr=False, compare=False)  # follows from given
    replies: tuple[RecordedReply, ...] = ()
    typed: tuple[tuple[int, ...], ...] = ()  # faces of a throw that is not complete, as they came
    key: str = ""  # shown when the roll is finalised
    cancelled: bool = False
    components: tuple[ComponentRoll, ...] = ()
    inherited_count: int = 0  # how many replies were taken over from the parts
    judgments: tuple[Judgment, ...] = ()
    revealed_to: tuple[str, ...] = ()  # seats to which it was revealed
    level: int = ALL
    has_hidden_progress: bool = False  # for those who are not told how
    before_correction: TableRoll | None = field(
        default=None, repr=False
    )  # before corrections that came after dice
    character_ids: tuple[str, ...] = ()  # the character of each side; "" for none
    skill_counts: tuple[int, ...] = ()  # how many skills each side checks together
    lines: tuple[tuple[int, Line], ...] = ()  # where everything comes from, with its side
    paid: Mapping[str, Mapping[str, int]] = field(default_factory=dict)  # character -> points
    action_context: Mapping[str, str] = field(default_factory=dict)  # what it is in the story; see `deeds`
    number: int = field(default=0, repr=False, compare=False)  # in the order of the table

    @property
    def bound(self) -> BoundCheck | None:
        return None if self.position is None else self.position.bound

    def rules(self, now: Ruleset) -> Ruleset:
        """The rules by which it was begun; those of the table may be others by `now`."""
        return now if self.position is None else self.position.rules

    @property
    def node(self) -> Node | None:
        return None if self.position is None else self.position.node

    @property
    def ask(self) -> Question | None:
        """What is asked now; a finalised roll asks nothing, and need not be looked at for that."""
        return None if self.key or self.position is None else self.position.node.ask

    @property
    def phase(self) -> str:
        if self.cancelled:
            return "cancelled"
        if self.has_hidden_progress:
            return "rolled"
        if self.position is None:
            return "declared"
        if self.key:
            return "finalised"
        if self.ask is None:
            return "decided"
        if isinstance(self.ask, Throw):
            return "rolling" if self.replies else "declared"
        return "deciding"

    @property
    def is_open(self) -> bool:
        """Whether somebody is waited for, by what is known of it."""
        over = bool(self.key) or self.cancelled or self.has_hidden_progress
        return self.position is not None and not over

    @property
    def throws(self) -> int:
        """How many throws there were: the next one's number."""
        return sum(one.thrown for one in self.replies)

    @property
    def replies_before_dice(self) -> tuple[RecordedReply, ...]:
        """What was decided before anything was thrown: it depends on no die."""
        first = next((at for at, one in enumerate(self.replies) if one.thrown), len(self.replies))
        return self.replies[:first]

    @property
    def is_past_dice(self) -> bool:
        """Whether something was thrown, or all is over: what follows may depend on dice."""
        return self.has_hidden_progress or bool(self.key) or True in [one.thrown for one in self.replies]

    @property
    def typed_faces(self) -> tuple[int, ...]:
        return tuple(face for faces in self.typed for face in faces)

    @property
    def can_undo(self) -> bool:
        """Whether the last thing that happened is a decision, and nothing was thrown since."""
        if self.key or self.cancelled or self.has_hidden_progress:
            return False
        return bool(self.typed) or (len(self.replies) > self.inherited_count and not self.replies[-1].thrown)

    @property
    def can_be_cancelled(self) -> bool:
        return not (self.is_past_dice or self.components or self.cancelled or self.typed)

    def level_for(self, seat: str, role: str) -> int:
        if seat in self.revealed_to:
            return ALL
        return roll_level(self.mode, self.roller, self.components, seat, role)

    def level_by_mode(self, seat: str, role: str) -> int:
        """What somebody is shown without anything being revealed to them."""
        return roll_level(self.mode, self.roller, self.components, seat, role, revealed=False)

    @property
    def awaited_seat(self) -> str:
        """Whose turn it is: in a contest it is each side's own."""
        side = 0 if self.ask is None else self.ask.side
        return self.components[side - 1].roller if 0 < side <= len(self.components) else self.roller

    def with_replies(
        self, rules: Ruleset, asked: Mapping[str, Any], given: tuple[RecordedReply, ...]
    ) -> TableRoll:
        """The same roll with another check or other replies, played when somebody looks."""
        replies = tuple(one.reply for one in given)
        standing = Position(rules, asked, replies, self.position)
        return replace(self, asked=asked, replies=given, position=standing)


@record()
class Request:
    """A check that the GM asked for, or that a player called for."""

    id: str
    to: tuple[str, ...]
    check: str
    parameters: Mapping[str, Any]
    hidden: tuple[str, ...] = ()
    mode: str = "public"
    title: str = ""
    called: bool = False
    proposals: Mapping[str, Any] = field(default_factory=dict)  # seat -> parameters
    character_ids: Mapping[str, str] = field(default_factory=dict)  # seat -> the character that makes it
    rolls: Mapping[str, str] = field(default_factory=dict)  # seat -> its roll
    closed: str = ""  # withdrawn, or what a call has found

    @property
    def is_open(self) -> bool:
        """Whether anybody has to do with it: an answer is due, or a call is to be settled."""
        return not self.closed and (self.called or bool({*self.to} - {*self.rolls}))


@record()
class ContestSide:
    """A side of a contest: a roll, or somebody who was asked for one."""

    name: str
    roll: str = ""
    request: str = ""


@record()
class Contest:
    """Sides that are declared before anybody rolls; the roll that compares them has its name."""

    id: str
    by: str
    check: str
    parameters: Mapping[str, Any]
    sides: tuple[ContestSide, ...]
    hidden: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    together: bool = True  # nothing is thrown before every side is declared
    closed: str = ""  # called off, or decided
    level: int = ALL

    @property
    def undeclared_sides(self) -> tuple[str, ...]:
        """Whose sides are not declared yet."""
        return tuple(one.name for one in self.sides if not one.roll)


@record()
class Table:
    """One table; `rules` is the game that is played, `shelf` has others to change to, by hash."""

    rules: Ruleset = field(repr=False)
    id: str = ""
    rulesets: Mapping[str, Ruleset] = field(default_factory=dict, repr=False, compare=False)
    seats: Mapping[str, str] = field(default_factory=dict)  # name -> role
    left_seats: tuple[str, ...] = ()  # seats whose people have gone; they may come back
    options: Mapping[str, Any] = field(default_factory=dict)  # house rules, as they were typed
    mode: str = "public"  # no roll is less strict than this
    rolls: Mapping[str, TableRoll] = field(default_factory=PersistentMap)
    requests: Mapping[str, Request] = field(default_factory=PersistentMap)
    characters: Mapping[str, TableCharacter] = field(default_factory=PersistentMap)
    contests: Mapping[str, Contest] = field(default_factory=PersistentMap)
    fight: Fight | None = None
    command_digests: Mapping[tuple[str, str], str] = field(default_factory=PersistentMap, repr=False)
    seq: int = 0
    # the names of what each viewer knows of; follows from the rest
    index: Index | None = field(default=None, repr=False, compare=False)

    def role(self, seat: str) -> str:
        return WATCHER if seat == SPECTATOR else self.seats.get(seat, "")

    def owner(self, who: str) -> str:
        """The seat that has a character; empty for somebody without a sheet."""
        figure = self.characters.get(who)
        return "" if figure is None else figure.owner

    @property
    def static_part(self) -> tuple[Any, ...]:
        """What is there beside the rolls; and those, too, where something else hangs on them."""
        rolls = self.rolls if self.contests or self.fight else None
        return (*_BESIDE_ROLLS(self), rolls)


_BESIDE_ROLLS = attrgetter(
    "rules",
    "id",
    "rulesets",
    "seats",
    "left_seats",
    "options",
    "mode",
    "requests",
    "characters",
    "contests",
    "fight",
)


def read_components(table: Table, parts: Sequence[Mapping[str, Any]]) -> tuple[ComponentRoll, ...]:
    """The rolls that a roll is made of, with what those are made of themselves."""
    rolls = [(one, table.rolls.get(one["roll"])) for one in parts]
    return tuple(
        ComponentRoll(
            one["roll"],
            one["roller"],
            combine_modes(*one["modes"]),
            roll.components if roll else (),
            roll.revealed_to if roll else (),
        )
        for one, roll in rolls
    )


def read_contest(event: Event) -> Contest:
    """The contest that an event has opened."""
    data = event.data
    return Contest(
        data["contest"],
        event.seat,
        data["check"],
        data["parameters"],
        tuple(ContestSide(one["name"], one["roll"], one["request"]) for one in data["sides"]),
        tuple(data["hidden"]),
        tuple(data["modes"]),
        data["together"],
    )


__all__ = [
    "ComponentRoll",
    "Contest",
    "ContestSide",
    "RecordedReply",
    "Request",
    "Table",
    "TableCharacter",
    "TableRoll",
    "bind_check",
    "read_contest",
]
