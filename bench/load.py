"""Load test: many tables on one server; rolls per second, latencies, and how they grow.

The server runs in its own process on loopback and saves every command to disk before it answers; the clients
run in another process (`load_clients.py`).  A roll is one command, or two if a die is picked.  A command's
latency ends when the last of its table's six seats has received it.  At the end, every acknowledged roll
is looked up in the database file.
`python bench/load.py` prints the figures; `--seconds` and `--tables` make the test smaller.
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
from handful.web.games import installed_rules
from handful.web.links import create_link, seat_path

TABLES, SECONDS = 200, 60.0
PACE = 1.0  # seconds between two rolls of a table
STAGES = (1, 10, 50)  # numbers of tables for the short stages before the full one
SHORT = 5.0  # seconds of a short stage
PLAYERS = [f"player{at}" for at in range(1, 6)]  # and a GM: six seats
# `handful serve` without the limits per address: all clients come from one
SERVE = """
import sys
from handful.web.run import run
from handful.web.settings import ServerLimits, Settings
many = {"connections": 20_000, "visitor_connections": 2_000}
run(Settings(port=0, data=sys.argv[1]), ServerLimits(sockets_open=20_000, visitor_sockets=2_000, **many))
"""
CLIENTS = Path(__file__).with_name("load_clients.py")

Seats = dict[str, tuple[str, str]]  # seat -> path and token


def set_up(path: str, tables: int) -> list[Seats]:
    """Create a database of new tables; return the seats' paths and tokens per table."""
    rules, texts = installed_rules("uwr")
    store = SQLiteStore(path, create=True)
    all_seats = []
    with store.transaction():
        store.save_rules(rules.hash, texts)
        for at in range(tables):
            header = TableHeader(f"table-{at}", "uwr", os.urandom(32), rules.hash)
            store.create_table(header)
            stored = StoredTable(store, header, rules, lambda: "2026-01-01T00:00:00.000+00:00")
            stored.do("gm", Command("open", "open", {"table": f"Table {at}"}))
            for name in PLAYERS:
                stored.do("gm", Command("seat", name, {"name": name, "role": "player"}))
            all_seats.append(
                {
                    seat: _seat(store, Link(header.table, seat, role))
                    for seat, role in stored.table.seats.items()
                }
            )
    store.close()
    return all_seats


def _seat(store: SQLiteStore, link: Link) -> tuple[str, str]:
    return seat_path(link), create_link(store, link)


@contextmanager
def serving(path: str) -> Iterator[tuple[int, int]]:
    """Run a server in its own process; yield its process id and port."""
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
        output = log.read()
        if found := re.search(r"at http://\S+:(\d+)", output):
            return int(found[1])
        if server.poll() is not None:
            raise RuntimeError(output)
        time.sleep(0.1)
    raise RuntimeError("the server did not begin")


class ClientProcess:
    """The client process for some tables; only one, as two would compete with the server for its core."""

    def __init__(self, port: int, tables: Sequence[Seats], seconds: float) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(CLIENTS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._write_line(json.dumps({"port": port, "tables": tables, "seconds": seconds, "pace": PACE}))
        if self._read_line() != "seated\n":
            raise RuntimeError("the clients could not connect")

    def _write_line(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _read_line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def play(self) -> dict[str, Any]:
        """Start the clients and return their measurements."""
        self._write_line("play")
        found: dict[str, Any] = json.loads(self._read_line() or "null")
        self._process.communicate(timeout=60)
        return found | {"times": sorted(found["times"])}


def _stage(pid: int, port: int, tables: Sequence[Seats], seconds: float) -> dict[str, Any]:
    clients = ClientProcess(port, tables, seconds)
    before = _processor(pid)
    found = clients.play()
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
    """Return the resident memory of a process, in megabytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else 0.0


def _processor(pid: int) -> float:
    """Return the CPU seconds that a process has used, on all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def count_lost(path: str, rolls: Sequence[Sequence[str]]) -> int:
    """Count acknowledged rolls that are not in the file exactly once, both declared and finalised."""
    query = "SELECT table_id, entry FROM entries ORDER BY table_id, seq"
    found: dict[tuple[str, str], list[str]] = {}
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        for table, text in file.execute(query):
            entry = json.loads(text)
            roll = entry["data"].get("roll")
            found.setdefault((table, roll), []).append(entry["kind"])
    kinds = ("roll_declared", "roll_finalised")
    return sum(
        any(found.get((f"table-{at}", roll), []).count(kind) != 1 for kind in kinds)
        for at, names in enumerate(rolls)
        for roll in names
    )


def format_lines(found: dict[str, Any]) -> Iterator[str]:
    """Yield the figures as lines of text."""
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


def measure(
    step: Callable[[str], None] = lambda what: None,
    tables: int = TABLES,
    seconds: float = SECONDS,
    stages: Sequence[int] = STAGES,
    short: float = SHORT,
) -> dict[str, Any]:
    """Run the short stages, then the full stage; return the figures of each."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "load.db")
        all_seats = set_up(path, tables)
        with serving(path) as (pid, port):
            found = []
            for count in [*(one for one in stages if one < tables), tables]:
                step(f"{count} tables")
                duration = short if count < tables else seconds
                found.append(_stage(pid, port, all_seats[:count], duration))
        missing = sum(count_lost(path, one.pop("rolls")) for one in found)
        return {"seats": len(PLAYERS) + 1, "stages": found, "lost": missing, "bytes": os.path.getsize(path)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Many tables on one server.")
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    chosen = parser.parse_args()
    for line in format_lines(measure(tables=chosen.tables, seconds=chosen.seconds)):
        print(line)
