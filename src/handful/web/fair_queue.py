"""Fair queue for questions that take a worker each: who has used little goes first, and never waits long.

One worker is for light questions, the others for any.  A question that turns out to be heavy leaves the light
worker as soon as a light one waits.  Each question counts for several parties, such as its table and its
visitor, so that more seats or more tables do not give anybody more than their share.
Invariant: however many heavy questions there are, a light one waits for at most one that has just begun.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Sequence
from time import monotonic

LIGHT, LONG = "light", "long"
LIGHT_SECONDS = 0.5  # after which a question gives way to light ones that wait
HEAVY_SECONDS = 1.0  # use of late, from which on the questions of a party count as heavy
HALF_LIFE = 30.0  # seconds in which the use of a party counts half
MAX_PARTIES = 10_000  # whose use is remembered


class Usage:
    """Seconds of work for each party, of which older ones count less."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._used: dict[Hashable, tuple[float, float]] = {}  # party -> seconds, and when they were counted

    def of(self, parties: Sequence[Hashable]) -> float:
        """Return the use of the party that has used most."""
        return max((self._decayed(one) for one in parties), default=0.0)

    def total(self, parties: Sequence[Hashable]) -> float:
        """Return the use of all these parties together."""
        return sum(self._decayed(one) for one in parties)

    def add(self, parties: Sequence[Hashable], seconds: float) -> None:
        for one in parties:
            used = self._decayed(one) + seconds
            self._used.pop(one, None)
            self._used[one] = used, self._clock()
        while len(self._used) > MAX_PARTIES:
            del self._used[next(iter(self._used))]

    def _decayed(self, party: Hashable) -> float:
        seconds, when = self._used.get(party, (0.0, 0.0))
        return seconds * 0.5 ** ((self._clock() - when) / HALF_LIFE) if seconds else 0.0


class Ticket:
    """A question that waits for a worker, or has one; `lane` is the worker's."""

    def __init__(self, parties: Sequence[Hashable], *, is_long: bool) -> None:
        self.parties, self.is_long = parties, is_long
        self.lane = ""
        self.counted = 0.0  # seconds that count for its parties already
        self.granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class FairQueue:
    """Gives questions their turn; `size` is the number of workers."""

    def __init__(self, size: int, clock: Callable[[], float] = monotonic) -> None:
        self.usage = Usage(clock)
        self._free = {LIGHT: 1, LONG: max(size - 1, 1)}
        self._waiting: list[Ticket] = []

    def __len__(self) -> int:
        """Return the number of questions that wait."""
        return len(self._waiting)

    async def enter(self, parties: Sequence[Hashable], *, is_long: bool = False) -> Ticket:
        """Wait for a worker; `leave` has to be called afterwards."""
        ticket = Ticket(parties, is_long=is_long)
        self._waiting.append(ticket)
        self._grant()
        try:
            await ticket.granted
        except BaseException:
            if ticket.lane:  # granted and cancelled at the same time
                self.leave(ticket, 0.0)
            else:
                self._waiting.remove(ticket)
            raise
        return ticket

    def leave(self, ticket: Ticket, seconds: float) -> None:
        """Free the worker of a question that took so many seconds."""
        self._count(ticket, seconds)
        self._free[ticket.lane] += 1
        self._grant()

    def _count(self, ticket: Ticket, seconds: float) -> None:
        self.usage.add(ticket.parties, seconds - ticket.counted)
        ticket.counted = seconds

    def is_heavy(self, ticket: Ticket) -> bool:
        return ticket.is_long or self.usage.of(ticket.parties) > HEAVY_SECONDS

    def may_go_on(self, ticket: Ticket, seconds: float) -> bool:
        """Count the seconds that a question has taken so far, and return whether it may go on.

        If light ones wait for its worker, it takes the place of a long one, if there is room.
        """
        self._count(ticket, seconds)
        if ticket.lane == LONG or seconds < LIGHT_SECONDS or all(map(self.is_heavy, self._waiting)):
            return True
        if not self._free[LONG]:
            return False
        self._free[LONG] -= 1
        self._free[LIGHT] += 1
        ticket.lane = LONG
        self._grant()
        return True

    def _grant(self) -> None:
        """Give free workers to those who have used least; a heavy question never gets the light one."""
        for lane in (LIGHT, LONG):
            while self._free[lane] and (ticket := self._next(lane)) is not None:
                self._waiting.remove(ticket)
                self._free[lane] -= 1
                ticket.lane = lane
                ticket.granted.set_result(None)

    def _next(self, lane: str) -> Ticket | None:
        waiting = [one for one in self._waiting if not one.granted.done()]
        light, long = ([one for one in waiting if self.is_heavy(one) == heavy] for heavy in (False, True))
        own = light if lane == LIGHT else long or light
        return min(own, key=lambda one: self.usage.total(one.parties), default=None)
