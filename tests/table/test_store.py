"""Stores: one contract for all, and the failures that those on disk must survive."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from effort import sample
from stores import KINDS, SAVED, execute, new_data, new_store

import handful
from handful.errors import Refused
from handful.store import (
    Conflict,
    Link,
    SQLiteStore,
    Store,
    StoredTable,
    StoreFault,
    TableDeleted,
    TableHeader,
    is_address,
    open_store,
)
from handful.table import Command
from handful.verifier import verify

UWR = handful.ruleset("uwr").rules
EVENING = TableHeader("evening", "uwr", bytes(range(32)))
LIVES = sample(6, 50)  # processes killed one after the other


def clock() -> str:
    return "2026-11-15T20:00:00Z"


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "tables.handful")


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    made = new_store(request.param, request)
    yield made
    made.close()


@pytest.fixture(params=SAVED)
def data(request: pytest.FixtureRequest) -> str:
    """A file or an address that several may open."""
    return new_data(request.param, request)


def kept(store: Store) -> StoredTable:
    return StoredTable(store, EVENING, UWR, clock)


def begun(store: Store) -> StoredTable:
    store.create_table(EVENING)
    own = kept(store)
    own.do("gm", Command("open", "1", {"table": "evening"}))
    own.do("gm", Command("seat", "2", {"name": "ann", "role": "player"}))
    return own


def rolled(own: StoredTable, key: str, actor: str = "ann") -> None:
    asked = {"check": "direct", "parameters": {"attribute": 3, "target": 1}}
    own.do(actor, Command("declare", key, asked))
    own.do(actor, Command("throw", f"{key}t", {"roll": f"{actor}/{key}"}))


def many(own: StoredTable, count: int) -> None:
    for at in range(count):
        rolled(own, f"k{at}")


# -- the contract


def test_saved_entries_are_read_back(store: Store) -> None:
    store.create_table(EVENING)
    assert store.tables() == [EVENING]
    entries: list[dict[str, Any]] = [{"n": at, "says": "ö\u2028"} for at in range(5)]
    store.append("evening", entries[:2], after=0)
    store.append("evening", entries[2:], after=2)
    assert store.read("evening") == entries
    assert store.read("evening", after=3) == entries[3:]


def test_rules_are_stored_by_hash(store: Store) -> None:
    texts = [("base.toml", "a = 1\n"), ("own.toml", 'extends = "ö\u2028"')]
    assert not store.rules("abc")
    store.save_rules("abc", texts)
    store.save_rules("abc", texts)
    store.save_rules("def", texts[:1])
    assert list(store.rules("abc")) == texts
    assert list(store.rules("def")) == texts[:1]
    opened = TableHeader("second", "uwr", bytes(32), "abc")
    store.create_table(opened)
    assert store.tables() == [opened]


def test_links_work_until_they_are_revoked(store: Store) -> None:
    for table in ("one", "two"):
        store.create_table(TableHeader(table, "uwr", bytes(32)))
    own = Link("one", "ann", "player")
    store.save_link("a", own)
    store.save_link("b", Link("one", "", "watcher"))
    store.save_link("c", Link("two", "ann", "player"))
    assert store.link("a") == own
    assert store.link("d") is None
    assert [mark for mark, _ in sorted(store.links("one"))] == ["a", "b"]
    store.delete_links(["a", "d"])
    assert store.link("a") is None
    assert [mark for mark, _ in store.links("one")] == ["b"]
    assert store.link("c") == Link("two", "ann", "player")


def test_a_join_link_has_one_nonce_for_a_role(store: Store) -> None:
    store.create_table(EVENING)
    assert store.join_nonce("evening", "player") is None
    store.save_join_nonce("evening", "player", b"one")
    store.save_join_nonce("evening", "watcher", b"two")
    store.save_join_nonce("evening", "player", b"three")
    assert store.join_nonce("evening", "player") == b"three"
    assert store.join_nonce("evening", "watcher") == b"two"
    assert store.join_nonce("other", "player") is None


def test_a_seat_has_one_recovery_code(store: Store) -> None:
    store.create_table(EVENING)
    store.save_recovery_code("a", "evening", "gm")
    store.save_recovery_code("b", "evening", "ann")
    store.save_recovery_code("c", "evening", "gm")
    assert store.recovery_seat("a") is None
    assert store.recovery_seat("c") == ("evening", "gm")
    store.delete_recovery_code("evening", "gm")
    assert store.recovery_seat("c") is None
    assert [store.has_recovery_code("evening", seat) for seat in ("gm", "ann")] == [False, True]


def test_a_number_is_given_once(store: Store) -> None:
    store.create_table(EVENING)
    store.append("evening", [{}], after=0)
    for after in (0, 2):
        with pytest.raises(Conflict):
            store.append("evening", [{}, {}], after=after)
    assert len(store.read("evening")) == 1
    with pytest.raises(Conflict):
        store.create_table(EVENING)


def test_a_table_read_again_is_the_same(store: Store) -> None:
    own = begun(store)
    rolled(own, "a")
    again = kept(store)
    assert again.view("ann") == own.view("ann")
    assert again.do("ann", Command("throw", "at", {"roll": "ann/a"})) == ()
    assert not verify(own.export("ann"))[0]


def test_events_are_saved_before_they_are_announced(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    own = begun(store)
    heard: list[int] = []
    own.on_events.append(lambda table, events: heard.append(len(store.read("evening"))))
    rolled(own, "a")
    assert heard == [4, 6]
    before = own.view("ann")

    def full(*_: Any, **__: Any) -> None:
        raise StoreFault("the disk is full")

    monkeypatch.setattr(store, "append", full)
    with pytest.raises(StoreFault):
        rolled(own, "b")
    assert heard == [4, 6]
    assert own.view("ann") == before
    monkeypatch.undo()
    rolled(own, "b")
    assert heard == [4, 6, 7, 9]


def test_of_two_writers_one_wins_and_the_other_retries(store: Store) -> None:
    first = begun(store)
    second = kept(store)
    first.do("ann", Command("declare", "a", {"check": "direct", "parameters": {"attribute": 3}}))
    throw = Command("throw", "t", {"roll": "ann/a"})
    assert len(second.do("ann", throw)) == 2
    assert first.do("ann", throw) == ()
    assert [one["kind"] for one in store.read("evening")].count("dice_thrown") == 1
    with pytest.raises(Refused):
        first.do("ann", Command("throw", "t2", {"roll": "ann/a"}))


# -- several writers, and a log that was changed behind their back


def test_two_threads_write_one_table(data: str) -> None:
    store = open_store(data, create=True)
    begun(store)

    def play(name: str) -> None:
        own = open_store(data)
        table = kept(own)
        for at in range(15):
            rolled(table, f"{name}{at}", "gm")
            rolled(table, f"same{at}", "ann")
        own.close()

    threads = [threading.Thread(target=play, args=(name,)) for name in "xy"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    entries = store.read("evening")
    assert [one["seq"] for one in entries] == list(range(1, len(entries) + 1))
    assert [one["kind"] for one in entries].count("dice_thrown") == 45
    assert not verify(kept(store).export("gm"))[0]
    store.close()


def test_a_transaction_is_atomic(data: str) -> None:
    own, other = open_store(data, create=True), open_store(data)

    def write(*, twice: bool) -> None:
        with own.transaction():
            begun(own)
            own.save_link("mark", Link("evening", "ann", "player"))
            assert other.tables() == [], "not before all of it is"
            if twice:
                own.create_table(EVENING)

    with pytest.raises(Conflict):
        write(twice=True)
    assert other.tables() == []
    write(twice=False)
    assert len(other.read("evening")) == 3
    assert other.link("mark") == Link("evening", "ann", "player")
    own.close()
    other.close()


def content(data: str) -> Any:
    """Everything that is saved: the bytes of a file, the rows of a database."""
    if not is_address(data):
        return Path(data).read_bytes()
    store = open_store(data)
    rows = [tuple(row) for name in ("tables", "entries") for row in store.execute(f"SELECT * FROM {name}")]
    store.close()
    return rows


CHANGES = (
    "UPDATE entries SET entry = replace(entry, 'ann', 'bob') WHERE seq = 4",
    "UPDATE entries SET entry = '{}' WHERE seq = 4",
    "UPDATE entries SET entry = '{' WHERE seq = 4",
    "DELETE FROM entries WHERE seq = 4",
    "DELETE FROM entries WHERE seq = 1",
    "DELETE FROM entries WHERE seq = (SELECT max(seq) FROM entries)",
    "UPDATE tables SET mark = 'x'",
    "UPDATE entries SET seq = -seq WHERE seq = 4",
    "UPDATE tables SET secret = signing_seed",
    "UPDATE tables SET game = 'fons'",
)


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_entry_is_found(data: str, change: str) -> None:
    """The database is sound, and its log has a hole, or says something else."""
    store = open_store(data, create=True)
    own = begun(store)
    many(own, 3)
    kept(store)
    assert execute(store, change) == 1
    store.close()
    before = content(data)
    store = open_store(data)
    with pytest.raises(StoreFault, match="is damaged") as fault:
        kept(store)
    assert "backup" in fault.value.hint
    store.close()
    assert content(data) == before


def test_other_rules_are_refused(data: str) -> None:
    store = open_store(data, create=True)
    begun(store)
    with pytest.raises(Refused, match="other rules"):
        StoredTable(store, EVENING, handful.ruleset("fons").rules, clock)
    store.close()


def test_a_link_to_a_deleted_table_is_refused(data: str) -> None:
    store = open_store(data, create=True)
    begun(store)
    store.delete_table("evening")
    with pytest.raises(TableDeleted):
        store.save_link("a", Link("evening", "ann", "player"))
    store.close()


def test_changes_of_others_are_found_by_table(data: str) -> None:
    own, other = open_store(data, create=True), open_store(data)
    table = begun(own)
    other.create_table(TableHeader("second", "uwr", bytes(32)))
    known = {"evening": table.table.seq, "second": 0}
    assert own.changed_tables(known) == []
    rolled(kept(other), "a")
    assert own.changed_tables(known) == ["evening"]
    table.refresh()
    known["evening"] = table.table.seq
    assert own.changed_tables(known) == []
    other.delete_table("second")
    assert own.changed_tables(known) == ["second"]
    own.check_writable()
    assert own.rules("") == (), "nothing of it stays"
    own.close()
    other.close()


@pytest.mark.sampled
def test_nothing_acknowledged_is_lost_when_the_writer_is_killed(data: str) -> None:
    store = open_store(data, create=True)
    begun(store)
    store.close()
    chance, acknowledged = random.Random(4), 0
    for life in range(LIVES):
        before = acknowledged
        rolls, more = chance.randint(0, 8), chance.uniform(0, 0.01)
        acknowledged = max(before, killed_writer(data, life, rolls, more))
        store = open_store(data)
        entries = store.read("evening")
        store.close()
        assert len(entries) >= acknowledged
        acknowledged = len(entries)
        kinds = [one["kind"] for one in entries]
        assert kinds.count("dice_thrown") == kinds.count("roll_finalised")
    assert acknowledged > 4 * LIVES, "3 events for each of about 4 rolls in each life"
    store = open_store(data)
    assert not verify(kept(store).export("ann"))[0]
    store.close()


def killed_writer(data: str, life: int, rolls: int, more: float) -> int:
    """A process that is killed while it plays, a moment after so many rolls; how far it got."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            own = kept(open_store(data))
            for at in range(100_000):
                rolled(own, f"{life}-{at}")
                os.write(theirs, json.dumps(own.table.seq).encode() + b"\n")
        finally:
            os._exit(1)
    os.close(theirs)
    with os.fdopen(ours, "rb") as pipe:
        said = [pipe.readline() for _ in range(rolls)]
        time.sleep(more)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        said += pipe.read().splitlines(keepends=True)
    whole = [line for line in said if line.endswith(b"\n")]
    return int(whole[-1]) if whole else 0


