"""Counts leak nothing on the wire: messages, answers and work are the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from in_memory_table import sheet
from servers import Seat, ServerThread, Socket, apply_patch, same_secrets

from handful.web.settings import ServerLimits
from handful.web.table_backends import LocalTable
from table.test_hidden_counts import lines_run

PATIENT = ServerLimits(
    burst=10**6, query_burst=10**6, open_rolls=10**6, open_requests=10**6, watch_seconds=3600
)
CORVIN, RAIDER = "bob/Corvin Ade", "gm/Raider"
HIT = {"dice": "melee", "kind": "melee"}
ASKS = (
    "/view",
    "/view?as=watcher",
    "/log",
    "/log?after=3&most=5",
    "/export",
    "/luck",
    "/links",
    "/odds?roll=gm/hit",
    f"/history?character={CORVIN}",
    f"/sheet?character={CORVIN}",
    "/odds?roll=gm/k0",
    "/history?character=gm/Shade k0",
)
TOTAL = {"check": "total", "parameters": {"dice": "2D"}}


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServerThread]:
    """Give every table the same clock and secret."""
    same_secrets(monkeypatch)
    with ServerThread(tmp_path / "tables.db", PATIENT) as running:
        yield running


class World:
    """A fight at a table, with a GM and a player who listen."""

    def __init__(self, server: ServerThread) -> None:
        self.seats = server.open(game="me-d6", title="evening")
        self.gm, self.bob = self.seats["gm"].listen(), self.seats["bob"].listen()
        self.view = self.bob.next()["view"]
        self.gm.next()
        self.do(self.bob, "bring", "b", sheet=sheet("me-d6", "corvin"))
        self.do(self.gm, "bring", "b", sheet=sheet("me-d6", "raider"), shown="own")
        self.do(self.gm, "fight", "f", combatants=[{"character": CORVIN}, {"character": RAIDER}])
        self.do(self.bob, "fix", "fix", combatant=CORVIN, actions=2)
        self.do(self.bob, "end_turn", "end", combatant=CORVIN)
        self.do(self.gm, "fix", "fix", combatant=RAIDER, actions=1)
        self.do(self.gm, "declare", "hit", check="attack", target=CORVIN, parameters=HIT, **{"as": RAIDER})
        self.do(self.gm, "throw", "t", roll="gm/hit", faces=[4, 4, 4])

    def do(self, socket: Socket, do: str, key: str, **data: object) -> None:
        answer = socket.do(do, key, **data)
        assert answer["type"] == "done", answer

    def hide(self, kind: str, many: int) -> None:
        for at in range(many):
            key = f"k{at}"
            if kind == "rolls":
                self.do(self.gm, "declare", key, mode="gm", **TOTAL)
                self.do(self.gm, "throw", f"{key} t", roll=f"gm/{key}", faces=[2, 3])
            elif kind == "requests":
                self.do(self.gm, "request", key, to=["ann"], check="check")
            elif kind == "characters" and at < 55:
                own = sheet("me-d6", "raider", name=f"Shade {key}")
                self.do(self.gm, "bring", key, sheet=own)

    def parry(self) -> None:
        self.do(self.bob, "declare", "parry", check="check", answers="gm/hit", **{"as": CORVIN})
        self.do(self.bob, "throw", "throw", roll="bob/parry", faces=[5, 4])
        self.do(self.bob, "answer", "keep", roll="bob/parry", answer="none")
        self.do(self.gm, "finalise", "tell", roll="bob/parry")

    def answers(self) -> list[tuple[int, str]]:
        found = [self.seats["bob"].ask("GET", one) for one in ASKS]
        found.append(self.seats["bob"].do("judge", "z", roll="gm/k0", words="so"))
        return [(one.status_code, one.text) for one in found]

    def heard(self) -> list[str]:
        self.bob.raw("nothing")
        while self.bob.next().get("error", {}).get("code") != "bad":
            pass
        return self.bob.heard

    def close(self) -> None:
        self.gm.close()
        self.bob.close()


def patches_of(heard: list[str]) -> list[dict[str, object]]:
    return [one for one in map(json.loads, heard) if one["type"] == "patch"]


@pytest.mark.parametrize(
    ("kind", "many"),
    [
        ("rolls", 1),
        ("rolls", 60),
        pytest.param("rolls", 200, marks=pytest.mark.proof),
        pytest.param("requests", 60, marks=pytest.mark.proof),
        pytest.param("characters", 55, marks=pytest.mark.proof),
    ],
)
def test_a_player_receives_the_same_however_much_is_hidden(
    server: ServerThread, kind: str, many: int
) -> None:
    worlds = [World(server) for _ in range(2)]
    worlds[1].hide(kind, many)
    assert worlds[0].heard() == worlds[1].heard()
    assert worlds[0].answers() == worlds[1].answers()
    for world in worlds:
        world.parry()
    assert worlds[0].heard() == worlds[1].heard()
    assert worlds[0].answers() == worlds[1].answers()
    for world in worlds:
        for one in patches_of(world.bob.heard):
            assert one["lines"], "no message without a line of the seat's log"
            world.view = apply_patch(world.view, one["view"])  # type: ignore[arg-type]
        assert world.view == world.seats["bob"].get("/view"), "and nothing is held back"
        world.close()


def test_the_work_of_a_room_for_a_seat_depends_only_on_visible_things(server: ServerThread) -> None:
    """Counted in the thread of tables, for what is asked and for what a command comes to."""
    counts = []
    for many in (0, 80):
        world = World(server)
        world.hide("rolls", many)
        backend = server.rooms[world.seats["bob"].place.partition("~")[0]].backend
        assert isinstance(backend, LocalTable)
        opened = backend.opened
        works: list[Callable[[], object]] = [
            lambda opened=opened: opened._write_patch("bob"),  # type: ignore[misc]
            lambda opened=opened: opened.write_snapshot("bob", 0),  # type: ignore[misc]
            lambda opened=opened: opened.log("bob").texts(0),  # type: ignore[misc]
        ]
        for one in works:
            one()
        counts.append([lines_run(one) for one in works])
        world.close()
    assert counts[0] == counts[1]


def test_a_newcomer_receives_what_every_watcher_received(server: ServerThread) -> None:
    """Their log is copied from that of a spectator; a replay of the whole table says the same."""
    world = World(server)
    world.hide("rolls", 3)
    world.parry()
    world.do(world.gm, "seat", "zoe", name="zoe", role="player")
    made = world.seats["gm"].ask("POST", "/links", {"seat": "zoe"}).json()["link"]
    zoe = Seat(server, made)
    room = server.rooms[zoe.place.partition("~")[0]]
    assert zoe.ask("GET", "/export").text == room.stored.export("zoe")
    world.close()
