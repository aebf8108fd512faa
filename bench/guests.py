"""Guests at many tables, in a process of their own: they roll, and time how long it takes.

A line of JSON on standard input says which seats at which tables, how often and how long.  When all
of them sit, a line is written; after the next line that comes in they play, and a last line says
what was measured.  Every table has its own moment to begin and its own roll to begin with: those
with a reroll are twice the work, and all tables must not come to them in the same second.
A table makes one command after the other: the time of a command ends when its last seat has heard
of it.  Only rolls that were acknowledged are counted, and their names are given back.
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

PATIENCE = 30.0  # seconds for a command: only a server that hangs takes as long
AT_ONCE = 20  # tables that sit down together
PLAIN = {"attribute": 3, "target": 2}
WITH_REROLL = {"attribute": 4, "rerolls": 1, "target": 2}


class Guests:
    """Everybody at one table."""

    def __init__(self, port: int, seats: dict[str, tuple[str, str]], seed: int) -> None:
        """`seats`: the place and the token of each."""
        self.port, self.seats = port, seats
        self.chance = random.Random(seed)
        self.sockets: dict[str, ClientConnection] = {}
        self.rolls: list[str] = []
        self.times: list[float] = []

    async def sit_down(self) -> None:
        for seat, (place, token) in self.seats.items():
            self.sockets[seat] = socket = await connect(
                f"ws://127.0.0.1:{self.port}/api/tables/{place}/socket",
                additional_headers={"Cookie": f"handful_seat={token}"},
                max_size=None,
            )
            await socket.recv()

    async def stand_up(self) -> None:
        for socket in self.sockets.values():
            await socket.close()

    async def play(self, begins: float, ends: float, pace: float) -> None:
        """A roll every `pace` seconds; whoever is late goes on at once, and rolls fewer."""
        due = begins + self.chance.random() * pace
        count = self.chance.randrange(2)
        while due < ends:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            await self._roll(token_hex(6), count)
            count += 1
            due = max(due + pace, time.monotonic())

    async def _roll(self, key: str, count: int) -> None:
        players = [*self.seats][1:]
        seat = players[count % len(players)]
        name = f"{seat}/{key}"
        asked = {"check": "direct", "parameters": WITH_REROLL if count % 2 else PLAIN}
        await self._do(seat, "declare", key, asked)
        told = await self._do(seat, "throw", f"{key}.1", {"roll": name})
        if '"kind":"roll_finalised"' not in told:
            asks = next(
                one
                for one in json.loads(told)["view"]["rolls"]
                if isinstance(one, dict) and one["roll"] == name
            )["question"]
            picked = {"roll": name, "answer": asks["dice"][:1]}
            await self._do(seat, "answer", f"{key}.2", picked)
            await self._do(seat, "throw", f"{key}.3", {"roll": name})
        self.rolls.append(name)

    async def _do(self, seat: str, do: str, key: str, data: dict[str, Any]) -> str:
        """A command; what its own seat was told of it."""
        message = json.dumps({"type": "command", "do": do, "key": key, "data": data})
        before = time.monotonic()
        await self.sockets[seat].send(message)
        async with asyncio.timeout(PATIENCE):
            news = await asyncio.gather(*(one.recv() for one in self.sockets.values()))
            self.times.append(time.monotonic() - before)
            done = json.loads(await self.sockets[seat].recv())
        if done["type"] != "done":
            raise RuntimeError(f"{do}: {done}")
        return str(news[[*self.sockets].index(seat)])


async def visit(wanted: dict[str, Any]) -> dict[str, Any]:
    tables = [Guests(wanted["port"], seats, at) for at, seats in enumerate(wanted["tables"])]
    for at in range(0, len(tables), AT_ONCE):
        await asyncio.gather(*(one.sit_down() for one in tables[at : at + AT_ONCE]))
    print("seated", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    begins, spent = time.monotonic(), time.process_time()
    ends = begins + wanted["seconds"]
    await asyncio.gather(*(one.play(begins, ends, wanted["pace"]) for one in tables))
    lasted = time.monotonic() - begins
    found = {
        "seconds": lasted,
        "processor": (time.process_time() - spent) / lasted,
        "times": [one for table in tables for one in table.times],
        "rolls": [table.rolls for table in tables],
    }
    await asyncio.gather(*(one.stand_up() for one in tables))
    return found


if __name__ == "__main__":
    found = uvloop.run(visit(json.loads(sys.stdin.readline())))
    # with a buffer of its own, also where PYTHONUNBUFFERED is set: a long line must come whole
    with open(sys.stdout.fileno(), "w", closefd=False) as out:
        out.write(json.dumps(found) + "\n")
