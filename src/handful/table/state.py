"""The table as an immutable value: seats, house rules, rolls, requests, characters, contests.

A roll stores its replies; its position follows from them (`position`).  The same types hold what a seat
knows: `level` says how much of an item that is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from handful.errors import HandfulError
from handful.records import field, record, replace
from handful.roll import BoundCheck, Node, Question, Reply, Throw
from handful.rules.ruleset import Ruleset
from handful.sheet import Character
from handful.table.events.base import Event
from handful.table.events.values import AskedCheck, ComponentData, Counts, SideLine, Texts, Values
from handful.table.fight import Fight
from handful.table.key_ledger import KeyLedger
from handful.table.persistent_map import PersistentMap
from handful.table.position import Position, bind_check
from handful.table.visibility import (
    ALL,
    NOTHING,
    SPECTATOR,
    WATCHER,
    Mode,
    Viewer,
    combine_modes,
    sheet_mode,
)


@record()
class RecordedReply:
    """A reply to a roll's question: the faces of a throw, or the answer to a decision."""

    reply: Reply
    by: str
    thrown: bool
    sides: int = 0  # of each die
    physical: bool = False
    entropy: str = ""
    words: str = ""


@record()
class ComponentRoll:
    """A roll that became part of a contest; its viewers see that side."""

    roll: str
    roller: str
    mode: Mode
    components: tuple[ComponentRoll, ...] = ()  # its own components
    revealed_to: tuple[str, ...] = ()  # seats to which it had been revealed when it joined

    def level_for(self, viewer: Viewer, *, revealed: bool = True) -> int:
        if revealed and viewer.seat in self.revealed_to:
            return ALL
        return roll_level(self.mode, self.roller, self.components, viewer, revealed=revealed)


def roll_level(
    mode: Mode,
    roller: str,
    components: tuple[ComponentRoll, ...],
    viewer: Viewer,
    *,
    revealed: bool = True,
) -> int:
    """Return how much a viewer sees of a roll; of a contest either everything or nothing.

    Rolls become part of a contest when they are final, and when that is depends on their dice: a viewer
    who does not see these must not learn of the contest either.
    """
    level = mode.level(viewer, roller)
    if not components:
        return level
    lowest = min([level, *(part.level_for(viewer, revealed=revealed) for part in components)])
    return NOTHING if lowest < ALL else lowest


@record()
class TableCharacter:
    """A character at the table: its owner, its sheet, and who sees it."""

    id: str  # owner/name: two seats may use the same name
    owner: str
    name: str
    kind: str
    shown: str
    sheet: Character | None = None  # None if the viewer only knows of its presence
    level: int = ALL
    items: Mapping[str, tuple[int, bool]] = field(default_factory=dict)  # item -> uses per round, out of use
    tasks: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # task -> results of failed attempts
    last_change: Counts = field(default_factory=dict)  # the change of points that can be undone
    picture: str = ""  # the hash of its picture

    def level_for(self, viewer: Viewer) -> int:
        return sheet_mode(self.shown).level(viewer, self.owner)


@record()
class Judgment:
    """The GM's comment on a result."""

    by: str
    grade: str
    words: str


@record()
class Note:
    """A note on a roll, and its author."""

    by: str
    text: str


