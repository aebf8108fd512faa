"""Those who listen: each has a queue of its own, so that nobody waits for anybody else.

Most of the time nothing waits, and what is told goes straight to the socket.  Whoever is slow or
dead is let go, and comes back by asking for what it has missed.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from handful.table import SPECTATOR
from handful.web.settings import ServerLimits

# why a socket is closed
STOPPING, FORBIDDEN, BEHIND, TOO_FAST = 1012, 4403, 4408, 4429
SEND_NOW = "handful.at_once"  # in the scope of a socket, where its server can send without waiting


class Connection:
    """A client that listens for a seat."""

    def __init__(
        self,
        seat: str,
        limits: ServerLimits,
        language: str = "en",
        try_send: Callable[[str], bool] = lambda text: False,
        *,
        as_watcher: bool = False,
    ) -> None:
        """`at_once` sends a text now, or says that it cannot; `watches`: as any watcher would."""
        self.seat, self.limits, self.language = seat, limits, language
        self.viewer = SPECTATOR if as_watcher else seat  # whose view and log are sent
        self.close_code = 0  # why it was let go
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
        """What comes next for this client; it waits until it is `sent`: nothing overtakes it."""
        while not self._queue:
            self._ready.clear()
            await self._ready.wait()
        return self._queue[0]

    def mark_sent(self) -> None:
        if self._queue:
            self._queued_bytes -= len(self._queue.popleft())

    def drop(self, code: int) -> None:
        """Lets the client go: nothing more is sent to it or taken from it."""
        self.close_code = self.close_code or code
        self._queue.clear()
        self._queued_bytes = 0
        self._dropped.set()

    async def dropped(self) -> None:
        await self._dropped.wait()
