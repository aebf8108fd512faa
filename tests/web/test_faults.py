"""Server faults: kills, full disks, foreign files, settings."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_runner import assert_refused, run_cli
from servers import Seat, ServerProcess, ServerThread, get, post, wait_until

from handful.store import SQLiteStore
from handful.verifier import verify
from handful.web.settings import ServerLimits

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and limits are POSIX's")
ROLL = {"check": "direct", "parameters": {"attribute": 3, "rerolls": 1, "target": 2}}


# -- killed, and back again


@pytest.mark.proof
def test_a_kill_in_the_middle_of_a_contest_loses_nothing(tmp_path: Path) -> None:
    """Acknowledged commands survive, and each client gets exactly the events it missed."""
    with ServerProcess(tmp_path / "tables.db") as server:
        seats = server.open()
        with seats["gm"].listen() as gm, seats["ann"].listen() as ann, seats["bob"].listen() as bob:
            ann.do("declare", key="a", **ROLL)
            bob.do("declare", key="b", **ROLL)
            sides = [{"roll": "ann/a"}, {"roll": "bob/b"}]
            gm.do("challenge", key="c", check="opposed", sides=sides)
            ann.do("throw", key="t", roll="ann/a", faces=[6, 2, 1])
            acknowledged = bob.do("throw", key="t", roll="bob/b", faces=[5, 1, 1])["n"]
            before = {name: seats[name].get("/log") for name in ("gm", "ann", "bob")}
            server.kill()
            assert ann.closed() == 1006
        server.start()
        for name, log in before.items():
            *kept, begun = seats[name].get("/log")
            assert kept == log
            assert begun["kind"] == "epoch_begun", "the restarted server has new keys"
        assert len(before["bob"]) == acknowledged
        with seats["ann"].listen(after=len(before["ann"])) as ann:
            snapshot = ann.next()
            assert [one["kind"] for one in snapshot["lines"]] == ["epoch_begun"]
            assert not snapshot["begins"]
            assert snapshot["view"]["contests"][0]["waits_for"] == ["ann", "bob"]
            # what was sent before, and perhaps never answered, is sent again
            assert ann.do("throw", key="t", roll="ann/a", faces=[6, 2, 1])["n"] == snapshot["n"]
            for what in ({"do": "answer", "answer": []}, {"do": "finalise"}):
                assert seats["bob"].do(roll="bob/b", **what).status_code == 200  # type: ignore[arg-type]
                assert ann.do(roll="ann/a", **what)["type"] == "done"  # type: ignore[arg-type]
        with seats["bob"].listen(after=len(before["bob"])) as bob:
            snapshot = bob.next()
            later = seats["bob"].get("/log")[len(before["bob"]) :]
            assert [one["hash"] for one in snapshot["lines"]] == [one["hash"] for one in later]
            kinds = [one["kind"] for one in seats["gm"].get("/log")]
            assert kinds.count("dice_thrown") == 2
            (contest,) = snapshot["view"]["contests"]
            assert contest["result"] == "gm/c"
        for seat in seats.values():
            if seat.place:
                assert verify(seat.ask("GET", "/export").text)[0] == []


def test_killed_while_commands_come_in(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "tables.db") as server:
        ann = server.open()["ann"]
        done: list[str] = []
        with ann.listen() as socket:
            socket.next()
            for at in range(30):
                socket.send("declare", key=f"k{at}", **ROLL)
            while len(done) < 5:
                message = socket.next()
                done += [message["key"]] if message["type"] == "done" else []
            server.kill()
            try:
                while True:
                    message = socket.next()
                    done += [message["key"]] if message["type"] == "done" else []
            except Exception:
                pass
        server.start()
        kept = {one["roll"] for one in ann.get("/view")["rolls"]}
        assert {f"ann/{key}" for key in done} <= kept
        for at in range(30):
            assert ann.do("declare", key=f"k{at}", **ROLL).status_code == 200
        declared = [one for one in ann.get("/log") if one["kind"] == "roll_declared"]
        assert len(declared) == 30


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_is_graceful(tmp_path: Path, how: signal.Signals) -> None:
    with ServerProcess(tmp_path / "tables.db") as server:
        with server.open()["ann"].listen() as ann:
            ann.next()
            server.process.send_signal(how)
            assert ann.closed() == 1012
        assert server.process.wait(20) == 0
        assert "stopped" in server.said()
        assert "Traceback" not in server.said()
    left = sqlite3.connect(tmp_path / "tables.db")
    assert left.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    left.close()


# -- logs and settings


def test_logs_hold_no_token_and_no_secret(tmp_path: Path) -> None:
    """Also at the most talkative level."""
    with ServerProcess(tmp_path / "tables.db", "--log-level", "debug") as server:
        seats = server.open()
        gm = seats["gm"]
        with gm.listen() as socket:
            socket.do("declare", key="lie", mode="secret", title="the hidden door", **ROLL)
            socket.raw("the hidden door {")
            socket.next()
        get(f"{server.url}/join/{'w' * 32}")
        get(f"{server.url}/JOIN/{gm.token}")
        get(f"{server.url}/nowhere?token={gm.token}")
        post(f"{server.url}/api/sit", json={"token": gm.token, "name": "x"})
        gm.ask("POST", "/sketch", {"data": {"check": "the hidden door"}})
        assert server.stop() == 0
        said = server.said()
    assert "GET /join/{token} 303" in said
    assert "POST /api/sit 403" in said
    for secret in (*(one.token for one in seats.values()), "w" * 32, "hidden door"):
        assert secret not in said
    with sqlite3.connect(tmp_path / "tables.db") as file:
        ((key,),) = file.execute("SELECT secret FROM tables").fetchall()
    file.close()
    assert key.hex() not in said


def test_settings_come_from_the_environment_and_flags_win(tmp_path: Path) -> None:
    environment = {
        "HANDFUL_PORT": "0",
        "HANDFUL_DATA": str(tmp_path / "own.db"),
        "HANDFUL_HOST": "0.0.0.0",
        "HANDFUL_LOG_LEVEL": "warning",
    }
    for flags, warns in (
        ([], True),
        (["--host", "127.0.0.1"], False),
        (["--public", "https://dice.example"], False),
    ):
        process = subprocess.Popen(
            [sys.executable, "-m", "handful", "serve", *flags],
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **environment},
            text=True,
        )
        assert process.stderr is not None
        said = ""
        while "Handful serves" not in said:
            line = process.stderr.readline()
            assert line, said
            said += line
        process.terminate()
        said += process.stderr.read()
        assert process.wait(20) == 0, said
        process.stderr.close()
        assert ("anybody who reaches this machine" in said) == warns
        assert ("--public" in said) == warns
    assert (tmp_path / "own.db").exists()


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("serve --port x", ["--port"]),
        ("serve --port 70000", ["65535"]),
        ("serve --log-level loud", ["--log-level", "debug"]),
        ("serve --public dice.example", ["--public", "https://"]),
        ("serve --public https://dice.example/table", ["--public"]),
    ],
)
def test_settings_that_make_no_sense_are_refused(line: str, parts: list[str]) -> None:
    assert_refused(run_cli(f"handful {line}"), *parts)


def test_a_port_in_use_is_reported(tmp_path: Path) -> None:
    with ServerThread(tmp_path / "tables.db") as server:
        said = run_cli(f"handful serve --port {server.port} --data {tmp_path}/other.db")
    assert_refused(said, f"port {server.port}", "another --port", status=1)


# -- files


def foreign(path: Path) -> None:
    with sqlite3.connect(path) as file:
        file.execute("CREATE TABLE notes (text TEXT)")
    file.close()


def newer(path: Path) -> None:
    SQLiteStore(str(path), create=True).close()
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA user_version = 99")
    file.close()


def damaged(path: Path) -> None:
    store = SQLiteStore(str(path), create=True)
    for at in range(200):
        store.save_rules(f"{at}", [("x", "y" * 500)])
    store.close()
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 3000] = b"\xff" * 3000
    path.write_bytes(bytes(data))


def text(path: Path) -> None:
    path.write_text("Dear diary\n" * 100)


@pytest.mark.parametrize(
    ("make", "parts"),
    [
        (foreign, ["not a file of tables"]),
        (text, ["not a file of tables"]),
        (newer, ["newer Handful", "install the newer one"]),
        (damaged, ["damaged", "backup"]),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_and_left_as_it_was(
    tmp_path: Path, make: object, parts: list[str]
) -> None:
    path = tmp_path / "tables.db"
    make(path)  # type: ignore[operator]
    before = path.read_bytes()
    assert_refused(run_cli(f"handful serve --port 0 --data {path}"), "it was not changed", *parts, status=1)
    assert path.read_bytes() == before


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte."""
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("no small disk may be mounted here; the limit on file sizes is tested anyway")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_full_disk_is_shown_on_every_page_until_there_is_room(full: Path) -> None:
    filler = full / "filler"
    with ServerThread(full / "tables.db", ServerLimits(watch_seconds=0.1, burst=10**6, rate=10**6)) as server:
        seats = server.open()
        filler.write_bytes(bytes(shutil.disk_usage(full).free - 60_000))
        with seats["ann"].listen() as ann, seats["bob"].listen() as bob:
            answer = {"type": "done"}
            for at in range(500):
                if answer["type"] != "done":
                    break
                answer = ann.do("declare", key=f"k{at}", title="x" * 400, mode="private", **ROLL)
                if answer["type"] == "done":
                    answer = ann.do("cancel", key=f"c{at}", roll=f"ann/k{at}")
            assert answer["error"]["code"] == "store"
            assert "full" in answer["error"]["message"]
            assert "free some space" in answer["error"]["hint"]
            assert str(full) not in json.dumps(answer)
            assert store_of(bob) == {"ok": False, "error": answer["error"]}
            # reading goes on, also for those who come now
            n = len(seats["ann"].get("/log"))
            with seats["bob"].listen() as late:
                assert late.next()["type"] == "snapshot"
                assert late.next()["type"] == "store"
            again = post(f"{server.url}/api/tables", json={"game": "uwr", "title": "x"})
            assert again.status_code == 503
            filler.unlink()
            assert store_of(bob) == {"ok": True}
            assert ann.do("declare", key="after", **ROLL)["n"] == n + 1
    assert verify_all(full / "tables.db") == []


