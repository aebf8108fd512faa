"""Several servers on one file or one PostgreSQL database: any of them serves any table."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import psycopg
import pytest
from servers import Seat, ServerThread, Socket, wait_until
from stores import SAVED, new_data

from handful.store import StoreFault, maintenance
from handful.verifier import verify
from handful.web import other_processes
from handful.web.settings import ServerLimits

ROLL = {"check": "direct", "parameters": {"attribute": 3, "target": 1}}
ROLLS = 12
SOON = 0.5  # seconds: well below the second that passes without a notice, with some room for a busy machine


@pytest.fixture(params=SAVED)
def data(request: pytest.FixtureRequest) -> str:
    return new_data(request.param, request)


@pytest.fixture
def two(data: str) -> Iterator[tuple[ServerThread, ServerThread]]:
    with ServerThread(data) as one, ServerThread(data) as other:
        yield one, other


def moved(seat: Seat, server: ServerThread) -> Seat:
    """Return the seat as a client of another server."""
    return Seat(server, seat.link)


def roll(socket: Socket, key: str) -> None:
    assert socket.do("declare", key=key, **ROLL)["type"] == "done"
    assert socket.do("throw", key=f"{key}t", roll=f"ann/{key}")["type"] == "done"


def heard_lines(socket: Socket, count: int) -> list[dict[str, Any]]:
    """Read messages until a seat has so many lines; return these."""
    lines: list[dict[str, Any]] = []
    while len(lines) < count:
        message = socket.next()
        lines += message.get("lines", [])
    return lines


def test_a_roll_is_heard_at_another_server(two: tuple[ServerThread, ServerThread]) -> None:
    one, other = two
    seats = one.open()
    with seats["ann"].listen() as ann, moved(seats["bob"], other).listen() as bob:
        bob.next()
        delays = []
        for at in range(ROLLS):
            began = time.monotonic()
            assert ann.do("declare", key=f"r{at}", **ROLL)["type"] == "done"
            while f"ann/r{at}" not in str(bob.next()):
                pass
            delays.append(time.monotonic() - began)
    assert sorted(delays)[ROLLS // 2] < SOON
    views = [moved(seats["gm"], server).get("/view") for server in two]
    assert views[0] == views[1]


def test_seats_of_one_table_play_at_both_servers(two: tuple[ServerThread, ServerThread]) -> None:
    """Commands of both at the same time are decided one after the other; nothing is lost or doubled."""
    seats = two[0].open()
    players = {name: moved(seats[name], two[at]) for at, name in enumerate(("ann", "bob"))}
    sockets = {name: seat.listen() for name, seat in players.items()}
    for at in range(ROLLS):
        keys = {name: one.send("declare", f"r{at}", **ROLL) for name, one in sockets.items()}
        for name, one in sockets.items():
            while (answer := one.next()).get("key") != keys[name]:
                pass
            assert answer["type"] == "done"
    for one in sockets.values():
        one.close()
    exports = [moved(seats["gm"], server).ask("GET", "/export").text for server in two]
    assert [verify(text)[0] for text in exports] == [[], []]
    assert exports[0] == exports[1]
    assert len(moved(seats["gm"], two[1]).get("/view")["rolls"]) == 2 * ROLLS


def test_a_revoked_link_ends_its_sockets_at_every_server(two: tuple[ServerThread, ServerThread]) -> None:
    seats = two[0].open()
    with moved(seats["ann"], two[1]).listen() as ann, moved(seats["bob"], two[1]).listen() as bob:
        ann.next()
        bob.next()
        answer = seats["gm"].ask("POST", "/links", {"seat": "ann", "role": "player", "instead": True})
        assert answer.status_code in (200, 201), answer.text
        assert ann.closed() == 4403
        assert bob.do("declare", **ROLL)["type"] == "done"


def test_a_deleted_table_ends_its_sockets(data: str) -> None:
    with ServerThread(data) as server:
        seats = server.open()
        with seats["ann"].listen() as ann:
            ann.next()
            maintenance.delete_table(data, seats["ann"].place.partition("~")[0])
            assert ann.closed() == 4403
        assert not server.rooms


# -- notices


def test_a_missed_notice_costs_a_second_and_is_counted(
    postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silence(address: str) -> AsyncIterator[Any]:
        await asyncio.sleep(1000)
        yield None

    monkeypatch.setattr(other_processes, "listen", silence)
    limits = ServerLimits(watch_seconds=0.2)
    with ServerThread(postgres_address, limits) as one, ServerThread(postgres_address, limits) as other:
        seats = one.open()
        with seats["ann"].listen() as ann, moved(seats["bob"], other).listen() as bob:
            bob.next()
            roll(ann, "r")
            while "ann/r" not in str(bob.next()):
                pass
        assert other.tables.others.missed > 0


def test_notices_come_again_after_their_connection_was_lost(
    postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link that was revoked meanwhile is noticed."""
    monkeypatch.setattr(other_processes, "RETRY_SECONDS", 0.05)
    with ServerThread(postgres_address) as one, ServerThread(postgres_address) as other:
        seats = one.open()
        with moved(seats["ann"], other).listen() as ann, moved(seats["bob"], other).listen() as bob:
            ann.next()
            bob.next()
            with psycopg.connect(postgres_address, autocommit=True) as connection:
                (count,) = connection.execute(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
                ).fetchone() or (0,)
            assert count >= 2
            seats["gm"].ask("POST", "/links", {"seat": "ann", "role": "player", "instead": True})
            assert ann.closed() == 4403
            with seats["gm"].listen() as gm:
                wait_until(lambda: gm.do("say", text="hello")["type"] == "done")
            while "hello" not in str(bob.next()):
                pass


def test_a_server_waits_for_its_database(postgres: Any, postgres_address: str) -> None:
    with ServerThread(postgres_address, ServerLimits(watch_seconds=0.1)) as server:
        seats = server.open()
        with seats["ann"].listen() as ann:
            roll(ann, "before")
            postgres.kill()
            try:
                assert ann.do("declare", key="during", **ROLL)["error"]["code"] == "store"
                wait_until(lambda: '"type":"store"' in "".join(ann.heard) or not ann.next())
            finally:
                postgres.start()
            while ann.next() != {"type": "store", "ok": True}:
                pass
            roll(ann, "during")
        assert len(seats["gm"].get("/view")["rolls"]) == 2


def test_a_database_that_is_not_there_is_refused_before_the_start() -> None:
    with pytest.raises(StoreFault, match="cannot be reached"):
        maintenance.list_tables("postgresql://127.0.0.1:1/none")
