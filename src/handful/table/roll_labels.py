"""Labels of rolls: the same for everybody who knows of a roll, and a count of nothing hidden.

A roll whose declaration everybody sees (public, private, blind) has the next number: all seats know of
the same such rolls, in the same order.  Any other roll has four letters from its commitment, which
stay the same when it is revealed: a number would tell how many hidden rolls there are.
"""

from __future__ import annotations

from handful.table.events import RollDeclared
from handful.table.key_streams import OPEN, stream_for
from handful.table.visibility import combine_modes

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # without vowels, so that no words come about
CODE_LENGTH = 4


def label_for(body: RollDeclared, count: int) -> str:
    """Return the label of a declared roll; `count`: the rolls that everybody knew of before it.

    A viewer who is not shown the modes knows of the roll at all because everybody does.
    """
    is_open = body.modes is None or stream_for(combine_modes(*body.modes)) == OPEN
    return str(count + 1) if is_open and not body.components else code_of(body.commitment)


def code_of(commitment: str) -> str:
    """Return four letters that follow from a commitment."""
    number, letters = int(commitment[:16] or "0", 16), ""
    for _ in range(CODE_LENGTH):
        number, at = divmod(number, len(LETTERS))
        letters += LETTERS[at]
    return letters
