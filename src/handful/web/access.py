"""Access to seats: links and recovery codes are followed, created and revoked.

Invariant: guessing tokens is rate-limited, and revoking a link ends its connections.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from handful.errors import Message
from handful.store import Link, SQLStore
from handful.table import PLAYER, WATCHER
from handful.web import links
from handful.web.database import Database
from handful.web.faults import Fault, forbidden
from handful.web.joining import Newcomer, sit_down
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

    async def take_seat(self, link: Link, newcomer: Newcomer) -> str:
        """Create a seat from an open invitation; return the token of a link to it."""
        await sit_down(await self.rooms.get(link.table), newcomer, self.limits.seats)
        return await self.create_link(Link(link.table, newcomer.name, newcomer.role), newcomer.name)

    # -- join links, for the whole table

    async def join_links(self, table: str) -> dict[str, str | None]:
        """Return the path of the table's join link for each role; None if it is switched off."""

        def read(store: SQLStore) -> dict[str, str | None]:
            return {role: links.join_code(store, table, role) for role in (PLAYER, WATCHER)}

        found = await self.database.read(read)
        return {role: code and f"/join/{code}" for role, code in found.items()}

    async def switch_join_link(self, table: str, role: str, on: bool) -> None:
        """Make a join link, instead of all open invitations for its role, or only revoke these."""
        if on:
            await self.database.run(lambda store: links.create_join_link(store, table, role))
        else:
            await self.revoke_links(Link(table, "", role))

    # -- recovery codes

    async def create_recovery_code(self, link: Link) -> str:
        return await self.database.run(lambda store: links.create_recovery_code(store, link.table, link.seat))

    async def has_recovery_code(self, link: Link) -> bool:
        return await self.database.read(lambda store: store.has_recovery_code(link.table, link.seat))

    async def recover(self, code: str, visitor: str) -> tuple[str, str]:
        """Return the table and the token of a new link for a recovery code; the seat is told of it."""
        found = await self.database.read(lambda store: store.recovery_seat(links.hash_recovery_code(code)))
        if found is None:
            self.rates.limit_guesses(visitor)
            raise Fault(403, "forbidden", Message("server.wrong_code"), Message("server.host_makes_link"))
        table, seat = found
        room = await self.rooms.get(table)
        return table, await self.create_link(Link(table, seat, room.facts.role(seat)), seat)

    # -- links to seats

    async def create_link(self, link: Link, by: str, *, instead: bool = False) -> str:
        """Create a link and return its token; `instead` revokes all others to the same seat.

        The seat is told who made it, before it can be used.
        """
        if link.seat:
            room = await self.rooms.get(link.table)
            await room.record_link(link.seat, by)

        def write(store: SQLStore) -> str:
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