# -- SQLite


def test_a_full_disk_is_refused_and_the_table_goes_on(path: str) -> None:
    store = SQLiteStore(path, create=True)
    own = begun(store)
    pages = store._database.execute("PRAGMA page_count").fetchone()[0]
    store._database.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreFault, match="full"):
        many(own, 1000)
    saved = len(store.read("evening"))
    store._database.execute("PRAGMA max_page_count = 1000000")
    many(own, 1 + saved // 3)
    assert len(store.read("evening")) > saved
    assert kept(store).view("ann") == own.view("ann")
    store.close()


def test_a_file_that_may_not_be_written_is_refused(path: str) -> None:
    store = SQLiteStore(path, create=True)
    own = begun(store)
    store._database.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreFault, match="cannot be written"):
        rolled(own, "a")
    store._database.execute("PRAGMA query_only = OFF")
    rolled(own, "a")
    store.close()


def foreign(path: str) -> None:
    with sqlite3.connect(path) as file:
        file.execute("CREATE TABLE recipes (name TEXT)")
    file.close()


def newer(path: str) -> None:
    store = SQLiteStore(path, create=True)
    store._database.execute("PRAGMA user_version = 99")
    store.close()


def damaged(path: str) -> None:
    store = SQLiteStore(path, create=True)
    own = begun(store)
    many(own, 40)
    store.close()
    data = bytearray(Path(path).read_bytes())
    data[4096:12288] = bytes(8192)
    Path(path).write_bytes(data)


