"""A fight at the table: its rounds, and how each event evolves them.

The moves themselves are in `handful.rounds`; an event names one.  Whatever `decide` accepted is
applied here without checking again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from handful import rounds as fight_rounds
from handful.records import field, record, replace
from handful.rounds import Combatant, Place, Rounds
from handful.table.events import (
    ActionsFixed,
    ActionsLost,
    ActionTaken,
    CombatantAttacked,
    CombatantJoined,
    CombatantLeft,
    CombatantRevealed,
    Event,
    FightBegun,
    FightEnded,
    HitTaken,
    Interrupted,
    LeaveGranted,
    LeaveUsed,
    MoveBody,
    MoveUndone,
    Paced,
    Reacted,
    RoundBegun,
    RoundPrepared,
    StanceTaken,
    TurnEnded,
    Waited,
)
from handful.table.events.values import FightState, OfferedAnswer, PlaceData, RankData

if TYPE_CHECKING:
    from handful.table.state import Table


@record()
class UndoableMove:
    """A move that can be undone, and the rounds before it."""

    combatant: str
    hidden: bool
    before: Rounds
    roll: str  # the roll it was made for, if any
    item_key: str = ""  # combatant/item that was used


@record()
class Fight:
    """Rounds, with the names of their combatants."""

    id: str
    rounds: Rounds
    names: Mapping[str, str] = field(default_factory=dict)  # combatant -> name
    # moves that can be undone: under "" the visible ones, else those of one hidden combatant
    undo_stacks: Mapping[str, tuple[UndoableMove, ...]] = field(default_factory=dict)
    item_uses: Mapping[str, int] = field(default_factory=dict)  # combatant/item -> uses in this round
    # rolls for which moves were made in this round; unbounded, because a limit would reveal hidden moves
    rolls: frozenset[str] = frozenset()
    # permissions granted by the GM for this round: combatant -> leave -> count
    leaves: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    accepted_hits: frozenset[str] = frozenset()  # rolls of this round that their target does not answer
    # roll -> the answer that its target may give now; only in what the GM and the target's player know
    offers: Mapping[str, OfferedAnswer] = field(default_factory=dict)

    def has_leave(self, combatant: str, leave: str) -> bool:
        return self.leaves.get(combatant, {}).get(leave, 0) > 0


MAX_UNDO = 20  # moves


def parse_rank(values: Iterable[int | str]) -> tuple[int | Fraction, ...]:
    return tuple(Fraction(one) if isinstance(one, str) else one for one in values)


def rank_data(rank: tuple[int | Fraction, ...]) -> tuple[int | str, ...]:
    return tuple(one if isinstance(one, int) else str(one) for one in rank)


def _combatant(name: str, rank: RankData, hidden: bool) -> Combatant:
    return Combatant(name, parse_rank(rank.rank), hidden, rank.rolled)


# -- the fight as one seat sees it


def visible_state(fight: Fight, sees: Callable[[Place], bool]) -> FightState | None:
    """Return a fight without the combatants that a viewer does not see; None if it sees none.

    Ranks are replaced by places in the order, because they come from sheets.  Only where the initiative
    is divided among actions is it shown itself: the order of actions follows from it.
    """
    rounds = fight.rounds
    places = [one for one in rounds.places if sees(one)]
    if not places:
        return None
    ranks = sorted({one.rank for one in places})
    return FightState(
        fight.id,
        rounds.number,
        rounds.structure,
        rounds.division,
        tuple(_place_data(fight, one, ranks.index(one.rank)) for one in places),
        rounds.turn,
        rounds.slot,
    )


def _place_data(fight: Fight, place: Place, rank: int) -> PlaceData:
    initiative = rank_data((place.initiative,)) if fight.rounds.division else ()
    return PlaceData(
        place.who,
        fight.names[place.who],
        (*initiative, rank),
        place.hidden,
        place.over,
        place.taken,
        place.waiting,
        place.stepped,
        place.stance,
        place.choice,
        place.pace,
        place.attacked,
        place.prepared,
        place.actions,
    )


def _from_state(table: Table, state: FightState) -> Fight:
    """Return the fight as a seat sees it now; what it knew besides stays known."""
    places = tuple(
        Place(
            one.who,
            parse_rank(one.rank),
            one.hidden,
            one.actions,
            one.taken,
            one.over,
            one.waiting,
            one.stepped,
            one.stance,
            one.choice,
            one.pace,
            one.attacked,
            one.prepared,
        )
        for one in state.places
    )
    rounds = Rounds(state.number, state.structure, state.division, places, state.turn, state.slot)
    names = {one.who: one.name for one in state.places}
    before = table.fight
    if before is None or before.id != state.fight:
        return Fight(state.fight, rounds, names)
    return replace(before, rounds=rounds, names=names)


# -- evolvers


def _fight_begun(table: Table, event: Event, body: FightBegun) -> Table:
    if body.state is not None:
        return replace(table, fight=_from_state(table, body.state))
    ranks, hidden, names = body.ranks or {}, body.hidden or (), [one.combatant for one in body.order]
    combatants = [_combatant(name, ranks[name], name in hidden) for name in names]
    rounds = fight_rounds.begin(table.rules, combatants, table.options, names if body.by_gm else ())
    return replace(table, fight=Fight(body.fight, rounds, {one.combatant: one.name for one in body.order}))


def _combatant_joined(table: Table, event: Event, body: CombatantJoined) -> Table:
    fight = table.fight
    if body.state is not None:
        after = _from_state(table, body.state)
        is_hidden = any(one.who == body.combatant and one.hidden for one in body.state.places)
    elif fight is not None:
        is_hidden = body.combatant in (body.hidden or ())
        one = _combatant(body.combatant, RankData(body.rank or (), body.rolled or 0), is_hidden)
        rounds = fight_rounds.join(fight.rounds, one, body.behind or "")
        after = replace(fight, rounds=rounds, names={**fight.names, body.combatant: body.name})
    else:
        return table
    undo_stacks = _without_undo_stack(after, body.combatant if is_hidden else "")
    return replace(table, fight=replace(after, undo_stacks=undo_stacks))


def _without_undo_stack(fight: Fight, stack: str) -> dict[str, tuple[UndoableMove, ...]]:
    """Drop the moves that can no longer be undone because a combatant joined or left."""
    return {name: moves for name, moves in fight.undo_stacks.items() if name != stack}


def _combatant_left(table: Table, event: Event, body: CombatantLeft) -> Table:
    fight = table.fight
    if fight is None or body.last:
        return replace(table, fight=None)
    undo_stacks = _without_undo_stack(fight, _undo_key(fight, body.combatant))
    rounds = fight_rounds.leave(fight.rounds, body.combatant)
    return replace(table, fight=replace(fight, rounds=rounds, undo_stacks=undo_stacks))


def _combatant_revealed(table: Table, event: Event, body: CombatantRevealed) -> Table:
    if body.state is not None:
        return replace(table, fight=replace(_from_state(table, body.state), undo_stacks={}))
    fight = table.fight
    if fight is None:
        return table
    rounds = fight_rounds.reveal(fight.rounds, body.combatant)
    return replace(table, fight=replace(fight, rounds=rounds, undo_stacks={}))


def _attacked(table: Table, event: Event, body: CombatantAttacked) -> Table:
    fight = table.fight
    if fight is None:
        return table
    return replace(table, fight=replace(fight, rounds=fight_rounds.attacked(fight.rounds, body.combatant)))


def _actions_lost(table: Table, event: Event, body: ActionsLost) -> Table:
    """Keep the table as it is: the next round discards the actions."""
    return table


def _round_begun(table: Table, event: Event, body: RoundBegun) -> Table:
    fight = table.fight
    if fight is None:
        return table
    after = replace(
        fight,
        rounds=fight_rounds.next_round(fight.rounds),
        undo_stacks={},
        item_uses={},
        rolls=frozenset(),
        leaves={},
        accepted_hits=frozenset(),
        offers={name: one for name, one in fight.offers.items() if name in table.open_rolls},
    )
    return replace(table, fight=after)


def _leave_granted(table: Table, event: Event, body: LeaveGranted) -> Table:
    return _with_leave(table, body.combatant, body.leave, 1)


def _leave_used(table: Table, event: Event, body: LeaveUsed) -> Table:
    return _with_leave(table, body.combatant, body.leave, -1)


def _with_leave(table: Table, combatant: str, leave: str, by: int) -> Table:
    fight = table.fight
    if fight is None:
        return table
    counts = fight.leaves.get(combatant, {})
    after = {**counts, leave: counts.get(leave, 0) + by}
    return replace(table, fight=replace(fight, leaves={**fight.leaves, combatant: after}))


def _hit_taken(table: Table, event: Event, body: HitTaken) -> Table:
    fight = table.fight
    if fight is None or body.roll is None:
        return table
    return replace(table, fight=replace(fight, accepted_hits=fight.accepted_hits | {body.roll}))


def with_offer(table: Table, roll: str, offer: OfferedAnswer) -> Table:
    """Return the table with the answer to a roll that its target may give now."""
    fight = table.fight
    if fight is None:
        return table
    offers = {name: one for name, one in fight.offers.items() if name != roll}
    offers |= {roll: offer} if offer.answer else {}
    return replace(table, fight=replace(fight, offers=offers))


def _fight_ended(table: Table, event: Event, body: FightEnded) -> Table:
    return replace(table, fight=None)


def _moved(table: Table, event: Event, body: MoveBody) -> Table:
    """Apply a move, and push it on the undo stack."""
    fight, combatant = table.fight, body.combatant
    if fight is None:
        return table
    rounds, roll, item = fight.rounds, getattr(body, "roll", None) or "", getattr(body, "item", None) or ""
    after = _MOVES[type(body)](rounds, table.rules.rounds, body)
    undo_key = _undo_key(fight, combatant)
    item_key = f"{combatant}/{item}" if item else ""
    move = UndoableMove(combatant, bool(undo_key), rounds, roll, item_key)
    undo_stacks = {**fight.undo_stacks, undo_key: (*fight.undo_stacks.get(undo_key, ()), move)[-MAX_UNDO:]}
    item_uses = _count_item_use(fight, item_key, 1)
    rolls = fight.rolls | {roll} if roll else fight.rolls
    after_move = replace(fight, rounds=after, undo_stacks=undo_stacks, item_uses=item_uses, rolls=rolls)
    return replace(table, fight=after_move)


def _count_item_use(fight: Fight, item_key: str, by: int) -> Mapping[str, int]:
    return (
        {**fight.item_uses, item_key: fight.item_uses.get(item_key, 0) + by} if item_key else fight.item_uses
    )


def _move_undone(table: Table, event: Event, body: MoveUndone) -> Table:
    """Undo a combatant's last move; what others have done to it meanwhile stays."""
    fight = table.fight
    last = None if fight is None else last_move(fight, body.combatant)
    if fight is None or last is None:
        return table
    now, place = fight.rounds.place(last.combatant), last.before.place(last.combatant)
    if now.attacked and not place.attacked:
        place = replace(place, attacked=True, prepared=0)
    rounds = fight.rounds.with_place(place)
    if not last.hidden:
        rounds = replace(rounds, turn=last.before.turn, slot=last.before.slot)
    undo_key = _undo_key(fight, last.combatant)
    undo_stacks = {**fight.undo_stacks, undo_key: fight.undo_stacks[undo_key][:-1]}
    item_uses = _count_item_use(fight, last.item_key, -1)
    rolls = fight.rolls - {last.roll}
    return replace(
        table, fight=replace(fight, rounds=rounds, undo_stacks=undo_stacks, item_uses=item_uses, rolls=rolls)
    )


