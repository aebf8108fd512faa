"""Turns a command into events, or refuses it with a reason.

The command is validated, checked against the legal actions that follow from what the seat knows, and
only then executed on the full table: so a refusal never says more than the seat could have known.
Randomness comes from outside (`keys.Dice`).  A repeated key yields no events: commands are
idempotent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from handful.errors import Message, Refused
from handful.table import (
    action_costs,
    characters,
    commands,
    contests,
    corrections,
    fight_commands,
    line_changes,
    messages,
    points,
    requests,
    rolls,
)
from handful.table.actions import removable_seats
from handful.table.commands import CommandBody, check_name, read_command
from handful.table.declarations import declare
from handful.table.events import (
    Command,
    Event,
    GmShared,
    HouseRulesChanged,
    SeatLeft,
    SeatPictured,
    SeatStyled,
    SeatTaken,
    TableOpened,
    VisibilityChanged,
)
from handful.table.events.values import Game, Texts
from handful.table.key_streams import first_commitments
from handful.table.keys import Dice
from handful.table.legality import check_command
from handful.table.rules_change import change_rules
from handful.table.similar_names import is_invisible, similar_name
from handful.table.state import Table
from handful.table.transaction import AppliedEvent, Transaction, tuple_to_list
from handful.table.visibility import GM, ROLLING_ROLES


def decide(table: Table, command: Command, actor: str, dice: Dice) -> tuple[Event, ...]:
    """Return the events of a command; raise `Refused` if the table does not allow it."""
    return tuple(one.event for one in apply_command(table, command, actor, dice))


def apply_command(table: Table, command: Command, actor: str, dice: Dice) -> Sequence[AppliedEvent]:
    """Like `decide`, but return each event with the table after it."""
    body = read_command(command)
    digest = table.command_digests.get((actor, command.key))
    if digest is not None:
        if digest != command.digest:
            raise Refused(Message("table_command.key_used", key=command.key))
        return ()
    transaction = Transaction(table, table.viewer(actor), command, dice)
    check_command(transaction.known, transaction.viewer, body)
    _HANDLERS[type(body)](transaction, body)
    contests.compare_answers(transaction)
    contests.resolve_open_contests(transaction)
    return transaction.applied


# -- the table itself


def _open(transaction: Transaction, command: commands.OpenTable) -> None:
    rules = transaction.table.rules
    check_name(Message("seat.name"), transaction.actor)
    game, public_key = Game(rules.id, rules.hash), transaction.dice.public_key
    transaction.emit(TableOpened(table=command.table, game=game, public_key=public_key))
    commitments = _commitments(transaction, transaction.actor)
    transaction.emit(SeatTaken(name=transaction.actor, role=GM, commitments=commitments))


def _seat(transaction: Transaction, command: commands.GiveSeat) -> None:
    _take_seat(transaction, command.name, command.role)


def _share_gm(transaction: Transaction, command: commands.ShareGm) -> None:
    """Give somebody a GM's seat beside their own, so that each seat still knows what its log says."""
    to = command.to
    if to not in transaction.table.seats or to in transaction.table.left_seats:
        raise Refused(Message("seat.unknown_name", name=to))
    if transaction.table.role(to) == GM:
        raise Refused(Message("seat.is_gm", name=to))
    _take_seat(transaction, command.name, GM)
    transaction.emit(GmShared(name=command.name, to=to))


def _take_seat(transaction: Transaction, name: str, role: str) -> None:
    commitments: Texts | None = None
    if name in transaction.table.left_seats:
        if role != transaction.table.role(name):
            raise Refused(Message("seat.other_role", name=name, role=transaction.table.role(name)))
    elif name in transaction.table.seats:
        raise Refused(Message("seat.taken", name=name))
    else:
        if is_invisible(name):
            raise Refused(Message("seat.invisible_name"))
        if other := similar_name(name, transaction.table.seats):
            raise Refused(Message("seat.looks_like", name=name, other=other))
        if role in ROLLING_ROLES:
            commitments = _commitments(transaction, name)
    transaction.emit(SeatTaken(name=name, role=role, commitments=commitments))


def _commitments(transaction: Transaction, name: str) -> Texts | None:
    """Return the commitments to the first keys of a new seat; None if the table has no epochs yet."""
    epoch = transaction.table.epoch
    return first_commitments(transaction.dice.key, epoch, name) if epoch else None


def _leave(transaction: Transaction, command: commands.LeaveTable) -> None:
    """Mark a seat as left; it keeps its visibility, and may come back."""
    name = transaction.actor if command.name is None else command.name
    if name not in transaction.table.seats or name in transaction.table.left_seats:
        raise Refused(Message("seat.none_to_leave", name=name))
    if name not in removable_seats(transaction.table, transaction.viewer):
        raise Refused(Message("seat.last_gm") if transaction.role == GM else Message("seat.only_gm_removes"))
    transaction.emit(SeatLeft(name=name))


