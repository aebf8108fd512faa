"""Tables in PostgreSQL: strange databases, lost connections, writers that wait for each other."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from postgres_cluster import PostgresCluster

import handful
from handful.errors import Refused
from handful.store import Link, OutcomeUnknown, StoredTable, StoreFault, TableHeader
from handful.store.notices import CHANNEL
from handful.store.opening import display_name
from handful.store.postgres import PostgresStore
from handful.store.postgres_migrations import MIGRATIONS, VERSION
from handful.table import Command

UWR = handful.ruleset("uwr").rules
ENTRY = {"says": "hello"}


def header(table: str = "evening") -> TableHeader:
    return TableHeader(table, "uwr", bytes(range(32)), UWR.hash)


@pytest.fixture
def store(postgres_address: str) -> Iterator[PostgresStore]:
    made = PostgresStore(postgres_address, create=True)
    made.create_table(header())
    yield made
    made.close()


def statements(address: str, *texts: str) -> list[Any]:
    """Run statements on a connection of one's own; return the rows of the last."""
    with psycopg.connect(address, autocommit=True) as connection:
        for text in texts:
            found = connection.execute(text)
        return found.fetchall() if found.description else []


def lose_connection(address: str, store: PostgresStore) -> None:
    pid = store._connection.info.backend_pid
    statements(address, f"SELECT pg_terminate_backend({pid}, 5000)")


# -- layouts


@pytest.mark.parametrize("version", range(VERSION))
def test_an_older_layout_is_brought_up_to_date(postgres_address: str, version: int) -> None:
    if version:
        statements(postgres_address, *MIGRATIONS[:version], f"UPDATE handful SET version = {version}")
    stores = [PostgresStore(postgres_address, create=True) for _ in range(2)]
    stores[0].create_table(header())
    assert stores[1].tables() == [header()]
    assert statements(postgres_address, "SELECT version FROM handful") == [(VERSION,)]
    for one in stores:
        one.close()


