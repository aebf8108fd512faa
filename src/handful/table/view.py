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
from handful.table.actions import actions_about, actions_beside_rolls, actions_of
from handful.table.knowing import KnownRolls, as_known
from handful.table.memory import Memory
from handful.table.state import Request, Table
from handful.table.view_contests import contests_seen, held, open_with
from handful.table.view_fights import fight_seen
from handful.table.view_rolls import roll_seen
from handful.table.view_sheets import character_seen, lines_seen
from handful.table.visibility import GM

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
            *actions_beside_rolls(known, seat, memory),
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
                **memory.made(("roll", name, id(roll)), (roll,), lambda: roll_seen(roll)),
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
