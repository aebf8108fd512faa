"""Serves the store to worker processes that decide tables: reads and appends for one table at a time.

`PipeStore` (`table_worker.py`) is the other end.
Invariant: an append is committed when it is answered, and a worker reaches no table but the one it works on.
"""

from __future__ import annotations

from typing import Any

from handful.store import Conflict, Epoch, SQLStore, StoreFault, TableDeleted
from handful.web.database import Database

Call = dict[str, Any]


class StoreService:
    """Answers the calls of a worker."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def serve(self, table: str, call: Call) -> dict[str, Any]:
        """Return the reply to a call of a worker that works on a table."""
        try:
            return {"result": await self._do(table, call)}
        except Conflict:
            return {"conflict": True}
        except TableDeleted as error:
            return {"deleted": [error.problem, error.advice]}
        except StoreFault as fault:
            return {"fault": [fault.problem, fault.advice, fault.public_message]}

    async def _do(self, table: str, call: Call) -> Any:
        match call:
            case {"store": "read", "after": after, "most": most}:
                return await self._database.run(lambda store: store.read(table, after=after, most=most))
            case {"store": "append", "entries": entries, "after": after, "epoch": epoch}:
                return await self._append(table, entries, after, epoch)
            case {"store": "rules", "hash": hash}:
                return await self._database.read(lambda store: store.rules(hash))
            case {"store": "save_rules", "hash": hash, "texts": texts}:
                return await self._database.run(lambda store: store.save_rules(hash, texts))
            case {"store": "epochs"}:
                found = await self._database.run(lambda store: store.epochs(table))
                return {number: secret.hex() for number, secret in found.items()}
            case {"store": "signing_seed"}:
                return (await self._database.run(lambda store: store.signing_seed(table))).hex()
        raise ValueError(call["store"])

    async def _append(self, table: str, entries: Any, after: int, epoch: Any) -> None:
        begun = None if epoch is None else Epoch(epoch[0], bytes.fromhex(epoch[1]))

        def append(store: SQLStore) -> None:
            store.append(table, entries, after=after, epoch=begun)

        await self._database.commit(append)
