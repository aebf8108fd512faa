"""Turn advancement for both round structures: one turn per combatant, or interleaved actions.

Invariant: `Rounds.turn` names only visible combatants; it is empty when the round is over.
"""

from __future__ import annotations

from handful.records import replace
from handful.rounds.state import Rounds
from handful.rules.round_rules import INTERLEAVED


def next_turn(rounds: Rounds) -> Rounds:
    """Return the round with `turn` advanced to the next combatants; empty when the round is over."""
    if rounds.structure == INTERLEAVED:
        return _advance_interleaved(rounds)
    pending = [place for place in rounds.seen if not place.over]
    return replace(rounds, turn=_next_of_rank(rounds, pending[0].who) if pending else ())


def _next_of_rank(rounds: Rounds, who: str) -> tuple[str, ...]:
    """Return the combatants of equal rank whose turn is still to come."""
    rank = rounds.place(who).rank
    return tuple(place.who for place in rounds.seen if place.rank == rank and not place.over)


def _advance_interleaved(rounds: Rounds) -> Rounds:
    """Advance an interleaved round: declarations first, lowest rank first, then action by action."""
    for place in rounds.lowest_first():
        if place.actions is None:
            return replace(rounds, turn=(place.who,))
    slots = rounds.slots()
    index = rounds.slot
    # An action spent early (waiting, a parry) is missing for the combatant's last slot.
    while index < len(slots) and rounds.place(slots[index].who).actions_left <= 0:
        index += 1
    return replace(rounds, slot=index, turn=(slots[index].who,) if index < len(slots) else ())
