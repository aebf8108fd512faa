"""Requests that leave nothing open: whoever is asked rolls at once, and the GM need not accept it.

All of this looks only at what the asked seat knows, so that nothing hidden follows from it.
"""

from __future__ import annotations

from handful.rules.params import ADD_SUFFIX
from handful.rules.ruleset import Ruleset
from handful.table.state import Request, Table
from handful.table.visibility import ALL, PRESENCE, combine_modes


def is_settled(known: Table, request: Request) -> bool:
    """Return whether a request says everything about the check but who makes it.

    The GM accepts calls, answers that name the skill, and rolls that not everyone may know of.  A request
    with hidden parameters is never settled: a player would learn from it whether they fit the rest.
    """
    mode = combine_modes(known.mode, request.mode)
    is_visible = min(mode.others, mode.roller) >= PRESENCE and mode.gm == ALL
    return is_visible and not request.called and not request.hidden and _names_skill(known.rules, request)


def is_settled_for(known: Table, request: Request, character_id: str) -> bool:
    """Return whether a request is settled for this character; "" for none.

    The GM accepts another character than the one named, and the cost of an action in a fight.
    """
    is_named = request.character_id in ("", character_id)
    in_fight = known.fight is not None and character_id in known.fight.rounds
    return is_settled(known, request) and is_named and not in_fight


def _names_skill(rules: Ruleset, request: Request) -> bool:
    """Return whether a request says what to roll with, if that can be picked from a sheet."""
    picks = {*rules.sheet.picks} & {*rules.check(request.check).params} if rules.sheet else set()
    return not picks or any(name.removesuffix(ADD_SUFFIX) in picks for name in request.parameters)
