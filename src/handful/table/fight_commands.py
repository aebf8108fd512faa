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
from handful.table.action_context import may_be_early
from handful.table.fight import Fight, last_of, rank_data
from handful.table.state import Table, TableCharacter
from handful.table.transaction import Transaction
from handful.table.view_moves import IDLE, unable
from handful.table.visibility import GM, NOTHING, sheet_mode

MOST = 100  # combatants


def fight_of(table: Table) -> Fight:
    if table.fight is None:
        raise Refused("there is no fight", "the GM begins one")
    return table.fight


def is_hidden(figure: TableCharacter) -> bool:
    """Whether there is anybody at the table who does not know of a character."""
    return sheet_mode(figure.shown).others == NOTHING


# -- who fights


def begin(scene: Transaction, fields: dict[str, Any]) -> None:
    """The GM begins a fight; initiative follows from the sheets, or the GM gives the order."""
    if not 1 <= len(fields["combatants"]) <= MOST:
        raise Refused(f"a fight has 1 to {MOST} combatants")
    there = [_combatant(scene, one) for one in fields["combatants"]]
    names = {who.who: name for who, name in there}
    order = [_named(names, one) for one in fields.get("order", [])]
    ready = _settled(scene, [who for who, _ in there])
    rounds = kernel.begin(scene.table.rules, ready, scene.table.options, order)
    found = {one.who: one for one in ready}
    scene.emit(
        "fight_begun",
        fight=scene.new_id,
        by_gm=bool(order),
        order=[{"combatant": one.who, "name": names[one.who]} for one in rounds.places],
        ranks={name: {"rank": rank_data(one.rank), "rolled": one.rolled} for name, one in found.items()},
        hidden=[one.who for one in ready if one.hidden],
    )


def _named(names: Mapping[str, str], typed: str) -> str:
    """A combatant by its id or, where that is clear, by its name."""
    if typed in names:
        return typed
    found = [who for who, name in names.items() if name == typed]
    if len(found) != 1:
        raise Refused(f"{typed[:80]!r} is not among those who fight: {format_choices(names.values())}")
    return found[0]


def _combatant(scene: Transaction, data: Mapping[str, Any]) -> tuple[kernel.Combatant, str]:
    """Somebody with a sheet, or somebody of whom only the name is known."""
    table = scene.table
    if "character" in data:
        figure = scene.known.characters.get(data["character"])
        if figure is None or figure.sheet is None:
            raise Refused(f"there is no character {data['character'][:160]!r}")
        made = kernel.combatant(
            table.rules,
            figure.id,
            figure.sheet,
            marks=_marks(table, data.get("marks", {})),
            hidden=is_hidden(figure),
            options=table.options,
        )
        return made, figure.name
    if "name" not in data:
        raise Refused("a combatant is a character, or somebody with a name")
    rank = (data["initiative"],) if "initiative" in data else ()
    who = f"{scene.actor}/{data['name']}"
    return kernel.Combatant(who, rank, data.get("hidden", False)), data["name"]


def _marks(table: Table, marks: Mapping[str, Any]) -> dict[str, int]:
    says = table.rules.rounds
    known = says.marks if says else {}
    for name, value in marks.items():
        if name not in known:
            raise Refused(f"there is no mark {name[:40]!r}; there is {format_choices(known) or 'none'}")
        if type(value) is not int or not -1000 <= value <= 1000:
            raise Refused(f"{name} is a whole number from -1000 to 1000")
    return dict(marks)


def _settled(scene: Transaction, there: list[kernel.Combatant]) -> list[kernel.Combatant]:
    """With a die for each whose place nothing has settled, where the house rules say so.

    The die follows from a key of its own, so that it does not depend on who else fights.
    """
    if settings(scene.table.rules, scene.table.options)["last_tie"] != ROLL:
        return there
    tied = ties(there)
    return [
        kernel.Combatant(one.who, one.rank, one.hidden, _die(scene, one.who)) if one.who in tied else one
        for one in there
    ]


def _die(scene: Transaction, who: str) -> int:
    return scene.dice.faces(scene.table.id, f"{scene.new_id}\n{who}", 0, 1, 1000, "")[0]


def join(scene: Transaction, fields: dict[str, Any]) -> None:
    fight = fight_of(scene.table)
    if len(fight.rounds.places) >= MOST:
        raise Refused(f"a fight has at most {MOST} combatants")
    one, name = _combatant(scene, fields["who"])
    behind = _named(fight.names, fields["behind"]) if "behind" in fields else ""
    scene.emit(
        "combatant_joined",
        combatant=one.who,
        name=name,
        rank=rank_data(one.rank),
        rolled=0,
        hidden=[one.who] if one.hidden else [],
        behind=behind,
    )


def out(scene: Transaction, fields: dict[str, Any]) -> None:
    scene.emit("combatant_left", combatant=fields["combatant"])


def reveal(scene: Transaction, fields: dict[str, Any]) -> None:
    """Somebody without a sheet is seen; one with a sheet is shown."""
    who = fields["combatant"]
    if who in scene.table.characters:
        raise Refused(f"{who} has a sheet: `show` it, and it is seen here too")
    if not fight_of(scene.table).rounds.place(who).hidden:
        raise Refused(f"{who} is seen already")
    revealed(scene, who)


def revealed(scene: Transaction, who: str) -> None:
    scene.emit("combatant_revealed", combatant=who, name=fight_of(scene.table).names[who])


