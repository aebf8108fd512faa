"""What a seat sees of a fight, and which moves are its own to make; by what it knows."""

from __future__ import annotations

from typing import Any

from handful.rounds import Place, possible
from handful.rules.ruleset import text
from handful.sheet import follows
from handful.table.fight import Fight, last_of
from handful.table.state import Table
from handful.table.visibility import GM

IDLE = ("end_turn", "undo_move")  # what is left to somebody who can do nothing
COMMANDS = {"answer": "react"}  # a move -> the command for it, where it has another name


def fight_seen(known: Table) -> dict[str, Any] | None:
    fight = known.fight
    if fight is None:
        return None
    says = known.rules.rounds
    rounds = fight.rounds
    return {
        "fight": fight.id, "round": rounds.number, "seconds": says.seconds if says else 0,
        "structure": rounds.structure, "declaring": rounds.declaring, "turn": list(rounds.turn),
        "order": [_place(fight, one) for one in rounds.places],
    }  # fmt: skip


def _place(fight: Fight, place: Place) -> dict[str, Any]:
    return {
        "combatant": place.who, "name": fight.names[place.who], "actions": place.actions,
        "left": place.left if place.actions is not None else None, "over": place.over,
        "waiting": place.waiting, "stance": place.stance, "choice": place.choice,
        "pace": place.pace, "attacked": place.attacked, "prepared": place.prepared,
        "hidden": place.hidden, "due": fight.rounds.is_due(place.who),
    }  # fmt: skip


def controls(known: Table, who: str, seat: str) -> bool:
    """Whether a seat moves a combatant: its own, the GM all."""
    if known.role(seat) == GM:
        return True
    figure = known.characters.get(who)
    return figure is not None and figure.owner == seat


def unable(known: Table, who: str) -> str:
    """Why somebody can do nothing at all, by their sheet; empty: they can."""
    figure = known.characters.get(who)
    if figure is None or figure.sheet is None:
        return ""
    there = follows(known.rules, figure.sheet, known.options).conditions
    return next((text(one.cannot) for one in there if one.cannot), "")


def on_combatant(known: Table, who: str, seat: str) -> list[str]:
    """The commands that a seat could give for a combatant now."""
    fight = known.fight
    if fight is None or who not in fight.rounds or not controls(known, who, seat):
        return []
    gm = known.role(seat) == GM
    place = fight.rounds.place(who)
    moves = [COMMANDS.get(one, one) for one in possible(fight.rounds, who, leave=gm)]
    says = known.rules.rounds
    if "prepare" in moves and says and says.stances:
        moves.append("stance")
    if says and says.paces and not place.pace and who in known.characters:
        moves.append("pace")
    if last_of(fight, who) is not None:
        moves.append("undo_move")
    if not gm and unable(known, who):
        return [one for one in moves if one in IDLE]
    if gm:
        moves.append("out")
        moves += ["uncover"] if place.hidden and who not in known.characters else []
    return moves
