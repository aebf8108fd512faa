"""Access to seats: links are followed, created and revoked.

Invariant: guessing tokens is rate-limited, and revoking a link ends its connections.
"""

from __future__ import annotations

from collections import Counter
from secrets import token_hex
from typing import Any

from handful.errors import Message, Refused
from handful.store import Link, SQLiteStore
from handful.table import GM, Command
from handful.web import links
from handful.web.database import Database
from handful.web.faults import Fault, forbidden
from handful.web.ratelimit import RateLimits
from handful.web.room_registry import RoomRegistry
from handful.web.settings import ServerLimits


class Access:
    """Resolves tokens to seats, and gives links to seats."""

    def __init__(
        self, database: Database, rooms: RoomRegistry, rates: RateLimits, limits: ServerLimits
    ) -> None:
        self.database, self.rooms, self.rates, self.limits = database, rooms, rates, limits

    async def follow_link(self, token: str, visitor: str) -> Link:
        """Return the link of a token; forbidden if there is none, and guessing is rate-limited."""
        link = await self.database.read(lambda store: links.find_link(store, token))
        if link is None:
            self.rates.limit_guesses(visitor)
            raise forbidden()
        return link

    async def find_seat(self, token: str, visitor: str) -> Link:
        """Return the link of a token that leads to a seat; an open invitation is forbidden."""
        link = await self.follow_link(token, visitor)
        if not link.seat:
            raise forbidden()
        return link

    async def take_seat(self, link: Link, name: str) -> str:
        """Create a seat from an open invitation; return the token of a link to it."""
        room = await self.rooms.get(link.table)
        table = room.table
        if name in table.seats:
            raise Refused(Message("server.seat_taken", name=name), Message("advice.take_another_name"))
        if len(table.seats) >= self.limits.seats:
            full = Message("server.table_full", seats=self.limits.seats)
            raise Fault(429, "too_many", full, Message("server.ask_the_gm"))
        gm = next(one for one, role in table.seats.items() if role == GM and one not in table.left_seats)
        seat = {"name": name, "role": link.role}
        await room.submit(gm, Command("seat", f"invited {token_hex(8)}", seat))
        return await self.create_link(Link(link.table, name, link.role), name)

    async def create_link(self, link: Link, by: str, *, instead: bool = False) -> str:
        """Create a link and return its token; `instead` revokes all others to the same seat.

        The seat is told who made it, before it can be used.
        """
        if link.seat:
            room = await self.rooms.get(link.table)
            await room.record_link(link.seat, by)

        def write(store: SQLiteStore) -> str:
            if instead:
                links.revoke_links(store, link.table, link.seat, link.role)
            return links.create_link(store, link)

        token = await self.database.run(write)
        if instead:
            self._disconnect(link)
        return token

    async def revoke_links(self, link: Link) -> int:
        """Revoke all links to a seat, or to new seats of a role; return their number."""
        count = await self.database.run(
            lambda store: links.revoke_links(store, link.table, link.seat, link.role)
        )
        self._disconnect(link)
        return count

    def _disconnect(self, link: Link) -> None:
        if link.seat:
            self.rooms.disconnect(link.table, link.seat)

    async def count_links(self, table: str) -> list[dict[str, Any]]:
        """Return the number of links to each seat, never the links themselves."""
        found = await self.database.read(lambda store: store.links(table))
        counts = Counter((link.seat, link.role) for _, link in found)
        return [{"seat": s, "role": r, "links": n} for (s, r), n in sorted(counts.items())]
