"""Events about the table as a whole, shown to everyone except where a field or an event says so."""

from __future__ import annotations

from collections.abc import Mapping

from handful.table.events.base import EventBody, event
from handful.table.events.values import Game, Texts, Values


@event("table_opened")
class TableOpened(EventBody):
    """A table was opened, and its first epoch began; `public_key` verifies signatures, if there are any."""

    table: str
    game: Game
    public_key: str | None = None  # None before version 3: then there is no epoch yet


@event("epoch_begun")
class EpochBegun(EventBody):
    """The table was opened again, with new keys.

    `commitments`: to the first keys of each seat, by stream; a viewer gets those whose rolls it would see.
    """

    number: int
    public_key: str
    commitments: Mapping[str, Texts]


@event("seat_taken")
class SeatTaken(EventBody):
    """A seat was taken; `commitments` as for `epoch_begun`, if it is new and may roll."""

    name: str
    role: str
    commitments: Texts | None = None


@event("link_made")
class LinkMade(EventBody):
    """A link to a seat was made; whoever has it can act for that seat.  For that seat and the GMs."""

    seat: str
    by: str  # the seat that made it; empty if the host did, who has the file


@event("seat_left")
class SeatLeft(EventBody):
    """A seat was left; it can still read what its role may see."""

    name: str


@event("seat_styled")
class SeatStyled(EventBody):
    """A seat has a new colour."""

    name: str
    colour: str


@event("seat_pictured")
class SeatPictured(EventBody):
    """A seat has a new picture, by its hash; an empty one if it was removed."""

    name: str
    picture: str


@event("gm_shared")
class GmShared(EventBody):
    """A GM's seat was given to the person at another seat, who keeps that one, too."""

    name: str
    to: str


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
