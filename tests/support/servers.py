"""Real web servers on loopback: in a thread of this process, or in a process of their own."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import anyio
import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from handful.web.rooms import Room
from handful.web.run import bind_sockets, uvicorn_server
from handful.web.server import Server
from handful.web.settings import ServerLimits, Settings

# anyio reads these when they are first used, and pytest then parses them: not in a thread of a
# server, where Python 3.11 may stumble over rules that another one parses (`grammar.parsed`).
READ = (anyio.open_file, anyio.to_thread, anyio.create_task_group, anyio.CapacityLimiter)

PATIENCE = 20.0  # seconds: only a broken server takes as long
SOURCE = Path(__file__).resolve().parents[2] / "src"
_ = anyio.open_file  # else imported by the first page served, in a thread, and rewritten by pytest
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # nothing is encrypted here, nothing to load


def request(method: str, url: str, **more: Any) -> httpx.Response:
    """Send a request without cookies."""
    return httpx.request(method, url, verify=NO_TLS, **{"timeout": PATIENCE, **more})


def get(url: str, **more: Any) -> httpx.Response:
    return request("GET", url, **more)


def post(url: str, **more: Any) -> httpx.Response:
    return request("POST", url, **more)


def wait_until(true: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """Poll until the result is true, and return it."""
    ends = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < ends, "it never came true"
        time.sleep(0.01)
    return found


def apply_patch(view: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    """Return a view with a patch applied, item by item in keyed lists."""

    def part(name: str, new: Any) -> Any:
        key = name.removesuffix("s")
        if name not in ("characters", "requests", "contests", "rolls", "messages"):
            return new
        items = {one[key]: one for one in view[name]} | new.get("put", {})
        items = {name: one for name, one in items.items() if name not in new.get("gone", [])}
        return [items[name] for name in new.get("order", items)]

    return view | {name: part(name, new) for name, new in patch.items()}


class Address:
    """Address of a server, with a way to open tables on it."""

    host = "127.0.0.1"
    port: int

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def open(self, **wanted: Any) -> dict[str, Seat]:
        """Open a table and return its seats by name; "" is the link for watchers."""
        body = {"game": "uwr", "title": "Friday", "players": ["ann", "bob"], **wanted}
        answer = post(f"{self.url}/api/tables", json=body)
        assert answer.status_code == 201, answer.text
        return {name: Seat(self, link) for name, link in answer.json()["links"].items()}


class Seat:
    """Client with the link of one seat: its cookie, requests and socket."""

    def __init__(self, at: Address, link: str) -> None:
        self.at, self.link, self.token = at, link, link.rpartition("/")[2]
        answer = get(at.url + link)
        self.place = answer.headers.get("location", "/t/").removeprefix("/t/")
        self.count = 0

    @property
    def cookie(self) -> dict[str, str]:
        return {"Cookie": f"handful_seat={self.token}"}

    @property
    def path(self) -> str:
        return f"/api/tables/{self.place}"

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        return request(method, f"{self.at.url}{self.path}{path}", json=body, headers=self.cookie | headers)

    def get(self, path: str) -> Any:
        answer = self.ask("GET", path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def do(self, do: str, key: str = "", **data: Any) -> httpx.Response:
        """Send a command over HTTP."""
        self.count += 1
        body = {"do": do, "key": key or f"h{self.count}", "data": data}
        return self.ask("POST", "/commands", body)

    def listen(self, after: int = 0, *, here: bool = False, **headers: str) -> Socket:
        """Open a socket; `here`: be told who is connected."""
        address = f"ws://{self.at.host}:{self.at.port}{self.path}/socket?after={after}{'&here=1' * here}"
        return Socket(
            connect(
                address,
                additional_headers=self.cookie | headers,
                open_timeout=PATIENCE,
                close_timeout=1,
                max_size=None,
                compression=None,
            )
        )


class Socket:
    """Open WebSocket with every message received."""

    def __init__(self, manager: Any) -> None:
        self._manager = manager
        self.socket: ClientConnection = manager.__enter__()
        self.heard: list[str] = []
        self.count = 0

    def next(self, seconds: float = PATIENCE) -> dict[str, Any]:
        text = self.socket.recv(seconds)
        assert isinstance(text, str)
        self.heard.append(text)
        message: dict[str, Any] = json.loads(text)
        return message

    def send(self, do: str, key: str = "", **data: Any) -> str:
        self.count += 1
        key = key or f"s{self.count}"
        self.raw(json.dumps({"type": "command", "do": do, "key": key, "data": data}))
        return key

    def raw(self, text: str | bytes) -> None:
        self.socket.send(text)

    def do(self, do: str, key: str = "", **data: Any) -> dict[str, Any]:
        """Send a command and return its answer; earlier messages are in `heard`."""
        key = self.send(do, key, **data)
        while (found := self.next()).get("key") != key:
            pass
        return found

    def closed(self) -> int:
        """Read until the server closes the socket; return its close code."""
        try:
            while True:
                self.next()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006

    def close(self) -> None:
        self._manager.__exit__(None, None, None)

    def __enter__(self) -> Socket:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def same_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give all tables equal clocks and secrets."""
    set_clock(monkeypatch, lambda: "2026-11-15T20:00:00Z")
    for module in ("web.new_tables", "store.sql", "store.stored_table"):
        monkeypatch.setattr(f"handful.{module}.token_bytes", lambda size: bytes(size))


