"""Several processes on one file or database: every command takes effect exactly once."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from stores import SAVED, new_data

import handful
from handful.errors import Refused
from handful.store import MemoryStore, SQLiteStore, Store, StoredTable, TableHeader, open_store
from handful.table import Command
from handful.verifier import verify

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs fork")
UWR = handful.ruleset("uwr").rules
EVENING = TableHeader("evening", "uwr", bytes(range(32)), UWR.hash)
PROCESSES = 4
ROLLS = 6  # of each seat
ROUNDS = 50  # each round at least one more command finds its turn, and mostly many
Order = tuple[str, Command]


def table(store: Store) -> StoredTable:
    return StoredTable(store, EVENING, UWR, lambda: "2026-11-15T20:00:00Z")


def begun(store: Store) -> StoredTable:
    store.create_table(EVENING)
    own = table(store)
    own.do("gm", Command("open", "open", {"table": "evening"}))
    for name in ("ann", "bob"):
        own.do("gm", Command("seat", name, {"name": name, "role": "player"}))
    return own


def orders() -> Iterator[Order]:
    """Rolls with a decision, in the order in which they make sense."""
    asked = {"check": "direct", "parameters": {"attribute": 3, "rerolls": 1, "target": 1}}
    for at in range(ROLLS):
        for seat in ("ann", "bob"):
            roll = {"roll": f"{seat}/{at}"}
            yield seat, Command("declare", f"{at}", asked)
            yield seat, Command("throw", f"{at}.1", roll)
            yield seat, Command("answer", f"{at}.2", {**roll, "answer": [1]})
            yield seat, Command("throw", f"{at}.3", roll)


def bring(path: str, seed: int, ready: int, go: int) -> dict[str, int]:
    """Bring every command again and again, in any order, until each is done; what that made."""
    chance, store = random.Random(seed), open_store(path)
    own, made = table(store), Counter[str]()
    os.write(ready, b".")
    os.read(go, 1)  # all begin at once
    left = [*orders()] * 2
    for _ in range(ROUNDS):
        chance.shuffle(left)
        again = []
        for seat, command in left:
            try:
                made[f"{seat} {command.key}"] += len(own.do(seat, command))
            except Refused:
                again.append((seat, command))  # too early: what comes before it is not done yet
        left = again
    store.close()
    return made if not left else {"failed": len(left)}


def in_processes(path: str) -> list[dict[str, int]]:
    is_ready, ready = os.pipe()
    go, may_go = os.pipe()
    pipes = []
    for seed in range(PROCESSES):
        ours, theirs = os.pipe()
        if os.fork() == 0:
            said: Any = {"failed": "it ended"}
            try:
                said = bring(path, seed, ready, go)
            except BaseException as error:
                said = {"failed": repr(error)}
                os.write(ready, b".")  # nobody waits for it
            finally:
                os.write(theirs, json.dumps(said).encode())
                os._exit(0)
        os.close(theirs)
        pipes.append(ours)
    for _ in range(PROCESSES):
        os.read(is_ready, 1)
    os.write(may_go, b"." * PROCESSES)
    found = []
    for pipe in pipes:
        with os.fdopen(pipe, "rb") as file:
            found.append(json.loads(file.read()))
    for _ in pipes:
        os.wait()
    for end in (is_ready, ready, go, may_go):
        os.close(end)
    return found


@pytest.mark.proof
@pytest.mark.parametrize("kind", SAVED)
def test_every_command_takes_effect_exactly_once(kind: str, request: pytest.FixtureRequest) -> None:
    path = new_data(kind, request)
    store = open_store(path, create=True)
    begun(store)
    found = in_processes(path)
    assert not [one["failed"] for one in found if "failed" in one]
    alone = begun(MemoryStore())
    for seat, command in orders():
        alone.do(seat, command)
        makers = [one for one in found if one[f"{seat} {command.key}"]]
        assert len(makers) == 1, f"{seat} {command.key}: made once, by one of them"
    entries = store.read("evening")
    assert [one["seq"] for one in entries] == [*range(1, len(entries) + 1)]
    epochs = [one["data"]["number"] for one in entries if one["kind"] == "epoch_begun"]
    assert epochs == [*range(2, len(epochs) + 2)], "each process begins one at most"
    assert len(epochs) <= PROCESSES
    assert len(entries) - len(epochs) == alone.table.seq
    own = table(store)
    for seat in own.table.seats:
        assert verify(own.export(seat))[0] == []
    store.close()


def test_a_commit_is_synchronous(tmp_path: Path) -> None:
    """A killed writer loses nothing even without this; a power cut does, and cannot be tested."""
    path = str(tmp_path / "evening.handful")
    SQLiteStore(path, create=True).close()
    for store in (SQLiteStore(path), SQLiteStore(str(tmp_path / "new.handful"), create=True)):
        read = store._database.execute
        assert read("PRAGMA journal_mode").fetchone() == ("wal",)
        assert read("PRAGMA synchronous").fetchone() == (2,), "FULL"
        assert read("PRAGMA foreign_keys").fetchone() == (1,)
        tables = {name: strict for _, name, _, _, _, strict in read("PRAGMA table_list")}
        assert {name: tables[name] for name in ("tables", "entries", "rulesets")} == {
            "tables": 1,
            "entries": 1,
            "rulesets": 1,
        }
        keys = [(name, at) for _, name, _, _, _, at in read("PRAGMA table_info(entries)") if at]
        assert keys == [("table_id", 1), ("seq", 2)]
        store.close()