def _style(transaction: Transaction, command: commands.StyleSeat) -> None:
    """Give the actor's seat a colour; one that it has already is no event."""
    if transaction.table.colours.get(transaction.actor) == command.colour:
        raise Refused(Message("seat.same_colour", colour=command.colour))
    transaction.emit(SeatStyled(name=transaction.actor, colour=command.colour))


def _picture(transaction: Transaction, command: commands.PictureSeat) -> None:
    if transaction.table.pictures.get(transaction.actor, "") == command.picture:
        raise Refused(Message("seat.same_picture"))
    transaction.emit(SeatPictured(name=transaction.actor, picture=command.picture))


def _house_rules(transaction: Transaction, command: commands.SetHouseRules) -> None:
    rules = transaction.table.rules
    changes = rules.resolve_options({**transaction.table.options, **command.options})
    non_default = {name: value for name, value in changes.items() if value != rules.defaults[name]}
    transaction.emit(
        HouseRulesChanged(options={name: tuple_to_list(one) for name, one in non_default.items()})
    )


def _visibility(transaction: Transaction, command: commands.SetVisibility) -> None:
    transaction.emit(VisibilityChanged(mode=command.mode))


Body = TypeVar("Body", bound=CommandBody)
Handler = Callable[[Transaction, Any], None]


def _handled(
    kind: type[Body], handle: Callable[[Transaction, Body], None]
) -> tuple[type[CommandBody], Handler]:
    """Return a kind of command with its handler, which must take that kind."""
    return kind, handle


_HANDLERS: Mapping[type[CommandBody], Handler] = dict(
    [
        _handled(commands.OpenTable, _open),
        _handled(commands.GiveSeat, _seat),
        _handled(commands.LeaveTable, _leave),
        _handled(commands.StyleSeat, _style),
        _handled(commands.PictureSeat, _picture),
        _handled(commands.ShareGm, _share_gm),
        _handled(commands.SetHouseRules, _house_rules),
        _handled(commands.ChangeRules, change_rules),
        _handled(commands.SetVisibility, _visibility),
        _handled(commands.DeclareRoll, declare),
        _handled(commands.SwitchLine, line_changes.switch),
        _handled(commands.AddLine, line_changes.add_line),
        _handled(commands.ThrowDice, rolls.throw),
        _handled(commands.TakeDecision, rolls.answer),
        _handled(commands.UndoReply, rolls.undo),
        _handled(commands.CancelRoll, rolls.cancel),
        _handled(commands.FinaliseRoll, rolls.finalise),
        _handled(commands.CorrectRoll, corrections.correct),
        _handled(commands.JudgeRoll, rolls.judge),
        _handled(commands.RevealRoll, rolls.reveal),
        _handled(commands.RevealTarget, rolls.reveal_target),
        _handled(commands.NoteRoll, messages.note),
        _handled(commands.Say, messages.say),
        _handled(commands.WriteScratchpad, messages.write_scratchpad),
        _handled(commands.RequestCheck, requests.request),
        _handled(commands.ProposeCheck, requests.propose),
        _handled(commands.AcceptProposal, requests.accept),
        _handled(commands.RefuseProposal, requests.refuse),
        _handled(commands.CallCheck, requests.call),
        _handled(commands.SettleCall, requests.settle),
        _handled(commands.WithdrawRequest, requests.withdraw),
        _handled(commands.CompareRolls, contests.contest),
        _handled(commands.OpenContest, contests.challenge),
        _handled(commands.CallOffContest, contests.call_off),
        _handled(commands.BringCharacter, characters.bring),
        _handled(commands.ShowCharacter, characters.show),
        _handled(commands.RenameCharacter, characters.rename),
        _handled(commands.PictureCharacter, characters.picture),
        _handled(commands.AdjustPoints, points.adjust),
        _handled(commands.UsePoint, points.use),
        _handled(commands.HarmCharacter, points.harm),
        _handled(commands.UndoPoints, points.undo),
        _handled(commands.EquipItem, action_costs.equip),
        _handled(commands.ForgetTask, action_costs.forget),
        _handled(commands.DismissCharacter, characters.dismiss),
        _handled(commands.BeginFight, fight_commands.begin),
        _handled(commands.JoinFight, fight_commands.join),
        _handled(commands.LeaveFight, fight_commands.out),
        _handled(commands.RevealCombatant, fight_commands.reveal),
        _handled(commands.BeginRound, fight_commands.next_round),
        _handled(commands.EndFight, fight_commands.end),
        _handled(commands.FixActions, fight_commands.fix),
        _handled(commands.TakeAction, fight_commands.act),
        _handled(commands.Wait, fight_commands.wait),
        _handled(commands.InterruptRoll, fight_commands.interrupt),
        _handled(commands.React, fight_commands.react),
        _handled(commands.TakeStance, line_changes.stance),
        _handled(commands.PrepareRound, fight_commands.prepare),
        _handled(commands.ChoosePace, fight_commands.pace),
        _handled(commands.EndTurn, fight_commands.end_turn),
        _handled(commands.UndoMove, fight_commands.undo),
        _handled(commands.TakeHit, fight_commands.take_hit),
        _handled(commands.GrantLeave, fight_commands.grant),
    ]
)
