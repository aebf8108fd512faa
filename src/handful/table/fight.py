"""A fight at the table: its rounds, and how each event evolves them.

The moves themselves are in `handful.rounds`; an event names one.  Whatever `decide` accepted is
applied here without checking again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from handful import rounds as fight_rounds
from handful.records import field, record, replace
from handful.rounds import Combatant, Rounds
from handful.table.events import Data, Event

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
    # combatant -> roll -> the answer it may give now; only set in a projection
    answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    # rolls for which moves were made in this round; unbounded, because a limit would reveal hidden moves
    rolls: frozenset[str] = frozenset()
    # permissions granted by the GM for this round: combatant -> leave -> count
    leaves: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    accepted_hits: frozenset[str] = frozenset()  # rolls of this round that their target does not answer

    def has_leave(self, combatant: str, leave: str) -> bool:
        return self.leaves.get(combatant, {}).get(leave, 0) > 0


MAX_UNDO = 20  # moves


def parse_rank(values: list[Any]) -> tuple[Any, ...]:
    return tuple(Fraction(one) if isinstance(one, str) else one for one in values)


def rank_data(rank: tuple[Any, ...]) -> list[Any]:
    return [one if isinstance(one, int) else str(one) for one in rank]


def read_combatants(
    table: Table, order: list[Data], ranks: Mapping[str, Any], hidden: list[str]
) -> list[Combatant]:
    """Return the combatants named by an event."""
    return [
        Combatant(name, parse_rank(ranks[name]["rank"]), name in hidden, ranks[name]["rolled"])
        for name in (one["combatant"] for one in order)
    ]


# -- evolvers


def _fight_begun(table: Table, event: Event, data: Data) -> Table:
    order: list[Data] = data["order"]
    combatants = read_combatants(table, order, data["ranks"], data["hidden"])
    names = [one["combatant"] for one in order]
    rounds = fight_rounds.begin(table.rules, combatants, table.options, names if data["by_gm"] else ())
    return replace(
        table,
        fight=Fight(data["fight"], rounds, {one["combatant"]: one["name"] for one in order}),
    )


def _combatant_joined(table: Table, event: Event, data: Data) -> Table:
    fight = _fight(table)
    (one,) = read_combatants(table, [data], {data["combatant"]: data}, data["hidden"])
    rounds = fight_rounds.join(fight.rounds, one, data["behind"])
    names = {**fight.names, data["combatant"]: data["name"]}
    undo_stacks = _without_undo_stack(fight, "" if not one.hidden else one.who)
    return replace(table, fight=replace(fight, rounds=rounds, names=names, undo_stacks=undo_stacks))


def _without_undo_stack(fight: Fight, stack: str) -> dict[str, tuple[UndoableMove, ...]]:
    """Drop the moves that can no longer be undone because a combatant joined or left."""
    return {name: moves for name, moves in fight.undo_stacks.items() if name != stack}


def _fight(table: Table) -> Fight:
    assert table.fight is not None
    return table.fight


def _with_rounds(table: Table, rounds: Rounds) -> Table:
    return replace(table, fight=replace(_fight(table), rounds=rounds))


def _combatant_left(table: Table, event: Event, data: Data) -> Table:
    fight = _fight(table)
    combatant = data["combatant"]
    undo_stacks = _without_undo_stack(fight, _undo_key(fight, combatant))
    after = replace(fight, rounds=fight_rounds.leave(fight.rounds, combatant), undo_stacks=undo_stacks)
    return replace(table, fight=after)


def _combatant_revealed(table: Table, event: Event, data: Data) -> Table:
    fight = _fight(table)
    after = replace(fight, rounds=fight_rounds.reveal(fight.rounds, data["combatant"]), undo_stacks={})
    return replace(table, fight=after)


def _attacked(table: Table, event: Event, data: Data) -> Table:
    return _with_rounds(table, fight_rounds.attacked(_fight(table).rounds, data["combatant"]))


def _actions_lost(table: Table, event: Event, data: Data) -> Table:
    """Keep the table as it is: the next round discards the actions."""
    return table


def _round_begun(table: Table, event: Event, data: Data) -> Table:
    fight = _fight(table)
    after = replace(
        fight,
        rounds=fight_rounds.next_round(fight.rounds),
        undo_stacks={},
        item_uses={},
        rolls=frozenset(),
        leaves={},
        accepted_hits=frozenset(),
    )
    return replace(table, fight=after)


def _leave_granted(table: Table, event: Event, data: Data) -> Table:
    return _with_leave(table, data["combatant"], data["leave"], 1)


def _leave_used(table: Table, event: Event, data: Data) -> Table:
    return _with_leave(table, data["combatant"], data["leave"], -1)


def _with_leave(table: Table, combatant: str, leave: str, by: int) -> Table:
    fight = _fight(table)
    counts = fight.leaves.get(combatant, {})
    after = {**counts, leave: counts.get(leave, 0) + by}
    return replace(table, fight=replace(fight, leaves={**fight.leaves, combatant: after}))


def _hit_taken(table: Table, event: Event, data: Data) -> Table:
    fight = _fight(table)
    return replace(table, fight=replace(fight, accepted_hits=fight.accepted_hits | {data["roll"]}))


def _fight_ended(table: Table, event: Event, data: Data) -> Table:
    return replace(table, fight=None)


def _moved(table: Table, event: Event, data: Data) -> Table:
    """Apply a move, and push it on the undo stack."""
    fight, combatant = _fight(table), data["combatant"]
    round_rules = table.rules.rounds
    rounds, roll = fight.rounds, data.get("roll", "")
    after = _MOVES[event.kind](rounds, combatant, round_rules, data)
    undo_key = _undo_key(fight, combatant)
    item_key = f"{combatant}/{data['item']}" if data.get("item") else ""
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


def _move_undone(table: Table, event: Event, data: Data) -> Table:
    """Undo a combatant's last move; what others have done to it meanwhile stays."""
    fight = _fight(table)
    last = last_move(fight, data["combatant"])
    assert last is not None
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


