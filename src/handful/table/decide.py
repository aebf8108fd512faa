"""What becomes of a command: events, or a refusal with its reason.

First the command is read, then held against what the seat may do by what it knows, and only then
looked at with open eyes: so a refusal never says more than the seat could have known.
Chance is somebody else's (`keys.Dice`); a repeated key gives no events, because all is done.
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
from handful.table.actions import actions_about, actions_at, who_may_leave
from handful.table.commands import read_command, read_name
from handful.table.events import Command, Event
from handful.table.keys import Dice
from handful.table.projection import project
from handful.table.projection_cache import ProjectionCache
from handful.table.rules_change import change_rules
from handful.table.state import Table
from handful.table.transaction import AppliedEvent, Transaction, json_list
from handful.table.view_contests import held
from handful.table.view_moves import controls
from handful.table.visibility import GM


def decide(table: Table, command: Command, actor: str, dice: Dice) -> tuple[Event, ...]:
    """The events that a command becomes; refused where the table does not allow it."""
    return tuple(one.event for one in apply_command(table, command, actor, dice))


def apply_command(
    table: Table, command: Command, actor: str, dice: Dice, memory: ProjectionCache | None = None
) -> Sequence[AppliedEvent]:
    """The same for somebody who goes on with the tables that deciding has made."""
    fields = read_command(command)
    mark = table.command_digests.get((actor, command.key))
    if mark is not None:
        if mark != command.digest:
            raise Refused(f"the key {command.key!r} was used for another command; take a new one")
        return ()
    known = project(table, actor, memory)
    _allowed(known, actor, command.kind, fields)
    scene = Transaction(table, known, actor, command, dice)
    _DOES[command.kind](scene, fields)
    contests.compare_answers(scene)
    contests.decide_open(scene)
    return scene.applied


def _allowed(known: Table, actor: str, do: str, fields: Mapping[str, Any]) -> None:
    """Refuses what is not among the legal actions of a seat."""
    if known.seats and actor not in known.seats:
        raise Refused(f"{actor[:60]!r} has no seat at this table; the GM gives seats")
    if actor in known.left_seats:
        raise Refused(f"{actor!r} has left; the GM can seat them again")
    if "combatant" in fields:
        _controlled(known, actor, fields["combatant"])
        return  # the moves themselves say why one is refused
    about = next((one for one in ("request", "roll", "contest", "character") if one in fields), "roll")
    named = fields.get(about)
    if named is None:
        legal = actions_at(known, actor)
        if all(one["do"] != do for one in legal):
            what = format_choices(one["do"] for one in legal) if legal else "only look on"
            raise Refused(f"{do} is not for {actor} now; {actor} may {what}")
        return
    here = [one["do"] for one in actions_about(known, actor, about, named)]
    if do in here:
        return
    if named not in getattr(known, f"{about}s"):
        raise Refused(f"there is no {about} {named[:160]!r}")
    if do == "throw" and (awaited := held(known, named)):
        raise Refused(f"every side of the contest is declared first; {format_choices(awaited)} is not yet")
    raise Refused(f"{do} is not possible here now", f"{actor} may {format_choices(here)}" if here else "")


def _controlled(known: Table, actor: str, who: str) -> None:
    """Refuses whoever moves somebody else, or somebody of whom they know nothing."""
    if known.fight is None:
        raise Refused("there is no fight", "the GM begins one")
    if who not in known.fight.rounds:
        there = format_choices(one.who for one in known.fight.rounds.places)
        raise Refused(f"{who[:160]!r} is not in this fight; there is {there}")
    if not controls(known, who, actor):
        raise Refused(f"{who} is not for {actor} to move")


# -- the table itself


def _open(scene: Transaction, fields: dict[str, Any]) -> None:
    rules = scene.table.rules
    read_name("a seat", scene.actor)
    scene.emit("table_opened", table=fields["table"], game={"id": rules.id, "hash": rules.hash})
    scene.emit("seat_taken", name=scene.actor, role=GM)


def _seat(scene: Transaction, fields: dict[str, Any]) -> None:
    name, role = fields["name"], fields["role"]
    if name in scene.table.left_seats:
        if role != scene.table.role(name):
            raise Refused(f"{name!r} has left and comes back as {scene.table.role(name)}")
    elif name in scene.table.seats:
        raise Refused(f"{name!r} has a seat already; take another name")
    scene.emit("seat_taken", name=name, role=role)


def _leave(scene: Transaction, fields: dict[str, Any]) -> None:
    """Somebody goes; what they may see goes on being kept for them."""
    name = fields.get("name", scene.actor)
    if name not in scene.table.seats or name in scene.table.left_seats:
        raise Refused(f"{name!r} has no seat to leave")
    if name not in who_may_leave(scene.table, scene.actor):
        raise Refused(
            "the last GM cannot leave; seat another one first"
            if scene.role == GM
            else "only the GM makes somebody else leave"
        )
    scene.emit("seat_left", name=name)


def _house_rules(scene: Transaction, fields: dict[str, Any]) -> None:
    rules = scene.table.rules
    changes = rules.resolve_options({**scene.table.options, **fields["options"]})
    own = {name: value for name, value in changes.items() if value != rules.defaults[name]}
    scene.emit("house_rules_changed", options={name: json_list(one) for name, one in own.items()})


def _visibility(scene: Transaction, fields: dict[str, Any]) -> None:
    scene.emit("visibility_changed", mode=fields["mode"])


_DOES: dict[str, Callable[[Transaction, dict[str, Any]], None]] = {
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
    **fight_commands.DOES,
    "stance": line_changes.stance,
}