@record()
class TableRoll:
    """A roll at the table, as far as a viewer sees it; `level` says how far that is."""

    id: str
    roller: str
    commitment: str
    asked: AskedCheck | None = None  # None if the viewer only knows that somebody rolls
    modes: tuple[str, ...] = ()
    mode: Mode = field(default=Mode(ALL, ALL, ALL))
    hidden: tuple[str, ...] = ()  # parameters that only the GM knows
    title: str = ""
    position: Position | None = field(default=None, repr=False, compare=False)  # derived from replies
    replies: tuple[RecordedReply, ...] = ()
    typed: tuple[tuple[int, ...], ...] = ()  # faces of an incomplete throw, one tuple per command
    key: str = ""  # published when the roll is finalised
    cancelled: bool = False
    components: tuple[ComponentRoll, ...] = ()
    inherited_count: int = 0  # number of replies inherited from the components
    judgments: tuple[Judgment, ...] = ()
    revealed_to: tuple[str, ...] = ()  # seats to which it was revealed
    level: int = ALL
    has_hidden_progress: bool = False  # past its dice, for a viewer who may not see them
    before_correction: TableRoll | None = field(
        default=None, repr=False
    )  # the roll before its corrections after dice
    character_ids: tuple[str, ...] = ()  # the character of each side; "" for none
    skill_counts: tuple[int, ...] = ()  # number of skills that each side checks together
    lines: tuple[SideLine, ...] = ()  # the origin of each parameter
    paid: Mapping[str, Counts] = field(default_factory=dict)  # character -> points
    action_context: Texts = field(default_factory=dict)  # see `action_context`
    label: str = ""  # the same for everybody who knows of the roll; see `roll_labels`
    notes: tuple[Note, ...] = ()

    @property
    def declared(self) -> AskedCheck:
        """The declared check, of a roll of which more is known than that somebody rolls."""
        assert self.asked is not None
        return self.asked

    @property
    def bound(self) -> BoundCheck | None:
        return None if self.position is None else self.position.bound

    def rules(self, now: Ruleset) -> Ruleset:
        """Return the rules under which it was declared; the table's may have changed by `now`."""
        return now if self.position is None else self.position.rules

    @property
    def node(self) -> Node | None:
        return None if self.position is None else self.position.node

    @property
    def ask(self) -> Question | None:
        """The current question, or None; a finalised roll has none, and is not replayed to find that out."""
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
        """True while the roll waits for a reply or for its end, as far as the viewer can tell."""
        over = bool(self.key) or self.cancelled or self.has_hidden_progress
        return self.position is not None and not over

    @property
    def throws(self) -> int:
        """The number of throws so far, which is the index of the next one."""
        return sum(one.thrown for one in self.replies)

    @property
    def replies_before_dice(self) -> tuple[RecordedReply, ...]:
        """The decisions before the first throw, which depend on no die."""
        first = next((at for at, one in enumerate(self.replies) if one.thrown), len(self.replies))
        return self.replies[:first]

    @property
    def is_past_dice(self) -> bool:
        """True once dice were thrown or the roll is over: later events may depend on dice."""
        return self.has_hidden_progress or bool(self.key) or True in [one.thrown for one in self.replies]

    @property
    def typed_faces(self) -> tuple[int, ...]:
        return tuple(face for faces in self.typed for face in faces)

    @property
    def can_undo(self) -> bool:
        """True if the last reply is a decision, or faces are typed in, with no throw since."""
        if self.key or self.cancelled or self.has_hidden_progress:
            return False
        return bool(self.typed) or (len(self.replies) > self.inherited_count and not self.replies[-1].thrown)

    @property
    def can_be_cancelled(self) -> bool:
        return not (self.is_past_dice or self.components or self.cancelled or self.typed)

    def level_for(self, viewer: Viewer) -> int:
        if viewer.seat in self.revealed_to:
            return ALL
        return roll_level(self.mode, self.roller, self.components, viewer)

    def level_by_mode(self, viewer: Viewer) -> int:
        """Return how much a viewer sees by the modes alone, without reveals."""
        return roll_level(self.mode, self.roller, self.components, viewer, revealed=False)

    def hidden_from(self, viewer: Viewer) -> tuple[str, ...]:
        """Return the parameters that a viewer may not know."""
        return () if viewer.is_gm else self.hidden

    @property
    def awaited_seat(self) -> str:
        """The seat whose reply is due: in a contest, that of the side that is asked."""
        side = 0 if self.ask is None else self.ask.side
        return self.components[side - 1].roller if 0 < side <= len(self.components) else self.roller

    def with_replies(
        self, rules: Ruleset, asked: AskedCheck, replies: tuple[RecordedReply, ...]
    ) -> TableRoll:
        """Return the roll with another check or other replies; nothing is replayed yet."""
        bare_replies = tuple([one.reply for one in replies])
        position = Position(rules, asked, bare_replies, self.position)
        return replace(self, asked=asked, replies=replies, position=position)

    def playable(self) -> TableRoll:
        """Return the roll without a position if it cannot be replayed; then only its dice are shown.

        That may be so for a seat that does not know a hidden parameter.
        """
        try:
            _ = self.node
        except HandfulError:
            return replace(self, position=None)
        return self


@record()
class Request:
    """A check that the GM asked for, or that a player called for."""

    id: str
    to: tuple[str, ...]
    check: str
    parameters: Values
    hidden: tuple[str, ...] = ()
    mode: str = "public"
    title: str = ""
    called: bool = False
    proposals: Mapping[str, Values] = field(default_factory=dict)  # seat -> parameters
    character_id: str = ""  # that the GM named
    character_ids: Texts = field(default_factory=dict)  # seat -> its character
    rolls: Texts = field(default_factory=dict)  # seat -> its roll
    closed: str = ""  # withdrawn, or the result of a call

    @property
    def is_open(self) -> bool:
        """True while it needs attention: a proposal is due, or a call is to be settled."""
        return not self.closed and (self.called or bool({*self.to} - {*self.rolls}))


@record()
class ContestSide:
    """A side of a contest: a roll, or a seat that was asked for one."""

    name: str
    roll: str = ""
    request: str = ""


