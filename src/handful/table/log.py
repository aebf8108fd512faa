"""Seats' own logs: redacted events, numbered, hash-chained and signed (`chain`).

Numbers count only the lines of a seat, so neither they nor the hashes reveal other events.
A seat that joins late first receives what it may see of earlier events.
Lines of before there were epochs keep the form of format 1, and entries of an older version are
redacted as that version did it, so every export is a prefix of all later ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from handful.errors import Message, Refused
from handful.records import record
from handful.table.chain import (
    FORMAT,
    SIGNED_KINDS,
    LineEnvelope,
    PublicChain,
    PublicLine,
    Sign,
    envelope_of,
    format_line,
    log_end,
    log_head,
    sign_hash,
)
from handful.table.events import VERSION, EpochBegun, Event, TableOpened, canonical_json, digest
from handful.table.knowledge import NEW_GM, NEWCOMERS
from handful.table.replay import Replay
from handful.table.state import Table
from handful.table.upcast import Data, read_event, redacted_as_written
from handful.table.visibility import ANY_WATCHER, GM, SPECTATOR, Viewer

HASH_BYTES = 32  # of a hash
LINE_BYTES = 400  # of a line beside its data, about
HASH_PART = 2_000  # lines that are hashed at once, in about 5 ms


class EntryTexts:
    """Writes what each viewer was told of one entry; viewers who were told the same share one text."""

    def __init__(self, after: Table, entry: Data) -> None:
        """`after`: the table after the entry, which has it as each viewer was told."""
        self._told, self._entry = after.told, entry
        self.is_newest = entry["version"] == VERSION  # older ones were written differently for the GM
        self._texts: list[tuple[Event, bool, str | None]] = []
        self.envelope = envelope_of(entry)

    def text_for(self, viewer: Viewer) -> str | None:
        """Return the redacted data of the entry as JSON text; None if the viewer may not see it.

        Somebody who has no seat yet is told as much as any newcomer of that role.
        """
        newcomer = NEW_GM if viewer.is_gm else SPECTATOR
        told = self._told.get(viewer.seat if viewer.seat in self._told else newcomer)
        if told is None:
            return None
        for other, gm, text in self._texts:
            if other is told and (self.is_newest or gm == viewer.is_gm):
                return text
        data = redacted_as_written(self._entry, told.data, gm=viewer.is_gm)
        text = None if data is None else canonical_json(data)
        self._texts.append((told, viewer.is_gm, text))
        return text

    def data_for(self, viewer: Viewer) -> Data | None:
        """Return the redacted data of the entry; None if the viewer may not see it."""
        text = self.text_for(viewer)
        return None if text is None else json.loads(text)


@record()
class LineContent:
    """A line without its place in a chain; shared by all seats that were told the same."""

    data: str
    envelope: LineEnvelope
    public: str  # the line's place in the public chain; empty if not everyone sees it, or in format 1

    def text(self, before: str, n: int, *, hash: str = "", signature: str = "") -> str:
        return format_line(
            self.envelope, before, self.data, n, public=self.public, hash=hash, signature=signature
        )


class SeatLog:
    """The growing log of one seat; lines are assembled on demand."""

    def __init__(self, head: Mapping[str, object], role: str) -> None:
        self.head, self.viewer = head, Viewer(str(head["seat"]), role)
        self.last_public: PublicLine | None = None  # the last line of the public chain in this log
        self._initial_hash = digest(head)  # the first line is the start of the chain
        self._lines: list[LineContent] = []
        # of the first lines, without gaps: a list of texts would be four times as large
        self._hashes = bytearray()
        self._first_signed: int | None = 0 if "public_key" in head else None
        self._signatures: dict[int, str] = {}  # index of a line -> its signature

    def __len__(self) -> int:
        return len(self._lines)

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(text) for text in self.texts()]

    def texts(self, first: int = 0, last: int | None = None, sign: Sign | None = None) -> list[str]:
        """Return the lines from index `first` up to `last`, as they are sent and exported.

        With `sign` finalised rolls are signed; a line is the same with and without its signature.
        """
        indices = range(len(self._lines))[first:last]
        if not indices:
            return []
        texts, before = [], self._hash(indices[0] - 1)
        for index in indices:
            line, hash = self._lines[index], self._hash(index)
            signature = self._signature(index, line, sign) if sign else ""
            texts.append(line.text(before, index + 1, hash=hash, signature=signature))
            before = hash
        return texts

    def count_within(self, indices: range, most_bytes: int) -> int:
        """Return how many of these lines, one after another, take at most so many bytes; at least one."""
        size = count = 0
        for count, index in enumerate(indices):
            size += len(self._lines[index].data) + LINE_BYTES
            if size > most_bytes and count:
                return count
        return count + bool(indices)

    def hash_part(self, most: int = HASH_PART) -> bool:
        """Hash the next lines, at most so many; return whether some are left.

        A long log takes a tenth of a second, so that whoever must not wait hashes it in parts.
        """
        first = len(self._hashes) // HASH_BYTES
        before = self._hash(first - 1)
        for n, line in enumerate(self._lines[first : first + most], first + 1):
            hash = sha256(line.text(before, n).encode())
            self._hashes += hash.digest()
            before = hash.hexdigest()
        return first + most < len(self._lines)

    def _hash(self, index: int) -> str:
        """Return the hash of a line, after those of all lines before it; of the head for -1."""
        if index < 0:
            return self._initial_hash
        end = (index + 1) * HASH_BYTES
        while len(self._hashes) < end:
            self.hash_part()
        return self._hashes[end - HASH_BYTES : end].hex()

    @property
    def last_hash(self) -> str:
        return self._hash(len(self._lines) - 1)

    def _signature(self, index: int, line: LineContent, sign: Sign) -> str:
        if self._first_signed is None or index < self._first_signed or line.envelope.kind not in SIGNED_KINDS:
            return ""
        if index not in self._signatures:
            self._signatures[index] = sign_hash(sign, self._hash(index))
        return self._signatures[index]

    def append(self, line: LineContent, public: PublicLine | None) -> None:
        """Append a line; `public`: the same in the public chain, if everyone sees it."""
        if self._first_signed is None and line.envelope.kind == EpochBegun.kind:
            self._first_signed = len(self._lines)
        self._lines.append(line)
        self.last_public = public or self.last_public

    def copy_for(self, seat: str, role: str) -> SeatLog:
        """Return the log of a new seat that may see the same lines so far."""
        copy = SeatLog({**self.head, "seat": seat}, role)
        copy.last_public, copy._lines, copy._first_signed = (
            self.last_public,
            self._lines.copy(),
            self._first_signed,
        )
        return copy

    def export(self, sign: Sign | None = None) -> str:
        """Return the log as text: a header line, one line per entry, and a final line."""
        end: Mapping[str, object] = {"end": len(self), "head": self.last_hash}
        if self.last_public is not None:
            public = (self.last_public.n, self.last_public.hash)
            end = log_end(len(self), self.last_hash, public, sign)
        return "\n".join([canonical_json(self.head), *self.texts(sign=sign), canonical_json(end), ""])


class SeatLogs:
    """The growing logs of all seats of a table, and the public chain that they share.

    A seat that is taken later first gets the lines of a watcher, or of a GM who has just sat down.
    """

    def __init__(self) -> None:
        self._public: PublicChain | None = None
        self._table = ""
        self.logs: dict[str, SeatLog] = {}

    def add(self, after: Table, entry: Data) -> None:
        """Append an entry to the logs of all who see it; `after` is the table after it."""
        told = after.told.get(SPECTATOR)
        if told is not None and isinstance(told.body, TableOpened):
            self._open(told.body)
        elif told is not None and isinstance(told.body, EpochBegun) and self._public is None:
            self._public = PublicChain(self._table, told.body.public_key)
        if len(after.seats) + len(NEWCOMERS) > len(self.logs):
            self._add_seats(after)
        texts = EntryTexts(after, entry)
        data, envelope = texts.text_for(ANY_WATCHER), texts.envelope
        public = self._public.append(data, envelope) if self._public and data is not None else None
        line, last = None, None  # what most seats are told is the same, and found once
        for seat, log in self.logs.items():
            told = after.told.get(seat)
            if told is None:
                continue
            if told is not last or not texts.is_newest:
                last, text = told, texts.text_for(log.viewer)
                place = public.field_for(text) if public and text is not None else ""
                line = None if text is None else LineContent(text, envelope, place)
            if line is not None:
                log.append(line, public)

    def _add_seats(self, after: Table) -> None:
        for seat, role in after.seats.items():
            if seat not in self.logs:
                self.logs[seat] = self.logs[NEW_GM if role == GM else SPECTATOR].copy_for(seat, role)

    def _open(self, opened: TableOpened) -> None:
        self._table = opened.table
        if opened.public_key is not None:
            self._public = PublicChain(opened.table, opened.public_key)
        for viewer in NEWCOMERS:
            seat = viewer.seat
            head: Mapping[str, object]
            if opened.public_key is None:
                head = {"format": FORMAT, "version": 1, "table": opened.table, "seat": seat}
            else:
                head = log_head(opened.table, seat, opened.public_key)
            self.logs[seat] = SeatLog(head, viewer.role)


def replay_log(table: Table, entries: Iterable[Data], seat: str) -> SeatLog:
    """Return a seat's log; `table` is the table before the first entry."""
    logs = replay_logs(table, entries).logs
    if seat not in logs or seat == NEW_GM:
        seats = [one for one in logs if one not in (SPECTATOR, NEW_GM)]
        raise Refused(Message("seat.unknown", seat=seat[:60], seats=seats))
    return logs[seat]


def replay_logs(table: Table, entries: Iterable[Data]) -> SeatLogs:
    """Return the logs of all seats, replaying the entries once."""
    logs, replay = SeatLogs(), Replay(table)
    for entry in entries:
        logs.add(replay.add(read_event(entry)), entry)
    return logs


def seat_log(table: Table, entries: Iterable[Data], seat: str) -> list[dict[str, Any]]:
    """Return the lines of a seat's log."""
    return replay_log(table, entries, seat).lines


def export_log(table: Table, entries: Iterable[Data], seat: str, sign: Sign | None = None) -> str:
    """Return a seat's log as text; `sign` is the table's private key, if it has one."""
    return replay_log(table, entries, seat).export(sign)
