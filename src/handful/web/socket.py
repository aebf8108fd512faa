"""The WebSocket of a table: first what was missed, then news; commands come the same way."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect

from handful.errors import HandfulError
from handful.table import Command
from handful.table.events import canonical_json
from handful.web.faults import Fault, fault_of
from handful.web.guard import cookie_of, of_same_origin
from handful.web.hall import Hall
from handful.web.rooms import Connection, Room

FORBIDDEN, BEHIND, TOO_MANY = 4403, 4408, 4429  # why a socket is closed


async def serve_socket(socket: WebSocket, table: str) -> None:
    """`?after=N`: the last line that the client has."""
    hall: Hall = socket.app.state.hall
    link = None
    if of_same_origin(socket.headers, hall.settings):
        with suppress(Fault):
            link = await hall.sits(socket.cookies.get(cookie_of(table), ""))
    if link is None or link.table != table or not link.seat:
        await socket.close(FORBIDDEN)
        return
    after = socket.query_params.get("after", "0")
    room = await hall.room(table)
    if sum(one.seat == link.seat for one in room.connections) >= hall.limits.sockets:
        await socket.close(TOO_MANY)
        return
    await socket.accept()
    here = Connection(link.seat, hall.limits)
    await room.listen(link.seat, int(after) if after.isdigit() and len(after) < 12 else 0, here)
    sending = asyncio.create_task(_send(socket, here))
    try:
        await _receive(socket, hall, room, here, link)
    finally:
        room.leave(here)
        sending.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await sending


async def _send(socket: WebSocket, here: Connection) -> None:
    while (text := await here.queue.get()) is not None:
        await socket.send_text(text)
    with suppress(RuntimeError):
        await socket.close(BEHIND)


async def _receive(socket: WebSocket, hall: Hall, room: Room, here: Connection, link: Any) -> None:
    while True:
        try:
            text = await socket.receive_text()
        except (WebSocketDisconnect, RuntimeError, KeyError):
            return
        answer = await _answer(hall, room, link, text)
        here.tell(canonical_json(answer))


async def _answer(hall: Hall, room: Room, link: Any, text: str) -> dict[str, Any]:
    """What a message is answered with."""
    key = None
    try:
        if len(text.encode("utf-8", "replace")) > hall.limits.sheet:
            raise Fault(413, "too_large", f"at most {hall.limits.sheet} bytes", "")
        hall.not_too_fast(link)
        message = _read(text)
        key = message["key"]
        command = Command(message["do"], key, message["data"])
        await hall.still_sits(link)
        events = await room.do(link.seat, command)
    except Fault as fault:
        return {"type": "error", "key": key, **fault.to_dict()}
    except HandfulError as error:
        return {"type": "error", "key": key, **fault_of(error).to_dict()}
    return {"type": "done", "key": key, "events": events}


def _read(text: str) -> dict[str, Any]:
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise Fault(422, "bad", "this is no JSON", "") from None
    good = isinstance(message, dict) and message.get("type") == "command"
    if not good or not all(isinstance(message.get(name), str) for name in ("do", "key")):
        right = '{"type": "command", "do": "throw", "key": "…", "data": {…}}'
        raise Fault(422, "bad", "this is no command", right)
    if not isinstance(message.setdefault("data", {}), dict):
        raise Fault(422, "bad", "data holds names and values", "")
    return dict(message)