def _undo_key(fight: Fight, combatant: str) -> str:
    return combatant if fight.rounds.place(combatant).hidden else ""


def last_move(fight: Fight, combatant: str) -> UndoableMove | None:
    """Return a combatant's last move if it can be undone.

    A visible combatant's move can be undone only until another visible one moves.
    """
    stack = fight.undo_stacks.get(_undo_key(fight, combatant), ())
    return stack[-1] if stack and stack[-1].combatant == combatant else None


_MOVES: Mapping[type, Callable[[Rounds, Any, Any], Rounds]] = {
    ActionsFixed: lambda rounds, rules, body: fight_rounds.fix(rounds, body.combatant, body.actions),
    ActionTaken: lambda rounds, rules, body: fight_rounds.act(rounds, body.combatant),
    Waited: lambda rounds, rules, body: fight_rounds.wait(rounds, body.combatant),
    Interrupted: lambda rounds, rules, body: fight_rounds.interrupt(rounds, body.combatant),
    Reacted: lambda rounds, rules, body: fight_rounds.answer(
        rounds, body.combatant, body.actions, leave=body.leave
    ),
    StanceTaken: lambda rounds, rules, body: fight_rounds.take_stance(
        rounds, body.combatant, rules, body.stance, body.choice
    ),
    RoundPrepared: lambda rounds, rules, body: fight_rounds.prepare(rounds, body.combatant),
    Paced: lambda rounds, rules, body: fight_rounds.move(
        rounds, body.combatant, body.pace, body.cost, leave=body.leave
    ),
    TurnEnded: lambda rounds, rules, body: fight_rounds.end_turn(rounds, body.combatant),
}

FIGHT_EVOLVERS: Mapping[type, Callable[[Table, Event, Any], Table]] = {
    FightBegun: _fight_begun,
    CombatantJoined: _combatant_joined,
    CombatantLeft: _combatant_left,
    CombatantRevealed: _combatant_revealed,
    CombatantAttacked: _attacked,
    ActionsLost: _actions_lost,
    RoundBegun: _round_begun,
    FightEnded: _fight_ended,
    LeaveGranted: _leave_granted,
    LeaveUsed: _leave_used,
    HitTaken: _hit_taken,
    MoveUndone: _move_undone,
    **dict.fromkeys(_MOVES, _moved),
}
