"""Measures how a server opens a long table for six seats, and how long another table waits meanwhile.

The server runs in its own process.  First only the other table plays, then all seats of the long table
connect at once.  A tenth of its rolls are private, of each player some.
`python bench/opening.py` prints the figures.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from contextlib import suppress
from secrets import token_hex
from typing import Any

import load
from handful.store import SQLiteStore, StoredTable
from handful.table import Command
from handful.web.games import installed_rules
from load_clients import WITH_REROLL, WITHOUT_REROLL, TableClients

ROLLS = 10_000
PACE = 0.04  # seconds between two rolls at the other table
QUIET = 2.0  # seconds in which only the other table plays
BATCH = 500  # rolls saved at once


def play_rolls(path: str, table: str, rolls: int) -> int:
    """Play rolls at a table, each to its end; return the number of log entries."""
    store, (rules, _) = SQLiteStore(path), installed_rules("uwr")
    header = next(one for one in store.tables() if one.table == table)
    stored = StoredTable(store, header, rules, lambda: "2026-01-01T00:00:00.000+00:00")
    for first in range(0, rolls, BATCH):
        with store.transaction():
            for number in range(first, min(first + BATCH, rolls)):
                _play_roll(stored, number)
    store.close()
    return stored.table.seq


def _play_roll(stored: StoredTable, number: int) -> None:
    seat = load.PLAYERS[(number + number // 10) % len(load.PLAYERS)]
    roll, mode = f"{seat}/{number}", "private" if number % 10 == 0 else "public"
    check = {"check": "direct", "parameters": WITH_REROLL if number % 2 else WITHOUT_REROLL, "mode": mode}
    stored.do(seat, Command("declare", f"{number}", {**check, "throw": {"entropy": token_hex(16)}}))
    if roll in stored.table.open_rolls:
        answer = {"roll": roll, "answer": [1], "throw": {"entropy": token_hex(16)}}
        stored.do(seat, Command("answer", f"{number}.1", answer))


async def _open(pid: int, port: int, long: load.Seats, other: load.Seats) -> dict[str, Any]:
    neighbours = TableClients(port, other, 0)
    await _connect(neighbours)
    playing = asyncio.ensure_future(neighbours.play(time.monotonic(), time.monotonic() + 600, PACE))
    await asyncio.sleep(QUIET / 2)
    neighbours.latencies.clear()
    before = load._processor(pid)
    await asyncio.sleep(QUIET)
    share, quiet = (load._processor(pid) - before) / QUIET, max(neighbours.latencies)
    neighbours.latencies.clear()
    before, began = load._processor(pid), time.monotonic()
    tables = [TableClients(port, {seat: one}, 0) for seat, one in long.items()]
    await asyncio.gather(*(one.connect_seats() for one in tables))
    lasted = time.monotonic() - began
    spent = load._processor(pid) - before - share * lasted
    await asyncio.sleep(PACE)
    playing.cancel()
    with suppress(asyncio.CancelledError):
        await playing
    await asyncio.gather(*(one.close() for one in [neighbours, *tables]))
    return {"open": spent, "wait": max(neighbours.latencies) * 1000, "quiet": quiet * 1000}


async def _connect(clients: TableClients) -> None:
    for _ in range(50):  # the server says its address before it listens
        with suppress(ConnectionRefusedError):
            return await clients.connect_seats()
        await asyncio.sleep(0.1)
    raise RuntimeError("the server does not listen")


def measure(rolls: int = ROLLS) -> dict[str, Any]:
    """Return the CPU seconds to open a table, and the longest wait at another one, in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "opening.db")
        long, other = load.set_up(path, 2)
        entries = play_rolls(path, "table-0", rolls)
        with load.serving(path) as (pid, port):
            found = asyncio.run(_open(pid, port, long, other))
            return {**found, "entries": entries, "open_megabytes": load._memory(pid)}


def format_line(found: dict[str, Any]) -> str:
    return (
        f"opened by 6 seats  {found['open']:.2f} s of processor, {found['open_megabytes']:.0f} MB;"
        f" another table waits at most {found['wait']:.0f} ms (before: {found['quiet']:.0f})"
    )


if __name__ == "__main__":
    print(format_line(measure()))
