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


def seat_log(table: Table, entries: Iterable[Data], seat: str) -> list[dict[str, Any]]:
    """What a seat was told, from a table's whole log; `table` is the table before it."""
    kept = list(entries)
    role = _role(kept, seat)
    made: list[dict[str, Any]] = []
    before = digest(_head(kept, seat))
    for entry, data in _told(table, kept, seat, role):
        line = {
            "n": len(made) + 1, "time": entry["time"], "version": entry["version"],
            "ruleset": entry["ruleset"], "seat": entry["seat"], "kind": entry["kind"],
            "data": data, "before": before,
        }  # fmt: skip
        before = digest(line)
        made.append(line | {"hash": before})
    return made


def _told(
    table: Table, entries: list[Data], seat: str, role: str
) -> Iterator[tuple[Data, dict[str, Any]]]:
    for entry in entries:
        event = event_of(entry)
        data = told(table, event, seat, role)
        if data is not None:
            yield entry, told_then(entry, data)
        table = evolve(table, event)


def _role(entries: list[Data], seat: str) -> str:
    seats = {one.data["name"]: one.data["role"] for one in _of_kind(entries, "seat_taken")}
    if seat not in seats:
        raise Refused(f"there is no seat {seat[:60]!r} at this table; there is {listed(seats)}")
    role: str = seats[seat]
    return role


def _of_kind(entries: list[Data], kind: str) -> Iterator[Event]:
    return (event for event in map(event_of, entries) if event.kind == kind)


def _head(entries: list[Data], seat: str) -> dict[str, Any]:
    opened = next(_of_kind(entries, "table_opened"), None)
    table = "" if opened is None else opened.data["table"]
    return {"format": FORMAT, "version": CHAIN, "table": table, "seat": seat}


def export(table: Table, entries: Iterable[Data], seat: str) -> str:
    """A seat's log as text: a line for each entry, with a first and a last line around them."""
    kept = list(entries)
    lines: list[Any] = seat_log(table, kept, seat)
    head = _head(kept, seat)
    last = lines[-1]["hash"] if lines else digest(head)
    return "".join(
        canonical_json(line) + "\n" for line in [head, *lines, {"end": len(lines), "head": last}]
    )
