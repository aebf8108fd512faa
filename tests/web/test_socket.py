"""The WebSocket: patches, reconnecting, and misbehaving clients."""

from __future__ import annotations

import json
import socket as sockets
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from effort import sample
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from servers import PATIENCE, Seat, ServerThread, Socket, get, wait_until
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from handful.web import schemas
from handful.web.schemas_socket import DoneMessage, ErrorMessage, PatchMessage, SnapshotMessage
from handful.web.settings import ServerLimits

ROLL = {"check": "direct", "parameters": {"attribute": 3, "rerolls": 1, "target": 2}}
MESSAGES = {"snapshot": SnapshotMessage, "patch": PatchMessage, "done": DoneMessage, "error": ErrorMessage}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    patient = ServerLimits(tables_per_hour=1000, burst=10_000, query_burst=10_000, guesses_per_minute=1000)
    with ServerThread(tmp_path_factory.mktemp("web") / "tables.db", patient) as inside:
        yield inside


@pytest.fixture
def seats(server: ServerThread) -> dict[str, Seat]:
    return server.open()


def test_a_socket_sends_a_snapshot_then_patches_then_the_answer(seats: dict[str, Seat]) -> None:
    with seats["ann"].listen() as ann, seats["bob"].listen() as bob:
        snapshot = ann.next()
        assert (snapshot["type"], snapshot["begins"], snapshot["n"]) == ("snapshot", False, 5)
        assert snapshot["view"] == seats["ann"].get("/view")
        bob.next()
        done = ann.do("declare", key="r", **ROLL)
        assert done == {"type": "done", "key": "r", "n": 6}
        (patch,) = (json.loads(one) for one in ann.heard[1:-1])
        assert [one["kind"] for one in patch["lines"]] == ["roll_declared"]
        assert patch["n"] == 6
        assert {*patch["view"]} == {"rolls"}, "only what changed"
        assert [one["data"] for one in bob.next()["lines"]] == [one["data"] for one in patch["lines"]]
        for text in (*ann.heard, *bob.heard):
            message = json.loads(text)
            MESSAGES[message["type"]].model_validate(message)


def test_one_click_is_one_patch_for_each_seat(seats: dict[str, Seat]) -> None:
    with seats["ann"].listen() as ann, seats["bob"].listen() as bob:
        ann.next()
        bob.next()
        done = ann.do("declare", key="r", **ROLL, throw={"faces": [6, 1, 2]})
        (patch,) = (json.loads(one) for one in ann.heard[1:-1])
        assert [one["kind"] for one in patch["lines"]] == ["roll_declared", "dice_thrown"]
        assert (done["n"], patch["view"]["rolls"]["put"]["ann/r"]["phase"]) == (patch["n"], "deciding")
        assert [one["kind"] for one in bob.next()["lines"]] == ["roll_declared", "dice_thrown"]
        refused = ann.do("declare", key="s", **ROLL, throw={"faces": [6, 1, 7]})
        assert (refused["type"], refused["error"]["code"]) == ("error", "refused")
        ann.do("answer", key="t", roll="ann/r", answer=[2], throw={"entropy": "0123"})
        kinds = ["decision_taken", "dice_thrown", "roll_finalised"]
        assert [one["kind"] for one in bob.next()["lines"]] == kinds, "nothing of what was refused"


def test_a_ping_is_answered_and_changes_nothing(seats: dict[str, Seat]) -> None:
    with seats["ann"].listen() as ann:
        n = ann.next()["n"]
        ann.raw('{"type":"ping"}')
        assert ann.next() == {"type": "pong"}
        ann.raw('{"type":"ping","key":"x"}')
        assert ann.next()["error"]["code"] == "bad"
    assert len(seats["ann"].get("/log")) == n


