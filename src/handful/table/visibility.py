"""Visibility: levels and modes, from which it follows who sees what.

Theory of operation.  A roll has a `Mode`: a level for the GM, for the roller and for the others.  Two
modes are combined level by level, and the lower level wins.  Each field of an event says from which
level on it is shown (`handful.table.events`), and `redact` applies that.  What a seat knows is the fold
of its redacted events, and everything it receives (view, legal actions, odds, refusals) is computed
from that.

A character has a mode of its own (`SHEET_MODES`), by the same levels: the sheet, its presence, or
nothing.  A line that a roll takes from a sheet is shown to those who see both.

When a roll continues or ends depends on its dice, so even the moment would leak.  `DECLARED` sees
everything up to the first throw, which depends on no die, and nothing that follows from it.
`PRESENCE` sees the declaration alone: what can be done before the first throw already depends on
what is checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from handful.records import record

NOTHING, PRESENCE, DECLARED, ALL = range(4)
GM, PLAYER, WATCHER = "gm", "player", "watcher"
ROLES = (GM, PLAYER, WATCHER)
ROLLING_ROLES = (GM, PLAYER)
# Colours that a seat can choose; screens decide what they look like, in light and dark.
SEAT_COLOURS = ("red", "orange", "green", "teal", "blue", "violet", "pink", "brown")
SPECTATOR = ""  # a viewer without a seat: sees what every watcher sees, and cannot act
# action costs of a roll in a fight
ACTION_COSTS = ("action", "interruption", "reaction", "resistance", "nothing")
# permissions the GM may grant for a round: react before one's turn, or act for free once
LEAVES = EARLY, FREE = ("reaction", "free_action")


@record()
class Viewer:
    """A seat and its role: the one for whom something is visible or not."""

    seat: str
    role: str

    @property
    def is_gm(self) -> bool:
        return self.role == GM

    @property
    def is_player(self) -> bool:
        return self.role == PLAYER


# Viewers without a seat of their own, for questions about everybody in a role.
ANY_GM, ANY_WATCHER = Viewer("", GM), Viewer(SPECTATOR, WATCHER)


@record()
class Mode:
    """The levels at which the GM, the roller and the others see a roll."""

    gm: int
    roller: int
    others: int

    def stricter(self, other: Mode) -> Mode:
        """Combine two modes: the lower level wins for each viewer."""
        return Mode(min(self.gm, other.gm), min(self.roller, other.roller), min(self.others, other.others))

    def level(self, viewer: Viewer, roller: str) -> int:
        """Return a viewer's level; a GM who rolls has the higher of both."""
        if viewer.role == GM:
            return max(self.gm, self.roller) if viewer.seat == roller else self.gm
        return self.roller if viewer.seat == roller else self.others


MODES: Mapping[str, Mode] = {
    "public": Mode(ALL, ALL, ALL),
    "private": Mode(ALL, ALL, PRESENCE),  # GM and roller; the others see that a roll is made
    "blind": Mode(ALL, DECLARED, PRESENCE),  # the roller sees the check, not its result
    "secret": Mode(NOTHING, ALL, NOTHING),  # only the roller
    "gm": Mode(ALL, NOTHING, NOTHING),  # only the GM, regardless of the roller
}
HIDDEN = Mode(NOTHING, NOTHING, NOTHING)


@lru_cache(maxsize=64)
def combine_modes(*names: str) -> Mode:
    """Combine the modes of these names; an unknown one hides everything."""
    mode = MODES["public"]
    for name in names:
        mode = mode.stricter(MODES.get(name, HIDDEN))
    return next((one for one in MODES.values() if one == mode), mode)  # each mode is one object


# Levels of a character's sheet: for the GM, for its owner, for the others.
SHEET_MODES: Mapping[str, Mode] = {
    "open": Mode(ALL, ALL, ALL),
    "own": Mode(ALL, ALL, PRESENCE),  # the others see name and owner
    "hidden": Mode(ALL, ALL, NOTHING),
}


def sheet_mode(name: str) -> Mode:
    """Return the mode of a character's sheet; an unknown name hides it from everyone."""
    return SHEET_MODES.get(name, HIDDEN)
