"""The WebSocket of a seat: a snapshot, then patches; commands arrive on the same socket.

Refuses foreign origins, unknown protocols and missing seats before the handshake, limits the rate
and size of messages, and answers each command by `done` or `error`.
Invariant: the snapshot is the first message, and patches come in the order of commits.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect
from starlette.responses import JSONResponse
from starlette.types import Message as ASGIMessage

from handful.catalogue import NO_WORDS
from handful.errors import HandfulError, Message
from handful.store import Link
from handful.table import WATCHER, Command, canonical_json
from handful.web.connections import OUTDATED, SEND_NOW, TOO_FAST, Connection
from handful.web.faults import Fault, fault_of, forbidden, internal_error, too_large
from handful.web.i18n import language_of, render_error
from handful.web.links import COOKIE, seat_path
from handful.web.middleware import LOG, is_same_origin, visitor_of
from handful.web.ratelimit import TokenBuckets
from handful.web.rooms import Room
from handful.web.schemas_socket import PROTOCOL
from handful.web.server import Server

CLOSE_TIMEOUT = 2.0  # seconds to send the close frame to a dropped client
SLOW_DOWN_SECONDS = 0.03  # pause after a refused message; nothing is read meanwhile
EXAMPLE = '{"type": "command", "do": "throw", "key": "…", "data": {…}}'


async def serve_socket(socket: WebSocket, place: str) -> None:
    """Serve the socket of a seat.

    `?after=N`: the number of the last log line that the client has; `?lang=de`: the language of
    error messages; `?protocol=3`: the message format that the client understands;
    `?as=watcher`: send what every watcher sees and accept no commands, whatever the seat;
    `?here=1`: tell which seats are connected, now and whenever that changes (`here` messages).
    """
    server: Server = socket.app.state.server
    token, visitor = socket.cookies.get(COOKIE, ""), visitor_of(socket)
    try:
        if not is_same_origin(socket, server.reach):
            raise Fault(403, "forbidden", Message("server.other_page"))
        _check_protocol(socket)
        link = await server.access.find_seat(token, visitor)
        if seat_path(link) != place:
            raise forbidden()
        room = await server.rooms.get(link.table)
        if sum(one.seat == link.seat for one in room.connections) >= server.limits.sockets:
            raise Fault(
                429,
                "too_many",
                Message("server.too_many_sockets", most=server.limits.sockets),
                Message("server.close_a_page"),
            )
        server.sockets.enter(visitor)
    except (Fault, HandfulError) as error:
        fault = error if isinstance(error, Fault) else fault_of(error)
        body = render_error(fault.to_dict(), _language(socket))
        if _is_older_page(socket):
            await _turn_away(socket, body)
        else:
            await socket.send_denial_response(JSONResponse(body, fault.status))
        return
    try:
        await _serve(socket, server, room, link)
    finally:
        server.sockets.leave(visitor)


async def _serve(socket: WebSocket, server: Server, room: Room, link: Link) -> None:
    await socket.accept()
    token = socket.cookies.get(COOKIE, "")
    try_send = socket.scope.get(SEND_NOW, lambda text: False)
    connection = Connection(
        link.seat,
        server.limits,
        _language(socket),
        try_send,
        token=token,
        as_watcher=socket.query_params.get("as") == WATCHER,
        wants_presence=socket.query_params.get("here") == "1",
    )
    try:
        await room.subscribe(
            connection, _after(socket), lambda: server.access.find_seat(token, visitor_of(socket))
        )
        server.status.send_fault(connection)
        await _until_first(
            _send(socket, connection), _receive(socket, server, room, connection, link), connection.dropped()
        )
    except (Fault, HandfulError) as error:
        connection.drop(4000 + (error if isinstance(error, Fault) else fault_of(error)).status)
    finally:
        room.unsubscribe(connection)
    LOG.info("socket closed %s", connection.close_code or "by the client")
    if connection.close_code:
        with suppress(Exception):
            await asyncio.wait_for(socket.close(connection.close_code), CLOSE_TIMEOUT)


def _check_protocol(socket: WebSocket) -> None:
    """Refuse a client that asks for another message format; without the parameter it gets ours."""
    protocol = socket.query_params.get("protocol", str(PROTOCOL))
    if protocol != str(PROTOCOL):
        raise Fault(
            422,
            "bad",
            Message("server.unknown_protocol", protocol=protocol[:20]),
            Message("server.reload", protocol=PROTOCOL),
        )


def _is_older_page(socket: WebSocket) -> bool:
    protocol = socket.query_params.get("protocol", "")
    return protocol.isascii() and protocol.isdigit() and int(protocol[:9]) < PROTOCOL


async def _turn_away(socket: WebSocket, body: dict[str, Any]) -> None:
    """Tell a page of an older version to reload; a refused handshake would tell it nothing."""
    await socket.accept()
    with suppress(Exception):
        await socket.send_text(canonical_json({"type": "error", "key": None, **body}))
        await asyncio.wait_for(socket.close(OUTDATED), CLOSE_TIMEOUT)


def _after(socket: WebSocket) -> int:
    after = socket.query_params.get("after", "0")
    return int(after) if after.isascii() and after.isdigit() and len(after) < 12 else -1


def _language(socket: WebSocket) -> str:
    """Return the client's language; `?lang=de` because a page cannot set headers of a socket."""
    return language_of(socket.headers, socket.query_params.get("lang", ""))


