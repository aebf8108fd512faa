"""A table in a store: decide, save, then tell.

Whoever listens hears of nothing that is not saved.  If somebody else wrote first, the new entries
are read and the command is decided again; a roll's dice follow from its key, so they fall the same.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from handful import table as tables
from handful.errors import FileFault, Refused
from handful.rules.ruleset import Ruleset
from handful.store.protocol import Conflict, Entry, Store, StoreFault, TableHeader
from handful.store.rulesets import StoredRulesets
from handful.table import AppliedEvent, Command, Event, KeyedDice, ProjectionCache, Table

MAX_ATTEMPTS = 100

EventsCallback = Callable[[Table, tuple[Event, ...]], None]
EntryCallback = Callable[[Table, Entry], None]


@contextmanager
def _gc_paused() -> Iterator[None]:
    """Nobody looks for garbage meanwhile: a log makes none, and looking is a third of the time."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class StoredTable:
    """One table of a store; `now` tells the time as text."""

    def __init__(self, store: Store, header: TableHeader, rules: Ruleset, now: Callable[[], str]) -> None:
        self.store, self.header, self.now = store, header, now
        self.initial = Table(rules, rulesets=StoredRulesets(store))  # before anything happened
        self.table = self.initial
        self.dice = KeyedDice(header.secret)
        self.cache = ProjectionCache()  # of what was made for views and decisions
        self.on_events: list[EventsCallback] = []
        self.on_entry: list[EntryCallback] = []  # each hears of every entry, with the table before it
        self.refresh()

    @property
    def rules(self) -> Ruleset:
        """The rules that hold now."""
        return self.table.rules

    def refresh(self) -> None:
        """Take in what others wrote."""
        with _gc_paused():
            for entry in self.store.read(self.header.table, after=self.table.seq):
                self._advance(entry, tables.evolve(self.table, self._event(entry)))
        self.cache.next_generation()

    def _event(self, entry: Entry) -> Event:
        if entry["ruleset"] != self.rules.hash:
            raise Refused(
                f"{self.header.table} was played with other rules of {self.header.game}: "
                f"{entry['ruleset'][:12]}, not {self.rules.hash[:12]}"
            )
        try:
            return tables.read_event(entry)
        except FileFault as fault:
            raise StoreFault(f"{self.header.table}: {fault.message}", fault.hint) from None

    def do(self, actor: str, command: Command) -> tuple[Event, ...]:
        """Obey a command: its events are saved when this returns, and only then told."""
        return self.decide_and_save(actor, command)()

    def decide_and_save(self, actor: str, command: Command) -> Callable[[], tuple[Event, ...]]:
        """Save what a command comes to.  Whoever calls the answer lets the table go on, and tells.

        For those who save several things together: nothing of it counts before all is saved.
        """
        for _ in range(MAX_ATTEMPTS):
            before = self.table.seq
            try:
                happened = tables.apply_command(self.table, command, actor, self.dice, self.cache)
                entries = self._save([one.event for one in happened])
            except Conflict:
                self.refresh()
                continue
            except Refused:
                self.refresh()  # perhaps only because others were here meanwhile
                if self.table.seq == before:
                    raise
                continue
            return lambda: self._publish(entries, happened)
        raise StoreFault("too many others are writing at this table", "try again")

    def _publish(self, entries: list[Entry], happened: Sequence[AppliedEvent]) -> tuple[Event, ...]:
        for entry, one in zip(entries, happened, strict=True):
            self._advance(entry, one.after)
        self.cache.next_generation()
        events = tuple(one.event for one in happened)
        for listener in self.on_events if events else []:
            listener(self.table, events)
        return events

    def _advance(self, entry: Entry, after: Table) -> None:
        """An entry that is saved: the table goes on, and whoever watches hears of it."""
        before, self.table = self.table, after
        for witness in self.on_entry:
            witness(before, entry)

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
        """A seat's own log, for `handful verify`."""
        return tables.export_log(self.initial, self.store.read(self.header.table), seat)

    def seat_log(self, seat: str) -> tables.SeatLog:
        """A seat's own log, which a witness may let grow."""
        return tables.replay_log(self.initial, self.store.read(self.header.table), seat)

    def view(self, seat: str) -> dict[str, Any]:
        return tables.view(self.table, seat)
