"""Events of a fight: shown to everyone who sees the combatant, and with all fields to the GM.

Hidden combatants are left out, also of the `order`; a fight of hidden combatants alone is the GM's.
A `roll` or `roll_of` that a seat may not know of is left out, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from handful.records import record
from handful.table.codec import Nullable
from handful.table.events.base import All, EventBody, Stored, Told, event
from handful.table.events.values import CombatantName, FightState, RankData


@record()
class FightBody(EventBody):
    """The content of an event in a fight."""

    group: ClassVar[str] = "fight"


@record()
class CombatantBody(FightBody):
    """The content of an event about one combatant."""

    combatant: str


@record()
class MoveBody(CombatantBody):
    """A move that can be undone."""


@event("fight_begun")
class FightBegun(FightBody):
    """A fight began, with its turn order; for the GM also how the order came about."""

    fight: str
    order: tuple[CombatantName, ...]
    ranks: All[Mapping[str, RankData] | None] = None
    hidden: All[tuple[str, ...] | None] = None
    by_gm: All[bool | None] = None
    state: Told[FightState | None] = None


@event("combatant_joined")
class CombatantJoined(CombatantBody):
    """A combatant joined the fight; `state` is the fight for those who do not see every rank."""

    combatant: str
    name: str
    behind: All[str | None] = None
    rank: All[tuple[int | str, ...] | None] = None
    rolled: All[int | None] = None
    hidden: All[tuple[str, ...] | None] = None
    state: Told[FightState | None] = None


@event("combatant_left")
class CombatantLeft(CombatantBody):
    """A combatant left the fight; `last`: nobody is left whom the seat sees."""

    combatant: str
    last: Told[bool | None] = None


@event("combatant_revealed")
class CombatantRevealed(CombatantBody):
    """A hidden combatant was revealed to everyone; `state` is the fight for those who did not see it."""

    combatant: str
    name: str
    state: Told[FightState | None] = None


@event("combatant_attacked")
class CombatantAttacked(CombatantBody):
    """A combatant was attacked this round, by a `roll` or otherwise."""

    combatant: str
    roll: str | None = None


@event("round_begun")
class RoundBegun(FightBody):
    """The next round began."""

    number: int


@event("fight_ended")
class FightEnded(FightBody):
    """The fight ended."""

    fight: str


@event("actions_lost")
class ActionsLost(CombatantBody):
    """Actions left unused at the end of the round."""

    combatant: str
    actions: int


@event("leave_granted")
class LeaveGranted(CombatantBody):
    """The GM allowed a combatant to react before its turn (`reaction`) or one free check (`free_action`).

    Shown to the GM and its player.
    """

    combatant: str
    leave: str


@event("leave_used")
class LeaveUsed(CombatantBody):
    """That permission was used; shown alike."""

    combatant: str
    leave: str


@event("hit_taken")
class HitTaken(CombatantBody):
    """A combatant did not react to a `roll`; shown alike."""

    combatant: str
    roll: str | None = None


@event("move_undone")
class MoveUndone(CombatantBody):
    """The last move was undone."""

    combatant: str


@event("actions_fixed")
class ActionsFixed(MoveBody):
    """A combatant's number of actions this round."""

    combatant: str
    actions: int
    roll: Stored[str | None] = None


@event("action_taken")
class ActionTaken(MoveBody):
    """An action was taken, with or without a `roll`."""

    combatant: str
    what: str
    roll: str | None = None
    item: str | None = None


@event("waited")
class Waited(MoveBody):
    """An action was held back for later."""

    combatant: str


@event("interrupted")
class Interrupted(MoveBody):
    """A waiting combatant interrupted `roll_of` before its result was revealed."""

    combatant: str
    what: str
    roll_of: str | None = None
    roll: str | None = None
    item: str | None = None


@event("reacted")
class Reacted(MoveBody):
    """A reaction; `actions`: the number this round, if that was still open; `leave`: with permission."""

    combatant: str
    actions: Nullable[int]
    leave: bool
    what: str
    roll: str | None = None
    item: str | None = None


@event("stance_taken")
class StanceTaken(MoveBody):
    """A stance for the whole round."""

    combatant: str
    stance: str
    choice: str


@event("round_prepared")
class RoundPrepared(MoveBody):
    """A round spent preparing."""

    combatant: str


@event("paced")
class Paced(MoveBody):
    """A movement, with its distance and cost."""

    combatant: str
    pace: str
    cost: int
    leave: bool
    distance: int | str


@event("turn_ended")
class TurnEnded(MoveBody):
    """A turn ended."""

    combatant: str