async def _until_first(*works: Any) -> None:
    """Run coroutines until the first one ends, then cancel the others."""
    tasks = [asyncio.ensure_future(one) for one in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in tasks:
            one.cancel()
        for found in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(found, Exception) and not isinstance(found, WebSocketDisconnect):
                LOG.debug("socket: %s", type(found).__name__)


async def _send(socket: WebSocket, connection: Connection) -> None:
    while True:
        await socket.send_text(await connection.next_message())
        connection.mark_sent()


async def _receive(socket: WebSocket, server: Server, room: Room, connection: Connection, link: Link) -> None:
    buckets, refused = TokenBuckets(), 0
    while True:
        message = await socket.receive()
        if message["type"] != "websocket.receive" or connection.close_code:
            return
        answer = await _answer(server, room, connection, link, message, buckets)
        if answer:
            connection.send(await _render(room, answer, connection.language))
        if answer.get("error", {}).get("code") != "too_fast":
            refused = 0
            continue
        refused += 1
        if refused > server.limits.burst:
            connection.drop(TOO_FAST)
            return
        await asyncio.sleep(SLOW_DOWN_SECONDS)


async def _render(room: Room, answer: dict[str, Any], language: str) -> str:
    words = NO_WORDS
    with suppress(Fault, HandfulError):  # then the game's own words stay as they are
        words = await room.words(language)
    return canonical_json(render_error(answer, language, words))


async def _answer(
    server: Server,
    room: Room,
    connection: Connection,
    link: Link,
    message: ASGIMessage,
    buckets: TokenBuckets,
) -> dict[str, Any]:
    """Return the answer to a message; empty if it was already sent with the patches."""
    key = None
    try:
        buckets.consume("messages", server.limits.burst, server.limits.rate)
        received, size = _read(message, server.limits.sheet_bytes)
        if received["type"] == "ping":
            return {"type": "pong"}
        key = received["key"]
        if size > server.limits.message_bytes and received["do"] != "bring":
            raise too_large(server.limits.message_bytes)
        server.rates.limit_commands(link, received["do"])
        if connection.viewer != link.seat:
            raise Fault(403, "forbidden", Message("server.only_watches"), Message("server.open_another"))
        command = Command(received["do"], key, received["data"])
        with server.metrics.command(command.kind):
            await room.submit(link.seat, command, lambda n: connection.send(_done(command.key, n)))
    except Fault as fault:
        return {"type": "error", "key": key, **fault.to_dict()}
    except HandfulError as error:
        return {"type": "error", "key": key, **fault_of(error).to_dict()}
    except Exception:
        LOG.exception("a command could not be obeyed")
        return {"type": "error", "key": key, **internal_error().to_dict()}
    return {}


def _done(key: str, n: int) -> str:
    """Return the message that acknowledges a command."""
    return canonical_json({"type": "done", "key": key, "n": n})


def _read(message: ASGIMessage, most: int) -> tuple[dict[str, Any], int]:
    """Parse and validate a message; return it and its size in bytes."""
    text = message.get("text")
    if text is None:
        raise Fault(422, "bad", Message("server.not_bytes"), EXAMPLE)
    size = len(text.encode("utf-8", "replace"))
    if size > most:
        raise too_large(most)
    try:
        received = json.loads(text)
    except (ValueError, RecursionError):
        raise Fault(422, "bad", Message("server.not_json"), EXAMPLE) from None
    if received == {"type": "ping"}:
        return received, size
    if not isinstance(received, dict) or received.get("type") != "command":
        raise Fault(422, "bad", Message("server.not_a_command"), EXAMPLE)
    if {*received} - {"type", "do", "key", "data"}:
        raise Fault(422, "bad", Message("server.parts_of_command"), EXAMPLE)
    for name in ("do", "key"):
        if not isinstance(received.get(name), str) or not 0 < len(received[name]) <= 60:
            raise Fault(422, "bad", Message("server.text_of_60", name=name), EXAMPLE)
    if not isinstance(received.setdefault("data", {}), dict):
        raise Fault(422, "bad", Message("server.data_is_names"), EXAMPLE)
    return received, size