def set_clock(monkeypatch: pytest.MonkeyPatch, clock: Callable[[], str]) -> None:
    """Let the tables of a `ServerThread` take their time from a clock of the test."""
    for module in ("new_tables", "room_registry"):
        monkeypatch.setattr(f"handful.web.{module}.now", clock)


class ServerThread(Address):
    """A server in a thread of this process, whose parts tests can reach."""

    def __init__(self, data: Path, limits: ServerLimits | None = None, **more: Any) -> None:
        settings = Settings(data=str(data), **more)
        self.server = uvicorn_server(settings, limits or ServerLimits())
        self.listening = bind_sockets(Settings(port=0))[0]
        self.port = self.server.reach.port = self.listening.getsockname()[1]
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        asyncio.run(self.server.serve([self.listening]))

    @property
    def tables(self) -> Server:
        tables: Server = self.server.config.app.state.server  # type: ignore[union-attr]
        return tables

    @property
    def rooms(self) -> dict[str, Room]:
        """The open rooms, by the id of their table."""
        return self.tables.rooms.by_table

    def __enter__(self) -> ServerThread:
        self.thread.start()
        wait_until(lambda: self.server.started or not self.thread.is_alive())
        assert self.server.started
        return self

    def __exit__(self, *_: TracebackType | BaseException | type[BaseException] | None) -> None:
        self.server.should_exit = True
        self.thread.join(PATIENCE)
        self.listening.close()
        assert not self.thread.is_alive()


class ServerProcess(Address):
    """`handful serve` in a process of its own; it can be killed, and comes back at its port."""

    def __init__(self, data: Path | str, *flags: str, port: int = 0, log: Path | None = None) -> None:
        self.data, self.flags, self.port = data, flags, port
        self.log = log or Path(data).with_suffix(".log")
        self.process: subprocess.Popen[bytes]

    def start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "handful",
            "serve",
            "--port",
            str(self.port),
            "--data",
            str(self.data),
            *self.flags,
        ]
        before = self.said().count("Handful serves") if self.log.exists() else 0
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, stderr=log, stdin=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(SOURCE)}
            )
        wait_until(lambda: self.said().count("Handful serves") > before or self.process.poll())
        found = re.findall(r"at http://\S+:(\d+)", self.said())
        assert found, self.said()
        self.port = int(found[-1])
        wait_until(self._answers)

    def _answers(self) -> bool:
        try:
            return get(f"{self.url}/healthz").status_code == 200
        except httpx.TransportError:
            return False

    def said(self) -> str:
        return self.log.read_text(encoding="utf-8")

    @property
    def workers(self) -> list[int]:
        """The process ids of the workers, of a server that has several."""
        pid = self.process.pid
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)

    def __enter__(self) -> ServerProcess:
        self.start()
        return self

    def __exit__(self, *_: Any) -> None:
        if self.process.poll() is None:
            self.kill()