def test_two_processes_may_create_the_schema_at_once(postgres_address: str) -> None:
    threads = [
        threading.Thread(target=lambda: PostgresStore(postgres_address, create=True).close())
        for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statements(postgres_address, "SELECT version FROM handful") == [(VERSION,)]


def test_a_newer_layout_is_refused_and_left_as_it_was(store: PostgresStore, postgres_address: str) -> None:
    statements(postgres_address, "UPDATE handful SET version = 99")
    with pytest.raises(StoreFault, match="newer"):
        PostgresStore(postgres_address, create=True)
    assert statements(postgres_address, "SELECT version FROM handful") == [(99,)]


def test_a_foreign_database_is_refused(postgres_address: str) -> None:
    statements(postgres_address, "CREATE TABLE tables (legs integer)")
    with pytest.raises(StoreFault, match="not a file of tables"):
        PostgresStore(postgres_address, create=True)
    assert statements(postgres_address, "SELECT to_regclass('entries')") == [(None,)]


def test_an_empty_database_is_not_filled_by_mistake(postgres_address: str) -> None:
    with pytest.raises(StoreFault, match="no tables yet"):
        PostgresStore(postgres_address)
    assert statements(postgres_address, "SELECT to_regclass('handful')") == [(None,)]


def test_messages_do_not_show_the_password() -> None:
    address = "postgresql://kim:hunter2@127.0.0.1:1/dice"
    assert display_name(address) == "postgresql://127.0.0.1:1/dice"
    with pytest.raises(StoreFault, match="cannot be reached") as fault:
        PostgresStore(address)
    assert "hunter2" not in f"{fault.value.message} {fault.value.hint} {fault.value!r}"
    assert "127" not in str(fault.value.public_message), "players do not learn where it is"
    for wrong in ("kim:hunter2@[/dice", "kim:hunter2@x/dice?hunter2", "kim:hunter2@x:hunter2/"):
        with pytest.raises(StoreFault, match="no address") as fault:
            PostgresStore(f"postgresql://{wrong}")
        assert "hunter2" not in f"{fault.value.message} {fault.value.hint}"


def test_a_commit_waits_for_the_disk(postgres_address: str) -> None:
    slow = postgres_address.replace("-csearch_path", "-csynchronous_commit%3Doff%20-csearch_path")
    store = PostgresStore(slow, create=True)
    assert store.execute("SHOW synchronous_commit").fetchone() == ("on",)
    store.close()


def test_a_text_that_cannot_be_saved_is_refused(store: PostgresStore) -> None:
    with pytest.raises(Refused, match="code 0"):
        store.rules("a\0b")
    assert store.rules("ab") == ()
    store.append("evening", [{"says": "a\0b"}], after=0)
    assert store.read("evening") == [{"says": "a\0b"}], "what people say is written as JSON"


# -- lost connections


def test_reading_goes_on_after_the_connection_was_lost(store: PostgresStore, postgres_address: str) -> None:
    store.append("evening", [ENTRY], after=0)
    lose_connection(postgres_address, store)
    assert store.read("evening") == [ENTRY]
    lose_connection(postgres_address, store)
    store.append("evening", [ENTRY], after=1)
    assert len(store.read("evening")) == 2


def test_a_transaction_that_is_lost_is_undone(store: PostgresStore, postgres_address: str) -> None:
    def write() -> None:
        with store.transaction():
            store.append("evening", [ENTRY], after=0)
            lose_connection(postgres_address, store)
            store.append("evening", [ENTRY], after=1)

    with pytest.raises(StoreFault, match="cannot be reached"):
        write()
    assert store.read("evening") == []
    store.append("evening", [ENTRY], after=0)
    assert store.read("evening") == [ENTRY]


def test_a_commit_without_an_answer_is_reported_as_such(
    store: PostgresStore, postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was saved, and the client that sends the command again is told so; it is done once."""
    own = StoredTable(store, header(), UWR, lambda: "2026-11-15T20:00:00Z")
    own.do("gm", Command("open", "open", {"table": "evening"}))
    command = Command("seat", "1", {"name": "ann", "role": "player"})
    execute = psycopg.Connection.execute

    def lost(self: Any, statement: Any, *values: Any, **more: Any) -> Any:
        found = execute(self, statement, *values, **more)
        if statement == "COMMIT":
            self.close()
            raise psycopg.OperationalError("the connection is lost")
        return found

    monkeypatch.setattr(psycopg.Connection, "execute", lost)
    with pytest.raises(OutcomeUnknown, match="try again"):
        own.do("gm", command)
    monkeypatch.undo()
    assert own.table.seats == {"gm": "gm"}
    assert own.do("gm", command) == ()
    assert list(own.table.seats) == ["gm", "ann"]
    assert [one["kind"] for one in store.read("evening")].count("seat_taken") == 2, "gm and ann, once each"


def test_it_goes_on_when_postgres_was_killed(postgres: PostgresCluster, postgres_address: str) -> None:
    store = PostgresStore(postgres_address, create=True)
    store.create_table(header())
    store.append("evening", [ENTRY], after=0)
    postgres.kill()
    try:
        for _ in range(2):
            with pytest.raises(StoreFault, match="cannot be reached"):
                store.append("evening", [ENTRY], after=1)
            with pytest.raises(StoreFault, match="cannot be reached"):
                store.read("evening")
    finally:
        postgres.start()
    assert store.read("evening") == [ENTRY]
    store.append("evening", [ENTRY], after=1)
    assert len(store.read("evening")) == 2
    store.close()


# -- writers that wait for each other


def test_batches_that_wait_for_each_other_give_up_soon(store: PostgresStore, postgres_address: str) -> None:
    store.create_table(header("second"))
    other = PostgresStore(postgres_address)
    outcomes: list[str] = []
    both_hold_one = threading.Barrier(2)

    def write(own: PostgresStore, first: str, then: str) -> None:
        try:
            with own.batch():
                own.append(first, [ENTRY], after=0)
                both_hold_one.wait(10)
                own.append(then, [ENTRY], after=0 if own.read(then) == [] else 1)
            outcomes.append("saved")
        except StoreFault as fault:
            outcomes.append(str(fault.public_message))

    began = time.monotonic()
    threads = [
        threading.Thread(target=write, args=(store, "evening", "second")),
        threading.Thread(target=write, args=(other, "second", "evening")),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert any("somebody else" in one for one in outcomes)
    assert time.monotonic() - began < 10, "sooner than PostgreSQL looks for deadlocks"
    saved = outcomes.count("saved")
    assert [len(store.read(table)) for table in ("evening", "second")] == [saved, saved], "all or nothing"
    other.close()


def test_others_are_notified_of_an_append_when_it_is_saved(
    store: PostgresStore, postgres_address: str
) -> None:
    with psycopg.connect(postgres_address, autocommit=True) as listener:
        listener.execute(f"LISTEN {CHANNEL}")
        with store.transaction():
            store.append("evening", [ENTRY], after=0)
            assert not [*listener.notifies(timeout=0.1)]
        assert heard(listener) == ["entries", "evening", 1]
        store.save_link("a", Link("evening", "ann", "player"))
        store.delete_links(["a", "b"])
        assert heard(listener) == ["links", "evening", 0]
        store.delete_table("evening")
        assert heard(listener) == ["deleted", "evening", 0]


def heard(listener: psycopg.Connection[Any]) -> list[Any]:
    """Wait for the next notice."""
    (notice,) = listener.notifies(timeout=10, stop_after=1)
    found: list[Any] = json.loads(notice.payload)
    return found
