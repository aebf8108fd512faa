"""Commands on rolls."""

from __future__ import annotations

from typing import Annotated

from handful.errors import Message
from handful.records import record
from handful.rules.program import Record
from handful.table.commands.base import CommandBody, RollCommand, command, part, parts
from handful.table.commands.field_types import (
    ActionCosts,
    Answer,
    AnyValue,
    CharacterId,
    Count,
    CountList,
    Faces,
    Flag,
    Id,
    Index,
    ModeName,
    Name,
    NamedValues,
    Names,
    SideCharacterIds,
    SideValues,
    Text,
    Written,
)


@record()
class TypedLine:
    """A line that the GM adds to a check."""

    parameter: Name
    value: AnyValue
    note: Text = ""
    side: Count = 1


TypedLines = Annotated[
    tuple[TypedLine, ...],
    parts(Message("part_of_command.line"), TypedLine, Message("field.lines")),
]


@record()
class Declaration(CommandBody):
    """A check that somebody is about to make; in a fight also the action that it is."""

    check: Name
    parameters: NamedValues = Record()
    sides: SideValues = ()
    mode: ModeName = "public"
    hidden: Names = ()
    title: Text = ""
    character_ids: SideCharacterIds = ()
    off: CountList = ()
    add: TypedLines = ()
    spends: ActionCosts | None = None
    interrupts: Id | None = None
    answers: Id | None = None
    target: CharacterId | None = None
    item: Name | None = None
    task: Name | None = None
    actions: Count | None = None
    damage_of: Id | None = None
    resists: Id | None = None

    @property
    def first_character(self) -> str:
        """The character of the first side; "" if there is none."""
        return self.character_ids[0] if self.character_ids else ""


@record()
class IncludedThrow:
    """The throw that comes with a declaration or a decision."""

    faces: Faces | None = None
    entropy: Text = ""
    commitment: Text = ""


ThrowFields = Annotated[IncludedThrow, part(Message("part_of_command.throw"), IncludedThrow)]


@command("declare", by="GM, players")
class DeclareRoll(Declaration):
    """Declare a roll.

    `as`: the character, or one for each side. Only the GM declares `for` another seat, with `hidden`
    parameters, with lines switched `off` (by number) or added (`add`).
    The fields from `spends` to `actions` describe an action in a fight; `item` brings what stands on the
    sheet. `damage_of` a hit, and `resists` by its target: the check and its parameters follow from the
    game and the item.
    `throw`: throws at once, with the fields of the command `throw`, if that is allowed then; if not, the
    roll is only declared. `finish`: finalises at once if nothing is left to decide, and in a fight if nobody
    whom all see could answer or interrupt it.
    `request`: answers a request, with `check`, `parameters` and `as`: declares the roll if the GM left
    nothing open, and otherwise proposes it.
    """

    for_seat: Name | None = None
    throw: ThrowFields | None = None
    finish: Flag = False
    request: Id | None = None


@command("switch", by="GM")
class SwitchLine(RollCommand):
    """Switch a line, by its number, off or on again, before the first throw."""

    line: Count
    on: Flag


@command("add_line", by="GM")
class AddLine(RollCommand):
    """Add a line to a roll before its first throw."""

    parameter: Name
    value: AnyValue
    note: Text = ""
    side: Count = 1


@command("throw", by="the roller, GM")
class ThrowDice(RollCommand):
    """Throw the dice that are due.

    `faces` of physical dice, all or some of them; or `entropy`: any text that is mixed into the dice.
    `commitment`: refuses the throw if the roll has another one than the sender saw.
    """

    faces: Faces | None = None
    entropy: Text = ""
    commitment: Text = ""


@command("answer", by="the seat the game asks, GM")
class TakeDecision(RollCommand):
    """Answer the question of a roll with die numbers or an option's name; `words`: a comment.

    `throw` and `finish` as for `declare`: throw at once if dice are due then, and finalise at once if
    nothing is left to decide.
    """

    answer: Answer
    words: Text = ""
    throw: ThrowFields | None = None
    finish: Flag = False


@command("undo", by="the seat that decided or typed, GM")
class UndoReply(RollCommand):
    """Undo a decision if nothing was thrown since, or the faces typed last of an incomplete throw."""


@command("cancel", by="the roller, GM")
class CancelRoll(RollCommand):
    """Cancel a roll before its first throw and while no open contest waits for it.

    Its points and its action are returned, and the request that led to it reopens if roller and GM both
    know of the roll.
    """


@command("finalise", by="the roller, GM")
class FinaliseRoll(RollCommand):
    """End a roll after its last decision.

    A roll that ends with a throw finalises itself, except in a fight, where the GM reveals the result.
    """


@command("correct", by="GM")
class CorrectRoll(RollCommand):
    """Evaluate the same dice again with other `parameters` or `sides`.

    `throw` and `faces` correct mistyped faces.
    """

    parameters: NamedValues = Record()
    sides: SideValues = ()
    throw: Index | None = None
    faces: Faces | None = None
    words: Text = ""


@command("judge", by="GM")
class JudgeRoll(RollCommand):
    """Say what the result of a finalised roll means: a `grade`, `words`, or both."""

    words: Text = ""
    grade: Text = ""


@command("reveal", by="GM, the roller")
class RevealRoll(RollCommand):
    """Reveal a roll to some seats; without `to`, to everyone."""

    to: Names | None = None


@command("reveal_target", by="GM")
class RevealTarget(RollCommand):
    """Show everything that was hidden of a roll."""


@command("note", by="GM, players who see all of it")
class NoteRoll(RollCommand):
    """Write a note on a roll; whoever sees all of the roll reads it."""

    text: Written