def text(path: str) -> None:
    Path(path).write_text("shopping list: " + "dice " * 500)


@pytest.mark.parametrize(
    ("make", "says"),
    [(foreign, "not a file of tables"), (newer, "newer"), (damaged, "damaged"), (text, "not a file of")],
)
def test_a_strange_file_is_refused_and_left_as_it_was(path: str, make: Any, says: str) -> None:
    make(path)
    before = Path(path).read_bytes()
    with pytest.raises(StoreFault, match=says):
        SQLiteStore(path, create=True)
    assert Path(path).read_bytes() == before


@pytest.mark.parametrize("seed", range(5))
def test_bytes_that_a_disk_has_changed_end_in_a_named_fault(path: str, seed: int) -> None:
    store = SQLiteStore(path, create=True)
    many(begun(store), 20)
    entries, good = store.read("evening"), Path(path)
    store.close()
    whole, chance = good.read_bytes(), random.Random(seed)
    for _ in range(20):
        data = bytearray(whole)
        for _ in range(chance.choice([1, 5, 100])):
            data[chance.randrange(100, len(data))] ^= 1 << chance.randrange(8)
        good.write_bytes(data)
        try:
            store = SQLiteStore(path)
        except StoreFault:
            continue
        with suppress(StoreFault):
            assert store.read("evening") == entries  # what was hit is no part of the log
        store.close()


