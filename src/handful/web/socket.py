"""The WebSocket of a seat: first what was missed, then news; commands come the same way."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect
from starlette.responses import JSONResponse
from starlette.types import Message

from handful.errors import HandfulError
from handful.store import Link
from handful.table import WATCHER, Command, canonical_json
from handful.web.connections import AT_ONCE, TOO_FAST, Connection
from handful.web.faults import Fault, broken, fault_of, forbidden, too_large
from handful.web.i18n import language_of, spoken
from handful.web.links import COOKIE, place_of
from handful.web.middleware import LOG, of_same_origin, visitor_of
from handful.web.ratelimit import Buckets
from handful.web.rooms import Room
from handful.web.server import Hall

PATIENCE = 2.0  # seconds for a last word to somebody who is let go
BREATH = 0.03  # seconds that somebody waits who is too fast; meanwhile nothing is read from them
RIGHT = '{"type": "command", "do": "throw", "key": "…", "data": {…}}'


async def serve_socket(socket: WebSocket, place: str) -> None:
    """Serve the socket of a seat.

    `?after=N`: the last line that the client has; `?lang=de`: how it is spoken to;
    `?as=watcher`: sends what every watcher sees and takes no commands, whatever the seat.
    """
    hall: Hall = socket.app.state.hall
    token, visitor = socket.cookies.get(COOKIE, ""), visitor_of(socket)
    try:
        if not of_same_origin(socket.headers, hall.settings):
            raise Fault(403, "forbidden", "this comes from another page", "")
        link = await hall.sits(token, visitor)
        if place_of(link) != place:
            raise forbidden()
        room = await hall.room(link.table)
        if sum(one.seat == link.seat for one in room.connections) >= hall.limits.sockets:
            raise Fault(
                429, "too_many", f"a seat listens {hall.limits.sockets} times at most", "close another page"
            )
        hall.sockets.enter(visitor)
    except (Fault, HandfulError) as error:
        no = error if isinstance(error, Fault) else fault_of(error)
        said = spoken(no.to_dict(), _language(socket))
        await socket.send_denial_response(JSONResponse(said, no.status))
        return
    try:
        await _listen(socket, hall, room, link)
    finally:
        hall.sockets.leave(visitor)


async def _listen(socket: WebSocket, hall: Hall, room: Room, link: Link) -> None:
    await socket.accept()
    token = socket.cookies.get(COOKIE, "")
    at_once = socket.scope.get(AT_ONCE, lambda text: False)
    watches = socket.query_params.get("as") == WATCHER
    here = Connection(link.seat, hall.limits, _language(socket), at_once, watches=watches)
    try:
        await room.listen(here, _number(socket), lambda: hall.sits(token, visitor_of(socket)))
        hall.tell_trouble(here)
        await _first(_send(socket, here), _receive(socket, hall, room, here, link), here.gone())
    except (Fault, HandfulError) as error:
        here.drop(4000 + (error if isinstance(error, Fault) else fault_of(error)).status)
    finally:
        room.leave(here)
    LOG.info("socket closed %s", here.code or "by the client")
    if here.code:
        with suppress(Exception):
            await asyncio.wait_for(socket.close(here.code), PATIENCE)


def _number(socket: WebSocket) -> int:
    after = socket.query_params.get("after", "0")
    return int(after) if after.isascii() and after.isdigit() and len(after) < 12 else -1


def _language(socket: WebSocket) -> str:
    """`?lang=de`: a browser's page cannot set the headers of a socket."""
    return language_of(socket.headers, socket.query_params.get("lang", ""))


async def _first(*works: Any) -> None:
    """Until one of them ends; then all of them do."""
    tasks = [asyncio.ensure_future(one) for one in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in tasks:
            one.cancel()
        for found in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(found, Exception) and not isinstance(found, WebSocketDisconnect):
                LOG.debug("socket: %s", type(found).__name__)


async def _send(socket: WebSocket, here: Connection) -> None:
    while True:
        await socket.send_text(await here.next())
        here.sent()


async def _receive(socket: WebSocket, hall: Hall, room: Room, here: Connection, link: Link) -> None:
    own, refused = Buckets(), 0
    while True:
        message = await socket.receive()
        if message["type"] != "websocket.receive" or here.code:
            return
        answer = await _answer(hall, room, here, link, message, own)
        if answer:
            here.tell(canonical_json(spoken(answer, here.language, room.kept.rules)))
        if answer.get("error", {}).get("code") != "too_fast":
            refused = 0
            continue
        refused += 1
        if refused > hall.limits.burst:
            here.drop(TOO_FAST)
            return
        await asyncio.sleep(BREATH)


async def _answer(
    hall: Hall, room: Room, here: Connection, link: Link, message: Message, own: Buckets
) -> dict[str, Any]:
    """What a message is answered with; nothing where that is told already."""
    key = None
    try:
        own.take("messages", hall.limits.burst, hall.limits.rate)
        said, size = _read(message, hall.limits.sheet)
        if said["type"] == "ping":
            return {"type": "pong"}
        key = said["key"]
        if size > hall.limits.message and said["do"] != "bring":
            raise too_large(hall.limits.message)
        hall.not_too_fast(link)
        if here.viewer != link.seat:
            raise Fault(403, "forbidden", "this socket only watches", "open one without as=watcher")
        command = Command(said["do"], key, said["data"])
        await room.do(link.seat, command, lambda n: here.tell(_done(command.key, n)))
    except Fault as fault:
        return {"type": "error", "key": key, **fault.to_dict()}
    except HandfulError as error:
        return {"type": "error", "key": key, **fault_of(error).to_dict()}
    except Exception:
        LOG.exception("a command could not be obeyed")
        return {"type": "error", "key": key, **broken().to_dict()}
    return {}


def _done(key: str, n: int) -> str:
    """A command was obeyed."""
    return canonical_json({"type": "done", "key": key, "n": n})


def _read(message: Message, most: int) -> tuple[dict[str, Any], int]:
    """A message and its size."""
    text = message.get("text")
    if text is None:
        raise Fault(422, "bad", "messages are text, not bytes", RIGHT)
    size = len(text.encode("utf-8", "replace"))
    if size > most:
        raise too_large(most)
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        raise Fault(422, "bad", "this is no JSON", RIGHT) from None
    if said == {"type": "ping"}:
        return said, size
    if not isinstance(said, dict) or said.get("type") != "command":
        raise Fault(422, "bad", "this is no command", RIGHT)
    if {*said} - {"type", "do", "key", "data"}:
        raise Fault(422, "bad", "a command has type, do, key and data", RIGHT)
    for name in ("do", "key"):
        if not isinstance(said.get(name), str) or not 0 < len(said[name]) <= 60:
            raise Fault(422, "bad", f"{name} is a text of 1 to 60 characters", RIGHT)
    if not isinstance(said.setdefault("data", {}), dict):
        raise Fault(422, "bad", "data holds names and values", RIGHT)
    return said, size
