"""A server: the parts that serve the tables of one database file, and the order they start and stop in.

Routes use the part they need: `access` for links and seats, `rooms` for tables, `rates` for limits,
`processes` for odds, `rulesets` for what is published.
"""

from __future__ import annotations

from handful.web.access import Access
from handful.web.database import Database
from handful.web.metrics import Metrics
from handful.web.other_processes import OtherProcesses
from handful.web.ratelimit import RateLimits
from handful.web.reach import Reach
from handful.web.room_registry import RoomRegistry
from handful.web.settings import ServerLimits
from handful.web.store_status import StoreStatus
from handful.web.table_rulesets import TableRulesets
from handful.web.table_workers import TableWorkers
from handful.web.visitors import Admission
from handful.web.worker_processes import WorkerProcesses


class Server:
    """Everything that requests share."""

    def __init__(self, reach: Reach, limits: ServerLimits, metrics: Metrics | None = None) -> None:
        settings = reach.settings
        self.reach, self.settings, self.limits = reach, settings, limits
        self.metrics = metrics or Metrics()
        self.rates = RateLimits(limits)
        self.sockets = Admission(limits.sockets_open, limits.visitor_sockets)
        self.status = StoreStatus(lambda: self.rooms.connections())
        self.database = Database(settings.data, self.status.report, self.metrics.store_seconds.observe)
        self.processes = WorkerProcesses(limits, self.rates, self.metrics)
        self.rulesets = TableRulesets(self.database, self.processes, self.rates, limits)
        self.table_workers = TableWorkers(self.database, limits, self.metrics.workers_ended.inc)
        self.rooms = RoomRegistry(
            self.database, self.status, self.rulesets, self.processes, self.table_workers, limits
        )
        self.others = OtherProcesses(self.database, self.rooms, limits)
        self.access = Access(self.database, self.rooms, self.rates, limits)
        self._add_gauges()

    def _add_gauges(self) -> None:
        gauge = self.metrics.gauge
        gauge("handful_rooms", "Open tables.", lambda: len(self.rooms.by_table))
        gauge("handful_sockets", "Open sockets.", lambda: len(self.rooms.connections()))
        gauge(
            "handful_writer_queue",
            "Jobs that wait for the tables' thread.",
            lambda: len(self.database.writer),
        )
        gauge(
            "handful_odds_queue", "Questions that wait for a worker.", lambda: len(self.processes.odds.queue)
        )
        gauge(
            "handful_sandbox_queue",
            "Questions about drafts that wait.",
            lambda: len(self.processes.sandbox.queue),
        )
        gauge("handful_table_workers", "Processes of tables.", lambda: len(self.table_workers))
        gauge("handful_store_failed", "1 while nothing can be saved.", lambda: float(self.status.failed))

    async def start(self) -> None:
        await self.database.connect()
        self.rooms.start()
        self.others.start()
        self.processes.start()

    async def stop(self) -> None:
        await self.others.stop()
        await self.rooms.stop()
        await self.processes.stop()
        await self.table_workers.stop()
        await self.database.close()
