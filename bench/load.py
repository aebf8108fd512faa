"""Many tables on one server: rolls a second, how long everybody waits, and how that grows.

The server runs in a process of its own on loopback, with every command on the disk before it is
told; guests come from another process (`guests.py`).  A roll is two commands, and four where a
die is picked; a command is timed from when it was sent until the last of its table's six seats has
heard of it.  In the end every roll that was acknowledged is looked for in the file itself.
`python bench/load.py` prints the figures; `--seconds` and `--tables` make it smaller.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from handful.store import Link, SQLiteStore, StoredTable, TableHeader
from handful.table import Command
from handful.web.games import installed
from handful.web.links import new_link, place_of

TABLES, SECONDS = 200, 60.0
PACE = 1.0  # seconds between two rolls of a table
STAGES = (1, 10, 50)  # tables, for a few seconds each, before all of them
SHORT = 5.0  # seconds of such a stage
PLAYERS = [f"player{at}" for at in range(1, 6)]  # and a GM: six seats
# `handful serve`, but all guests may come from one address
SERVE = """
import sys
from handful.web.run import run
from handful.web.settings import Limits, Settings
many = {"connections": 20_000, "visitor_connections": 2_000}
run(Settings(port=0, data=sys.argv[1]), Limits(sockets_open=20_000, visitor_sockets=2_000, **many))
"""
GUESTS = Path(__file__).with_name("guests.py")

Seats = dict[str, tuple[str, str]]  # seat -> place and token


def set_up(path: str, tables: int) -> list[Seats]:
    """A file of new tables, and how to sit down at each."""
    rules, texts = installed("uwr")
    store = SQLiteStore(path, create=True)
    made = []
    with store.transaction():
        store.save_rules(rules.hash, texts)
        for at in range(tables):
            opened = TableHeader(f"table-{at}", "uwr", os.urandom(32), rules.hash)
            store.create_table(opened)
            kept = StoredTable(store, opened, rules, lambda: "2026-01-01T00:00:00.000+00:00")
            kept.do("gm", Command("open", "open", {"table": f"Table {at}"}))
            for name in PLAYERS:
                kept.do("gm", Command("seat", name, {"name": name, "role": "player"}))
            made.append(
                {
                    seat: _seat(store, Link(opened.table, seat, role))
                    for seat, role in kept.table.seats.items()
                }
            )
    store.close()
    return made


def _seat(store: SQLiteStore, link: Link) -> tuple[str, str]:
    return place_of(link), new_link(store, link)


@contextmanager
def serving(path: str) -> Iterator[tuple[int, int]]:
    """A server in a process of its own; its number and its port."""
    command = [sys.executable, "-c", SERVE, path]
    with tempfile.TemporaryFile("w+") as log:
        server = subprocess.Popen(command, stderr=log, stdin=subprocess.DEVNULL)
        try:
            yield server.pid, _port(server, log)
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(60)


def _port(server: subprocess.Popen[bytes], log: Any) -> int:
    for _ in range(600):
        log.seek(0)
        said = log.read()
        if found := re.search(r"at http://\S+:(\d+)", said):
            return int(found[1])
        if server.poll() is not None:
            raise RuntimeError(said)
        time.sleep(0.1)
    raise RuntimeError("the server did not begin")


class Guests:
    """Guests at all these tables, in a process of their own: two would take the server's core."""

    def __init__(self, port: int, tables: Sequence[Seats], seconds: float) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(GUESTS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._say(json.dumps({"port": port, "tables": tables, "seconds": seconds, "pace": PACE}))
        if self._heard() != "seated\n":
            raise RuntimeError("the guests were turned away")

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _heard(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def play(self) -> dict[str, Any]:
        """What they have measured."""
        self._say("play")
        found: dict[str, Any] = json.loads(self._heard() or "null")
        self._process.communicate(timeout=60)
        return found | {"times": sorted(found["times"])}


def _stage(pid: int, port: int, tables: Sequence[Seats], seconds: float) -> dict[str, Any]:
    guests = Guests(port, tables, seconds)
    before = _processor(pid)
    found = guests.play()
    times, rolls = found["times"], sum(map(len, found["rolls"]))
    return {
        "tables": len(tables),
        "seconds": found["seconds"],
        "rolls": found["rolls"],
        "a_second": rolls / found["seconds"],
        "commands": len(times) / found["seconds"],
        **{f"p{percent}": times[len(times) * percent // 100] * 1000 for percent in (50, 95, 99)},
        "slowest": times[-1] * 1000,
        "megabytes": _memory(pid),
        "processor": (_processor(pid) - before) / rolls * 1000,
        "guests": found["processor"],
    }


def _memory(pid: int) -> float:
    """Megabytes that a process holds now."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else 0.0


def _processor(pid: int) -> float:
    """Seconds of processor time that a process has used, on all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def lost(path: str, rolls: Sequence[Sequence[str]]) -> int:
    """How many acknowledged rolls are not in the file, whole: declared once, and finalised once."""
    query = "SELECT table_id, entry FROM entries ORDER BY table_id, seq"
    found: dict[tuple[str, str], list[str]] = {}
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        for table, text in file.execute(query):
            entry = json.loads(text)
            roll = entry["data"].get("roll")
            found.setdefault((table, roll), []).append(entry["kind"])
    whole = ("roll_declared", "roll_finalised")
    return sum(
        any(found.get((f"table-{at}", roll), []).count(kind) != 1 for kind in whole)
        for at, names in enumerate(rolls)
        for roll in names
    )


def told(found: dict[str, Any]) -> Iterator[str]:
    """The figures as lines of text."""
    columns = ("tables", "rolls/s", "commands/s", "p50", "p95", "p99", "worst", "MB", "ms a roll")
    yield " ".join(f"{column:>8}" for column in columns)
    for one in found["stages"]:
        figures = (
            one["a_second"],
            one["commands"],
            one["p50"],
            one["p95"],
            one["p99"],
            one["slowest"],
            one["megabytes"],
            one["processor"],
        )
        yield " ".join([f"{one['tables']:>8}", *(f"{figure:>8.1f}" for figure in figures)])
    yield f"acknowledged rolls that are not in the file: {found['lost']}"


def measured(
    step: Callable[[str], None] = lambda what: None,
    tables: int = TABLES,
    seconds: float = SECONDS,
    stages: Sequence[int] = STAGES,
    short: float = SHORT,
) -> dict[str, Any]:
    """Growth from one table to all of them; then all of them for a while."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "load.db")
        made = set_up(path, tables)
        with serving(path) as (pid, port):
            found = []
            for count in [*(one for one in stages if one < tables), tables]:
                step(f"{count} tables")
                lasts = short if count < tables else seconds
                found.append(_stage(pid, port, made[:count], lasts))
        missing = sum(lost(path, one.pop("rolls")) for one in found)
        return {"seats": len(PLAYERS) + 1, "stages": found, "lost": missing, "bytes": os.path.getsize(path)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Many tables on one server.")
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    chosen = parser.parse_args()
    for line in told(measured(tables=chosen.tables, seconds=chosen.seconds)):
        print(line)
