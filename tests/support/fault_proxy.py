"""Proxy that imitates a bad network: it stalls, cuts, duplicates and reorders.

It forwards bytes and parses WebSocket frames only as far as message boundaries.  Messages of clients
are duplicated and reordered by a seeded generator; connections are cut in the middle of the server
messages that a test chooses, so the number of cuts does not depend on timing.
It runs in a thread of its own.
"""

from __future__ import annotations

import asyncio
import random
import struct
import threading
from typing import Any

from servers import Address

UPGRADE = b"upgrade: websocket"
TEXT = 0x81  # first byte of an unfragmented text message
LATE = 0.05  # longest delay of a message, in seconds


class FaultProxy(Address):
    """Address that clients connect to; the faults may be changed at any time."""

    def __init__(self, server: Address, seed: int = 0) -> None:
        self.server, self.chance = server, random.Random(seed)
        self.doubles = self.swaps = 0.0  # how often a client's message comes twice, or late
        # for each socket to come: the message from the server, counted from 1, in the middle of
        # which it is cut; sockets after those are not cut
        self.cut_in: list[int] = []
        self.cuts = self.doubled = self.swapped = 0  # how often it happened
        self._loop = asyncio.new_event_loop()
        self._flows: asyncio.Event  # cleared while everything stalls
        self._open: set[asyncio.StreamWriter] = set()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._ready = threading.Event()

    # -- what goes wrong

    def stall(self) -> None:
        """Hold back all traffic without closing any connection."""
        self._loop.call_soon_threadsafe(lambda: self._flows.clear())

    def flow(self) -> None:
        self._loop.call_soon_threadsafe(lambda: self._flows.set())

    def cut(self) -> None:
        """Abort every connection."""
        self._loop.call_soon_threadsafe(self._cut_all)

    def _cut_all(self) -> None:
        for one in tuple(self._open):
            self._cut(one)

    def _cut(self, one: asyncio.StreamWriter) -> None:
        if one in self._open:
            self._open.discard(one)
            self.cuts += 1
        one.transport.abort()

    # -- passing on

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        there: asyncio.StreamWriter | None = None
        try:
            back, there = await asyncio.open_connection(self.server.host, self.server.port)
            head = await reader.readuntil(b"\r\n\r\n")
            is_socket = UPGRADE in head.lower()
            there.write(head)
            ways = (
                (self._messages(reader, there), self._answers(back, writer))
                if is_socket
                else (self._bytes(reader, there), self._bytes(back, writer))
            )
            works = [asyncio.ensure_future(one) for one in ways]
            await asyncio.wait(works, return_when=asyncio.FIRST_COMPLETED)
            for one in works:
                one.cancel()
            await asyncio.gather(*works, return_exceptions=True)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            is_cut = writer not in self._open
            self._open.discard(writer)
            for one in (writer, there):
                if one is not None:
                    one.transport.abort() if is_cut else one.close()

    async def _bytes(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while some := await reader.read(4096):
            await self._pass(some, writer)

    async def _answers(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward messages of the server, up to the middle of the one in which the socket is cut."""
        head = await reader.readuntil(b"\r\n\r\n")
        await self._pass(head, writer)
        if self.cut_in and head.startswith(b"HTTP/1.1 101"):
            for _ in range(self.cut_in.pop(0) - 1):
                await self._pass(await _message(reader), writer)
            last = await _message(reader)
            await self._pass(last[: len(last) // 2], writer)
            self._cut(writer)
            return
        await self._bytes(reader, writer)

    async def _pass(self, some: bytes, writer: asyncio.StreamWriter) -> None:
        await self._flows.wait()
        writer.write(some)
        await writer.drain()

    async def _messages(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        late, coming = b"", asyncio.ensure_future(_message(reader))
        try:
            while True:
                await asyncio.wait([coming], timeout=LATE if late else None)
                if not coming.done():  # nothing more is sent: what was held back goes on
                    message, late = late, b""
                else:
                    message, coming = coming.result(), asyncio.ensure_future(_message(reader))
                await self._flows.wait()
                if not late and self.chance.random() < self.swaps and message[0] == TEXT:
                    late = message
                    self.swapped += 1
                    continue
                writer.write(message)
                if self.chance.random() < self.doubles and message[0] == TEXT:
                    self.doubled += 1
                    writer.write(message)
                if late:
                    writer.write(late)
                    late = b""
                await writer.drain()
        finally:
            coming.cancel()

    # -- a thread of its own

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        self._flows = asyncio.Event()
        self._flows.set()
        self._end = asyncio.Event()
        listening = await asyncio.start_server(self._connected, self.host, 0)
        self.port = listening.sockets[0].getsockname()[1]
        self._ready.set()
        await self._end.wait()
        listening.close()
        self._flows.set()
        self._cut_all()
        rest = [one for one in asyncio.all_tasks() if one is not asyncio.current_task()]
        for one in rest:
            one.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    def __enter__(self) -> FaultProxy:
        self._thread.start()
        assert self._ready.wait(20)
        return self

    def __exit__(self, *_: Any) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(20)
        self._loop.close()


async def _message(reader: asyncio.StreamReader) -> bytes:
    """Read a frame: header, mask of a client, payload.  Each command and answer is one frame."""
    head = await reader.readexactly(2)
    size = head[1] & 0x7F
    more = await reader.readexactly({126: 2, 127: 8}.get(size, 0))
    if more:
        (size,) = struct.unpack("!H" if len(more) == 2 else "!Q", more)
    return head + more + await reader.readexactly(4 * (head[1] >> 7) + size)
