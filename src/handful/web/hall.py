"""The hall: every table of the file, and the rooms of those that are open."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from secrets import token_bytes, token_hex
from typing import Any, TypeVar

from handful.errors import Refused
from handful.library.tables import installed, now, rules_of
from handful.store import Kept, Link, Opened, SQLiteStore
from handful.table import GM, PLAYER, ROLES, WATCHER, Command
from handful.web import games, links
from handful.web.buckets import Buckets
from handful.web.faults import Fault, forbidden
from handful.web.rooms import Room, Writer
from handful.web.settings import Limits, Settings

Made = TypeVar("Made")


class Hall:
    """All tables of one file; rooms are opened when somebody comes."""

    def __init__(self, settings: Settings, limits: Limits) -> None:
        self.settings, self.limits = settings, limits
        self.writer = Writer()
        self.rooms: dict[str, Room] = {}
        self._opening = asyncio.Lock()
        self._thinking = asyncio.Semaphore(2)
        self._buckets = Buckets()
        self._gone: set[tuple[str, str]] = set()  # seats without a link any more
        self.store: SQLiteStore

    async def begin(self) -> None:
        self.store = await self.writer.do(
            lambda: SQLiteStore(self.settings.data, create=True, one_thread=False)
        )

    async def end(self) -> None:
        for room in self.rooms.values():
            for one in tuple(room.connections):
                one.drop()
        await self.writer.do(self.store.close)
        self.writer.close()

    # -- limits

    def not_too_fast(self, link: Link) -> None:
        """Each seat has a bucket of commands that fills again with time."""
        self._buckets.take((link.table, link.seat), self.limits.burst, self.limits.rate)

    def may_open(self, visitor: str) -> None:
        self._buckets.take(("open", visitor), self.limits.tables, self.limits.tables / 3600)

    async def thinks(self, work: Callable[[], Made]) -> Made:
        """Work on odds: as many at once as there are hands, the others wait their turn."""
        async with self._thinking:
            return await asyncio.to_thread(work)

    # -- tables

    async def new_table(
        self, game: str, title: str, gm: str, players: list[str], watchers: bool
    ) -> tuple[str, dict[str, str]]:
        """A new table with its seats; its id, and the token of a link for each seat."""
        if game not in games.games():
            raise Fault(422, "refused", f"there is no game {game[:40]!r}",
                        f"there is {', '.join(games.games())}")  # fmt: skip
        table = f"{_slug(title)}-{token_hex(4)}"

        def make() -> dict[str, str]:
            rules, texts = installed(game)
            opened = Opened(table, game, token_bytes(32), rules.hash)
            self.store.keep_rules(rules.hash, texts)
            self.store.begin(opened)
            kept = Kept(self.store, opened, rules, now)
            kept.do(gm, Command("open", "open", {"table": table}))
            for name in players:
                seat = {"name": name, "role": PLAYER}
                kept.do(gm, Command("seat", f"seat {name}"[:60], seat))
            made = {name: links.new_link(self.store, Link(table, name, PLAYER)) for name in players}
            made[gm] = links.new_link(self.store, Link(table, gm, GM))
            if watchers:
                made[""] = links.new_link(self.store, Link(table, "", WATCHER))
            return made

        return table, await self.writer.do(make)

    async def room(self, table: str) -> Room:
        """The room of a table; opened if it is not."""
        async with self._opening:
            if table not in self.rooms:
                self.rooms[table] = await self.writer.do(lambda: self._room(table))
                self.rooms[table].loop = asyncio.get_running_loop()
        return self.rooms[table]

    def _room(self, table: str) -> Room:
        found = [one for one in self.store.tables() if one.table == table]
        if not found:
            raise forbidden()
        kept = Kept(self.store, found[0], rules_of(self.store, found[0]), now)
        return Room(kept, self.writer, self.limits)

    # -- who may sit where

    async def sits(self, token: str) -> Link:
        """Where a token leads; forbidden if nowhere."""
        link = await self.writer.do(lambda: links.follow(self.store, token))
        if link is None:
            raise forbidden()
        return link

    async def still_sits(self, link: Link) -> None:
        """Refuses a seat whose links were all taken back while it was listening."""
        if (link.table, link.seat) in self._gone:
            raise forbidden()

    async def sit_down(self, link: Link, name: str) -> str:
        """A new seat for whoever follows an open invitation; the token of their own link."""
        room = await self.room(link.table)
        gm = next(seat for seat, role in room.table.seats.items() if role == GM)
        seat = {"name": name, "role": link.role}
        if name in room.table.seats:
            raise Fault(409, "refused", f"{name!r} has a seat already", "take another name")
        await room.do(gm, Command("seat", f"invited {token_hex(8)}", seat))
        return await self.invite(link.table, name, link.role)

    async def invite(self, table: str, seat: str, role: str) -> str:
        """A new link to a seat, or for new seats of a role."""
        if role not in ROLES:
            raise Refused(f"a seat is {', '.join(ROLES)}")
        self._gone.discard((table, seat))
        return await self.writer.do(lambda: links.new_link(self.store, Link(table, seat, role)))

    async def take_back(self, table: str, seat: str, role: str) -> int:
        count = await self.writer.do(lambda: links.take_back(self.store, table, seat, role))
        if seat:
            self._gone.add((table, seat))
            if table in self.rooms:
                self.rooms[table].drop(seat)
        return count

    async def invited(self, table: str) -> list[dict[str, Any]]:
        """How many links lead where; never the links."""
        found = await self.writer.do(lambda: self.store.links(table))
        counts: dict[tuple[str, str], int] = {}
        for _, link in found:
            counts[link.seat, link.role] = counts.get((link.seat, link.role), 0) + 1
        return [{"seat": s, "role": r, "links": n} for (s, r), n in sorted(counts.items())]


def _slug(title: str) -> str:
    """A title as part of an address."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:30] or "table"
