"""Legal actions of a seat, computed from what it knows; any other command is refused.

`decide` uses the same functions, so the list of actions and the refusals cannot disagree.
"""

from __future__ import annotations

from handful.roll import ChooseDice, PickOption, Throw
from handful.table.action_costs import gm_announces_result
from handful.table.json_types import JsonObject
from handful.table.lines import can_change_lines
from handful.table.settled_requests import is_settled
from handful.table.state import Request, Table, TableRoll
from handful.table.view_contests import awaited_sides, contest_actions, open_contests_with
from handful.table.view_moves import combatant_actions, damage_candidates
from handful.table.view_rolls import question_of
from handful.table.view_sheets import character_commands
from handful.table.visibility import ALL, DECLARED, GM, MODES, PLAYER, SEAT_COLOURS, SHEET_MODES, Viewer

_GM_TABLE_COMMANDS = (
    "seat",
    "share_gm",
    "house_rules",
    "rules",
    "visibility",
    "request",
    "contest",
    "challenge",
)


def list_actions(known: Table, viewer: Viewer) -> list[JsonObject]:
    """Return all legal actions of a seat."""
    actions = table_actions(known, viewer)
    for name in known.characters:
        actions += actions_on(known, viewer, "character", name)
    for place in known.fight.rounds.places if known.fight else ():
        actions += actions_on(known, viewer, "combatant", place.who)
    for name in known.requests:
        actions += actions_on(known, viewer, "request", name)
    for name in known.contests:
        actions += actions_on(known, viewer, "contest", name)
    for name in known.rolls:
        actions += actions_on(known, viewer, "roll", name)
    return actions


def table_actions(known: Table, viewer: Viewer) -> list[JsonObject]:
    """Return a seat's legal actions on the table itself."""
    seat = viewer.seat
    if not known.seats:
        return [{"do": "open"}]
    if seat in known.left_seats:
        return []
    actions: list[JsonObject] = []
    if viewer.role in (GM, PLAYER):
        checks = [name for name, one in known.rules.checks.items() if one.program is not None]
        actions.append({"do": "declare", "checks": checks, "modes": list(MODES)})
        actions.append({"do": "style", "colours": list(SEAT_COLOURS)})
        actions.append({"do": "picture"})
        actions += [{"do": "say"}, {"do": "scratchpad"}]
        if known.rules.sheet is not None:
            actions.append({"do": "bring", "shown": list(SHEET_MODES)})
    if viewer.is_gm:
        actions += [{"do": do} for do in _GM_TABLE_COMMANDS]
        fight = ("join", "next_round", "end_fight") if known.fight else ("fight",)
        actions += [{"do": do} for do in fight]
    if viewer.is_player:
        actions.append({"do": "call"})
    if names := removable_seats(known, viewer):
        actions.append({"do": "leave", "names": names})
    return actions


def removable_seats(known: Table, viewer: Viewer) -> list[str]:
    """Return the seats that a seat may mark as left: its own, for the GM any, but never the last GM's."""
    present = [name for name in known.seats if name not in known.left_seats]
    gms = [name for name in present if known.role(name) == GM]
    candidates = present if viewer.seat in gms else [name for name in present if name == viewer.seat]
    return [name for name in candidates if gms != [name]]


def actions_on(known: Table, viewer: Viewer, about: str, name: str) -> list[JsonObject]:
    """Return a seat's legal actions on a roll, request, contest, character or combatant."""
    if viewer.seat in known.left_seats:
        return []
    if about == "character":
        character = known.characters.get(name)
        found = [] if character is None else character_commands(known.rules, character, viewer)
        return [
            {"do": do, "character": name} | (damage_candidates(known, name) if do == "harm" else {})
            for do in found
        ]
    if about == "combatant":
        return [{"do": do, "combatant": name} | more for do, more in combatant_actions(known, name, viewer)]
    if about == "request":
        request = known.requests.get(name)
        return [] if request is None else _request_actions(known, request, viewer)
    if about == "contest":
        return contest_actions(known, viewer, name)
    roll = known.rolls.get(name) if about == "roll" else None
    if roll is None or roll.level < DECLARED or roll.cancelled or roll.has_hidden_progress:
        return []
    blocked = {"throw"} if not roll.key and awaited_sides(known, name) else set()
    if not roll.key and open_contests_with(known, name):  # the contest must be called off first
        blocked.add("cancel")
    return [{"do": do, "roll": name} | more for do, more in _roll_actions(roll, viewer) if do not in blocked]


