"""Moves of combatants in a round: each returns the next `Rounds` or raises `Refused`.

A combatant moves on its own turn; `leave` means that the GM permits the move at another time.
No move changes another combatant's place, and a refused move changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from handful.errors import Message, Refused
from handful.records import replace
from handful.rounds.state import Place, Rounds
from handful.rounds.turns import next_turn
from handful.rules.round_rules import INTERLEAVED, RoundRules

MAX_ACTIONS = 100


def _require_turn(rounds: Rounds, who: str) -> Place:
    """Return the place of a combatant whose turn it is; refuse all others."""
    place = rounds.place(who)
    if not rounds.is_due(who):
        if not rounds.turn:
            raise Refused(Message("fight.round_is_over", who=who))
        raise Refused(
            Message("fight.not_your_turn", turn=rounds.turn, who=who),
            Message("fight.who_may_step_in"),
        )
    return place


def _require_action(place: Place) -> None:
    """Refuse a combatant without an action left."""
    if place.stance:
        raise Refused(Message("fight.only_this_round", who=place.who))
    if place.actions is None:
        raise Refused(Message("fight.actions_not_declared", who=place.who))
    if place.actions_left < 1:
        actions = Message("count.action", count=place.actions)
        raise Refused(Message("fight.no_actions_left", who=place.who, actions=actions))


def _spend(place: Place, count: int = 1) -> Place:
    return replace(place, taken=place.taken + count)


def _pass_turn(rounds: Rounds, who: str) -> Rounds:
    """End a combatant's turn, or its action in an interleaved round; hidden combatants hold no turn."""
    place = rounds.place(who)
    if place.hidden:
        return rounds
    if rounds.structure == INTERLEAVED:
        return next_turn(replace(rounds, slot=rounds.slot + 1))
    return next_turn(rounds.with_place(replace(place, over=True)))


def fix(rounds: Rounds, who: str, actions: int) -> Rounds:
    """Declare the number of actions for this round; it cannot be raised afterwards (D-17, D-26)."""
    place = rounds.place(who)
    if place.actions is not None:
        raise Refused(Message("fight.actions_declared_already", who=who, actions=place.actions))
    if not 1 <= actions <= MAX_ACTIONS:
        raise Refused(Message("fight.number_of_actions", most=MAX_ACTIONS, actions=actions))
    if rounds.structure == INTERLEAVED:
        if not place.hidden and who not in rounds.turn:
            raise Refused(Message("fight.slowest_declares_first", turn=rounds.turn))
        return next_turn(rounds.with_place(_with_actions(place, actions)))
    return rounds.with_place(_with_actions(_require_turn(rounds, who), actions))


def _with_actions(place: Place, actions: int) -> Place:
    return replace(place, actions=actions)


def act(rounds: Rounds, who: str) -> Rounds:
    """Take one action: on the combatant's own turn, or after waiting (D-17, D-18)."""
    place = rounds.place(who)
    if rounds.declaring:
        raise Refused(Message("fight.declare_actions_first", turn=rounds.turn))
    if place.waiting and not rounds.is_due(who):
        return _step_in(rounds, place)
    place = _require_turn(rounds, who)
    _require_action(place)
    after = rounds.with_place(replace(_spend(place), prepared=0, waiting=False))
    if rounds.structure == INTERLEAVED or after.place(who).actions_left == 0:
        return _pass_turn(after, who)
    return after


def _step_in(rounds: Rounds, place: Place) -> Rounds:
    _require_action(place)
    return rounds.with_place(replace(_spend(place), prepared=0, waiting=False, stepped=True))


def wait(rounds: Rounds, who: str) -> Rounds:
    """Wait for a better moment; each wait costs an action (D-18)."""
    place = rounds.place(who)
    if not place.stepped:
        place = _require_turn(rounds, who)
    if rounds.declaring:
        raise Refused(Message("fight.declare_actions_first", turn=rounds.turn))
    if place.waiting:
        raise Refused(Message("fight.waiting_already", who=who))
    _require_action(place)
    if place.actions_left < 2:
        raise Refused(Message("fight.waiting_costs_an_action"))
    due = rounds.is_due(who)
    after = rounds.with_place(replace(_spend(place), waiting=True, stepped=False))
    return _pass_turn(after, who) if due else after


def interrupt(rounds: Rounds, who: str) -> Rounds:
    """Act before the result of a roll is revealed; only after waiting (D-19)."""
    place = rounds.place(who)
    if not place.waiting:
        raise Refused(Message("fight.has_not_waited", who=who))
    return _step_in(rounds, place)


