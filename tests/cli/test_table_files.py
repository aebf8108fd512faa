"""Maintenance of table files: list, link, back up and delete, also while a server runs."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from pathlib import Path

import pytest
from cli_runner import assert_refused, run_cli
from servers import Seat, ServerThread, get

from handful.library.tables import new_table, open_table
from handful.store import SQLiteStore, StoreFault, maintenance
from handful.table import Command
from handful.verifier import verify

ROLL = {"check": "direct", "parameters": {"attribute": 3, "target": 2}}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "evening.handful"
    for name, game in (("evening", "uwr"), ("other", "tuurna")):
        kept = new_table(game, name=name, file=path)
        kept.do("gm", Command("seat", "1", {"name": "ann", "role": "player"}))
        kept.store.close()
    return path


# -- lists and links


def test_the_tables_of_a_file_are_listed(file: Path) -> None:
    said = run_cli(f"tables {file}")
    assert said.status == 0
    assert "evening  uwr  3 entries, 0 links" in said.out
    found = json.loads(run_cli(f"tables {file} --json").out)
    assert [one["table"] for one in found["tables"]] == ["evening", "other"]
    assert_refused(run_cli(f"tables {file}.none"), "no such file", status=1)


def test_the_host_finds_tables_and_seats_and_makes_a_link(
    file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for line in (f"link --data {file}", f"link {file}"):
        said = run_cli(line).out
        assert "evening  evening, uwr\n    gm (gm), ann (player)" in said
        assert "other  other, tuurna" in said
    assert run_cli(f"link evening ann --data {file}").out.startswith("ann: http://127.0.0.1:8000/join/")
    assert run_cli(f"link evening --data {file}").out.startswith("gm: ")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HANDFUL_DATA", file.name)
    assert run_cli("link evening ann").out.startswith("ann: ")
    assert run_cli(f"link {file.name} evening").out.startswith("gm: "), "the file may still come first"
    log = open_table(file, "evening")
    kinds = [one["kind"] for one in log.store.read("evening")]
    log.store.close()
    assert kinds.count("link_made") == 4


def test_a_link_that_cannot_be_made_is_refused(file: Path, tmp_path: Path) -> None:
    assert_refused(run_cli(f"link evening ann --seat gm --data {file}"), "two seats: 'ann' and 'gm'")
    assert_refused(run_cli(f"link evening ann more --data {file}"), "too many words: more")
    assert_refused(run_cli(f"link {tmp_path}/none.db evening"), "none.db", status=1)
    assert_refused(run_cli(f"link evening bob --data {file}"), "no seat 'bob'", "ann")


def test_a_new_link_leads_the_gm_back_while_the_server_runs(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with ServerThread(path) as server:
        seats = server.open()
        table = seats["gm"].place.partition("~")[0]
        said = run_cli(f"link {path} {table} --public {server.url}")
        assert said.status == 0, said.err
        seat, _, address = said.out.strip().partition(": ")
        assert seat == "gm"
        again = Seat(server, address.removeprefix(server.url))
        assert again.place == seats["gm"].place
        assert again.get("/view")["role"] == "gm"
        assert seats["gm"].get("/view")["role"] == "gm", "the old one leads there, too"
        own = run_cli(f"link {path} {table} --seat ann").out
        assert own.startswith("ann: http://127.0.0.1:8000/join/")
    assert_refused(run_cli(f"link {path} {table} --seat nobody"), "nobody", "ann")
    assert_refused(run_cli(f"link {path} none"), "no table 'none'", table)


# -- copies


def test_a_copy_is_whole_private_and_never_takes_the_place_of_anything(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.backup"
    said = run_cli(f"backup {file} {copy}")
    assert said.status == 0, said.err
    assert "2 tables, 6 entries" in said.out
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert not [*tmp_path.glob("copy.backup-*")], "one file, nothing beside it"
    before = copy.read_bytes()
    assert_refused(run_cli(f"backup {file} {copy}"), "already exists", "another name", status=1)
    assert_refused(run_cli(f"restore {copy} {file}"), "already exists", status=1)
    assert copy.read_bytes() == before
    assert_refused(run_cli(f"backup {file} {tmp_path}/none/copy"), "cannot be created", status=1)
    assert_refused(run_cli(f"backup {file}.none {tmp_path}/x"), "no such file", status=1)
    assert not (tmp_path / "x").exists()
    back = tmp_path / "back.handful"
    assert run_cli(f"restore {copy} {back}").status == 0
    assert open_table(back, "evening").table.seats == {"gm": "gm", "ann": "player"}


def test_a_damaged_file_is_not_called_a_copy(file: Path, tmp_path: Path) -> None:
    with sqlite3.connect(file) as inner:
        inner.execute("UPDATE entries SET entry = replace(entry, 'ann', 'eve') WHERE seq = 3")
    inner.close()
    assert_refused(run_cli(f"backup {file} {tmp_path}/copy"), "not those that were saved", status=1)
    assert not (tmp_path / "copy").exists()


def test_a_copy_while_the_server_writes_is_restored_and_verified(tmp_path: Path) -> None:
    """Everything that was acknowledged before the copy is in it, and nothing is half there."""
    path, copy, back = tmp_path / "tables.db", tmp_path / "copy", tmp_path / "back.db"
    with ServerThread(path) as server:
        seats = server.open()
        with seats["ann"].listen() as ann:
            ann.next()
            sent = 50
            for at in range(sent):
                ann.send("declare", key=f"r{at}", **ROLL)
            acknowledged: list[str] = []
            while len(acknowledged) < 10:
                message = ann.next()
                acknowledged += [message["key"]] if message["type"] == "done" else []
            maintenance.copy_file(str(path), str(copy))  # while the others are under way
            while len(acknowledged) < sent:
                message = ann.next()
                acknowledged += [message["key"]] if message["type"] == "done" else []
        whole = seats["ann"].get("/log")
    maintenance.copy_file(str(copy), str(back))
    with ServerThread(back) as server:
        ann_again = Seat(server, seats["ann"].link)
        log = ann_again.get("/log")
        *copied, begun = log
        assert copied == whole[: len(copied)]
        assert begun["kind"] == "epoch_begun", "the copy goes on with other keys"
        there = {one["data"]["roll"] for one in log if one["kind"] == "roll_declared"}
        assert {f"ann/{key}" for key in acknowledged[:10]} <= there
        assert verify(ann_again.ask("GET", "/export").text)[0] == []
        assert ann_again.do("declare", key="after", **ROLL).status_code == 200


# -- deletions


def test_a_table_is_deleted_with_everything_of_it(file: Path) -> None:
    assert_refused(run_cli(f"forget {file} evening"), "cannot be undone", "--yes")
    assert_refused(run_cli(f"forget {file} none --yes"), "no table 'none'", "evening")
    store = SQLiteStore(str(file))
    secret = next(one.secret for one in store.tables() if one.table == "evening")
    store.close()
    said = run_cli(f"forget {file} evening --yes")
    assert (said.status, said.out.strip()) == (0, "deleted evening (3 entries)")
    left = SQLiteStore(str(file))
    assert [one.table for one in left.tables()] == ["other"]
    with sqlite3.connect(file) as inner:
        rules = inner.execute("SELECT count(*) FROM rulesets").fetchone()[0]
    inner.close()
    assert rules == 1, "rules that nobody needs any more are gone, too"
    left.close()
    for part in file.parent.glob("evening.handful*"):
        assert secret not in part.read_bytes(), "overwritten, not only unlinked"


def test_seats_of_a_deleted_table_are_disconnected(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with ServerThread(path) as server:
        gone, stays = server.open(), server.open()
        with gone["ann"].listen() as ann, stays["ann"].listen() as other:
            ann.next()
            other.next()
            maintenance.delete_table(str(path), gone["gm"].place.partition("~")[0])
            assert ann.closed() == 4403
            assert other.do("declare", key="r", **ROLL)["type"] == "done"
        assert gone["ann"].ask("GET", "/view").status_code == 403
        assert get(f"{server.url}{gone['ann'].link}").status_code == 403


def test_a_command_to_a_table_that_is_deleted_is_refused(file: Path) -> None:
    """Before the server notices the deletion."""
    kept = open_table(file, "evening")
    maintenance.delete_table(str(file), "evening")
    with pytest.raises(Exception, match="deleted"):
        kept.do("gm", Command("declare", "r", ROLL))
    kept.store.close()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_copy_of_an_unreadable_file_is_refused(file: Path, tmp_path: Path) -> None:
    file.chmod(0)
    with pytest.raises(StoreFault):
        maintenance.copy_file(str(file), str(tmp_path / "copy"))
