"""Seats that left: they may read but not act until the GM seats them again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from servers import Seat, ServerThread, post

from handful.web.routes_seat import READ_ONLY, router

ROLL = {"check": "direct", "parameters": {"attribute": 3, "target": 2}}
BODIES: dict[str, Any] = {
    "/commands": {"do": "declare", "key": "after", "data": ROLL},
    "/sketch": {"data": ROLL},
    "/preview": {"sheet": {}},
    "/new-character": {},
    "/rules": {"game": "uwr"},
    "/links": {"seat": "co", "instead": True},
    "/links/revoke": {"seat": "co"},
    "/gm_seat": {},
}
QUERIES = {
    "/odds": "?roll=ann/r",
    "/rolls": "?roll=ann/r",
    "/history": "?character=ann/x",
    "/sheet": "?character=ann/x",
}


def addresses() -> list[tuple[str, str]]:
    found = [one for one in router.routes if isinstance(one, APIRoute)]
    return [(method, one.path.removeprefix(router.prefix)) for one in found for method in one.methods]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerThread]:
    with ServerThread(tmp_path / "tables.db") as running:
        yield running


@pytest.fixture
def seats(server: ServerThread) -> dict[str, Seat]:
    """A table that its player, its watcher and the first of its two GMs have left."""
    seats = server.open(players=["ann"], watchers=True)
    told = post(f"{server.url}/api/sit", json={"token": seats[""].token, "name": "eve"})
    seats["eve"] = Seat(server, told.json()["link"])
    seats["gm"].do("seat", name="co", role="gm")
    seats["co"] = Seat(server, seats["gm"].ask("POST", "/links", {"seat": "co"}).json()["link"])
    seats["ann"].do("declare", "r", **ROLL)
    for name in ("ann", "eve", "gm"):
        assert seats[name].do("leave").status_code == 200
    return seats


@pytest.mark.parametrize("name", ["gm", "ann", "eve"])
def test_a_seat_that_left_may_only_read(seats: dict[str, Seat], name: str) -> None:
    before = seats["co"].get("/links")
    for method, path in addresses():
        body = BODIES[path] if method == "POST" else None
        answer = seats[name].ask(method, path + QUERIES.get(path, ""), body)
        if path in READ_ONLY and method == "GET":
            assert answer.status_code in (200, 409), (path, answer.text)
        else:
            assert answer.status_code == 403, (path, answer.text)
            assert answer.json()["error"]["message"] == "you have left this table"
    assert seats["co"].get("/links") == before
    assert seats["co"].get("/view")["may"], "and the other GM was not locked out"


def test_every_route_of_a_seat_checks_that_it_has_not_left() -> None:
    """A new route that forgets the check would be open to all."""
    for one in router.routes:
        assert isinstance(one, APIRoute)
        asked = [dependency.call.__name__ for dependency in one.dependant.dependencies if dependency.call]
        only_reads = one.path.removeprefix(router.prefix) in READ_ONLY and one.methods == {"GET"}
        assert {"own_seat", "own_room"} & {*asked} or (only_reads and "seat_link" in asked), one.path


def test_a_left_seat_receives_events_but_its_commands_are_refused(seats: dict[str, Seat]) -> None:
    with seats["gm"].listen() as gm:
        gm.next()
        for do in ("seat", "visibility", "leave", "declare", "next_round"):
            data = {"seat": {"name": "zoe", "role": "gm"}, "visibility": {"mode": "gm"}, "declare": ROLL}.get(
                do, {}
            )
            assert "has left" in gm.do(do, **data)["error"]["message"]
        seats["co"].do("declare", "later", mode="gm", **ROLL)
        assert [one["kind"] for one in gm.next()["lines"]] == ["roll_declared"]


def test_the_gm_seats_them_again(seats: dict[str, Seat]) -> None:
    assert seats["co"].do("seat", name="gm", role="gm").status_code == 200
    assert seats["gm"].get("/links")
    assert seats["ann"].ask("POST", "/sketch", BODIES["/sketch"]).status_code == 403
    assert seats["gm"].do("seat", name="ann", role="player").status_code == 200
    assert seats["ann"].ask("POST", "/sketch", BODIES["/sketch"]).status_code == 200


def test_revoking_a_link_ends_reading_too(seats: dict[str, Seat]) -> None:
    assert seats["co"].ask("POST", "/links/revoke", {"seat": "gm"}).json()["revoked"] == 1
    assert seats["gm"].ask("GET", "/view").status_code == 403
