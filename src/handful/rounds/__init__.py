"""Rounds: who acts when, with how many actions, and what that does to checks.

    rounds = begin(rules, [combatant(...), ...])
    rounds = fix(rounds, "ann", 2)                 # or Refused, and nothing happened
    rounds = act(rounds, "ann")

Pure, and nothing about a game is known here: the numbers come from `[rounds]` of its ruleset.
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
    "stance_lines",
    "answer",
    "attacked",
    "begin",
    "actor_lines",
    "combatant",
    "end_turn",
    "fix",
    "interrupt",
    "join",
    "leave",
    "move",
    "next_round",
    "movement_at",
    "possible",
    "prepare",
    "reveal",
    "take_stance",
    "target_lines",
    "wait",
]
