"""What a seat sees, may do and can reckon with: plain data, made from what the seat knows.

Nothing here looks at the table itself: `as_known` comes first, everywhere.
"""

from __future__ import annotations

from itertools import chain
from operator import attrgetter
from typing import Any

from handful import odds as exact
from handful.errors import Refused
from handful.records import record
from handful.roll import ChooseDice, PickOption, Throw
from handful.table.knowing import KnownRolls, as_known, judged_of
from handful.table.lines import can_change
from handful.table.memory import Memory
from handful.table.reckoning import answers_of
from handful.table.spending import waits_for_the_gm
from handful.table.state import Request, Roll, Table
from handful.table.view_contests import contests_seen, held, on_contest, open_with
from handful.table.view_fights import fight_seen
from handful.table.view_moves import harmful, on_combatant
from handful.table.view_sheets import character_seen, lines_seen, on_character, plain
from handful.table.visibility import ALL, DECLARED, GM, MODES, PLAYER, SHEETS

LATEST = 50  # rolls in a view, beside those that are not over


def view(table: Table, seat: str, memory: Memory | None = None) -> dict[str, Any]:
    """Everything that a seat sees, as plain data.

    With a memory, whatever in a list did not change since the last time is the very same.
    """
    memory = memory or Memory()
    known = as_known(table, seat, memory)
    rolls = _rolls(known, seat, memory)
    return {
        "table": known.id,
        "game": memory.made(
            "game", (known.rules,), lambda: {"id": known.rules.id, "hash": known.rules.hash}
        ),
        "seat": seat,
        "role": known.role(seat),
        "seats": memory.made("seats", (known.seats, known.left), lambda: _seats(known)),
        "options": memory.made("options", (known.options,), lambda: dict(known.options)),
        "mode": known.mode,
        "characters": [_character(table, known, seat, name, memory) for name in known.characters],
        "rolls": list(map(_SEEN, rolls)),
        "fight": fight_seen(known, seat),
        "requests": [_request(one) for one in known.requests.values() if not one.closed],
        "contests": contests_seen(known, LATEST),
        "actions": [
            *_actions_beside_rolls(known, seat, memory),
            *chain.from_iterable(map(_ACTIONS, rolls)),
        ],
    }


def _seats(known: Table) -> list[dict[str, Any]]:
    return [
        {"name": name, "role": role, "left": name in known.left}
        for name, role in known.seats.items()
    ]


@record(eq=False)
class _Shown:
    """A roll in a view."""

    seen: dict[str, Any]
    actions: list[dict[str, Any]]
    settled: bool  # follows from the roll alone, and not from whatever else happens


_SEEN, _ACTIONS = attrgetter("seen"), attrgetter("actions")


def _rolls(known: Table, seat: str, memory: Memory) -> list[_Shown]:
    """The latest rolls, and all that still wait for somebody."""
    rolls = known.rolls
    if not isinstance(rolls, KnownRolls):  # nobody sits there
        return []
    look = rolls.look
    latest = look.names[-LATEST:]
    names = [name for name in look.open if name not in latest] + latest
    shown: dict[str, Any] = dict(zip(names, map(look.before.get, names), strict=True))
    for name in (look.stale & shown.keys()) | (shown.keys() - look.before.keys()):
        shown[name] = one = _shown(rolls, known, seat, name, memory)
        if not one.settled:
            look.unsettled.add(name)
    look.shown, look.before = shown, {}  # what is older is of no use any more
    return list(shown.values())


def _shown(
    rolls: KnownRolls, known: Table, seat: str, name: str, memory: Memory
) -> _Shown:  # fmt: skip
    """A roll in a view; for all who know the same of it made once."""
    roll, gm = known.rolls[name], known.role(seat) == GM
    waits = () if roll.key else (bool(held(known, name)), bool(open_with(known, name)))
    return _Shown(
        memory.made(
            ("seen", name, gm, id(roll)), (roll,),
            lambda: {
                **memory.made(("roll", name, id(roll)), (roll,), lambda: _roll(roll)),
                **lines_seen(known, roll, seat),
            },
        ),
        memory.made(
            ("actions", seat, name), (roll, seat in known.left, *waits),
            lambda: actions_about(known, seat, "roll", name),
        ),
        bool(roll.key) and not rolls.hangs_on_others(name),
    )  # fmt: skip


def _character(
    table: Table, known: Table, seat: str, name: str, memory: Memory
) -> dict[str, Any]:  # fmt: skip
    figure = known.characters[name]
    parts = (table.characters[name], figure.level, known.options, known.rules)
    return memory.made(
        ("character", seat, name), parts, lambda: character_seen(known, figure)
    )  # fmt: skip


