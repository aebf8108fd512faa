"""The keys that a table has used, and those of rolls that are not over.

It follows from the events of the whole table, so it belongs to the table alone: nobody is shown it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from handful.records import field, record
from handful.table.events import (
    EpochBegun,
    Event,
    RollCancelled,
    RollDeclared,
    RollFinalised,
    digest,
)
from handful.table.events.values import ComponentData
from handful.table.key_streams import (
    COMPARISON,
    TIES,
    KeyPlace,
    NamedKey,
    Place,
    first_commitments,
    stream_for,
)
from handful.table.keys import Dice
from handful.table.persistent_map import PersistentMap, put
from handful.table.visibility import ROLLING_ROLES, SPECTATOR, combine_modes

if TYPE_CHECKING:
    from handful.table.state import Table


@record()
class KeyLedger:
    """The number of keys used of each stream in this epoch, and the places of open rolls' keys."""

    used: Mapping[tuple[str, str], int] = field(default_factory=PersistentMap)  # (stream, roller) -> keys
    places: Mapping[str, KeyPlace] = field(default_factory=dict)  # roll -> place; older rolls have none

    def next_place(self, epoch: int, stream: str, roller: str) -> KeyPlace:
        return KeyPlace(epoch, stream, roller, self.used.get((stream, roller), 0))

    def after(self, table: Table, event: Event) -> KeyLedger:
        """Return the ledger after an event; `table` is the table before it."""
        body = event.body
        if isinstance(body, EpochBegun):
            return KeyLedger(places=self.places)
        if isinstance(body, (RollFinalised, RollCancelled)) and body.roll in self.places:
            return KeyLedger(self.used, {roll: one for roll, one in self.places.items() if roll != body.roll})
        if not isinstance(body, RollDeclared):
            return self
        place = place_for_roll(table, body.roll, body.roller, body.modes or (), body.components or ())
        if isinstance(place, NamedKey):
            return self
        used = put(self.used, (place.stream, place.roller), place.index + 1)
        return KeyLedger(used, {**self.places, body.roll: place})


def place_for_roll(
    table: Table,
    roll: str,
    roller: str,
    modes: Sequence[str],
    components: Sequence[ComponentData] = (),
) -> Place:
    """Return the place of the key for a roll that is declared now."""
    if not table.epoch:
        return NamedKey(table.id, roll)
    mode = combine_modes(*modes)
    if not components:
        return table.keys.next_place(table.epoch, stream_for(mode), roller)
    rolls = [table.rolls[one.roll] for one in components]
    # what is compared, and all that decides who sees it: no name, and nothing that some viewers do not know
    compared = [[roll.commitment, sorted(roll.revealed_to)] for roll in rolls]
    audience = [roller, mode.gm, mode.roller, mode.others]
    return table.keys.next_place(table.epoch, COMPARISON, digest([audience, compared]))


def epoch_begun(table: Table, dice: Dice) -> Event:
    """Return the event that begins the next epoch, with commitments to the first keys of all seats."""
    number = table.epoch + 1
    commitments = {
        seat: first_commitments(dice.key, number, seat)
        for seat, role in table.seats.items()
        if role in ROLLING_ROLES
    }
    body = EpochBegun(number=number, public_key=dice.public_key, commitments=commitments)
    return Event(body, SPECTATOR)


def place_of_roll(table: Table, roll: str) -> Place:
    """Return the place of the key of a declared roll that is not over."""
    return table.keys.places.get(roll) or NamedKey(table.id, roll)


def place_for_ties(table: Table, fight: str) -> Place:
    """Return the place of the key that decides ties of initiative in a fight."""
    return KeyPlace(table.epoch, TIES, fight, 0) if table.epoch else NamedKey(table.id, fight)