def test_a_reconnecting_client_gets_exactly_the_missed_events(seats: dict[str, Seat]) -> None:
    with seats["ann"].listen() as ann:
        had = ann.next()["n"]
    seats["bob"].do("declare", key="r", **ROLL)
    seats["gm"].do("declare", key="lie", mode="secret", **ROLL)
    seats["bob"].do("throw", roll="bob/r", faces=[6, 6, 1])
    log = seats["ann"].get("/log")
    with seats["ann"].listen(after=had) as ann:
        snapshot = ann.next()
        assert snapshot["lines"] == log[had:]
        assert [one["kind"] for one in snapshot["lines"]] == ["roll_declared", "dice_thrown"]
        assert not snapshot["begins"]
    with seats["ann"].listen(after=snapshot["n"]) as ann:
        assert ann.next()["lines"] == []
    for odd in ("99", "-1", "x", "1" * 30):
        with seats["ann"].listen(after=odd) as ann:  # type: ignore[arg-type]
            snapshot = ann.next()
            assert (snapshot["begins"], snapshot["lines"]) == (True, log)


def test_a_client_that_missed_too_much_gets_a_snapshot(tmp_path: Path) -> None:
    with ServerThread(tmp_path / "tables.db", ServerLimits(replayed_lines=3)) as server:
        seats = server.open()
        with seats["ann"].listen() as ann:
            snapshot = ann.next()
            assert snapshot["begins"]
            assert [one["n"] for one in snapshot["lines"]] == [3, 4, 5]
        with seats["ann"].listen(after=2) as ann:
            assert not ann.next()["begins"]


def test_a_key_takes_effect_once_over_http_and_socket(seats: dict[str, Seat]) -> None:
    ann = seats["ann"]
    with ann.listen() as one, ann.listen() as other:
        one.do("declare", key="r", **ROLL)
        first = one.do("throw", key="t", roll="ann/r")
        assert other.do("throw", key="t", roll="ann/r") == first
        assert ann.do("throw", key="t", roll="ann/r").json()["n"] == first["n"]
        kinds = [one["kind"] for one in ann.get("/log")]
        assert kinds.count("dice_thrown") == 1
        assert other.do("throw", key="t", roll="ann/x")["error"]["code"] == "refused"


def test_both_pages_of_a_seat_receive_the_same(seats: dict[str, Seat]) -> None:
    with seats["ann"].listen() as one:
        one.next()
        seats["bob"].do("declare", **ROLL)
        with seats["ann"].listen() as other:
            other.next()
            seats["bob"].do("declare", **ROLL)
            patch = other.next()
            assert one.next()["n"] == patch["n"] - 1
            assert one.next() == patch


# -- who may not


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Cookie": "handful_seat=x"},
        {"Cookie": ""},
    ],
)
def test_a_socket_from_elsewhere_or_without_a_seat_is_refused(
    seats: dict[str, Seat], headers: dict[str, str]
) -> None:
    with pytest.raises(InvalidStatus) as refused:
        seats["ann"].listen(**headers)
    assert refused.value.response.status_code == 403
    said = json.loads(refused.value.response.body or b"")
    assert schemas.ErrorResponse.model_validate(said).error.code == "forbidden"
    assert "ann" not in json.dumps(said)


def test_a_socket_to_another_name_is_refused(seats: dict[str, Seat]) -> None:
    """A page whose name was made to lead here is of the same origin as its socket."""
    ann = seats["ann"]
    way = sockets.create_connection((ann.at.host, ann.at.port))
    headers = ann.cookie | {"Origin": "http://evil.example"}
    address = f"ws://evil.example{ann.path}/socket"
    with pytest.raises(InvalidStatus), connect(address, sock=way, additional_headers=headers):
        pass
    way.close()


def test_a_socket_of_the_same_origin_is_accepted(seats: dict[str, Seat]) -> None:
    ann = seats["ann"]
    with ann.listen(Origin=ann.at.url) as socket:
        assert socket.next()["type"] == "snapshot"


