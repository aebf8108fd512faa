"""An open table: everything that runs its rules, from decisions to views.

Used by the thread of the tables for shipped games, and by a worker process for all other rulesets
(`table_worker.py`).  It knows no sockets: it writes the next message of each viewer, and its owner sends it.
Invariant: a message tells only what is committed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from handful import table as tables
from handful.errors import NO_MESSAGE, Message
from handful.records import record
from handful.store import StoredTable
from handful.table import Command, SeatLog, SeatLogs, Table, canonical_json
from handful.table.characters import sheet_data
from handful.web.faults import Fault
from handful.web.patches import SentView, SharedTexts
from handful.web.schemas_socket import PROTOCOL
from handful.web.settings import ServerLimits

Patches = dict[str, str]  # viewer -> its next message


@record()
class TableFacts:
    """What the server knows of a table without running its rules."""

    seq: int  # the number of its last entry
    title: str
    game: str
    rules: str  # the hash of the rules in force
    seats: Mapping[str, str]  # seat -> role
    left_seats: frozenset[str]
    gm_seats: Mapping[str, str]  # a GM's seat that was given to the person at another seat -> that seat
    options: Mapping[str, Any]

    @staticmethod
    def of(table: Table) -> TableFacts:
        return TableFacts(
            table.seq,
            table.id,
            table.rules.id,
            table.rules.hash,
            table.seats,
            frozenset(table.left_seats),
            table.gm_seats,
            table.options,
        )

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> TableFacts:
        return TableFacts(**{**data, "left_seats": frozenset(data["left_seats"])})

    def to_json(self) -> dict[str, Any]:
        return {
            "seq": self.seq,
            "title": self.title,
            "game": self.game,
            "rules": self.rules,
            "seats": dict(self.seats),
            "left_seats": sorted(self.left_seats),
            "gm_seats": dict(self.gm_seats),
            "options": dict(self.options),
        }

    def role(self, seat: str) -> str:
        """Return the role of a seat; empty if there is none."""
        return self.seats.get(seat, "")


class OpenTable:
    """A stored table with the logs of its seats and the views that were sent."""

    def __init__(self, stored: StoredTable, logs: SeatLogs, limits: ServerLimits) -> None:
        """`logs`: of all entries so far, and of later ones, too."""
        self.stored, self.limits = stored, limits
        self.viewers: Callable[[], Iterable[str]] = tuple  # whose messages are written
        self._logs = logs
        self._sent_lines: dict[str, int] = {}  # seat -> number of log lines sent
        self._views: dict[str, SentView] = {}  # seat -> the view sent last
        self._texts = SharedTexts()
        self._patches: Patches = {}
        self._patched_table = self._taken_table = stored.table  # the tables that the patches lead to

    @property
    def table(self) -> Table:
        return self.stored.table

    def log(self, seat: str) -> SeatLog:
        return self._logs.logs[seat]

    # -- commands

    def decide_and_save(self, seat: str, command: Command) -> Callable[[], int]:
        """Decide and append; the callback publishes, and returns the number of the seat's last line."""
        if (seat, command.key) not in self.table.command_digests:
            self._check_limits(seat, command)
        return self._finish(self.stored.decide_and_save(seat, command), seat)

    def record_link(self, seat: str, by: str) -> Callable[[], int]:
        """Append that somebody made a link to a seat; returns a callback as `decide_and_save` does."""
        return self._finish(self.stored.record_link(seat, by), seat)

    def _finish(self, publish: Callable[[], object], seat: str) -> Callable[[], int]:
        def finish() -> int:
            publish()
            self.write_patches()
            return len(self.log(seat))

        return finish

    def _check_limits(self, seat: str, command: Command) -> None:
        """Refuse a command beyond a limit; counts only what the seat sees, else it would reveal more."""
        known = tables.known_to(self.table, seat)
        count, most, what = 0, 1, NO_MESSAGE
        match command.kind:
            case "declare":
                what, most = Message("server.open_rolls"), self.limits.open_rolls
                count = len(tables.own_open_rolls(self.table, seat))
            case "request" | "call":
                what, most = Message("server.open_requests"), self.limits.open_requests
                requests = known.requests
                count = sum(not requests[one].closed for one in requests if one.startswith(f"{seat}/"))
            case "bring" if "replaces" not in command.data:
                what, most = Message("server.characters"), self.limits.characters
                owner = command.data.get("for", seat)
                count = sum(one.owner == owner for one in known.characters.values())
                copies = command.data.get("copies")
                count += copies - 1 if type(copies) is int and copies > 0 else 0
                self._check_sheets(known, owner, command.data.get("sheet"))
        if count >= most:
            raise Fault(
                429,
                "too_many",
                Message("server.too_many_open", most=most, what=what),
                Message("server.end_some"),
            )

    def _check_sheets(self, known: Table, owner: object, sheet: object) -> None:
        """Refuse a sheet if those of its owner would take too much room in every view."""
        own = [one.sheet for one in known.characters.values() if one.owner == owner and one.sheet]
        size = len(canonical_json([sheet, *(sheet_data(known.rules, one) for one in own)]))
        if size > self.limits.sheets_bytes:
            raise Fault(
                429,
                "too_many",
                Message("server.sheets_too_large", most=self.limits.sheets_bytes),
                Message("server.end_some"),
            )

    # -- messages

    @property
    def is_written(self) -> bool:
        """True if the patches lead to the table as it is now."""
        return self._patched_table is self.table

    def write_patches(self) -> None:
        """Write the next message of every viewer."""
        self._texts.clear()
        self._patches = {viewer: self._write_patch(viewer) for viewer in {*self.viewers()}}
        self._patched_table = self.table

    def take_patches(self) -> Patches | None:
        """Return the messages to send, once; None if the table has not changed since the last time."""
        if self._taken_table is self.table:
            return None
        patches, self._patches, self._taken_table = self._patches, {}, self.table
        return patches

    def _write_patch(self, seat: str) -> str:
        """Return new log lines of a seat and the changed parts of its view; empty without lines."""
        before, log = self._sent_lines.get(seat, 0), self.log(seat)
        self._sent_lines[seat] = count = len(log)
        if count == before or seat not in self._views:
            return ""
        changed = self._views[seat].patch(tables.known_to(self.table, seat))
        return _message("patch", count, log.texts(before), changed or "{}")

    def hash_part(self, seat: str) -> bool:
        """Hash a part of a seat's lines; return whether more are left."""
        return self.log(seat).hash_part()

    def write_snapshot(self, seat: str, after: int) -> str:
        """Return the first message of a client: the view, and the log lines after `after`."""
        log = self.log(seat)
        latest = range(len(log))[-self.limits.replayed_lines :]
        first = len(log) - log.count_within(latest[::-1], self.limits.replayed_bytes)
        restarts = not first <= after <= len(log)
        missed = log.texts(first if restarts else after)
        self._views[seat] = sent = SentView(self.table.viewer(seat), self._texts)
        view = sent.snapshot(tables.known_to(self.table, seat))
        self._sent_lines[seat] = len(log)
        more = f'"protocol":{PROTOCOL},"begins":{json.dumps(restarts)},'
        return _message("snapshot", len(log), missed, view, more)


def _message(kind: str, n: int, lines: list[str], view: str, more: str = "") -> str:
    """Return a socket message from parts that are JSON already."""
    return f'{{"type":"{kind}","n":{n},{more}"lines":[{",".join(lines)}],"view":{view}}}'
