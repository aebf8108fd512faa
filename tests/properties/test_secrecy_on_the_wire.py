"""Non-interference on the wire: servers that differ in hidden facts send a seat the same bytes.

The proof of tests/table/test_visibility.py once more, with real sockets: every command goes over a
WebSocket, and what the seat gets by it, over HTTP, as exports and as errors is compared, with the
number and the size of its messages.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import httpx
import pytest
from effort import sample
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule
from servers import NO_TLS, Seat, ServerThread, Socket, same_secrets

from handful.errors import Refused
from handful.table import Table
from handful.web import joining, new_tables
from handful.web.settings import ServerLimits
from table.test_visibility import LATE, SEATS, OtherDice, TwoWorlds

PATIENT = ServerLimits(
    tables_per_hour=10**6,
    burst=10**6,
    query_burst=10**6,
    guesses_per_minute=10**6,
    open_rolls=40,
    watch_seconds=3600,
    room_idle_seconds=3600,
)


class Served:
    """Two servers for all examples; each world is a table of one of them."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.servers = [ServerThread(self.folder / f"{at}.db", PATIENT) for at in range(2)]
        self.clients = [httpx.Client(verify=NO_TLS, timeout=20) for _ in self.servers]
        for one in self.servers:
            one.__enter__()

    def close(self) -> None:
        for one in self.servers:
            one.__exit__(None, None, None)
        for client in self.clients:
            client.close()
        shutil.rmtree(self.folder)


class World:
    """A table over the wire, to be driven as the one of the core is."""

    def __init__(self, at: ServerThread, client: httpx.Client, game: str, hidden: set[str] | None) -> None:
        self.count, self.client, self.new_id = 0, client, ""
        body = {"game": game, "title": "evening", "players": ["ann", "bob"]}
        seats = at.open(**body)
        eve = client.post(f"{at.url}/api/sit", json={"token": seats.pop("").token, "name": "eve"})
        self.seats = {**seats, "eve": Seat(at, eve.json()["link"])}
        self.at, self.name = at, seats["gm"].place.partition("~")[0]
        self.seats["gm"].get("/view")
        if hidden is not None:
            stored: Any = at.rooms[self.name].stored
            stored.dice = OtherDice(stored.dice, hidden)
            stored.dice.world = self
        self.sockets: dict[str, Socket] = {}
        for name in self.seats:
            self.listen(name)

    def listen(self, name: str) -> Socket:
        if name not in self.seats:  # came later: the GM gives them a link
            made = self.seats["gm"].ask("POST", "/links", {"seat": name})
            self.seats[name] = Seat(self.at, made.json()["link"])
        if name not in self.sockets:
            self.sockets[name] = self.seats[name].listen()
            self.sockets[name].next()
        return self.sockets[name]

    @property
    def table(self) -> Table:
        return self.at.rooms[self.name].table

    def do(self, actor: str, do: str, key: str = "", **data: Any) -> None:
        self.count += 1
        if actor not in self.table.seats:
            raise Refused("has no seat")
        self.new_id = f"{actor}/{key or self.count}"
        said = {name.rstrip("_"): one for name, one in data.items()}
        answer = self.listen(actor).do(do, key or str(self.count), **said)
        if answer["type"] == "error":
            raise Refused(answer["error"]["message"], answer["error"]["hint"])

    def heard(self, name: str) -> list[str]:
        """Everything that a seat was sent; the answer to nothing comes after all of it."""
        socket = self.listen(name)
        socket.raw("nothing")
        while socket.next().get("error", {}).get("code") != "bad":
            pass
        return socket.heard

    def answers(self, name: str, asks: tuple[tuple[str, str, Any], ...]) -> list[tuple[int, bytes]]:
        seat, made = self.seats[name], []
        for method, path, body in asks:
            answer = self.client.request(
                method, f"{self.at.url}{seat.path}{path}", json=body, headers=seat.cookie
            )
            assert int(answer.headers["content-length"]) == len(answer.content)
            made.append((answer.status_code, answer.content))
        return made

    def close(self) -> None:
        for one in self.sockets.values():
            one.close()


SERVED: list[Served] = []