def test_a_client_asks_for_the_version_of_the_messages(seats: dict[str, Seat]) -> None:
    with seats["ann"].listen("0&protocol=3") as socket:  # type: ignore[arg-type]
        assert socket.next()["protocol"] == 3
    for protocol in ("9", "x", ""):
        with pytest.raises(InvalidStatus) as refused:
            seats["ann"].listen(f"0&protocol={protocol}&lang=de")  # type: ignore[arg-type]
        assert refused.value.response.status_code == 422
        error = json.loads(refused.value.response.body or b"")["error"]
        assert error["message"] == f"dieser Server spricht Protokoll '{protocol}' nicht"
        assert error["hint"] == "er spricht Protokoll 3; lade die Seite neu"


def test_a_page_of_an_older_version_is_told_to_reload(seats: dict[str, Seat]) -> None:
    for protocol in ("1", "2"):
        with seats["ann"].listen(f"0&protocol={protocol}&lang=de") as socket:  # type: ignore[arg-type]
            told = socket.next()
            assert (told["type"], told["key"]) == ("error", None)
            assert "lade die Seite neu" in told["error"]["hint"]
            with pytest.raises(ConnectionClosed) as closed:
                socket.next()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4426


def test_another_seats_place_is_refused(seats: dict[str, Seat]) -> None:
    seats["ann"].place = seats["gm"].place
    with pytest.raises(InvalidStatus):
        seats["ann"].listen()
    seats["bob"].place = "no-such-table~00000000"
    with pytest.raises(InvalidStatus):
        seats["bob"].listen()


def test_the_sockets_of_a_seat_are_limited(tmp_path: Path) -> None:
    with ServerThread(tmp_path / "tables.db", ServerLimits(sockets=2)) as server:
        seats = server.open()
        with seats["ann"].listen(), seats["ann"].listen() as second, seats["bob"].listen():
            second.next()
            with pytest.raises(InvalidStatus) as refused:
                seats["ann"].listen()
            assert refused.value.response.status_code == 429
        wait_until(lambda: not any(room.connections for room in server.rooms.values()))
        with seats["ann"].listen() as again:
            again.next()


# -- bad clients


@pytest.mark.proof
def test_a_client_that_does_not_read_is_dropped_and_delays_no_other(tmp_path: Path) -> None:
    limits = ServerLimits(queued_messages=5, burst=10_000, open_rolls=10_000)
    with ServerThread(tmp_path / "tables.db", limits) as server:
        seats = server.open()
        stalled = deaf(seats["bob"])
        with seats["ann"].listen() as ann:
            ann.next()
            (room,) = server.rooms.values()
            wait_until(lambda: len(room.connections) == 2)
            for _ in range(2000):
                assert ann.do("declare", title="x" * 400, **ROLL)["type"] == "done"
                if len(room.connections) == 1:
                    break
            assert [one.seat for one in room.connections] == ["ann"]
            assert ann.do("declare", **ROLL)["type"] == "done"
        stalled.close()
        with seats["bob"].listen() as bob:
            n = bob.next()["n"]
            (last,) = seats["bob"].get(f"/log?after={n - 1}")
            assert last["n"] == n, "and can come back"


def deaf(seat: Seat) -> sockets.socket:
    """A socket that is opened by hand and never read, with little room on its way."""
    made = sockets.socket()
    made.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    made.connect((seat.at.host, seat.at.port))
    lines = [
        f"GET {seat.path}/socket HTTP/1.1",
        f"Host: {seat.at.host}:{seat.at.port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        f"Cookie: handful_seat={seat.token}",
    ]
    made.sendall("\r\n".join([*lines, "", ""]).encode())
    return made