def test_a_missing_file_is_not_created_by_mistake(path: str) -> None:
    with pytest.raises(StoreFault, match="no such file"):
        SQLiteStore(path)
    assert not Path(path).exists()
    with pytest.raises(StoreFault, match="cannot be opened"):
        SQLiteStore(path + "/below", create=True)


def test_the_data_version_changes_when_others_write(path: str) -> None:
    own, other = SQLiteStore(path, create=True), SQLiteStore(path)
    before = own.data_version()
    table = begun(own)
    assert own.data_version() == before, "what one writes oneself is no news"
    begun_by_other = other.data_version()
    rolled(table, "a")
    assert other.data_version() != begun_by_other
    other.check_writable()
    assert own.data_version() != before
    assert own.rules("") == (), "nothing of it stays"
    own.close()
    other.close()


def test_the_write_ahead_log_is_checkpointed_during_writes(path: str, tmp_path: Path) -> None:
    store, other = SQLiteStore(path, create=True), SQLiteStore(path)
    own = begun(store)

    def in_the_file() -> int:
        alone = tmp_path / "alone.db"
        shutil.copy(path, alone)  # without what lies beside it
        try:
            return len(SQLiteStore(str(alone)).read("evening"))
        except StoreFault:
            return 0

    before = own.table.seq
    assert in_the_file() < before
    with store.transaction():
        rolled(own, "meanwhile")
        other.checkpoint()
    assert in_the_file() == before < own.table.seq, "what is not whole yet stays beside it"
    other.checkpoint()
    assert in_the_file() == own.table.seq
    store.close()
    other.close()
