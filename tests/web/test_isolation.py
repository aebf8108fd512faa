"""Tables whose rules are not shipped are decided in worker processes, which may die at any time."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from servers import Seat, ServerThread, get, post, wait_until

from handful.rules import load as loading
from handful.verifier import verify
from handful.web.settings import ServerLimits
from handful.web.table_backends import LocalTable
from handful.web.table_workers import RemoteTable

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")

ROLL = {"check": "check", "parameters": {"dice": 4, "target": 2}}
DIRECT = {"check": "direct", "parameters": {"attribute": 3, "target": 2}}
EASY = ServerLimits(
    draft_burst=10**6, publish_per_hour=10**6, tables_per_hour=10**6, query_burst=10**6, table_workers=2
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    with ServerThread(tmp_path_factory.mktemp("isolation") / "tables.db", EASY) as running:
        yield running


def publish(server: ServerThread, **wanted: str) -> str:
    text = get(f"{server.url}/api/brews/start", params=wanted).json()["ruleset"]
    made = post(f"{server.url}/api/brews", json={"ruleset": text}, timeout=90)
    assert made.status_code == 201, made.text
    hash: str = made.json()["hash"]
    return hash


def table_of(seat: Seat) -> str:
    return seat.place.partition("~")[0]


def process_of(server: ServerThread, seat: Seat) -> int:
    """Return the id of the process that decides a seat's table."""
    backend = server.rooms[table_of(seat)].backend
    assert isinstance(backend, RemoteTable)
    pid: int = backend._worker._process.pid
    return pid