def store_of(socket: object) -> dict[str, object]:
    while (message := socket.next())["type"] != "store":  # type: ignore[attr-defined]
        pass
    return {name: one for name, one in message.items() if name != "type"}


def verify_all(path: Path) -> list[str]:
    from handful.library.tables import open_table

    kept = open_table(str(path))
    found = [one for seat in kept.table.seats for one in verify(kept.export(seat))[0]]
    kept.store.close()
    return found


def test_a_limit_on_file_sizes_stops_writes_and_goes_on(tmp_path: Path) -> None:
    """Without a mountable disk: the operating system refuses to let the file grow."""
    with ServerProcess(tmp_path / "tables.db") as server:
        ann = server.open()["ann"]
        (wal,) = tmp_path.glob("*-wal")
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        limit = resource.prlimit
        limit(server.process.pid, resource.RLIMIT_FSIZE, (wal.stat().st_size + 5000, most))
        with ann.listen() as socket:
            codes = []
            for at in range(6):
                answer = socket.do("declare", key=f"k{at}", title="x" * 400, **ROLL)
                codes.append(answer.get("error", {}).get("code"))
            assert codes[-1] == "store"
            n = len(ann.get("/log"))
            limit(server.process.pid, resource.RLIMIT_FSIZE, (most, most))
            assert socket.do("declare", key="k5", title="x" * 400, **ROLL)["type"] == "done"
        assert len(ann.get("/log")) == n + 1
        assert re.search("can be written again", wait_until(server.said))


def test_an_unreadable_table_is_reported_to_its_seats_only(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with ServerThread(path) as server:
        links = {name: one.link for name, one in server.open().items()}
    with sqlite3.connect(path) as file:
        file.execute("UPDATE entries SET entry = '{' WHERE seq = 2")
    file.close()
    with ServerThread(path) as server:
        ann = Seat(server, links["ann"])
        answer = ann.ask("GET", "/view")
        assert answer.status_code == 503
        assert answer.json()["error"]["code"] == "store"
        ann.token = "x"
        assert ann.ask("GET", "/view").status_code == 403
        assert server.open()["gm"].get("/view")["seat"] == "gm", "others go on"
