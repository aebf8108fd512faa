"""Turns a command into events, or refuses it with a reason.

The command is validated, checked against the legal actions that follow from what the seat knows, and
only then executed on the full table: so a refusal never says more than the seat could have known.
Randomness comes from outside (`keys.Dice`).  A repeated key yields no events: commands are
idempotent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from handful.errors import Refused, format_choices
from handful.table import (
    action_costs,
    characters,
    contests,
    corrections,
    fight_commands,
    line_changes,
    points,
    requests,
    rolls,
)
from handful.table.actions import actions_on, removable_seats, table_actions
from handful.table.commands import check_name, read_command
from handful.table.events import (
    Command,
    Event,
    HouseRulesChanged,
    SeatLeft,
    SeatTaken,
    TableOpened,
    VisibilityChanged,
)
from handful.table.events.values import Game
from handful.table.keys import Dice
from handful.table.rules_change import change_rules
from handful.table.state import Table
from handful.table.transaction import AppliedEvent, Transaction, tuple_to_list
from handful.table.view_contests import awaited_sides
from handful.table.view_moves import controls
from handful.table.visibility import GM, Viewer


def decide(table: Table, command: Command, actor: str, dice: Dice) -> tuple[Event, ...]:
    """Return the events of a command; raise `Refused` if the table does not allow it."""
    return tuple(one.event for one in apply_command(table, command, actor, dice))


def apply_command(table: Table, command: Command, actor: str, dice: Dice) -> Sequence[AppliedEvent]:
    """Like `decide`, but return each event with the table after it."""
    fields = read_command(command)
    digest = table.command_digests.get((actor, command.key))
    if digest is not None:
        if digest != command.digest:
            raise Refused(f"the key {command.key!r} was used for another command; take a new one")
        return ()
    transaction = Transaction(table, table.viewer(actor), command, dice)
    _check_allowed(transaction.known, transaction.viewer, command.kind, fields)
    _HANDLERS[command.kind](transaction, fields)
    contests.compare_answers(transaction)
    contests.resolve_open_contests(transaction)
    return transaction.applied


def _check_allowed(known: Table, viewer: Viewer, kind: str, fields: Mapping[str, Any]) -> None:
    """Refuse a command that is not among the seat's legal actions."""
    actor = viewer.seat
    if known.seats and actor not in known.seats:
        raise Refused(f"{actor[:60]!r} has no seat at this table; the GM gives seats")
    if actor in known.left_seats:
        raise Refused(f"{actor!r} has left; the GM can seat them again")
    if "combatant" in fields:
        _check_control(known, viewer, fields["combatant"])
        return  # `handful.rounds` refuses an illegal move with its reason
    about = next((one for one in ("request", "roll", "contest", "character") if one in fields), "roll")
    name = fields.get(about)
    if name is None:
        legal = table_actions(known, viewer)
        if all(one["do"] != kind for one in legal):
            choices = format_choices(one["do"] for one in legal) if legal else "only look on"
            raise Refused(f"{kind} is not for {actor} now; {actor} may {choices}")
        return
    possible = [one["do"] for one in actions_on(known, viewer, about, name)]
    if kind in possible:
        return
    if name not in getattr(known, f"{about}s"):
        raise Refused(f"there is no {about} {name[:160]!r}")
    if kind == "throw" and (awaited := awaited_sides(known, name)):
        raise Refused(f"every side of the contest is declared first; {format_choices(awaited)} is not yet")
    raise Refused(
        f"{kind} is not possible here now", f"{actor} may {format_choices(possible)}" if possible else ""
    )


def _check_control(known: Table, viewer: Viewer, combatant: str) -> None:
    """Refuse moving someone else's combatant, or one that the seat does not see."""
    if known.fight is None:
        raise Refused("there is no fight", "the GM begins one")
    if combatant not in known.fight.rounds:
        there = format_choices(one.who for one in known.fight.rounds.places)
        raise Refused(f"{combatant[:160]!r} is not in this fight; there is {there}")
    if not controls(known, combatant, viewer):
        raise Refused(f"{combatant} is not for {viewer.seat} to move")


# -- the table itself


def _open(transaction: Transaction, fields: dict[str, Any]) -> None:
    rules = transaction.table.rules
    check_name("a seat", transaction.actor)
    transaction.emit(TableOpened(table=fields["table"], game=Game(rules.id, rules.hash)))
    transaction.emit(SeatTaken(name=transaction.actor, role=GM))


def _seat(transaction: Transaction, fields: dict[str, Any]) -> None:
    name, role = fields["name"], fields["role"]
    if name in transaction.table.left_seats:
        if role != transaction.table.role(name):
            raise Refused(f"{name!r} has left and comes back as {transaction.table.role(name)}")
    elif name in transaction.table.seats:
        raise Refused(f"{name!r} has a seat already; take another name")
    transaction.emit(SeatTaken(name=name, role=role))


def _leave(transaction: Transaction, fields: dict[str, Any]) -> None:
    """Mark a seat as left; it keeps its visibility, and may come back."""
    name = fields.get("name", transaction.actor)
    if name not in transaction.table.seats or name in transaction.table.left_seats:
        raise Refused(f"{name!r} has no seat to leave")
    if name not in removable_seats(transaction.table, transaction.viewer):
        raise Refused(
            "the last GM cannot leave; seat another one first"
            if transaction.role == GM
            else "only the GM makes somebody else leave"
        )
    transaction.emit(SeatLeft(name=name))


def _house_rules(transaction: Transaction, fields: dict[str, Any]) -> None:
    rules = transaction.table.rules
    changes = rules.resolve_options({**transaction.table.options, **fields["options"]})
    non_default = {name: value for name, value in changes.items() if value != rules.defaults[name]}
    transaction.emit(
        HouseRulesChanged(options={name: tuple_to_list(one) for name, one in non_default.items()})
    )


def _visibility(transaction: Transaction, fields: dict[str, Any]) -> None:
    transaction.emit(VisibilityChanged(mode=fields["mode"]))


_HANDLERS: dict[str, Callable[[Transaction, dict[str, Any]], None]] = {
    "open": _open,
    "seat": _seat,
    "leave": _leave,
    "house_rules": _house_rules,
    "rules": change_rules,
    "visibility": _visibility,
    "declare": rolls.declare,
    "switch": line_changes.switch,
    "add_line": line_changes.add_line,
    "throw": rolls.throw,
    "answer": rolls.answer,
    "undo": rolls.undo,
    "cancel": rolls.cancel,
    "finalise": rolls.finalise,
    "correct": corrections.correct,
    "reveal": rolls.reveal,
    "judge": rolls.judge,
    "reveal_target": rolls.reveal_target,
    "request": requests.request,
    "call": requests.call,
    "propose": requests.propose,
    "accept": requests.accept,
    "refuse": requests.refuse,
    "withdraw": requests.withdraw,
    "settle": requests.settle,
    "contest": contests.contest,
    "bring": characters.bring,
    "show": characters.show,
    "adjust": points.adjust,
    "use": points.use,
    "dismiss": characters.dismiss,
    "challenge": contests.challenge,
    "call_off": contests.call_off,
    "harm": points.harm,
    "undo_points": points.undo,
    "equip": action_costs.equip,
    "forget": action_costs.forget,
    **fight_commands.HANDLERS,
    "stance": line_changes.stance,
}
