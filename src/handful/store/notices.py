"""Notices that processes on one PostgreSQL database send each other, by NOTIFY.

A notice is sent when its transaction is committed, so that who hears it can read what it is about.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from handful.records import record

CHANNEL = "handful"


@record()
class Notice:
    """`entries`: a table has entries up to `seq`; `links`: some were revoked; `deleted`: it is gone.

    `connected` comes first, and again after a connection was lost: anything may have happened before.
    """

    kind: str
    table: str = ""
    seq: int = 0

    def to_text(self) -> str:
        return json.dumps([self.kind, self.table, self.seq])


async def listen(address: str) -> AsyncIterator[Notice]:
    """Yield the notices of all processes, our own too; raises `StoreFault` when the connection is lost."""
    import psycopg

    from handful.store.opening import display_name
    from handful.store.postgres import connection_settings, postgres_errors

    with postgres_errors(display_name(address)):
        connection = await psycopg.AsyncConnection.connect(**connection_settings(address), autocommit=True)
        async with connection:
            await connection.execute(f"LISTEN {CHANNEL}".encode())
            yield Notice("connected")
            async for one in connection.notifies():
                yield Notice(*json.loads(one.payload))
