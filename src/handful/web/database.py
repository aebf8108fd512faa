"""The database of a server: two threads, each with its own connection.

One thread works on tables and writes, the other looks up links and published rulesets.
Invariant: a lookup never waits for a busy table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from handful.store import SQLStore, StoreFault, open_store
from handful.web.writer import SerialThread

Result = TypeVar("Result")
Work = Callable[[SQLStore], Result]


class Database:
    """Runs work on the store in the thread that it belongs to."""

    def __init__(
        self,
        data: str,
        on_fault: Callable[[StoreFault], None],
        on_batch: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        """`on_fault` is called when nothing can be written, `on_batch` with the seconds of commits."""
        self.data, self.on_fault = data, on_fault
        self.writer, self._reader = SerialThread("tables", on_batch), SerialThread("links")
        self.epochs: set[str] = set()  # tables for which this process has begun an epoch
        self._store: SQLStore  # used by `writer`
        self._read_store: SQLStore  # used by `_reader`

    async def connect(self) -> None:
        self._store = await self.writer.run(lambda: open_store(self.data, create=True, one_thread=False))
        self._read_store = await self._reader.run(lambda: open_store(self.data, one_thread=False))

    async def close(self) -> None:
        await self.writer.run(self._store.close)
        await self._reader.run(self._read_store.close)
        self.writer.close()
        self._reader.close()

    async def read(self, work: Work[Result]) -> Result:
        """Run a lookup, beside the work on tables."""
        return await self._reader.run(lambda: work(self._read_store))

    async def run(self, work: Work[Result]) -> Result:
        """Run work on tables."""
        return await self.writer.run(lambda: work(self._store))

    async def commit(self, work: Work[None]) -> None:
        """Run work that appends to a table; it is committed when this returns, together with others."""

        def append() -> Callable[[], None]:
            work(self._store)
            return lambda: None

        await self.writer.commit(self._store, append)

    async def write(self, work: Work[Result]) -> Result:
        """Run work on tables and report if the database cannot be written."""
        try:
            return await self.run(work)
        except StoreFault as fault:
            self.on_fault(fault)
            raise
