"""Turn order of a fight: by initiative and tie-breakers, or as the GM arranges it.

A place once taken is never moved: newcomers are inserted between the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from handful.errors import Message, Refused
from handful.records import record, replace
from handful.rounds.state import Number, Place, Rounds
from handful.rounds.turns import next_turn
from handful.rules.round_rules import INTERLEAVED, ROLL, SHARED, STABLE, TURN
from handful.rules.ruleset import Ruleset
from handful.sheet import Character, evaluate

RANK_LENGTH = 20


@record()
class Combatant:
    """A participant before it has a place: rank by initiative and tie-breakers."""

    who: str
    rank: tuple[Number, ...] = ()
    hidden: bool = False
    rolled: int = 0  # a die roll that breaks the last tie


def combatant(
    rules: Ruleset,
    who: str,
    character: Character | None,
    *,
    marks: Mapping[str, int] | None = None,
    hidden: bool = False,
    options: Mapping[str, Any] | None = None,
) -> Combatant:
    """Return a combatant ranked by its sheet; one without a sheet is placed by the GM."""
    round_rules = rules.rounds
    if round_rules is None or character is None:
        return Combatant(who, (), hidden)
    formulas = (round_rules.initiative, *round_rules.ties)
    rank = tuple(evaluate(rules, character, formula, options, marks) for formula in formulas)
    return Combatant(who, rank, hidden)


def settings(rules: Ruleset, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the round settings under these options: structure, division, last_tie."""
    round_rules = rules.rounds
    resolved = rules.resolve_options(options)
    chosen = {key: resolved[name] for key, name in (round_rules.settings if round_rules else {}).items()}
    return {"structure": TURN, "division": False, "last_tie": STABLE, **chosen}


def ties(combatants: Sequence[Combatant]) -> list[str]:
    """Return the combatants who share their rank with another."""
    ranks = [fighter.rank for fighter in combatants]
    return [fighter.who for fighter in combatants if ranks.count(fighter.rank) > 1]


def begin(
    rules: Ruleset,
    combatants: Iterable[Combatant],
    options: Mapping[str, Any] | None = None,
    order: Sequence[str] = (),
) -> Rounds:
    """Return the first round; `order` is the GM's, for combatants of equal rank."""
    config = settings(rules, options or {})
    fighters = list(combatants)
    if not fighters:
        raise Refused(Message("fight.needs_fighters"))
    names = [fighter.who for fighter in fighters]
    if len({*names}) < len(names):
        raise Refused(Message("fight.named_twice"))
    for who in order:
        if who not in names:
            raise Refused(Message("fight.not_listed", who=who))
    if config["structure"] != INTERLEAVED and config["division"]:
        config["division"] = False  # D-27 applies to interleaved rounds only
    places = tuple(_place(fighter, config["last_tie"], order, names) for fighter in fighters)
    rounds = Rounds(1, config["structure"], config["division"], tuple(sorted(places, key=_order_key)))
    return next_turn(rounds)


def _place(fighter: Combatant, last_tie: str, order: Sequence[str], names: Sequence[str]) -> Place:
    """Return a place with a unique rank, unless the game lets combatants share a place."""
    by_gm = -order.index(fighter.who) if fighter.who in order else -len(order)
    last: tuple[Number, ...] = (by_gm,)
    if last_tie == ROLL:
        last = (by_gm, fighter.rolled)
    if last_tie != SHARED:
        last = (*last, -sorted(names).index(fighter.who))
    return Place(fighter.who, (*fighter.rank, *last), fighter.hidden)


def _order_key(place: Place) -> tuple[Number, ...]:
    return tuple(-number for number in place.rank)


def join(rounds: Rounds, newcomer: Combatant, behind: str = "") -> Rounds:
    """Add a combatant, placed by rank or directly behind one that the GM names."""
    if newcomer.who in rounds:
        raise Refused(Message("fight.joined_already", who=newcomer.who))
    if behind:
        other = rounds.place(behind)
        at = rounds.places.index(other) + 1
        rank = _free_rank(rounds, (*other.rank, -1))
    else:
        # Ties go behind existing combatants. Pad the rank to a fixed length so a newcomer's rank
        # never depends on who else is present.
        rank = _free_rank(rounds, (*newcomer.rank, *[-(10**9)] * (RANK_LENGTH - len(newcomer.rank))))
        at = sum(other.rank >= rank for other in rounds.places)
    place = Place(newcomer.who, rank, newcomer.hidden)
    late = rounds.structure == INTERLEAVED and not rounds.declaring
    if late and rounds.seen and not newcomer.hidden:
        place = replace(place, actions=0, over=True)  # declarations are over: acts from the next round on
    after = replace(rounds, places=(*rounds.places[:at], place, *rounds.places[at:]))
    return after if after.turn and not after.declaring else next_turn(after)


def _free_rank(rounds: Rounds, rank: tuple[Number, ...]) -> tuple[Number, ...]:
    """Lower a rank until it is unique: newcomers never share a place."""
    taken = {place.rank for place in rounds.places}
    while rank in taken:
        rank = (*rank[:-1], rank[-1] - 1)
    return rank


def leave(rounds: Rounds, who: str) -> Rounds:
    """Remove a combatant from the fight; the others keep their places."""
    rounds.place(who)
    remaining = tuple(place for place in rounds.places if place.who != who)
    if rounds.structure == INTERLEAVED:
        passed = rounds.slots()[: rounds.slot]
        rounds = replace(rounds, slot=rounds.slot - sum(slot.who == who for slot in passed))
    after = replace(rounds, places=remaining, turn=tuple(name for name in rounds.turn if name != who))
    return after if after.turn else next_turn(after)


def reveal(rounds: Rounds, who: str) -> Rounds:
    """Make a hidden combatant visible; the current turn stays as it is."""
    place = rounds.place(who)
    if not place.hidden:
        return rounds
    passed = rounds.structure == INTERLEAVED and not rounds.declaring
    done = place.actions is not None and place.actions_left < 1
    after = rounds.with_place(replace(place, hidden=False, over=place.over or done))
    if passed:
        if place.actions is None:  # too late to declare actions in this round
            after = after.with_place(replace(after.place(who), actions=0))
        passed_slots = rounds.slots()[: rounds.slot]
        slots = after.slots()
        last = slots.index(passed_slots[-1]) + 1 if passed_slots else 0
        after = replace(after, slot=last)
    return after if after.turn else next_turn(after)
