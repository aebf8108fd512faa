"""Legal actions of a seat, computed from its projection; any other command is refused.

`decide` uses the same functions, so the list of actions and the refusals cannot disagree.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

from handful.roll import ChooseDice, PickOption, Throw
from handful.table.action_costs import gm_announces_result
from handful.table.lines import can_change_lines
from handful.table.projection_cache import ProjectionCache
from handful.table.state import Request, Table, TableRoll
from handful.table.view_contests import awaited_sides, contest_actions, open_contests_with
from handful.table.view_moves import combatant_actions, damage_candidates
from handful.table.view_rolls import question_of
from handful.table.view_sheets import character_commands
from handful.table.visibility import ALL, DECLARED, GM, MODES, PLAYER, SHEET_MODES

_GM_TABLE_COMMANDS = (
    "seat",
    "house_rules",
    "rules",
    "visibility",
    "request",
    "contest",
    "challenge",
)


def list_actions(projected: Table, seat: str) -> list[dict[str, Any]]:
    """Return all legal actions of a seat."""
    actions = actions_except_rolls(projected, seat, ProjectionCache())
    for name in projected.rolls:
        actions += actions_on(projected, seat, "roll", name)
    return actions


def actions_except_rolls(projected: Table, seat: str, cache: ProjectionCache) -> list[dict[str, Any]]:
    """Return a seat's legal actions except those on rolls, of which a table has thousands."""
    inputs = (projected.seats, projected.left_seats, projected.rules, projected.fight is None)
    actions = [*cache.memoize(("at", seat), inputs, lambda: table_actions(projected, seat))]
    for name in projected.characters:
        actions += actions_on(projected, seat, "character", name)
    for place in projected.fight.rounds.places if projected.fight else ():
        actions += actions_on(projected, seat, "combatant", place.who)
    actions += cache.memoize(
        ("asked", seat),
        (projected.requests, projected.left_seats),
        lambda: _all_request_actions(projected, seat),
    )
    for name in projected.contests:
        actions += actions_on(projected, seat, "contest", name)
    return actions


def _all_request_actions(projected: Table, seat: str) -> list[dict[str, Any]]:
    found = (actions_on(projected, seat, "request", name) for name in projected.requests)
    return [*chain.from_iterable(found)]


def table_actions(projected: Table, seat: str) -> list[dict[str, Any]]:
    """Return a seat's legal actions on the table itself."""
    role = projected.role(seat)
    if not projected.seats:
        return [{"do": "open"}]
    if seat in projected.left_seats:
        return []
    actions: list[dict[str, Any]] = []
    if role in (GM, PLAYER):
        checks = [name for name, one in projected.rules.checks.items() if one.program is not None]
        actions.append({"do": "declare", "checks": checks, "modes": list(MODES)})
        if projected.rules.sheet is not None:
            actions.append({"do": "bring", "shown": list(SHEET_MODES)})
    if role == GM:
        actions += [{"do": do} for do in _GM_TABLE_COMMANDS]
        fight = ("join", "next_round", "end_fight") if projected.fight else ("fight",)
        actions += [{"do": do} for do in fight]
    if role == PLAYER:
        actions.append({"do": "call"})
    if names := removable_seats(projected, seat):
        actions.append({"do": "leave", "names": names})
    return actions


def removable_seats(projected: Table, seat: str) -> list[str]:
    """Return the seats that a seat may mark as left: its own, for the GM any, but never the last GM's."""
    present = [name for name in projected.seats if name not in projected.left_seats]
    gms = [name for name in present if projected.role(name) == GM]
    candidates = present if seat in gms else [name for name in present if name == seat]
    return [name for name in candidates if gms != [name]]