def test_a_flooding_client_is_refused_then_dropped(tmp_path: Path) -> None:
    with ServerThread(tmp_path / "tables.db", ServerLimits(burst=20, rate=1)) as server:
        seats = server.open()
        with seats["ann"].listen() as ann, seats["bob"].listen() as bob:
            with suppress(ConnectionClosed):
                for _ in range(1000):
                    ann.send("declare", key="same", **ROLL)
            assert ann.closed() == 4429
            codes = {json.loads(one).get("error", {}).get("code") for one in ann.heard}
            assert "too_fast" in codes
            assert bob.do("declare", **ROLL)["type"] == "done"


def test_a_client_that_vanishes_is_forgotten(seats: dict[str, Seat], server: ServerThread) -> None:
    gone = deaf(seats["bob"])
    table = seats["bob"].place.partition("~")[0]
    wait_until(lambda: table in server.rooms and server.rooms[table].connections)
    gone.close()
    wait_until(lambda: not server.rooms[table].connections)


def test_message_sizes_are_limited(seats: dict[str, Seat]) -> None:
    with seats["ann"].listen() as ann:
        ann.next()
        answer = ann.do("declare", check="x" * 100_000)
        assert answer["error"]["code"] == "too_large"
        ann.raw(json.dumps({"x": "x" * 300_000}))
        assert ann.next()["error"]["code"] == "too_large"
        assert ann.do("declare", **ROLL)["type"] == "done"
        ann.raw("x" * 600_000)
        assert ann.closed() == 1009


BAD: list[str | bytes] = [
    "",
    "null",
    "[]",
    "{}",
    "0",
    '"x"',
    "{",
    "\x00",
    "\ud7ff",
    "NaN",
    "[" * 60_000,
    b"",
    b"\xff\xfe",
    '{"type": "command"}',
    '{"type": "hello", "do": "throw", "key": "k"}',
    '{"type": "command", "do": 1, "key": "k"}',
    '{"type": "command", "do": "open", "key": ""}',
    '{"type": "command", "do": "open", "key": "k", "data": []}',
    '{"type": "command", "do": "open", "key": "k", "data": {"table": 1e999}}',
    '{"type": "command", "do": "open", "key": "k", "extra": 1}',
    '{"type": "command", "do": "throw", "key": "k", "data": {"roll": "\\ud800"}}',
    '{"type": "command", "do": "__class__", "key": "k", "data": {}}',
    '{"type": "command", "do": "throw", "key": "\\u0000", "data": {"roll": "x"}}',
    '{"type": "command", "do": "throw", "key": "' + "k" * 61 + '", "data": {}}',
    '{"type": "command", "do": "declare", "key": "big", "data": {"check": "direct", "parameters": '
    '{"attribute": ' + "9" * 5000 + "}}}",
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_a_bad_message_is_answered_and_the_socket_stays_open(seats: dict[str, Seat], number: int) -> None:
    with seats["ann"].listen() as ann:
        ann.next()
        ann.raw(BAD[number])
        answer = ErrorMessage.model_validate(ann.next())
        assert answer.error.code in ("bad", "refused")
        assert ann.do("declare", **ROLL)["type"] == "done"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)
NEARLY = st.fixed_dictionaries(
    {"type": st.just("command")},
    optional={
        "do": st.sampled_from(["throw", "declare", "seat", "reveal", "bring", "fight"]) | JSON,
        "key": st.text(max_size=70) | JSON,
        "data": st.dictionaries(
            st.sampled_from(["roll", "check", "parameters", "name", "role", "sheet", "to"]), JSON
        )
        | JSON,
    },
)


@pytest.fixture(scope="module")
def fuzzed(server: ServerThread) -> Iterator[Socket]:
    """Open a socket to send frames to; afterwards the table must be intact."""
    seats = server.open()
    with seats["ann"].listen() as ann:
        ann.next()
        yield ann
        assert ann.do("declare", key="end", **ROLL)["type"] == "done"
        assert {one["name"] for one in seats["gm"].get("/view")["seats"]} == {"gm", "ann", "bob"}


