"""Measures one long table: commands per second, and the time to load 10,000 rolls from disk.

`opening.py` measures how a server opens such a table for six seats.

Runs inside Handful's environment; `python bench/long_table.py` prints the figures.
Every roll has a decision: it is declared, thrown, a die is picked and rerolled, which makes four commands
and five events.  A saved command is on disk when it returns.
Times are CPU times, except for saved commands, which wait for the disk; the best of several runs counts.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from typing import Any

import handful
import opening
from handful.store import MemoryStore, SQLiteStore, Store, StoredTable, TableHeader
from handful.table import Command

ROLLS = 10_000
SAVED = 500  # rolls whose commands are saved one by one
CHECK = {"check": "direct", "parameters": {"attribute": 3.5, "skill": 1, "target": 2}}
COMMANDS = 4  # per roll
RULES = handful.ruleset("uwr").rules
HEADER = TableHeader("long", "uwr", bytes(range(32)), RULES.hash)


def open_table(store: Store) -> StoredTable:
    return StoredTable(store, HEADER, RULES, lambda: "2026-11-15T20:00:00.000+00:00")


def create_table(store: Store) -> StoredTable:
    store.create_table(HEADER)
    stored = open_table(store)
    stored.do("gm", Command("open", "open", {"table": "long"}))
    stored.do("gm", Command("seat", "ann", {"name": "ann", "role": "player"}))
    return stored


def play(stored: StoredTable, rolls: int, clock: Callable[[], float]) -> float:
    """Play rolls from declaration to result; return commands per second."""
    before = clock()
    for number in range(rolls):
        roll = f"ann/{number}"
        stored.do("ann", Command("declare", f"{number}", CHECK))
        stored.do("ann", Command("throw", f"{number}.1", {"roll": roll}))
        stored.do("ann", Command("answer", f"{number}.2", {"roll": roll, "answer": [1]}))
        stored.do("ann", Command("throw", f"{number}.3", {"roll": roll}))
    return COMMANDS * rolls / (clock() - before)


def measure(rolls: int = ROLLS, saved: int = SAVED) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        saving_store = SQLiteStore(os.path.join(folder, "saved.handful"), create=True)
        saved_rate = play(create_table(saving_store), saved, time.perf_counter)
        saving_store.close()

        memory = MemoryStore()
        decided_rate = play(create_table(memory), rolls, time.process_time)
        path = os.path.join(folder, "long.handful")
        store = SQLiteStore(path, create=True)
        store.create_table(HEADER)
        store.append(HEADER.table, memory.read(HEADER.table), after=0)
        store.close()
        del memory
        return {
            "rolls": rolls,
            "decided": decided_rate,
            "saved": saved_rate,
            "bytes": os.path.getsize(path),
            "load": _best(lambda: _load_table(path)),
            "view": _best(lambda: _load_table(path).view("gm")),
            **opening.measure(rolls),
        }


def _load_table(path: str) -> StoredTable:
    store = SQLiteStore(path)
    stored = open_table(store)
    store.close()
    return stored


def _best(work: Callable[[], object]) -> float:
    times = []
    for _ in range(4):
        before = time.process_time()
        work()
        times.append(time.process_time() - before)
    return min(times)


if __name__ == "__main__":
    found = measure()
    print(f"commands a second  decided {found['decided']:,.0f}, saved {found['saved']:,.0f}")
    print(f"{found['rolls']:,} rolls       {found['bytes'] / 1e6:.1f} MB on the disk")
    print(f"seconds to read    {found['load']:.2f}, and to the first view {found['view']:.2f}")
    print(opening.format_line(found))
