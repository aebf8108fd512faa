"""Commands in a fight."""

from __future__ import annotations

from typing import Annotated

from handful.errors import Message
from handful.records import record
from handful.rules.program import Record
from handful.table.commands.base import CombatantCommand, CommandBody, command, part, parts
from handful.table.commands.field_types import (
    CharacterId,
    CombatantIds,
    Count,
    Flag,
    Id,
    Leave,
    Name,
    NamedValues,
    Text,
)

OWNER = "the combatant's owner, GM"


@record()
class NewCombatant:
    """A combatant who enters a fight: a character with a sheet, or just a name."""

    character: CharacterId | None = None
    name: Name | None = None
    marks: NamedValues = Record()
    hidden: Flag = False
    initiative: Count | None = None


_COMBATANT = Message("part_of_command.combatant")
OneCombatant = Annotated[NewCombatant, part(_COMBATANT, NewCombatant)]
Combatants = Annotated[
    tuple[NewCombatant, ...], parts(_COMBATANT, NewCombatant, Message("field.combatants"), least=1)
]


@command("fight", by="GM")
class BeginFight(CommandBody):
    """Begin a fight.

    A combatant is a `character`, with `marks` for ties, or a `name`, with `initiative` and `hidden`.
    `order` if nothing else decides.
    """

    combatants: Combatants
    order: CombatantIds = ()


@command("join", by="GM")
class JoinFight(CommandBody):
    """Let one more combatant join; `behind`: another combatant, instead of the initiative."""

    who: OneCombatant
    behind: Id | None = None


@command("out", by="GM")
class LeaveFight(CombatantCommand):
    """Take a combatant out of the fight."""


@command("uncover", by="GM")
class RevealCombatant(CombatantCommand):
    """Reveal a hidden combatant without a sheet; one with a sheet is revealed by `show`."""


@command("next_round", by="GM")
class BeginRound(CommandBody):
    """Begin the next round; unused actions are lost."""


@command("end_fight", by="GM")
class EndFight(CommandBody):
    """End the fight; items and tasks stay as they are."""


@command("fix", by=OWNER)
class FixActions(CombatantCommand):
    """Fix the number of actions this round."""

    actions: Count


@command("act", by=OWNER)
class TakeAction(CombatantCommand):
    """Take an action without a roll."""

    what: Text = ""


@command("wait", by=OWNER)
class Wait(CombatantCommand):
    """Wait, which costs an action; the next one may come at any time."""


@command("interrupt", by=OWNER)
class InterruptRoll(CombatantCommand):
    """Interrupt a roll whose result is not revealed yet."""

    roll_of: Id
    what: Text = ""


@command("react", by=OWNER)
class React(CombatantCommand):
    """React; before the combatant's turn only by the GM, also with `actions`."""

    actions: Count | None = None
    what: Text = ""


@command("stance", by=OWNER)
class TakeStance(CombatantCommand):
    """Take a stance, for the whole round.

    Allowed before one's turn, and then it counts against attacks that are declared but not thrown.
    """

    stance: Name
    choice: Name = ""


@command("prepare", by=OWNER)
class PrepareRound(CombatantCommand):
    """Spend the round preparing."""


@command("pace", by=OWNER)
class ChoosePace(CombatantCommand):
    """Move at a pace of the game; some cost an action."""

    pace: Name


@command("end_turn", by=OWNER)
class EndTurn(CombatantCommand):
    """End the combatant's turn."""


@command("undo_move", by=OWNER)
class UndoMove(CombatantCommand):
    """Undo the combatant's last move, if no other followed."""


@command("take_hit", by=OWNER)
class TakeHit(CombatantCommand):
    """Let a roll against the combatant stand instead of answering it."""

    roll_of: Id


@command("grant", by="GM")
class GrantLeave(CombatantCommand):
    """Grant a `reaction` before the combatant's turn, or one `free_action`, this round."""

    leave: Leave
