"""Events about one roll.

Fields that a seat may not see are None in its copy of an event.
"""

from __future__ import annotations

from handful.roll import Reply
from handful.table.events.base import All, Declared, Presence, RollBody, Stored, Told, event
from handful.table.events.values import (
    AskedCheck,
    ComponentData,
    CorrectedThrow,
    OfferedAnswer,
    ReplyData,
    RollStory,
    SideLine,
    Texts,
)
from handful.table.visibility import ALL, DECLARED, PRESENCE


@event("roll_declared")
class RollDeclared(RollBody):
    """A roll was declared, with a commitment to its key and to the `next` key of the same stream.

    `parts` and `begun`: the rolls and replies a contest is made of; `deed`: its action context in a fight.
    """

    roll: Presence[str]
    roller: Presence[str]
    commitment: Presence[str]
    next: Presence[str | None] = None  # of a comparing roll: None
    asked: Declared[AskedCheck | None] = None
    modes: Declared[tuple[str, ...] | None] = None
    hidden: Declared[tuple[str, ...] | None] = None
    title: Declared[str | None] = None
    character_ids: Declared[tuple[str, ...] | None] = None
    skill_counts: Declared[tuple[int, ...] | None] = None
    lines: Declared[tuple[SideLine, ...] | None] = None
    action_context: Declared[Texts | None] = None
    components: All[tuple[ComponentData, ...] | None] = None
    inherited: All[tuple[ReplyData, ...] | None] = None
    offered: Declared[Told[OfferedAnswer | None]] = None

    @property
    def level(self) -> int:
        """The level of visibility that this copy of the event has."""
        if self.asked is None:
            return PRESENCE
        return DECLARED if self.components is None else ALL


@event("line_switched")
class LineSwitched(RollBody):
    """The GM switched a line on or off; `line` and its `number` are for those who see the character."""

    roll: Declared[str]
    asked: Declared[AskedCheck]
    line: Declared[SideLine | None] = None
    number: Declared[int | None] = None
    offered: Declared[Told[OfferedAnswer | None]] = None


@event("line_added")
class LineAdded(RollBody):
    """The GM added a line; visible like `line_switched`."""

    roll: Declared[str]
    asked: Declared[AskedCheck]
    line: Declared[SideLine | None] = None
    number: Declared[int | None] = None
    offered: Declared[Told[OfferedAnswer | None]] = None


@event("faces_typed", only_before_dice=True)
class FacesTyped(RollBody):
    """Some faces of a throw were typed; `due` are missing."""

    roll: Declared[str]
    throw: Declared[int]
    side: All[int | None] = None
    sides: All[int | None] = None
    faces: All[tuple[int, ...] | None] = None
    due: All[int | None] = None


@event("faces_taken_back", only_before_dice=True)
class FacesTakenBack(RollBody):
    """The faces typed last were removed."""

    roll: Declared[str]
    throw: Declared[int]
    faces: All[tuple[int, ...] | None] = None


@event("dice_thrown", only_before_dice=True)
class DiceThrown(RollBody):
    """Dice were thrown, virtual or `physical`."""

    roll: Declared[str]
    throw: Declared[int]
    side: All[int | None] = None
    sides: All[int | None] = None
    faces: All[tuple[int, ...] | None] = None
    physical: All[bool | None] = None
    entropy: All[str | None] = None
    offered: Declared[Told[OfferedAnswer | None]] = None


@event("decision_taken", only_before_dice=True)
class DecisionTaken(RollBody):
    """A decision was made."""

    roll: Declared[str]
    decision: Declared[str]
    side: Declared[int]
    answer: Declared[Reply]
    words: Declared[str]
    offered: Declared[Told[OfferedAnswer | None]] = None


@event("decision_undone", only_before_dice=True)
class DecisionUndone(RollBody):
    """The last decision was undone."""

    roll: Declared[str]
    offered: Declared[Told[OfferedAnswer | None]] = None


@event("roll_finalised", only_before_dice=True)
class RollFinalised(RollBody):
    """The roll is finished, and its key revealed."""

    roll: Declared[str]
    key: All[str | None] = None
    offered: Declared[Told[OfferedAnswer | None]] = None


@event("roll_corrected", only_before_dice=True)
class RollCorrected(RollBody):
    """Evaluated again with the same dice; `faces` that had been mistyped."""

    roll: Declared[str]
    asked: Declared[AskedCheck]
    words: Declared[str]
    faces: All[tuple[CorrectedThrow, ...] | None] = None
    offered: Declared[Told[OfferedAnswer | None]] = None


@event("contest_kept")
class ContestUnchanged(RollBody):
    """A part of this contest was corrected; the contest stays, because it would have needed other dice."""

    roll: All[str]


@event("roll_cancelled", only_before_dice=True)
class RollCancelled(RollBody):
    """The roll was cancelled; its key is never revealed."""

    roll: Declared[str]
    offered: Declared[Told[OfferedAnswer | None]] = None


@event("roll_judged")
class RollJudged(RollBody):
    """The GM's interpretation of a result."""

    roll: All[str]
    grade: All[str]
    words: All[str]


@event("roll_noted")
class RollNoted(RollBody):
    """A note on a roll."""

    roll: All[str]
    text: All[str]


@event("roll_revealed")
class RollRevealed(RollBody):
    """Seats may see the roll from now on; those who could not before get its `story`."""

    roll: All[str]
    to: Stored[tuple[str, ...] | None] = None
    story: All[Told[RollStory | None]] = None
    offered: All[Told[OfferedAnswer | None]] = None


@event("target_revealed")
class TargetRevealed(RollBody):
    """Everything hidden of the roll was revealed."""

    roll: Declared[str]
    asked: Declared[Told[AskedCheck | None]] = None
    lines: Declared[Told[tuple[SideLine, ...] | None]] = None
    offered: Declared[Told[OfferedAnswer | None]] = None
