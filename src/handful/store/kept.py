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
from handful.store.shelf import Shelf
from handful.store.stores import Conflict, Entry, Opened, Store, StoreFault
from handful.table import Command, Event, Happened, KeyedDice, Memory, Table

MOST_TRIES = 100

Listener = Callable[[Table, tuple[Event, ...]], None]
Witness = Callable[[Table, Entry], None]


@contextmanager
def _no_garbage() -> Iterator[None]:
    """Nobody looks for garbage meanwhile: a log makes none, and looking is a third of the time."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class Kept:
    """One table of a store; `now` tells the time as text."""

    def __init__(self, store: Store, opened: Opened, rules: Ruleset, now: Callable[[], str]) -> None:
        self.store, self.opened, self.now = store, opened, now
        self.empty = Table(rules, shelf=Shelf(store))  # before anything happened
        self.table = self.empty
        self.dice = KeyedDice(opened.secret)
        self.memory = Memory()  # of what was made for views and decisions
        self.listeners: list[Listener] = []
        self.witnesses: list[Witness] = []  # each hears of every entry, with the table before it
        self.refresh()

    @property
    def rules(self) -> Ruleset:
        """The rules that hold now."""
        return self.table.rules

    def refresh(self) -> None:
        """Take in what others wrote."""
        with _no_garbage():
            for entry in self.store.read(self.opened.table, after=self.table.seq):
                self._take_in(entry, tables.evolve(self.table, self._event(entry)))
        self.memory.turn()

    def _event(self, entry: Entry) -> Event:
        if entry["ruleset"] != self.rules.hash:
            raise Refused(
                f"{self.opened.table} was played with other rules of {self.opened.game}: "
                f"{entry['ruleset'][:12]}, not {self.rules.hash[:12]}"
            )
        try:
            return tables.event_of(entry)
        except FileFault as fault:
            raise StoreFault(f"{self.opened.table}: {fault.message}", fault.hint) from None

    def do(self, actor: str, command: Command) -> tuple[Event, ...]:
        """Obey a command: its events are saved when this returns, and only then told."""
        return self.saved(actor, command)()

    def saved(self, actor: str, command: Command) -> Callable[[], tuple[Event, ...]]:
        """Save what a command comes to.  Whoever calls the answer lets the table go on, and tells.

        For those who save several things together: nothing of it counts before all is saved.
        """
        for _ in range(MOST_TRIES):
            before = self.table.seq
            try:
                happened = tables.obey(self.table, command, actor, self.dice, self.memory)
                entries = self._save([one.event for one in happened])
            except Conflict:
                self.refresh()
                continue
            except Refused:
                self.refresh()  # perhaps only because others were here meanwhile
                if self.table.seq == before:
                    raise
                continue
            return lambda: self._told(entries, happened)
        raise StoreFault("too many others are writing at this table", "try again")

    def _told(self, entries: list[Entry], happened: Sequence[Happened]) -> tuple[Event, ...]:
        for entry, one in zip(entries, happened, strict=True):
            self._take_in(entry, one.after)
        self.memory.turn()
        events = tuple(one.event for one in happened)
        for listener in self.listeners if events else []:
            listener(self.table, events)
        return events

    def _take_in(self, entry: Entry, after: Table) -> None:
        """An entry that is saved: the table goes on, and whoever watches hears of it."""
        before, self.table = self.table, after
        for witness in self.witnesses:
            witness(before, entry)

    def _save(self, events: Sequence[Event]) -> list[Entry]:
        if not events:
            return []
        before, time, hash = self.table.seq, self.now(), self.rules.hash
        entries = []
        for at, event in enumerate(events, 1):
            entries.append(tables.entry(event, seq=before + at, time=time, ruleset=hash))
            hash = tables.hash_after(event, hash)
        self.store.append(self.opened.table, entries, after=before)
        return entries

    def export(self, seat: str) -> str:
        """A seat's own log, for `handful verify`."""
        return tables.export(self.empty, self.store.read(self.opened.table), seat)

    def log(self, seat: str) -> tables.SeatLog:
        """A seat's own log, which a witness may let grow."""
        return tables.log_of(self.empty, self.store.read(self.opened.table), seat)

    def view(self, seat: str) -> dict[str, Any]:
        return tables.view(self.table, seat)