def answer(rounds: Rounds, who: str, actions: int | None = None, *, leave: bool = False) -> Rounds:
    """Spend an action on a reaction such as a parry (D-20, AMB-D17).

    Before the combatant's own turn this needs the GM's permission and fixes the number of actions.
    A combatant may give up its preparation instead (D-35), unless an attack ended it before (AMB-D15).
    """
    place = rounds.place(who)
    if place.is_preparing and actions is None:
        return rounds.with_place(replace(place, prepared=0))
    if place.actions is None and not place.stance:
        if not leave:
            raise Refused(Message("fight.no_turn_yet", who=who), Message("fight.gm_may_allow_early_reaction"))
        count = 1 if actions is None else actions
        if not 1 <= count <= MAX_ACTIONS:
            raise Refused(Message("fight.number_of_actions", most=MAX_ACTIONS, actions=count))
        place = _with_actions(place, count)
    elif actions is not None:
        raise Refused(Message("fight.actions_declared_already", who=who, actions=place.actions))
    _require_action(place)
    waiting = place.waiting and place.actions_left > 1  # waiting is pointless without an action left
    after = rounds.with_place(replace(_spend(place), prepared=0, waiting=waiting))
    if rounds.structure == INTERLEAVED:
        return next_turn(after)
    if after.place(who).actions_left == 0 and who in after.turn:
        return _pass_turn(after, who)
    return after


def end_turn(rounds: Rounds, who: str) -> Rounds:
    """End the turn; unused actions may still be spent on reactions and are lost with the round."""
    place = _require_turn(rounds, who)
    if rounds.declaring:
        raise Refused(Message("fight.own_actions_first", who=who))
    if place.actions is None:
        rounds = rounds.with_place(_with_actions(place, 1))
    return _pass_turn(rounds, who)


def take_stance(
    rounds: Rounds, who: str, round_rules: RoundRules | None, stance: str, choice: str = ""
) -> Rounds:
    """Take a stance for the whole round, before the first action of it (D-28, AMB-D18).

    In a round with one turn per combatant this may come before that turn: otherwise a combatant who
    is attacked first would gain nothing by it.
    """
    stances = round_rules.stances if round_rules else {}
    if stance not in stances:
        raise Refused(Message("fight.unknown_stance", stance=stance[:40], stances=stances))
    choices = stances[stance].choices
    if (choice or choices) and choice not in choices:
        raise Refused(Message("fight.stance_target", stance=stance, choices=choices))
    early = _before_turn(rounds, who)
    return _take_whole_round(rounds, who, early=early, stance=stance, choice=choice)


def _before_turn(rounds: Rounds, who: str) -> bool:
    """Return whether the turn is still to come, in a round with one turn per combatant."""
    return rounds.structure != INTERLEAVED and not rounds.place(who).over


def prepare(rounds: Rounds, who: str) -> Rounds:
    """Spend the whole round preparing (D-29)."""
    prepared = rounds.place(who).prepared
    return _take_whole_round(rounds, who, prepared=prepared + 1)


def _take_whole_round(rounds: Rounds, who: str, *, early: bool = False, **fields: object) -> Rounds:
    place = rounds.place(who)
    if place.actions is not None:
        raise Refused(Message("fight.whole_round_declared", who=who))
    if place.pace:
        raise Refused(Message("fight.has_moved_already", who=who))
    if rounds.structure != INTERLEAVED:
        if not early:
            _require_turn(rounds, who)
    elif not place.hidden and who not in rounds.turn:
        raise Refused(Message("fight.slowest_declares_first", turn=rounds.turn))
    after = rounds.with_place(replace(place, actions=0, over=True, **fields))
    return next_turn(after) if not place.hidden else after


def move(rounds: Rounds, who: str, pace: str, cost: int, *, leave: bool = False) -> Rounds:
    """Move at a pace and take the actions it costs (D-40)."""
    place = rounds.place(who)
    if place.pace:
        raise Refused(Message("fight.moves_once", who=who, pace=place.pace))
    if (place.stance or place.is_preparing) and not leave:
        raise Refused(Message("fight.does_not_move", who=who), Message("fight.gm_may_allow"))
    after = rounds.with_place(replace(place, pace=pace))
    for _ in range(cost):
        after = act(after, who)
    return after


def attacked(rounds: Rounds, who: str) -> Rounds:
    """Record that a combatant was attacked or hurt: its preparation is lost (AMB-D15)."""
    return rounds.with_place(replace(rounds.place(who), attacked=True, prepared=0))


def next_round(rounds: Rounds) -> Rounds:
    """Return the next round; unused actions are lost, places stay (D-13, D-15)."""
    places = tuple(
        Place(place.who, place.rank, place.hidden, prepared=place.prepared if place.actions == 0 else 0)
        for place in rounds.places
    )
    return next_turn(replace(rounds, number=rounds.number + 1, places=places, turn=(), slot=0))


MOVES: Mapping[str, Callable[[Rounds, str], Rounds]] = {
    "fix": lambda rounds, who: fix(rounds, who, 1),
    "act": act,
    "wait": wait,
    "interrupt": interrupt,
    "answer": answer,
    "prepare": prepare,
    "stance": lambda rounds, who: _take_whole_round(rounds, who, early=_before_turn(rounds, who)),
    "end_turn": end_turn,
}


def possible(rounds: Rounds, who: str, *, leave: bool = False) -> list[str]:
    """Return the names of the legal moves of a combatant; with `leave`, also those the GM may permit."""
    legal = []
    for name, attempt in MOVES.items():
        try:
            answer(rounds, who, leave=leave) if name == "answer" else attempt(rounds, who)
        except Refused:
            continue
        legal.append(name)
    return legal
