"""The hall: every table of the file, and the rooms of those that are open."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from secrets import token_bytes, token_hex
from typing import Any, TypeVar

from handful.errors import HandfulError, Refused
from handful.library.tables import DRAFT_PREFIX, now, rules_for
from handful.rules.ruleset import Ruleset
from handful.store import (
    DraftRuleset,
    Link,
    RulesetTexts,
    SQLiteStore,
    StoredTable,
    StoreFault,
    TableDeleted,
    TableHeader,
    read_stored_rules,
)
from handful.table import GM, PLAYER, WATCHER, Command, canonical_json
from handful.table.commands import read_command
from handful.web import games, links
from handful.web.connections import FORBIDDEN, STOPPING, Connection
from handful.web.faults import Fault, fault_of, forbidden
from handful.web.gc_policy import Tidy
from handful.web.i18n import spoken
from handful.web.middleware import LOG
from handful.web.ratelimit import Buckets
from handful.web.rooms import Room
from handful.web.settings import Limits, Settings
from handful.web.visitors import Admission
from handful.web.worker_main import Question, Tell
from handful.web.workers import Reckoner, beyond
from handful.web.writer import Thread

Made = TypeVar("Made")


class Hall:
    """All tables of one file; rooms are opened when somebody comes.

    One thread works on tables and writes, another one with an eye of its own on the file looks up
    links: nobody waits at the door because a table is busy.
    """

    def __init__(self, settings: Settings, limits: Limits) -> None:
        self.settings, self.limits = settings, limits
        self.core, self.door = Thread("tables"), Thread("door")
        self.rooms: dict[str, Room] = {}
        self.reckoner = Reckoner(limits)
        self.brewer = Reckoner(limits, 2, "handful.web.sandbox", limits.brew_seconds)
        self._opening = asyncio.Lock()
        self._buckets = Buckets()
        self.sockets = Admission(limits.sockets_open, limits.visitor_sockets)
        self._trouble: Fault | None = None
        self._watching: asyncio.Task[None]
        self._warming: set[asyncio.Task[None]] = set()
        self.store: SQLiteStore  # of the core
        self.book: SQLiteStore  # of the door: who may come in

    async def begin(self) -> None:
        path = self.settings.data
        self.store = await self.core.do(lambda: SQLiteStore(path, create=True, one_thread=False))
        self.book = await self.door.do(lambda: SQLiteStore(path, one_thread=False))
        self._watching = asyncio.create_task(self._watch())
        self._warm(self.reckoner.begin())

    async def end(self) -> None:
        for task in (self._watching, *self._warming):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        for room in self.rooms.values():
            room.drop(STOPPING)
        await self.reckoner.end()
        await self.brewer.end()
        await self.core.do(self.store.close)
        await self.door.do(self.book.close)
        self.core.close()
        self.door.close()

    # -- looking after the rooms

    async def _watch(self) -> None:
        """Now and then: what others wrote, who has gone, and whether there is room again."""
        seen, tidy = await self.core.do(self.store.data_version), Tidy()
        while True:
            await asyncio.sleep(self.limits.look)
            with self._grumbling():
                if self._trouble is not None:
                    await self._try_again()
                version = await self.core.do(self.store.data_version)
                for name, room in tuple(self.rooms.items()) if version != seen else ():
                    with self._grumbling():
                        await self._refreshed(name, room)
                seen = version
            used = max((room.used for room in self.rooms.values()), default=0.0)
            for name, room in tuple(self.rooms.items()):
                if room.is_idle:
                    del self.rooms[name]
            await self.core.do(partial(tidy.look, used))
            with self._grumbling():
                if self._trouble is None:
                    await self.door.do(self.book.checkpoint)

    async def _refreshed(self, name: str, room: Room) -> None:
        try:
            await room.refresh()
        except TableDeleted:  # by its owner, with `handful forget`
            del self.rooms[name]
            room.drop(FORBIDDEN)

    @staticmethod
    @contextmanager
    def _grumbling() -> Iterator[None]:
        """One room in trouble is no trouble for the others."""
        try:
            yield
        except HandfulError as error:
            LOG.warning("%s", error.message)
        except Exception:
            LOG.exception("looking after the rooms")

    async def _try_again(self) -> None:
        try:
            await self.core.do(self.store.check_writable)
        except StoreFault:
            return
        self.noticed(None)

    def noticed(self, fault: StoreFault | None) -> None:
        """The file cannot be written, or can be again: every screen says so."""
        found = None if fault is None else fault_of(fault)
        before, self._trouble = self._trouble, found
        if (before and before.message) == (found and found.message):
            return
        LOG.warning(
            "the file can be written again" if fault is None else "%s",
            *(() if fault is None else (fault.message,)),
        )
        for room in self.rooms.values():
            for one in room.connections:
                self.tell_trouble(one, always=True)

    def tell_trouble(self, here: Connection, always: bool = False) -> None:
        if self._trouble is not None or always:
            found = {} if self._trouble is None else self._trouble.to_dict()
            said = spoken(found, here.language)
            here.tell(canonical_json({"type": "store", "ok": not found, **said}))

    # -- limits

    def not_too_fast(self, link: Link) -> None:
        """Each seat has a bucket of commands that fills again with time."""
        self._buckets.take((link.table, link.seat), self.limits.burst, self.limits.rate)

    def may_ask(self, *who: str) -> None:
        self._buckets.take(("ask", *who), self.limits.asks, self.limits.asks_rate)

    def may_explore(self, visitor: str) -> None:
        """Whoever drags a slider asks at every step of it."""
        self._buckets.take(("explore", visitor), self.limits.explores, self.limits.explores_rate)

    def may_open(self, visitor: str) -> None:
        self._buckets.take(("open", visitor), self.limits.tables, self.limits.tables / 3600)

    # -- odds

    async def reckons(
        self,
        who: tuple[str, ...],
        question: Question,
        rules: str,
        texts: Callable[[], Awaitable[RulesetTexts]],
        has_gone: Callable[[], Awaitable[bool]],
        tell: Tell | None = None,
    ) -> Any:
        """Work on odds, for one seat or visitor after the other."""
        question = {"policy": "usual", **question, "rules": rules, "budget": self.limits.odds}
        return await self.reckoner.work_out(who, question, texts, has_gone, tell)

    async def texts_of(self, room: Room, rules: str) -> RulesetTexts:
        """Rules of a table, as the processes for odds read them."""
        opened = room.kept.header
        kept = await self.door.do(lambda: self.book.rules(rules))
        return kept or (await self.door.do(lambda: games.installed(opened.game)))[1]

    # -- rulesets that somebody wrote

    async def brewed(self, visitor: str, question: Question, has_gone: Callable[[], Awaitable[bool]]) -> Any:
        """Ask something about a text that somebody wrote, in a process that it cannot hurt."""
        self._buckets.take(("brew", visitor), self.limits.brewing, self.limits.brewing_rate)
        question = {**question, "budget": self.limits.odds}
        try:
            return await self.brewer.work_out(visitor, question, _no_texts, has_gone)
        except Fault as fault:
            if fault.code != "broken":
                raise
            raise beyond() from None

    async def read(
        self, visitor: str, text: str, has_gone: Callable[[], Awaitable[bool]]
    ) -> tuple[str, RulesetTexts]:
        """The hash and the texts of a ruleset that somebody wrote; refused for its mistakes."""
        found = await self.brewed(visitor, {"do": "shelve", "ruleset": text}, has_gone)
        for one in found["mistakes"][:1]:
            where = f"line {one['line']}: " if one["line"] else ""
            raise Fault(422, "refused", where + one["message"], one["hint"])
        return found["hash"], [(name, one) for name, one in found["texts"]]

    async def shelve(
        self, visitor: str, text: str, cases: str, has_gone: Callable[[], Awaitable[bool]]
    ) -> DraftRuleset:
        """Put a ruleset on the shelf; refused where it has mistakes."""
        self._buckets.take(("shelve", visitor), self.limits.shelved, self.limits.shelved / 3600)
        hash, texts = await self.read(visitor, text, has_gone)
        brew = DraftRuleset(hash, text, cases)

        def put() -> None:
            if (
                self.store.published_ruleset(brew.hash) is None
                and self.store.count_published() >= self.limits.shelf
            ):
                raise Fault(429, "too_many", "the shelf of this server is full", "keep your game as a file")
            with self.store.transaction():
                self.store.save_rules(brew.rules_hash, texts)
                self.store.publish_ruleset(brew)

        await self._written(put)
        return brew

    async def on_shelf(self, hash: str) -> DraftRuleset:
        found = await self.door.do(lambda: self.book.published_ruleset(hash))
        if found is None:
            raise Fault(
                404, "not_found", "there is no such game on the shelf", "perhaps the link is not whole"
            )
        return found

    async def rules_for(self, game: str, brew: str) -> tuple[str, RulesetTexts]:
        """The hash and the texts of rules for a table that is there already; they are kept."""
        if brew:
            hash = (await self.on_shelf(brew)).rules_hash
            return hash, await self.door.do(lambda: self.book.rules(hash))
        self._not_unknown(game)
        rules, texts = await self.core.do(lambda: games.installed(game))
        await self._written(lambda: self.store.save_rules(rules.hash, texts))
        return rules.hash, texts

    @staticmethod
    def _not_unknown(game: str) -> None:
        if game not in games.games():
            raise Fault(
                422, "refused", f"there is no game {game[:40]!r}", f"there is {', '.join(games.games())}"
            )

    async def _written(self, work: Callable[[], Made]) -> Made:
        """Write into the file; everybody hears of it if that does not work."""
        try:
            return await self.core.do(work)
        except StoreFault as fault:
            self.noticed(fault)
            raise

    # -- tables

    def _rules(self, game: str, brew: DraftRuleset | None) -> tuple[str, Ruleset, RulesetTexts]:
        """What a new table is played by: its game as the store names it, rules and texts."""
        if brew is None:
            return (game, *games.installed(game))
        texts = self.store.rules(brew.rules_hash)
        rules = read_stored_rules(brew.rules_hash, texts)
        return f"{DRAFT_PREFIX}{rules.id}", rules, texts

    async def new_table(
        self, game: str, title: str, gm: str, players: list[str], watchers: bool, brew: str = ""
    ) -> tuple[str, dict[str, str]]:
        """A new table with its seats; its id, and the token of a link for each seat."""
        if not brew:
            self._not_unknown(game)
        table = f"{_slug(title)}-{token_hex(4)}"
        own = await self.on_shelf(brew) if brew else None

        def open_in(store: SQLiteStore) -> None:
            name, rules, texts = self._rules(game, own)
            opened = TableHeader(table, name, token_bytes(32), rules.hash)
            store.save_rules(rules.hash, texts)
            store.create_table(opened)
            kept = StoredTable(store, opened, rules, now)
            read_command(Command("seat", "gm", {"name": gm, "role": GM}))
            kept.do(gm, Command("open", "open", {"table": title}))
            for at, name in enumerate(players, 1):
                kept.do(gm, Command("seat", f"seat {at}", {"name": name, "role": PLAYER}))

        def make() -> dict[str, str]:
            leads = {
                gm: GM,
                **dict.fromkeys(players, PLAYER),
                **({"": WATCHER} if watchers else {}),
            }
            with self.store.transaction():  # what is refused leaves nothing behind
                open_in(self.store)
                return {
                    seat: links.new_link(self.store, Link(table, seat, role)) for seat, role in leads.items()
                }

        return table, await self._written(make)

    async def room(self, table: str) -> Room:
        """The room of a table; opened if it is not."""
        async with self._opening:
            if table not in self.rooms:
                room = await self.core.do(lambda: self._room(table))
                self.rooms[table] = room
                rules = room.kept.rules.hash
                self._warm(self.reckoner.warm(rules, lambda: self.texts_of(room, rules)))
        return self.rooms[table]

    def _warm(self, work: Coroutine[Any, Any, None]) -> None:
        """Something that makes those who come next wait less; nobody waits for it."""
        task = asyncio.create_task(work)
        self._warming.add(task)
        task.add_done_callback(self._warming.discard)

    def _room(self, table: str) -> Room:
        found = [one for one in self.store.tables() if one.table == table]
        if not found:
            raise forbidden()
        opened, rules = found[0], None
        if opened.game in games.games():
            rules = games.installed(opened.game)[0]
        if rules is None or rules.hash != opened.rules_hash:
            rules = rules_for(self.store, opened)
        kept = StoredTable(self.store, opened, rules, now)
        return Room(kept, self.core, self.limits, self.noticed)

    # -- who may sit where

    async def follow(self, token: str, visitor: str) -> Link:
        """Where a token leads; forbidden if nowhere, and too fast for those who guess."""
        link = await self.door.do(lambda: links.follow(self.book, token))
        if link is None:
            self._buckets.take(("guess", visitor), self.limits.guesses, self.limits.guesses / 60)
            raise forbidden()
        return link

    async def sits(self, token: str, visitor: str) -> Link:
        """The seat to which a token leads; an open invitation is none."""
        link = await self.follow(token, visitor)
        if not link.seat:
            raise forbidden()
        return link

    async def sit_down(self, link: Link, name: str) -> str:
        """A new seat for whoever follows an open invitation; the token of their own link."""
        room = await self.room(link.table)
        table = room.table
        if name in table.seats:
            raise Refused(f"{name!r} has a seat already", "take another name")
        if len(table.seats) >= self.limits.seats:
            raise Fault(429, "too_many", f"there are {self.limits.seats} seats at this table", "ask the GM")
        gm = next(one for one, role in table.seats.items() if role == GM and one not in table.left_seats)
        seat = {"name": name, "role": link.role}
        await room.do(gm, Command("seat", f"invited {token_hex(8)}", seat))
        return await self.invite(Link(link.table, name, link.role))

    async def invite(self, link: Link, *, instead: bool = False) -> str:
        """The token of a new link; `instead` of all that led there before."""

        def make() -> str:
            if instead:
                links.take_back(self.store, link.table, link.seat, link.role)
            return links.new_link(self.store, link)

        token = await self.core.do(make)
        if instead:
            self._let_go(link)
        return token

    async def take_back(self, link: Link) -> int:
        count = await self.core.do(lambda: links.take_back(self.store, link.table, link.seat, link.role))
        self._let_go(link)
        return count

    def _let_go(self, link: Link) -> None:
        """Whoever listens by a link that leads nowhere any more."""
        if link.seat and link.table in self.rooms:
            self.rooms[link.table].drop(FORBIDDEN, link.seat)

    async def invited(self, table: str) -> list[dict[str, Any]]:
        """How many links lead where; never the links."""
        found = await self.door.do(lambda: self.book.links(table))
        counts: dict[tuple[str, str], int] = {}
        for _, link in found:
            counts[link.seat, link.role] = counts.get((link.seat, link.role), 0) + 1
        return [{"seat": s, "role": r, "links": n} for (s, r), n in sorted(counts.items())]


async def _no_texts() -> RulesetTexts:
    """A question about a text brings it along."""
    return ()


def _slug(title: str) -> str:
    """A title as part of an address."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:30].strip("-") or "table"
