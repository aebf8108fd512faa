"""A table in a store: decide, save, then publish.

Callbacks never hear of an event that is not saved.  If another writer was first, the new entries are
read and the command is decided again.

A process that writes begins an epoch with new keys, once for each table: perhaps the file is a backup
or a copy whose next dice somebody has seen.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from secrets import token_bytes
from typing import Any

from handful import table as tables
from handful.errors import FileFault, Message, Refused
from handful.rules.ruleset import Ruleset
from handful.store.dice import StoredDice
from handful.store.protocol import Conflict, Entry, Epoch, Store, StoreFault, TableHeader
from handful.store.rulesets import StoredRulesets
from handful.table import SPECTATOR, AppliedEvent, Command, Event, Table
from handful.table.events import LinkMade
from handful.table.key_ledger import epoch_begun

MAX_ATTEMPTS = 100
SECRET_BYTES = 32

EventsCallback = Callable[[Table, tuple[Event, ...]], None]
EntryCallback = Callable[[Table, Entry], None]


@contextmanager
def _gc_paused() -> Iterator[None]:
    """Pause garbage collection: a replay creates no cycles, and collecting took a third of its time."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class StoredTable:
    """One table of a store; `now` returns the time as text."""

    def __init__(
        self,
        store: Store,
        header: TableHeader,
        rules: Ruleset,
        now: Callable[[], str],
        *,
        has_epoch: bool = False,
        on_entry: Sequence[EntryCallback] = (),
        reads_all: bool = True,
        rulesets: Mapping[str, Ruleset] | None = None,
    ) -> None:
        """`has_epoch`: this process has begun an epoch of this table already.

        Without `reads_all` the caller reads the entries, in parts (`read_part`).
        `rulesets`: other rules that the table may change to, by hash; those of the store if None.
        """
        self.store, self.header, self.now, self.has_epoch = store, header, now, has_epoch
        others = StoredRulesets(store) if rulesets is None else rulesets
        self.initial = Table(rules, rulesets=others)  # before the first event
        self.table = self.initial
        self.dice = StoredDice(store, header)
        self.on_events: list[EventsCallback] = []
        self.on_entry = list(on_entry)  # called with the table after the entry, and what it told each viewer
        if reads_all:
            self.refresh()

    @property
    def rules(self) -> Ruleset:
        """The rules in force."""
        return self.table.rules

    def refresh(self) -> None:
        """Apply the entries that others have written."""
        self.dice.unsaved = None
        self.read_part()

    def read_part(self, most: int | None = None) -> bool:
        """Apply the next entries; return whether there may be more than the most that were read."""
        with _gc_paused():
            entries = self.store.read(self.header.table, after=self.table.seq, most=most)
            replay = tables.Replay(self.table)
            try:
                for entry in entries:
                    self._notify(entry, replay.add(self._event(entry, replay.table.rules)))
            finally:
                self.table = replay.finish()
        return len(entries) == most

    def _event(self, entry: Entry, rules: Ruleset) -> Event:
        if entry["ruleset"] != rules.hash:
            raise Refused(
                Message(
                    "store.other_rules",
                    table=self.header.table,
                    game=self.header.game,
                    played=entry["ruleset"][:12],
                    hash=rules.hash[:12],
                )
            )
        try:
            return tables.read_event(entry)
        except FileFault as fault:
            raise StoreFault(
                Message("store.at_table", table=self.header.table, problem=fault.problem), fault.advice
            ) from None

    def begin_epoch(self) -> None:
        """Begin an epoch, so that every seat is told the new commitments before the next roll.

        Without it the first command does.  Nothing happens if this process has begun one, or if the table
        has no entries yet: its first epoch begins when it is opened.
        """
        if self.table.seq and not self.has_epoch:
            self._save(lambda: (self._new_epoch(), ()))()

    def record_link(self, seat: str, by: str) -> Callable[[], tuple[Event, ...]]:
        """Save that somebody made a link to a seat; returns a callback as `decide_and_save` does."""
        return self._save(lambda: ((), [self._applied(Event(LinkMade(seat=seat, by=by), SPECTATOR))]))

    def do(self, actor: str, command: Command) -> tuple[Event, ...]:
        """Execute a command; its events are saved when this returns, and published only then."""
        return self.decide_and_save(actor, command)()

    def decide_and_save(self, actor: str, command: Command) -> Callable[[], tuple[Event, ...]]:
        """Decide and append, but do not publish.

        Returns a callback that advances the in-memory table and notifies listeners; call it after the
        transaction commits.  For group commit: nothing counts before everything is saved.
        """

        def decide() -> tuple[Sequence[AppliedEvent], Sequence[AppliedEvent]]:
            begun = self._new_epoch()
            table = begun[-1].after if begun else self.table
            applied = tables.apply_command(table, command, actor, self.dice)
            return begun if applied else (), applied

        return self._save(decide)

    def _new_epoch(self) -> Sequence[AppliedEvent]:
        """Return the events that begin an epoch, if this process has not begun one."""
        if self.has_epoch:
            return ()
        self.dice.unsaved = Epoch(self.table.epoch + 1, token_bytes(SECRET_BYTES))
        if not self.table.seq:
            return ()  # the first epoch begins with the table
        return [self._applied(epoch_begun(self.table, self.dice))]

    def _applied(self, event: Event) -> AppliedEvent:
        """Return an event that no command has caused, with the table after it."""
        return AppliedEvent(event, tables.evolve(self.table, event))

    def _save(
        self, decide: Callable[[], tuple[Sequence[AppliedEvent], Sequence[AppliedEvent]]]
    ) -> Callable[[], tuple[Event, ...]]:
        """Append what `decide` returns: the events of a new epoch, and others.

        If another writer was first, it decides again.
        """
        for _ in range(MAX_ATTEMPTS):
            before = self.table.seq
            try:
                begun, applied = decide()
                entries = self._append([*begun, *applied], begins=bool(begun) or not before)
            except Conflict:
                self.refresh()
                continue
            except Refused:
                self.refresh()  # perhaps only because the table has changed meanwhile
                if self.table.seq == before:
                    raise
                continue
            return lambda: self._publish(entries, begun, applied)
        raise StoreFault(Message("store.busy"), Message("advice.try_again"))

    def _publish(
        self, entries: list[Entry], begun: Sequence[AppliedEvent], applied: Sequence[AppliedEvent]
    ) -> tuple[Event, ...]:
        self.has_epoch = self.has_epoch or bool(begun) or (bool(entries) and not self.table.seq)
        self.dice.unsaved = None
        for entry, one in zip(entries, [*begun, *applied], strict=True):
            self.table = one.after
            self._notify(entry, one.after)
        events = tuple(one.event for one in applied)
        for callback in self.on_events if events else []:
            callback(self.table, events)
        return events

    def _notify(self, entry: Entry, after: Table) -> None:
        for callback in self.on_entry:
            callback(after, entry)

    def _append(self, applied: Sequence[AppliedEvent], *, begins: bool) -> list[Entry]:
        """Append events to the log; `begins`: with them the epoch of which the secret is not saved yet."""
        if not applied:
            return []
        before, time, hash = self.table.seq, self.now(), self.rules.hash
        entries = []
        for at, one in enumerate(applied, 1):
            entries.append(tables.log_entry(one.event, seq=before + at, time=time, ruleset=hash))
            hash = tables.ruleset_hash_after(one.event, hash)
        epoch = self.dice.unsaved if begins else None
        self.store.append(self.header.table, entries, after=before, epoch=epoch)
        return entries

    def export(self, seat: str) -> str:
        """Return a seat's log as text, for `handful verify`."""
        return self.seat_log(seat).export(self.dice.signer.sign)

    def seat_log(self, seat: str) -> tables.SeatLog:
        """Return a seat's log, to which an `on_entry` callback may append."""
        return tables.replay_log(self.initial, self.store.read(self.header.table), seat)

    def view(self, seat: str) -> dict[str, Any]:
        return tables.view(self.table, seat)
