"""One mailbox for each open table: decide, store, evolve, and only then tell.

All work with tables and their store is done by one thread (`core.py`); sockets live in the event
loop.  Whatever was begun is ended, also when whoever asked for it has gone.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from time import monotonic
from typing import Any, TypeVar

from handful import table as tables
from handful.store import StoredTable, StoreFault
from handful.table import GM, SPECTATOR, Command, EntryRedactor, SeatLog, Table
from handful.web.connections import Connection
from handful.web.faults import Fault
from handful.web.patches import Shown, Texts
from handful.web.settings import Limits
from handful.web.writer import Thread

Made = TypeVar("Made")
Entry = dict[str, Any]


class Room:
    """An open table with everybody who listens to it."""

    def __init__(
        self,
        kept: StoredTable,
        core: Thread,
        limits: Limits,
        noticed: Callable[[StoreFault | None], None] = lambda fault: None,
    ) -> None:
        """`noticed` hears whether the store took what was written."""
        self.kept, self.core, self.limits, self.noticed = kept, core, limits, noticed
        self.connections: set[Connection] = set()
        self.used = monotonic()
        self._lock = asyncio.Lock()
        self._turns: set[asyncio.Task[Any]] = set()
        # of every seat from the beginning: made for one when it asks, the work would tell of others
        viewers = (SPECTATOR, *self.table.seats)
        self._logs: dict[str, SeatLog] = tables.replay_logs(kept.initial, self._entries(), viewers)
        self._told: dict[str, int] = {}  # seat -> how many lines its connections have
        self._shown: dict[str, Shown] = {}  # seat -> what it was shown last
        self._texts = Texts()
        self._news: dict[str, str] = {}  # seat -> what it will be told next
        self._written = kept.table  # of which the news are written
        kept.on_entry.append(self._saw)

    @property
    def table(self) -> Table:
        return self.kept.table

    @property
    def is_idle(self) -> bool:
        """Whether nobody listens and nobody has asked for a while."""
        busy = self.connections or self._turns
        return not busy and monotonic() - self.used > self.limits.idle

    def _saw(self, before: Table, entry: Entry) -> None:
        telling = EntryRedactor(before, entry)
        for log in self._logs.values():
            log.add(telling)
        for seat in self.table.seats.keys() - self._logs.keys():
            self._logs[seat] = self._new_log(seat, self.table.role(seat))

    def _new_log(self, seat: str, role: str) -> SeatLog:
        """The log of a new seat: a GM is told more of the past than any watcher, others as much."""
        if role != GM:
            return self._logs[SPECTATOR].copy_for(seat, role)
        return tables.replay_log(self.kept.initial, self._entries(), seat)

    def _entries(self) -> Iterator[Entry]:
        entries = self.kept.store.read(self.kept.header.table)
        return (one for one in entries if one["seq"] <= self.table.seq)

    # -- in turn

    async def do(self, seat: str, command: Command, then: Callable[[int], None] = lambda n: None) -> int:
        """Obey a command; everybody is told before this returns.  The last line of the seat.

        How many events it became is not said: the seat need not know of all of them.
        `then` hears the same right after everybody, so that both can be sent at once.
        """
        return await self._in_turn(
            lambda: self.core.save(self.kept.store, lambda: self._saved(seat, command)), then
        )

    def _saved(self, seat: str, command: Command) -> Callable[[], int]:
        if (seat, command.key) not in self.table.command_digests:
            self._not_too_many(seat, command)
        go_on = self.kept.decide_and_save(seat, command)

        def finish() -> int:
            go_on()
            self._write_news()
            return len(self._logs[seat])

        return finish

    async def refresh(self) -> None:
        """Take in what another process wrote into the file, and tell of it."""
        await self._in_turn(lambda: self.core.do(self.kept.refresh))

    async def _in_turn(
        self, work: Callable[[], Awaitable[Made]], then: Callable[[Made], None] = lambda made: None
    ) -> Made:
        turn = asyncio.ensure_future(self._turn(work, then))
        self._turns.add(turn)
        turn.add_done_callback(self._ended)
        return await asyncio.shield(turn)

    def _ended(self, turn: asyncio.Task[Any]) -> None:
        self._turns.discard(turn)
        if not turn.cancelled():
            turn.exception()  # whoever asked has heard of it, or has gone

    async def _turn(self, work: Callable[[], Awaitable[Made]], then: Callable[[Made], None]) -> Made:
        async with self._lock:
            self.used, before = monotonic(), self.table
            try:
                made = await work()
            except StoreFault as fault:
                self.noticed(fault)
                raise
            finally:
                if self.table is not before:
                    self.noticed(None)
                    await self._tell()
            then(made)
            return made

    async def _tell(self) -> None:
        if self._written is not self.table:
            await self.core.do(self._write_news)
        news, self._news = self._news, {}
        for one in tuple(self.connections):
            if news.get(one.viewer):
                one.tell(news[one.viewer])

    def _not_too_many(self, seat: str, command: Command) -> None:
        """Counted by what the seat knows: a number is a message, too."""
        table, memory = self.table, self.kept.cache
        count, most, what = 0, 1, ""
        match command.kind:
            case "declare":
                what, most = "rolls that are not over", self.limits.open_rolls
                count = len(tables.own_open_rolls(table, seat, memory))
            case "request" | "call":
                what, most = "requests that are open", self.limits.open_requests
                known = tables.project(table, seat, memory).requests
                count = sum(not known[one].closed for one in known if one.startswith(f"{seat}/"))
            case "bring" if "replaces" not in command.data:
                what, most = "characters", self.limits.characters
                owner = command.data.get("for", seat)
                figures = tables.project(table, seat, memory).characters
                count = sum(one.owner == owner for one in figures.values())
        if count >= most:
            raise Fault(
                429, "too_many", f"that would be more than {most} {what}", "end or cancel some of them"
            )

    # -- what is told

    def _write_news(self) -> None:
        """What everybody who listens will be told of what happened since the last time."""
        self._texts.turn()
        seats = {one.viewer for one in tuple(self.connections)}
        self._news, self._written = {seat: self._news_of(seat) for seat in seats}, self.table

    def _news_of(self, seat: str) -> str:
        """New lines of a seat's log, and the parts of its view that changed; empty without lines.

        The view is made after every event, also after those of which the seat is not told: else
        the next message would come later for it.
        """
        before, log = self._told.get(seat, 0), self._logs[seat]
        layers = tables.view_layers(self.table, seat, self.kept.cache)
        self._told[seat] = count = len(log)
        if count == before:
            return ""
        changed = self._shown[seat].changes(*layers)
        return _message("news", count, log.texts(before), changed or "{}")

    async def listen(self, here: Connection, after: int, still_sits: Callable[[], Awaitable[Any]]) -> None:
        """Begin to listen: first what was missed since line `after`, and the view as it is.

        A link that is taken back in this very moment is either seen here, or this connection is
        seen by whoever takes it back.
        """
        async with self._lock:
            self.used = monotonic()
            self.connections.add(here)
            try:
                text = await self.core.do(lambda: self._hello(here.viewer, after))
                await still_sits()
            except BaseException:
                self.connections.discard(here)
                raise
            here.tell(text)

    def _hello(self, seat: str, after: int) -> str:
        log = self._logs[seat]
        begins = not 0 <= after <= len(log) or len(log) - after > self.limits.missed
        missed = log.texts(max(len(log) - self.limits.missed, 0) if begins else after)
        self._shown[seat] = shown = Shown(self._texts)
        view = shown.whole(*tables.view_layers(self.table, seat, self.kept.cache))
        self._told[seat] = len(log)
        return _message("hello", len(log), missed, view, f'"begins":{json.dumps(begins)},')

    def leave(self, here: Connection) -> None:
        self.connections.discard(here)
        self.used = monotonic()

    def drop(self, code: int, seat: str | None = None) -> None:
        """Nobody listens any more: at all, or for a seat whose links were taken back."""
        for one in tuple(self.connections):
            if seat is None or one.seat == seat:
                one.drop(code)

    # -- only asked

    async def ask(self, work: Callable[[Table], Made]) -> Made:
        """Ask something about the table as it is, without a place in the mailbox."""
        self.used = monotonic()
        return await self.core.do(lambda: work(self.table))

    async def export(self, seat: str) -> str:
        return await self.ask(lambda _: tables.format_log(self._logs[seat]))

    async def lines(self, seat: str, after: int, most: int) -> str:
        texts = await self.ask(lambda _: self._logs[seat].texts(after, after + most))
        return f"[{','.join(texts)}]"

    async def history(self, seat: str, character: str) -> list[dict[str, Any]]:
        rules = self.kept.rules
        return await self.ask(lambda _: tables.character_history(rules, self._logs[seat].lines, character))


def _message(kind: str, n: int, lines: list[str], view: str, more: str = "") -> str:
    """A message of things that are text already."""
    return f'{{"type":"{kind}","n":{n},{more}"lines":[{",".join(lines)}],"view":{view}}}'
