"""`handful serve --workers 2`: processes that die, are suspended or replaced while people play."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from effort import rest_in_proof, sample
from servers import PATIENCE, Seat, ServerProcess, get, wait_until
from stores import new_data
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from handful.library.tables import open_table
from handful.store import open_store
from handful.verifier import verify

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at workers by /proc")
ROLL = {"check": "direct", "parameters": {"attribute": 3, "target": 1}}
KILLS = sample(4, 50)
SUSPENDED = 10  # seconds
DATABASE_KILLS = 10
TABLES = 3
PAUSE = 0.08  # seconds between the commands of a seat: below what it is limited to


@pytest.fixture
def data(postgres_address: str) -> str:
    return postgres_address


@contextmanager
def serving(data: str, folder: Path) -> Iterator[ServerProcess]:
    with ServerProcess(data, "--workers", "2", log=folder / "server.log") as server:
        wait_until(lambda: len(server.workers) == 2)
        yield server
        assert server.stop() == 0


class Player(threading.Thread):
    """Rolls again and again, each command until it is acknowledged, and reconnects by number."""

    def __init__(self, name: str, seat: Seat) -> None:
        super().__init__()
        self.seat_name, self.seat = name, seat
        self.acknowledged: list[str] = []
        self.lines: dict[int, dict[str, Any]] = {}  # what the seat heard, by number
        self.problems: list[str] = []
        self.is_ending = False

    def run(self) -> None:
        commands = 0
        while not self.is_ending:
            try:
                with self.seat.listen(after=len(self.lines)) as socket:
                    self._take(socket.next())
                    while not self.is_ending:
                        key, do, fields = self._command(commands)
                        socket.send(do, key, **fields)
                        while (message := socket.next()).get("key") != key:
                            self._take(message)
                        if message["type"] == "done":
                            self.acknowledged.append(key)
                            commands += 1
                        elif message["error"]["code"] not in ("store", "too_fast"):
                            self.problems.append(str(message))
                        time.sleep(PAUSE)
            except (OSError, ConnectionClosed, InvalidMessage):
                time.sleep(PAUSE)  # the page tries again
            except InvalidStatus as refusal:
                if refusal.response.status_code != 503:
                    self.problems.append(repr(refusal))
                time.sleep(PAUSE)
            except Exception as error:
                self.problems.append(repr(error))
                time.sleep(PAUSE)

    def _command(self, number: int) -> tuple[str, str, dict[str, Any]]:
        """Return key, kind and fields of the command with a number: declare and throw in turn."""
        roll = f"r{number // 2}"
        if number % 2:
            return f"{roll}t", "throw", {"roll": f"{self.seat_name}/{roll}"}
        return roll, "declare", ROLL

    def _take(self, message: dict[str, Any]) -> None:
        for line in message.get("lines", []):
            before = self.lines.setdefault(line["n"], line)
            if before != line:
                self.problems.append(f"line {line['n']} was {before}, is {line}")


@contextmanager
def playing(server: ServerProcess) -> Iterator[list[Player]]:
    """Let two seats of some tables play; afterwards nothing is lost, doubled or told in two ways."""
    tables = [server.open() for _ in range(TABLES)]
    players = [Player(name, seats[name]) for seats in tables for name in ("ann", "bob")]
    for one in players:
        one.start()
    try:
        yield players
    finally:
        for one in players:
            one.is_ending = True
        for one in players:
            one.join(PATIENCE)
    for one in players:
        assert not one.problems
        assert one.acknowledged, "it played"
        log = whole_log(one.seat)
        assert [line["n"] for line in log] == [*range(1, len(log) + 1)]
        for n, line in one.lines.items():
            said = {name: value for name, value in log[n - 1].items() if name != "signature"}
            assert line == said, "what was told is so"
        assert verify(one.seat.ask("GET", "/export").text)[0] == []
    for seats in tables:
        check_table(str(server.data), seats["gm"].place.partition("~")[0], players)


def whole_log(seat: Seat) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    while part := seat.get(f"/log?after={len(lines)}&most=1000"):
        lines += part
    return lines


def check_table(data: str, table: str, players: list[Player]) -> None:
    own = open_table(data, table)
    entries = own.store.read(table)
    own.store.close()
    assert [one["seq"] for one in entries] == [*range(1, len(entries) + 1)]
    done = Counter(
        (one["seat"], one["command"]["key"])
        for one in entries
        if one["kind"] in ("roll_declared", "dice_thrown")
    )
    assert {*done.values()} <= {1}, "nothing came twice"
    for player in players:
        if player.seat.place.partition("~")[0] == table:
            assert {(player.seat_name, key) for key in player.acknowledged} <= done.keys(), "nothing is lost"


def disturb(server: ServerProcess, times: int, fault: Callable[[int], None], chance: random.Random) -> None:
    for _ in range(times):
        time.sleep(0.2 + chance.random() * 0.4)
        fault(chance.choice(wait_until(lambda: server.workers)))
        wait_until(lambda: len(server.workers) == 2)


def wait_for_progress(players: list[Player]) -> None:
    """Wait until every player was acknowledged something more."""
    before = [len(one.acknowledged) for one in players]
    wait_until(lambda: all(len(one.acknowledged) > n for one, n in zip(players, before, strict=True)))


# -- faults


@pytest.mark.sampled
@pytest.mark.parametrize("kind", rest_in_proof(["postgres", "sqlite"]))
def test_killed_workers_lose_and_double_nothing(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    with serving(new_data(kind, request), tmp_path) as server, playing(server) as players:
        disturb(server, KILLS, lambda worker: os.kill(worker, signal.SIGKILL), random.Random(50))
        wait_until(lambda: get(f"{server.url}/healthz").status_code == 200)
        wait_for_progress(players)
    assert server.said().count("SIGKILL") == KILLS
    record_property("acknowledged", sum(len(one.acknowledged) for one in players))


@pytest.mark.proof
def test_a_suspended_worker_delays_only_its_own_clients(data: str, tmp_path: Path) -> None:
    with serving(data, tmp_path) as server, playing(server) as players:
        wait_until(lambda: all(one.acknowledged for one in players))
        worker = server.workers[0]
        os.kill(worker, signal.SIGSTOP)
        try:
            time.sleep(SUSPENDED)
        finally:
            os.kill(worker, signal.SIGCONT)
        wait_for_progress(players)


@pytest.mark.proof
def test_a_killed_database_loses_nothing(postgres: Any, data: str, tmp_path: Path) -> None:
    with serving(data, tmp_path) as server, playing(server) as players:
        for _ in range(DATABASE_KILLS):
            wait_for_progress(players)
            postgres.kill()
            time.sleep(0.2)
            postgres.start()


# -- rolling restarts


def test_workers_are_replaced_while_people_play(data: str, tmp_path: Path) -> None:
    with serving(data, tmp_path) as server, playing(server) as players:
        wait_until(lambda: all(one.acknowledged for one in players))
        before = server.workers
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: "the workers were replaced" in server.said())
        wait_until(lambda: len(server.workers) == 2)
        assert not {*before} & {*server.workers}
        assert get(f"{server.url}/healthz").status_code == 200


def test_no_worker_outlives_its_supervisor(data: str, tmp_path: Path) -> None:
    with ServerProcess(data, "--workers", "2", log=tmp_path / "server.log") as server:
        workers = wait_until(lambda: server.workers)
        server.kill()
        wait_until(lambda: not any(Path(f"/proc/{one}/fd").exists() for one in workers))


@pytest.mark.parametrize("workers", ["0", "65", "two"])
def test_a_strange_number_of_workers_is_refused(workers: str, tmp_path: Path) -> None:
    from cli_runner import assert_refused, run_cli

    assert_refused(run_cli(f"serve --workers {workers} --data {tmp_path}/none.db"), "from 1 to 64")
    assert not (tmp_path / "none.db").exists()


def test_two_workers_on_a_fresh_database_begin_together(data: str, tmp_path: Path) -> None:
    with serving(data, tmp_path):
        store = open_store(data)
        assert store.tables() == []
        store.close()
