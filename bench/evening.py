"""A long evening at a table: commands a second, and a table of 10,000 rolls on the disk.

Runs inside Handful's environment; `python bench/evening.py` prints the figures.
Every roll has a decision in it: it is declared, thrown, a die is picked, and thrown again, which
makes four commands and five events.  Saved commands are each on the disk when they return.
Processor time counts, except for saved commands, which wait for the disk; the best of a few is
taken.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from typing import Any

import handful
from handful.store import MemoryStore, SQLiteStore, Store, StoredTable, TableHeader
from handful.table import Command

ROLLS = 10_000
SAVED = 500  # rolls that are saved one by one
ASKED = {"check": "direct", "parameters": {"attribute": 3.5, "skill": 1, "target": 2}}
COMMANDS = 4  # of a roll
RULES = handful.ruleset("uwr").rules
EVENING = TableHeader("evening", "uwr", bytes(range(32)), RULES.hash)


def table(store: Store) -> StoredTable:
    return StoredTable(store, EVENING, RULES, lambda: "2026-11-15T20:00:00.000+00:00")


def begun(store: Store) -> StoredTable:
    store.create_table(EVENING)
    kept = table(store)
    kept.do("gm", Command("open", "open", {"table": "evening"}))
    kept.do("gm", Command("seat", "ann", {"name": "ann", "role": "player"}))
    return kept


def play(kept: StoredTable, rolls: int, clock: Callable[[], float]) -> float:
    """Rolls from their declaration to their end; commands a second."""
    before = clock()
    for number in range(rolls):
        roll = f"ann/{number}"
        kept.do("ann", Command("declare", f"{number}", ASKED))
        kept.do("ann", Command("throw", f"{number}.1", {"roll": roll}))
        kept.do("ann", Command("answer", f"{number}.2", {"roll": roll, "answer": [1]}))
        kept.do("ann", Command("throw", f"{number}.3", {"roll": roll}))
    return COMMANDS * rolls / (clock() - before)


def measured(rolls: int = ROLLS, saved: int = SAVED) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        one_by_one = SQLiteStore(os.path.join(folder, "saved.handful"), create=True)
        saved_rate = play(begun(one_by_one), saved, time.perf_counter)
        one_by_one.close()

        memory = MemoryStore()
        decided_rate = play(begun(memory), rolls, time.process_time)
        path = os.path.join(folder, "long.handful")
        store = SQLiteStore(path, create=True)
        store.create_table(EVENING)
        store.append("evening", memory.read("evening"), after=0)
        store.close()
        del memory
        return {
            "rolls": rolls,
            "decided": decided_rate,
            "saved": saved_rate,
            "bytes": os.path.getsize(path),
            "load": _best(lambda: _loaded(path)),
            "view": _best(lambda: _loaded(path).view("gm")),
        }


def _loaded(path: str) -> StoredTable:
    store = SQLiteStore(path)
    kept = table(store)
    store.close()
    return kept


def _best(work: Callable[[], object]) -> float:
    times = []
    for _ in range(4):
        before = time.process_time()
        work()
        times.append(time.process_time() - before)
    return min(times)


if __name__ == "__main__":
    found = measured()
    print(f"commands a second  decided {found['decided']:,.0f}, saved {found['saved']:,.0f}")
    print(f"{found['rolls']:,} rolls       {found['bytes'] / 1e6:.1f} MB on the disk")
    print(f"seconds to read    {found['load']:.2f}, and to the first view {found['view']:.2f}")
