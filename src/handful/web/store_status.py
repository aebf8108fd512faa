"""The state of the database file, told to every connection when it changes.

Pages show a notice as long as the file cannot be written.
Invariant: each change is sent once; a new connection is sent a fault that lasts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from handful.store import StoreFault
from handful.table import canonical_json
from handful.web.connections import Connection
from handful.web.faults import Fault, fault_of
from handful.web.i18n import render_error
from handful.web.middleware import LOG


class StoreStatus:
    """The fault of the last write, if it failed."""

    def __init__(self, connections: Callable[[], Iterable[Connection]]) -> None:
        """`connections` returns all connections of the server."""
        self._connections = connections
        self._fault: Fault | None = None

    @property
    def failed(self) -> bool:
        return self._fault is not None

    def report(self, fault: StoreFault | None) -> None:
        """Notify every connection that the file cannot be written, or with None that it can again."""
        found = None if fault is None else fault_of(fault)
        before, self._fault = self._fault, found
        if (before and before.message) == (found and found.message):
            return
        LOG.warning(
            "the file can be written again" if fault is None else "%s",
            *(() if fault is None else (fault.message,)),
        )
        for one in self._connections():
            self._send(one)

    def send_fault(self, connection: Connection) -> None:
        """Send the fault to a new connection, if there is one."""
        if self.failed:
            self._send(connection)

    def _send(self, connection: Connection) -> None:
        found = {} if self._fault is None else self._fault.to_dict()
        message = render_error(found, connection.language)
        connection.send(canonical_json({"type": "store", "ok": not found, **message}))