def legal_actions(table: Table, seat: str) -> list[dict[str, Any]]:
    """What a seat may do now; whatever is not listed is refused."""
    return actions_of(as_known(table, seat), seat)


def odds(table: Table, seat: str, roll: str, policy: str = "usual") -> dict[str, Any]:
    """Exact odds of a roll from where it stands, with each answer, by what the seat knows."""
    found = as_known(table, seat).rolls.get(roll)
    if found is None or found.bound is None:
        raise Refused(f"{seat} knows no odds of a roll {roll[:80]!r}")
    return exact.odds(found.bound, found.node, policy=policy).to_dict()


def _request(request: Request) -> dict[str, Any]:
    return {
        "request": request.id, "to": list(request.to), "check": request.check,
        "parameters": dict(request.parameters), "hidden": list(request.hidden),
        "title": request.title, "called": request.called, "open": request.is_open,
        "proposals": dict(request.proposals), "rolls": dict(request.rolls), "as": dict(request.who),
    }  # fmt: skip


# -- rolls


def _roll(roll: Roll) -> dict[str, Any]:
    data: dict[str, Any] = {
        "roll": roll.id,
        "roller": roll.roller,
        "phase": roll.phase,
        "commitment": roll.commitment,
    }
    if not roll.asked:
        return data
    data |= {"asked": dict(roll.asked), "hidden": list(roll.hidden), "title": roll.title}
    data["modes"] = list(roll.modes)
    if roll.parts and roll.level == ALL:
        data["parts"] = [{"roll": one.roll, "roller": one.roller} for one in roll.parts]
    if roll.level < ALL:
        known = roll.node is not None and not roll.gone_on
        if not known:
            return data
        return data | {"question": _question_with_odds(roll), "decisions": _decisions(roll)}
    data |= {"dice": _dice(roll), "key": roll.key, "judged": judged_of(roll)}
    if roll.bound is None or roll.node is None:
        return data
    question = _question_with_odds(roll)
    return data | {"question": question, "decisions": _decisions(roll), **_outcome(roll)}


def _dice(roll: Roll) -> list[dict[str, Any]]:
    if roll.node is None:
        faces = [(one, face) for one in roll.given if one.thrown for face in one.reply]
        return [{"face": face, "physical": one.physical} for one, face in faces]
    physical = [one.physical for one in roll.given if one.thrown for _ in one.reply]
    return [
        {"face": die.face, "role": die.role, "of": die.of, "side": die.side, "number": die.number,
         "physical": by_hand}
        for die, by_hand in zip(roll.node.trace.dice, physical, strict=True)
    ]  # fmt: skip


def _decisions(roll: Roll) -> list[dict[str, Any]]:
    assert roll.node is not None
    answered = [one for one in roll.given if not one.thrown]
    return [
        {"decision": taken.decision, "side": taken.side, "by": one.by, "words": one.words,
         "answer": taken.answer if isinstance(taken.answer, str) else list(taken.answer)}
        for taken, one in zip(roll.node.trace.decisions, answered, strict=True)
    ]  # fmt: skip


def _question_with_odds(roll: Roll) -> dict[str, Any] | None:
    """What a roll waits for; a decision with what each answer is worth."""
    question = None if roll.cancelled else _question(roll)
    if question is None or "decision" not in question:
        return question
    return question | {"odds": answers_of(roll)}


def _question(roll: Roll) -> dict[str, Any] | None:
    assert roll.node is not None
    assert roll.bound is not None
    match roll.node.ask:
        case Throw() as ask:
            return {
                "throw": ask.count, "sides": ask.sides, "role": ask.role, "side": ask.side,
                "typed": list(roll.typed_faces), "due": ask.count - len(roll.typed_faces),
            }  # fmt: skip
        case ChooseDice() | PickOption() as ask:
            says = roll.bound.ruleset.decisions[ask.decision]
            asked = {
                "decision": ask.decision, "by": ask.by, "side": ask.side,
                "question": dict(says.question),
            }  # fmt: skip
            if isinstance(ask, PickOption):
                words = {name: dict(says.answers.get(name, {})) for name in ask.options}
                return asked | {"options": words, "order": list(ask.options)}
            return asked | {
                "dice": list(ask.numbers), "faces": [one.face for one in ask.pool],
                "at_most": ask.at_most, "only": dict(says.only),
            }  # fmt: skip
    return None


def _outcome(roll: Roll) -> dict[str, Any]:
    assert roll.node is not None
    assert roll.bound is not None
    rules = roll.bound.ruleset
    outcome = roll.node.outcome
    return {
        "outcome": None if outcome is None else plain(outcome),
        "main": roll.bound.check.main,
        "events": [{"event": name, "says": rules.says(name)} for name in sorted(roll.node.events)],
        "modifiers": [
            {"source": one.source, "says": rules.says(one.source), "value": plain(one.amount),
             "unit": one.unit, "side": one.side}
            for one in roll.node.trace.modifiers
        ],
    }  # fmt: skip


