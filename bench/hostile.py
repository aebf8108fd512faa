"""Hostile visitors: attacks on one server, beside an innocent table whose commands and odds are timed.

Each attack (`hostile_attacks.py`) runs in a process of its own; the innocent table rolls ten times a second
and asks for odds five times a second.  A command's latency ends when both seats have received it.
At the end the server is stopped in the middle of an attack.  Everything is on loopback and bounded in time.
`python bench/hostile.py` prints the figures; `--only` and `--seconds` make it smaller.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Any

import httpx
import uvloop
from websockets.asyncio.client import ClientConnection, connect

from hostile_attacks import ATTACKS
from load import _port

SECONDS = 8.0
COMMAND_PACE, ODDS_PACE = 0.1, 0.2  # seconds between two commands, two questions
TIMEOUT = 60.0
WARMUP = 10  # commands before the measurement
MOST_MS = 250.0  # p99 of innocent commands under each attack
ROLL = {"check": "direct", "parameters": {"attribute": 3, "target": 2}}
NO_ATTACK = "none"


class Innocent:
    """A table of a shipped game with two open pages."""

    def __init__(self, port: int) -> None:
        self.port, self.url = port, f"http://127.0.0.1:{port}"
        self.client = httpx.AsyncClient(timeout=TIMEOUT)
        self.sockets: list[ClientConnection] = []
        self.commands: list[float] = []
        self.odds: list[float] = []
        self.failures: list[str] = []

    async def sit_down(self) -> None:
        body = {"game": "uwr", "title": "Friday", "players": ["ann"]}
        links = (await self.client.post(f"{self.url}/api/tables", json=body)).json()["links"]
        for seat in ("ann", "gm"):
            followed = await self.client.get(self.url + links[seat])
            place = followed.headers["location"].removeprefix("/t/")
            cookie = {"Cookie": f"handful_seat={links[seat].rpartition('/')[2]}"}
            address = f"ws://127.0.0.1:{self.port}/api/tables/{place}/socket"
            one = await connect(address, additional_headers=cookie, max_size=None, open_timeout=TIMEOUT)
            await one.recv()
            self.sockets.append(one)
            if seat == "ann":
                self.seat, self.cookie = f"{self.url}/api/tables/{place}", cookie

    async def play(self, ends: float) -> None:
        await asyncio.gather(self._roll(ends), self._ask(ends))

    async def _roll(self, ends: float) -> None:
        while time.monotonic() < ends:
            due = time.monotonic() + COMMAND_PACE
            try:
                await self.roll()
            except Exception as error:
                self.failures.append(f"command: {error!r}")
                await self._come_back()
            await asyncio.sleep(max(0.0, due - time.monotonic()))

    async def roll(self) -> None:
        data = {**ROLL, "throw": {}}
        message = {"type": "command", "do": "declare", "key": token_hex(6), "data": data}
        before = time.monotonic()
        async with asyncio.timeout(TIMEOUT):
            await self.sockets[0].send(json.dumps(message))
            patches = await asyncio.gather(*(one.recv() for one in self.sockets))
            self.commands.append(time.monotonic() - before)
            done = json.loads(await self.sockets[0].recv())
        if done["type"] != "done" or "roll_finalised" not in str(patches[0]):
            self.failures.append(f"command: {done}")

    async def _come_back(self) -> None:
        with suppress(Exception):
            await self.close()
            self.sockets.clear()
            await self.sit_down()

    async def _ask(self, ends: float) -> None:
        count = 0
        while time.monotonic() < ends:
            due = time.monotonic() + ODDS_PACE
            parameters = {"attribute": 2 + count % 5, "target": 1 + count % 3}
            before = time.monotonic()
            try:
                body = {"data": {"check": "direct", "parameters": parameters}}
                answer = await self.client.post(f"{self.seat}/sketch", json=body, headers=self.cookie)
                self.odds.append(time.monotonic() - before)
                if answer.status_code != 200:
                    self.failures.append(f"odds: {answer.status_code} {answer.text[:200]}")
            except Exception as error:
                self.failures.append(f"odds: {error!r}")
            count += 1
            await asyncio.sleep(max(0.0, due - time.monotonic()))

    async def close(self) -> None:
        for one in self.sockets:
            await one.close()


def start_attack(name: str, port: int, seconds: float) -> subprocess.Popen[str]:
    command = [
        sys.executable,
        str(Path(__file__).with_name("hostile_attacks.py")),
        name,
        str(port),
        str(seconds),
    ]
    attack = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert attack.stdout is not None
    if attack.stdout.readline() != "ready\n":
        raise RuntimeError(f"{name}: {attack.communicate()[1][-2000:]}")
    return attack


async def measure_attack(name: str, port: int, seconds: float) -> dict[str, Any]:
    innocent = Innocent(port)
    await innocent.sit_down()
    for _ in range(WARMUP):
        await innocent.roll()
    await innocent._ask(time.monotonic() + 1)  # its rules are loaded
    innocent.commands.clear()
    innocent.odds.clear()
    playing = None
    if name != NO_ATTACK:  # to prepare it may be an attack, too
        starting = asyncio.ensure_future(asyncio.to_thread(start_attack, name, port, seconds))
        while not starting.done():
            await innocent.play(time.monotonic() + 0.5)
        playing = starting.result()
    await innocent.play(time.monotonic() + seconds)
    told: dict[str, Any] = {}
    if playing is not None:
        output, errors = await asyncio.to_thread(playing.communicate, timeout=TIMEOUT)
        told = json.loads(output or "{}") or {"answers": errors[-500:]}
    await innocent.close()
    return {
        "attack": name,
        "commands": figures(innocent.commands),
        "odds": figures(innocent.odds),
        "failures": innocent.failures,
        **told,
    }


def figures(times: list[float]) -> dict[str, float]:
    """Return count, median, 99th percentile and maximum in milliseconds."""
    times = sorted(times)
    at = {
        name: times[min(len(times) * percent // 100, len(times) - 1)] * 1000 for name, percent in PERCENTILES
    }
    return {"count": len(times), **at, "max": times[-1] * 1000}


PERCENTILES = (("p50", 50), ("p99", 99))


class ServerProcess:
    """`handful serve` on a new file."""

    def __init__(self, folder: str) -> None:
        self.log = (Path(folder) / "server.log").open("w+")
        command = [sys.executable, "-m", "handful", "serve", "--port", "0"]
        data = ["--data", os.path.join(folder, "hostile.db"), "--log-level", "warning"]
        self.process = subprocess.Popen([*command, *data], stderr=self.log, stdin=subprocess.DEVNULL)
        self.port = _port(self.process, self.log)

    def stop(self) -> float:
        """Stop the server and return the seconds that it took."""
        before = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(TIMEOUT * 2)
        self.log.close()
        return time.monotonic() - before


def measure(
    step: Callable[[str], None] = lambda what: None,
    names: tuple[str, ...] = (NO_ATTACK, *ATTACKS),
    seconds: float = SECONDS,
) -> dict[str, Any]:
    """Run the attacks one after another, each against a new server; return the figures of each."""
    found, stops = [], []
    for name in names:
        step(name)
        with tempfile.TemporaryDirectory() as folder:
            server = ServerProcess(folder)
            try:
                found.append(uvloop.run(measure_attack(name, server.port, seconds)))
                if name == "heavy_throw":  # and once more, while it is stopped
                    attack = start_attack(name, server.port, seconds)
                    time.sleep(1)
                    stops.append(server.stop())
                    attack.wait(TIMEOUT)
            finally:
                if server.process.poll() is None:
                    server.stop()
    return {"attacks": found, "stopped_in": max(stops, default=None)}


def format_lines(found: dict[str, Any]) -> Iterator[str]:
    """Yield the figures as lines of text."""
    columns = f"{'p50':>7} {'p99':>7} {'max':>7}"
    head = f"{'milliseconds':<22}{'commands':>9} {columns}{'odds':>7} {columns}"
    yield f"{head}  failed, answers to the attacker"
    for one in found["attacks"]:
        parts = []
        for what in ("commands", "odds"):
            own = one[what]
            parts.append(f"{own['count']:>7} {own['p50']:>7.1f} {own['p99']:>7.1f} {own['max']:>7.1f}")
        answers = ", ".join(f"{count} x {status}" for status, count in one.get("answers", {}).items())
        largest = f", up to {one['largest'] // 1000:,} kB" if one.get("largest") else ""
        yield f"{one['attack']:<24}{''.join(parts)}  {len(one['failures'])}   {answers}{largest}"
        yield from (f"    {failure}" for failure in one["failures"][:3])
    if found["stopped_in"] is not None:
        yield f"stopped by SIGTERM in the middle of an attack within {found['stopped_in']:.1f} s"
    worst = max(one["commands"]["p99"] for one in found["attacks"])
    yield f"worst p99 of innocent commands {worst:.0f} ms, at most {MOST_MS:.0f} are promised"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Hostile visitors beside an innocent table.")
    parser.add_argument("--only", nargs="*", choices=(NO_ATTACK, *ATTACKS), default=(NO_ATTACK, *ATTACKS))
    parser.add_argument("--seconds", type=float, default=SECONDS)
    chosen = parser.parse_args()
    for line in format_lines(measure(print, tuple(chosen.only), chosen.seconds)):
        print(line)
