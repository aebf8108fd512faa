"""A table in a store: decide, save, then publish.

Callbacks never hear of an event that is not saved.  If another writer was first, the new entries are
read and the command is decided again; a roll's dice follow from its key, so they are the same.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from handful import table as tables
from handful.errors import FileFault, Message, Refused
from handful.rules.ruleset import Ruleset
from handful.store.protocol import Conflict, Entry, Store, StoreFault, TableHeader
from handful.store.rulesets import StoredRulesets
from handful.table import AppliedEvent, Command, Event, KeyedDice, Table

MAX_ATTEMPTS = 100

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

    def __init__(self, store: Store, header: TableHeader, rules: Ruleset, now: Callable[[], str]) -> None:
        self.store, self.header, self.now = store, header, now
        self.initial = Table(rules, rulesets=StoredRulesets(store))  # before the first event
        self.table = self.initial
        self.dice = KeyedDice(header.secret)
        self.on_events: list[EventsCallback] = []
        self.on_entry: list[EntryCallback] = []  # called with the table after the entry
        self.refresh()

    @property
    def rules(self) -> Ruleset:
        """The rules in force."""
        return self.table.rules

    def refresh(self) -> None:
        """Apply the entries that others have written."""
        with _gc_paused():
            for entry in self.store.read(self.header.table, after=self.table.seq):
                self._advance(entry, tables.evolve(self.table, self._event(entry)))

    def _event(self, entry: Entry) -> Event:
        if entry["ruleset"] != self.rules.hash:
            raise Refused(
                Message(
                    "store.other_rules",
                    table=self.header.table,
                    game=self.header.game,
                    played=entry["ruleset"][:12],
                    hash=self.rules.hash[:12],
                )
            )
        try:
            return tables.read_event(entry)
        except FileFault as fault:
            raise StoreFault(
                Message("store.at_table", table=self.header.table, problem=fault.problem), fault.advice
            ) from None

    def do(self, actor: str, command: Command) -> tuple[Event, ...]:
        """Execute a command; its events are saved when this returns, and published only then."""
        return self.decide_and_save(actor, command)()

    def decide_and_save(self, actor: str, command: Command) -> Callable[[], tuple[Event, ...]]:
        """Decide and append, but do not publish.

        Returns a callback that advances the in-memory table and notifies listeners; call it after the
        transaction commits.  For group commit: nothing counts before everything is saved.
        """
        for _ in range(MAX_ATTEMPTS):
            before = self.table.seq
            try:
                applied = tables.apply_command(self.table, command, actor, self.dice)
                entries = self._save([one.event for one in applied])
            except Conflict:
                self.refresh()
                continue
            except Refused:
                self.refresh()  # perhaps only because the table has changed meanwhile
                if self.table.seq == before:
                    raise
                continue
            return lambda: self._publish(entries, applied)
        raise StoreFault(Message("store.busy"), Message("advice.try_again"))

    def _publish(self, entries: list[Entry], applied: Sequence[AppliedEvent]) -> tuple[Event, ...]:
        for entry, one in zip(entries, applied, strict=True):
            self._advance(entry, one.after)
        events = tuple(one.event for one in applied)
        for callback in self.on_events if events else []:
            callback(self.table, events)
        return events

    def _advance(self, entry: Entry, after: Table) -> None:
        """Advance the table by a saved entry, and notify `on_entry`."""
        self.table = after
        for callback in self.on_entry:
            callback(after, entry)

    def _save(self, events: Sequence[Event]) -> list[Entry]:
        if not events:
            return []
        before, time, hash = self.table.seq, self.now(), self.rules.hash
        entries = []
        for at, event in enumerate(events, 1):
            entries.append(tables.log_entry(event, seq=before + at, time=time, ruleset=hash))
            hash = tables.ruleset_hash_after(event, hash)
        self.store.append(self.header.table, entries, after=before)
        return entries

    def export(self, seat: str) -> str:
        """Return a seat's log as text, for `handful verify`."""
        return tables.export_log(self.initial, self.store.read(self.header.table), seat)

    def seat_log(self, seat: str) -> tables.SeatLog:
        """Return a seat's log, to which an `on_entry` callback may append."""
        return tables.replay_log(self.initial, self.store.read(self.header.table), seat)

    def view(self, seat: str) -> dict[str, Any]:
        return tables.view(self.table, seat)
