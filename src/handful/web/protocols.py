"""Protocols for uvicorn that limit the number of connections and the time a request takes.

uvicorn closes idle keep-alive connections, but it waits for ever for the rest of a head or a body,
and it counts a connection only once its request is complete.  Here each phase of a request has a
deadline, which further bytes do not extend, and a connection counts as soon as it is accepted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from handful.web.connections import SEND_NOW
from handful.web.faults import Fault
from handful.web.middleware import refusal
from handful.web.settings import ServerLimits, Settings
from handful.web.visitors import Admission, is_within, networks, visitor_at

CLOSE_SECONDS = 5.0  # seconds until a client that does not close an ended socket is cut off
MOST_REFUSED = 64  # refused connections that get an error response at one time; others are just closed
REFUSED_SECONDS = 2.0  # until a refused connection is cut off


def _do_nothing() -> None:
    pass


class ConnectionCounter:
    """Counts the open connections of a server by the address of the client."""

    def __init__(self, settings: Settings, limits: ServerLimits) -> None:
        self.limits = limits
        self.open = Admission(limits.connections, limits.visitor_connections)
        self.refused = Admission(MOST_REFUSED, MOST_REFUSED)
        self.proxies = networks(settings.proxies) if settings.public else []

    def enter(self, host: str) -> tuple[Callable[[], None], Fault | None]:
        """Count a connection; return the function that stops counting it, and a fault to answer.

        Raises Fault if so many are being refused that this one gets no answer.
        """
        visitor = visitor_at(host)
        try:
            self.open.enter(visitor, limited=not is_within(host, self.proxies))
        except Fault as fault:
            self.refused.enter(visitor)
            return lambda: self.refused.leave(visitor), fault
        return lambda: self.open.leave(visitor), None


class HttpProtocol(H11Protocol):
    """HTTP/1.1 with deadlines for the head and the body of each request and for its answer."""

    def __init__(self, counter: ConnectionCounter, **more: Any) -> None:
        super().__init__(**more)
        self.counter, self.limits = counter, counter.limits
        self._leave = _do_nothing
        self._refused: Fault | None = None
        self._phase: object = None  # what the deadline is for
        self._deadline: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        try:
            host = self.client[0] if self.client else ""
            self._leave, self._refused = self.counter.enter(host)
        except Fault:
            transport.abort()
            return
        if self._refused is not None:
            self.app = refusal(self._refused)
            self._set_deadline(REFUSED_SECONDS)
        self._update_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._set_deadline(None)
        self.resume_writing()
        self._leave()
        self._leave = _do_nothing

    # -- deadlines

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._update_deadline()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._update_deadline()

    def _update_deadline(self) -> None:
        """Set the deadline when a new phase of a request begins."""
        if self not in self.connections or self.transport.is_closing() or self._refused:
            return  # upgraded, closing, or refused with a deadline for the whole connection
        state = self.conn.their_state
        phase = (state, self.cycle, self._is_between_requests())
        if phase == self._phase:
            return
        self._phase = phase
        if state is h11.SEND_BODY:
            self._set_deadline(self.limits.body_seconds)
        elif state is h11.IDLE and not self._is_between_requests():
            self._set_deadline(self.limits.head_seconds)
        else:
            self._set_deadline(None)

    def _is_between_requests(self) -> bool:
        """Return whether uvicorn's timer for the next request is running."""
        return self.conn.their_state is h11.IDLE and self.timeout_keep_alive_task is not None

    def _set_deadline(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None
        if seconds is not None:
            self._deadline = self.loop.call_later(seconds, self.transport.abort)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stalled = self.loop.call_later(self.limits.body_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    # -- sockets

    def _should_upgrade(self) -> bool:
        return self._refused is None and super()._should_upgrade()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._set_deadline(None)
        super().handle_websocket_upgrade(event)
        upgraded = self.transport.get_protocol()
        assert isinstance(upgraded, SocketProtocol)
        upgraded.leave, self._leave = self._leave, _do_nothing


class SocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that sends without queueing if it can, and cuts off clients that do not close."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self.leave = _do_nothing  # stops counting the connection

    async def run_asgi(self) -> None:
        self.scope[SEND_NOW] = self._try_send  # type: ignore[literal-required]
        await super().run_asgi()
        self.loop.call_later(CLOSE_SECONDS, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.leave()
        self.leave = _do_nothing

    def _try_send(self, text: str) -> bool:
        """Send a text without queueing; return False if it has to wait for earlier ones."""
        if not self.writable.is_set() or self.conn.state is not State.OPEN:
            return False
        self.conn.send_text(text.encode())
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True
