"""Epochs and links on a server: new keys after each start, told to everyone, and nothing in between."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cli_runner import run_cli
from servers import Seat, ServerThread

from handful.verifier import Log, compare, verify
from handful.web.settings import ServerLimits

ASKED: dict[str, Any] = {"check": "direct", "parameters": {"attribute": 3, "target": 1}}
THROW = {"entropy": "5a" * 16}


def kinds(seat: Seat) -> list[str]:
    return [one["kind"] for one in seat.get("/log")]


def test_each_start_of_a_server_begins_an_epoch_that_everyone_is_told(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with ServerThread(path) as server:
        first = server.open()
        assert first["ann"].do("declare", key="a", throw=THROW, **ASKED).status_code == 200
        assert "epoch_begun" not in kinds(first["ann"]), "the first one begins with the table"
    with ServerThread(path) as server:
        seats = {name: Seat(server, one.link) for name, one in first.items() if name}
        assert kinds(seats["ann"])[-1] == "epoch_begun"
        before = len(kinds(seats["ann"]))
        seats["ann"].get("/view")
        assert seats["ann"].do("declare", key="b", throw=THROW, **ASKED).status_code == 200
        assert kinds(seats["ann"])[before:][:1] == ["roll_declared"]
        logs = [Log(name, one.ask("GET", "/export").text) for name, one in seats.items()]
        assert [one.problems for one in logs] == [[]] * len(logs)
        assert compare(logs) == ([], [])


def test_a_room_that_is_opened_again_begins_no_epoch(tmp_path: Path) -> None:
    with ServerThread(
        tmp_path / "tables.db", ServerLimits(room_idle_seconds=0, watch_seconds=0.05)
    ) as server:
        seats = server.open()
        for at in range(3):
            seats["ann"].do("declare", key=f"r{at}", **ASKED)
            while server.rooms:
                pass
        assert "epoch_begun" not in kinds(seats["ann"])


def test_reading_commands_write_nothing_and_a_link_of_the_host_is_told(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with ServerThread(path) as server:
        seats = server.open()
        table = seats["ann"].place.partition("~")[0]
    export = run_cli(f"export {path} --seat ann")
    assert run_cli(f"export {path} --seat ann").out == export.out
    assert verify(export.out)[0] == []
    assert run_cli(f"link {path} {table} --seat ann").status == 0
    last = Log("ann", run_cli(f"export {path} --seat ann").out).rolls.links[-1]
    assert "the host made a link to the seat of ann" in last


def test_a_seat_and_the_gm_are_told_who_made_a_link_and_others_are_not(tmp_path: Path) -> None:
    with ServerThread(tmp_path / "tables.db") as server:
        seats = server.open()
        assert seats["gm"].ask("POST", "/links", {"seat": "ann"}).status_code == 201
        for name, many in (("ann", 2), ("bob", 1), ("gm", 4)):
            made = [one["data"] for one in seats[name].get("/log") if one["kind"] == "link_made"]
            assert len(made) == many
            assert {one["by"] for one in made} == {"gm"}