_MOVES: Mapping[str, Callable[[Rounds, str, Any, Data], Rounds]] = {
    "actions_fixed": lambda rounds, combatant, round_rules, data: fight_rounds.fix(
        rounds, combatant, data["actions"]
    ),
    "action_taken": lambda rounds, combatant, round_rules, data: fight_rounds.act(rounds, combatant),
    "waited": lambda rounds, combatant, round_rules, data: fight_rounds.wait(rounds, combatant),
    "interrupted": lambda rounds, combatant, round_rules, data: fight_rounds.interrupt(rounds, combatant),
    "reacted": lambda rounds, combatant, round_rules, data: fight_rounds.answer(
        rounds, combatant, data["actions"], leave=data["leave"]
    ),
    "stance_taken": lambda rounds, combatant, round_rules, data: fight_rounds.take_stance(
        rounds, combatant, round_rules, data["stance"], data["choice"]
    ),
    "round_prepared": lambda rounds, combatant, round_rules, data: fight_rounds.prepare(rounds, combatant),
    "paced": lambda rounds, combatant, round_rules, data: fight_rounds.move(
        rounds, combatant, data["pace"], data["cost"], leave=data["leave"]
    ),
    "turn_ended": lambda rounds, combatant, round_rules, data: fight_rounds.end_turn(rounds, combatant),
}

FIGHT_EVOLVERS: Mapping[str, Callable[[Table, Event, Data], Table]] = {
    "fight_begun": _fight_begun,
    "combatant_joined": _combatant_joined,
    "combatant_left": _combatant_left,
    "combatant_revealed": _combatant_revealed,
    "combatant_attacked": _attacked,
    "actions_lost": _actions_lost,
    "round_begun": _round_begun,
    "fight_ended": _fight_ended,
    "leave_granted": _leave_granted,
    "leave_used": _leave_used,
    "hit_taken": _hit_taken,
    "move_undone": _move_undone,
    **dict.fromkeys(_MOVES, _moved),
}