def actions_on(projected: Table, seat: str, about: str, name: str) -> list[dict[str, Any]]:
    """Return a seat's legal actions on a roll, request, contest, character or combatant."""
    role = projected.role(seat)
    if seat in projected.left_seats:
        return []
    if about == "character":
        character = projected.characters.get(name)
        found = [] if character is None else character_commands(projected.rules, character, seat, role)
        return [
            {"do": do, "character": name} | (damage_candidates(projected, name) if do == "harm" else {})
            for do in found
        ]
    if about == "combatant":
        return [{"do": do, "combatant": name} | more for do, more in combatant_actions(projected, name, seat)]
    if about == "request":
        request = projected.requests.get(name)
        found = [] if request is None else _request_commands(request, seat, role)
        return [{"do": do, "request": name} for do in found]
    if about == "contest":
        return contest_actions(projected, role, name)
    roll = projected.rolls.get(name)
    if roll is None or roll.level < DECLARED or roll.cancelled or roll.has_hidden_progress:
        return []
    blocked = {"throw"} if not roll.key and awaited_sides(projected, name) else set()
    if not roll.key and open_contests_with(projected, name):  # the contest must be called off first
        blocked.add("cancel")
    return [
        {"do": do, "roll": name} | more for do, more in _roll_actions(roll, seat, role) if do not in blocked
    ]


def involved_seats(roll: TableRoll) -> tuple[str, ...]:
    """Return the seats other than the GM that may have legal actions on a roll."""
    return (roll.roller, roll.awaited_seat, *(one.by for one in roll.replies[-1:]))


def _roll_actions(roll: TableRoll, seat: str, role: str) -> list[tuple[str, dict[str, Any]]]:
    """Return a seat's legal actions on a visible roll: the command, and its fields."""
    is_roller = seat == roll.roller and role == PLAYER
    may_go_on = is_roller or role == GM
    own_turn = seat == roll.awaited_seat and role == PLAYER
    actions: list[tuple[str, dict[str, Any]]] = []
    match roll.ask:
        case Throw() as ask if own_turn or role == GM:
            if roll.level == ALL or not roll.typed:
                due = ask.count - len(roll.typed_faces)
                by_hand = roll.level == ALL  # a seat that may not see the result cannot type it in
                actions.append(("throw", {"count": due, "sides": ask.sides, "by_hand": by_hand}))
        case ChooseDice() | PickOption() as ask if role == GM or (own_turn and _roller_decides(roll, ask.by)):
            question = question_of(roll) or {}
            actions.append(
                (
                    "answer",
                    {name: question[name] for name in ("options", "dice", "at_most") if name in question},
                )
            )
    if role == GM and can_change_lines(roll):
        actions += [("switch", {}), ("add_line", {})]
    if roll.can_undo and (role == GM or _is_own_reply(roll, seat, role)):
        actions.append(("undo", {}))
    if may_go_on and roll.can_be_cancelled:
        actions.append(("cancel", {}))
    if roll.level < ALL:
        return actions
    announced = gm_announces_result(roll)
    if roll.phase == "decided" and (role == GM if announced else may_go_on):
        actions.append(("finalise", {"tells": True} if announced else {}))
    if role == GM:
        actions.append(("correct", {}))
    if role == GM and roll.phase == "finalised":
        actions.append(("judge", {}))
    if role == GM and roll.hidden:
        actions.append(("reveal_target", {}))
    if may_go_on and (role == GM or roll.mode.roller == ALL):
        actions.append(("reveal", {}))
    return actions


def _request_commands(request: Request, seat: str, role: str) -> list[str]:
    if request.closed:
        return []
    if role != GM:
        commands = [] if seat in request.rolls else ["propose"]
        return [*commands, "withdraw"] if commands and request.called else commands
    actions = ["accept"] if {*request.to} - {*request.rolls} else []
    actions += ["refuse"] if {*request.proposals} - {*request.rolls} else []
    return [*actions, *(["settle"] if request.called and request.rolls else []), "withdraw"]


def _is_own_reply(roll: TableRoll, seat: str, role: str) -> bool:
    """Return whether a player made the reply that would be undone; rulings of the GM are not theirs."""
    if role != PLAYER or (roll.level < ALL and roll.typed):
        return False
    return seat == roll.awaited_seat if roll.typed else seat == roll.replies[-1].by


def _roller_decides(roll: TableRoll, by: str) -> bool:
    """Return whether the roller takes a decision: a player's one, or any if the GM does not see the roll."""
    return by == PLAYER or roll.mode.gm < ALL