def next_round(scene: Transaction, fields: dict[str, Any]) -> None:
    """The next round; whoever has actions left loses them (D-15)."""
    rounds = fight_of(scene.table).rounds
    for place in rounds.places:
        if place.left > 0:
            scene.emit("actions_lost", combatant=place.who, actions=place.left)
    scene.emit("round_begun", number=rounds.number + 1)


def end(scene: Transaction, fields: dict[str, Any]) -> None:
    scene.emit("fight_ended", fight=fight_of(scene.table).id)


# -- moves


Does = Callable[[Transaction, dict[str, Any]], None]


def _move(kind: str, *names: str, **fixed: Any) -> Does:
    """A move that an event names, with these fields of the command."""

    def move(scene: Transaction, fields: dict[str, Any]) -> None:
        moved(scene, kind, fields["combatant"], **fixed, **{n: fields.get(n, "") for n in names})

    return move


def moved(scene: Transaction, kind: str, who: str, **data: Any) -> None:
    """A move happens; what is wrong with it is said with what would be right."""
    try:
        scene.emit(kind, combatant=who, **data)
    except Refused as refusal:
        there = kernel.possible(fight_of(scene.table).rounds, who, leave=scene.role == GM)
        hint = refusal.hint or (f"now: {format_choices(there)}" if there else "")
        raise Refused(refusal.message, hint) from None


def react(scene: Transaction, fields: dict[str, Any]) -> None:
    """An action for what others do; before the own turn only the GM says so (D-20)."""
    moved(
        scene,
        "reacted",
        fields["combatant"],
        actions=fields.get("actions"),
        leave=scene.role == GM or may_be_early(scene.known, fields["combatant"]),
        what=fields.get("what", ""),
    )


def interrupt(scene: Transaction, fields: dict[str, Any]) -> None:
    """Step in before a result is told (D-19)."""
    can_interrupt(scene, fields["combatant"], fields["roll_of"])
    moved(scene, "interrupted", fields["combatant"], roll_of=fields["roll_of"], what=fields.get("what", ""))


def can_interrupt(scene: Transaction, who: str, name: str) -> None:
    """Refuses a moment that is not the one: thrown and decided, and the result not yet told."""
    roll = scene.known.rolls.get(name)
    if roll is None:
        raise Refused(f"there is no roll {name[:80]!r}")
    if who in roll.character_ids:
        raise Refused(f"{name} is of {who}, and nobody interrupts themselves")
    if roll.phase != "decided":
        raise Refused(
            "an interruption comes when somebody has rolled and spent what they want, and before "
            f"the GM tells the result; {name} is {roll.phase}"
        )


def pace(scene: Transaction, fields: dict[str, Any]) -> None:
    table, who = scene.table, fields["combatant"]
    figure = table.characters.get(who)
    sheet = figure.sheet if figure else None
    found = kernel.pace_of(table.rules, sheet, fields["pace"], table.options)
    moved(
        scene,
        "paced",
        who,
        pace=found.pace,
        cost=found.actions,
        leave=scene.role == GM,
        distance=found.distance if isinstance(found.distance, int) else str(found.distance),
    )


def undo(scene: Transaction, fields: dict[str, Any]) -> None:
    fight, who = fight_of(scene.table), fields["combatant"]
    last = last_of(fight, who)
    if last is None:
        raise Refused(f"{who} has made no move that is the last one")
    roll = scene.known.rolls.get(last.roll)  # one that they do not know of is none
    if roll is not None and not roll.cancelled:
        raise Refused(f"that move was made for {last.roll}; cancel the roll, if nothing is thrown")
    scene.emit("move_undone", combatant=who)


def take_hit(scene: Transaction, fields: dict[str, Any]) -> None:
    """Let a roll against somebody stand, where they could answer it."""
    who, roll = fields["combatant"], fields["roll_of"]
    known = scene.known.fight
    if known is None or roll not in known.answers.get(who, {}):
        raise Refused(f"{who} is not asked about {roll[:80]!r} now")
    scene.emit("hit_taken", combatant=who, roll=roll)


def grant(scene: Transaction, fields: dict[str, Any]) -> None:
    """The GM lets somebody react before their turn, or act once for free (D-20, D-24)."""
    who, leave = fields["combatant"], fields["leave"]
    if scene.role != GM:
        raise Refused("only the GM grants that")
    if fight_of(scene.table).has_leave(who, leave):
        raise Refused(f"{who} has that leave already")
    scene.emit("leave_granted", combatant=who, leave=leave)


def able(do: str, move: Does) -> Does:
    """A move of somebody who can move at all; the GM's word is enough where they cannot (D-44)."""

    def tried(scene: Transaction, fields: dict[str, Any]) -> None:
        why = unable(scene.table, fields["combatant"]) if scene.role != GM else ""
        if why and do not in IDLE:
            raise Refused(f"{fields['combatant']} is {why}", f"now: {format_choices(IDLE)}")
        move(scene, fields)

    return tried


_MOVES: Mapping[str, Does] = {
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
DOES: Mapping[str, Does] = {
    "fight": begin,
    "join": join,
    "out": out,
    "uncover": reveal,
    "take_hit": take_hit,
    "grant": grant,
    "next_round": next_round,
    "end_fight": end,
    **{do: able(do, move) for do, move in _MOVES.items()},
}
