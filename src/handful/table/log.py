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

from handful.errors import Refused, listed
from handful.table.events import Data, Event, canonical_json, digest
from handful.table.evolve import evolve
from handful.table.knowing import told
from handful.table.state import Table
from handful.table.upcast import event_of, told_then

FORMAT = "handful seat log"
CHAIN = 1  # how lines are written and chained; events have a version of their own


class SeatLog:
    """A seat's log as it grows: each entry is held against what the seat may be told of it.

    Lines are kept as text: that is what is chained, sent and exported, and it takes a tenth of the
    room.
    """

    def __init__(self, table: str, seat: str, role: str) -> None:
        self.seat, self.role = seat, role
        self.head = {"format": FORMAT, "version": CHAIN, "table": table, "seat": seat}
        self.texts: list[str] = []
        self.last = digest(self.head)  # the hash from which the chain goes on

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(text) for text in self.texts]

    def add(self, before: Table, entry: Data) -> None:
        """The line of an entry, if the seat is told of it; `before` is the table before it."""
        data = told(before, event_of(entry), self.seat, self.role)
        if data is None:
            return
        rest = {
            "n": len(self.texts) + 1, "time": entry["time"], "version": entry["version"],
            "ruleset": entry["ruleset"], "seat": entry["seat"], "kind": entry["kind"],
        }  # fmt: skip
        # as `canonical_json` writes the whole line: before, data, (hash,) kind, n …
        begins = f'{{"before":"{self.last}","data":{canonical_json(told_then(entry, data))},'
        ends = canonical_json(rest)[1:]
        self.last = sha256(f"{begins}{ends}".encode()).hexdigest()
        self.texts.append(f'{begins}"hash":"{self.last}",{ends}')


def log_of(table: Table, entries: Iterable[Data], seat: str) -> SeatLog:
    """A seat's log, from a table's whole log; `table` is the table before it."""
    kept = list(entries)
    opened = next(_of_kind(kept, "table_opened"), None)
    made = SeatLog("" if opened is None else opened.data["table"], seat, _role(kept, seat))
    for entry in kept:
        made.add(table, entry)
        table = evolve(table, event_of(entry))
    return made


def seat_log(table: Table, entries: Iterable[Data], seat: str) -> list[dict[str, Any]]:
    """What a seat was told, line by line."""
    return log_of(table, entries, seat).lines


def _role(entries: list[Data], seat: str) -> str:
    seats = {one.data["name"]: one.data["role"] for one in _of_kind(entries, "seat_taken")}
    if seat not in seats:
        raise Refused(f"there is no seat {seat[:60]!r} at this table; there is {listed(seats)}")
    role: str = seats[seat]
    return role


def _of_kind(entries: list[Data], kind: str) -> Iterator[Event]:
    return (event for event in map(event_of, entries) if event.kind == kind)


def export(table: Table, entries: Iterable[Data], seat: str) -> str:
    """A seat's log as text: a line for each entry, with a first and a last line around them."""
    return written(log_of(table, entries, seat))


def written(log: SeatLog) -> str:
    end = {"end": len(log), "head": log.last}
    return "\n".join([canonical_json(log.head), *log.texts, canonical_json(end), ""])
