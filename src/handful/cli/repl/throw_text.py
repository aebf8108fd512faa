"""Formats throws as sentences: who throws which dice, and rerolls.

gm/3: ann throws 1 2
gm/3: bob throws 2 1
gm/3: ann throws again 4 1
ann/1: Mira Quill rerolls die 2: 6 (by hand)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from handful.cli.repl.phrases import with_verb, without_owner
from handful.table import known_to

if TYPE_CHECKING:
    from handful.cli.repl.event_text import EventWriter

Data = Mapping[str, Any]
REROLL, REGULAR = "reroll", "regular"  # roles that every game has


def throw_sentence(writer: EventWriter, data: Data) -> str:
    """Format one throw, as far as visible to the seat."""
    name = data["roll"]
    if "faces" not in data:
        return f"{name}: the dice are thrown; only the GM sees them"
    faces, count = " ".join(map(str, data["faces"])) or "no dice", len(data["faces"])
    details = ["by hand"] if data.get("physical") else []
    who = side_name(writer, name, data["side"])
    roll = writer.roll_seen(name)
    dice = roll.dice[-count:] if roll is not None and count else ()
    if roll is None or len(dice) < count or not dice:
        return f"{name}: {with_verb(who, 'throws')} {faces}{_details(details)}"
    if dice[0].role == REROLL and dice[0].of is not None:
        numbers = ", ".join(str(die.of) for die in dice)
        which = f"{'die' if count == 1 else 'dice'} {numbers}"
        return f"{name}: {with_verb(who, 'rerolls')} {which}: {faces}{_details(details)}"
    before = roll.dice[: len(roll.dice) - count]
    again = " again" * any((die.side, die.role) == (dice[0].side, dice[0].role) for die in before)
    named = [] if dice[0].role == REGULAR else [writer.rules.wording(dice[0].role)]
    return f"{name}: {with_verb(who, 'throws')}{again} {faces}{_details(named + details)}"


def _details(parts: Sequence[str]) -> str:
    return f" ({', '.join(parts)})" if parts else ""


def side_name(writer: EventWriter, name: str, side: int) -> str:
    """Return the name of a side: its character, its roller, or its number."""
    roll = known_to(writer.table, writer.seat).rolls.get(name)
    if roll is None:
        return name.partition("/")[0]
    place = max(side, 1) - 1
    if place < len(roll.character_ids) and roll.character_ids[place]:
        return without_owner(roll.character_ids[place])
    if place < len(roll.components):
        return str(roll.components[place].roller)
    several = roll.bound is not None and len(roll.bound.args.get("sides", ())) > 1
    return f"side {side}" if several and side else str(roll.roller)


def with_side_names(writer: EventWriter, name: str, text: str) -> str:
    """Put the names of the sides into a verdict: `Raider wins` instead of `side 2 wins`."""
    roll = writer.roll_seen(name)
    count = len(roll.bound.args.get("sides", ())) if roll is not None else 0
    for side in range(1, count + 1) if count > 1 else ():
        text = text.replace(f"side {side} wins", f"{side_name(writer, name, side)} wins")
    return text
