"""All tables in the database; opens a `Room` (mailbox and sockets) for each active table.

`Server` also resolves links to seats, applies rate limits, and passes questions about odds and
draft rulesets to worker processes.  Two threads touch the database: one works on tables and writes,
the other, with its own connection, looks up links.
Invariant: looking up a link never waits for a busy table.
"""

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
from handful.web.gc_policy import IdleCollector
from handful.web.i18n import translate_error
from handful.web.middleware import LOG
from handful.web.ratelimit import TokenBuckets
from handful.web.rooms import Room
from handful.web.settings import ServerLimits, Settings
from handful.web.visitors import Admission
from handful.web.worker_main import Progress, Question
from handful.web.workers import WorkerPool, too_big_to_compute
from handful.web.writer import SerialThread

Result = TypeVar("Result")


class Server:
    """Registry of the rooms of one database file; a room is opened on its first request."""

    def __init__(self, settings: Settings, limits: ServerLimits) -> None:
        self.settings, self.limits = settings, limits
        self.writer, self.reader = SerialThread("tables"), SerialThread("links")
        self.rooms: dict[str, Room] = {}
        self.workers = WorkerPool(limits)
        self.sandbox = WorkerPool(limits, 2, "handful.web.sandbox", limits.draft_seconds)
        self._opening = asyncio.Lock()
        self._buckets = TokenBuckets()
        self.sockets = Admission(limits.sockets_open, limits.visitor_sockets)
        self._store_fault: Fault | None = None
        self._watcher: asyncio.Task[None]
        self._background: set[asyncio.Task[None]] = set()
        self.store: SQLiteStore  # used by `writer`
        self.read_store: SQLiteStore  # used by `reader`: links and published rulesets

    async def start(self) -> None:
        path = self.settings.data
        self.store = await self.writer.run(lambda: SQLiteStore(path, create=True, one_thread=False))
        self.read_store = await self.reader.run(lambda: SQLiteStore(path, one_thread=False))
        self._watcher = asyncio.create_task(self._watch())
        self._run_in_background(self.workers.start())

    async def stop(self) -> None:
        for task in (self._watcher, *self._background):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        for room in self.rooms.values():
            room.drop(STOPPING)
        await self.workers.stop()
        await self.sandbox.stop()
        await self.writer.run(self.store.close)
        await self.reader.run(self.read_store.close)
        self.writer.close()
        self.reader.close()

    # -- maintenance of rooms

    async def _watch(self) -> None:
        """Periodically load what other processes wrote, close idle rooms, and retry a failed store."""
        seen, collector = await self.writer.run(self.store.data_version), IdleCollector()
        while True:
            await asyncio.sleep(self.limits.watch_seconds)
            with self._log_errors():
                if self._store_fault is not None:
                    await self._retry_store()
                version = await self.writer.run(self.store.data_version)
                for name, room in tuple(self.rooms.items()) if version != seen else ():
                    with self._log_errors():
                        await self._refresh(name, room)
                seen = version
            last_used = max((room.last_used for room in self.rooms.values()), default=0.0)
            for name, room in tuple(self.rooms.items()):
                if room.is_idle:
                    del self.rooms[name]
            await self.writer.run(partial(collector.collect_if_due, last_used))
            with self._log_errors():
                if self._store_fault is None:
                    await self.reader.run(self.read_store.checkpoint)

    async def _refresh(self, name: str, room: Room) -> None:
        try:
            await room.refresh()
        except TableDeleted:  # by its owner, with `handful forget`
            del self.rooms[name]
            room.drop(FORBIDDEN)

    @staticmethod
    @contextmanager
    def _log_errors() -> Iterator[None]:
        """Log an error of one room, so that the others go on."""
        try:
            yield
        except HandfulError as error:
            LOG.warning("%s", error.message)
        except Exception:
            LOG.exception("maintenance of the rooms failed")

    async def _retry_store(self) -> None:
        try:
            await self.writer.run(self.store.check_writable)
        except StoreFault:
            return
        self.report_store_fault(None)

    def report_store_fault(self, fault: StoreFault | None) -> None:
        """Notify every connection that the file cannot be written, or with None that it can again."""
        found = None if fault is None else fault_of(fault)
        before, self._store_fault = self._store_fault, found
        if (before and before.message) == (found and found.message):
            return
        LOG.warning(
            "the file can be written again" if fault is None else "%s",
            *(() if fault is None else (fault.message,)),
        )
        for room in self.rooms.values():
            for one in room.connections:
                self.send_store_status(one, always=True)

    def send_store_status(self, connection: Connection, always: bool = False) -> None:
        if self._store_fault is not None or always:
            found = {} if self._store_fault is None else self._store_fault.to_dict()
            message = translate_error(found, connection.language)
            connection.send(canonical_json({"type": "store", "ok": not found, **message}))

    # -- limits

    def limit_commands(self, link: Link) -> None:
        """Limit the commands of a seat."""
        self._buckets.consume((link.table, link.seat), self.limits.burst, self.limits.rate)

    def limit_queries(self, *client: str) -> None:
        self._buckets.consume(("ask", *client), self.limits.query_burst, self.limits.query_rate)

    def limit_explorer(self, visitor: str) -> None:
        """Limit odds queries without a table: more than others, a slider sends one at each step."""
        self._buckets.consume(("explore", visitor), self.limits.explorer_burst, self.limits.explorer_rate)

    def limit_new_tables(self, visitor: str) -> None:
        self._buckets.consume(
            ("open", visitor), self.limits.tables_per_hour, self.limits.tables_per_hour / 3600
        )

    # -- odds

    async def compute(
        self,
        client: tuple[str, ...],
        question: Question,
        rules: str,
        texts: Callable[[], Awaitable[RulesetTexts]],
        is_disconnected: Callable[[], Awaitable[bool]],
        progress: Progress | None = None,
    ) -> Any:
        """Answer a question about odds in a worker; a seat or visitor waits for one at a time."""
        question = {"policy": "usual", **question, "rules": rules, "budget": self.limits.odds_budget}
        return await self.workers.submit(client, question, texts, is_disconnected, progress)

    async def ruleset_texts(self, room: Room, rules: str) -> RulesetTexts:
        """Return the texts of rules of a table, for a worker to load."""
        header = room.stored.header
        stored = await self.reader.run(lambda: self.read_store.rules(rules))
        return stored or (await self.reader.run(lambda: games.installed_rules(header.game)))[1]

    # -- draft rulesets

    async def ask_sandbox(
        self, visitor: str, question: Question, is_disconnected: Callable[[], Awaitable[bool]]
    ) -> Any:
        """Answer a question about a draft ruleset in a sandboxed process."""
        self._buckets.consume(("draft", visitor), self.limits.draft_burst, self.limits.draft_rate)
        question = {**question, "budget": self.limits.odds_budget}
        try:
            return await self.sandbox.submit(visitor, question, _no_texts, is_disconnected)
        except Fault as fault:
            if fault.code != "broken":
                raise
            raise too_big_to_compute() from None

    async def read_draft(
        self, visitor: str, text: str, is_disconnected: Callable[[], Awaitable[bool]]
    ) -> tuple[str, RulesetTexts]:
        """Return hash and texts of a draft ruleset; raise a Fault with its first mistake."""
        found = await self.ask_sandbox(visitor, {"do": "texts", "ruleset": text}, is_disconnected)
        for one in found["mistakes"][:1]:
            position = f"line {one['line']}: " if one["line"] else ""
            raise Fault(422, "refused", position + one["message"], one["hint"])
        return found["hash"], [(name, one) for name, one in found["texts"]]

    async def publish(
        self, visitor: str, text: str, cases: str, is_disconnected: Callable[[], Awaitable[bool]]
    ) -> DraftRuleset:
        """Publish a draft ruleset; refused if it has mistakes."""
        self._buckets.consume(
            ("publish", visitor), self.limits.publish_per_hour, self.limits.publish_per_hour / 3600
        )
        hash, texts = await self.read_draft(visitor, text, is_disconnected)
        draft = DraftRuleset(hash, text, cases)

        def write() -> None:
            if (
                self.store.published_ruleset(draft.hash) is None
                and self.store.count_published() >= self.limits.published
            ):
                raise Fault(429, "too_many", "the shelf of this server is full", "keep your game as a file")
            with self.store.transaction():
                self.store.save_rules(draft.rules_hash, texts)
                self.store.publish_ruleset(draft)

        await self._write(write)
        return draft

    async def published_ruleset(self, hash: str) -> DraftRuleset:
        found = await self.reader.run(lambda: self.read_store.published_ruleset(hash))
        if found is None:
            raise Fault(
                404, "not_found", "there is no such game on the shelf", "perhaps the link is not whole"
            )
        return found

    async def rules_for(self, game: str, draft: str) -> tuple[str, RulesetTexts]:
        """Return hash and texts of other rules for an existing table, and store them."""
        if draft:
            hash = (await self.published_ruleset(draft)).rules_hash
            return hash, await self.reader.run(lambda: self.read_store.rules(hash))
        self._require_game(game)
        rules, texts = await self.writer.run(lambda: games.installed_rules(game))
        await self._write(lambda: self.store.save_rules(rules.hash, texts))
        return rules.hash, texts

    @staticmethod
    def _require_game(game: str) -> None:
        if game not in games.game_names():
            raise Fault(
                422, "refused", f"there is no game {game[:40]!r}", f"there is {', '.join(games.game_names())}"
            )

    async def _write(self, work: Callable[[], Result]) -> Result:
        """Run `work` on the writer thread; a failure of the store is reported to all connections."""
        try:
            return await self.writer.run(work)
        except StoreFault as fault:
            self.report_store_fault(fault)
            raise

    # -- tables

    def _rules(self, game: str, draft: DraftRuleset | None) -> tuple[str, Ruleset, RulesetTexts]:
        """Return the game's name in the store, the rules and their texts for a new table."""
        if draft is None:
            return (game, *games.installed_rules(game))
        texts = self.store.rules(draft.rules_hash)
        rules = read_stored_rules(draft.rules_hash, texts)
        return f"{DRAFT_PREFIX}{rules.id}", rules, texts

    async def new_table(
        self, game: str, title: str, gm: str, players: list[str], watchers: bool, draft: str = ""
    ) -> tuple[str, dict[str, str]]:
        """Create a table with its seats; return its id and a link token for each seat."""
        if not draft:
            self._require_game(game)
        table = f"{_slug(title)}-{token_hex(4)}"
        published = await self.published_ruleset(draft) if draft else None

        def open_in(store: SQLiteStore) -> None:
            name, rules, texts = self._rules(game, published)
            header = TableHeader(table, name, token_bytes(32), rules.hash)
            store.save_rules(rules.hash, texts)
            store.create_table(header)
            stored = StoredTable(store, header, rules, now)
            read_command(Command("seat", "gm", {"name": gm, "role": GM}))
            stored.do(gm, Command("open", "open", {"table": title}))
            for at, name in enumerate(players, 1):
                stored.do(gm, Command("seat", f"seat {at}", {"name": name, "role": PLAYER}))

        def write() -> dict[str, str]:
            roles = {
                gm: GM,
                **dict.fromkeys(players, PLAYER),
                **({"": WATCHER} if watchers else {}),
            }
            with self.store.transaction():  # a refusal rolls everything back
                open_in(self.store)
                return {
                    seat: links.create_link(self.store, Link(table, seat, role))
                    for seat, role in roles.items()
                }

        return table, await self._write(write)

    async def room(self, table: str) -> Room:
        """Return the room of a table, and open it if necessary."""
        async with self._opening:
            if table not in self.rooms:
                room = await self.writer.run(lambda: self._room(table))
                self.rooms[table] = room
                rules = room.stored.rules.hash
                self._run_in_background(self.workers.warm(rules, lambda: self.ruleset_texts(room, rules)))
        return self.rooms[table]

    def _run_in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a task that only makes later requests faster; no request waits for it."""
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    def _room(self, table: str) -> Room:
        found = [one for one in self.store.tables() if one.table == table]
        if not found:
            raise forbidden()
        header, rules = found[0], None
        if header.game in games.game_names():
            rules = games.installed_rules(header.game)[0]
        if rules is None or rules.hash != header.rules_hash:
            rules = rules_for(self.store, header)
        stored = StoredTable(self.store, header, rules, now)
        return Room(stored, self.writer, self.limits, self.report_store_fault)

    # -- links and seats

    async def follow_link(self, token: str, visitor: str) -> Link:
        """Return the link of a token; forbidden if there is none, and guessing is rate-limited."""
        link = await self.reader.run(lambda: links.find_link(self.read_store, token))
        if link is None:
            self._buckets.consume(
                ("guess", visitor), self.limits.guesses_per_minute, self.limits.guesses_per_minute / 60
            )
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
        room = await self.room(link.table)
        table = room.table
        if name in table.seats:
            raise Refused(f"{name!r} has a seat already", "take another name")
        if len(table.seats) >= self.limits.seats:
            raise Fault(429, "too_many", f"there are {self.limits.seats} seats at this table", "ask the GM")
        gm = next(one for one, role in table.seats.items() if role == GM and one not in table.left_seats)
        seat = {"name": name, "role": link.role}
        await room.submit(gm, Command("seat", f"invited {token_hex(8)}", seat))
        return await self.create_link(Link(link.table, name, link.role))

    async def create_link(self, link: Link, *, instead: bool = False) -> str:
        """Create a link and return its token; `instead` revokes all others to the same seat."""

        def write() -> str:
            if instead:
                links.revoke_links(self.store, link.table, link.seat, link.role)
            return links.create_link(self.store, link)

        token = await self.writer.run(write)
        if instead:
            self._disconnect(link)
        return token

    async def revoke_links(self, link: Link) -> int:
        count = await self.writer.run(
            lambda: links.revoke_links(self.store, link.table, link.seat, link.role)
        )
        self._disconnect(link)
        return count

    def _disconnect(self, link: Link) -> None:
        """Drop the connections of a seat whose links were revoked."""
        if link.seat and link.table in self.rooms:
            self.rooms[link.table].drop(FORBIDDEN, link.seat)

    async def count_links(self, table: str) -> list[dict[str, Any]]:
        """Return the number of links to each seat, never the links themselves."""
        found = await self.reader.run(lambda: self.read_store.links(table))
        counts: dict[tuple[str, str], int] = {}
        for _, link in found:
            counts[link.seat, link.role] = counts.get((link.seat, link.role), 0) + 1
        return [{"seat": s, "role": r, "links": n} for (s, r), n in sorted(counts.items())]


async def _no_texts() -> RulesetTexts:
    """Return no texts: a question about a draft contains its text."""
    return ()


def _slug(title: str) -> str:
    """Return a title in lowercase letters, digits and hyphens, for a URL."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:30].strip("-") or "table"
