"""Clients behind a bad network: nothing is lost, nothing happens twice."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fault_proxy import FaultProxy
from servers import Seat, ServerThread, Socket, apply_patch, wait_until
from websockets.exceptions import WebSocketException

from handful.verifier import verify
from handful.web.settings import ServerLimits

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the tests of faults are POSIX's")
ROLL = {"check": "direct", "parameters": {"attribute": 3, "target": 2}}
FAST = ServerLimits(burst=10**6, rate=10**6, query_burst=10**6)


class Stubborn:
    """A client as it should be: it sends what is not acknowledged again, with the same key."""

    def __init__(self, seat: Seat, at: FaultProxy) -> None:
        self.seat = Seat(at, seat.link)
        self.acknowledged: set[str] = set()
        self.lines: list[dict[str, Any]] = []
        self.view: dict[str, Any] = {}
        self.came = 0  # how often it had to come back

    def all_done(self, commands: list[tuple[str, str, dict[str, Any]]]) -> None:
        for _ in range(400):
            left = [one for one in commands if one[1] not in self.acknowledged]
            if not left:
                return
            self.came += 1
            try:
                with self.seat.listen(after=len(self.lines)) as socket:
                    self._try(socket, left)
            except (WebSocketException, OSError, TimeoutError):
                continue
        raise AssertionError("it never came through")

    def _try(self, socket: Socket, left: list[tuple[str, str, dict[str, Any]]]) -> None:
        """Everything at once; what is refused because it overtook something is sent once more."""
        for do, key, data in left:
            socket.send(do, key=key, **data)
        waits = {key for _, key, _ in left}
        again = {key: (do, data) for do, key, data in left}
        tries: Counter[str] = Counter()
        while waits:
            message = socket.next()
            match message["type"]:
                case "snapshot" | "patch":
                    self._heard(message)
                case "done":
                    self.acknowledged.add(message["key"])
                    waits.discard(message["key"])
                case "error" if message["key"] in waits:
                    tries[message["key"]] += 1
                    assert tries[message["key"]] < 60, message
                    do, data = again[message["key"]]
                    socket.send(do, key=message["key"], **data)

    def _heard(self, message: dict[str, Any]) -> None:
        last = len(self.lines)
        if message.get("begins"):
            self.lines, last = [], 0
        self.lines += [one for one in message["lines"] if one["n"] > last]
        snapshot = message["type"] == "snapshot"
        self.view = message["view"] if snapshot else apply_patch(self.view, message["view"])


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerThread]:
    with ServerThread(tmp_path / "tables.db", FAST) as inside:
        yield inside


def rolls(count: int) -> list[tuple[str, str, dict[str, Any]]]:
    """Rolls from their declaration to their end."""
    made: list[tuple[str, str, dict[str, Any]]] = []
    for at in range(count):
        made.append(("declare", f"r{at}", ROLL))
        made.append(("throw", f"t{at}", {"roll": f"ann/r{at}"}))
    return made


def held(server: ServerThread, seats: dict[str, Seat], ann: Stubborn, count: int) -> None:
    """Each roll once and whole, in the log, in the view, and in what the client was told."""
    log = seats["ann"].get("/log?most=1000")
    for kind in ("roll_declared", "dice_thrown", "roll_finalised"):
        found = Counter(one["data"]["roll"] for one in log if one["kind"] == kind)
        assert found == {f"ann/r{at}": 1 for at in range(count)}
    with seats["ann"].listen(after=len(ann.lines)) as last:
        ann._heard(last.next())
    assert ann.lines == [{name: one[name] for name in one if name != "signature"} for one in log]
    assert ann.view == seats["ann"].get("/view")
    for name in ("gm", "ann", "bob"):
        assert verify(seats[name].ask("GET", "/export").text)[0] == []


def test_messages_that_come_twice_and_in_another_order(server: ServerThread) -> None:
    seats = server.open()
    with FaultProxy(server, seed=1) as network:
        network.doubles, network.swaps = 0.4, 0.4
        ann = Stubborn(seats["ann"], network)
        ann.all_done(rolls(25))
        assert network.doubled > 5
        assert network.swapped > 5
    held(server, seats, ann, 25)


def test_connections_that_are_cut_in_the_middle_of_messages(server: ServerThread) -> None:
    """The first message is the greeting, and each one after it acknowledges one command at most.

    So a socket that is cut in message n acknowledges n - 2 commands at most, here 7 of 12 in all:
    however messages are timed, something is left to do until the last cut.
    """
    seats = server.open()
    with FaultProxy(server, seed=2) as network:
        network.cut_in, network.doubles = [1, 3, 2, 6, 1, 4], 0.2
        ann = Stubborn(seats["ann"], network)
        ann.all_done(rolls(6))
        assert network.cuts == 6
        assert ann.came == 7
    held(server, seats, ann, 6)


def test_a_connection_that_stalls_and_goes_on(server: ServerThread) -> None:
    """A stalled client gets everything in the end and delays no other."""
    seats = server.open()
    with FaultProxy(server, seed=3) as network:
        ann = Seat(network, seats["ann"].link)
        with ann.listen() as stalled, seats["bob"].listen() as bob:
            stalled.next()
            bob.next()
            network.stall()
            stalled.send("declare", key="late", **ROLL)
            for at in range(10):
                assert bob.do("declare", key=f"b{at}", **ROLL)["type"] == "done"
            network.flow()
            message = stalled.next()
            while message["type"] == "patch":
                message = stalled.next()
            assert message["type"] == "done"
        kinds = Counter(one["kind"] for one in seats["ann"].get("/log"))
        assert kinds["roll_declared"] == 11


def test_a_server_that_cannot_be_reached_for_a_while(server: ServerThread) -> None:
    seats = server.open()
    with FaultProxy(server, seed=4) as network:
        ann = Stubborn(seats["ann"], network)
        with ann.seat.listen() as socket:
            ann._heard(socket.next())
            network.cut()
            assert socket.closed() == 1006
        wait_until(lambda: not next(iter(server.rooms.values())).connections)
        ann.all_done(rolls(3))
    held(server, seats, ann, 3)
