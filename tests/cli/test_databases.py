"""The command line with tables in PostgreSQL, and tables that move between files and databases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runner import assert_refused, run_cli
from servers import Seat, ServerThread
from stores import execute

from handful.library.tables import new_table, open_table
from handful.store import Link, StoreFault, open_store
from handful.store.moving import copy_tables
from handful.table import Command
from handful.verifier import verify

ROLL = {"check": "direct", "parameters": {"attribute": 3, "target": 2}}


@pytest.fixture
def address(postgres_address: str) -> str:
    fill(postgres_address)
    return postgres_address


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = str(tmp_path / "evening.handful")
    fill(path)
    return path


def fill(data: str) -> None:
    """Create two tables with everything that a table can have."""
    for name, game in (("evening", "uwr"), ("other", "tuurna")):
        own = new_table(game, name=name, file=data)
        own.do("gm", Command("seat", "1", {"name": "ann", "role": "player"}))
        own.store.save_link(f"hash of {name}", Link(name, "ann", "player"))
        own.store.save_join_nonce(name, "player", b"nonce")
        own.store.save_recovery_code(f"code of {name}", name, "gm")
        own.store.save_picture(name, "hash", b"\x00picture")
        own.store.close()


def content(data: str) -> dict[str, list[object]]:
    names = ("tables", "entries", "epochs", "links", "join_links", "recovery_codes", "pictures", "rulesets")
    store = open_store(data)
    found = {name: sorted(map(repr, store.execute(f"SELECT * FROM {name}"))) for name in names}
    store.close()
    return found  # type: ignore[return-value]


# -- commands


def test_tables_of_a_database_are_listed_and_linked(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for line in (f"tables '{address}'", "tables"):
        monkeypatch.setenv("HANDFUL_DATA", address)
        said = run_cli(line)
        assert "evening  uwr  3 entries, 1 link" in said.out, said.err
    found = json.loads(run_cli("tables --json").out)
    assert found["file"] == "postgresql:///postgres", "never a password"
    assert "ann (player)" in run_cli("link").out
    assert run_cli("link evening ann").out.startswith("ann: http://127.0.0.1:8000/join/")
    assert_refused(run_cli("link none"), "postgresql:///postgres has no table 'none'")


def test_a_table_of_a_database_is_forgotten(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "deleted other" in run_cli(f"forget '{address}' other --yes").out
    monkeypatch.setenv("HANDFUL_DATA", address)
    assert "deleted evening" in run_cli("forget evening --yes").out
    assert run_cli("tables").out == "postgresql:///postgres has no tables\n"
    assert_refused(run_cli("forget evening --yes"), "has no table 'evening'")
    assert_refused(run_cli("forget --yes"), "name a file of tables")


def test_a_backup_of_a_database_names_the_right_tool(address: str, tmp_path: Path) -> None:
    for line in (f"backup '{address}' {tmp_path}/copy", f"restore {tmp_path}/copy '{address}'"):
        assert_refused(run_cli(line), "handful backup", "pg_dump", "handful move", status=1)
    assert not [*tmp_path.iterdir()]


def test_a_table_of_a_database_is_played(address: str) -> None:
    said = run_cli(f"play '{address}' --table evening --seat ann", typed="say hello\n")
    assert said.status == 0, said.err
    own = open_table(address, "evening")
    assert "hello" in str(own.view("gm")["messages"])
    own.store.close()
    said = run_cli(f"play '{address}' --new --table third --game uwr --gm kim", typed="say hello\n")
    assert said.status == 0, said.err
    assert "third" in run_cli(f"tables '{address}'").out


# -- moving


def test_tables_move_to_a_database_and_back(file: str, postgres_address: str, tmp_path: Path) -> None:
    before = content(file)
    said = run_cli(f"move {file} '{postgres_address}'")
    assert said.out == "postgresql:///postgres: 2 tables, 6 entries, all verified\n", said.err
    assert content(file) == before, "the source stays as it is"
    back = str(tmp_path / "back.handful")
    assert "2 tables" in run_cli(f"move '{postgres_address}' {back}").out
    assert content(back) == before
    assert content(postgres_address) == before


def test_a_moved_table_goes_on_with_its_links(tmp_path: Path, postgres_address: str) -> None:
    path = tmp_path / "tables.db"
    with ServerThread(path) as server:
        seats = server.open()
        assert seats["ann"].do("declare", key="r", **ROLL).status_code == 200
        log = seats["ann"].get("/log")
    copy_tables(str(path), postgres_address)
    with ServerThread(postgres_address) as server:  # type: ignore[arg-type]
        ann = Seat(server, seats["ann"].link)
        assert ann.get("/log")[: len(log)] == log
        assert ann.do("throw", key="t", roll="ann/r").status_code == 200
        assert verify(ann.ask("GET", "/export").text)[0] == []


def test_some_tables_move_and_none_is_overwritten(file: str, postgres_address: str) -> None:
    assert "1 table," in run_cli(f"move {file} '{postgres_address}' other").out
    before = content(postgres_address)
    assert_refused(run_cli(f"move {file} '{postgres_address}'"), "has other already")
    assert_refused(run_cli(f"move {file} '{postgres_address}' none"), "no table 'none'")
    assert content(postgres_address) == before, "nor was the one that is not there written"
    assert "1 table," in run_cli(f"move {file} '{postgres_address}' evening").out


@pytest.mark.parametrize("to_database", [False, True])
def test_a_changed_log_is_not_moved(
    to_database: bool, file: str, postgres_address: str, tmp_path: Path
) -> None:
    store = open_store(file)
    execute(store, "UPDATE entries SET entry = replace(entry, 'ann', 'eve') WHERE table_id = 'other'")
    store.close()
    target = postgres_address if to_database else str(tmp_path / "new.handful")
    with pytest.raises(StoreFault, match="not those that were saved"):
        copy_tables(file, target)
    if to_database:
        assert not any(content(target).values()), "the sound one stays away, too"
    else:
        assert not [*tmp_path.glob("new.handful*")]
