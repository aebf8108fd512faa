"""The writer thread: queued commands are committed together and announced after the commit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from handful.errors import Refused
from handful.library.tables import now
from handful.store import SQLiteStore, StoredTable, StoreFault, TableHeader
from handful.table import Command
from handful.web import writer
from handful.web.games import installed_rules
from handful.web.writer import SerialThread

ROLL = {"check": "direct", "parameters": {"attribute": 3, "target": 2}}


class Writing:
    """A store with tables, whose writings are counted."""

    def __init__(self, path: Path, tables: int) -> None:
        self.store = SQLiteStore(str(path), create=True, one_thread=False)
        rules, texts = installed_rules("uwr")
        self.store.save_rules(rules.hash, texts)
        self.tables = []
        for at in range(tables):
            opened = TableHeader(f"t{at}", "uwr", bytes(32), rules.hash)
            self.store.create_table(opened)
            self.tables.append(StoredTable(self.store, opened, rules, now))
            self.tables[-1].do("gm", Command("open", "open", {"table": "x"}))
        self.commits: list[str] = []
        self.store._database.set_trace_callback(self._heard)

    def _heard(self, statement: str) -> None:
        if statement == "COMMIT":
            self.commits.append(statement)

    def declares(self, at: int, key: str = "k", check: str = "direct") -> Callable[[], Any]:
        command = Command("declare", key, {**ROLL, "check": check})
        return lambda: self.tables[at].decide_and_save("gm", command)

    def kept(self, at: int) -> list[str]:
        return [one["kind"] for one in self.store.read(f"t{at}")]


def together(store: SQLiteStore, works: list[Callable[[], Any]]) -> list[Any]:
    """All of them wait while the thread is busy with something else."""

    async def all_at_once() -> list[Any]:
        thread, go = SerialThread("tables"), asyncio.Event()
        loop, begun = asyncio.get_running_loop(), asyncio.Event()

        def busy() -> None:
            loop.call_soon_threadsafe(begun.set)
            asyncio.run_coroutine_threadsafe(go.wait(), loop).result()

        first = asyncio.ensure_future(thread.run(busy))
        await begun.wait()
        rest = [asyncio.ensure_future(thread.commit(store, work)) for work in works]
        await asyncio.sleep(0)
        go.set()
        await first
        said = await asyncio.gather(*rest, return_exceptions=True)
        thread.close()
        return said

    return asyncio.run(all_at_once())


def test_queued_commands_are_saved_in_one_commit(tmp_path: Path) -> None:
    here = Writing(tmp_path / "a.db", 5)
    said = together(here.store, [here.declares(at) for at in range(5)])
    assert [events[0].kind for events in said] == ["roll_declared"] * 5
    assert len(here.commits) == 1
    for at in range(5):
        assert here.kept(at)[-1] == "roll_declared"
        assert here.tables[at].table.seq == len(here.kept(at))


def test_a_command_during_a_commit_waits_for_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Writing(tmp_path / "a.db", 5)
    monkeypatch.setattr(writer, "BATCH_WINDOW", 1.0)
    monkeypatch.setattr(writer, "BUSY_WINDOW", 60.0)

    async def in_a_row() -> None:
        thread = SerialThread("tables")
        await thread.commit(here.store, here.declares(0))
        assert len(here.commits) == 1, "the first of all waits for nobody"
        rest = []
        for at in range(1, 5):
            rest.append(asyncio.ensure_future(thread.commit(here.store, here.declares(at))))
            await asyncio.sleep(0.01)
        await asyncio.gather(*rest)
        thread.close()

    asyncio.run(in_a_row())
    assert len(here.commits) == 2
    assert all(here.kept(at)[-1] == "roll_declared" for at in range(5))


def test_a_refusal_in_a_batch_affects_only_itself(tmp_path: Path) -> None:
    here = Writing(tmp_path / "a.db", 3)
    said = together(here.store, [here.declares(0), here.declares(1, check="?"), here.declares(2)])
    assert isinstance(said[1], Refused)
    assert [here.kept(at).count("roll_declared") for at in range(3)] == [1, 0, 1]


def test_unsaved_events_are_not_announced(tmp_path: Path) -> None:
    """The whole writing fails, and then each for itself: no table goes on."""
    here = Writing(tmp_path / "a.db", 3)
    before = [one.table for one in here.tables]
    told: list[str] = []
    for one in here.tables:
        one.on_events.append(lambda table, events: told.append(table.id))
    here.store._database.execute("PRAGMA query_only = ON")
    said = together(here.store, [here.declares(at) for at in range(3)])
    assert all(isinstance(one, StoreFault) for one in said), said
    assert [one.table for one in here.tables] == before
    assert told == []
    here.store._database.execute("PRAGMA query_only = OFF")
    assert len(together(here.store, [here.declares(at) for at in range(3)])) == 3
    assert [here.kept(at).count("roll_declared") for at in range(3)] == [1, 1, 1]


def test_a_command_the_disk_refuses_does_not_block_others(tmp_path: Path) -> None:
    here = Writing(tmp_path / "a.db", 3)

    def fails() -> Any:
        raise StoreFault("no room for this one")

    said = together(here.store, [here.declares(0), fails, here.declares(2)])
    assert isinstance(said[1], StoreFault)
    assert [here.kept(at).count("roll_declared") for at in (0, 2)] == [1, 1]
    assert [here.tables[at].table.seq for at in (0, 2)] == [len(here.kept(at)) for at in (0, 2)]


def test_events_of_another_process_are_read_first(tmp_path: Path) -> None:
    here = Writing(tmp_path / "a.db", 2)
    other = SQLiteStore(str(tmp_path / "a.db"))
    own = here.tables[0]
    StoredTable(other, own.header, own.rules, now).do("gm", Command("declare", "theirs", ROLL))
    said = together(here.store, [here.declares(0), here.declares(1)])
    assert not any(isinstance(one, BaseException) for one in said), said
    assert here.kept(0).count("roll_declared") == 2
    other.close()


def test_a_disconnected_client_delays_no_other() -> None:
    async def gone() -> int:
        thread = SerialThread("tables")
        asyncio.get_running_loop().call_soon(lambda: task.cancel())
        task = asyncio.ensure_future(thread.run(lambda: 1))
        with pytest.raises(asyncio.CancelledError):
            await task
        found = await thread.run(lambda: 2)
        thread.close()
        return found

    assert asyncio.run(gone()) == 2
