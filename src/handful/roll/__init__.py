"""Plays a check: binds its parameters and runs it from question to question.

    node = start(bound)                    # paused at `node.ask`, or finished
    node = resume(bound, node, reply)      # faces for a throw, dice or a word for a decision

Pure: dice come in as replies.  A node is an immutable value, so a roll can be stored, replayed, undone and
solved from any point.  Invariant: a roll is fully determined by its bound check and its replies.
"""

from handful.roll.binding import BoundCheck, bind, one_side_error, refusal_error
from handful.roll.impossible import why_impossible
from handful.roll.landing import MAX_DICE
from handful.roll.machine import call_arguments, policy_reply, resume, start
from handful.roll.node import (
    ChooseDice,
    Decided,
    Frame,
    Modifier,
    Node,
    PickOption,
    Question,
    Reply,
    Throw,
    ThrownDie,
    Trace,
    Wave,
)

__all__ = [
    "MAX_DICE",
    "BoundCheck",
    "ChooseDice",
    "Decided",
    "Frame",
    "Modifier",
    "Node",
    "PickOption",
    "Question",
    "Reply",
    "Throw",
    "ThrownDie",
    "Trace",
    "Wave",
    "bind",
    "call_arguments",
    "one_side_error",
    "policy_reply",
    "refusal_error",
    "resume",
    "start",
    "why_impossible",
]
