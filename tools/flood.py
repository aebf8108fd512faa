"""Send tens of thousands of bad requests to a server and print its memory before and after.

python tools/flood.py                      # starts `handful serve` on loopback, sends 50,000
python tools/flood.py 3000 --kind deep     # fewer, of one kind; --list names the kinds

Each kind is something that a stranger may send: malformed or too deeply nested JSON, wrong types,
unknown paths, bad headers, tokens, languages and query strings, bytes that are not UTF-8, aborted
requests, and the same on the routes of a seat.  The exit status is 1 if the resident memory grew by
more than 50 MB.
"""

import argparse
import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import cycle, islice
from mmap import PAGESIZE
from pathlib import Path
from random import Random

MEGA = 1024 * 1024
MOST_GROWTH = 50 * MEGA
CONNECTIONS = 4
SETTLE = 3.0  # seconds after the flood in which the server may collect garbage
JSON = "application/json"
POSTS = (
    "/api/sit",
    "/api/tables",
    "/api/games/uwr/odds",
    "/api/games/uwr/survey",
    "/api/diff",
    "/api/games/uwr/claims",
    "/api/brews",
    "/api/brews/check",
    "/api/brews/edit",
)
SEATED = ("/commands", "/sketch", "/preview", "/rules", "/links", "/links/revoke")
Request = Callable[[Random], bytes]


class Target:
    """A server's port, and the path and token of one of its seats."""

    def __init__(self, port: int, seat: str = "", token: str = "") -> None:
        self.port, self.seat, self.token = port, seat, token

    def request(self, method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
        given = {"Host": f"127.0.0.1:{self.port}", "Content-Length": str(len(body)), **headers}
        head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in given.items())
        return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("latin-1") + body

    def post(self, path: str, body: bytes, **headers: str) -> bytes:
        return self.request("POST", path, body, Content_Type=JSON, **headers)


def word(rng: Random, most: int = 40) -> str:
    return "".join(rng.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=rng.randint(1, most)))


def kinds(to: Target) -> dict[str, Request]:
    """Return a generator of bad requests for each kind, by name."""
    post, get, cookie = to.post, to.request, {"Cookie": f"handful_seat={to.token}"}
    own = [to.seat + path for path in SEATED]
    return {
        "deep": lambda rng: post("/api/brews/check", b"[" * 327_000),
        "deep elsewhere": lambda rng: post(rng.choice(POSTS[:6]), b'{"a":' * 12_000),
        "nested": lambda rng: post(rng.choice(POSTS), b"[" * 30_000 + b"]" * 30_000),
        "junk": lambda rng: post(rng.choice(POSTS), rng.randbytes(60_000).hex().encode()[:64_000]),
        "cut": lambda rng: post(rng.choice(POSTS), b'{"token": "' + word(rng).encode() * 1000),
        "types": lambda rng: post(
            rng.choice(POSTS),
            json.dumps(
                {name: [word(rng)] * 900 for name in ("token", "game", "ruleset", "check", "after")}
            ).encode(),
        ),
        "not utf-8": lambda rng: post(rng.choice(POSTS), b"\xff\xfe{" + rng.randbytes(900)),
        "no json": lambda rng: get("POST", rng.choice(POSTS), b"a" * 9000, Content_Type="text/csv"),
        "unknown path": lambda rng: get("GET", f"/{word(rng)}/{word(rng)}"),
        "unknown file": lambda rng: get("GET", f"/static/{word(rng)}.js"),
        "unknown game": lambda rng: post(f"/api/games/{word(rng)}/odds", b"{}"),
        "unknown brew": lambda rng: get("GET", f"/api/brews/{rng.randbytes(32).hex()}"),
        "unknown method": lambda rng: get(word(rng, 9).upper(), "/api/sit"),
        "query": lambda rng: get("GET", f"/api/brews/start?name={word(rng, 3000)}&{word(rng)}=1"),
        "language": lambda rng: post("/api/sit", b"{}", Accept_Language=word(rng, 2000)),
        "token": lambda rng: get("GET", f"/join/{word(rng, 2000)}"),
        "cookie": lambda rng: get(
            "GET",
            f"/api/tables/{word(rng)}/view",
            Cookie=f"handful_seat={word(rng, 99)}; {word(rng, 2000)}=1",
        ),
        "host": lambda rng: get("GET", "/", Host=f"{word(rng, 2000)}.example"),
        "origin": lambda rng: post("/api/sit", b"{}", Origin=f"https://{word(rng, 2000)}"),
        "forwarded": lambda rng: get("GET", "/join/x", X_Forwarded_For=word(rng, 4000)),
        "length": lambda rng: get("POST", "/api/sit", Content_Length="9" * rng.randint(7, 20)),
        "no http": lambda rng: rng.randbytes(2000) + b"\r\n\r\n",
        "long head": lambda rng: get("GET", "/", X_Junk=word(rng, 9) * 9000),
        "broken off": lambda rng: post("/api/brews/check", b"[" * 90_000)[:-1000],
        "no socket": lambda rng: get(
            "GET",
            f"/api/tables/{word(rng)}/socket",
            Upgrade="websocket",
            Connection="Upgrade",
            Sec_WebSocket_Version="13",
            Sec_WebSocket_Key="dGhlIHNhbXBsZSBub25jZQ==",
        ),
        "seat junk": lambda rng: post(rng.choice(own), word(rng, 9).encode() * 6000, **cookie),
        "seat deep": lambda rng: post(rng.choice(own), b"[" * 60_000, **cookie),
        "seat types": lambda rng: post(
            rng.choice(own),
            json.dumps({"do": word(rng), "key": word(rng), "data": {word(rng): word(rng, 900)}}).encode(),
            **cookie,
        ),
    }


