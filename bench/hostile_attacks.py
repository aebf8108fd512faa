"""Attacks on a running server, one per process: `python bench/hostile_attacks.py NAME PORT SECONDS`.

Each prepares what it needs, prints a line, and then attacks until its time is over.  All connections come
from another loopback address than those of innocent visitors: limits per visitor apply to the attacker alone.
Every attack is bounded in time and in the number of connections.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from secrets import token_hex
from typing import Any

import httpx
import uvloop
from websockets.asyncio.client import connect

ATTACKER = "127.0.0.2"
MAX_SOCKETS = 3000
HEAD = 'language = 1\nid = "{id}"\ntitle = {{ en = "Bad" }}\nabout = {{ en = "A game." }}\n'
PICK = '[decisions.pick]\nby = "player"\nquestion = { en = "?" }\nusual = { en = "-" }\n'
CHECK = '[checks.go]\ntitle = { en = "Go" }\nhelp = { en = "Go." }\nmain = "n"\n'
PARAM = '[checks.go.params.n]\ntype = "number"\nmin = 1\nmax = 1000\nlabel = { en = "N" }\n'
SORTS = "p = roll(n, d1000)\nt = 0\nwhile t < 950:\n    q = highest(p, 500)\n    t = t + 1\nresult(n = t)"
CHOOSES = 'p = roll(n, d1000)\nq = choose("pick", p, n)\nr = reroll(q, d1000)\nresult(n = sum(r))'
MANY = "p = roll(n, d1000)\nq = roll(1, d6)\nresult(n = sum(p) + sum(q))"
LISTS = (
    "p = roll(1, d6)\nt = 0\na = range(n)\nwhile t < 950:\n    b = [a, a, a, a]\n    if b == b:\n"
    "        t = t + 1\nresult(n = t)"
)
HEAVY_ODDS = "p = roll(n, d10)\nq = widest(p)\nresult(n = size(q) * 10 + sum(q))"


class Attacker:
    """A client of the attacker: HTTP from its own address, seats, sockets."""

    def __init__(self, port: int, seconds: float) -> None:
        self.port, self.seconds, self.url = port, seconds, f"http://127.0.0.1:{port}"
        transport = httpx.AsyncHTTPTransport(local_address=ATTACKER, limits=httpx.Limits(max_connections=60))
        hooks: Any = {"response": [self._count]}
        self.client = httpx.AsyncClient(transport=transport, timeout=60, event_hooks=hooks)
        self.answers: Counter[str] = Counter()  # status and code -> number of answers
        self.largest = 0  # bytes of an answer
        self.seats: dict[str, tuple[str, str]] = {}  # seat -> path and token
        self.ends = 0.0

    async def _count(self, answer: httpx.Response) -> None:
        """Count what the server answered, so that an attack that does not arrive is noticed."""
        body = await answer.aread()
        self.largest = max(self.largest, len(body))
        code = ""
        if answer.status_code >= 400:
            with suppress(ValueError, KeyError):
                code = f" {answer.json()['error']['code']}"
        self.answers[f"{answer.status_code}{code}"] += 1

    @property
    def is_over(self) -> bool:
        return time.monotonic() > self.ends

    async def open(self, does: str = "", players: int = 8, decisions: str = "") -> None:
        """Open a table for a ruleset of one check, or for a shipped game."""
        wanted: dict[str, Any] = {"title": "Bad", "players": [f"p{at}" for at in range(players)]}
        if does:
            head = HEAD.format(id=f"bad-{token_hex(4)}")
            text = f'{head}{decisions}{CHECK}does = """\n{does}\n"""\n{PARAM}'
            made = await self.client.post(f"{self.url}/api/brews", json={"ruleset": text})
            made.raise_for_status()
            wanted["brew"] = made.json()["hash"]
        else:
            wanted["game"] = "uwr"
        opened = await self.client.post(f"{self.url}/api/tables", json=wanted)
        opened.raise_for_status()
        for seat, link in opened.json()["links"].items():
            if seat:
                followed = await self.client.get(self.url + link)
                self.seats[seat] = followed.headers["location"].removeprefix("/t/"), link.rpartition("/")[2]

    async def ask(self, seat: str, method: str, path: str, body: Any = None) -> httpx.Response | None:
        place, token = self.seats[seat]
        address, cookie = f"{self.url}/api/tables/{place}{path}", {"Cookie": f"handful_seat={token}"}
        with suppress(httpx.HTTPError):
            return await self.client.request(method, address, json=body, headers=cookie)
        return None

    async def do(self, seat: str, do: str, **data: Any) -> httpx.Response | None:
        return await self.ask(seat, "POST", "/commands", {"do": do, "key": token_hex(8), "data": data})

    async def attack(self, *works: Callable[[], Awaitable[object]]) -> None:
        """Repeat works side by side until the time is over."""
        print("ready", flush=True)
        self.ends = time.monotonic() + self.seconds

        async def repeat(work: Callable[[], Awaitable[object]]) -> None:
            while not self.is_over:
                with suppress(Exception):
                    await work()
                await asyncio.sleep(0.005)

        tasks = [asyncio.ensure_future(repeat(one)) for one in works]
        await asyncio.wait(tasks, timeout=self.seconds)
        for one in tasks:
            one.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def players(self) -> list[str]:
        return [one for one in self.seats if one.startswith("p")]


Attack = Callable[[Attacker], Awaitable[None]]


def _go(n: int, **more: Any) -> dict[str, Any]:
    return {"check": "go", "parameters": {"n": n}, **more}


async def heavy_throw(by: Attacker) -> None:
    """Sort 1,000 dice 950 times in one throw, from eight seats."""
    await by.open(SORTS)
    await by.attack(*(lambda seat=one: by.do(seat, "declare", **_go(1000, throw={})) for one in by.players))


async def huge_lists(by: Attacker) -> None:
    """Build and compare nested lists in a loop."""
    await by.open(LISTS)
    await by.attack(*(lambda seat=one: by.do(seat, "declare", **_go(1000, throw={})) for one in by.players))


async def choose_view(by: Attacker) -> None:
    """Ask for views that show a pick of 1,000 dice."""
    await by.open(CHOOSES, decisions=PICK)
    await by.do("p0", "declare", **_go(1000, throw={}))
    await by.attack(*(lambda seat=one: by.ask(seat, "GET", "/view") for one in by.players))


async def many_rolls(by: Attacker) -> None:
    """Make hundreds of open rolls of 200 dice, and ask for views."""
    await by.open(MANY, players=10)
    for at in range(900):
        await by.do(f"p{at % 10}", "declare", **_go(200, throw={"faces": [1] * 200}))
    views = [lambda seat=one: by.ask(seat, "GET", "/view") for one in by.players]
    await by.attack(*views, *(lambda seat=one: _come_and_go(by, seat) for one in by.players[:4]))


async def _come_and_go(by: Attacker, seat: str) -> None:
    async with _socket(by, seat) as one:
        await one.recv()


def _socket(by: Attacker, seat: str) -> Any:
    place, token = by.seats[seat]
    return connect(
        f"ws://127.0.0.1:{by.port}/api/tables/{place}/socket",
        additional_headers={"Cookie": f"handful_seat={token}"},
        max_size=None,
        local_addr=(ATTACKER, 0),
    )


async def greedy_odds(by: Attacker) -> None:
    """Twenty seats ask for heavy odds, each for several at once."""
    await by.open(HEAVY_ODDS, players=20)

    async def ask(seat: str) -> None:
        await by.ask(seat, "POST", "/sketch", {"data": _go(55 + int(token_hex(1), 16) % 40)})

    await by.attack(*(lambda seat=one: ask(seat) for one in by.players * 3))


async def free_dice(by: Attacker) -> None:
    """Roll hundreds of free dice of ever new kinds at a shipped game."""
    await by.open(players=12)

    async def roll(seat: str) -> None:
        kinds = [2 + int(token_hex(2), 16) % 990 for _ in range(6)]
        check = "dice:" + " + ".join(f"16d{one}" for one in kinds)
        await by.do(seat, "declare", check=check, throw={})

    await by.attack(*(lambda seat=one: roll(seat) for one in by.players))


async def big_views(by: Attacker) -> None:
    """Ask again and again for views and logs with tens of thousands of dice, at a shipped game."""
    await by.open(players=12)
    for at in range(120):
        await by.do(f"p{at % 12}", "declare", check="dice:100d1000", throw={})
    paths = ("/view", "/log?most=1000", "/export", "/luck", "/evenings")
    await by.attack(*(lambda seat=s, path=p: by.ask(seat, "GET", path) for s in by.players for p in paths))


async def open_rolls(by: Attacker) -> None:
    """Declare as many rolls as a seat may, from twelve seats of a shipped game, while sockets come and go."""
    await by.open(players=12)
    check = {"check": "direct", "parameters": {"attribute": 4, "rerolls": 1, "target": 2}, "throw": {}}
    declare = [lambda seat=one: by.do(seat, "declare", **check) for one in by.players]
    await by.attack(*declare, *(lambda seat=one: _come_and_go(by, seat) for one in by.players[:6]))


async def drafts(by: Attacker) -> None:
    """Check and solve long drafts."""
    rules = "\n".join(f"x{at} = sum(highest(p, {at % 9 + 1})) + {at}" for at in range(700))
    does = f"p = roll(n, d20)\n{rules}\nresult(n = x5)"
    text = f'{HEAD.format(id="long")}{CHECK}does = """\n{does}\n"""\n{PARAM}'

    async def check() -> None:
        await by.client.post(f"{by.url}/api/brews/check", json={"ruleset": text + f"# {token_hex(4)}"})

    await by.attack(*[check] * 12)


async def slow_requests(by: Attacker) -> None:
    """Hold 190 connections with requests that never end."""
    writers = []
    for _ in range(190):
        with suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", by.port, local_addr=(ATTACKER, 0))
            writer.write(b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            writers.append(writer)

    async def trickle() -> None:
        for one in writers:
            with suppress(OSError):
                one.write(b"X-A: b\r\n")
        await asyncio.sleep(0.2)

    await by.attack(trickle)


async def thousands_of_sockets(by: Attacker) -> None:
    """Open connections as fast as possible, thousands at once."""
    held: list[socket.socket] = []

    async def flood() -> None:
        if len(held) >= MAX_SOCKETS:
            held.pop(0).close()
        one = socket.socket()
        one.setblocking(False)
        one.bind((f"127.0.0.{len(held) % 8 + 2}", 0))
        held.append(one)
        with suppress(OSError):
            await asyncio.get_running_loop().sock_connect(one, ("127.0.0.1", by.port))

    await by.attack(*[flood] * 40)


async def deep_json(by: Attacker) -> None:
    """Send deeply nested JSON, by HTTP and by socket."""
    await by.open()
    deep = "[" * 30_000 + "]" * 30_000
    body = f'{{"do":"declare","key":"a","data":{{"check":{deep}}}}}'
    place, token = by.seats["p0"]

    async def by_http() -> None:
        headers = {"Cookie": f"handful_seat={token}", "Content-Type": "application/json"}
        await by.client.post(f"{by.url}/api/tables/{place}/commands", content=body, headers=headers)

    async def by_socket() -> None:
        async with _socket(by, "p1") as one:
            while not by.is_over:
                await one.send(f'{{"type":"command",{body[1:]}')
                await one.recv()

    await by.attack(by_http, by_http, by_socket, by_socket)


async def oversize(by: Attacker) -> None:
    """Send frames and bodies of many megabytes."""
    await by.open()

    async def frame() -> None:
        async with _socket(by, "p0") as one:
            await one.send("x" * 4_000_000)
            await one.recv()

    async def body() -> None:
        await by.client.post(f"{by.url}/api/tables", content=b"x" * 4_000_000)

    await by.attack(frame, frame, body, body)


async def message_flood(by: Attacker) -> None:
    """Send messages as fast as the sockets take them."""
    await by.open()

    async def flood(seat: str) -> None:
        async with _socket(by, seat) as one:
            while not by.is_over:
                for _ in range(50):
                    await one.send('{"type":"ping"}')
                await asyncio.sleep(0)

    await by.attack(*(lambda seat=one: flood(seat) for one in by.players))


async def big_sheets(by: Attacker) -> None:
    """Bring sheets of hundreds of kilobytes, as many as a seat may."""
    await by.open(players=6)
    base = (await by.ask("p0", "POST", "/new-character", {"kind": "pc"})) or None
    sheet = base.json()["sheet"] if base is not None else {}

    async def bring(seat: str) -> None:
        own = {**sheet, "name": f"x{token_hex(4)}", "notes": "y" * 19_000}
        await by.do(seat, "bring", sheet=own)

    views = [lambda seat=one: by.ask(seat, "GET", "/view") for one in by.players]
    await by.attack(*(lambda seat=one: bring(seat) for one in by.players), *views)


async def guesses(by: Attacker) -> None:
    """Guess links and recovery codes."""

    async def guess() -> None:
        await by.client.get(f"{by.url}/join/{token_hex(16)}")
        await by.client.post(f"{by.url}/api/recover", json={"code": token_hex(8)})

    await by.attack(*[guess] * 20)


async def explorer(by: Attacker) -> None:
    """Ask the odds page for large tables."""

    async def ask() -> None:
        body = {
            "check": "direct",
            "parameters": {"attribute": 9, "target": 3, "rerolls": 5},
            "policy": "best",
        }
        await by.client.post(f"{by.url}/api/games/uwr/odds", json=body)

    await by.attack(*[ask] * 20)


ATTACKS: dict[str, Attack] = {
    one.__name__: one
    for one in (
        heavy_throw,
        huge_lists,
        choose_view,
        many_rolls,
        greedy_odds,
        free_dice,
        big_views,
        open_rolls,
        drafts,
        slow_requests,
        thousands_of_sockets,
        deep_json,
        oversize,
        message_flood,
        big_sheets,
        guesses,
        explorer,
    )
}


async def main(name: str, port: int, seconds: float) -> None:
    by = Attacker(port, seconds)
    await ATTACKS[name](by)
    await by.client.aclose()
    print(json.dumps({"answers": dict(by.answers.most_common(4)), "largest": by.largest}), flush=True)


if __name__ == "__main__":
    os.nice(5)  # the attacker's own work must not slow down what is measured
    uvloop.run(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
