"""Hidden parameters: only those that nobody could infer from the roll.

Viewers who do not know a value see the check without it.  So without it the roll must throw and ask
the same, whatever falls, and must state nothing false.  This is non-interference, proved per check
by `compare_rolls`.
"""

from __future__ import annotations

from collections.abc import Collection

from handful.errors import Message, Refused
from handful.roll import BoundCheck
from handful.roll.noninterference import compare_rolls
from handful.table.events.values import AskedCheck
from handful.table.state import bind_check


def check_hideable(bound: BoundCheck, asked: AskedCheck, names: Collection[str]) -> tuple[str, ...]:
    """Return these parameters; refuse to hide one that the roll would reveal."""
    if not names:
        return ()
    for name in names:
        if name not in bound.check.params:
            raise Refused(Message("hidden.unknown_parameter", check=bound.check.name, name=name))
    try:
        without = bind_check(bound.ruleset, asked.without(names))
        found = compare_rolls(bound, without)
    except Refused as refusal:
        raise Refused(Message("hidden.needed", names=tuple(names)), refusal.problem) from None
    if not found.same_questions:
        raise Refused(Message("hidden.dice_would_show", names=tuple(names)))
    if found.differing_fields:
        raise Refused(
            Message("hidden.result_would_be_wrong", names=tuple(names), fields=found.differing_fields)
        )
    return tuple(names)
