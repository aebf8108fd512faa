"""A roll: a check with its parameters bound, run from question to question.

    node = start(bound)                    # paused at `node.ask`, or finished
    node = resume(bound, node, reply)      # faces for a throw, dice or a word for a decision

Pure: dice come in as replies.  A node is a plain value, so a roll can be stored, replayed, taken
back and solved from where it stands; a roll *is* its bound check and the list of its replies.
"""

from handful.roll.alike import Alike, alike
from handful.roll.binding import Bound, bind, one_side_only, refused
from handful.roll.impossible import why_impossible
from handful.roll.landing import MOST_DICE
from handful.roll.machine import arguments, policy_reply, resume, start
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
    "MOST_DICE",
    "Alike",
    "Bound",
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
    "alike",
    "arguments",
    "bind",
    "one_side_only",
    "policy_reply",
    "refused",
    "resume",
    "start",
    "why_impossible",
]
