"""Whose turn comes next, in either structure of a round."""

from __future__ import annotations

from handful.records import replace
from handful.rounds.state import Rounds
from handful.rules.round_rules import INTERLEAVED


def next_turn(rounds: Rounds) -> Rounds:
    """The same with the turn where it belongs now; nobody's when the round is over."""
    if rounds.structure == INTERLEAVED:
        return _interleaved(rounds)
    ahead = [one for one in rounds.seen if not one.over]
    return replace(rounds, turn=_sharing(rounds, ahead[0].who) if ahead else ())


def _sharing(rounds: Rounds, who: str) -> tuple[str, ...]:
    """Those who have the same place and still have their turn before them."""
    rank = rounds.place(who).rank
    return tuple(one.who for one in rounds.seen if one.rank == rank and not one.over)


def _interleaved(rounds: Rounds) -> Rounds:
    """First everybody declares, the lowest first; then action by action."""
    for place in rounds.lowest_first():
        if place.actions is None:
            return replace(rounds, turn=(place.who,))
    slots = rounds.slots()
    at = rounds.slot
    # who has spent an action early (waiting, a parry) has none left for the last of their slots
    while at < len(slots) and rounds.place(slots[at].who).left <= 0:
        at += 1
    return replace(rounds, slot=at, turn=(slots[at].who,) if at < len(slots) else ())
