"""The order of a fight: by initiative and tie-breakers, or as the GM says.

A place once taken stays: newcomers find theirs between the others, and nobody is moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from handful.errors import Refused
from handful.records import record, replace
from handful.rounds.state import Number, Place, Rounds
from handful.rounds.turns import next_turn
from handful.rules.round_rules import INTERLEAVED, ROLL, SHARED, STABLE, TURN
from handful.rules.ruleset import Ruleset
from handful.sheet import Character, evaluate

RANK_LENGTH = 20


@record()
class Combatant:
    """Somebody who joins a fight."""

    who: str
    rank: tuple[Number, ...] = ()
    hidden: bool = False
    rolled: int = 0  # a die that settles what nothing else did


def combatant(
    rules: Ruleset,
    who: str,
    character: Character | None,
    *,
    marks: Mapping[str, int] | None = None,
    hidden: bool = False,
    options: Mapping[str, Any] | None = None,
) -> Combatant:
    """Somebody with the rank that follows from the sheet; without a sheet the GM places them."""
    says = rules.rounds
    if says is None or character is None:
        return Combatant(who, (), hidden)
    formulas = (says.initiative, *says.ties)
    rank = tuple(evaluate(rules, character, one, options, marks) for one in formulas)
    return Combatant(who, rank, hidden)


def settings(rules: Ruleset, options: Mapping[str, Any]) -> dict[str, Any]:
    """How rounds go here: structure, division, last_tie."""
    says = rules.rounds
    settled = rules.resolve_options(options)
    own = {key: settled[name] for key, name in (says.settings if says else {}).items()}
    return {"structure": TURN, "division": False, "last_tie": STABLE, **own}


def ties(combatants: Sequence[Combatant]) -> list[str]:
    """Those whose place nothing has settled: they have the same rank as another."""
    ranks = [one.rank for one in combatants]
    return [one.who for one in combatants if ranks.count(one.rank) > 1]


def begin(
    rules: Ruleset,
    combatants: Iterable[Combatant],
    options: Mapping[str, Any] | None = None,
    order: Sequence[str] = (),
) -> Rounds:
    """The first round; `order` is the GM's, where nothing else decides between two."""
    says = settings(rules, options or {})
    there = list(combatants)
    if not there:
        raise Refused("a fight needs somebody who fights")
    names = [one.who for one in there]
    if len({*names}) < len(names):
        raise Refused("somebody is named twice; each has one place")
    for who in order:
        if who not in names:
            raise Refused(f"{who} is not among those who fight")
    if says["structure"] != INTERLEAVED and says["division"]:
        says["division"] = False  # D-27 is written for interleaved rounds
    places = tuple(_place(one, says["last_tie"], order, names) for one in there)
    made = Rounds(1, says["structure"], says["division"], tuple(sorted(places, key=_order_key)))
    return next_turn(made)


def _place(one: Combatant, last_tie: str, order: Sequence[str], names: Sequence[str]) -> Place:
    """A place with a rank that nobody else has, unless places may be shared."""
    by_gm = -order.index(one.who) if one.who in order else -len(order)
    last: tuple[Number, ...] = (by_gm,)
    if last_tie == ROLL:
        last = (by_gm, one.rolled)
    if last_tie != SHARED:
        last = (*last, -sorted(names).index(one.who))
    return Place(one.who, (*one.rank, *last), one.hidden)


def _order_key(place: Place) -> tuple[Number, ...]:
    return tuple(-one for one in place.rank)


def join(rounds: Rounds, one: Combatant, behind: str = "") -> Rounds:
    """Somebody comes to a fight; their place is by rank, or behind somebody of the GM's choice."""
    if one.who in rounds:
        raise Refused(f"{one.who} is in this fight already")
    if behind:
        other = rounds.place(behind)
        at = rounds.places.index(other) + 1
        rank = _free_rank(rounds, (*other.rank, -1))
    else:
        # behind those with as much; as long in every fight, whoever else is there
        rank = _free_rank(rounds, (*one.rank, *[-(10**9)] * (RANK_LENGTH - len(one.rank))))
        at = sum(other.rank >= rank for other in rounds.places)
    place = Place(one.who, rank, one.hidden)
    late = rounds.structure == INTERLEAVED and not rounds.declaring
    if late and rounds.seen and not one.hidden:
        place = replace(place, actions=0, over=True)  # the others have declared: from the next on
    made = replace(rounds, places=(*rounds.places[:at], place, *rounds.places[at:]))
    return made if made.turn and not made.declaring else next_turn(made)


def _free_rank(rounds: Rounds, rank: tuple[Number, ...]) -> tuple[Number, ...]:
    """A rank that nobody has: newcomers share no place."""
    taken = {one.rank for one in rounds.places}
    while rank in taken:
        rank = (*rank[:-1], rank[-1] - 1)
    return rank


def leave(rounds: Rounds, who: str) -> Rounds:
    """Somebody is out of a fight; the others keep their places."""
    rounds.place(who)
    left = tuple(one for one in rounds.places if one.who != who)
    if rounds.structure == INTERLEAVED:
        gone = rounds.slots()[: rounds.slot]
        rounds = replace(rounds, slot=rounds.slot - sum(one.who == who for one in gone))
    after = replace(rounds, places=left, turn=tuple(one for one in rounds.turn if one != who))
    return after if after.turn else next_turn(after)


def reveal(rounds: Rounds, who: str) -> Rounds:
    """Somebody hidden is seen from now on; whose turn it is stays as it is."""
    place = rounds.place(who)
    if not place.hidden:
        return rounds
    passed = rounds.structure == INTERLEAVED and not rounds.declaring
    done = place.actions is not None and place.left < 1
    after = rounds.with_place(replace(place, hidden=False, over=place.over or done))
    if passed:
        if place.actions is None:  # declares nothing any more in this round
            after = after.with_place(replace(after.place(who), actions=0))
        now = rounds.slots()[: rounds.slot]
        every = after.slots()
        last = every.index(now[-1]) + 1 if now else 0
        after = replace(after, slot=last)
    return after if after.turn else next_turn(after)
