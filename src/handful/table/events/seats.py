"""Events about the table as a whole, shown to everyone."""

from __future__ import annotations

from handful.table.events.base import EventBody, event
from handful.table.events.values import Game, Values


@event("table_opened")
class TableOpened(EventBody):
    """A table was opened."""

    table: str
    game: Game


@event("seat_taken")
class SeatTaken(EventBody):
    """A seat was taken."""

    name: str
    role: str


@event("seat_left")
class SeatLeft(EventBody):
    """A seat was left; it can still read what its role may see."""

    name: str


@event("house_rules_changed")
class HouseRulesChanged(EventBody):
    """House rules, valid from the next roll on."""

    options: Values


@event("rules_changed")
class RulesChanged(EventBody):
    """The table changed to other rules; existing rolls keep theirs, characters are read by the new ones."""

    game: Game
    options: Values


@event("visibility_changed")
class VisibilityChanged(EventBody):
    """The most public mode allowed from now on."""

    mode: str