def _roll_actions(roll: TableRoll, viewer: Viewer) -> list[tuple[str, JsonObject]]:
    """Return a seat's legal actions on a visible roll: the command, and its fields."""
    gm = viewer.is_gm
    may_go_on = gm or (viewer.is_player and viewer.seat == roll.roller)
    own_turn = viewer.is_player and viewer.seat == roll.awaited_seat
    actions: list[tuple[str, JsonObject]] = []
    match roll.ask:
        case Throw() as ask if own_turn or gm:
            if roll.level == ALL or not roll.typed:
                due = ask.count - len(roll.typed_faces)
                by_hand = roll.level == ALL  # a seat that may not see the result cannot type it in
                actions.append(("throw", {"count": due, "sides": ask.sides, "by_hand": by_hand}))
        case ChooseDice() | PickOption() as ask if gm or (own_turn and _roller_decides(roll, ask.by)):
            question = question_of(roll) or {}
            actions.append(
                (
                    "answer",
                    {name: question[name] for name in ("options", "dice", "at_most") if name in question},
                )
            )
    if gm and can_change_lines(roll):
        actions += [("switch", {}), ("add_line", {})]
    if roll.can_undo and (gm or _is_own_reply(roll, viewer)):
        actions.append(("undo", {}))
    if may_go_on and roll.can_be_cancelled:
        actions.append(("cancel", {}))
    if roll.level < ALL:
        return actions
    announced = gm_announces_result(roll)
    if roll.phase == "decided" and (gm if announced else may_go_on):
        actions.append(("finalise", {"tells": True} if announced else {}))
    if gm:
        actions.append(("correct", {}))
    if gm and roll.phase == "finalised":
        actions.append(("judge", {}))
    if gm and roll.hidden:
        actions.append(("reveal_target", {}))
    if may_go_on and (gm or roll.mode.roller == ALL):
        actions.append(("reveal", {}))
    if gm or viewer.is_player:
        actions.append(("note", {}))
    return actions


def _request_actions(known: Table, request: Request, viewer: Viewer) -> list[JsonObject]:
    """Return a seat's legal actions on a request; `at_once`: an answer without parameters is the roll."""
    at_once = {"at_once": True} if not request.closed and is_settled(known, request) else {}
    return [
        {"do": do, "request": request.id} | (at_once if do == "propose" else {})
        for do in _request_commands(request, viewer)
    ]


def _request_commands(request: Request, viewer: Viewer) -> list[str]:
    if request.closed:
        return []
    if not viewer.is_gm:
        commands = [] if viewer.seat in request.rolls else ["propose"]
        return [*commands, "withdraw"] if commands and request.called else commands
    actions = ["accept"] if {*request.to} - {*request.rolls} else []
    actions += ["refuse"] if {*request.proposals} - {*request.rolls} else []
    return [*actions, *(["settle"] if request.called and request.rolls else []), "withdraw"]


def _is_own_reply(roll: TableRoll, viewer: Viewer) -> bool:
    """Return whether a player made the reply that would be undone; rulings of the GM are not theirs."""
    if not viewer.is_player or (roll.level < ALL and roll.typed):
        return False
    return viewer.seat == (roll.awaited_seat if roll.typed else roll.replies[-1].by)


def _roller_decides(roll: TableRoll, by: str) -> bool:
    """Return whether the roller takes a decision: a player's one, or any if the GM does not see the roll."""
    return by == PLAYER or roll.mode.gm < ALL
