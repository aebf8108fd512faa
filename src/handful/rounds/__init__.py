"""Rounds of a fight: initiative order, actions per round, and their effect on checks.

    rounds = begin(rules, [combatant(...), ...])
    rounds = fix(rounds, "ann", 2)                 # or Refused, and nothing happened
    rounds = act(rounds, "ann")

Pure functions on `Rounds` values.  Nothing here is specific to a game: all numbers come from the
`[rounds]` table of its ruleset.
"""

from handful.rounds.effects import actor_lines, movement_at, stance_lines, target_lines
from handful.rounds.moves import (
    MOVES,
    act,
    answer,
    attacked,
    end_turn,
    fix,
    interrupt,
    move,
    next_round,
    possible,
    prepare,
    take_stance,
    wait,
)
from handful.rounds.order import Combatant, begin, combatant, join, leave, reveal
from handful.rounds.state import Place, Rounds

__all__ = [
    "MOVES",
    "Combatant",
    "Place",
    "Rounds",
    "act",
    "actor_lines",
    "answer",
    "attacked",
    "begin",
    "combatant",
    "end_turn",
    "fix",
    "interrupt",
    "join",
    "leave",
    "move",
    "movement_at",
    "next_round",
    "possible",
    "prepare",
    "reveal",
    "stance_lines",
    "take_stance",
    "target_lines",
    "wait",
]