# -- actions

_AT_THE_TABLE = (  # the GM's
    "seat", "house_rules", "rules", "visibility", "request", "contest", "challenge",
)  # fmt: skip


def actions_of(known: Table, seat: str) -> list[dict[str, Any]]:
    """Everything that a seat may do, by what it knows."""
    made = _actions_beside_rolls(known, seat, Memory())
    for name in known.rolls:
        made += actions_about(known, seat, "roll", name)
    return made


def _actions_beside_rolls(known: Table, seat: str, memory: Memory) -> list[dict[str, Any]]:
    parts = (known.seats, known.left, known.rules, known.fight is None)
    made = [*memory.made(("at", seat), parts, lambda: actions_at(known, seat))]
    for name in known.characters:
        made += actions_about(known, seat, "character", name)
    for place in known.fight.rounds.places if known.fight else ():
        made += actions_about(known, seat, "combatant", place.who)
    for name in known.requests:
        made += actions_about(known, seat, "request", name)
    for name in known.contests:
        made += actions_about(known, seat, "contest", name)
    return made


def actions_at(known: Table, seat: str) -> list[dict[str, Any]]:
    """What a seat may do at the table as a whole."""
    role = known.role(seat)
    if not known.seats:
        return [{"do": "open"}]
    if seat in known.left:
        return []
    made: list[dict[str, Any]] = []
    if role in (GM, PLAYER):
        checks = [name for name, one in known.rules.checks.items() if one.program is not None]
        made.append({"do": "declare", "checks": checks, "modes": list(MODES)})
        if known.rules.sheet is not None:
            made.append({"do": "bring", "shown": list(SHEETS)})
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
    here = [name for name in known.seats if name not in known.left]
    gms = [name for name in here if known.role(name) == GM]
    wanted = here if seat in gms else [name for name in here if name == seat]
    return [name for name in wanted if gms != [name]]


def actions_about(known: Table, seat: str, about: str, name: str) -> list[dict[str, Any]]:
    """What a seat may do with a roll, request or character; nothing where it knows of none."""
    role = known.role(seat)
    if seat in known.left:
        return []
    if about == "character":
        figure = known.characters.get(name)
        found = [] if figure is None else on_character(known.rules, figure, seat, role)
        return [
            {"do": do, "character": name} | (harmful(known, name) if do == "harm" else {})
            for do in found
        ]
    if about == "combatant":
        return [
            {"do": do, "combatant": name} | more for do, more in on_combatant(known, name, seat)
        ]
    if about == "request":
        request = known.requests.get(name)
        found = [] if request is None else _on_request(request, seat, role)
        return [{"do": do, "request": name} for do in found]
    if about == "contest":
        return on_contest(known, role, name)
    roll = known.rolls.get(name)
    if roll is None or roll.level < DECLARED or roll.cancelled or roll.gone_on:
        return []
    later = {"throw"} if not roll.key and held(known, name) else set()
    if not roll.key and open_with(known, name):  # the contest is called off before
        later.add("cancel")
    return [
        {"do": do, "roll": name} | more
        for do, more in _on_roll(roll, seat, role)
        if do not in later
    ]


def _on_roll(roll: Roll, seat: str, role: str) -> list[tuple[str, dict[str, Any]]]:
    """What a seat may do with a roll that it sees."""
    own = seat == roll.roller and role == PLAYER
    may_go_on = own or role == GM
    own_turn = seat == roll.turn_of and role == PLAYER
    made: list[tuple[str, dict[str, Any]]] = []
    match roll.ask:
        case Throw() as ask if own_turn or role == GM:
            if roll.level == ALL or not roll.typed:
                due = ask.count - len(roll.typed_faces)
                by_hand = roll.level == ALL  # who may not see the result cannot type it in
                made.append(("throw", {"count": due, "sides": ask.sides, "by_hand": by_hand}))
        case ChooseDice() | PickOption() as ask if role == GM or (
            own_turn and _is_asked(roll, ask.by)
        ):
            question = _question(roll) or {}
            made.append(
                ("answer", {name: question[name] for name in ("options", "dice", "at_most")
                            if name in question})
            )  # fmt: skip
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


def _took_it(roll: Roll, seat: str, role: str) -> bool:
    """Whether what would be taken back is a player's own: not what the GM has ruled."""
    if role != PLAYER or (roll.level < ALL and roll.typed):
        return False
    return seat == roll.turn_of if roll.typed else seat == roll.given[-1].by


def _is_asked(roll: Roll, by: str) -> bool:
    """Whether the roller decides: what is the player's, and all where no GM looks on."""
    return by == PLAYER or roll.mode.gm < ALL
