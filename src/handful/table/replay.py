"""Replays many events: what viewers know is advanced once for all of them.

The table itself advances event by event, because redaction looks at the table before each.  Nobody
looks at what a viewer knows meanwhile, so that is folded at the end, in a map of rolls that is changed
in place.  The result is the same as by `evolve` (`tests/properties/test_knowledge.py`); a long table
opens in two thirds of the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import is_

from handful.records import replace
from handful.table.events import Event, RollBody, SeatTaken
from handful.table.evolve import apply_event, changes_more, open_after
from handful.table.knowledge import Step, evolve
from handful.table.persistent_map import draft_of
from handful.table.state import Table, TableRoll

MAX_STEPS = 500  # events that are held before what the viewers know is advanced


def fold(table: Table, events: Iterable[Event]) -> Table:
    """Return the table after all these events."""
    replay = Replay(table)
    for event in events:
        replay.add(event)
    return replay.finish()


class Replay:
    """A table to which events are added; what its viewers know is right only after `finish`."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._steps: list[Step] = []  # of which the viewers have learnt nothing yet

    def add(self, event: Event) -> Table:
        """Apply an event; return the table after it, which says what each viewer was told."""
        if not self.table.known or isinstance(event.body, SeatTaken):  # viewers begin to know something
            self.table = evolve(self.finish(), event)
            return self.table
        before, after = self.table, apply_event(self.table, event)
        step = Step(before, event, after, before.known)
        self._steps.append(step)
        self.table = replace(after, told=step.told, keys=before.keys.after(before, event))
        return self.table if len(self._steps) < MAX_STEPS else self.finish()

    def finish(self) -> Table:
        """Return the table after all events so far, with what each viewer knows."""
        if not self._steps:
            return self.table
        folded: list[tuple[Table, list[Event | None], Table]] = []
        known: dict[str, Table] = {}
        for seat, before in self.table.known.items():
            learnt = [step.learnt.get(seat) for step in self._steps]
            for other, events, after in folded:
                if other is before and all(map(is_, events, learnt)):
                    known[seat] = after
                    break
            else:
                known[seat] = self._fold(before, learnt)
                folded.append((before, learnt, known[seat]))
        self._steps = []
        self.table = replace(self.table, known=known)
        return self.table

    def _fold(self, known: Table, learnt: Sequence[Event | None]) -> Table:
        if not any(learnt):
            return known
        fold = _Fold(known)
        for step, event in zip(self._steps, learnt, strict=True):
            if event is not None:
                fold.add(event, step.roll(fold.table, event))
        return fold.finish()


class _Fold:
    """Knowledge of one viewer, while events are applied to it.

    An event that changes a roll alone does not copy the table, which is most of the work.
    """

    def __init__(self, known: Table) -> None:
        self._rolls = draft_of(known.rolls)
        self.table = replace(known, rolls=self._rolls)  # its rolls are up to date
        self._open_rolls, self._seq = known.open_rolls, known.seq

    def add(self, event: Event, roll: TableRoll | None) -> None:
        """Apply an event; `roll`: the roll that it is about, after it."""
        body = event.body
        if isinstance(body, RollBody) and roll is not None and not changes_more(self.table, body, roll):
            self._rolls.put(roll.id, roll)
            self._open_rolls = open_after(self._open_rolls, roll)
            self._seq += 1
            return
        self.table = apply_event(self._catch_up(), event, roll)
        self._open_rolls, self._seq = self.table.open_rolls, self.table.seq

    def _catch_up(self) -> Table:
        return replace(self.table, open_rolls=self._open_rolls, seq=self._seq)

    def finish(self) -> Table:
        return replace(self._catch_up(), rolls=self._rolls.finished())
