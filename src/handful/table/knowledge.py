"""Knowledge: what each viewer knows of a table, the fold of its own log.

    known = apply_event(known, redact(event))

`Table.known` holds it for every seat, for a watcher without a seat, and for a GM who has just sat
down: new seats start from one of the last two.  Views, legal actions, odds, previews and limits read
only that.  So two worlds that a seat cannot tell apart by its log look the same to it everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from handful.records import replace
from handful.table.events import EpochBegun, Event, LinkMade, RollBody, SeatTaken, TableOpened, shown_at
from handful.table.evolve import apply_event
from handful.table.evolve_rolls import evolve_roll
from handful.table.redact import is_public_event, redact
from handful.table.state import Table, TableRoll
from handful.table.visibility import ALL, ANY_WATCHER, GM, SPECTATOR, Viewer

NEW_GM = "/gm"  # knows what any GM knows; no seat can have this name
NEWCOMERS = (ANY_WATCHER, Viewer(NEW_GM, GM))
# Events that differ between viewers in commitments alone.  Those stand in the logs, and no table has
# them: otherwise no two seats would know the same.  For the same reason nobody's table counts links.
SAME_FOR_ALL = (SeatTaken, EpochBegun)


def evolve(table: Table, event: Event) -> Table:
    """Return the table after an event, with what each viewer then knows."""
    after = apply_event(table, event)
    if not table.known and not isinstance(event.body, TableOpened):
        return after
    known = dict(table.known) or dict.fromkeys([one.seat for one in NEWCOMERS], replace(table, known={}))
    if isinstance(event.body, SeatTaken) and event.body.name not in known:
        known[event.body.name] = known[NEW_GM if event.body.role == GM else SPECTATOR]
    step = Step(table, event, after, known)
    known = {seat: step.apply(before, step.learnt.get(seat)) for seat, before in known.items()}
    return replace(after, known=known, told=step.told, keys=table.keys.after(table, event))


class Step:
    """An event as each viewer is told of it, and what they learn from it.

    Viewers who knew the same and are told the same share the result, and no work is repeated whose
    inputs are the same.
    """

    def __init__(self, before: Table, event: Event, after: Table, seats: Iterable[str]) -> None:
        event = Event(event.body, event.seat)  # nobody is told the key of a command
        whole = Event(shown_at(event.body, ALL) or event.body, event.seat)  # without what no seat is shown
        self.is_public = is_public_event(event, before)  # everyone is told all of it
        self.told: Mapping[str, Event | None] = (
            dict.fromkeys(seats, whole) if self.is_public else _redactions(before, event, whole, seats, after)
        )
        self.learnt: Mapping[str, Event | None] = self.told  # what changes somebody's table
        if isinstance(event.body, LinkMade):
            self.learnt = {}
        elif isinstance(event.body, SAME_FOR_ALL):
            self.learnt = dict.fromkeys(self.told, whole)
        self._done: list[tuple[Event, Table, Table]] = []  # event, table before it and after it
        self._rolls: list[tuple[Event, TableRoll | None, TableRoll]] = []  # likewise, for one roll
        self.body, self.rules = whole.body, before.rules
        # the roll of the event before and after it, for whoever knows all of it
        self.whole_roll: tuple[TableRoll | None, TableRoll] | None = None
        if isinstance(whole.body, RollBody) and whole.body.roll in after.rolls:
            self.whole_roll = before.rolls.get(whole.body.roll), after.rolls[whole.body.roll]

    def apply(self, known: Table, learnt: Event | None) -> Table:
        """Return what a viewer knows after an event that it learnt of, if it did."""
        if learnt is None:
            return known
        for event, before, after in self._done:
            if event is learnt and before is known:
                return after
        after = apply_event(known, learnt, self.roll(known, learnt))
        self._done.append((learnt, known, after))
        return after

    def roll(self, known: Table, learnt: Event) -> TableRoll | None:
        """Return the roll that an event is about, after it, as a viewer knows it; None without one."""
        if not isinstance(learnt.body, RollBody):
            return None
        old, is_whole = known.rolls.get(learnt.body.roll), learnt.body is self.body
        if is_whole and self.whole_roll and self.whole_roll[0] is old and known.rules is self.rules:
            return self.whole_roll[1]
        for event, before, after in self._rolls:
            if event is learnt and before is old and known.rules is self.rules:
                return after
        roll = evolve_roll(known, learnt)
        if roll is None:
            return None
        if roll.hidden and not is_whole:
            roll = roll.playable()
        self._rolls.append((learnt, old, roll))
        return roll


def _viewer(seat: str, table: Table) -> Viewer:
    return Viewer(seat, GM if seat == NEW_GM else table.role(seat))


def _redactions(
    before: Table, event: Event, whole: Event, seats: Iterable[str], after: Table
) -> dict[str, Event | None]:
    """Return each seat's copy of an event; equal copies are one object."""
    told: dict[str, Event | None] = {}
    copies = [whole]
    for seat in seats:
        copy = redact(event, _viewer(seat, after), before)
        if copy is not None:
            copy = next((one for one in copies if one == copy), copy)
            copies.append(copy)
        told[seat] = copy
    return told


def known_to(table: Table, seat: str) -> Table:
    """Return what a seat knows; somebody without a seat knows who is seated and by which rules."""
    known = table.known.get(seat)
    if known is not None and table.role(seat):
        return known
    return Table(
        table.rules,
        table.id,
        table.rulesets,
        table.seats,
        table.left_seats,
        table.gm_seats,
        table.options,
        table.mode,
        colours=table.colours,
        pictures=table.pictures,
    )
