"""Load generator: plays rolls at many tables over WebSockets and measures latencies, in its own process.

Protocol on stdin and stdout, one line each: a JSON line with tables, seats, pace and duration comes in; a
line goes out when all seats are connected; after the next line in, the clients play; a JSON line with the
measurements goes out.  Each table starts at its own time and with its own kind of roll: rolls with a reroll
are twice the work, and the tables must not make them all in the same second.
A table sends one command after the other.  A command's latency ends when its last seat has received the
patch.  Only acknowledged rolls are counted, and their names are returned.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from secrets import token_hex
from typing import Any

import uvloop
from websockets.asyncio.client import ClientConnection, connect

TIMEOUT = 60.0  # seconds for a command, or to open a table: only a hanging server takes that long
CONNECT_BATCH = 20  # tables that connect at the same time
WITHOUT_REROLL = {"attribute": 3, "target": 2}
WITH_REROLL = {"attribute": 4, "rerolls": 1, "target": 2}


class TableClients:
    """WebSocket clients of all seats at one table."""

    def __init__(self, port: int, seats: dict[str, tuple[str, str]], seed: int) -> None:
        """Create the clients; `seats` maps each seat to its path and token."""
        self.port, self.seats = port, seats
        self.random_source = random.Random(seed)
        self.sockets: dict[str, ClientConnection] = {}
        self.rolls: list[str] = []
        self.latencies: list[float] = []

    async def connect_seats(self) -> None:
        for seat, (path, token) in self.seats.items():
            self.sockets[seat] = socket = await connect(
                f"ws://127.0.0.1:{self.port}/api/tables/{path}/socket",
                additional_headers={"Cookie": f"handful_seat={token}"},
                max_size=None,
                open_timeout=TIMEOUT,
            )
            await socket.recv()

    async def close(self) -> None:
        for socket in self.sockets.values():
            await socket.close()

    async def play(self, begins: float, ends: float, pace: float) -> None:
        """Make a roll every `pace` seconds; a table that is late continues at once and makes fewer rolls."""
        due = begins + self.random_source.random() * pace
        count = self.random_source.randrange(2)
        while due < ends:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            await self._roll(token_hex(6), count)
            count += 1
            due = max(due + pace, time.monotonic())

    async def _roll(self, key: str, count: int) -> None:
        players = [*self.seats][1:]
        seat = players[count % len(players)]
        name = f"{seat}/{key}"
        check = {"check": "direct", "parameters": WITH_REROLL if count % 2 else WITHOUT_REROLL}
        patch = await self._do(seat, "declare", key, {**check, "throw": {"entropy": token_hex(16)}})
        if '"kind":"roll_finalised"' not in patch:
            question = next(
                one
                for one in json.loads(patch)["view"]["rolls"]["put"].values()
                if isinstance(one, dict) and one["roll"] == name
            )["question"]
            answer = {"roll": name, "answer": question["dice"][:1], "throw": {"entropy": token_hex(16)}}
            await self._do(seat, "answer", f"{key}.1", answer)
        self.rolls.append(name)

    async def _do(self, seat: str, do: str, key: str, data: dict[str, Any]) -> str:
        """Send a command; return the patch that its own seat received."""
        message = json.dumps({"type": "command", "do": do, "key": key, "data": data})
        before = time.monotonic()
        await self.sockets[seat].send(message)
        async with asyncio.timeout(TIMEOUT):
            patches = await asyncio.gather(*(one.recv() for one in self.sockets.values()))
            self.latencies.append(time.monotonic() - before)
            done = json.loads(await self.sockets[seat].recv())
        if done["type"] != "done":
            raise RuntimeError(f"{do}: {done}")
        return str(patches[[*self.sockets].index(seat)])


async def play_tables(settings: dict[str, Any]) -> dict[str, Any]:
    tables = [TableClients(settings["port"], seats, at) for at, seats in enumerate(settings["tables"])]
    for at in range(0, len(tables), CONNECT_BATCH):
        await asyncio.gather(*(one.connect_seats() for one in tables[at : at + CONNECT_BATCH]))
    print("seated", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    begins, spent = time.monotonic(), time.process_time()
    ends = begins + settings["seconds"]
    await asyncio.gather(*(one.play(begins, ends, settings["pace"]) for one in tables))
    lasted = time.monotonic() - begins
    found = {
        "seconds": lasted,
        "processor": (time.process_time() - spent) / lasted,
        "times": [one for table in tables for one in table.latencies],
        "rolls": [table.rolls for table in tables],
    }
    await asyncio.gather(*(one.close() for one in tables))
    return found


if __name__ == "__main__":
    found = uvloop.run(play_tables(json.loads(sys.stdin.readline())))
    # Buffered even if PYTHONUNBUFFERED is set: a long line must be written in one piece.
    with open(sys.stdout.fileno(), "w", closefd=False) as out:
        out.write(json.dumps(found) + "\n")
