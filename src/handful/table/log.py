"""A seat's own log: what it was told, numbered and chained.

A seat counts only what it hears of, so numbers and hashes say nothing about the rest.
Each entry holds the hash of the one before; the last line of an export says how many there are.
Whoever sits down later is told first what they may see of the time before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from handful.errors import Refused, listed
from handful.table.events import VERSION, Data, canonical_json, digest, event_of
from handful.table.evolve import evolve
from handful.table.knowing import told
from handful.table.state import Table

FORMAT = "handful seat log"


def seat_log(table: Table, entries: Iterable[Data], seat: str) -> list[dict[str, Any]]:
    """What a seat was told, from a table's whole log; `table` is the table before it."""
    kept = list(entries)
    role = _role(kept, seat)
    made: list[dict[str, Any]] = []
    before = digest({"format": FORMAT, "version": VERSION, "table": _name(kept), "seat": seat})
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
            yield entry, data
        table = evolve(table, event)


def _role(entries: list[Data], seat: str) -> str:
    seats = {
        one["data"]["name"]: one["data"]["role"] for one in entries if one["kind"] == "seat_taken"
    }
    if seat not in seats:
        raise Refused(f"there is no seat {seat[:60]!r} at this table; there is {listed(seats)}")
    role: str = seats[seat]
    return role


def _name(entries: list[Data]) -> str:
    opened = (one["data"]["table"] for one in entries if one["kind"] == "table_opened")
    return next(opened, "")


def export(table: Table, entries: Iterable[Data], seat: str) -> str:
    """A seat's log as text: a line for each entry, with a first and a last line around them."""
    kept = list(entries)
    lines: list[Any] = seat_log(table, kept, seat)
    head = {"format": FORMAT, "version": VERSION, "table": _name(kept), "seat": seat}
    last = lines[-1]["hash"] if lines else digest(head)
    return "".join(
        canonical_json(line) + "\n" for line in [head, *lines, {"end": len(lines), "head": last}]
    )
