"""Those who listen: each has a queue of its own, so that nobody waits for anybody else.

Most of the time nothing waits, and what is told goes straight to the socket.  Whoever is slow or
dead is let go, and comes back by asking for what it has missed.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from handful.table import SPECTATOR
from handful.web.settings import Limits

# why a socket is closed
STOPPING, FORBIDDEN, BEHIND, TOO_FAST = 1012, 4403, 4408, 4429
AT_ONCE = "handful.at_once"  # in the scope of a socket, where its server can send without waiting


class Connection:
    """A client that listens for a seat."""

    def __init__(
        self,
        seat: str,
        limits: Limits,
        language: str = "en",
        at_once: Callable[[str], bool] = lambda text: False,
        *,
        watches: bool = False,
    ) -> None:
        """`at_once` sends a text now, or says that it cannot; `watches`: as any watcher would."""
        self.seat, self.limits, self.language = seat, limits, language
        self.viewer = SPECTATOR if watches else seat  # whose view and log are sent
        self.code = 0  # why it was let go
        self._at_once = at_once
        self._waiting: deque[str] = deque()
        self._bytes = 0
        self._news, self._gone = asyncio.Event(), asyncio.Event()

    def tell(self, text: str) -> None:
        if self.code or (not self._waiting and self._at_once(text)):
            return
        self._waiting.append(text)
        self._bytes += len(text)
        many = len(self._waiting) > self.limits.waiting
        if many or (self._bytes > self.limits.waiting_bytes and len(self._waiting) > 1):
            self.drop(BEHIND)
        self._news.set()

    async def next(self) -> str:
        """What comes next for this client; it waits until it is `sent`: nothing overtakes it."""
        while not self._waiting:
            self._news.clear()
            await self._news.wait()
        return self._waiting[0]

    def sent(self) -> None:
        if self._waiting:
            self._bytes -= len(self._waiting.popleft())

    def drop(self, code: int) -> None:
        """Lets the client go: nothing more is sent to it or taken from it."""
        self.code = self.code or code
        self._waiting.clear()
        self._bytes = 0
        self._gone.set()

    async def gone(self) -> None:
        await self._gone.wait()
