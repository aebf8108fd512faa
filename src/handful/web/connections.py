"""Per-client send queues: a slow client never delays the others.

Usually the queue is empty and a message goes straight to the socket.  A client that falls too far
behind is dropped; it reconnects with `after` and receives what it missed.
Invariant: messages of one client are sent in order.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from handful.table import SPECTATOR
from handful.web.settings import ServerLimits

# close codes of the socket
STOPPING, FORBIDDEN, BEHIND, OUTDATED, TOO_FAST = 1012, 4403, 4408, 4426, 4429
SEND_NOW = "handful.at_once"  # key in a socket's ASGI scope: a function that sends without queueing


class Connection:
    """A subscribed client of a seat, with its send queue."""

    def __init__(
        self,
        seat: str,
        limits: ServerLimits,
        language: str = "en",
        try_send: Callable[[str], bool] = lambda text: False,
        *,
        token: str = "",
        as_watcher: bool = False,
        wants_presence: bool = False,
    ) -> None:
        """`try_send` sends a text now or returns False; `as_watcher` sends the view of a watcher.

        `token`: of the link that it came by, which may be revoked.
        """
        self.token = token
        self.seat, self.limits, self.language = seat, limits, language
        self.viewer = SPECTATOR if as_watcher else seat  # the seat whose view and log are sent
        self.wants_presence = wants_presence  # tell it which seats are connected
        self.close_code = 0  # set when the client is dropped
        self._try_send = try_send
        self._queue: deque[str] = deque()
        self._queued_bytes = 0
        self._ready, self._dropped = asyncio.Event(), asyncio.Event()

    def send(self, text: str) -> None:
        if self.close_code or (not self._queue and self._try_send(text)):
            return
        self._queue.append(text)
        self._queued_bytes += len(text)
        many = len(self._queue) > self.limits.queued_messages
        if many or (self._queued_bytes > self.limits.queued_bytes and len(self._queue) > 1):
            self.drop(BEHIND)
        self._ready.set()

    async def next_message(self) -> str:
        """Wait for the next message; it stays in the queue until `mark_sent`, so none overtakes it."""
        while not self._queue:
            self._ready.clear()
            await self._ready.wait()
        return self._queue[0]

    def mark_sent(self) -> None:
        if self._queue:
            self._queued_bytes -= len(self._queue.popleft())

    def drop(self, code: int) -> None:
        """Drop the client: send nothing more to it and ignore what it sends."""
        self.close_code = self.close_code or code
        self._queue.clear()
        self._queued_bytes = 0
        self._dropped.set()

    async def dropped(self) -> None:
        await self._dropped.wait()
