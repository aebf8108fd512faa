"""Connection limits: a few clients never take all connections; slow ones are cut off."""

from __future__ import annotations

import json
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from servers import PATIENCE, Seat, ServerProcess, ServerThread, wait_until
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from handful.records import replace
from handful.web.faults import Fault
from handful.web.protocols import ConnectionCounter
from handful.web.settings import ServerLimits, Settings
from handful.web.visitors import Admission, is_within, networks, visitor_at

ONE, OTHER = "127.0.0.1", "127.0.0.2"
SHORT = ServerLimits(
    head_seconds=0.4,
    body_seconds=0.4,
    keep_alive_seconds=0.4,
    connections=100,
    visitor_connections=10,
    sockets_open=40,
    visitor_sockets=3,
)
elsewhere = pytest.mark.skipif(sys.platform != "linux", reason="needs more than one loopback")


def dial(port: int, source: str = ONE) -> socket.socket:
    return socket.create_connection((ONE, port), PATIENCE, (source, 0))


def head(path: str = "/healthz", method: str = "GET", **headers: str) -> bytes:
    given = {"Host": "127.0.0.1", **headers}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in given.items()]
    return "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode()


def answer(to: socket.socket) -> tuple[int, str]:
    """The status and the body of one answer."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = to.recv(65536)
        assert more, "closed without an answer"
        data += more
    top, _, body = data.partition(b"\r\n\r\n")
    length = int(dict(one.lower().split(b": ", 1) for one in top.splitlines()[1:])[b"content-length"])
    while len(body) < length:
        body += to.recv(65536)
    return int(top.split()[1]), body.decode()


def asked(port: int, source: str = ONE, **headers: str) -> tuple[int, str]:
    with dial(port, source) as one:
        one.sendall(head(**headers))
        return answer(one)


def seconds_until_closed(one: socket.socket, drip: bytes = b"") -> float:
    """Send a byte now and then until the server hangs up."""
    began = time.monotonic()
    one.settimeout(0.1)
    while time.monotonic() - began < PATIENCE:
        try:
            if not one.recv(65536):
                break
        except TimeoutError:
            pass
        except OSError:
            break
        if drip:
            try:
                one.sendall(drip)
            except OSError:
                break
    return time.monotonic() - began


@contextmanager
def many_files() -> Iterator[None]:
    import resource

    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < 4_000:
        pytest.skip("this system lets a process open too few files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(least, 4_000), most))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (least, most))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    with ServerThread(tmp_path_factory.mktemp("visitors") / "tables.db", SHORT) as running:
        yield running


def counter(server: ServerThread) -> ConnectionCounter:
    found: ConnectionCounter = server.server.config.http.args[0]  # type: ignore[union-attr]
    return found


def test_clients_are_counted_by_address_and_network() -> None:
    assert visitor_at("203.0.113.7") == "203.0.113.7"
    assert visitor_at("2001:db8::1") == visitor_at("2001:db8::2:0:0:1") == "2001:db8::/64"
    assert visitor_at("2001:db8:0:1::1") != visitor_at("2001:db8::1")
    assert visitor_at("::ffff:203.0.113.7") == "203.0.113.7"
    assert visitor_at("fe80::1%eth0") == "fe80::/64"
    assert len(visitor_at("x" * 5000)) < 100
    known = networks("127.0.0.1, ::1,10.88.0.0/16")
    assert is_within("10.88.3.4", known)
    assert not is_within("10.89.3.4", known)
    assert not is_within("unix", known)


def fill(some: Admission, visitor: str) -> None:
    for _ in range(300):
        some.enter(visitor)


@pytest.mark.parametrize("visitors", [1, 5, 20])
def test_limits_leave_room_for_further_clients(visitors: int) -> None:
    all_of_them = Admission(2_000, 200)
    for name in map(str, range(visitors)):
        with pytest.raises(Fault, match="from your address"):
            fill(all_of_them, name)
    for _ in range(20):
        all_of_them.enter("next")
    assert all_of_them.total < 2_000


def test_a_full_server_answers_503_and_recovers() -> None:
    small = Admission(1, 1)
    with small.holding("one"), pytest.raises(Fault) as full:
        small.enter("other")
    assert (full.value.status, full.value.code) == (503, "too_many")
    with small.holding("other"):
        pass
    assert small.total == 0


@pytest.mark.proof
@elsewhere
def test_another_client_is_answered_during_2100_idle_connections(tmp_path: Path) -> None:
    with many_files(), ServerProcess(tmp_path / "tables.db") as server, ExitStack() as open:
        for _ in range(2_100):
            open.enter_context(dial(server.port))
        assert asked(server.port, OTHER)[0] == 200


@elsewhere
def test_a_client_with_too_many_connections_is_refused(tmp_path: Path) -> None:
    patient = replace(SHORT, head_seconds=PATIENCE)  # idle connections stay open on a slow machine, too
    with ServerThread(tmp_path / "tables.db", patient) as server, ExitStack() as open:
        for _ in range(SHORT.visitor_connections):
            open.enter_context(dial(server.port))
        wait_until(lambda: counter(server).open.total == SHORT.visitor_connections)
        status, body = asked(server.port, Accept_Language="de")
        assert status == 429
        assert json.loads(body)["error"]["code"] == "too_many"
        assert "Adresse" in json.loads(body)["error"]["message"]
        assert asked(server.port, Upgrade="websocket", Connection="Upgrade")[0] == 429
        assert asked(server.port, OTHER)[0] == 200
        open.close()
        wait_until(lambda: counter(server).open.total == counter(server).refused.total == 0)
        assert asked(server.port)[0] == 200


@pytest.mark.parametrize("drip", [b"", b"x"], ids=["silent", "dripping"])
@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HT",
        head()[:-2] + b"X-Slow: ",
        head("/api/sit", "POST", Content_Length="5000") + b'{"token',
        head("/api/sit", "POST", Transfer_Encoding="chunked") + b"1000\r\n{",
        head("/nowhere", "POST", Content_Length="9" * 9),
    ],
    ids=["nothing", "line", "header", "body", "chunked", "refused body"],
)
def test_an_incomplete_request_times_out(server: ServerThread, begun: bytes, drip: bytes) -> None:
    with dial(server.port) as one:
        one.sendall(begun)
        assert seconds_until_closed(one, drip) < 2


def test_the_second_request_of_a_connection_has_the_same_deadlines(server: ServerThread) -> None:
    with dial(server.port) as one:
        one.sendall(head())
        assert answer(one)[0] == 200
        one.sendall(b"G")
        assert seconds_until_closed(one, b"E") < 2
    with dial(server.port) as one:
        one.sendall(head())
        assert answer(one)[0] == 200
        assert 0.2 < seconds_until_closed(one) < 2


def test_an_unread_answer_times_out(server: ServerThread) -> None:
    with dial(server.port) as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        try:
            for _ in range(300):
                one.settimeout(0.5)
                one.sendall(head("/openapi.json") * 20)
        except OSError:
            pass
        wait_until(lambda: counter(server).open.total == 0)


def test_requests_and_sockets_outlast_the_deadlines(server: ServerThread) -> None:
    """The deadlines are for clients: a quiet socket, or a pause between requests, is no fault."""
    seat = server.open()["ann"]
    with seat.listen() as ann:
        ann.next()
        time.sleep(1)
        assert ann.do("declare", check="direct", parameters={"attribute": 3, "target": 2})
    with dial(server.port) as one:
        for _ in range(4):
            time.sleep(0.25)
            one.sendall(head())
            assert answer(one)[0] == 200


def listen(seat: Seat, source: str) -> object:
    return connect(
        f"ws://127.0.0.1:{seat.at.port}{seat.path}/socket",
        additional_headers=seat.cookie,
        source_address=(source, 0),
    )


@elsewhere
def test_one_client_cannot_take_all_sockets(server: ServerThread) -> None:
    seats = server.open()
    with ExitStack() as open:
        for _ in range(SHORT.visitor_sockets):
            open.enter_context(listen(seats["ann"], ONE))  # type: ignore[arg-type]
        with pytest.raises(InvalidStatus) as refused:
            listen(seats["bob"], ONE)
        assert refused.value.response.status_code == 429
        assert b"too_many" in refused.value.response.body
        with listen(seats["bob"], OTHER) as other:  # type: ignore[attr-defined]
            assert json.loads(other.recv(PATIENCE))["type"] == "snapshot"
    wait_until(lambda: server.tables.sockets.total == 0)


def test_behind_a_proxy_clients_are_counted_by_forwarded_address(tmp_path: Path) -> None:
    """All connections come from the proxy: it may have many, and each visitor some requests."""
    slow = ServerLimits(visitor_connections=5)
    half = head("/api/sit", "POST", Content_Length="50", X_Forwarded_For="203.0.113.1")
    with ServerThread(tmp_path / "t.db", slow, public="http://dice.example") as server:
        with ExitStack() as open:
            for _ in range(5):
                one = open.enter_context(dial(server.port))
                one.sendall(half)
            wait_until(lambda: counter(server).open.total == 5)
            time.sleep(0.2)
            assert asked(server.port, X_Forwarded_For="203.0.113.1")[0] == 429
            assert asked(server.port, X_Forwarded_For="203.0.113.2")[0] == 200
        wait_until(lambda: counter(server).open.total == 0)


def test_only_a_proxy_has_no_connection_limit() -> None:
    limits = ServerLimits(visitor_connections=5)
    trusting = ConnectionCounter(Settings(public="https://dice.example", proxies="10.88.0.0/16"), limits)
    for _ in range(500):
        assert trusting.enter("10.88.0.1")[1] is None
    for _ in range(5):
        assert trusting.enter("127.0.0.1")[1] is None
    assert trusting.enter("127.0.0.1")[1] is not None
    alone = ConnectionCounter(Settings(proxies="10.88.0.0/16"), limits)
    assert [alone.enter("10.88.0.1")[1] is None for _ in range(6)] == [True] * 5 + [False]
