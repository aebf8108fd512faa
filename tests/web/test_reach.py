"""Who can reach a server: only this machine, its network, or everybody; and what friends type.

The network of these tests is 127.0.0.2, a second address of this machine, so that nothing listens
beyond it.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest
from cli_runner import assert_refused, run_cli
from servers import ServerThread, get, post

from handful.errors import FileFault
from handful.web import network_addresses
from handful.web.reach import Reach, bind
from handful.web.run import announce, bind_sockets
from handful.web.settings import Settings

HOME, OTHER = "192.168.178.20", "fd00::20"


def network(*addresses: str) -> Callable[[], list[str]]:
    return lambda: list(addresses)


class Probe:
    """A UDP socket whose system has these routes; it fails a test that would send anything."""

    routes: ClassVar[dict[str, str]] = {}

    def __init__(self, family: int, kind: int) -> None:
        assert kind == socket.SOCK_DGRAM
        self.source = ""

    def connect(self, at: tuple[str, int]) -> None:
        if at[0] not in self.routes:
            raise OSError("network is unreachable")
        self.source = self.routes[at[0]]

    def getsockname(self) -> tuple[str, int]:
        return self.source, 50_000

    def __enter__(self) -> Probe:
        return self

    def __exit__(self, *_: object) -> None: ...


@pytest.mark.parametrize(
    ("routes", "found"),
    [
        ({}, []),
        ({"192.0.2.1": "192.168.178.20"}, ["192.168.178.20"]),
        ({"192.0.2.1": "127.0.0.1", "2001:db8::1": "::1"}, []),
        ({"192.0.2.1": "169.254.3.4", "2001:db8::1": "fe80::1"}, []),
        ({"2001:db8::1": "2a02:8109::5", "fd00::1": "fd00::20"}, ["fd00::20", "2a02:8109::5"]),
        ({"192.0.2.1": "10.8.0.2", "192.168.1.1": "192.168.1.7"}, ["10.8.0.2", "192.168.1.7"]),
        ({"192.0.2.1": "93.184.216.34", "fd00::1": "fd00::20"}, ["93.184.216.34", "fd00::20"]),
    ],
)
def test_the_likeliest_address_of_this_machine_comes_first(
    monkeypatch: pytest.MonkeyPatch, routes: dict[str, str], found: list[str]
) -> None:
    monkeypatch.setattr(Probe, "routes", routes)
    monkeypatch.setattr(network_addresses.socket, "socket", Probe)
    assert network_addresses.lan_addresses() == found


def test_a_machine_without_ipv6_still_finds_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.socket

    def only_ipv4(family: int, kind: int) -> Any:
        if family == socket.AF_INET6:
            raise OSError("address family not supported")
        return real(family, kind)

    monkeypatch.setattr(network_addresses.socket, "socket", only_ipv4)
    assert all(":" not in one for one in network_addresses.lan_addresses())


@pytest.mark.parametrize(
    ("settings", "scope", "urls"),
    [
        (Settings(), "machine", []),
        (Settings(host="::1"), "machine", []),
        (Settings(lan=True), "network", [f"http://{HOME}:8000", f"http://[{OTHER}]:8000"]),
        (Settings(host="0.0.0.0"), "network", [f"http://{HOME}:8000", f"http://[{OTHER}]:8000"]),
        (Settings(host=OTHER, port=80), "network", [f"http://[{OTHER}]:80"]),
        (Settings(public="https://dice.example"), "public", ["https://dice.example"]),
    ],
)
def test_links_carry_an_address_that_others_can_open(settings: Settings, scope: str, urls: list[str]) -> None:
    reach = Reach(settings, network(HOME, OTHER))
    assert (reach.scope, reach.urls()) == (scope, urls)


@pytest.mark.parametrize(
    ("name", "local", "known"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("localhost", "127.0.0.1", True),
        (HOME, "127.0.0.1", True),
        (OTHER, OTHER, True),
        ("fd00:0::20", OTHER, True),
        ("10.0.0.9", "10.0.0.9", True),  # the machine has just changed networks
        ("10.0.0.9", HOME, False),
        ("evil.example", HOME, False),
        ("", HOME, False),
        (f"{HOME}.evil.example", HOME, False),
    ],
)
def test_on_the_network_only_own_addresses_are_accepted_as_host(name: str, local: str, known: bool) -> None:
    assert Reach(Settings(lan=True), network(HOME, OTHER)).knows_host(name, local) is known


def test_on_loopback_the_address_on_the_network_is_a_foreign_name() -> None:
    assert not Reach(Settings(), network(HOME)).knows_host(HOME, "127.0.0.1")


def test_with_lan_one_port_is_opened_for_both_families(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("handful.web.run.WILDCARDS", ("127.0.0.1", "::1"))
    opened = bind_sockets(Settings(port=0, lan=True))
    try:
        assert len({one.getsockname()[1] for one in opened}) == 1
    finally:
        for one in opened:
            one.close()


def test_without_ipv6_the_server_listens_on_ipv4_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("handful.web.run.WILDCARDS", ("127.0.0.1", "2001:db8::9"))  # not ours
    opened = bind_sockets(Settings(port=0, lan=True))
    assert [one.family for one in opened] == [socket.AF_INET]
    opened[0].close()


def test_on_windows_nobody_can_take_the_port_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """There SO_REUSEADDR means that another program may listen on a port that is in use."""
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_KEEPALIVE, raising=False)
    with bind("127.0.0.1", 0) as bound:
        assert bound.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        assert not bound.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)


@pytest.mark.parametrize(
    ("settings", "found", "says"),
    [
        (Settings(), [HOME], f"With --lan, friends on this network open http://{HOME}:8000"),
        (Settings(lan=True), [HOME], f"Friends on this network open http://{HOME}:8000"),
        (Settings(lan=True), [], "on no network"),
    ],
)
def test_the_start_says_what_friends_type(
    settings: Settings, found: list[str], says: str, caplog: pytest.LogCaptureFixture
) -> None:
    announce(Reach(settings, network(*found)))
    assert "serves handful.db at http://127.0.0.1:8000" in caplog.text
    assert says in caplog.text


@pytest.mark.parametrize(
    ("typed", "flag"),
    [
        ("serve --lan --host 10.0.0.1", "--host"),
        ("serve --lan --host 127.0.0.1", "--host"),
        ("serve --lan --public https://dice.example", "--public"),
    ],
)
def test_lan_beside_another_address_is_refused(typed: str, flag: str) -> None:
    says = f"--lan listens on all interfaces of this machine; {flag} says something else"
    assert_refused(run_cli(f"handful {typed}"), says)


# -- opening a running server to the network


def serving(folder: Path, *addresses: str, **more: Any) -> ServerThread:
    server = ServerThread(folder / "tables.db", **more)
    server.server.reach._find = network(*addresses)
    return server


def test_the_gm_at_the_machine_lets_others_in(tmp_path: Path) -> None:
    with serving(tmp_path, "127.0.0.2") as server:
        seats = server.open(gm="kim")
        theirs = f"http://127.0.0.2:{server.port}"
        with pytest.raises(OSError):
            socket.create_connection(("127.0.0.2", server.port), 1)
        before = seats["kim"].get("/reach")
        assert before == {"scope": "machine", "addresses": [], "may_open": True, "would_open": [theirs]}
        after = seats["kim"].ask("POST", "/reach").json()
        assert after == {"scope": "network", "addresses": [theirs], "may_open": False, "would_open": []}
        assert get(f"{theirs}/healthz").status_code == 200
        assert get(f"{theirs}{seats['ann'].link}").status_code == 303
        assert seats["kim"].ask("POST", "/reach").json() == after  # once is enough
        assert get(f"{server.url}/healthz").status_code == 200
    with pytest.raises(OSError):  # and it stops with the others
        socket.create_connection(("127.0.0.2", server.port), 1)


def test_only_a_gm_at_the_machine_lets_others_in(tmp_path: Path) -> None:
    with serving(tmp_path, "127.0.0.2") as server:
        seats = server.open(gm="kim")
        assert seats["ann"].ask("POST", "/reach").status_code == 403
        assert seats["ann"].ask("GET", "/reach").status_code == 403
        for header in ("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"):
            answer = seats["kim"].ask("POST", "/reach", **{header: "10.0.0.7"})
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden")
        foreign = seats["kim"].ask("POST", "/reach", Origin="http://evil.example")
        assert foreign.status_code == 403
        assert server.server.reach.scope == "machine"


def test_without_a_network_nobody_can_be_let_in(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        answer = server.open(gm="kim")["kim"].ask("POST", "/reach", **{"Accept-Language": "de"})
        assert answer.status_code == 409
        assert answer.json()["error"]["message"].startswith("dieser Rechner ist in keinem Netz")


def test_an_address_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with serving(tmp_path, "127.0.0.2") as server:
        with socket.create_server(("127.0.0.2", server.port)):
            answer = server.open(gm="kim")["kim"].ask("POST", "/reach")
        assert answer.status_code == 409
        assert "127.0.0.2" in answer.json()["error"]["message"]
        assert server.server.reach.scope == "machine"


def test_a_foreign_name_is_refused_on_the_network(tmp_path: Path) -> None:
    with serving(tmp_path, "127.0.0.2", lan=True) as server:
        body = {"game": "uwr", "title": "Friday"}
        for host, status in (("evil.example", 403), ("127.0.0.2", 201), ("localhost", 201)):
            headers = {"Host": f"{host}:{server.port}"}
            assert post(f"{server.url}/api/tables", json=body, headers=headers).status_code == status
        headers = {"Host": f"127.0.0.2:{server.port}", "Origin": "http://evil.example"}
        assert post(f"{server.url}/api/tables", json=body, headers=headers).status_code == 403


def test_a_taken_port_is_refused_with_the_address() -> None:
    with bind("127.0.0.1", 0) as taken:
        taken.listen()
        with pytest.raises(FileFault, match="cannot listen"):
            bind("127.0.0.1", taken.getsockname()[1])


# -- opening the browser


def test_the_browser_is_opened_when_the_pages_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    server = serving(tmp_path)
    server.server.on_started = lambda: opened.append("now")
    with server:
        assert opened == ["now"]


@pytest.mark.parametrize(
    ("platform", "screen", "opens"),
    [("linux", "", False), ("linux", ":0", True), ("win32", "", True), ("darwin", "", True)],
)
def test_a_browser_is_opened_where_there_is_a_screen(
    platform: str, screen: str, opens: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handful.cli import serve

    monkeypatch.setattr(serve.sys, "platform", platform)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"):
        monkeypatch.delenv(name, raising=False)
    if screen:
        monkeypatch.setenv("DISPLAY", screen)
    assert serve._has_screen() is opens
