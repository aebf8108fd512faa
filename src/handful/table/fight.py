"""A fight at the table: the rounds as they are played, and what each event does to them.

The moves themselves are `handful.rounds`; an event names one, and whatever `decide` let pass is
made here without asking again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from handful import rounds as kernel
from handful.records import field, record, replace
from handful.rounds import Combatant, Rounds
from handful.table.events import Data, Event

if TYPE_CHECKING:
    from handful.table.state import Table


@record()
class Taken:
    """A move that may be taken back, and the rounds before it."""

    who: str
    hidden: bool
    before: Rounds
    roll: str  # that it was made for, if any
    item_key: str = ""  # the combatant/item that was used for it


@record()
class Fight:
    """Rounds with the names of those who fight in them."""

    id: str
    rounds: Rounds
    names: Mapping[str, str] = field(default_factory=dict)  # combatant -> name
    # moves that may be taken back: under "" those that everybody sees, else those of a hidden one
    undo_stacks: Mapping[str, tuple[Taken, ...]] = field(default_factory=dict)
    item_uses: Mapping[str, int] = field(default_factory=dict)  # combatant/item -> how often, this round
    # rolls that somebody may answer now, each with how: only where a seat knows the fight
    answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    # rolls for which moves of this round were made; never bounded, because a bound would count
    # moves of somebody hidden
    rolls: frozenset[str] = frozenset()
    # what the GM lets somebody do in this round: combatant -> how often each of `LEAVES`
    leaves: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    accepted_hits: frozenset[str] = frozenset()  # rolls of this round that their target lets stand

    def has_leave(self, who: str, leave: str) -> bool:
        return self.leaves.get(who, {}).get(leave, 0) > 0


MOST_TAKEN = 20  # moves that can be taken back


def rank_of(values: list[Any]) -> tuple[Any, ...]:
    return tuple(Fraction(one) if isinstance(one, str) else one for one in values)


def rank_data(rank: tuple[Any, ...]) -> list[Any]:
    return [one if isinstance(one, int) else str(one) for one in rank]


def placed(table: Table, order: list[Data], ranks: Mapping[str, Any], hidden: list[str]) -> list[Combatant]:
    """Those who fight, as an event names them."""
    return [
        Combatant(name, rank_of(ranks[name]["rank"]), name in hidden, ranks[name]["rolled"])
        for name in (one["combatant"] for one in order)
    ]


# -- what events change


def _fight_begun(table: Table, event: Event, data: Data) -> Table:
    order: list[Data] = data["order"]
    there = placed(table, order, data["ranks"], data["hidden"])
    names = [one["combatant"] for one in order]
    rounds = kernel.begin(table.rules, there, table.options, names if data["by_gm"] else ())
    return replace(
        table,
        fight=Fight(data["fight"], rounds, {one["combatant"]: one["name"] for one in order}),
    )


def _combatant_joined(table: Table, event: Event, data: Data) -> Table:
    fight = _fight(table)
    (one,) = placed(table, [data], {data["combatant"]: data}, data["hidden"])
    rounds = kernel.join(fight.rounds, one, data["behind"])
    names = {**fight.names, data["combatant"]: data["name"]}
    taken = _without(fight, "" if not one.hidden else one.who)
    return replace(table, fight=replace(fight, rounds=rounds, names=names, undo_stacks=taken))


def _without(fight: Fight, stack: str) -> dict[str, tuple[Taken, ...]]:
    """Moves that may still be taken back when others have come or gone since."""
    return {name: moves for name, moves in fight.undo_stacks.items() if name != stack}


def _fight(table: Table) -> Fight:
    assert table.fight is not None
    return table.fight


def _with(table: Table, rounds: Rounds) -> Table:
    return replace(table, fight=replace(_fight(table), rounds=rounds))


def _combatant_left(table: Table, event: Event, data: Data) -> Table:
    fight = _fight(table)
    who = data["combatant"]
    taken = _without(fight, _stack(fight, who))
    after = replace(fight, rounds=kernel.leave(fight.rounds, who), undo_stacks=taken)
    return replace(table, fight=after)


def _combatant_revealed(table: Table, event: Event, data: Data) -> Table:
    fight = _fight(table)
    after = replace(fight, rounds=kernel.reveal(fight.rounds, data["combatant"]), undo_stacks={})
    return replace(table, fight=after)


def _attacked(table: Table, event: Event, data: Data) -> Table:
    return _with(table, kernel.attacked(_fight(table).rounds, data["combatant"]))


def _actions_lost(table: Table, event: Event, data: Data) -> Table:
    """Only told: the round that begins then takes them away."""
    return table


def _round_begun(table: Table, event: Event, data: Data) -> Table:
    fight = _fight(table)
    after = replace(
        fight,
        rounds=kernel.next_round(fight.rounds),
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


def _with_leave(table: Table, who: str, leave: str, by: int) -> Table:
    fight = _fight(table)
    own = fight.leaves.get(who, {})
    counted = {**own, leave: own.get(leave, 0) + by}
    return replace(table, fight=replace(fight, leaves={**fight.leaves, who: counted}))


def _hit_taken(table: Table, event: Event, data: Data) -> Table:
    fight = _fight(table)
    return replace(table, fight=replace(fight, accepted_hits=fight.accepted_hits | {data["roll"]}))


def _fight_ended(table: Table, event: Event, data: Data) -> Table:
    return replace(table, fight=None)


def _moved(table: Table, event: Event, data: Data) -> Table:
    """One of the moves: made, and kept so that it can be taken back."""
    fight, who = _fight(table), data["combatant"]
    says = table.rules.rounds
    rounds, roll = fight.rounds, data.get("roll", "")
    after = _MOVES[event.kind](rounds, who, says, data)
    name = _stack(fight, who)
    mark = f"{who}/{data['item']}" if data.get("item") else ""
    own = Taken(who, bool(name), rounds, roll, mark)
    taken = {**fight.undo_stacks, name: (*fight.undo_stacks.get(name, ()), own)[-MOST_TAKEN:]}
    used = _used(fight, mark, 1)
    rolls = fight.rolls | {roll} if roll else fight.rolls
    after_move = replace(fight, rounds=after, undo_stacks=taken, item_uses=used, rolls=rolls)
    return replace(table, fight=after_move)


def _used(fight: Fight, mark: str, by: int) -> Mapping[str, int]:
    return {**fight.item_uses, mark: fight.item_uses.get(mark, 0) + by} if mark else fight.item_uses


def _move_undone(table: Table, event: Event, data: Data) -> Table:
    """Takes back the last move of somebody; what others have done to them meanwhile stays."""
    fight = _fight(table)
    last = last_of(fight, data["combatant"])
    assert last is not None
    now, place = fight.rounds.place(last.who), last.before.place(last.who)
    if now.attacked and not place.attacked:
        place = replace(place, attacked=True, prepared=0)
    rounds = fight.rounds.with_place(place)
    if not last.hidden:
        rounds = replace(rounds, turn=last.before.turn, slot=last.before.slot)
    name = _stack(fight, last.who)
    taken = {**fight.undo_stacks, name: fight.undo_stacks[name][:-1]}
    used = _used(fight, last.item_key, -1)
    left = fight.rolls - {last.roll}
    return replace(table, fight=replace(fight, rounds=rounds, undo_stacks=taken, item_uses=used, rolls=left))


def _stack(fight: Fight, who: str) -> str:
    return who if fight.rounds.place(who).hidden else ""


def last_of(fight: Fight, who: str) -> Taken | None:
    """The last move, if it was somebody's own; of those who are seen, others must not follow."""
    stack = fight.undo_stacks.get(_stack(fight, who), ())
    return stack[-1] if stack and stack[-1].who == who else None


_MOVES: Mapping[str, Callable[[Rounds, str, Any, Data], Rounds]] = {
    "actions_fixed": lambda rounds, who, says, data: kernel.fix(rounds, who, data["actions"]),
    "action_taken": lambda rounds, who, says, data: kernel.act(rounds, who),
    "waited": lambda rounds, who, says, data: kernel.wait(rounds, who),
    "interrupted": lambda rounds, who, says, data: kernel.interrupt(rounds, who),
    "reacted": lambda rounds, who, says, data: kernel.answer(
        rounds, who, data["actions"], leave=data["leave"]
    ),
    "stance_taken": lambda rounds, who, says, data: kernel.take_stance(
        rounds, who, says, data["stance"], data["choice"]
    ),
    "round_prepared": lambda rounds, who, says, data: kernel.prepare(rounds, who),
    "paced": lambda rounds, who, says, data: kernel.move(
        rounds, who, data["pace"], data["cost"], leave=data["leave"]
    ),
    "turn_ended": lambda rounds, who, says, data: kernel.end_turn(rounds, who),
}

CHANGES: Mapping[str, Callable[[Table, Event, Data], Table]] = {
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
