"""What commands do to a fight: begin it, take one's turn, react, take a move back, end it.

Moves are refused by `handful.rounds` with what is wrong; here it is added what would be allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from handful import rounds as kernel
from handful.errors import Refused, format_choices
from handful.rounds.order import settings, ties
from handful.rules.round_rules import ROLL
from handful.table.action_context import may_react_early
from handful.table.fight import Fight, last_move, rank_data
from handful.table.state import Table, TableCharacter
from handful.table.transaction import Transaction
from handful.table.view_moves import INCAPACITATED_MOVES, incapacity_reason
from handful.table.visibility import GM, NOTHING, sheet_mode

MAX_COMBATANTS = 100  # combatants


def require_fight(table: Table) -> Fight:
    if table.fight is None:
        raise Refused("there is no fight", "the GM begins one")
    return table.fight


def is_hidden(character: TableCharacter) -> bool:
    """Whether there is anybody at the table who does not know of a character."""
    return sheet_mode(character.shown).others == NOTHING


# -- who fights


def begin(transaction: Transaction, fields: dict[str, Any]) -> None:
    """The GM begins a fight; initiative follows from the sheets, or the GM gives the order."""
    if not 1 <= len(fields["combatants"]) <= MAX_COMBATANTS:
        raise Refused(f"a fight has 1 to {MAX_COMBATANTS} combatants")
    there = [_read_combatant(transaction, one) for one in fields["combatants"]]
    names = {who.who: name for who, name in there}
    order = [_find_combatant(names, one) for one in fields.get("order", [])]
    ready = _break_ties(transaction, [who for who, _ in there])
    rounds = kernel.begin(transaction.table.rules, ready, transaction.table.options, order)
    found = {one.who: one for one in ready}
    transaction.emit(
        "fight_begun",
        fight=transaction.new_id,
        by_gm=bool(order),
        order=[{"combatant": one.who, "name": names[one.who]} for one in rounds.places],
        ranks={name: {"rank": rank_data(one.rank), "rolled": one.rolled} for name, one in found.items()},
        hidden=[one.who for one in ready if one.hidden],
    )


def _find_combatant(names: Mapping[str, str], typed: str) -> str:
    """A combatant by its id or, where that is clear, by its name."""
    if typed in names:
        return typed
    found = [who for who, name in names.items() if name == typed]
    if len(found) != 1:
        raise Refused(f"{typed[:80]!r} is not among those who fight: {format_choices(names.values())}")
    return found[0]


def _read_combatant(transaction: Transaction, data: Mapping[str, Any]) -> tuple[kernel.Combatant, str]:
    """Somebody with a sheet, or somebody of whom only the name is known."""
    table = transaction.table
    if "character" in data:
        character = transaction.known.characters.get(data["character"])
        if character is None or character.sheet is None:
            raise Refused(f"there is no character {data['character'][:160]!r}")
        made = kernel.combatant(
            table.rules,
            character.id,
            character.sheet,
            marks=_read_marks(table, data.get("marks", {})),
            hidden=is_hidden(character),
            options=table.options,
        )
        return made, character.name
    if "name" not in data:
        raise Refused("a combatant is a character, or somebody with a name")
    rank = (data["initiative"],) if "initiative" in data else ()
    who = f"{transaction.actor}/{data['name']}"
    return kernel.Combatant(who, rank, data.get("hidden", False)), data["name"]


def _read_marks(table: Table, marks: Mapping[str, Any]) -> dict[str, int]:
    says = table.rules.rounds
    projected = says.marks if says else {}
    for name, value in marks.items():
        if name not in projected:
            raise Refused(f"there is no mark {name[:40]!r}; there is {format_choices(projected) or 'none'}")
        if type(value) is not int or not -1000 <= value <= 1000:
            raise Refused(f"{name} is a whole number from -1000 to 1000")
    return dict(marks)


def _break_ties(transaction: Transaction, there: list[kernel.Combatant]) -> list[kernel.Combatant]:
    """With a die for each whose place nothing has settled, where the house rules say so.

    The die follows from a key of its own, so that it does not depend on who else fights.
    """
    if settings(transaction.table.rules, transaction.table.options)["last_tie"] != ROLL:
        return there
    tied = ties(there)
    return [
        kernel.Combatant(one.who, one.rank, one.hidden, _tie_break_die(transaction, one.who))
        if one.who in tied
        else one
        for one in there
    ]


def _tie_break_die(transaction: Transaction, who: str) -> int:
    return transaction.dice.faces(transaction.table.id, f"{transaction.new_id}\n{who}", 0, 1, 1000, "")[0]


def join(transaction: Transaction, fields: dict[str, Any]) -> None:
    fight = require_fight(transaction.table)
    if len(fight.rounds.places) >= MAX_COMBATANTS:
        raise Refused(f"a fight has at most {MAX_COMBATANTS} combatants")
    one, name = _read_combatant(transaction, fields["who"])
    behind = _find_combatant(fight.names, fields["behind"]) if "behind" in fields else ""
    transaction.emit(
        "combatant_joined",
        combatant=one.who,
        name=name,
        rank=rank_data(one.rank),
        rolled=0,
        hidden=[one.who] if one.hidden else [],
        behind=behind,
    )


def out(transaction: Transaction, fields: dict[str, Any]) -> None:
    transaction.emit("combatant_left", combatant=fields["combatant"])


def reveal(transaction: Transaction, fields: dict[str, Any]) -> None:
    """Somebody without a sheet is seen; one with a sheet is shown."""
    who = fields["combatant"]
    if who in transaction.table.characters:
        raise Refused(f"{who} has a sheet: `show` it, and it is seen here too")
    if not require_fight(transaction.table).rounds.place(who).hidden:
        raise Refused(f"{who} is seen already")
    _emit_revealed(transaction, who)


def _emit_revealed(transaction: Transaction, who: str) -> None:
    transaction.emit("combatant_revealed", combatant=who, name=require_fight(transaction.table).names[who])


def next_round(transaction: Transaction, fields: dict[str, Any]) -> None:
    """The next round; whoever has actions left loses them (D-15)."""
    rounds = require_fight(transaction.table).rounds
    for place in rounds.places:
        if place.left > 0:
            transaction.emit("actions_lost", combatant=place.who, actions=place.left)
    transaction.emit("round_begun", number=rounds.number + 1)


def end(transaction: Transaction, fields: dict[str, Any]) -> None:
    transaction.emit("fight_ended", fight=require_fight(transaction.table).id)


# -- moves


Handler = Callable[[Transaction, dict[str, Any]], None]


def _move(kind: str, *names: str, **fixed: Any) -> Handler:
    """A move that an event names, with these fields of the command."""

    def move(transaction: Transaction, fields: dict[str, Any]) -> None:
        emit_move(transaction, kind, fields["combatant"], **fixed, **{n: fields.get(n, "") for n in names})

    return move


def emit_move(transaction: Transaction, kind: str, who: str, **data: Any) -> None:
    """A move happens; what is wrong with it is said with what would be right."""
    try:
        transaction.emit(kind, combatant=who, **data)
    except Refused as refusal:
        there = kernel.possible(require_fight(transaction.table).rounds, who, leave=transaction.role == GM)
        hint = refusal.hint or (f"now: {format_choices(there)}" if there else "")
        raise Refused(refusal.message, hint) from None


def react(transaction: Transaction, fields: dict[str, Any]) -> None:
    """An action for what others do; before the own turn only the GM says so (D-20)."""
    emit_move(
        transaction,
        "reacted",
        fields["combatant"],
        actions=fields.get("actions"),
        leave=transaction.role == GM or may_react_early(transaction.known, fields["combatant"]),
        what=fields.get("what", ""),
    )


def interrupt(transaction: Transaction, fields: dict[str, Any]) -> None:
    """Step in before a result is told (D-19)."""
    check_can_interrupt(transaction, fields["combatant"], fields["roll_of"])
    emit_move(
        transaction, "interrupted", fields["combatant"], roll_of=fields["roll_of"], what=fields.get("what", "")
    )


def check_can_interrupt(transaction: Transaction, who: str, name: str) -> None:
    """Refuses a moment that is not the one: thrown and decided, and the result not yet told."""
    roll = transaction.known.rolls.get(name)
    if roll is None:
        raise Refused(f"there is no roll {name[:80]!r}")
    if who in roll.character_ids:
        raise Refused(f"{name} is of {who}, and nobody interrupts themselves")
    if roll.phase != "decided":
        raise Refused(
            "an interruption comes when somebody has rolled and spent what they want, and before "
            f"the GM tells the result; {name} is {roll.phase}"
        )


def pace(transaction: Transaction, fields: dict[str, Any]) -> None:
    table, who = transaction.table, fields["combatant"]
    character = table.characters.get(who)
    sheet = character.sheet if character else None
    found = kernel.movement_at(table.rules, sheet, fields["pace"], table.options)
    emit_move(
        transaction,
        "paced",
        who,
        pace=found.pace,
        cost=found.actions,
        leave=transaction.role == GM,
        distance=found.distance if isinstance(found.distance, int) else str(found.distance),
    )


def undo(transaction: Transaction, fields: dict[str, Any]) -> None:
    fight, who = require_fight(transaction.table), fields["combatant"]
    last = last_move(fight, who)
    if last is None:
        raise Refused(f"{who} has made no move that is the last one")
    roll = transaction.known.rolls.get(last.roll)  # one that they do not know of is none
    if roll is not None and not roll.cancelled:
        raise Refused(f"that move was made for {last.roll}; cancel the roll, if nothing is thrown")
    transaction.emit("move_undone", combatant=who)


def take_hit(transaction: Transaction, fields: dict[str, Any]) -> None:
    """Let a roll against somebody stand, where they could answer it."""
    who, roll = fields["combatant"], fields["roll_of"]
    projected = transaction.known.fight
    if projected is None or roll not in projected.answers.get(who, {}):
        raise Refused(f"{who} is not asked about {roll[:80]!r} now")
    transaction.emit("hit_taken", combatant=who, roll=roll)


def grant(transaction: Transaction, fields: dict[str, Any]) -> None:
    """The GM lets somebody react before their turn, or act once for free (D-20, D-24)."""
    who, leave = fields["combatant"], fields["leave"]
    if transaction.role != GM:
        raise Refused("only the GM grants that")
    if require_fight(transaction.table).has_leave(who, leave):
        raise Refused(f"{who} has that leave already")
    transaction.emit("leave_granted", combatant=who, leave=leave)


def require_able(do: str, move: Handler) -> Handler:
    """A move of somebody who can move at all; the GM's word is enough where they cannot (D-44)."""

    def tried(transaction: Transaction, fields: dict[str, Any]) -> None:
        why = incapacity_reason(transaction.table, fields["combatant"]) if transaction.role != GM else ""
        if why and do not in INCAPACITATED_MOVES:
            raise Refused(f"{fields['combatant']} is {why}", f"now: {format_choices(INCAPACITATED_MOVES)}")
        move(transaction, fields)

    return tried


_MOVES: Mapping[str, Handler] = {
    "fix": _move("actions_fixed", "actions"),
    "act": _move("action_taken", "what"),
    "wait": _move("waited"),
    "interrupt": interrupt,
    "react": react,
    "stance": _move("stance_taken", "stance", "choice"),
    "prepare": _move("round_prepared"),
    "pace": pace,
    "end_turn": _move("turn_ended"),
    "undo_move": undo,
}
HANDLERS: Mapping[str, Handler] = {
    "fight": begin,
    "join": join,
    "out": out,
    "uncover": reveal,
    "take_hit": take_hit,
    "grant": grant,
    "next_round": next_round,
    "end_fight": end,
    **{do: require_able(do, move) for do, move in _MOVES.items()},
}