@record()
class Contest:
    """A contest whose sides were named before they rolled; the roll that compares them has the same id."""

    id: str
    by: str
    check: str
    parameters: Values
    sides: tuple[ContestSide, ...]
    hidden: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    together: bool = True  # nothing is thrown before every side is declared
    closed: str = ""  # called off, or decided

    @property
    def undeclared_sides(self) -> tuple[str, ...]:
        """The seats whose sides are not declared yet."""
        return tuple(one.name for one in self.sides if not one.roll)


@record()
class ChatMessage:
    """A chat message to everyone, or whispered to some seats."""

    id: str
    by: str
    text: str
    to: tuple[str, ...] | None = None  # None: everyone


@record()
class Table:
    """A table, or what a viewer knows of it; `rules` are those in force, `rulesets` has others, by hash."""

    rules: Ruleset = field(repr=False)
    id: str = ""
    rulesets: Mapping[str, Ruleset] = field(default_factory=dict, repr=False, compare=False)
    seats: Texts = field(default_factory=dict)  # name -> role
    left_seats: tuple[str, ...] = ()  # seats that were left; their players may come back
    gm_seats: Texts = field(default_factory=dict)  # GM's seat -> the other seat of the same person
    options: Values = field(default_factory=dict)  # house rules, as typed
    mode: str = "public"  # the most public mode allowed for rolls
    rolls: Mapping[str, TableRoll] = field(default_factory=PersistentMap)
    open_rolls: tuple[str, ...] = ()  # names of the rolls that wait for something
    requests: Mapping[str, Request] = field(default_factory=PersistentMap)
    characters: Mapping[str, TableCharacter] = field(default_factory=PersistentMap)
    dismissed: Mapping[str, TableCharacter] = field(default_factory=dict)
    contests: Mapping[str, Contest] = field(default_factory=PersistentMap)
    fight: Fight | None = None
    messages: Mapping[str, ChatMessage] = field(default_factory=PersistentMap)
    scratchpad: str = ""
    gm_notes: str = ""  # the scratchpad of the GMs
    counted_rolls: int = 0  # rolls that everybody knows of
    command_digests: Mapping[tuple[str, str], str] = field(default_factory=PersistentMap, repr=False)
    pictures: Texts = field(default_factory=dict)  # seat -> the hash of its picture
    colours: Texts = field(default_factory=dict)  # seat -> the colour it chose
    seq: int = 0
    epoch: int = 0  # from 1; 0 in logs of before there were epochs
    keys: KeyLedger = field(default=KeyLedger(), repr=False, compare=False)  # of the whole table only
    # What each viewer knows: the fold of its own log.  Empty in a table that is itself somebody's knowledge.
    known: Mapping[str, Table] = field(default_factory=dict, repr=False, compare=False)
    # the last event as each viewer was told of it, or None
    told: Mapping[str, Event | None] = field(default_factory=dict, repr=False, compare=False)

    def role(self, seat: str) -> str:
        return WATCHER if seat == SPECTATOR else self.seats.get(seat, "")

    def viewer(self, seat: str) -> Viewer:
        return Viewer(seat, self.role(seat))

    def owns(self, seat: str, character_id: str) -> bool:
        """Return True if a seat owns a character; nobody owns a combatant without a sheet."""
        character = self.characters.get(character_id)
        return character is not None and character.owner == seat

    def character(self, character_id: str) -> TableCharacter | None:
        """Return a character, also one that was dismissed."""
        return self.characters.get(character_id) or self.dismissed.get(character_id)

    def find_rules(self, hash: str) -> Ruleset:
        """Return the ruleset of a hash; the rules in force if it is not available here."""
        return self.rules if hash in ("", self.rules.hash) else self.rulesets.get(hash, self.rules)


def last_rolls(table: Table, count: int) -> list[str]:
    """Return the names of the rolls that were declared or shown last, oldest first."""
    rolls = table.rolls
    return rolls.last_keys(count) if isinstance(rolls, PersistentMap) else [*rolls][-count:]


def read_components(table: Table, components: Sequence[ComponentData]) -> tuple[ComponentRoll, ...]:
    """Read a contest's component rolls, with their own components."""
    rolls = [(one, table.rolls.get(one.roll)) for one in components]
    return tuple(
        ComponentRoll(
            one.roll,
            one.roller,
            combine_modes(*one.modes),
            roll.components if roll else (),
            roll.revealed_to if roll else (),
        )
        for one, roll in rolls
    )


__all__ = [
    "ChatMessage",
    "ComponentRoll",
    "Contest",
    "ContestSide",
    "Note",
    "RecordedReply",
    "Request",
    "Table",
    "TableCharacter",
    "TableRoll",
    "bind_check",
    "last_rolls",
]
