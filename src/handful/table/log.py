"""A seat's own log: what it was told, numbered and chained.

A seat counts only what it hears of, so numbers and hashes say nothing about the rest.
Each entry holds the hash of the one before; the last line of an export says how many there are.
Whoever sits down later is told first what they may see of the time before.
Entries of an older version are told as that version told them, so a log that was exported once is
the beginning of every later export.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

from handful.errors import Refused, format_choices
from handful.table.events import Data, Event, canonical_json, digest
from handful.table.evolve import evolve
from handful.table.projection import ViewerClass, redact, viewer_classifier
from handful.table.state import Table
from handful.table.upcast import read_event, redacted_as_written
from handful.table.visibility import SPECTATOR, WATCHER

FORMAT = "handful seat log"
CHAIN = 1  # how lines are written and chained; events have a version of their own


_quoted = json.encoder.encode_basestring_ascii  # as `canonical_json` writes a text
Around = tuple[str, str]  # the kind of an entry as it was written, and with what its line ends


class EntryRedactor:
    """An entry on its way into logs; what is the same for several seats is written once."""

    def __init__(self, before: Table, entry: Data) -> None:
        """`before` is the table before the entry."""
        self._before, self._entry, self.event = before, entry, read_event(entry)
        self._ears = viewer_classifier(before, self.event)
        self._written: list[tuple[Data, str]] = []
        self._heard: dict[ViewerClass, str | None] = {}
        ruleset, seat, time = (_quoted(entry[name]) for name in ("ruleset", "seat", "time"))
        rest = f'"ruleset":{ruleset},"seat":{seat},"time":{time},"version":{entry["version"]}}}'
        self.around: Around = (entry["kind"], rest)

    def text_for(self, seat: str, role: str) -> str | None:
        """The data of the entry as a seat is told it, as text; None: not at all."""
        if self._ears is None:
            return self._told_to(seat, role)
        ear = self._ears(seat, role)
        if ear not in self._heard:
            self._heard[ear] = self._told_to(seat, role)
        return self._heard[ear]

    def _told_to(self, seat: str, role: str) -> str | None:
        data = redact(self._before, self.event, seat, role)
        if data is None:
            return None
        for known, text in self._written:
            if known == data:
                return text
        text = canonical_json(redacted_as_written(self._entry, data))
        self._written.append((data, text))
        return text


class SeatLog:
    """A seat's log as it grows: each entry is held against what the seat may be told of it.

    Of each line only its hash is the seat's own; its text is shared with all who hear the same, and
    is put together when somebody asks for it.
    """

    def __init__(self, table: str, seat: str, role: str) -> None:
        self.table, self.seat, self.role = table, seat, role
        self.head = {"format": FORMAT, "version": CHAIN, "table": table, "seat": seat}
        self._begins = self.last_hash = digest(self.head)  # the hash from which the chain goes on
        self._said: list[tuple[str, str, Around]] = []  # hash, data and what is around it

    def __len__(self) -> int:
        return len(self._said)

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(text) for text in self.texts()]

    def texts(self, first: int = 0, last: int | None = None) -> list[str]:
        """The lines from one place to another, as they are sent and exported."""
        before = self._said[first - 1][0] if 0 < first <= len(self._said) else self._begins
        made = []
        for n, (hash, data, around) in enumerate(self._said[first:last], first + 1):
            made.append(_line(before, data, around, n, f'"hash":"{hash}",'))
            before = hash
        return made

    def add(self, telling: EntryRedactor) -> None:
        """The line of an entry, if the seat is told of it."""
        data = telling.text_for(self.seat, self.role)
        if data is None:
            return
        self._put(data, telling.around)

    def _put(self, data: str, around: Around) -> None:
        line = _line(self.last_hash, data, around, len(self._said) + 1)
        self.last_hash = sha256(line.encode()).hexdigest()
        self._said.append((self.last_hash, data, around))

    def copy_for(self, seat: str, role: str) -> SeatLog:
        """The log of a new seat that was told the same until now."""
        made = SeatLog(self.table, seat, role)
        for _, data, around in self._said:
            made._put(data, around)
        return made


def _line(before: str, data: str, around: Around, n: int, hash: str = "") -> str:
    """A line as `canonical_json` writes it: before, data, (hash,) kind, n …"""
    kind, rest = around
    return f'{{"before":"{before}","data":{data},{hash}"kind":"{kind}","n":{n},{rest}'


def replay_log(table: Table, entries: Iterable[Data], seat: str) -> SeatLog:
    """A seat's log, from a table's whole log; `table` is the table before it."""
    return replay_logs(table, entries, [seat])[seat]


def replay_logs(table: Table, entries: Iterable[Data], seats: Iterable[str]) -> dict[str, SeatLog]:
    """The logs of several seats; the whole log is replayed once for all of them."""
    kept = list(entries)
    opened = next(_of_kind(kept, "table_opened"), None)
    name = "" if opened is None else opened.data["table"]
    made = {seat: SeatLog(name, seat, _role(kept, seat)) for seat in seats}
    for entry in kept:
        telling = EntryRedactor(table, entry)
        for log in made.values():
            log.add(telling)
        table = evolve(table, telling.event)
    return made


def seat_log(table: Table, entries: Iterable[Data], seat: str) -> list[dict[str, Any]]:
    """What a seat was told, line by line."""
    return replay_log(table, entries, seat).lines


def _role(entries: list[Data], seat: str) -> str:
    if seat == SPECTATOR:
        return WATCHER
    seats = {one.data["name"]: one.data["role"] for one in _of_kind(entries, "seat_taken")}
    if seat not in seats:
        raise Refused(f"there is no seat {seat[:60]!r} at this table; there is {format_choices(seats)}")
    role: str = seats[seat]
    return role


def _of_kind(entries: list[Data], kind: str) -> Iterator[Event]:
    return (event for event in map(read_event, entries) if event.kind == kind)


def export_log(table: Table, entries: Iterable[Data], seat: str) -> str:
    """A seat's log as text: a line for each entry, with a first and a last line around them."""
    return format_log(replay_log(table, entries, seat))


def format_log(log: SeatLog) -> str:
    end = {"end": len(log), "head": log.last_hash}
    return "\n".join([canonical_json(log.head), *log.texts(), canonical_json(end), ""])
