"""A seat's own log: what it was told, numbered and chained.

A seat counts only what it hears of, so numbers and hashes say nothing about the rest.
Each entry holds the hash of the one before; the last line of an export says how many there are.
Whoever sits down later is told first what they may see of the time before.
Entries of an older version are told as that version told them, so a log that was exported once is
the beginning of every later export.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
    """A seat's log as it grows: each entry is held against what the seat may be told of it."""

    def __init__(self, table: str, seat: str, role: str) -> None:
        self.seat, self.role = seat, role
        self.head = {"format": FORMAT, "version": CHAIN, "table": table, "seat": seat}
        self.lines: list[dict[str, Any]] = []

    @property
    def last(self) -> str:
        """The hash from which the chain goes on."""
        found: str = self.lines[-1]["hash"] if self.lines else digest(self.head)
        return found

    def add(self, before: Table, entry: Data) -> dict[str, Any] | None:
        """The line of an entry, if the seat is told of it; `before` is the table before it."""
        data = told(before, event_of(entry), self.seat, self.role)
        if data is None:
            return None
        line = {
            "n": len(self.lines) + 1, "time": entry["time"], "version": entry["version"],
            "ruleset": entry["ruleset"], "seat": entry["seat"], "kind": entry["kind"],
            "data": told_then(entry, data), "before": self.last,
        }  # fmt: skip
        line |= {"hash": digest(line)}
        self.lines.append(line)
        return line


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
    end = {"end": len(log.lines), "head": log.last}
    return "".join(canonical_json(line) + "\n" for line in [log.head, *log.lines, end])