class OverTheWire(TwoWorlds):
    """Send the same commands to two servers that are the two worlds."""

    worlds: list[World]  # type: ignore[assignment]

    @initialize(seat=st.sampled_from([*SEATS, LATE]), game=st.sampled_from(["uwr", "me-d6", "tuurna"]))
    def open(self, seat: str, game: str) -> None:
        self.seat, self.game = seat, game
        (both,) = SERVED
        parts = zip(both.servers, both.clients, (None, self.hidden), strict=True)
        self.worlds = [World(at, client, game, hidden) for at, client, hidden in parts]

    def both(self, actor: str, do: str, first: dict[str, Any], second: dict[str, Any] | None = None) -> None:
        super().both(actor, do, first, second)
        if self.seat in self.worlds[0].table.seats:
            here, there = (world.heard(self.seat) for world in self.worlds)
            assert here == there, "one after the other, byte by byte"

    @rule(strong=st.booleans(), name=st.sampled_from(["secret", "gm"]))
    def more_than_the_seat_may_have_open(self, strong: bool, name: str) -> None:
        """ServerLimits count by what the seat knows: here is one more, of which it knows nothing."""
        if self.seat == "gm" or "gm" in self.worlds[0].table.left_seats:
            return
        self.count += 1
        asked = {"check": self.check, "parameters": self.asked(strong, 1), "for": self.seat}
        if self.seat in self.worlds[0].table.seats and self.seat not in ("eve", LATE):
            self.differ.add(f"gm/k{self.count}")
            self.hidden.add(f"gm/k{self.count}")
            try:
                self.worlds[0].do("gm", "declare", key=f"k{self.count}", mode="gm", **asked)
            except Refused:
                return

    @invariant()
    def the_seat_cannot_tell(self) -> None:
        self.compare(("GET", "/view", None))

    def compare(self, *asks: tuple[str, str, Any]) -> None:
        """Return the messages and answers that the seat receives."""
        if hasattr(self, "worlds") and self.seat in self.worlds[0].table.seats:
            answers = [world.answers(self.seat, asks) for world in self.worlds]
            assert answers[0] == answers[1]
            heard = [world.heard(self.seat) for world in self.worlds]
            assert heard[0] == heard[1]
            assert all(f'"seat":"{self.seat}"' in one[0] for one in heard), "it is their own"

    def teardown(self) -> None:
        """In the end everything that can be asked for, and everything that is refused."""
        try:
            sketch = {"check": self.check, "parameters": self.asked(True, 2)}
            self.compare(
                ("GET", "/log?after=3", None),
                ("GET", "/export", None),
                ("GET", "/luck", None),
                ("GET", "/links", None),
                ("POST", "/sketch", {"data": sketch}),
                ("POST", "/sketch", {"data": {"check": self.check, "as": "gm/Nobody"}}),
                *(("GET", f"/odds?roll={one}", None) for one in [*self.rolls[-4:], "gm/none"]),
                *(
                    ("POST", "/commands", {"do": "judge", "key": f"z{at}", "data": {"roll": one}})
                    for at, one in enumerate([*self.rolls[-4:], "gm/none"])
                    if self.seat != "gm"
                ),
            )
        finally:
            for world in getattr(self, "worlds", []):
                world.close()


OverTheWire.TestCase.settings = settings(
    max_examples=sample(3, 10), stateful_step_count=12, deadline=None, phases=[Phase.explicit, Phase.generate]
)


@pytest.mark.sampled
class TestOverTheWire(OverTheWire.TestCase):  # type: ignore[name-defined,misc]
    @pytest.fixture(autouse=True)
    def served(self, monkeypatch: pytest.MonkeyPatch) -> Any:
        """Give both worlds equal clocks, secrets and names."""
        same_secrets(monkeypatch)
        names = iter(range(10**6))
        for module in (new_tables, joining):  # each world names a table and an invited seat
            monkeypatch.setattr(module, "token_hex", lambda size: f"{next(names) // 4:08x}")
        SERVED.append(Served())
        yield
        SERVED.pop().close()


def test_consequences_of_a_seats_own_command_are_not_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann's throw decides a contest of which she knows nothing; elsewhere there is none."""
    same_secrets(monkeypatch)
    asked = {"check": "direct", "parameters": {"attribute": 3, "target": 2}}
    heard = []
    with ServerThread(tmp_path / "tables.db", PATIENT) as server:
        for hidden in (True, False):
            seats = server.open(title="evening")
            with seats["ann"].listen() as ann, seats["gm"].listen() as gm:
                if hidden:
                    gm.do("declare", key="lie", mode="secret", **asked)
                ann.do("declare", key="r", **asked)
                if hidden:
                    sides = [{"roll": "gm/lie"}, {"roll": "ann/r"}]
                    assert gm.do("challenge", check="opposed", sides=sides)["type"] == "done"
                    gm.do("throw", roll="gm/lie")
                ann.do("throw", key="t", roll="ann/r")
                ann.do("throw", key="t", roll="ann/r")
                if hidden:
                    (contest,) = seats["gm"].get("/view")["contests"]
                    assert contest["result"], "it is decided by the throw"
                heard.append(ann.heard)
    assert heard[0] == heard[1]