BREAKS = ("broken off", "length")  # the server cannot answer, or answers too early


class Client:
    """A keep-alive connection that reconnects whenever the server closes it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.open = self._connect()

    def _connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def again(self) -> None:
        self.open.close()
        self.open = self._connect()

    def ask(self, request: bytes, *, answered: bool = True) -> None:
        try:
            self.open.sendall(request)
            if answered and self._stays_open():
                return
        except OSError:
            pass
        self.again()

    def _stays_open(self) -> bool:
        """Read one response; return whether the connection stays open."""
        data = b""
        while b"\r\n\r\n" not in data:
            if not (more := self.open.recv(65536)):
                return False
            data += more
        head, _, body = data.partition(b"\r\n\r\n")
        fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
        left = int(fields.get(b"content-length", b"0")) - len(body)
        while left > 0:
            if not (more := self.open.recv(65536)):
                return False
            left -= len(more)
        return fields.get(b"connection") != b"close"


def flood(to: Target, count: int, names: list[str], seed: int = 0) -> None:
    """Send requests of all the kinds in turn over one connection."""
    rng, requests, client = Random(seed), kinds(to), Client(to.port)
    for name in islice(cycle(names), count):
        client.ask(requests[name](rng), answered=name not in BREAKS)
    client.open.close()


def resident(pid: int) -> int:
    """Return the resident memory of a process in bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * PAGESIZE


@contextmanager
def serving(folder: str) -> Iterator[tuple[int, int]]:
    """Run a server; yields its port and process id."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "handful",
        "serve",
        "--port",
        str(port),
        "--data",
        f"{folder}/flood.db",
        "--log-level",
        "error",
    ]
    process = subprocess.Popen(command)
    try:
        for _ in range(200):
            with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.1)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(20)


def open_seat(port: int) -> Target:
    """Create a table and return the GM's seat."""
    import httpx

    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
        response = client.post("/api/tables", json={"game": "uwr", "title": "flood", "players": []})
        link = response.json()["links"]["gm"]
        place = client.get(link).headers["location"].removeprefix("/t/")
    return Target(port, f"/api/tables/{place}", link.rpartition("/")[2])


def run(to: Target, pid: int, count: int, names: list[str]) -> int:
    """Flood a server; return the growth of its memory in bytes."""
    flood(to, 10 * len(names), names)  # warm-up: modules that are imported at first use
    time.sleep(SETTLE)
    before, began = resident(pid), time.monotonic()
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        shares = [
            pool.submit(flood, to, count // CONNECTIONS, names, seed + 1) for seed in range(CONNECTIONS)
        ]
        peak = before
        while not all(one.done() for one in shares):
            peak = max(peak, resident(pid))
            time.sleep(0.1)
        for one in shares:
            one.result()
    took = time.monotonic() - began
    time.sleep(SETTLE)
    after = resident(pid)
    print(
        f"{count} requests in {took:.0f} s: {before / MEGA:.0f} MB before, "
        f"{peak / MEGA:.0f} MB at most, {after / MEGA:.0f} MB after",
        flush=True,
    )
    return after - before


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=50_000)
    parser.add_argument("--kind", action="append", default=[])
    parser.add_argument("--each", action="store_true", help="every kind by itself")
    parser.add_argument("--list", action="store_true")
    asked = parser.parse_args()
    every = list(kinds(Target(0)))
    if asked.list:
        print("\n".join(every))
        return 0
    names = asked.kind or every
    with tempfile.TemporaryDirectory() as folder, serving(folder) as (port, pid):
        to = open_seat(port)
        if not asked.each:
            return int(run(to, pid, asked.count, names) > MOST_GROWTH)
        for name in names:
            print(f"{name}: ", end="")
            run(to, pid, asked.count, [name])
    return 0


if __name__ == "__main__":
    sys.exit(main())