def test_no_rule_of_a_stranger_is_read_in_the_serving_process(
    server: ServerThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    own = loading.load

    def load(sources: Any, **more: Any) -> Any:
        rules = own(sources, **more)
        read.append(rules.id)
        return rules

    monkeypatch.setattr(loading, "load", load)
    seats = server.open(game="", brew=publish(server, name="my-uwr", base="uwr"), join=True)
    gm, ann = seats["gm"], seats["ann"]
    with ann.listen() as socket:
        assert socket.next()["view"]["game"]["id"] == "my-uwr"
        assert socket.do("declare", **DIRECT, throw={})["type"] == "done"
        assert [one["phase"] for one in gm.get("/view")["rolls"]] == ["finalised"]
    for path in ("/game", "/luck", "/evenings", "/log", "/summary", "/links"):
        gm.get(path)
    assert ann.ask("POST", "/sketch", {"data": DIRECT}).json()["odds"]["success"]
    german = ann.ask("POST", "/sketch", {"data": {"check": "nothing"}}, **{"Accept-Language": "de"})
    assert german.json()["error"]["message"].endswith("Angriff, Parade oder Ausweichen")
    join = gm.get("/join")["player"].rpartition("/")[2]
    invited = post(f"{server.url}/api/invitation", json={"token": join}).json()
    assert invited["game"]["id"] == "my-uwr"
    sat = post(f"{server.url}/api/sit", json={"token": join, "name": "zoe", "sample": invited["samples"][0]})
    zoe = Seat(server, sat.json()["link"])
    assert [one["owner"] for one in zoe.get("/view")["characters"] if one["owner"] == "zoe"] == ["zoe"]
    assert verify(ann.ask("GET", "/export").text)[0] == []
    assert "my-uwr" not in read


def test_a_killed_worker_comes_back_with_everything(server: ServerThread) -> None:
    seats = server.open(game="", brew=publish(server))
    ann, bob = seats["ann"], seats["bob"]
    assert ann.do("declare", key="r", **ROLL).status_code == 200
    with bob.listen() as socket:
        n = socket.next()["n"]
        before = process_of(server, ann)
        os.kill(before, signal.SIGKILL)
        failed = ann.do("throw", key="t", roll="ann/r")
        assert failed.status_code in (200, 503)
        assert socket.closed() == 1012  # as after a restart of the server: reconnect in a moment
    assert ann.do("throw", key="t", roll="ann/r").status_code == 200
    assert process_of(server, ann) != before
    with bob.listen(after=n) as socket:
        again = socket.next()
        assert not again["begins"]
        assert [one["phase"] for one in again["view"]["rolls"]] == ["finalised"]
    assert [one["roll"] for one in ann.get("/view")["rolls"]] == ["ann/r"]
    assert verify(ann.ask("GET", "/export").text)[0] == []


def test_a_command_that_was_saved_is_not_done_twice(
    server: ServerThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker dies after the commit and before its answer; the client sends the command again."""
    seats = server.open(game="", brew=publish(server))
    ann = seats["ann"]
    ann.get("/view")
    pid, commit = process_of(server, ann), server.tables.database.commit

    async def commit_and_kill(work: Any) -> None:
        await commit(work)
        os.kill(pid, signal.SIGKILL)

    monkeypatch.setattr(server.tables.database, "commit", commit_and_kill)
    lost = ann.do("declare", key="r", **ROLL, throw={})
    assert (lost.status_code, lost.json()["error"]["code"]) == (503, "too_big")
    monkeypatch.undo()
    assert ann.do("declare", key="r", **ROLL, throw={}).status_code == 200
    kinds = [one["kind"] for one in ann.get("/log")]
    assert kinds.count("roll_declared") == kinds.count("dice_thrown") == 1


def test_a_table_that_does_not_answer_is_ended_and_others_go_on(tmp_path: Path) -> None:
    limits = ServerLimits(table_seconds=0.5, table_workers=2)
    with ServerThread(tmp_path / "tables.db", limits) as server:
        hash = publish(server)
        first, second = (server.open(game="", brew=hash)["ann"] for _ in range(2))
        for seat in (first, second):
            assert seat.do("declare", key="r", **ROLL).status_code == 200
        os.kill(process_of(server, first), signal.SIGSTOP)
        with second.listen() as socket:
            socket.next()
            stuck = first.do("throw", roll="ann/r")
            assert (stuck.status_code, stuck.json()["error"]["code"]) == (503, "too_big")
            assert socket.do("throw", roll="ann/r")["type"] == "done"
        assert first.do("throw", roll="ann/r").status_code == 200


def test_more_tables_than_workers_share_them(server: ServerThread) -> None:
    hash = publish(server)
    seats = [server.open(game="", brew=hash)["ann"] for _ in range(5)]
    for seat in seats:
        assert seat.do("declare", **ROLL, throw={}).status_code == 200
    assert len({process_of(server, seat) for seat in seats}) <= 2


def test_a_shipped_game_stays_in_the_serving_process(server: ServerThread) -> None:
    ann = server.open()["ann"]
    ann.get("/view")
    assert isinstance(server.rooms[table_of(ann)].backend, LocalTable)


def test_a_table_moves_before_it_changes_to_other_rules(server: ServerThread) -> None:
    """It began with a shipped game; the rules that it changes to are read in a worker only."""
    seats = server.open()
    gm, ann = seats["gm"], seats["ann"]
    assert ann.do("declare", key="a", **DIRECT, throw={}).status_code == 200
    brew = publish(server, name="my-uwr", base="uwr")
    found = gm.ask("POST", "/rules", {"brew": brew}).json()
    assert isinstance(server.rooms[table_of(ann)].backend, RemoteTable)
    assert gm.do("rules", hash=found["game"]["hash"]).status_code == 200
    assert ann.do("declare", key="b", **DIRECT, throw={}).status_code == 200
    os.kill(process_of(server, ann), signal.SIGKILL)
    wait_until(lambda: ann.ask("GET", "/view").status_code == 200)
    assert [one["roll"] for one in ann.get("/view")["rolls"]] == ["ann/a", "ann/b"]
    assert ann.get("/game")["id"] == "my-uwr"
    assert isinstance(server.rooms[table_of(ann)].backend, RemoteTable)


def test_sockets_of_a_moved_table_come_back(server: ServerThread) -> None:
    seats = server.open()
    gm, ann = seats["gm"], seats["ann"]
    with ann.listen() as socket:
        n = socket.next()["n"]
        hash = gm.ask("POST", "/rules", {"brew": publish(server, name="mine", base="uwr")}).json()["game"]
        assert socket.closed() == 1012
    assert gm.do("rules", hash=hash["hash"]).status_code == 200
    with ann.listen(after=n) as socket:
        again = socket.next()
        assert [one["kind"] for one in again["lines"]] == ["epoch_begun", "rules_changed"][-1:]
        assert again["view"]["game"] == hash
