"""A seat's own log: its redacted events, numbered and hash-chained.

Numbers count only the lines of this seat, so neither they nor the hashes reveal other events.
Each line holds the hash of the one before; the last line of an export states the number of lines.
A seat that joins late first receives what it may see of earlier events.
Entries of an older version are redacted as that version did it, so every export is a prefix of
all later ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from handful.errors import Refused, format_choices
from handful.table.events import Event, SeatTaken, TableOpened, canonical_json, digest
from handful.table.knowledge import NEW_GM, evolve
from handful.table.state import Table
from handful.table.upcast import Data, read_event, redacted_as_written
from handful.table.visibility import SPECTATOR, WATCHER, Viewer

FORMAT = "handful seat log"
CHAIN_VERSION = 1  # of the line format; events have a version of their own


_quote = json.encoder.encode_basestring_ascii  # the escaping of `canonical_json`
LineEnvelope = tuple[str, str]  # an entry's kind, and the end of its line


class EntryRedactor:
    """Writes what each viewer was told of one entry; viewers who were told the same share one text."""

    def __init__(self, after: Table, entry: Data) -> None:
        """`after`: the table after the entry, which has it as each viewer was told."""
        self._told, self._entry = after.told, entry
        self._texts: list[tuple[Event, bool, str | None]] = []
        ruleset, seat, time = (_quote(entry[name]) for name in ("ruleset", "seat", "time"))
        rest = f'"ruleset":{ruleset},"seat":{seat},"time":{time},"version":{entry["version"]}}}'
        self.envelope: LineEnvelope = (entry["kind"], rest)

    def text_for(self, viewer: Viewer) -> str | None:
        """Return the redacted data of the entry as JSON text; None if the viewer may not see it."""
        newcomer = NEW_GM if viewer.is_gm else SPECTATOR  # what a seat learns of the time before it sat down
        told = self._told.get(viewer.seat, self._told.get(newcomer))
        if told is None:
            return None
        for other, gm, text in self._texts:
            if other is told and gm == viewer.is_gm:
                return text
        data = redacted_as_written(self._entry, told.data, gm=viewer.is_gm)
        text = None if data is None else canonical_json(data)
        self._texts.append((told, viewer.is_gm, text))
        return text

    def data_for(self, viewer: Viewer) -> Data | None:
        """Return the redacted data of the entry; None if the viewer may not see it."""
        text = self.text_for(viewer)
        return None if text is None else json.loads(text)


class SeatLog:
    """The growing log of one seat.

    Stores one hash per line; the data text is shared with other seats, and lines are assembled on
    demand.
    """

    def __init__(self, table: str, seat: str, role: str) -> None:
        self.table, self.seat, self.role = table, seat, role
        self.head = {"format": FORMAT, "version": CHAIN_VERSION, "table": table, "seat": seat}
        self._initial_hash = self.last_hash = digest(self.head)  # the first line is the start of the chain
        self._lines: list[tuple[str, str, LineEnvelope]] = []  # hash, data, envelope

    def __len__(self) -> int:
        return len(self._lines)

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(text) for text in self.texts()]

    def texts(self, first: int = 0, last: int | None = None) -> list[str]:
        """Return the lines from index `first` up to `last`, as they are sent and exported."""
        before = self._lines[first - 1][0] if 0 < first <= len(self._lines) else self._initial_hash
        texts = []
        for n, (hash, data, envelope) in enumerate(self._lines[first:last], first + 1):
            texts.append(_line(before, data, envelope, n, f'"hash":"{hash}",'))
            before = hash
        return texts

    def add(self, redactor: EntryRedactor) -> None:
        """Append the line of an entry, if the seat may see it."""
        data = redactor.text_for(Viewer(self.seat, self.role))
        if data is None:
            return
        self._append(data, redactor.envelope)

    def _append(self, data: str, envelope: LineEnvelope) -> None:
        line = _line(self.last_hash, data, envelope, len(self._lines) + 1)
        self.last_hash = sha256(line.encode()).hexdigest()
        self._lines.append((self.last_hash, data, envelope))

    def copy_for(self, seat: str, role: str) -> SeatLog:
        """Return the log of a new seat that may see the same lines so far."""
        copy = SeatLog(self.table, seat, role)
        for _, data, envelope in self._lines:
            copy._append(data, envelope)
        return copy


def _line(before: str, data: str, envelope: LineEnvelope, n: int, hash: str = "") -> str:
    """Format a line as `canonical_json` would: before, data, (hash,) kind, n …"""
    kind, rest = envelope
    return f'{{"before":"{before}","data":{data},{hash}"kind":"{kind}","n":{n},{rest}'


def replay_log(table: Table, entries: Iterable[Data], seat: str) -> SeatLog:
    """Return a seat's log; `table` is the table before the first entry."""
    return replay_logs(table, entries, [seat])[seat]


def replay_logs(table: Table, entries: Iterable[Data], seats: Iterable[str]) -> dict[str, SeatLog]:
    """Return the logs of several seats, replaying the entries once."""
    all_entries = list(entries)
    opened = (one.body.table for one in map(read_event, all_entries) if isinstance(one.body, TableOpened))
    name = next(opened, "")
    logs = {seat: SeatLog(name, seat, _role(all_entries, seat)) for seat in seats}
    for entry in all_entries:
        table = evolve(table, read_event(entry))
        redactor = EntryRedactor(table, entry)
        for log in logs.values():
            log.add(redactor)
    return logs


def seat_log(table: Table, entries: Iterable[Data], seat: str) -> list[dict[str, Any]]:
    """Return the lines of a seat's log."""
    return replay_log(table, entries, seat).lines


def _role(entries: list[Data], seat: str) -> str:
    if seat == SPECTATOR:
        return WATCHER
    bodies = (read_event(one).body for one in entries if one["kind"] == SeatTaken.kind)
    seats = {one.name: one.role for one in bodies if isinstance(one, SeatTaken)}
    if seat not in seats:
        raise Refused(f"there is no seat {seat[:60]!r} at this table; there is {format_choices(seats)}")
    return seats[seat]


def export_log(table: Table, entries: Iterable[Data], seat: str) -> str:
    """Return a seat's log as text: a header line, one line per entry, and a final line."""
    return format_log(replay_log(table, entries, seat))


def format_log(log: SeatLog) -> str:
    end = {"end": len(log), "head": log.last_hash}
    return "\n".join([canonical_json(log.head), *log.texts(), canonical_json(end), ""])