@pytest.mark.sampled
@settings(max_examples=sample(30, 150), deadline=None, suppress_health_check=[*HealthCheck])
@given(frame=st.binary(max_size=60) | st.text(max_size=60) | NEARLY.map(json.dumps))
def test_fuzzed_frames_get_one_typed_answer_each(fuzzed: Socket, frame: str | bytes) -> None:
    fuzzed.raw(frame)
    while (message := fuzzed.next())["type"] == "patch":
        pass
    MESSAGES[message["type"]].model_validate(message)
    if message["type"] == "error":
        assert message["error"]["code"] in ("bad", "refused", "too_many", "too_big")


@pytest.mark.parametrize(
    "frame",
    [
        b"\x81\x05hello",  # a client must mask
        b"\xf1\x80\x00\x00\x00\x00",  # reserved bits
        b"\x83\x80\x00\x00\x00\x00",  # no such kind of frame
        b"\x80\x80\x00\x00\x00\x00",  # goes on with nothing
        b"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00",  # without end
        b"\x81\x82\x00\x00\x00\x00\xff\xfe",  # no text
        b"\x89\xfe\x01\x00" + bytes(260),  # a ping that is too long
        b"GET / HTTP/1.1\r\n\r\n",
    ],
)
def test_broken_frames_end_their_socket_and_no_other(seats: dict[str, Seat], frame: bytes) -> None:
    with seats["ann"].listen() as ann:
        ann.next()
        broken = deaf(seats["bob"])
        broken.settimeout(PATIENCE)
        said = b""
        while b'"type":"snapshot"' not in said:
            said += broken.recv(65536)
        broken.sendall(frame)
        try:
            while broken.recv(65536):
                pass
        except ConnectionError:
            pass
        broken.close()
        assert ann.do("declare", **ROLL)["type"] == "done"
    assert get(f"{seats['ann'].at.url}/healthz").status_code == 200


def test_many_listeners_all_receive(seats: dict[str, Seat]) -> None:
    """An order of magnitude: thirty sockets hear of a roll in less than a second each."""
    listening = [seats[name].listen() for name in ("gm", "ann", "bob") for _ in range(10)]
    try:
        for one in listening:
            one.next()
        began = time.monotonic()
        seats["ann"].do("declare", **ROLL)
        heard: list[Any] = [one.next()["lines"] for one in listening]
        assert time.monotonic() - began < 10
        assert all(len(one) == 1 for one in heard)
    finally:
        for one in listening:
            one.close()


def test_the_write_ahead_log_is_checkpointed_while_the_server_runs(tmp_path: Path) -> None:
    data = tmp_path / "tables.db"
    with ServerThread(data, ServerLimits(watch_seconds=0.05)) as server, server.open()["ann"].listen() as ann:
        ann.next()
        assert ann.do("declare", title="lies in the file itself", **ROLL)["type"] == "done"
        wait_until(lambda: b"lies in the file itself" in data.read_bytes())


def test_a_socket_that_asks_is_told_who_is_here(seats: dict[str, Seat]) -> None:
    """It follows from connections: a secret roll changes nothing; a socket that does not ask hears none."""

    def here(socket: Socket) -> list[Any]:
        return [one["seats"] for one in map(json.loads, socket.heard) if one["type"] == "here"]

    with seats["ann"].listen(here=True) as ann, seats["bob"].listen() as bob:
        assert ann.next()["type"] == "snapshot"
        bob.next()
        wait_until(lambda: ann.next() and here(ann)[-1] == ["ann", "bob"])
        told = len(here(ann))
        with seats["gm"].listen() as gm:
            gm.next()
            assert ann.next() == {"type": "here", "seats": ["ann", "bob", "gm"]}
            gm.do("declare", key="s", mode="secret", **ROLL)
        assert ann.next() == {"type": "here", "seats": ["ann", "bob"]}
        assert len(here(ann)) == told + 2
        assert here(bob) == []
