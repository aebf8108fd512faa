"""Replays many events: what viewers know is advanced once for all of them.

The table itself advances event by event, because redaction looks at the table before each.  Nobody
looks at what a viewer knows meanwhile, so that is folded at the end: roll by roll, as long as nothing
but rolls changes, because rolls do not depend on each other.  A viewer who was told everything about a
roll knows what the table knows, and need not replay it.  The result is the same as by `evolve`
(`tests/properties/test_knowledge.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import is_

from handful.records import replace
from handful.table.events import Event, RollBody, SeatTaken
from handful.table.evolve import apply_event, changes_more, counted_after, open_after
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
        self._pending = _Pending()  # of which the viewers have learnt nothing yet

    def add(self, event: Event) -> Table:
        """Apply an event; return the table after it, which says what each viewer was told."""
        if not self.table.known or isinstance(event.body, SeatTaken):  # viewers begin to know something
            self.table = evolve(self.finish(), event)
            return self.table
        before, after = self.table, apply_event(self.table, event)
        step = Step(before, event, after, before.known)
        self._pending.add(step, before)
        self.table = replace(after, told=step.told, keys=before.keys.after(before, event))
        return self.table if self._pending.count < MAX_STEPS else self.finish()

    def finish(self) -> Table:
        """Return the table after all events so far, with what each viewer knows."""
        pending, self._pending = self._pending, _Pending()
        if not pending.count:
            return self.table
        folded: list[tuple[Table, list[Event | None], Table]] = []
        known: dict[str, Table] = {}
        for seat, before in self.table.known.items():
            learnt = [step.learnt.get(seat) for step in pending.private]
            for other, events, after in folded:
                if other is before and all(map(is_, events, learnt)):
                    known[seat] = after
                    break
            else:
                known[seat] = _fold(before, pending.groups, seat)
                folded.append((before, learnt, known[seat]))
        self.table = replace(self.table, known=known)
        return self.table


class _Pending:
    """Steps that viewers have not learnt of: a group for each roll, between steps that change more.

    A step that some viewers are told differently stands alone, in its place: whoever learns of a roll
    only then has it behind those that it knew.
    """

    def __init__(self) -> None:
        self.count = 0
        self.groups: list[list[Step]] = []
        self.private: list[Step] = []  # those that some viewers are told differently
        self._by_roll: dict[str, list[Step]] = {}

    def add(self, step: Step, before: Table) -> None:
        """Add a step; `before` is the table before it."""
        self.count += 1
        if not step.is_public:
            self.private.append(step)
        roll = _only_roll(step, before)
        if roll is not None and step.is_public and roll in self._by_roll:
            self._by_roll[roll].append(step)
            return
        self.groups.append([step])
        if roll is None:
            self._by_roll = {}
        elif step.is_public:
            self._by_roll[roll] = self.groups[-1]
        else:
            self._by_roll.pop(roll, None)


def _only_roll(step: Step, before: Table) -> str | None:
    """Return the name of the roll that a step changes; None if it may change more for somebody.

    A roll that is over counts as more: opened again, it would be the last of the open ones.
    """
    body = step.body
    if not isinstance(body, RollBody) or step.whole_roll is None:
        return None
    old, roll = step.whole_roll
    if changes_more(before, body, roll) or not (old is None or old.is_open):
        return None
    return roll.id


def _fold(known: Table, groups: Sequence[Sequence[Step]], seat: str) -> Table:
    fold = _Fold(known)
    for steps in groups:
        if not fold.takes_over(steps):
            for step in steps:
                event = step.learnt.get(seat)
                if event is not None:
                    fold.add(event, step.roll(fold.table, event))
    return fold.finish() if fold.has_changed else known


class _Fold:
    """Knowledge of one viewer, while events are applied to it.

    An event that changes a roll alone does not copy the table, which is most of the work.
    """

    def __init__(self, known: Table) -> None:
        self._rolls = draft_of(known.rolls)
        self.table = replace(known, rolls=self._rolls)  # its rolls and their count are up to date
        self._open_rolls, self._seq = known.open_rolls, known.seq
        self.has_changed = False

    def takes_over(self, steps: Sequence[Step]) -> bool:
        """Take a roll over from the table, if the viewer knows and is told all of it."""
        first, last = steps[0].whole_roll, steps[-1].whole_roll
        if first is None or last is None or self.table.rules is not steps[0].rules:
            return False
        if self._rolls.get(last[1].id) is not first[0] or not all(step.is_public for step in steps):
            return False
        body = steps[0].body
        if not isinstance(body, RollBody) or changes_more(self.table, body, last[1]):
            return False
        self._put(body, last[1], len(steps))
        return True

    def add(self, event: Event, roll: TableRoll | None) -> None:
        """Apply an event; `roll`: the roll that it is about, after it."""
        body = event.body
        if isinstance(body, RollBody) and roll is not None and not changes_more(self.table, body, roll):
            self._put(body, roll, 1)
            return
        self.table = apply_event(self._catch_up(), event, roll)
        self._open_rolls, self._seq = self.table.open_rolls, self.table.seq
        self.has_changed = True

    def _put(self, body: RollBody, roll: TableRoll, events: int) -> None:
        """Replace a roll after some events about it, of which `body` is the first."""
        self._rolls.put(roll.id, roll)
        self._open_rolls = open_after(self._open_rolls, roll)
        self._seq += events
        self.has_changed = True
        counted = counted_after(self.table.counted_rolls, body, roll)
        if counted != self.table.counted_rolls:  # the next declaration reads it
            self.table = replace(self.table, counted_rolls=counted)

    def _catch_up(self) -> Table:
        return replace(self.table, open_rolls=self._open_rolls, seq=self._seq)

    def finish(self) -> Table:
        return replace(self._catch_up(), rolls=self._rolls.finished())
