"""What a seat may do now, by what it knows: whatever is not listed is refused.

`decide` asks the same functions, so that a list and a refusal cannot differ.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

from handful.roll import ChooseDice, PickOption, Throw
from handful.table.action_costs import waits_for_the_gm
from handful.table.lines import can_change
from handful.table.projection_cache import ProjectionCache
from handful.table.state import Request, Table, TableRoll
from handful.table.view_contests import held, on_contest, open_with
from handful.table.view_moves import harmful, on_combatant
from handful.table.view_rolls import question_of
from handful.table.view_sheets import on_character
from handful.table.visibility import ALL, DECLARED, GM, MODES, PLAYER, SHEET_MODES

_AT_THE_TABLE = (  # the GM's
    "seat",
    "house_rules",
    "rules",
    "visibility",
    "request",
    "contest",
    "challenge",
)


def actions_of(known: Table, seat: str) -> list[dict[str, Any]]:
    """Everything that a seat may do, by what it knows."""
    made = actions_beside_rolls(known, seat, ProjectionCache())
    for name in known.rolls:
        made += actions_about(known, seat, "roll", name)
    return made


def actions_beside_rolls(known: Table, seat: str, memory: ProjectionCache) -> list[dict[str, Any]]:
    """What a seat may do, except with rolls: of those a table has thousands."""
    parts = (known.seats, known.left_seats, known.rules, known.fight is None)
    made = [*memory.memoize(("at", seat), parts, lambda: actions_at(known, seat))]
    for name in known.characters:
        made += actions_about(known, seat, "character", name)
    for place in known.fight.rounds.places if known.fight else ():
        made += actions_about(known, seat, "combatant", place.who)
    made += memory.memoize(("asked", seat), (known.requests, known.left_seats), lambda: _asked(known, seat))
    for name in known.contests:
        made += actions_about(known, seat, "contest", name)
    return made


def _asked(known: Table, seat: str) -> list[dict[str, Any]]:
    found = (actions_about(known, seat, "request", name) for name in known.requests)
    return [*chain.from_iterable(found)]


def actions_at(known: Table, seat: str) -> list[dict[str, Any]]:
    """What a seat may do at the table as a whole."""
    role = known.role(seat)
    if not known.seats:
        return [{"do": "open"}]
    if seat in known.left_seats:
        return []
    made: list[dict[str, Any]] = []
    if role in (GM, PLAYER):
        checks = [name for name, one in known.rules.checks.items() if one.program is not None]
        made.append({"do": "declare", "checks": checks, "modes": list(MODES)})
        if known.rules.sheet is not None:
            made.append({"do": "bring", "shown": list(SHEET_MODES)})
    if role == GM:
        made += [{"do": do} for do in _AT_THE_TABLE]
        fight = ("join", "next_round", "end_fight") if known.fight else ("fight",)
        made += [{"do": do} for do in fight]
    if role == PLAYER:
        made.append({"do": "call"})
    if names := who_may_leave(known, seat):
        made.append({"do": "leave", "names": names})
    return made


def who_may_leave(known: Table, seat: str) -> list[str]:
    """Whom a seat may say to be gone: itself, the GM everybody, but never the last GM."""
    here = [name for name in known.seats if name not in known.left_seats]
    gms = [name for name in here if known.role(name) == GM]
    wanted = here if seat in gms else [name for name in here if name == seat]
    return [name for name in wanted if gms != [name]]


def actions_about(known: Table, seat: str, about: str, name: str) -> list[dict[str, Any]]:
    """What a seat may do with a roll, request or character; nothing where it knows of none."""
    role = known.role(seat)
    if seat in known.left_seats:
        return []
    if about == "character":
        figure = known.characters.get(name)
        found = [] if figure is None else on_character(known.rules, figure, seat, role)
        return [
            {"do": do, "character": name} | (harmful(known, name) if do == "harm" else {}) for do in found
        ]
    if about == "combatant":
        return [{"do": do, "combatant": name} | more for do, more in on_combatant(known, name, seat)]
    if about == "request":
        request = known.requests.get(name)
        found = [] if request is None else _on_request(request, seat, role)
        return [{"do": do, "request": name} for do in found]
    if about == "contest":
        return on_contest(known, role, name)
    roll = known.rolls.get(name)
    if roll is None or roll.level < DECLARED or roll.cancelled or roll.has_hidden_progress:
        return []
    later = {"throw"} if not roll.key and held(known, name) else set()
    if not roll.key and open_with(known, name):  # the contest is called off before
        later.add("cancel")
    return [{"do": do, "roll": name} | more for do, more in _on_roll(roll, seat, role) if do not in later]


def concerned(roll: TableRoll) -> tuple[str, ...]:
    """Who beside the GM can have anything to do with a roll; all others only look on."""
    return (roll.roller, roll.awaited_seat, *(one.by for one in roll.replies[-1:]))


def _on_roll(roll: TableRoll, seat: str, role: str) -> list[tuple[str, dict[str, Any]]]:
    """What a seat may do with a roll that it sees."""
    own = seat == roll.roller and role == PLAYER
    may_go_on = own or role == GM
    own_turn = seat == roll.awaited_seat and role == PLAYER
    made: list[tuple[str, dict[str, Any]]] = []
    match roll.ask:
        case Throw() as ask if own_turn or role == GM:
            if roll.level == ALL or not roll.typed:
                due = ask.count - len(roll.typed_faces)
                by_hand = roll.level == ALL  # who may not see the result cannot type it in
                made.append(("throw", {"count": due, "sides": ask.sides, "by_hand": by_hand}))
        case ChooseDice() | PickOption() as ask if role == GM or (own_turn and _is_asked(roll, ask.by)):
            question = question_of(roll) or {}
            made.append(
                (
                    "answer",
                    {name: question[name] for name in ("options", "dice", "at_most") if name in question},
                )
            )
    if role == GM and can_change(roll):
        made += [("switch", {}), ("add_line", {})]
    if roll.can_undo and (role == GM or _took_it(roll, seat, role)):
        made.append(("undo", {}))
    if may_go_on and roll.can_be_cancelled:
        made.append(("cancel", {}))
    if roll.level < ALL:
        return made
    told = waits_for_the_gm(roll)
    if roll.phase == "decided" and (role == GM if told else may_go_on):
        made.append(("finalise", {"tells": True} if told else {}))
    if role == GM:
        made.append(("correct", {}))
    if role == GM and roll.phase == "finalised":
        made.append(("judge", {}))
    if role == GM and roll.hidden:
        made.append(("reveal_target", {}))
    if may_go_on and (role == GM or roll.mode.roller == ALL):
        made.append(("reveal", {}))
    return made


def _on_request(request: Request, seat: str, role: str) -> list[str]:
    if request.closed:
        return []
    if role != GM:
        own = [] if seat in request.rolls else ["propose"]
        return [*own, "withdraw"] if own and request.called else own
    made = ["accept"] if {*request.to} - {*request.rolls} else []
    made += ["refuse"] if {*request.proposals} - {*request.rolls} else []
    return [*made, *(["settle"] if request.called and request.rolls else []), "withdraw"]


def _took_it(roll: TableRoll, seat: str, role: str) -> bool:
    """Whether what would be taken back is a player's own: not what the GM has ruled."""
    if role != PLAYER or (roll.level < ALL and roll.typed):
        return False
    return seat == roll.awaited_seat if roll.typed else seat == roll.replies[-1].by


def _is_asked(roll: TableRoll, by: str) -> bool:
    """Whether the roller decides: what is the player's, and all where no GM looks on."""
    return by == PLAYER or roll.mode.gm < ALL
