"""A shared screen receives what watchers see, from whichever seat it is opened."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from servers import Seat, ServerThread, Socket, apply_patch, post

from handful.web.settings import ServerLimits

WATCH = "&as=watcher"
HUSH = {"check": "direct", "title": "tell-tale", "parameters": {"attribute": 2, "target": 1}}
AIMED = {
    "check": "direct",
    "title": "aimed",
    "hidden": ["target"],
    "parameters": {"attribute": 1, "target": 31},
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerThread]:
    with ServerThread(tmp_path / "tables.db", ServerLimits(sockets=4)) as running:
        yield running


@pytest.fixture
def seats(server: ServerThread) -> dict[str, Seat]:
    seats = server.open(demo=True, watchers=True)
    told = post(f"{server.url}/api/sit", json={"token": seats[""].token, "name": "eve"})
    return {**seats, "eve": Seat(server, told.json()["link"])}


def watching(seat: Seat, after: int = 0) -> Socket:
    return seat.listen(f"{after}{WATCH}")  # type: ignore[arg-type]


def play(seats: dict[str, Seat]) -> None:
    for key, name, mode in (("g", "gm", "gm"), ("s", "ann", "secret"), ("p", "ann", "private")):
        assert seats[name].do("declare", key, mode=mode, **HUSH).status_code == 200
        assert seats[name].do("throw", roll=f"{name}/{key}", faces=[6, 6]).status_code == 200
    assert seats["gm"].do("declare", "h", **AIMED).status_code == 200
    assert seats["gm"].do("throw", roll="gm/h", faces=[6]).status_code == 200
    fight = [{"character": "ann/Mira Quill"}, {"name": "Spy", "hidden": True}]
    assert seats["gm"].do("fight", combatants=fight).status_code == 200


def without_seat(view: dict[str, Any]) -> dict[str, Any]:
    return view | {"seat": "", "may": []}


@pytest.mark.parametrize("name", ["gm", "ann", "eve"])
def test_any_seat_gets_the_view_of_a_watcher(seats: dict[str, Seat], name: str) -> None:
    play(seats)
    seen = seats[name].get("/view?as=watcher")
    assert (seen["seat"], seen["role"], seen["may"]) == ("", "watcher", [])
    assert seen == without_seat(seats["eve"].get("/view"))
    assert "tell-tale" not in json.dumps(seen)
    assert "Spy" not in json.dumps(seen)
    assert seats[name].ask("GET", "/view?as=gm").status_code == 422


@pytest.mark.parametrize("name", ["gm", "ann"])
def test_the_socket_sends_the_messages_of_a_watcher(seats: dict[str, Seat], name: str) -> None:
    with watching(seats[name]) as screen, seats["eve"].listen() as eve:
        view = screen.next()["view"]
        eve.next()
        play(seats)
        for one in (screen, eve):
            one.raw("nothing")
            while one.next()["type"] == "patch":
                pass
        heard = [[json.loads(one) for one in each.heard[1:-1]] for each in (screen, eve)]
        assert len(heard[0]) == len(heard[1])
        for here, there in zip(*heard, strict=True):
            shown = [[(one["kind"], one["data"]) for one in each["lines"]] for each in (here, there)]
            assert shown[0] == shown[1], "but for numbers: a seat also has the line of its own link"
            assert here["lines"], "no message without a line"
            assert here["view"].keys() == there["view"].keys() - {"may"}
            view = apply_patch(view, here["view"])
        said = "".join(screen.heard)
        assert "tell-tale" not in said
        assert '"target":31' not in said
        assert "Spy" not in said
        assert view == seats[name].get("/view?as=watcher")


def test_a_shared_screen_takes_no_commands_and_answers_pings(seats: dict[str, Seat]) -> None:
    with watching(seats["gm"]) as screen:
        screen.next()
        answer = screen.do("declare", **HUSH)
        assert answer["error"]["message"] == "this connection can only watch"
        screen.raw('{"type":"ping"}')
        assert screen.next() == {"type": "pong"}
    assert seats["gm"].get("/view")["rolls"] == []


def test_a_shared_screen_reconnects_where_it_was(seats: dict[str, Seat]) -> None:
    with watching(seats["gm"]) as screen:
        n = screen.next()["n"]
    play(seats)
    with watching(seats["gm"], n) as screen:
        snapshot = screen.next()
        assert snapshot["begins"] is False
        assert snapshot["lines"][0]["n"] == n + 1


def test_a_shared_screen_counts_as_a_socket_of_its_seat(seats: dict[str, Seat]) -> None:
    with watching(seats["ann"]) as screen:
        screen.next()
        others = [seats["ann"].listen() for _ in range(3)]
        with pytest.raises(Exception, match="429"):
            watching(seats["ann"])
        for one in others:
            one.close()
        assert seats["gm"].ask("POST", "/links/revoke", {"seat": "ann"}).status_code == 200
        assert screen.closed() == 4403
